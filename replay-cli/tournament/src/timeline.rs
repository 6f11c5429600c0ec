//! The leaves of a tree read as a history: which games were announced, opened, played, closed and voided, and when.

mod boards;
mod due;

use crate::entry::GameEntry;
use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::files::ReadFile;
use crate::leaf::{HeadInProgress, LIST_MAX, Leaf, Milestone, OpenedGame, list_path, parse_heads};
use crate::policy::TreePolicy;
use crate::site::Site;
use crate::text::duration;
pub use boards::TimedBoard;
use canasta_engine::log::Head;
use canasta_engine::log::record::Genesis;
use due::{is_over, too_far};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

type GameId = [u8; 16];

/// The leaf that is read, with what it is held against and the faults found so far.
struct LeafReading<'a> {
    index: u64,
    files: &'a ReadFile<'a>,
    policy: Option<&'a TreePolicy>,
    faults: &'a mut Vec<SiteFault>,
}

impl LeafReading<'_> {
    fn find(&mut self, kind: FaultKind, detail: impl Into<String>) {
        self.faults.push(leaf_fault(kind, self.index, detail));
    }

    fn find_of(&mut self, game_id: GameId, kind: FaultKind, detail: impl Into<String>) {
        self.faults.push(leaf_fault(kind, self.index, detail).of_game(game_id));
    }
}

/// The history of a tournament.
#[derive(Clone, Default)]
pub struct Timeline {
    /// Number of leaves that have been read.
    leaves: usize,
    /// The announced games, with the indices of their leaves.
    pub announced: BTreeMap<GameId, u64>,
    pub games: BTreeMap<GameId, TimedGame>,
    /// The games of which the tree has a signed sheet in place of a log.
    pub papers: BTreeSet<GameId>,
    /// The indices of the signed sheets of each game that has a log.
    pub(crate) sheets: BTreeMap<GameId, Vec<u64>>,
    /// The boards that tables play, by id.
    pub boards: BTreeMap<GameId, TimedBoard>,
    /// The board whose cards each game has.
    on_board: BTreeMap<GameId, GameId>,
    /// Index of the leaf that ends the tournament.
    pub ended: Option<u64>,
    /// The games that were announced behind their opening or their result, with the indices of the announcements.
    pub announced_late: Vec<(u64, GameId)>,
    /// Index and reason of each leaf that says that what follows has faults.
    pub anyway: Vec<(u64, String)>,
    /// The latest time that the publisher claimed.
    pub latest_ms: Option<i64>,
    /// Time of the last list of heads, while games were in progress.
    heads_ms: Option<i64>,
    /// The games that were closed since the last leaf with a time.
    just_closed: Vec<GameId>,
}

