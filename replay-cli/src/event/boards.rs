//! The boards of an event, line by line: how each result compares with those of the same side at the other tables.

use super::check::CheckedEvent;
use super::field::{FieldScoring, FigureReason};
use super::file::FieldScale;
use super::results::{EventResults, TableResult};
use super::words::Words;
use crate::shared::table::TextTable;
use crate::shared::text::join;
use std::collections::BTreeMap;

/// Returns a table for each board that has figures: a line for each side of each table, the first sides first.
pub fn boards(results: &EventResults<'_>, words: Words) -> Vec<(String, TextTable)> {
    let Some(field) = &results.event.field else { return Vec::new() };
    let mut boards = BTreeMap::<(u32, u32), Vec<&TableResult<'_>>>::new();
    for row in results.tables.iter().filter(|row| !row.field.is_empty()) {
        boards.entry(row.table.place.cards()).or_default().push(row);
    }
    let mut sections = Vec::new();
    for ((round, board), rows) in boards {
        let (what, number) = if board == 0 { ("round", round) } else { ("board", board) };
        let title = format!("{} {number} · {}", words.say(what), words.say("against the field"));
        let head = ["table", " players", "difference", " compared", field_head(field)];
        let mut table = words.columns(&head);
        for side in 0..rows[0].field.len() {
            let lines = rows.iter().map(|row| line(results.event, field.scale, words, row, side));
            table.rows.extend(lines);
        }
        sections.push((title, table));
    }
    if let Some(imps) = &field.imps {
        let steps = (1..).zip(imps).map(|(worth, least)| format!("{worth}: {}", words.number(*least)));
        let line = format!("{} {}", words.say("IMPs, each from a difference of"), join(steps, ", "));
        sections.push((words.say("scale").to_owned(), TextTable::of_lines([line])));
    }
    sections
}

/// Returns the head of the column of figures.
pub fn field_head(field: &FieldScoring) -> &'static str {
    match field.scale {
        FieldScale::Difference => "field",
        FieldScale::Matchpoints => "matchpoints %",
        FieldScale::Imps => "IMPs",
    }
}

fn line(
    event: &CheckedEvent,
    scale: FieldScale,
    words: Words,
    row: &TableResult<'_>,
    side: usize,
) -> Vec<String> {
    let (figure, difference) = (&row.field[side], row.sides.get(side).map(|(of, _)| of.difference));
    let compared = match &figure.because {
        FigureReason::NothingToCompare => words.say("no other table").to_owned(),
        FigureReason::NotAtFault => words.say("not at fault").to_owned(),
        FigureReason::AtFault => words.say("at fault").to_owned(),
        FigureReason::Decided => words.say("decided").to_owned(),
        FigureReason::Compared(..) if scale == FieldScale::Difference => {
            let mean = 100 * difference.unwrap_or_default() - figure.hundredths;
            format!("{} {}", words.say("mean of the others"), words.signed(mean))
        }
        FigureReason::Compared(tables, worths) => {
            let terms = join(worths.iter().rev().map(|of| term(scale, of)), ", ");
            let parts = tables * (1 + usize::from(scale == FieldScale::Matchpoints));
            format!("({terms}) / {parts}")
        }
    };
    let difference = difference.map_or_else(String::new, |difference| words.number(difference));
    let (place, names) = (words.place(row.table.place), event.side(&row.table.sides[side]));
    vec![place, names, difference, compared, words.hundredths(figure.hundredths)]
}

/// Returns the worth of some comparisons: IMPs, or of matchpoints 2, 1 or 0 of 2.
fn term(scale: FieldScale, (worth, count): (&i64, &usize)) -> String {
    let times = if *count > 1 { format!("{count} × ") } else { String::new() };
    match scale {
        FieldScale::Matchpoints => format!("{times}{}", worth / 5_000 + 1),
        _ if *worth > 0 => format!("{times}+{}", worth / 100),
        _ => format!("{times}{}", worth / 100),
    }
}
