//! Standings: the sums of results, the ranks that follow, and why each tie was broken as it was. Audits of many logs and
//! tables of events have the same.

use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::Verdict;
use canasta_engine::rules::{RuleSet, Rules, ScoreUnit};
use canasta_engine::seat::{Seat, Unit};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The order of the standings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ranking {
    /// By the sum of the points of all games; if equal, by the better best game; then lots are drawn (TF-010)
    #[default]
    TotalPoints,
    /// By match points, two for a win and one for a draw; if equal, by the sum of the differences in points
    /// (TF-021)
    MatchPoints,
}

impl Ranking {
    /// Returns the sum that ranks, and those that break ties, unless the rules of an event name others.
    pub fn criteria(self) -> [Criterion; 2] {
        match self {
            Self::TotalPoints => [Criterion::Points, Criterion::Best],
            Self::MatchPoints => [Criterion::MatchPoints, Criterion::Difference],
        }
    }
}

/// A figure by which standings are ordered; the higher one is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    MatchPoints,
    Points,
    /// The sum of the differences in points.
    Difference,
    /// The points of the best game.
    Best,
    Won,
    /// The games of those who are equal against each other.
    Direct,
    /// The sums of all opponents.
    Opponents,
    /// The lots that were drawn.
    Lots,
    /// The comparisons with the other tables of the same boards, of events that have boards.
    Field,
}

/// The result of one game for one side or seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideResult {
    pub points: i64,
    /// Points minus the points of the best other side.
    pub difference: i64,
    pub outcome: TeamOutcome,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TeamResult {
    /// Names of the players, sorted.
    pub team: Vec<String>,
    pub result: SideResult,
}

/// The outcome of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TeamOutcome {
    Won,
    Drawn,
    Lost,
}

/// The match points of a game won, drawn and lost (TF-021).
pub const MATCH_POINTS: [i64; 3] = [2, 1, 0];

/// The sums of one team over all its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Totals {
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    pub match_points: i64,
    pub points: i64,
    pub difference: i64,
    pub best: i64,
}

impl Totals {
    /// The sums before the first game.
    pub const NONE: Self = Self {
        games: 0,
        won: 0,
        drawn: 0,
        lost: 0,
        match_points: 0,
        points: 0,
        difference: 0,
        best: i64::MIN,
    };

    /// Adds the result of a game that brings so many match points.
    pub fn add(&mut self, result: &SideResult, match_points: i64) {
        self.games += 1;
        match result.outcome {
            TeamOutcome::Won => self.won += 1,
            TeamOutcome::Drawn => self.drawn += 1,
            TeamOutcome::Lost => self.lost += 1,
        }
        self.match_points += match_points;
        self.points += result.points;
        self.difference += result.difference;
        self.best = self.best.max(result.points);
    }

    /// Returns the numbers of games, and of those won, drawn and lost, as tables show them.
    pub fn counts(&self) -> [String; 4] {
        [self.games, self.won, self.drawn, self.lost].map(|count| count.to_string())
    }

    /// Returns match points, points, difference and best game, as tables show them.
    pub fn figures(&self) -> [i64; 4] {
        [self.match_points, self.points, self.difference, self.best]
    }

