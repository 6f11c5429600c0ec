//! Games in progress as leaves: openings, heads, and the games that have ended since the last look.

use crate::leaf::{HeadInProgress, Leaf, Milestone, OpenedGame, heads};
use crate::log_file::feed;
use crate::publish::label;
use crate::timeline::Timeline;
use anyhow::Context;
use canasta_engine::log::record::Genesis;
use canasta_engine::log::{Head, Reader, Record};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The good prefix of a log that may still grow.
pub struct GrowingLog {
    pub path: PathBuf,
    /// The first record.
    pub genesis: Genesis,
    pub records: u64,
    /// Head of the last record.
    pub head: Head,
    /// Whether the game has ended.
    pub has_ended: bool,
}

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

impl GrowingLog {
    /// Reads a log up to the last whole record that its chain reaches. Returns `None` if not even the first record is
    /// there: a log that is being created.
    ///
    /// # Errors
    /// If the file cannot be read, or is no log.
    pub fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        let name = || path.display().to_string();
        let (mut reader, mut found, mut fault) = (Reader::new(), None::<Self>, None);
        feed(File::open(path).with_context(name)?, |mut chunk| {
            loop {
                match reader.next(&mut chunk) {
                    Ok(None) => return true,
                    Ok(Some(frame)) => match (&mut found, frame.record()) {
                        (None, Ok(Record::Genesis(genesis))) => {
                            let (path, records, head) = (path.to_owned(), 1, frame.head);
                            found = Some(Self { path, genesis: *genesis, records, head, has_ended: false });
                        }
                        (None, _) => return false,
                        (Some(log), record) => {
                            (log.records, log.head) = (frame.n + 1, frame.head);
                            log.has_ended |= matches!(record, Ok(Record::GameEnd(_)));
                        }
                    },
                    Err(error) => {
                        fault = Some(error);
                        return false;
                    }
                }
            }
        })
        .with_context(name)?;
        match fault {
            Some(error) if found.is_none() => Err(error).with_context(name),
            _ => Ok(found),
        }
    }

    /// Returns why no record of the log may be signed: it is a branch, or contradicts what was signed of its game.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn refusal(&self, timeline: &Timeline) -> anyhow::Result<Option<String>> {
        if let Some(fork) = self.genesis.fork_of {
            return Ok(Some(fork.to_string()));
        }
        let game = timeline.games.get(&self.genesis.game_id).filter(|game| game.is_open());
        let Some(game) = game else { return Ok(None) };
        let found = game.contradicted_by(&self.path, Some(&self.genesis), self.records);
        Ok(found.with_context(|| self.path.display().to_string())?.into_iter().next())
    }
}

impl News {
    /// Compares logs with the history of a tree at a time. A log that is shorter than the head that was signed last is
    /// taken for a copy that lags behind.
    ///
    /// # Errors
    /// If the path of a log cannot be its label.
    pub fn of(
        logs: &[GrowingLog],
        named: &[PathBuf],
        timeline: &Timeline,
        at_ms: i64,
    ) -> anyhow::Result<Self> {
        let (mut news, mut in_progress) = (Self { at_ms, ..Self::default() }, BTreeMap::new());
        for (game_id, game) in timeline.open() {
            let last = game.heads.last();
            in_progress.extend(last.map(|&(_, records, head)| (*game_id, (records, head))));
        }
        for log in logs {
            let game_id = log.genesis.game_id;
            let known = timeline.games.get(&game_id);
            if known.is_some_and(|game| game.closed.is_some() || game.void.is_some()) {
                continue;
            }
            if known.is_none_or(|game| game.opened.is_none()) && !in_progress.contains_key(&game_id) {
                let opened =
                    OpenedGame::of(&log.genesis, label(&log.path, named)?, at_ms, log.records, log.head);
                news.openings.push(Leaf::Milestone(Milestone::Open(opened)));
            }
            let (records, head) = in_progress.entry(game_id).or_insert((log.records, log.head));
            if log.records > *records {
                (*records, *head) = (log.records, log.head);
            }
            if log.has_ended {
                news.ended.push(log.path.clone());
            }
        }
        let in_progress = in_progress.into_iter();
        news.in_progress =
            in_progress.map(|(game_id, (records, head))| HeadInProgress { game_id, records, head }).collect();
        Ok(news)
    }

    /// Returns the list of heads without the games that are closed now, and the leaf that names it.
    pub fn heads(&self, closed: &[[u8; 16]]) -> (Leaf, Vec<u8>) {
        let open: Vec<HeadInProgress> =
            self.in_progress.iter().filter(|of| !closed.contains(&of.game_id)).copied().collect();
        let (milestone, list) = heads(self.at_ms, &open);
        (Leaf::Milestone(milestone), list)
    }
}
