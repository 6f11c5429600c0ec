//! Scores that somebody wrote down, compared with those that follow from the table.

use super::record::{Score, ScoreLine};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_rules::known::{Known, as_written};
use canasta_rules::notation::Names;
use canasta_rules::notation::rulings::unit_name;
use canasta_rules::seat::Unit;
use canasta_rules::table::Table;

/// A score that does not follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slip {
    /// The index of the score among those that were written; `None` for one that is missing.
    pub at: Option<usize>,
    /// The written score, and the right one.
    pub reason: String,
}

/// Compares the scores of the round that is over with those that the rules give (`due`). Returns them as they must be
/// recorded: in the order of the rules, with all counts. In a transcript (`known`), lines that hang on cards which nobody has shown are
/// taken from `found`, if some hand gives them.
///
/// # Errors
/// All scores that do not follow.
pub fn compare(
    table: &Table,
    known: Option<&Known>,
    due: &[Score],
    found: &[Score],
) -> Result<Vec<Score>, Vec<Slip>> {
    let name = |unit: u8| unit_name(unit, table.set(), Names::of(table.set()));
    let mut slips = Vec::new();
    let mut slip = |at, unit, said: &dyn core::fmt::Display, reason: String| {
        slips.push(Slip { at, reason: format!("score {}: the text says {said}, {reason}", name(unit)) });
    };
    let mut written = Vec::new();
    for score in due {
        let at = found.iter().position(|found| found.unit == score.unit);
        let lines = at.map_or(&[][..], |at| &found[at].lines);
        let follows = match known {
            None => Ok(score.lines.clone()),
            Some(known) => as_written(table, known, Unit(score.unit), lines),
        };
        match (at, follows) {
            (Some(at), Err(item)) => {
                let said = lines.iter().find(|line| line.item == item).map_or(0, |line| line.points);
                slip(
                    Some(at),
                    score.unit,
                    &format!("{} {said}", item.name()),
                    String::from("no cards that nobody has shown give that"),
                );
            }
            (Some(at), Ok(due)) if !agree(lines, &due) => {
                slip(Some(at), score.unit, &sheet(lines), format!("the rules give {}", sheet(&due)));
            }
            (None, due) => {
                let due = due.unwrap_or_else(|_| score.lines.clone());
                slip(None, score.unit, &"nothing", format!("the rules give {}", sheet(&due)));
            }
            (Some(_), Ok(lines)) => written.push(Score { unit: score.unit, lines }),
        }
    }
    for (at, score) in found.iter().enumerate() {
        let again = found[..at].iter().any(|before| before.unit == score.unit);
        if again || !due.iter().any(|due| due.unit == score.unit) {
            slip(Some(at), score.unit, &sheet(&score.lines), String::from("the rules give none"));
        }
    }
    if slips.is_empty() { Ok(written) } else { Err(slips) }
}

/// Whether these are the same lines in any order; a found line may omit its count, and one of no points may be there.
fn agree(found: &[ScoreLine], due: &[ScoreLine]) -> bool {
    let same = |line: &ScoreLine, due: &ScoreLine| {
        (line.item, line.points) == (due.item, due.points)
            && line.count.is_none_or(|_| line.count == due.count)
    };
    let says_nothing = |line: &ScoreLine| line.points == 0 && !due.iter().any(|due| due.item == line.item);
    let said = || found.iter().filter(|line| !says_nothing(line));
    said().count() == due.len()
        && said().all(|line| due.iter().any(|due| same(line, due)))
        && due.iter().all(|due| said().any(|line| same(line, due)))
}

/// Returns a score as text: its total and its lines.
fn sheet(lines: &[ScoreLine]) -> String {
    let total = ScoreLine::sum(lines);
    let line = |line: &ScoreLine| match line.count {
        Some(count) => format!("{} ({count}) {}", line.item.name(), line.points),
        None => format!("{} {}", line.item.name(), line.points),
    };
    let lines: Vec<String> = lines.iter().map(line).collect();
    if lines.is_empty() { total.to_string() } else { format!("{total} ({})", lines.join(", ")) }
}
