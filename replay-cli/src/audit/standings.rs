//! The standings after many games.

use crate::text::PlayerNames;
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::Verdict;
use canasta_engine::rules::{RuleSet, ScoreUnit};
use canasta_engine::seat::Unit;
use clap::ValueEnum;
use std::cmp::Reverse;
use std::collections::BTreeMap;

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamResult {
    /// Names of the players, sorted.
    pub team: Vec<String>,
    pub points: i64,
    /// Points minus the points of the best other side.
    pub difference: i64,
    pub outcome: TeamOutcome,
}

/// The outcome of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TeamOutcome {
    Won,
    Drawn,
    Lost,
}

/// One line of the standings.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    pub fn of(report: &Report) -> Vec<Self> {
        let (Some(genesis), Some(result)) = (&report.genesis, report.result) else { return Vec::new() };
        let (Verdict::Clean | Verdict::Ruled, Ok(set)) =
            (report.verdict, RuleSet::from_canonical(&genesis.rule_set))
        else {
            return Vec::new();
        };
        let names = PlayerNames::of(genesis).seated(&report.seating, None);
        let team = |unit: u8| {
            let mut team: Vec<String> = names
                .seats()
                .filter(|&seat| match set.score_unit {
                    ScoreUnit::Seat => seat.0 == unit,
                    ScoreUnit::Side => set.side_of(seat).0 == unit,
                })
                .map(|seat| names.seat(seat))
                .collect();
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

/// Returns the standings, best team first.
pub fn rank<'e>(entries: impl Iterator<Item = &'e TeamResult>, ranking: Ranking) -> Vec<TeamStanding> {
    let mut teams: BTreeMap<&[String], TeamStanding> = BTreeMap::new();
    for entry in entries {
        let line = teams.entry(&entry.team).or_insert_with(|| TeamStanding::of(&entry.team));
        line.games += 1;
        line.won += u64::from(entry.outcome == TeamOutcome::Won);
        line.drawn += u64::from(entry.outcome == TeamOutcome::Drawn);
        line.lost += u64::from(entry.outcome == TeamOutcome::Lost);
        line.match_points = 2 * line.won + line.drawn;
        line.points += entry.points;
        line.difference += entry.difference;
        line.best = line.best.max(entry.points);
    }
    let key = |line: &TeamStanding| match ranking {
        Ranking::TotalPoints => Reverse((line.points, line.best)),
        Ranking::MatchPoints => Reverse((line.match_points as i64, line.difference)),
    };
    let mut lines: Vec<TeamStanding> = teams.into_values().collect();
    lines.sort_by_key(key);
    for place in 0..lines.len() {
        let equal = place > 0 && key(&lines[place]) == key(&lines[place - 1]);
        lines[place].rank = if equal { lines[place - 1].rank } else { place as u64 + 1 };
    }
    lines
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

    /// Returns the names of the team as one text.
    pub fn name(&self) -> String {
        self.team.join(" & ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the results of one game of two sides.
    fn game([(a, of_a), (b, of_b)]: [(&str, i64); 2]) -> [TeamResult; 2] {
        [(a, of_a, of_b), (b, of_b, of_a)].map(|(team, points, others)| TeamResult {
            team: vec![team.into()],
            points,
            difference: points - others,
            outcome: match points.cmp(&others) {
                std::cmp::Ordering::Greater => TeamOutcome::Won,
                std::cmp::Ordering::Equal => TeamOutcome::Drawn,
                std::cmp::Ordering::Less => TeamOutcome::Lost,
            },
        })
    }

    fn ranks(lines: &[TeamStanding]) -> Vec<(u64, String)> {
        lines.iter().map(|line| (line.rank, line.name())).collect()
    }

    /// Computes the standing of the rulebook's example (NVSO): N1 +2345, -180, +5120 = 7285; E3 +3010, +2400, +1900 =
    /// 7310.
    #[test]
    fn total_points_as_in_the_rulebook() {
        let games = [
            game([("N1", 2345), ("E1", 0)]),
            game([("N1", -180), ("E2", 0)]),
            game([("N1", 5120), ("E4", 0)]),
            game([("E3", 3010), ("N2", 0)]),
            game([("E3", 2400), ("N3", 0)]),
            game([("E3", 1900), ("N4", 0)]),
        ]
        .concat();
        let lines = rank(games.iter(), Ranking::TotalPoints);
        assert_eq!(ranks(&lines[..2]), [(1, "E3".into()), (2, "N1".into())]);
        assert_eq!((lines[0].points, lines[1].points), (7310, 7285));
    }

    /// Checks that of equal totals the one with the higher best game ranks first, and that nothing else separates
    /// them (lots are drawn).
    #[test]
    fn equal_totals_go_to_the_better_best_game() {
        let games = [
            game([("A", 100), ("X", 0)]),
            game([("A", 300), ("X", 0)]),
            game([("B", 150), ("Y", 0)]),
            game([("B", 250), ("Y", 0)]),
            game([("C", 300), ("Z", 0)]),
            game([("C", 100), ("Z", 0)]),
        ]
        .concat();
        let lines = rank(games.iter(), Ranking::TotalPoints);
        assert_eq!(ranks(&lines[..3]), [(1, "A".into()), (1, "C".into()), (3, "B".into())]);
    }

    /// Computes the standing of the rulebook's example (Finland): 5340-4100 gives 2 match points and +1240 to the
    /// winner, 0 and -1240 to the loser; a draw 5100-5100 gives 1 match point and 0 to both.
    #[test]
    fn match_points_as_in_the_rulebook() {
        let games = [game([("A", 5340), ("B", 4100)]), game([("C", 5100), ("D", 5100)])].concat();
        let lines = rank(games.iter(), Ranking::MatchPoints);
        let found: Vec<_> =
            lines.iter().map(|line| (line.rank, line.name(), line.match_points, line.difference)).collect();
        let expected = [(1, "A", 2, 1240), (2, "C", 1, 0), (2, "D", 1, 0), (4, "B", 0, -1240)];
        assert_eq!(found, expected.map(|(rank, name, mp, diff)| (rank, name.to_owned(), mp, diff)));
    }
}
