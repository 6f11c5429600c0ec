//! The standings after many games.

use crate::shared::sorted::{RecordSorter, SortedRecords};
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::Verdict;
use canasta_engine::rules::{Rules, ScoreUnit};
use canasta_engine::seat::{Seat, Unit};
use clap::ValueEnum;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io;

/// The order of the standings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Ranking {
    /// By the sum of the points of all games; if equal, by the better best game; then lots are drawn (TF-010)
    #[default]
    TotalPoints,
    /// By match points, two for a win and one for a draw; if equal, by the sum of the differences in points
    /// (TF-021)
    MatchPoints,
}

/// The result of one game for one side or seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TeamResult {
    /// Names of the players, sorted.
    pub team: Vec<String>,
    pub points: i64,
    /// Points minus the points of the best other side.
    pub difference: i64,
    pub outcome: TeamOutcome,
}

/// The outcome of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TeamOutcome {
    Won,
    Drawn,
    Lost,
}

/// One line of the standings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TeamStanding {
    /// Rank from 1; equal for teams that nothing separates.
    pub rank: u64,
    pub team: Vec<String>,
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    pub match_points: u64,
    pub points: i64,
    pub difference: i64,
    pub best: i64,
}

impl TeamResult {
    /// Returns the results of the sides of a game; none unless the game has ended and its verdict is CLEAN or
    /// RULED.
    pub fn of(report: &Report, rules: Option<&Rules>) -> Vec<Self> {
        let (Some(genesis), Some(result), Some(rules)) = (&report.genesis, report.result, rules) else {
            return Vec::new();
        };
        let (Verdict::Clean | Verdict::Ruled) = report.verdict else { return Vec::new() };
        let set = rules.set();
        let is_of = |seat: Seat, unit: u8| match set.score_unit {
            ScoreUnit::Seat => seat.0 == unit,
            ScoreUnit::Side => set.side_of(seat).0 == unit,
        };
        let players = report.seating.iter().filter_map(|player| genesis.players.get(player.index()));
        let seated = (0..).map(Seat).zip(players);
        let team = |unit: u8| {
            let members = seated.clone().filter(|&(seat, _)| is_of(seat, unit));
            let mut team: Vec<String> = members.map(|(_, player)| player.name.clone()).collect();
            team.sort();
            team
        };
        let best = report.totals.iter().max().copied();
        let entry = |unit: u8| {
            let others = (0..).zip(&report.totals).filter(|&(other, _)| other != unit);
            let points = report.totals[usize::from(unit)];
            Self {
                team: team(unit),
                points,
                difference: points - others.map(|(_, &total)| total).max().unwrap_or(points),
                outcome: match result.winner {
                    Some(Unit(winner)) if winner == unit => TeamOutcome::Won,
                    None if Some(points) == best => TeamOutcome::Drawn,
                    _ => TeamOutcome::Lost,
                },
            }
        };
        (0..report.totals.len() as u8).map(entry).collect()
    }
}

/// The results of all games that count, by team.
pub struct TeamTable {
    /// Key of the team, [`TeamResult`].
    results: RecordSorter,
    limit: usize,
}

/// The standings, best team first.
pub struct StandingsTable {
    /// Key of the ranking, key of the team, [`TeamStanding`].
    lines: SortedRecords,
    ranking: Ranking,
    /// Number of characters in the longest name of a team.
    pub name_width: usize,
}

impl TeamTable {
    /// Returns a table without results. It takes about `limit` bytes of memory.
    pub fn new(limit: usize) -> Self {
        Self { results: RecordSorter::new(limit), limit }
    }

