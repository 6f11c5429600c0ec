//! The sheets of a game of very many rounds: one table per side or seat, one row per round.
//!
//! The end tags of cells and rows are omitted, as HTML allows: a game may have a thousand rounds, and the page is mailed.
//! `maud` cannot omit them, so the rows are written as text, which contains only numbers and our own labels.

use super::{Sheet, heading};
use crate::pages::report::game::ReportedGame;
use crate::shared::text::number;
use canasta_engine::log::record::ScoreItem;
use canasta_engine::seat::Unit;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// Returns one table per side or seat.
pub fn ledgers(sheets: &[Sheet<'_>], game: &ReportedGame) -> Markup {
    let units = sheets.first().map_or(0, |sheet| sheet.after.len());
    html! {
        @for unit in 0..units {
            div class="scroll" {
                table class="ledger" {
                    caption { (game.unit(Unit(unit as u8))) }
                    (PreEscaped(rows(unit, sheets, game)))
                }
            }
        }
        @if sheets.iter().any(|sheet| sheet.disputed) {
            p class="warning" {
                "The audit counts the rounds that are marked otherwise; what stands here is what the log declares."
            }
        }
    }
}

/// Returns the head and the rows of a table.
fn rows(unit: usize, sheets: &[Sheet<'_>], game: &ReportedGame) -> String {
    let mut out = String::from("<thead><tr><th scope=\"col\">Round");
    let scored = |item: &ScoreItem| sheets.iter().any(|sheet| points(sheet, unit, *item).is_some());
    let items: Vec<ScoreItem> = ScoreItem::ALL.into_iter().filter(scored).collect();
    let columns =
        items.iter().map(|&item| heading(item, game)).chain(["This round", "Total"].map(String::from));
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
    out
}

/// Returns the points of an item in a round, if the sheet has the item.
fn points(sheet: &Sheet<'_>, unit: usize, item: ScoreItem) -> Option<i64> {
    let of_unit = sheet.end.scores.iter().filter(|score| usize::from(score.unit) == unit);
    let lines = of_unit.flat_map(|score| &score.lines).filter(|line| line.item == item);
    lines.map(|line| i64::from(line.points)).reduce(|sum, points| sum + points)
}
