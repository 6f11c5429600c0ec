//! The games of many logs: logs of one game are found, and the results of all games that count are ranked.
//!
//! A game is what has its id and its rule set, whatever else two logs say in their first records: an id is chosen once, and
//! two beginnings under one id contradict each other. What stands behind the end of a game (a ruling on an appeal, a checkpoint) makes
//! no other game, and the longer log counts. A branch has the id of a game and is none.
//!
//! Identities and results are kept by [`RecordSorter`], so that memory does not grow with the number of logs; that of the
//! standings grows with the number of teams.

use super::standings::{Ranking, TeamResult, TeamStanding, TeamTable};
use crate::shared::sorted::RecordSorter;
use canasta_engine::log::Head;
use serde::{Deserialize, Serialize};
use std::io;

/// Number of bytes of a game's key in hex, or of a digest of its play, and of a log's number behind either.
const KEY: usize = 32;
const NUMBER: usize = 8;

/// The games of all logs so far.
pub struct GameTable {
    /// Key of the game, number of the log, [`GameOfLog`].
    games: RecordSorter,
    limit: usize,
}

#[derive(Serialize, Deserialize)]
pub struct GameOfLog {
    pub path: String,
    /// SHA-256 of the first record.
    pub genesis: [u8; 32],
    pub records: u64,
    /// Heads of the record that ended the game and of those behind it.
    pub ends: Vec<Head>,
    pub has_findings: bool,
    /// Digest of walls and play, if a round was played.
    pub play: Option<[u8; KEY]>,
    /// Results of the sides or seats, if the game counts.
    pub entries: Vec<TeamResult>,
}

#[derive(Serialize, Deserialize)]
pub struct Twice {
    pub first: String,
    pub second: String,
    pub relation: LogRelation,
}

/// The relation between two logs of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogRelation {
    /// Both logs end the game in the same way; the longer one may have more behind the end.
    Same,
    /// One of the logs has not ended, or is damaged.
    Partial,
    /// The first records differ, or both logs are clean and part before the end, or in rulings behind it.
    Forked,
    /// The logs are of two games, by their ids, with the same cards and the same play.
    SamePlay,
}

/// The games of all logs, after the last log.
pub struct SettledGames {
    /// Number of the second log, [`Twice`].
    twice: RecordSorter,
    /// Number of pairs of logs of one game that contradict each other.
    pub forks: u64,
    /// Number of pairs of games with the same play.
    pub same_plays: u64,
    /// Number of games, and of files that are not logs of a game, that the standings leave out.
    pub left_out: u64,
    /// The standings, if they were asked for.
    pub standings: Option<Vec<TeamStanding>>,
    /// The promises of the policy that are not judged.
    pub not_judged: Vec<String>,
}

/// The log of a game that counts so far, and whether another log of the game differs: then neither log counts.
pub struct CountedGame {
    pub number: u64,
    log: GameOfLog,
    pub contested: bool,
}

impl GameTable {
    /// Returns a table without games. It takes about `limit` bytes of memory.
    pub fn new(limit: usize) -> Self {
        Self { games: RecordSorter::new(limit), limit }
    }

    /// Adds the log with this number. `key` is in hex, `game` the [`GameOfLog`] as JSON.
    pub fn add(&mut self, number: u64, key: &str, game: &str) -> io::Result<()> {
        self.games.push(&[key.as_bytes(), &number.to_be_bytes(), game.as_bytes()].concat())
    }