    /// Adds the result of one game.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn add(&mut self, result: &TeamResult) -> io::Result<()> {
        self.results.push(&keyed(team_key(&result.team), result)?)
    }

    /// Ranks the teams.
    ///
    /// # Errors
    /// If a temporary file cannot be read or written.
    pub fn rank(self, ranking: Ranking) -> io::Result<StandingsTable> {
        let (mut lines, mut name_width) = (RecordSorter::new(self.limit), 0);
        let mut close = |line: TeamStanding| {
            name_width = name_width.max(line.name().chars().count());
            lines.push(&keyed([&line.key(ranking)[..], &team_key(&line.team)].concat(), &line)?)
        };
        let mut open: Option<TeamStanding> = None;
        for record in self.results.finish().iter()? {
            let result: TeamResult = value(&record?)?;
            if let Some(line) = open.take_if(|line| line.team != result.team) {
                close(line)?;
            }
            open.get_or_insert_with(|| TeamStanding::of(&result.team)).add(&result);
        }
        if let Some(line) = open {
            close(line)?;
        }
        Ok(StandingsTable { lines: lines.finish(), ranking, name_width })
    }
}

impl StandingsTable {
    /// Returns the standings, best team first.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn lines(&mut self) -> io::Result<impl Iterator<Item = io::Result<TeamStanding>>> {
        let ranking = self.ranking;
        let mut before: Option<([u8; RANKING_KEY], u64)> = None;
        let ranked = move |(place, record): (u64, io::Result<Vec<u8>>)| {
            let mut line: TeamStanding = value(&record?)?;
            let key = line.key(ranking);
            line.rank = before.filter(|(equal, _)| *equal == key).map_or(place, |(_, rank)| rank);
            before = Some((key, line.rank));
            Ok(line)
        };
        Ok((1..).zip(self.lines.iter()?).map(ranked))
    }
}

/// Number of bytes of the key of a ranking: two integers.
const RANKING_KEY: usize = 16;

/// Returns bytes that sort as the names of a team do. Each name is behind a one and before two zeros, and a zero ends the
/// team; a zero within a name is followed by a one.
fn team_key(team: &[String]) -> Vec<u8> {
    let mut key = Vec::new();
    for name in team {
        key.push(1);
        for &byte in name.as_bytes() {
            key.push(byte);
            key.extend((byte == 0).then_some(1));
        }
        key.extend([0, 0]);
    }
    key.push(0);
    key
}

/// Returns a record: a key, the value as JSON, and the length of the key.
fn keyed(mut key: Vec<u8>, value: &impl Serialize) -> io::Result<Vec<u8>> {
    let length = key.len() as u32;
    key.extend(serde_json::to_vec(value)?);
    key.extend(length.to_be_bytes());
    Ok(key)
}

fn value<T: DeserializeOwned>(record: &[u8]) -> io::Result<T> {
    let (rest, length) = record.split_last_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    let text = rest.get(u32::from_be_bytes(*length) as usize..).unwrap_or_default();
    Ok(serde_json::from_slice(text)?)
}

impl TeamStanding {
    fn of(team: &[String]) -> Self {
        Self {
            rank: 0,
            team: team.to_vec(),
            games: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            match_points: 0,
            points: 0,
            difference: 0,
            best: i64::MIN,
        }
    }

    fn add(&mut self, result: &TeamResult) {
        self.games += 1;
        self.won += u64::from(result.outcome == TeamOutcome::Won);
        self.drawn += u64::from(result.outcome == TeamOutcome::Drawn);
        self.lost += u64::from(result.outcome == TeamOutcome::Lost);
        self.match_points = 2 * self.won + self.drawn;
        self.points += result.points;
        self.difference += result.difference;
        self.best = self.best.max(result.points);
    }

    /// Returns bytes that sort better teams first.
    fn key(&self, ranking: Ranking) -> [u8; RANKING_KEY] {
        let (first, second) = match ranking {
            Ranking::TotalPoints => (self.points, self.best),
            Ranking::MatchPoints => (self.match_points as i64, self.difference),
        };
        // The highest number of all must sort first, as zeros.
        let descending = |number: i64| i64::MAX.abs_diff(number).to_be_bytes();
        let mut key = [0; RANKING_KEY];
        key[..8].copy_from_slice(&descending(first));
        key[8..].copy_from_slice(&descending(second));
        key
    }

    /// Returns the names of the team as one text.
    pub fn name(&self) -> String {
        self.team.join(" & ")
    }
}

#[cfg(test)]
mod tests;
