//! The games of many logs: logs of one game are found, and the results of all games that count are ranked.
//!
//! Identities, names and results are kept by [`RecordSorter`], so that memory does not grow with the number of logs.

use super::standings::{Ranking, StandingsTable, TeamResult, TeamTable};
use crate::sorted::{RecordSorter, SortedRecords};
use canasta_engine::log::Head;
use serde::{Deserialize, Serialize};
use std::io;

/// Number of bytes of a game's identity, and of a log's number behind it.
const IDENTITY: usize = 32;
const NUMBER: usize = 8;

/// The games of all logs so far.
pub struct GameTable {
    /// Identity of the game, number of the log, [`GameOfLog`].
    games: RecordSorter,
    limit: usize,
}

/// The game of one log.
#[derive(Serialize, Deserialize)]
pub struct GameOfLog {
    pub path: String,
    /// Head of the record that ended the game.
    pub end: Option<Head>,
    pub has_findings: bool,
    /// Results of the sides or seats, if the game counts.
    pub entries: Vec<TeamResult>,
}

/// Two logs of one game.
#[derive(Serialize, Deserialize)]
pub struct Twice {
    pub first: String,
    pub second: String,
    pub relation: LogRelation,
}

/// The relation between two logs of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LogRelation {
    /// Both logs end the game in the same way.
    Same,
    /// One of the logs has not ended, or is damaged.
    Partial,
    /// Both logs are clean, and they differ.
    Forked,
}

/// The games of all logs, after the last log.
pub struct SettledGames {
    /// Number of the second log, [`Twice`].
    twice: SortedRecords,
    /// Number of pairs of clean logs of one game that differ.
    pub forks: u64,
    /// Number of games, and of files that are not logs of a game, that the standings leave out.
    pub left_out: u64,
    /// The standings, if they were asked for.
    pub standings: Option<StandingsTable>,
}

/// The log of a game that counts so far, and whether another log of the game differs: then neither log counts.
struct CountedGame {
    log: GameOfLog,
    contested: bool,
}

impl GameTable {
    /// Returns a table without games. It takes about `limit` bytes of memory.
    pub fn new(limit: usize) -> Self {
        Self { games: RecordSorter::new(limit), limit }
    }

    /// Adds the log with this number. `game` is the [`GameOfLog`] as JSON.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn add(&mut self, number: u64, identity: &[u8; IDENTITY], game: &[u8]) -> io::Result<()> {
        self.games.push(&[identity, &number.to_be_bytes()[..], game].concat())
    }

    /// Compares the logs of each game, and ranks the results of all games that count.
    ///
    /// # Errors
    /// If a temporary file cannot be read or written.
    pub fn settle(self, ranking: Option<Ranking>) -> io::Result<SettledGames> {
        let mut twice = RecordSorter::new(self.limit);
        let mut teams = ranking.map(|_| TeamTable::new(self.limit));
        let (mut forks, mut left_out) = (0, 0);
        let mut close = |game: CountedGame| -> io::Result<()> {
            let counts = !game.contested && !game.log.entries.is_empty();
            left_out += u64::from(!counts);
            match &mut teams {
                Some(teams) if counts => game.log.entries.iter().try_for_each(|entry| teams.add(entry)),
                _ => Ok(()),
            }
        };
        let mut open: Option<([u8; IDENTITY], CountedGame)> = None;
        for record in self.games.finish().iter()? {
            let record = record?;
            let (identity, number, log) = split(&record)?;
            match open.as_mut().filter(|(game, _)| *game == identity) {
                Some((_, game)) => {
                    let pair = game.add(log);
                    forks += u64::from(pair.relation == LogRelation::Forked);
                    twice.push(&[&number[..], &serde_json::to_vec(&pair)?].concat())?;
                }
                None => {
                    let game = CountedGame { log, contested: false };
                    if let Some((_, before)) = open.replace((identity, game)) {
                        close(before)?;
                    }
                }
            }
        }
        if let Some((_, last)) = open {
            close(last)?;
        }
        let standings = teams.zip(ranking).map(|(teams, ranking)| teams.rank(ranking)).transpose()?;
        Ok(SettledGames { twice: twice.finish(), forks, left_out, standings })
    }
}

/// Splits a record of a [`GameTable`] into the game's identity, the log's number and the game of the log.
fn split(record: &[u8]) -> io::Result<([u8; IDENTITY], [u8; NUMBER], GameOfLog)> {
    let short = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let (identity, rest) = record.split_first_chunk().ok_or_else(short)?;
    let (number, text) = rest.split_first_chunk().ok_or_else(short)?;
    Ok((*identity, *number, serde_json::from_slice(text)?))
}

impl CountedGame {
    /// Compares the game with another log of it.
    fn add(&mut self, second: GameOfLog) -> Twice {
        let relation = self.log.relation(&second);
        self.contested |= relation == LogRelation::Forked;
        let pair = Twice { first: self.log.path.clone(), second: second.path.clone(), relation };
        if self.log.entries.is_empty() && !self.contested {
            self.log = second;
        }
        pair
    }
}

impl GameOfLog {
    fn relation(&self, other: &Self) -> LogRelation {
        if self.end.is_none() || other.end.is_none() || self.has_findings || other.has_findings {
            LogRelation::Partial
        } else if (self.end, &self.entries) == (other.end, &other.entries) {
            LogRelation::Same
        } else {
            LogRelation::Forked
        }
    }
}

impl LogRelation {
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Partial => "partial",
            Self::Forked => "forked",
        }
    }
}

impl SettledGames {
    /// Whether two logs are of one game.
    pub fn has_twice(&self) -> bool {
        self.twice.count() > 0
    }

    /// Returns the pairs of logs of one game, in the order of the second logs.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn twice(&mut self) -> io::Result<impl Iterator<Item = io::Result<Twice>>> {
        let pair = |record: Vec<u8>| Ok(serde_json::from_slice(&record[NUMBER..])?);
        Ok(self.twice.iter()?.map(move |record| record.and_then(pair)))
    }
}
