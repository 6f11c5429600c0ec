//! The leaves of a tree read as a history: which games were announced, opened, played, closed and voided, and when.

use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::files::ReadFile;
use crate::leaf::{HeadInProgress, LIST_MAX, Leaf, Milestone, OpenedGame, list_path, parse_heads};
use crate::log_file::lacks;
use crate::paper;
use crate::policy::TreePolicy;
use crate::site::Site;
use canasta_engine::log::Head;
use canasta_engine::log::record::Genesis;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

type GameId = [u8; 16];

/// The history of a tournament.
#[derive(Default)]
pub struct Timeline {
    /// The announced games, with the indices of their leaves.
    pub announced: BTreeMap<GameId, u64>,
    pub games: BTreeMap<GameId, TimedGame>,
    /// The games of which the tree has a signed sheet in place of a log.
    pub papers: BTreeSet<GameId>,
    /// Index of the leaf that ends the tournament.
    pub ended: Option<u64>,
    /// Index and reason of each leaf that says that what follows has faults.
    pub anyway: Vec<(u64, String)>,
    /// The latest time that the publisher claimed.
    pub latest_ms: Option<i64>,
    /// Time of the last list of heads, while games were in progress.
    heads_ms: Option<i64>,
    /// The games that were closed since the last leaf with a time.
    just_closed: Vec<GameId>,
}

/// The history of one game.
#[derive(Default)]
pub struct TimedGame {
    /// The opening, with the index of its leaf.
    pub opened: Option<(u64, OpenedGame)>,
    /// The heads that were signed while the game was in progress, with the indices of their leaves. The last head is
    /// kept once, however often it was signed.
    pub heads: Vec<(u64, u64, Head)>,
    /// Index of the first leaf with a result.
    pub closed: Option<u64>,
    /// Index of the last leaf without a result: the log of a game in progress, published as a whole.
    pub unfinished: Option<u64>,
    /// Index of the leaf that voids the game.
    pub void: Option<u64>,
}

impl TimedGame {
    /// Returns whether the game was opened, and has neither a result nor a void.
    pub fn is_open(&self) -> bool {
        (self.opened.is_some() || self.unfinished.is_some()) && self.closed.is_none() && self.void.is_none()
    }

    /// Returns the index of the leaf that shows the game first.
    pub fn index(&self) -> Option<u64> {
        self.opened.as_ref().map(|(index, _)| *index).or(self.unfinished)
    }

    /// Returns how a log contradicts what was signed of the game while it was in progress. Heads behind the first `up_to`
    /// records are not looked for.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn contradicted_by(
        &self,
        log: &Path,
        genesis: Option<&Genesis>,
        up_to: u64,
    ) -> io::Result<Vec<String>> {
        let heads = self.heads.iter().filter(|(_, records, _)| *records <= up_to);
        let heads: Vec<(u64, Head)> = heads.map(|&(_, records, head)| (records - 1, head)).collect();
        let lacking = lacks(log, &heads)?
            .map(|n| format!("it does not have record {n} as it was signed while the game was in progress"));
        let opened = self.opened.as_ref().zip(genesis);
        let is_other = opened.is_some_and(|((_, opened), genesis)| !opened.is_of(genesis));
        let other = is_other.then(|| "its first record is not what was opened".to_owned());
        Ok(lacking.into_iter().chain(other).collect())
    }

    /// Returns the name of the log when the game was opened; empty if the game was published without an opening.
    pub fn label(&self) -> &str {
        self.opened.as_ref().map_or("", |(_, opened)| &opened.label)
    }

    /// Returns whether the log had cards dealt when the game was opened: genesis and register are the first two records.
    pub fn is_late(&self) -> bool {
        self.opened.as_ref().is_some_and(|(_, opened)| opened.records > 2)
    }
}

impl Timeline {
    /// Reads the leaves of a site in their order, and adds what contradicts itself or the policy to `faults`.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn read(
        site: &Site,
        files: &ReadFile<'_>,
        policy: Option<&TreePolicy>,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<Self> {
        let mut timeline = Self::default();
        for (index, leaf) in (0..).zip(&site.leaves) {
            if faults.len() >= FAULTS_MAX {
                break;
            }
            match leaf {
                None => {}
                Some(Leaf::Game(entry)) => {
                    timeline.close(index, entry.game_id, entry.result.is_some(), policy, faults);
                }
                Some(Leaf::Milestone(milestone)) => {
                    timeline.pass(index, milestone.at_ms(), policy, faults);
                    timeline.take(index, milestone, files, policy, faults)?;
                }
            }
        }
        timeline.finish(policy, faults);
        Ok(timeline)
    }

    /// Returns the games in progress, in the order of their ids.
    pub fn open(&self) -> impl Iterator<Item = (&GameId, &TimedGame)> {
        self.games.iter().filter(|(_, game)| game.is_open())
    }

    /// Returns the time that a new leaf claims: a clock that was set back must not contradict what is signed.
    pub fn not_before(&self, now_ms: i64) -> i64 {
        self.latest_ms.map_or(now_ms, |latest| latest.max(now_ms))
    }

