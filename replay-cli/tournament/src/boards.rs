//! Boards of duplicate play: the file with a board's secret, and whether the log of a table has the board's cards.

use crate::key_file;
use crate::log_file::{feed, rules_of};
use crate::timeline::TimedBoard;
use anyhow::Context;
use canasta_engine::deal::{Board, GameId, GameSecret};
use canasta_engine::hex::{hex, unhex};
use canasta_engine::log::record::{DealMode, Genesis, Reveal};
use canasta_engine::log::{Reader, Record};
use std::fs::File;
use std::io;
use std::path::Path;

/// The first word of a file with a board.
const FORMAT: &str = "canasta-board/1";

/// A board with the director's name for it, as a file holds it: `canasta-board/1 NAME ID SECRET`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedBoard {
    pub name: String,
    pub board: Board,
}

impl NamedBoard {
    /// Writes the board to a new file that only its owner can read.
    ///
    /// # Errors
    /// If the file exists already or cannot be written.
    pub fn write_new(&self, path: &Path) -> io::Result<()> {
        let Board { id, secret } = &self.board;
        key_file::write_secret(path, &format!("{FORMAT} {} {} {}", self.name, hex(&id.0), hex(&secret.0)))
    }

    /// Reads a board from a file that nobody else may read.
    ///
    /// # Errors
    /// If the file cannot be read, others can read it, or it holds no board.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = key_file::read_secret(path)?;
        let words: Vec<&str> = text.trim_end_matches('\n').split(' ').collect();
        let found = match words[..] {
            [FORMAT, name, id, secret] => unhex(id).zip(unhex(secret)).map(|(id, secret)| Self {
                name: name.to_owned(),
                board: Board { id: GameId(id), secret: GameSecret(secret) },
            }),
            _ => None,
        };
        found.with_context(|| {
            format!("{}: expected {FORMAT} NAME ID SECRET, as keygen --board writes it", path.display())
        })
    }
}

/// Returns where the log of a table has other cards than its board gives.
///
/// # Errors
/// If the log cannot be read.
pub fn differing(log: &Path, genesis: &Genesis, timed: &TimedBoard) -> io::Result<Vec<String>> {
    let Some(board) = &timed.revealed else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    if genesis.mode != DealMode::Explicit {
        return Ok(vec!["expected explicit deals, with the walls of its board".into()]);
    }
    let Some(rules) = rules_of(genesis) else { return Ok(found) };
    let table = GameId(genesis.game_id);
    let mut reader = Reader::new();
    feed(File::open(log)?, |mut chunk| {
        while let Ok(Some(frame)) = reader.next(&mut chunk) {
            let Ok(Record::RoundEnd(end)) = frame.record() else { continue };
            let (Reveal::Wall { cards, salt }, round, attempt) = (&end.reveal, end.round, end.attempt) else {
                continue;
            };
            let is_wall = board.wall(&rules, round, attempt).is_ok_and(|wall| wall == *cards);
            if !is_wall || board.salt(table, round, attempt).0 != *salt {
                let what = if is_wall { "salt" } else { "wall" };
                found.push(format!("the {what} of round {round} attempt {attempt} is not that of its board"));
            }
        }
        found.is_empty()
    })?;
    Ok(found)
}
