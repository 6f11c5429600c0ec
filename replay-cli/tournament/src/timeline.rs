//! The leaves of a tree read as a history: which games were announced, opened, played, closed and voided, and when.

mod boards;
mod due;
mod game;

use crate::entry::GameEntry;
use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::files::ReadFile;
use crate::leaf::{HeadInProgress, LIST_MAX, Leaf, Milestone, OpenedGame, list_path, parse_heads};
use crate::merkle::Hash;
use crate::policy::TreePolicy;
use crate::site::Leaves;
use crate::text::duration;
pub use boards::TimedBoard;
use due::{is_over, too_far};
pub use game::{TimedGame, TimedOpening, WatchedGame};
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
        self.faults.push(SiteFault::of_leaf(kind, self.index, detail));
    }

    fn find_of(&mut self, game_id: GameId, kind: FaultKind, detail: impl Into<String>) {
        self.faults.push(SiteFault::of_leaf(kind, self.index, detail).of_game(game_id));
    }
}

/// The history of a tournament. Of a game that is closed stays what is printed of it: about 200 bytes.
#[derive(Clone, Default)]
pub struct Timeline {
    /// Number of leaves that have been read.
    leaves: u64,
    /// Number of entries of games.
    pub(crate) entries: u64,
    /// The lists of heads that leaves name.
    pub(crate) lists: BTreeSet<Hash>,
    /// The times that leaves claim, in milliseconds since 1970, with the indices of the leaves.
    pub(crate) times: Vec<(u64, i64)>,
    /// The announced games, with the indices of their leaves.
    pub announced: BTreeMap<GameId, u64>,
    pub games: BTreeMap<GameId, TimedGame>,
    /// Whether a game was opened: then all others must be.
    has_openings: bool,
    /// The games of which the tree has a signed sheet in place of a log.
    pub papers: BTreeSet<GameId>,
    /// The indices of all signed sheets of games without a log.
    pub(crate) paper_leaves: Vec<u64>,
    /// The indices of the signed sheets of each game that has a log, with the entries that they are about: the last one
    /// before the sheet, or else the first.
    pub(crate) sheets: BTreeMap<GameId, Vec<(u64, Option<u64>)>>,
    /// The numbers of records of the entries that a later entry of their game goes on from.
    pub(crate) earlier: BTreeSet<(GameId, u64)>,
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
    /// The games that were opened, and have neither a result nor a void.
    in_progress: BTreeSet<GameId>,
}

impl Timeline {
    /// Reads the leaves of a site in their order, and adds what contradicts itself or the policy to `faults`.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn read(
        leaves: &Leaves<'_>,
        policy: Option<&TreePolicy>,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<Self> {
        let mut timeline = Self::default();
        timeline.read_on(leaves, policy, faults)?;
        timeline.finish(policy, faults);
        Ok(timeline)
    }