    /// Returns the number of games that were opened, of those whose first cards were dealt before, and of those that were
    /// voided.
    pub fn numbers(&self) -> [u64; 3] {
        let number = |is: fn(&TimedGame) -> bool| self.games.values().filter(|game| is(game)).count() as u64;
        [number(|game| game.opened.is_some()), number(TimedGame::is_late), number(|game| game.void.is_some())]
    }

    fn has_openings(&self) -> bool {
        self.games.values().any(|game| game.opened.is_some())
    }

    /// Takes the time of a milestone, which is also the time of the games closed since the one before.
    fn pass(&mut self, index: u64, at_ms: i64, policy: Option<&TreePolicy>, faults: &mut Vec<SiteFault>) {
        if let Some(latest) = self.latest_ms.filter(|&latest| at_ms < latest) {
            let detail = format!("its time is {} ms before that of an earlier leaf", latest - at_ms);
            faults.push(leaf_fault(FaultKind::Time, index, detail));
        }
        self.latest_ms = self.latest_ms.max(Some(at_ms));
        let limit = policy.and_then(|policy| policy.close_within);
        for game_id in std::mem::take(&mut self.just_closed) {
            let opened = self.games.get(&game_id).and_then(|game| game.opened.as_ref());
            if let Some((_, opened)) = opened.filter(|(_, opened)| is_over(opened.at_ms, at_ms, limit)) {
                let late = minutes(at_ms - opened.at_ms);
                let detail =
                    format!("it was closed {late} after its opening, later than the policy promises");
                faults.push(leaf_fault(FaultKind::Time, index, detail).of_game(game_id));
            }
        }
    }

    fn close(
        &mut self,
        index: u64,
        game_id: GameId,
        has_result: bool,
        policy: Option<&TreePolicy>,
        faults: &mut Vec<SiteFault>,
    ) {
        let must_open = self.has_openings() || policy.is_some_and(|policy| policy.opened);
        let game = self.games.entry(game_id).or_default();
        let mut find = |kind, detail: &str| faults.push(leaf_fault(kind, index, detail).of_game(game_id));
        if !has_result {
            game.unfinished = Some(index);
            return;
        }
        if game.opened.is_none() && must_open && game.closed.is_none() {
            find(FaultKind::NotFixed, "it has a result, and was not opened before");
        }
        if game.void.is_some() && game.closed.is_none() {
            find(FaultKind::GameTwice, "it has a result, and was voided before");
        }
        if game.closed.is_none() {
            game.closed = Some(index);
            self.just_closed.push(game_id);
        }
    }

