//! The sheets of a game of very many rounds: a table for each side or seat, a row a round.
//!
//! Ends of cells and rows are left out, as HTML allows: a game may have a thousand rounds.

use super::{Sheet, label};
use crate::report::game::ReportedGame;
use crate::text::number;
use canasta_engine::log::record::ScoreItem;
use canasta_engine::seat::Unit;
use std::fmt::Write;

/// A table a side or seat.
pub fn write(sheets: &[Sheet<'_>], game: &ReportedGame, out: &mut String) {
    let units = sheets.first().map_or(0, |sheet| sheet.after.len());
    (0..units).for_each(|unit| table(unit, sheets, game, out));
    if sheets.iter().any(|sheet| sheet.disputed) {
        out.push_str("<p class=\"warning\">The audit counts the rounds that are marked otherwise; what stands here is what the log declares.</p>");
    }
}

fn table(unit: usize, sheets: &[Sheet<'_>], game: &ReportedGame, out: &mut String) {
    let scored = |item: &ScoreItem| sheets.iter().any(|sheet| points(sheet, unit, *item).is_some());
    let items: Vec<ScoreItem> = ScoreItem::ALL.into_iter().filter(scored).collect();
    let name = game.unit(Unit(unit as u8));
    let _ = write!(
        out,
        "<div class=\"scroll\"><table class=\"ledger\"><caption>{name}</caption><thead><tr><th scope=\"col\">Round"
    );
    let columns = items.iter().map(|&item| label(item)).chain(["This round", "Total"]);
    columns.for_each(|column| {
        let _ = write!(out, "<th scope=\"col\">{column}");
    });
    out.push_str("<tbody>");
    for sheet in sheets {
        let mark = if sheet.disputed { " <b class=\"mark\">disputed</b>" } else { "" };
        let _ = write!(
            out,
            "\n<tr><th scope=\"row\"><a href=\"#at={}\">{}</a>{mark}",
            sheet.n,
            number(sheet.end.round)
        );
        for &item in &items {
            out.push_str("<td>");
            out.push_str(&points(sheet, unit, item).map_or_else(String::new, number));
        }
        let (before, after) = (sheet.before[unit], sheet.after[unit]);
        let _ = write!(out, "<td>{}<td>{}", number(after - before), number(after));
    }
    out.push_str("</table></div>");
}

/// What an item brought in a round, if it stands on the sheet.
fn points(sheet: &Sheet<'_>, unit: usize, item: ScoreItem) -> Option<i64> {
    let of_unit = sheet.end.scores.iter().filter(|score| usize::from(score.unit) == unit);
    let lines = of_unit.flat_map(|score| &score.lines).filter(|line| line.item == item);
    lines.map(|line| i64::from(line.points)).reduce(|sum, points| sum + points)
}
