//! Boards of duplicate play in the history: committed to before play, and shown when their last table has finished.

use super::{GameId, LeafReading, Timeline};
use crate::fault::{FaultKind, SiteFault};
use crate::leaf::{AnnouncedBoard, Leaf, Milestone};
use crate::paper::{self, PaperSheet, PublishedPaper};
use crate::policy::TournamentPolicy;
use crate::sheet::{self, SignedSheet};
use crate::site::Leaves;
use canasta_engine::deal::{Board, GameId as BoardId, GameSecret};
use canasta_engine::hex::hex;
use std::io;

/// A board, as the leaves tell.
#[derive(Clone, Debug)]
pub struct TimedBoard {
    /// The board, with the index of its leaf.
    pub announced: (u64, AnnouncedBoard),
    /// The secret, once it is shown.
    pub revealed: Option<Board>,
}

impl TimedBoard {
    /// Returns the ids of the games that have its cards.
    pub fn games(&self) -> impl Iterator<Item = &GameId> {
        self.announced.1.tables.iter().map(|table| &table.game_id)
    }
}

impl Timeline {
    /// Takes the signed sheet of a game with a log, or without one.
    pub(super) fn take_sheet(&mut self, index: u64, note: &str) {
        self.papers.extend(paper::game_of(note));
        self.paper_leaves.extend(PaperSheet::is_one(note).then_some(index));
        if let Some(game_id) = sheet::game_of(note) {
            let before = self.last_entry(&game_id);
            self.sheets.entry(game_id).or_default().push((index, before));
        }
    }

    /// Returns the signed sheets about an entry of a game, with the indices of their leaves.
    ///
    /// # Errors
    /// If the disk fails.
    pub(crate) fn sheets_about(
        &self,
        leaves: &Leaves<'_>,
        (entry, game_id): (u64, &GameId),
    ) -> io::Result<Vec<(u64, SignedSheet)>> {
        let sheets = self.sheets.get(game_id).into_iter().flatten();
        let mut found = Vec::new();
        for &(index, _) in sheets.filter(|(_, subject)| *subject == Some(entry)) {
            if let Some(Leaf::Milestone(Milestone::Sheet { note, .. })) = leaves.get(index)? {
                found.extend(SignedSheet::parse(note).ok().map(|sheet| (index, sheet)));
            }
        }
        Ok(found)
    }

    /// Checks the signed sheets of games without a log, as [`paper::check`] does.
    pub(crate) fn check_papers(
        &self,
        leaves: &Leaves<'_>,
        policy: Option<&TournamentPolicy>,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<Vec<PublishedPaper>> {
        paper::check(leaves, &self.paper_leaves, &|id| self.last_entry(id), policy, faults)
    }

    /// Returns the index of the last entry of a game.
    pub(crate) fn last_entry(&self, game_id: &GameId) -> Option<u64> {
        self.games.get(game_id)?.last.map(|(index, _)| index)
    }

    /// Returns the board whose cards a game has.
    pub fn board_of(&self, game_id: &GameId) -> Option<&TimedBoard> {
        self.boards.get(self.on_board.get(game_id)?)
    }

    /// Returns whether a game has a result, signed or by its log, or is void.
    pub fn is_over(&self, game_id: &GameId) -> bool {
        let game = self.games.get(game_id);
        self.papers.contains(game_id) || game.is_some_and(|game| game.closed.is_some() || game.void.is_some())
    }

    pub(super) fn take_board(&mut self, board: &AnnouncedBoard, leaf: &mut LeafReading<'_>) {
        let index = leaf.index;
        let mut find = |detail: String| leaf.find(FaultKind::Board, detail);
        for table in &board.tables {
            let (id, name) = (&table.game_id, hex(&table.game_id));
            if self.board_of(id).is_some() {
                find(format!("game {name} has the cards of another board already"));
            }
            if self.games.get(id).is_some_and(super::TimedGame::has_begun) {
                find(format!("game {name} had begun before the board was committed to"));
            }
            self.announced.insert(*id, index);
            self.on_board.entry(*id).or_insert(board.board_id);
        }
        let timed = TimedBoard { announced: (index, board.clone()), revealed: None };
        if self.boards.insert(board.board_id, timed).is_some() {
            find("the board was committed to before".into());
        }
    }

    pub(super) fn take_reveal(&mut self, id: GameId, secret: [u8; 64], leaf: &mut LeafReading<'_>) {
        let mut find = |detail: &str| leaf.find(FaultKind::Board, detail);
        let Some(timed) = self.boards.get(&id) else {
            return find("it shows the secret of a board that was never committed to");
        };
        let board = Board { id: BoardId(id), secret: GameSecret(secret) };
        if board.commitment().0 != timed.announced.1.commitment {
            return find("the secret is not the one that the board was committed to");
        }
        if timed.games().any(|game| !self.is_over(game)) {
            find("the secret is shown before every table of the board has finished");
        }
        if let Some(timed) = self.boards.get_mut(&id) {
            timed.revealed = Some(board);
        }
    }

    /// Finds logs that were published, and show the walls of their board, while another table played it.
    pub(super) fn check_boards(&self, index: u64, faults: &mut Vec<SiteFault>) {
        for game_id in &self.just_closed {
            let board = self.board_of(game_id);
            let open = board.and_then(|board| board.games().find(|game| !self.is_over(game)));
            if let Some(open) = open {
                let detail =
                    format!("its log shows the walls of a board that game {} had not finished", hex(open));
                faults.push(SiteFault::of_leaf(FaultKind::Board, index, detail).of_game(*game_id));
            }
        }
    }
}