    /// Returns the figure of a criterion; zero for one that other teams or lots decide.
    pub fn of(&self, criterion: Criterion) -> i64 {
        match criterion {
            Criterion::MatchPoints => self.match_points,
            Criterion::Points => self.points,
            Criterion::Difference => self.difference,
            Criterion::Best => self.best,
            Criterion::Won => self.won as i64,
            Criterion::Direct | Criterion::Opponents | Criterion::Lots | Criterion::Field => 0,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TeamStanding {
    /// Rank from 1; equal for teams that nothing separates.
    pub rank: u64,
    pub team: Vec<String>,
    #[serde(flatten)]
    pub totals: Totals,
}

/// Returns the results of the sides or seats of a game with these points, in their order. Nobody has won a game without
/// a `winner`: those with the most points have drawn.
pub fn results(points: &[i64], winner: Option<usize>) -> Vec<SideResult> {
    let best = points.iter().max().copied();
    let result = |(unit, &points_of): (usize, &i64)| {
        let others = points.iter().enumerate().filter(|(other, _)| *other != unit);
        SideResult {
            points: points_of,
            difference: points_of - others.map(|(_, &points)| points).max().unwrap_or(points_of),
            outcome: match winner {
                Some(winner) if winner == unit => TeamOutcome::Won,
                None if Some(points_of) == best => TeamOutcome::Drawn,
                _ => TeamOutcome::Lost,
            },
        }
    };
    points.iter().enumerate().map(result).collect()
}

/// Returns the names of the players who keep a total together, sorted, for each of the totals. `names` are by seat.
pub fn teams(set: &RuleSet, names: &[String]) -> Vec<Vec<String>> {
    let unit = |seat: Seat| match set.score_unit {
        ScoreUnit::Seat => seat.0,
        ScoreUnit::Side => set.side_of(seat).0,
    };
    let team = |number: u8| {
        let of_unit = (0..).map(Seat).zip(names).filter(|(seat, _)| unit(*seat) == number);
        let mut team: Vec<String> = of_unit.map(|(_, name)| name.clone()).collect();
        team.sort();
        team
    };
    (0..set.unit_count()).map(team).collect()
}

impl TeamResult {
    /// Returns the results of the sides of a game; none unless the game counts, has ended and its verdict is
    /// CLEAN or RULED.
    pub fn of(report: &Report, rules: Option<&Rules>) -> Vec<Self> {
        let (Some(result), Some(rules), Verdict::Clean | Verdict::Ruled, None) =
            (report.result, rules, report.verdict, report.uncounted())
        else {
            return Vec::new();
        };
        let results = results(&report.totals, result.winner.map(|Unit(winner)| winner.into()));
        let teams = teams(rules.set(), &seated(report)).into_iter();
        teams.zip(results).map(|(team, result)| Self { team, result }).collect()
    }
}

/// Returns the names of the players of a log by seat.
pub fn seated(report: &Report) -> Vec<String> {
    let Some(genesis) = &report.genesis else { return Vec::new() };
    let players = report.seating.iter().filter_map(|player| genesis.players.get(player.index()));
    players.map(|player| player.name.clone()).collect()
}

#[derive(Default)]
pub struct TeamTable(BTreeMap<Vec<String>, Totals>);

impl TeamTable {
    pub fn add(&mut self, TeamResult { team, result }: TeamResult) {
        let match_points = MATCH_POINTS[result.outcome as usize];
        self.0.entry(team).or_insert(Totals::NONE).add(&result, match_points);
    }

    /// Returns the standings, best team first.
    pub fn rank(self, ranking: Ranking) -> Vec<TeamStanding> {
        let teams: Vec<(Vec<String>, Totals)> = self.0.into_iter().collect();
        let figure = |team: usize, criterion, _: &[usize]| teams[team].1.of(criterion);
        let ranks = rank((0..teams.len()).collect(), &ranking.criteria(), &figure);
        let line = |&(rank, team): &(u64, usize)| {
            let (team, totals) = teams[team].clone();
            TeamStanding { rank, team, totals }
        };
        ranks.places.iter().map(line).collect()
    }
}

/// The ranks of teams or entries, which are known by numbers.
#[derive(Default)]
pub struct Ranks {
    /// Rank from 1 and number, best first; those that nothing separates share a rank.
    pub places: Vec<(u64, usize)>,
    pub ties: Vec<Tie>,
}

/// Teams or entries that are equal by the first figures.
pub struct Tie {
    /// Their numbers, with their figures of the criterion that separates some of them; best first.
    pub entries: Vec<(usize, i64)>,
    /// The figures that are equal.
    pub equal: Vec<(Criterion, i64)>,
    /// The criterion that separates them; `None` if lots must be drawn.
    pub by: Option<Criterion>,
}

/// Returns the figure of an entry by a criterion, among the entries that are equal so far.
type Figure<'a> = dyn Fn(usize, Criterion, &[usize]) -> i64 + 'a;

/// Ranks entries by criteria, the most important first.
pub fn rank(entries: Vec<usize>, criteria: &[Criterion], figure: &Figure<'_>) -> Ranks {
    let mut ranks = Ranks::default();
    ranks.split(&entries, &[], criteria, figure);
    ranks
}

impl Ranks {
    /// Ranks a group, which is equal so far, behind all entries that have a rank.
    fn split(
        &mut self,
        group: &[usize],
        equal: &[(Criterion, i64)],
        criteria: &[Criterion],
        figure: &Figure<'_>,
    ) {
        let Some((&by, rest)) = criteria.split_first().filter(|_| group.len() > 1) else {
            let rank = self.places.len() as u64 + 1;
            self.places.extend(group.iter().map(|&entry| (rank, entry)));
            if group.len() > 1 {
                let entries = group.iter().map(|&entry| (entry, 0)).collect();
                self.ties.push(Tie { entries, equal: equal.to_vec(), by: None });
            }
            return;
        };
        let of = |&entry: &usize| (entry, figure(entry, by, group));
        let mut figures: Vec<(usize, i64)> = group.iter().map(of).collect();
        figures.sort_by_key(|(_, figure)| Reverse(*figure));
        if !equal.is_empty() && figures[0].1 != figures[figures.len() - 1].1 {
            let (entries, equal, by) = (figures.clone(), equal.to_vec(), Some(by));
            self.ties.push(Tie { entries, equal, by });
        }
        for same in figures.chunk_by(|(_, one), (_, other)| one == other) {
            let entries: Vec<usize> = same.iter().map(|(entry, _)| *entry).collect();
            self.split(&entries, &[equal, &[(by, same[0].1)]].concat(), rest, figure);
        }
    }
}

#[cfg(test)]
mod tests;
