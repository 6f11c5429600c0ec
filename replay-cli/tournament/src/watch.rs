//! Games in progress as leaves: openings, heads, and the games that have ended since the last look.

use crate::growing::GrowingLog;
use crate::leaf::{HeadInProgress, Leaf, Milestone, OpenedGame, heads};
use crate::publish::{UnpublishedLeaf, label};
use crate::timeline::Timeline;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The news of one look at the logs.
#[derive(Default)]
pub struct News {
    /// The leaves before the games that have ended: openings.
    pub openings: Vec<Leaf>,
    /// The logs of the games that have ended.
    pub ended: Vec<PathBuf>,
    /// The heads of the games in progress; those of `ended` are still among them.
    pub in_progress: Vec<HeadInProgress>,
    /// The time of the look.
    at_ms: i64,
}

impl News {
    /// Compares logs with the history of a tree at a time. A log that is shorter than the head that was signed last is
    /// taken for a copy that lags behind.
    ///
    /// # Errors
    /// If the path of a log cannot be its label.
    pub fn of(
        logs: &[&GrowingLog],
        named: &[PathBuf],
        timeline: &Timeline,
        at_ms: i64,
    ) -> anyhow::Result<Self> {
        let (mut news, mut in_progress) = (Self { at_ms, ..Self::default() }, BTreeMap::new());
        for (game_id, game) in timeline.open() {
            in_progress.extend(game.watched.as_ref().map(|watched| (*game_id, watched.last())));
        }
        // A log shows the walls of its board, which other tables may still play.
        let over: BTreeSet<[u8; 16]> =
            logs.iter().filter(|log| log.has_ended).map(|log| log.genesis.game_id).collect();
        let is_held = |log: &GrowingLog| {
            let board = timeline.board_of(&log.genesis.game_id);
            board.is_some_and(|board| {
                board.games().any(|game| !over.contains(game) && !timeline.is_over(game))
            })
        };
        for log in logs {
            let game_id = log.genesis.game_id;
            let known = timeline.games.get(&game_id);
            if known.is_some_and(|game| game.void.is_some()) {
                continue;
            }
            if let Some((_, published)) =
                known.filter(|game| game.closed.is_some()).and_then(|game| game.last)
            {
                // A ruling behind the end makes a further entry.
                news.ended.extend((log.records() > published && !is_held(log)).then(|| log.path.clone()));
                continue;
            }
            if known.is_none_or(|game| game.opened.is_none()) && !in_progress.contains_key(&game_id) {
                let opened =
                    OpenedGame::of(&log.genesis, label(&log.path, named)?, at_ms, log.records(), log.head());
                news.openings.push(Leaf::Milestone(Milestone::Open(opened)));
            }
            let (records, head) = in_progress.entry(game_id).or_insert((log.records(), log.head()));
            if log.records() > *records {
                (*records, *head) = (log.records(), log.head());
            }
            if log.has_ended && !is_held(log) {
                news.ended.push(log.path.clone());
            }
        }
        let in_progress = in_progress.into_iter();
        news.in_progress =
            in_progress.map(|(game_id, (records, head))| HeadInProgress { game_id, records, head }).collect();
        Ok(news)
    }

    /// Returns the number of the games in progress that these leaves close.
    pub fn closed(&self, leaves: &[UnpublishedLeaf]) -> u64 {
        let closed = leaves.iter().filter_map(|of| match of {
            UnpublishedLeaf::Game(game) => Some(game.entry.game_id),
            UnpublishedLeaf::Milestone(..) => None,
        });
        closed.filter(|id| self.in_progress.iter().any(|of| of.game_id == *id)).count() as u64
    }

    /// Returns the list of heads without the games that are closed now, and the leaf that names it.
    pub fn heads(&self, closed: &[[u8; 16]]) -> (Leaf, Vec<u8>) {
        let open: Vec<HeadInProgress> =
            self.in_progress.iter().filter(|of| !closed.contains(&of.game_id)).copied().collect();
        let (milestone, list) = heads(self.at_ms, &open);
        (Leaf::Milestone(milestone), list)
    }
}
