//! Scoring against the field: each side's result on a board is compared with the results of the same side at all other
//! tables that played the board. docs/EVENT.md has the definitions.

use super::file::{FieldScale, Scoring, Worth};
use canasta_engine::rules::Rules;
use std::collections::BTreeMap;

/// The standard deviations of boards by preset; the head of the file says how they are made.
const DEVIATIONS: &str = include_str!("deviations.txt");
/// The least differences that are worth 1 to 24 IMPs in bridge (Laws of Duplicate Bridge 2017, Law 78B).
const BRIDGE: [i64; 24] = [
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1_100, 1_300, 1_500, 1_750, 2_000,
    2_250, 2_500, 3_000, 3_500, 4_000,
];
/// The least difference that is worth ten IMPs in bridge: there about a game that one table alone bid, here one standard
/// deviation.
const SWING: i64 = BRIDGE[9];

const AVERAGES: &str = "scoring.field: expected averages beside it, the figures of a side not at fault, of one without \
    another table, and of one at fault, such as [60, 50, 40]";
const DEVIATION: &str = "scoring.deviation: expected points from 1 with field = \"imps\", unless rule_set has a row in the \
    table (docs/EVENT.md)";
const UNFINISHED: &str = "scoring.unfinished: expected \"void\": a part of a game compares with no whole one";

/// The way in which the results of a board are compared.
pub struct FieldScoring {
    pub scale: FieldScale,
    /// The figures of a side that is not at fault, one without another table to compare with, and one at fault.
    pub averages: [i64; 3],
    /// The least differences that are worth 1 to 24 IMPs.
    pub imps: Option<[i64; 24]>,
}

/// The figure of a side on a board, and its reason.
pub struct FieldFigure {
    pub hundredths: i64,
    pub because: FigureReason,
}

pub enum FigureReason {
    /// The number of other tables, and how often each worth came of the comparisons; of differences no worths.
    Compared(usize, BTreeMap<i64, usize>),
    NothingToCompare,
    NotAtFault,
    AtFault,
    Decided,
}

/// The figures of an entry on all its boards.
#[derive(Clone, Copy, Default)]
pub struct FieldSum {
    pub hundredths: i64,
    pub boards: i64,
}

impl FieldFigure {
    /// Returns the number of the other tables that the figure comes from.
    pub fn tables(&self) -> Option<usize> {
        if let FigureReason::Compared(tables, _) = &self.because { Some(*tables) } else { None }
    }
}

impl FieldScoring {
    /// Returns the comparison that the file of an event asks for; `None` if it asks for none.
    ///
    /// # Errors
    /// The field that is missing or does not fit.
    pub fn of(scoring: &Scoring, rules: Option<&Rules>) -> Result<Option<Self>, &'static str> {
        let (Some(scale), Some(averages)) = (scoring.field, scoring.averages) else {
            let others = (scoring.field.is_some(), scoring.averages.is_some(), scoring.deviation.is_some());
            return if others == (false, false, false) { Ok(None) } else { Err(AVERAGES) };
        };
        let is_imps = scale == FieldScale::Imps;
        let of_rules = || rules.filter(|_| is_imps).and_then(deviation);
        let deviation = scoring.deviation.or_else(of_rules);
        let field = Self { scale, averages, imps: deviation.map(thresholds) };
        let checks = [
            (scoring.ranking.is_none(), "scoring.ranking: expected field or ranking, not both"),
            (scoring.unfinished == Worth::Void, UNFINISHED),
            (deviation.is_some() == is_imps && deviation.is_none_or(|of| of > 0), DEVIATION),
            (field.takes(&averages), "scoring.averages: expected percentages from 0 to 100"),
        ];
        let fault = checks.iter().find(|(holds, _)| !holds);
        fault.map_or(Ok(Some(field)), |(_, fault)| Err(fault))
    }

    /// Whether a decision may state these figures.
    pub fn takes(&self, figures: &[i64]) -> bool {
        self.scale != FieldScale::Matchpoints || figures.iter().all(|figure| (0..=100).contains(figure))
    }

    /// Returns the worth of a difference between two tables, in hundredths.
    fn worth(&self, difference: i64) -> i64 {
        match (self.scale, self.imps) {
            (FieldScale::Difference, _) => 100 * difference,
            (FieldScale::Matchpoints, _) => 5_000 * difference.signum(),
            (FieldScale::Imps, imps) => {
                let steps = imps.iter().flatten().filter(|least| **least <= difference.abs());
                100 * steps.count() as i64 * difference.signum()
            }
        }
    }

    /// Returns the figure of one of the results of a side on a board.
    pub fn figure(&self, results: &[i64], own: usize) -> FieldFigure {
        let (mut sum, mut worths) = (0, BTreeMap::new());
        for (_, other) in results.iter().enumerate().filter(|(other, _)| *other != own) {
            let worth = self.worth(results[own] - other);
            sum += worth;
            if self.scale != FieldScale::Difference {
                *worths.entry(worth).or_default() += 1;
            }
        }
        let tables = results.len() - 1;
        if tables == 0 {
            return FieldFigure {
                hundredths: 100 * self.averages[1],
                because: FigureReason::NothingToCompare,
            };
        }
        // Of 2 points for each other table, 50 % and what the comparisons bring.
        let half = if self.scale == FieldScale::Matchpoints { 5_000 } else { 0 };
        let hundredths = half + mean(sum, tables as i64);
        FieldFigure { hundredths, because: FigureReason::Compared(tables, worths) }
    }

    /// Returns the figure by which an entry is ranked: the sum over its boards, of percentages the mean.
    pub fn of_entry(&self, sum: FieldSum) -> i64 {
        match self.scale {
            FieldScale::Matchpoints => mean(sum.hundredths, sum.boards.max(1)),
            FieldScale::Difference | FieldScale::Imps => sum.hundredths,
        }
    }
}

/// Returns the mean, rounded to a whole number, halves away from zero: so two sides never gain together by rounding.
fn mean(sum: i64, count: i64) -> i64 {
    (2 * sum.abs() + count) / (2 * count) * sum.signum()
}

/// Returns the least differences that are worth 1 to 24 IMPs, multiples of five as scores are: those of bridge, on the scale
/// on which one standard deviation is worth ten IMPs.
fn thresholds(deviation: i64) -> [i64; 24] {
    BRIDGE.map(|least| ((2 * least * deviation + 5 * SWING) / (10 * SWING) * 5).max(5))
}

/// Returns the standard deviation of a board under these rules: that of one round of the preset whose knobs they have apart
/// from the number of rounds, times the root of the rounds.
fn deviation(rules: &Rules) -> Option<i64> {
    let set = rules.set();
    let mut preset = rules.base().rule_set();
    (preset.rounds, preset.target) = (set.rounds, 0);
    let name = rules.base().name();
    let mut row = DEVIATIONS.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(" 1 "));
    let of_round: i64 = row.next()?.split(' ').next_back()?.parse().ok()?;
    let is_board = set.rounds > 0 && *set == preset;
    is_board.then(|| (i64::from(set.rounds) * of_round * of_round).isqrt())
}

#[cfg(test)]
mod tests;