    /// Compares the logs of each game, and ranks the results of all games that count.
    pub fn settle(mut self, ranking: Option<Ranking>) -> io::Result<SettledGames> {
        let (mut twice, mut plays) = (RecordSorter::new(self.limit), RecordSorter::new(self.limit));
        let mut teams = TeamTable::default();
        let (mut forks, mut left_out) = (0, 0);
        let mut close = |game: CountedGame| -> io::Result<()> {
            left_out += u64::from(!game.counts());
            if let Some(play) = game.log.play {
                plays.push(&[&play[..], &game.number.to_be_bytes(), game.log.path.as_bytes()].concat())?;
            }
            if game.counts() && ranking.is_some() {
                game.log.entries.into_iter().for_each(|entry| teams.add(entry));
            }
            Ok(())
        };
        let mut put = |number: u64, pair: &Twice| {
            twice.push(&[&number.to_be_bytes()[..], &serde_json::to_vec(pair)?].concat())
        };
        let mut open: Option<([u8; KEY], CountedGame)> = None;
        for record in self.games.iter()? {
            let record = record?;
            let (id, number, log) = split(&record)?;
            let log: GameOfLog = serde_json::from_slice(log)?;
            match open.as_mut().filter(|(game, _)| *game == id) {
                Some((_, game)) => {
                    let pair = game.add(number, log);
                    forks += u64::from(pair.relation == LogRelation::Forked);
                    put(number, &pair)?;
                }
                None => {
                    if let Some((_, before)) = open.replace((id, CountedGame::new(number, log))) {
                        close(before)?;
                    }
                }
            }
        }
        if let Some((_, last)) = open {
            close(last)?;
        }
        let (mut before, mut same_plays) = (None::<([u8; KEY], String)>, 0);
        for record in plays.iter()? {
            let record = record?;
            let (play, number, path) = split(&record)?;
            let path = String::from_utf8_lossy(path).into_owned();
            match &before {
                Some((known, first)) if *known == play => {
                    let relation = LogRelation::SamePlay;
                    same_plays += 1;
                    put(number, &Twice { first: first.clone(), second: path, relation })?;
                }
                _ => before = Some((play, path)),
            }
        }
        let standings = ranking.map(|ranking| teams.rank(ranking));
        Ok(SettledGames { twice, forks, same_plays, left_out, standings, not_judged: Vec::new() })
    }
}

/// Splits a record into its key, the log's number and the rest.
fn split(record: &[u8]) -> io::Result<([u8; KEY], u64, &[u8])> {
    let short = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let (key, rest) = record.split_first_chunk().ok_or_else(short)?;
    let (number, rest) = rest.split_first_chunk().ok_or_else(short)?;
    Ok((*key, u64::from_be_bytes(*number), rest))
}

impl CountedGame {
    pub fn new(number: u64, log: GameOfLog) -> Self {
        Self { number, log, contested: false }
    }

    /// Whether the result of the game counts.
    pub fn counts(&self) -> bool {
        !self.contested && !self.log.entries.is_empty()
    }

    /// Compares the game with another log of it.
    pub fn add(&mut self, number: u64, second: GameOfLog) -> Twice {
        let relation = self.log.relation(&second);
        self.contested |= relation == LogRelation::Forked;
        let pair = Twice { first: self.log.path.clone(), second: second.path.clone(), relation };
        let worth = |log: &GameOfLog| (!log.entries.is_empty(), log.records);
        if !self.contested && worth(&second) > worth(&self.log) {
            (self.number, self.log) = (number, second);
        }
        pair
    }
}

impl GameOfLog {
    fn relation(&self, other: &Self) -> LogRelation {
        let common = self.ends.len().min(other.ends.len());
        if self.genesis != other.genesis {
            LogRelation::Forked
        } else if common == 0 || self.has_findings || other.has_findings {
            LogRelation::Partial
        } else if self.ends[..common] == other.ends[..common] {
            LogRelation::Same
        } else if self.ends[0] == other.ends[0] && self.entries == other.entries {
            // Each copy has remarks of its own behind the end.
            LogRelation::Same
        } else {
            LogRelation::Forked
        }
    }
}

impl SettledGames {
    /// Whether two logs are of one game.
    pub fn has_twice(&self) -> bool {
        self.twice.count() > self.same_plays
    }

    /// Returns the pairs of logs of one game, or with the same play, in the order of the second logs.
    pub fn twice(&mut self) -> io::Result<impl Iterator<Item = io::Result<Twice>>> {
        let pair = |record: Vec<u8>| Ok(serde_json::from_slice(&record[NUMBER..])?);
        Ok(self.twice.iter()?.map(move |record| record.and_then(pair)))
    }
}
