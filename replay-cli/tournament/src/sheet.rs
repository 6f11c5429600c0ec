//! Score sheets that players sign: the totals of a game, as everybody at the table saw them.

use crate::fault::{FaultKind, SiteFault};
use crate::files::read_text;
use crate::note::{self, NoteSigner};
use anyhow::Context;
use canasta_engine::hex::{hex, unhex};
use canasta_engine::log::audit::{Report, playable};
use canasta_engine::log::record::Genesis;
use canasta_engine::rules::RuleSet;
use canasta_engine::seat::Seat;
use std::path::Path;

/// The first line of a sheet.
const FORMAT: &str = "canasta-sheet/1";
/// Maximum size of a sheet of either kind with its signatures, in bytes: as JSON it always fits an entry of the tree.
pub(crate) const BYTES_MAX: usize = 1 << 14;

/// A score sheet: a signed note of five lines: `canasta-sheet/1`, the game's id, the number of rounds, the totals by side
/// (or by seat where seats score) separated by blanks, and the number of the winner, `draw`, or `open` before the end.
/// Players sign it with the keys that the genesis record has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedSheet {
    pub note: String,
    pub game_id: [u8; 16],
}

/// Returns the text that players sign for an audited log; `None` if it has no game.
pub fn body(report: &Report) -> Option<String> {
    let genesis = report.genesis.as_ref()?;
    let totals: Vec<String> = report.totals.iter().map(ToString::to_string).collect();
    let winner = match report.result {
        None => "open".to_owned(),
        Some(result) => result.winner.map_or("draw".to_owned(), |unit| unit.0.to_string()),
    };
    let (id, rounds) = (hex(&genesis.game_id), report.rounds);
    Some(format!("{FORMAT}\n{id}\n{rounds}\n{}\n{winner}\n", totals.join(" ")))
}

/// Reads a file with a signed sheet of either kind.
///
/// # Errors
/// If the file cannot be read, or is too long.
pub fn read_note(file: &Path) -> anyhow::Result<String> {
    read_text(file, BYTES_MAX as u64)
}

impl SignedSheet {
    /// Reads a sheet from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a sheet.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        Self::parse(read_note(file)?).with_context(|| file.display().to_string())
    }

    /// Parses a sheet. Signatures are not verified.
    ///
    /// # Errors
    /// If the note is not a sheet.
    pub fn parse(note: String) -> anyhow::Result<Self> {
        let game_id = game_of(&note).context("expected a score sheet signed by players")?;
        Ok(Self { note, game_id })
    }

    /// Adds a signature to the sheet.
    #[must_use]
    pub fn signed_by(mut self, signer: &NoteSigner) -> Self {
        self.note = note::signed_also(&self.note, signer);
        self
    }

    /// Returns which players have signed the sheet, by their place in the genesis record.
    pub fn signers(&self, genesis: &Genesis) -> Vec<usize> {
        let has_signed = |key: &[u8; 32]| note::is_signed_by_key(&self.note, key);
        let players = genesis.players.iter().enumerate();
        players
            .filter(|(_, player)| player.key.as_ref().is_some_and(has_signed))
            .map(|(place, _)| place)
            .collect()
    }
}

/// Checks sheets against the audited log of their game: the totals, and that a player of each side has signed.
pub fn check(sheets: &[(u64, SignedSheet)], report: &Report, faults: &mut Vec<SiteFault>) {
    let (Some(genesis), Some(text)) = (&report.genesis, body(report)) else { return };
    for (index, sheet) in sheets.iter().filter(|(_, sheet)| sheet.game_id == genesis.game_id) {
        let mut find = |detail: &str| {
            faults.push(SiteFault::of_leaf(FaultKind::Sheet, *index, detail).of_game(genesis.game_id));
        };
        if note::split(&sheet.note).is_none_or(|(signed, _)| signed != text) {
            find("it has other rounds, totals or another winner than the log");
        }
        let signers = sheet.signers(genesis);
        let has_signed = |seat: Seat| {
            let player = report.seating.get(seat.index()).unwrap_or(&seat);
            signers.contains(&player.index())
        };
        if !playable(genesis).is_ok_and(|rules| is_signed_by_all_sides(rules.set(), has_signed)) {
            find("expected the signature of a player of each side, with a key of the log");
        }
    }
}

/// Returns the id of the game that a note is the signed sheet of; `None` if it is no sheet.
pub(crate) fn game_of(note: &str) -> Option<[u8; 16]> {
    let (text, signatures) = note::split(note)?;
    let mut lines = text.lines();
    let is_sheet = lines.next() == Some(FORMAT) && !signatures.is_empty();
    unhex(lines.next()?).filter(|_| is_sheet)
}

/// Returns whether a seat of each side has signed.
pub fn is_signed_by_all_sides(set: &RuleSet, has_signed: impl Fn(Seat) -> bool) -> bool {
    let seats = || (0..set.seats).map(Seat);
    let side = |seat| set.side_of(seat);
    seats().all(|seat| seats().any(|other| side(other) == side(seat) && has_signed(other)))
}
