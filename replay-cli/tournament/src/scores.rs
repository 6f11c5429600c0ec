//! Counts a score sheet again that has no actions: sums, bonuses, minimums, the end of the game and its winner.

use canasta_engine::log::record::EndReason;
use canasta_engine::notation::{Names, rulings};
use canasta_engine::rules::{InitialKey, RuleSet};
use canasta_engine::scoring::{GameResult, NotPaid, WrittenRound, not_paid, result};
use canasta_engine::text::{ScoreText, ScoreTextRound, WrittenScore};
use serde::Serialize;

/// The verdict on a sheet without actions, whatever is wrong with it.
pub const VERDICT: &str = "SCORES_ONLY";
/// Maximum absolute total of a side, in points.
const TOTAL_MAX: i64 = 1_000_000;

/// The result of counting a sheet again.
pub struct CountedScores {
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

pub fn count(sheet: &ScoreText) -> CountedScores {
    let set = sheet.rules.set();
    let units = usize::from(set.unit_count());
    let (mut totals, mut rounds, mut faults) = (vec![0; units], Vec::new(), Vec::new());
    let mut over: Option<GameResult> = None;
    let mut next = 1;
    for round in &sheet.rounds {
        let mut find = |line: u32, detail: String| faults.push(SheetFault { line, detail });
        // The draw for seats comes before the first round, and pays nothing.
        if round.reason == Some(EndReason::Drawn) && round.scores.is_empty() && rounds.is_empty() {
            continue;
        }
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

/// Returns the points of each side or seat in a round, and finds what no round of the rules pays.
fn points_of(round: &ScoreTextRound, set: &RuleSet, find: &mut impl FnMut(u32, String)) -> Vec<i64> {
    let of = |unit: usize| round.scores.iter().find(|score| usize::from(score.unit) == unit);
    let units: Vec<Option<&WrittenScore>> = (0..usize::from(set.unit_count())).map(of).collect();
    let voided = round.reason == Some(EndReason::Voided);
    for (unit, score) in units.iter().enumerate() {
        match score {
            None if !voided => find(round.line, format!("the score of {} is missing", unit_name(set, unit))),
            Some(score) if voided => find(score.line, "a voided round has no scores".into()),
            Some(WrittenScore { line, total, lines: None, .. }) if total % 5 != 0 => {
                find(*line, format!("expected a multiple of 5, found {total}"));
            }
            _ => {}
        }
    }
    if voided {
        return vec![0; units.len()];
    }
    let lines = units.iter().map(|score| score.and_then(|score| score.lines.as_deref()));
    let written = WrittenRound { reason: round.reason, dealer: round.dealer, units: lines.collect() };
    for NotPaid { unit, reason } in not_paid(set, &written) {
        let score = unit.and_then(|unit| units[unit]);
        find(score.map_or(round.line, |score| score.line), reason);
    }
    units.iter().map(|score| score.map_or(0, |score| score.total)).collect()
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
        for WrittenScore { unit, line, total, .. } in &here.scores {
            let other = there.scores.iter().find(|other| other.unit == *unit);
            let theirs = other.map(|other| other.total);
            if theirs != Some(*total) {
                let theirs = theirs.map_or("nothing".to_owned(), |points| points.to_string());
                let unit = unit_name(first.rules.set(), (*unit).into());
                let detail = format!("{unit}: {total} here, {theirs} in the second sheet");
                found.push(SheetFault { line: *line, detail });
            }
        }
    }
    found
}