    /// Reads the leaves behind those that have been read. What is undone at the end is left to [`Timeline::finish`].
    pub(crate) fn read_on(
        &mut self,
        leaves: &Leaves<'_>,
        policy: Option<&TreePolicy>,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<()> {
        for leaf in leaves.from(self.leaves) {
            let (index, leaf) = leaf?;
            // The history is whole however many faults there are.
            faults.truncate(FAULTS_MAX);
            let reading = &mut LeafReading { index, files: leaves.files, policy, faults };
            match leaf {
                None => {}
                Some(Leaf::Game(entry)) => self.close(&entry, reading),
                Some(Leaf::Milestone(milestone)) => {
                    self.pass(milestone.at_ms(), reading);
                    self.take(&milestone, reading)?;
                }
            }
            self.leaves = index + 1;
        }
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

    /// Returns the facts that were signed of a game that has no result.
    pub(crate) fn watched(&self, game_id: &GameId) -> Option<&WatchedGame> {
        self.games.get(game_id)?.watched.as_deref()
    }

    /// Returns whether a game has several entries.
    pub(crate) fn is_repeated(&self, game_id: &GameId) -> bool {
        self.earlier.range((*game_id, 0)..=(*game_id, u64::MAX)).next().is_some()
    }

    /// Returns whether the tree has an entry of a game with so many records.
    pub(crate) fn has_entry(&self, game_id: &GameId, records: u64) -> bool {
        let last = self.games.get(game_id).and_then(|game| game.last);
        last.is_some_and(|(_, last)| last == records) || self.earlier.contains(&(*game_id, records))
    }

    /// Takes the time of a milestone, which is also the time of the games closed since the one before.
    fn pass(&mut self, at_ms: i64, leaf: &mut LeafReading<'_>) {
        if let Some(latest) = self.latest_ms.filter(|&latest| at_ms < latest) {
            let detail = format!("its time is {} ms before that of an earlier leaf", latest - at_ms);
            leaf.find(FaultKind::Time, detail);
        }
        self.latest_ms = self.latest_ms.max(Some(at_ms));
        self.times.push((leaf.index, at_ms));
        let limit = leaf.policy.and_then(|policy| policy.close_within);
        self.check_boards(leaf.index, leaf.faults);
        for game_id in std::mem::take(&mut self.just_closed) {
            let opened = self.games.get(&game_id).and_then(|game| game.opened.as_ref());
            if let Some(opened) = opened.filter(|opened| is_over(opened.at_ms, at_ms, limit)) {
                let late = duration(at_ms - opened.at_ms);
                let detail =
                    format!("it was closed {late} after its opening, later than the policy promises");
                leaf.find_of(game_id, FaultKind::Time, detail);
            }
        }
    }

    fn close(&mut self, entry: &GameEntry, leaf: &mut LeafReading<'_>) {
        let LeafReading { index, policy, .. } = *leaf;
        let must_open = self.has_openings || policy.is_some_and(TreePolicy::must_open);
        let game_id = entry.game_id;
        let game = self.games.entry(game_id).or_default();
        let mut find = |kind, detail: &str| leaf.find_of(game_id, kind, detail);
        self.entries += 1;
        let earlier = game.last.replace((index, entry.records));
        self.earlier.extend(earlier.map(|(_, records)| (game_id, records)));
        for (_, subject) in self.sheets.get_mut(&game_id).into_iter().flatten() {
            subject.get_or_insert(index);
        }
        // A further entry of a game with a result closes nothing.
        if entry.result.is_none() || game.closed.is_some() {
            return;
        }
        let jump = game.opened.as_ref().and_then(|_| too_far(policy, game.fixed(), entry.records));
        if let Some(jump) = jump {
            find(FaultKind::Heads, &jump);
        }
        if game.opened.is_none() && must_open {
            find(FaultKind::NotFixed, "it has a result, and was not opened before");
        }
        if game.void.is_some() {
            find(FaultKind::GameTwice, "it has a result, and was voided before");
        }
        game.closed = Some((index, entry.records));
        game.watched = None;
        self.in_progress.remove(&game_id);
        self.just_closed.push(game_id);
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
                self.lists.insert(*list);
                let heads = match read_heads(leaf.files, *games, list)? {
                    Ok(heads) => heads,
                    Err(detail) => {
                        let fault = SiteFault::new(FaultKind::Heads, list_path(list), detail);
                        leaf.faults.push(fault.at(index));
                        return Ok(());
                    }
                };
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
                game.void = Some(Box::new((index, reason.clone())));
                self.in_progress.remove(game_id);
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
            let (at_ms, records, label) = (opened.at_ms, opened.records, opened.label.as_str().into());
            self.has_openings = true;
            game.opened = Some(Box::new(TimedOpening { index, at_ms, records, label }));
            game.watched = Some(Box::new(WatchedGame::new(opened.clone())));
            self.in_progress.extend(game.is_open().then_some(game_id));
        }
    }

    /// Takes a list of heads: each game in progress must be in it, no other, and no head may go back or too far.
    fn take_heads(&mut self, heads: &[HeadInProgress], leaf: &mut LeafReading<'_>) {
        let LeafReading { index, policy, .. } = *leaf;
        let mut find = |game_id, detail: &str| leaf.find_of(game_id, FaultKind::Heads, detail);
        let listed: BTreeMap<GameId, &HeadInProgress> = heads.iter().map(|of| (of.game_id, of)).collect();
        let concerned: BTreeSet<GameId> = self.in_progress.iter().chain(listed.keys()).copied().collect();
        for game_id in concerned {
            let mut game = self.games.get_mut(&game_id);
            let known = game.is_some();
            let open = game.as_mut().filter(|game| game.is_open());
            let open = open.and_then(|game| Some((game.watched.as_mut()?, &mut game.fixed)));
            match (listed.get(&game_id), open) {
                (None, Some(_)) => find(game_id, "it is in progress, and its head is not in the list"),
                (Some(of), Some((watched, fixed))) => {
                    let (records, head) = watched.last();
                    if of.records < records || of.records == records && of.head != head {
                        find(game_id, "its head goes back, or is another than the one signed before");
                    } else if watched.take(of) {
                        if let Some(jump) = too_far(policy, records, of.records) {
                            find(game_id, &jump);
                        }
                        fixed.push((index, of.records));
                    }
                }
                (Some(_), None) if known => find(game_id, "its head is listed, and it is not in progress"),
                (Some(_), None) => find(game_id, "its head is listed, and it was never opened"),
                (None, None) => {}
            }
        }
    }
}

/// Reads the list of heads that a leaf names, or returns what is wrong with it.
pub(crate) fn read_heads(
    files: &ReadFile<'_>,
    games: u64,
    list: &Hash,
) -> io::Result<Result<Vec<HeadInProgress>, &'static str>> {
    let bytes = files(&list_path(list), LIST_MAX)?;
    Ok(match bytes.as_deref() {
        None => Err("the list of heads is missing"),
        Some(bytes) if Hash::from(Sha256::digest(bytes)) != *list => {
            Err("it is not the list of heads that the leaf names")
        }
        Some(bytes) => parse_heads(bytes)
            .filter(|heads| heads.len() as u64 == games)
            .ok_or("expected lines of id, records and head in the order of ids, as many as the leaf says"),
    })
}