    fn take(
        &mut self,
        index: u64,
        milestone: &Milestone,
        files: &ReadFile<'_>,
        policy: Option<&TreePolicy>,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<()> {
        if self.ended.is_some() && !matches!(milestone, Milestone::Sheet { .. } | Milestone::Anyway { .. }) {
            faults.push(leaf_fault(FaultKind::Time, index, "it stands behind the end of the tournament"));
        }
        match milestone {
            Milestone::Tables { tables, .. } => {
                self.announced.extend(tables.iter().map(|table| (table.game_id, index)));
            }
            Milestone::Open(opened) => self.open_game(index, opened, faults),
            Milestone::Heads { at_ms, games, list } => {
                let Some(heads) = read_heads(index, *games, list, files, faults)? else { return Ok(()) };
                self.take_heads(index, &heads, faults);
                let limit = policy.and_then(|policy| policy.heads_within).map(i64::from);
                if let Some(before) = self.heads_ms {
                    let gap = at_ms.saturating_sub(before);
                    if limit.is_some_and(|limit| gap > limit * 1_000) {
                        let detail = format!(
                            "no heads were signed for {} s while games were in progress",
                            gap / 1_000
                        );
                        faults.push(leaf_fault(FaultKind::Time, index, detail));
                    }
                }
                self.heads_ms = (!heads.is_empty()).then_some(*at_ms);
            }
            Milestone::Void { game_id, .. } => {
                let is_known = self.announced.contains_key(game_id);
                let game = self.games.entry(*game_id).or_default();
                let detail = match (game.closed, game.void) {
                    (Some(_), _) => Some("it voids a game that has a result"),
                    (_, Some(_)) => Some("it voids a game that is void already"),
                    _ if is_known || game.is_open() => None,
                    _ => Some("it voids a game that is neither announced nor in progress"),
                };
                let fault = detail.map(|detail| leaf_fault(FaultKind::NotFixed, index, detail));
                faults.extend(fault.map(|fault| fault.of_game(*game_id)));
                game.void = Some(index);
            }
            Milestone::Sheet { note, .. } => self.papers.extend(paper::game_of(note)),
            Milestone::End { .. } => self.ended = Some(index),
            Milestone::Anyway { reason, .. } => self.anyway.push((index, reason.clone())),
        }
        Ok(())
    }

    fn open_game(&mut self, index: u64, opened: &OpenedGame, faults: &mut Vec<SiteFault>) {
        let game_id = opened.game_id;
        let mut find = |kind, detail: &str| faults.push(leaf_fault(kind, index, detail).of_game(game_id));
        if !self.announced.is_empty() && !self.announced.contains_key(&game_id) {
            find(FaultKind::NotFixed, "it was opened, and is not among the announced games");
        }
        let game = self.games.entry(game_id).or_default();
        if game.opened.is_some() || game.closed.is_some() || game.void.is_some() {
            find(FaultKind::GameTwice, "it was opened, closed or voided before");
        }
        if game.opened.is_none() {
            game.heads.push((index, opened.records, opened.head));
            game.opened = Some((index, opened.clone()));
        }
    }

    /// Takes a list of heads: each game in progress must be in it, no other, and no head may go back.
    fn take_heads(&mut self, index: u64, heads: &[HeadInProgress], faults: &mut Vec<SiteFault>) {
        let mut find =
            |game_id, detail: &str| faults.push(leaf_fault(FaultKind::Heads, index, detail).of_game(game_id));
        let listed: BTreeMap<GameId, &HeadInProgress> = heads.iter().map(|of| (of.game_id, of)).collect();
        for (game_id, game) in &mut self.games {
            let is_open = game.is_open() && game.opened.is_some();
            match (listed.get(game_id), game.heads.last()) {
                (None, _) if is_open => find(*game_id, "it is in progress, and its head is not in the list"),
                (Some(of), Some(&(_, records, head))) if is_open => {
                    if of.records < records || of.records == records && of.head != head {
                        find(*game_id, "its head goes back, or is another than the one signed before");
                    } else if of.records > records {
                        game.heads.push((index, of.records, of.head));
                    }
                }
                (Some(_), _) => find(*game_id, "its head is listed, and it is not in progress"),
                (None, _) => {}
            }
        }
        for game_id in listed.keys().filter(|id| !self.games.contains_key(*id)) {
            find(*game_id, "its head is listed, and it was never opened");
        }
    }

    /// Adds the games that should have ended.
    fn finish(&mut self, policy: Option<&TreePolicy>, faults: &mut Vec<SiteFault>) {
        let limit = policy.and_then(|policy| policy.close_within);
        for (game_id, game) in self.games.iter().filter(|(_, game)| game.is_open()) {
            let opened_ms = game.opened.as_ref().map(|(_, opened)| opened.at_ms);
            let detail = match (opened_ms, self.latest_ms) {
                _ if self.ended.is_some() => {
                    "the tournament has ended, and the game has neither a result nor a void".to_owned()
                }
                (Some(opened), Some(latest)) if is_over(opened, latest, limit) => {
                    let since = minutes(latest - opened);
                    format!(
                        "it was opened {since} ago, and has neither a result nor a void: the policy promises one"
                    )
                }
                _ => continue,
            };
            let index = game.index().unwrap_or_default();
            faults.push(leaf_fault(FaultKind::GameOpen, index, detail).of_game(*game_id));
        }
        let is_due = |(game_id, _): &(&GameId, &u64)| {
            let never_came = self
                .games
                .get(*game_id)
                .is_none_or(|game| game.index().is_none() && game.closed.is_none() && game.void.is_none());
            never_came && !self.papers.contains(*game_id)
        };
        if self.ended.is_some() {
            for (game_id, &index) in self.announced.iter().filter(is_due) {
                let detail = "it was announced and is not published";
                faults.push(leaf_fault(FaultKind::GameMissing, index, detail).of_game(*game_id));
            }
        }
    }
}

/// Reads the list of heads that a leaf names. Adds a fault and returns `None` if there is no such list.
fn read_heads(
    index: u64,
    games: u64,
    list: &[u8; 32],
    files: &ReadFile<'_>,
    faults: &mut Vec<SiteFault>,
) -> io::Result<Option<Vec<HeadInProgress>>> {
    let path = list_path(list);
    let bytes = files(&path, LIST_MAX)?;
    let detail = match bytes.as_deref() {
        None => "the list of heads is missing",
        Some(bytes) if <[u8; 32]>::from(Sha256::digest(bytes)) != *list => {
            "it is not the list of heads that the leaf names"
        }
        Some(bytes) => match parse_heads(bytes).filter(|heads| heads.len() as u64 == games) {
            None => "expected lines of id, records and head in the order of ids, as many as the leaf says",
            heads => return Ok(heads),
        },
    };
    faults.push(SiteFault::new(FaultKind::Heads, path, detail).at(index));
    Ok(None)
}

fn leaf_fault(kind: FaultKind, index: u64, detail: impl Into<String>) -> SiteFault {
    SiteFault::new(kind, "tile/entries", detail).at(index)
}

/// Returns whether more than the allowed minutes lie between two times.
fn is_over(from_ms: i64, to_ms: i64, limit: Option<u32>) -> bool {
    limit.is_some_and(|limit| to_ms.saturating_sub(from_ms) > i64::from(limit) * 60_000)
}

fn minutes(ms: i64) -> String {
    match ms / 60_000 {
        1 => "1 minute".into(),
        minutes => format!("{minutes} minutes"),
    }
}
