//! Counts a score sheet again that has no actions: sums, bonuses, minimums, the end of the game and its winner.

use canasta_engine::log::record::{EndReason, Score, ScoreLine};
use canasta_engine::notation::{Names, rulings};
use canasta_engine::rules::{InitialKey, RuleSet};
use canasta_engine::scoring::{GameResult, Item, result};
use canasta_engine::text::{ScoreText, ScoreTextRound};
use serde::Serialize;
use std::collections::BTreeSet;

/// The verdict on a sheet without actions, whatever is wrong with it.
pub const VERDICT: &str = "SCORES_ONLY";
/// Maximum absolute total of a side, in points.
const TOTAL_MAX: i64 = 1_000_000;
/// Maximum number of canastas per round: six packs of 54 cards, seven cards each.
const CANASTAS_MAX: u16 = 46;

/// The result of counting a sheet again.
pub struct CountedScores {
    /// The rounds that count.
    pub rounds: Vec<CountedRound>,
    /// The totals by side, or by seat where seats score.
    pub totals: Vec<i64>,
    /// The result, if the game is over.
    pub result: Option<GameResult>,
    /// The lines that do not hold, in their order.
    pub faults: Vec<SheetFault>,
}

/// A round of a sheet: by side, or by seat where seats score.
#[derive(Serialize)]
pub struct CountedRound {
    /// Number of the round, from 1.
    pub round: u16,
    /// The points that each needed for its initial meld, from the scores before.
    pub minimums: Vec<i32>,
    /// The points of the round.
    pub points: Vec<i64>,
    /// The points of all rounds so far.
    pub cumulative: Vec<i64>,
}

/// A line that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SheetFault {
    /// Number of the line, from 1.
    pub line: u32,
    /// The text of what was expected and what was found.
    pub detail: String,
}

/// Counts a sheet again.
pub fn count(sheet: &ScoreText) -> CountedScores {
    let set = sheet.rules.set();
    let units = usize::from(set.unit_count());
    let (mut totals, mut rounds, mut faults) = (vec![0; units], Vec::new(), Vec::new());
    let mut over: Option<GameResult> = None;
    let mut next = 1;
    for round in &sheet.rounds {
        let mut find = |line: u32, detail: String| faults.push(SheetFault { line, detail });
        if round.number.is_some_and(|number| number != u32::from(next)) {
            find(round.line, format!("expected round {next}"));
        }
        if over.is_some() {
            find(round.line, "the game was over before this round".into());
        }
        let minimums = (0..units).map(|unit| minimum(set, next, totals[unit])).collect();
        let points = points_of(round, set, &mut find);
        for (total, points) in totals.iter_mut().zip(&points) {
            *total = (*total + points).clamp(-TOTAL_MAX, TOTAL_MAX);
        }
        if totals.iter().any(|total| total.abs() == TOTAL_MAX) {
            find(round.line, format!("expected totals below {TOTAL_MAX}"));
        }
        // A voided round is dealt again and does not count.
        if round.reason == Some(EndReason::Voided) {
            continue;
        }
        let booked: Vec<i32> = totals.iter().map(|&total| total as i32).collect();
        over = over.or_else(|| result(set, next, &booked));
        rounds.push(CountedRound { round: next, minimums, points, cumulative: totals.clone() });
        next = next.saturating_add(1);
    }
    faults.extend(wrong_winner(sheet, over));
    faults.sort_by_key(|fault| fault.line);
    CountedScores { rounds, totals, result: over, faults }
}

/// Returns the name of a side, or of a seat where seats score, as the sheet writes it.
pub fn unit_name(set: &RuleSet, unit: usize) -> String {
    rulings::unit_name(unit as u8, set, Names::of(set))
}

/// Returns the minimum of an initial meld in a round (CL-058).
fn minimum(set: &RuleSet, round: u16, score: i64) -> i32 {
    match set.initial_key {
        InitialKey::Round => set.initial_bands.minimum_for_round(round),
        InitialKey::SideScore | InitialKey::MelderScore => set.initial_bands.minimum_for_score(score as i32),
    }
}

/// Returns the points of each side or seat in a round.
fn points_of(round: &ScoreTextRound, set: &RuleSet, find: &mut impl FnMut(u32, String)) -> Vec<i64> {
    let units = usize::from(set.unit_count());
    let mut points = vec![0; units];
    let voided = round.reason == Some(EndReason::Voided);
    for (unit, points) in points.iter_mut().enumerate() {
        match round.scores.iter().find(|(score, _)| usize::from(score.unit) == unit) {
            None if voided => {}
            None => find(round.line, format!("the score of {} is missing", unit_name(set, unit))),
            Some((_, line)) if voided => find(*line, "a voided round has no scores".into()),
            Some((score, line)) => {
                check_lines(score, set, &mut |detail| find(*line, detail));
                *points = sum(&score.lines);
            }
        }
    }
    points
}

/// Checks each line of a score by itself.
fn check_lines(score: &Score, set: &RuleSet, find: &mut dyn FnMut(String)) {
    for (at, line) in score.lines.iter().enumerate() {
        let item = line.item.name();
        if !may_score(set, line.item) {
            find(format!("{item}: these rules have no such score"));
        }
        if score.lines[..at].iter().any(|before| before.item == line.item) {
            find(format!("{item}: expected each item once"));
        }
        if line.points % 5 != 0 {
            find(format!("{item}: expected a multiple of 5, found {}", line.points));
        }
        if let Some((count, bonuses)) = line.count.zip(bonuses(set, line.item))
            && !is_sum_of(count, &bonuses, line.points)
        {
            let each: Vec<String> = bonuses.iter().map(ToString::to_string).collect();
            find(format!("{item}: {count} of {} are not {}", each.join(" or "), line.points));
        }
    }
}

