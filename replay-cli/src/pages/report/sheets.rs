//! The score sheets, as players write them by hand.

use super::MANY;
use super::game::{ReportedGame, ReportedRecord};
use crate::judging::show::happened::how_it_ended;
use crate::shared::html::rich;
use crate::shared::text::number;
use canasta_engine::log::Record;
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::record::{RoundEnd, ScoreItem};
use canasta_engine::seat::Unit;
use canasta_engine::text::words;
use maud::{Markup, html};

/// A scored round, as the log declares it.
pub struct Sheet<'a> {
    /// Number of the last record of the round.
    pub n: usize,
    pub end: &'a RoundEnd,
    told: &'a ReportedRecord,
    /// Totals by side or seat before the round and after it.
    before: Vec<i64>,
    pub after: Vec<i64>,
    /// Whether the audit counts other points.
    disputed: bool,
}

/// Returns every scored round.
pub fn all(game: &ReportedGame) -> Vec<Sheet<'_>> {
    let mut sheets = Vec::new();
    let mut totals: Vec<i64> = Vec::new();
    for (n, told) in game.records.iter().enumerate() {
        let Record::RoundEnd(end) = told.record() else { continue };
        if end.scores.is_empty() {
            continue;
        }
        let units = end.scores.iter().map(|score| usize::from(score.unit) + 1).max().unwrap_or(0);
        totals.resize(totals.len().max(units), 0);
        let before = totals.clone();
        for score in &end.scores {
            totals[usize::from(score.unit)] += score.total();
        }
        let counts = |kind| matches!(kind, FindingKind::Score | FindingKind::Tally | FindingKind::Clerical);
        let disputed =
            game.audited.report.findings.iter().any(|found| counts(found.kind) && found.record == n as u64);
        sheets.push(Sheet { n, end, told, before, after: totals.clone(), disputed });
    }
    sheets
}

/// Returns the sheets, one table per round; of very many rounds only the totals are shown, which [`summary`] has.
pub fn sheets(sheets: &[Sheet<'_>], game: &ReportedGame) -> Markup {
    let units = sheets.first().map_or(0, |sheet| sheet.after.len());
    html! {
        @if sheets.is_empty() {
            p { "No round is scored yet." }
        } @else if sheets.len() <= MANY {
            div class={ "sheets units" (units) } { @for sheet in sheets { (sheet.table(game)) } }
        }
    }
}

fn head(first: &str, units: usize, game: &ReportedGame) -> Markup {
    html! {
        thead {
            tr {
                th scope="col" { (first) }
                @for unit in (0..units as u8).map(Unit) { th scope="col" { (game.unit(unit)) } }
            }
        }
    }
}

/// Returns a table with one row per round: its points, and the total.
pub fn summary(sheets: &[Sheet<'_>], game: &ReportedGame) -> Markup {
    let Some(last) = sheets.last() else { return html! {} };
    html! {
        div class="scroll" {
            table class="totals" {
                caption { "Round by round" }
                (head("Round", last.after.len(), game))
                tbody {
                    @for sheet in sheets {
                        @let round = sheet.end.round;
                        @let (to, n) = if sheets.len() <= MANY { ("sheet-", round as usize) } else { ("at=", sheet.n) };
                        tr {
                            th scope="row" { a href={ "#" (to) (n) } { (round) } }
                            @for (before, after) in sheet.before.iter().zip(&sheet.after) {
                                td { span class="gain" { (signed(after - before)) } " " (number(*after)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Sheet<'_> {
    fn table(&self, game: &ReportedGame) -> Markup {
        let ended = rich(&how_it_ended(self.end, &self.told.outcome, &game.placeholders()), &game.names);
        let scored: Vec<i64> =
            self.before.iter().zip(&self.after).map(|(before, after)| after - before).collect();
        html! {
            table class="sheet" id={ "sheet-" (self.end.round) } {
                caption {
                    "Round " (self.end.round) " " a class="jump" href={ "#at=" (self.n) } { (ended) }
                }
                (head("", self.after.len(), game))
                tbody { @for item in ScoreItem::ALL { (self.line(item, game)) } }
                tfoot {
                    (sum("This round", "sum", &scored))
                    (sum("Brought forward", "before", &self.before))
                    (sum("Total", "total", &self.after))
                }
            }
            @if self.disputed {
                p class="warning" {
                    "The audit counts this round otherwise; what stands here is what the log declares."
                }
            }
        }
    }

    /// Returns the row of one item; nothing if nobody has the item.
    fn line(&self, item: ScoreItem, game: &ReportedGame) -> Markup {
        let of_unit = |unit: usize| {
            let scores = self.end.scores.iter().filter(move |score| usize::from(score.unit) == unit);
            scores.flat_map(|score| &score.lines).filter(move |line| line.item == item)
        };
        let units = 0..self.after.len();
        html! {
            @if units.clone().any(|unit| of_unit(unit).next().is_some()) {
                tr {
                    th scope="row" { (heading(item, game)) }
                    @for unit in units {
                        td {
                            @for line in of_unit(unit) {
                                @if let Some(count) = line.count { span class="times" { (count) " for" } " " }
                                (number(line.points))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn sum(label: &str, class: &str, points: &[i64]) -> Markup {
    html! {
        tr class=(class) {
            th scope="row" { (label) }
            @for &points in points { td { (number(points)) } }
        }
    }
}

/// Returns points with their sign: `+120`, `-45`.
pub fn signed(points: i64) -> String {
    if points > 0 { format!("+{}", number(points)) } else { number(points) }
}

/// Returns the heading of an item on a score sheet. The style sheet gives it a capital letter.
fn heading(item: ScoreItem, game: &ReportedGame) -> String {
    words::score_line(item, None, &game.names.speaker())
}