#[derive(Clone, Default)]
pub struct TimedGame {
    /// The opening, with the index of its leaf.
    pub opened: Option<(u64, OpenedGame)>,
    /// The heads that were signed while the game was in progress, with the indices of their leaves. The last head is
    /// kept once, however often it was signed.
    pub heads: Vec<(u64, u64, Head)>,
    /// Index of the first leaf with a result.
    pub closed: Option<u64>,
    /// Number of records of the last log that was published with a result.
    pub published: u64,
    /// Index of the last leaf without a result: the log of a game in progress, published as a whole.
    pub unfinished: Option<u64>,
    /// Index of the leaf that voids the game, and the reason.
    pub void: Option<(u64, String)>,
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
    /// records are not looked for. `lacks` returns the number of the first of these records that the log does not have.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn contradicted_by(
        &self,
        genesis: Option<&Genesis>,
        up_to: u64,
        lacks: impl FnOnce(&[(u64, Head)]) -> io::Result<Option<u64>>,
    ) -> io::Result<Vec<String>> {
        let heads = self.heads.iter().filter(|(_, records, _)| *records <= up_to);
        let heads: Vec<(u64, Head)> = heads.map(|&(_, records, head)| (records - 1, head)).collect();
        let lacking = lacks(&heads)?
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

    /// Returns the number of records of the last head that was signed while the game was in progress.
    pub fn fixed(&self) -> u64 {
        self.heads.last().map_or(0, |&(_, records, _)| records)
    }

    /// Returns whether the log had cards dealt when the game was opened.
    pub fn is_late(&self) -> bool {
        self.opened.as_ref().is_some_and(|(_, opened)| opened.is_late())
    }

    fn has_begun(&self) -> bool {
        self.opened.is_some() || self.closed.is_some()
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
        timeline.read_on(site, files, policy, faults)?;
        timeline.finish(policy, faults);
        Ok(timeline)
    }

    /// Reads the leaves behind those that have been read. What is undone at the end is left to [`Timeline::finish`].
    pub(crate) fn read_on(
        &mut self,
        site: &Site,
        files: &ReadFile<'_>,
        policy: Option<&TreePolicy>,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<()> {
        for (index, leaf) in (0..).zip(&site.leaves).skip(self.leaves) {
            // The history is whole however many faults there are.
            faults.truncate(FAULTS_MAX);
            let reading = &mut LeafReading { index, files, policy, faults };
            match leaf {
                None => {}
                Some(Leaf::Game(entry)) => self.close(entry, reading),
                Some(Leaf::Milestone(milestone)) => {
                    self.pass(milestone.at_ms(), reading);
                    self.take(milestone, reading)?;
                }
            }
        }
        self.leaves = site.leaves.len();
        Ok(())
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
    fn pass(&mut self, at_ms: i64, leaf: &mut LeafReading<'_>) {
        if let Some(latest) = self.latest_ms.filter(|&latest| at_ms < latest) {
            let detail = format!("its time is {} ms before that of an earlier leaf", latest - at_ms);
            leaf.find(FaultKind::Time, detail);
        }
        self.latest_ms = self.latest_ms.max(Some(at_ms));
        let limit = leaf.policy.and_then(|policy| policy.close_within);
        self.check_boards(leaf.index, leaf.faults);
        for game_id in std::mem::take(&mut self.just_closed) {
            let opened = self.games.get(&game_id).and_then(|game| game.opened.as_ref());
            if let Some((_, opened)) = opened.filter(|(_, opened)| is_over(opened.at_ms, at_ms, limit)) {
                let late = duration(at_ms - opened.at_ms);
                let detail =
                    format!("it was closed {late} after its opening, later than the policy promises");
                leaf.find_of(game_id, FaultKind::Time, detail);
            }
        }
    }

    fn close(&mut self, entry: &GameEntry, leaf: &mut LeafReading<'_>) {
        let LeafReading { index, policy, .. } = *leaf;
        let must_open = self.has_openings() || policy.is_some_and(TreePolicy::must_open);
        let game_id = entry.game_id;
        let game = self.games.entry(game_id).or_default();
        let mut find = |kind, detail: &str| leaf.find_of(game_id, kind, detail);
        if entry.result.is_none() {
            game.unfinished = Some(index);
            return;
        }
        let jump = game.opened.as_ref().and_then(|_| too_far(policy, game.fixed(), entry.records));
        if let Some(jump) = jump.filter(|_| game.closed.is_none()) {
            find(FaultKind::Heads, &jump);
        }
        if game.opened.is_none() && must_open && game.closed.is_none() {
            find(FaultKind::NotFixed, "it has a result, and was not opened before");
        }
        if game.void.is_some() && game.closed.is_none() {
            find(FaultKind::GameTwice, "it has a result, and was voided before");
        }
        game.published = entry.records;
        if game.closed.is_none() {
            game.closed = Some(index);
            self.just_closed.push(game_id);
        }
    }

    fn take(&mut self, milestone: &Milestone, leaf: &mut LeafReading<'_>) -> io::Result<()> {
        let LeafReading { index, policy, .. } = *leaf;
        let may_follow = matches!(milestone, Milestone::Sheet { .. } | Milestone::Anyway { .. });
        if self.ended.is_some() && !may_follow {
            leaf.find(FaultKind::Time, "it stands behind the end of the tournament");
        }
        match milestone {
            Milestone::Tables { tables, .. } => {
                for table in tables {
                    let is_late = self.games.get(&table.game_id).is_some_and(TimedGame::has_begun);
                    self.announced_late.extend(is_late.then_some((index, table.game_id)));
                    self.announced.insert(table.game_id, index);
                }
            }
            Milestone::Open(opened) => self.open_game(opened, leaf),
            Milestone::Heads { at_ms, games, list } => {
                let Some(heads) = read_heads(*games, list, leaf)? else { return Ok(()) };
                self.take_heads(&heads, leaf);
                let limit = policy.and_then(|policy| policy.heads_every.seconds).map(i64::from);
                if let Some(before) = self.heads_ms {
                    let gap = at_ms.saturating_sub(before);
                    if limit.is_some_and(|limit| gap > limit * 1_000) {
                        let seconds = gap / 1_000;
                        let detail =
                            format!("no heads were signed for {seconds} s while games were in progress");
                        leaf.find(FaultKind::Time, detail);
                    }
                }
                self.heads_ms = (!heads.is_empty()).then_some(*at_ms);
            }
            Milestone::Void { game_id, reason, .. } => {
                let is_known = self.announced.contains_key(game_id);
                let game = self.games.entry(*game_id).or_default();
                let detail = match (game.closed, &game.void) {
                    (Some(_), _) => Some("it voids a game that has a result"),
                    (_, Some(_)) => Some("it voids a game that is void already"),
                    _ if is_known || game.is_open() => None,
                    _ => Some("it voids a game that is neither announced nor in progress"),
                };
                if let Some(detail) = detail {
                    leaf.find_of(*game_id, FaultKind::NotFixed, detail);
                }
                let most = policy.and_then(|policy| policy.voids_after).filter(|&most| game.fixed() > most);
                if let Some(most) = most {
                    let records = game.fixed();
                    let detail = format!(
                        "it was voided after {records} records, and the policy promises at most {most}"
                    );
                    leaf.find_of(*game_id, FaultKind::Promise, detail);
                }
                game.void = Some((index, reason.clone()));
            }
            Milestone::Sheet { note, .. } => self.take_sheet(index, note),
            Milestone::End { .. } => self.ended = Some(index),
            Milestone::Board(board) => self.take_board(board, leaf),
            Milestone::Reveal { board_id, secret, .. } => self.take_reveal(*board_id, *secret, leaf),
            Milestone::Anyway { reason, .. } => self.anyway.push((index, reason.clone())),
        }
        Ok(())
    }

    fn open_game(&mut self, opened: &OpenedGame, leaf: &mut LeafReading<'_>) {
        let LeafReading { index, policy, .. } = *leaf;
        let game_id = opened.game_id;
        let mut find = |kind, detail: &str| leaf.find_of(game_id, kind, detail);
        if !self.announced.is_empty() && !self.announced.contains_key(&game_id) {
            find(FaultKind::NotFixed, "it was opened, and is not among the announced games");
        }
        let game = self.games.entry(game_id).or_default();
        if game.has_begun() || game.void.is_some() {
            find(FaultKind::GameTwice, "it was opened, closed or voided before");
        }
        if policy.is_some_and(|policy| policy.opened_before.is_some()) && opened.is_late() {
            let records = opened.records;
            let detail = format!(
                "it was opened after {records} records, and the policy promises before the first card"
            );
            find(FaultKind::NotFixed, &detail);
        }
        if game.opened.is_none() {
            game.heads.push((index, opened.records, opened.head));
            game.opened = Some((index, opened.clone()));
        }
    }

    /// Takes a list of heads: each game in progress must be in it, no other, and no head may go back or too far.
    fn take_heads(&mut self, heads: &[HeadInProgress], leaf: &mut LeafReading<'_>) {
        let LeafReading { index, policy, .. } = *leaf;
        let mut find = |game_id, detail: &str| leaf.find_of(game_id, FaultKind::Heads, detail);
        let listed: BTreeMap<GameId, &HeadInProgress> = heads.iter().map(|of| (of.game_id, of)).collect();
        for (game_id, game) in &mut self.games {
            let is_open = game.is_open() && game.opened.is_some();
            match (listed.get(game_id), game.heads.last()) {
                (None, _) if is_open => find(*game_id, "it is in progress, and its head is not in the list"),
                (Some(of), Some(&(_, records, head))) if is_open => {
                    if of.records < records || of.records == records && of.head != head {
                        find(*game_id, "its head goes back, or is another than the one signed before");
                    } else if of.records > records {
                        if let Some(jump) = too_far(policy, records, of.records) {
                            find(*game_id, &jump);
                        }
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
}

/// Reads the list of heads that a leaf names. Adds a fault and returns `None` if there is no such list.
fn read_heads(
    games: u64,
    list: &[u8; 32],
    leaf: &mut LeafReading<'_>,
) -> io::Result<Option<Vec<HeadInProgress>>> {
    let path = list_path(list);
    let bytes = (leaf.files)(&path, LIST_MAX)?;
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
    leaf.faults.push(SiteFault::new(FaultKind::Heads, path, detail).at(leaf.index));
    Ok(None)
}

fn leaf_fault(kind: FaultKind, index: u64, detail: impl Into<String>) -> SiteFault {
    SiteFault::new(kind, "tile/entries", detail).at(index)
}