/// Returns the bonuses that one canasta of this kind may have by the rule set (CL-100, CL-101); `None` for other items.
fn bonuses(set: &RuleSet, item: Item) -> Option<Vec<i32>> {
    let mut bonuses = match item {
        Item::NaturalCanastas => {
            let ranks = canasta_engine::card::Rank::NATURAL.into_iter();
            ranks.map(|rank| set.bonus_rank.get(rank).unwrap_or(set.bonus_natural)).collect()
        }
        Item::MixedCanastas => vec![set.bonus_mixed],
        // AMB-58: all twos, or four jokers, may pay another amount.
        Item::WildCanastas => vec![set.bonus_wild, set.bonus_wild_twos, set.bonus_wild_jokers],
        Item::SequenceCanastas => vec![set.bonus_sequence],
        _ => return None,
    };
    bonuses.retain(|&bonus| bonus != 0);
    bonuses.sort_unstable();
    bonuses.dedup();
    Some(bonuses)
}

/// Whether `points` are the sum of `count` bonuses, each one of these.
fn is_sum_of(count: u16, bonuses: &[i32], points: i32) -> bool {
    let mut sums = BTreeSet::from([0i32]);
    for _ in 0..count.min(CANASTAS_MAX) {
        let more = sums.iter().flat_map(|&sum| bonuses.iter().map(move |&bonus| sum.saturating_add(bonus)));
        sums = more.filter(|&sum| sum <= points).collect();
    }
    count <= CANASTAS_MAX && sums.contains(&points)
}

/// Returns the sum of the lines of a score.
pub fn sum(lines: &[ScoreLine]) -> i64 {
    lines.iter().map(|line| i64::from(line.points)).sum()
}

/// Whether a round of the rule set may have a line of this kind.
pub fn may_score(set: &RuleSet, item: Item) -> bool {
    match item {
        Item::SequenceCanastas => set.sequences,
        Item::WildCanastas => set.wild_melds,
        Item::FootCards => set.foot_size > 0,
        Item::Cut => set.cut_bonus > 0,
        Item::FootCut => set.foot_cut_bonus > 0,
        Item::SpecialHand => !set.special_hands.is_empty(),
        Item::Restores => set.pile_restore,
        _ => true,
    }
}

fn wrong_winner(sheet: &ScoreText, over: Option<GameResult>) -> Option<SheetFault> {
    let (stated, line) = sheet.winner?;
    let name =
        |unit: Option<u8>| unit.map_or("nobody".to_owned(), |unit| unit_name(sheet.rules.set(), unit.into()));
    let detail = match over {
        None => "the game is not over with these scores".to_owned(),
        Some(result) => {
            let due = result.winner.map(|unit| unit.0);
            if due == stated {
                return None;
            }
            format!("winner: the sheet says {}, the scores give {}", name(stated), name(due))
        }
    };
    Some(SheetFault { line, detail })
}

/// Returns where a second scorer has other scores.
pub fn differences(first: &ScoreText, second: &ScoreText) -> Vec<SheetFault> {
    let mut found = Vec::new();
    let last = first.rounds.last().map_or(1, |round| round.line);
    let names =
        |sheet: &ScoreText| sheet.players.iter().map(|player| player.name.clone()).collect::<Vec<_>>();
    if first.rules.canonical() != second.rules.canonical() || names(first) != names(second) {
        found.push(SheetFault { line: 1, detail: "the second sheet has other rules or players".into() });
    }
    if first.rounds.len() != second.rounds.len() {
        let (here, there) = (first.rounds.len(), second.rounds.len());
        let detail = format!("the second sheet has another number of rounds: {here} here, {there} there");
        found.push(SheetFault { line: last, detail });
    }
    for (here, there) in first.rounds.iter().zip(&second.rounds) {
        for (score, line) in &here.scores {
            let other = there.scores.iter().find(|(other, _)| other.unit == score.unit);
            let (points, theirs) = (sum(&score.lines), other.map(|(other, _)| sum(&other.lines)));
            if theirs != Some(points) {
                let theirs = theirs.map_or("nothing".to_owned(), |points| points.to_string());
                let unit = unit_name(first.rules.set(), score.unit.into());
                let detail = format!("{unit}: {points} here, {theirs} in the second sheet");
                found.push(SheetFault { line: *line, detail });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks sums of bonuses that differ: American Canasta as its rules have them, 3,000 for seven twos, 2,500 with four
    /// jokers, 2,000 otherwise (AMB-58), counted by hand.
    #[test]
    fn bonuses_add_up() {
        let wild = [2000, 2500, 3000];
        for (count, points, holds) in [
            (1, 2000, true),
            (1, 3000, true),
            (1, 1000, false),
            (2, 5000, true),
            (2, 4500, true),
            (2, 3000, false),
            (3, 7000, true),
            (0, 0, true),
            (0, 500, false),
            (u16::MAX, i32::MIN, false),
        ] {
            assert_eq!(is_sum_of(count, &wild, points), holds, "{count} for {points}");
        }
        assert!(is_sum_of(2, &[500], 1000) && !is_sum_of(2, &[500], 500));
    }
}
