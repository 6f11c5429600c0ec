//! The score sheets, as one would write them by hand.

mod ledger;

use super::MANY;
use super::game::{ReportedGame, ReportedRecord};
use super::html::{escape, rich};
use super::rows::how_it_ended;
use crate::text::number;
use canasta_engine::log::Record;
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::record::{RoundEnd, ScoreItem};
use canasta_engine::seat::Unit;
use std::fmt::Write;

/// A scored round as the log declares it.
pub struct Sheet<'a> {
    /// Number of its last record.
    pub n: usize,
    pub end: &'a RoundEnd,
    told: &'a ReportedRecord,
    /// Totals by side or seat before it and after it.
    before: Vec<i64>,
    pub after: Vec<i64>,
    /// Whether the audit counts otherwise.
    disputed: bool,
}

/// Every scored round.
pub fn all(game: &ReportedGame) -> Vec<Sheet<'_>> {
    let mut sheets = Vec::new();
    let mut totals: Vec<i64> = Vec::new();
    for (n, told) in game.records.iter().enumerate() {
        let Record::RoundEnd(end) = &told.record else { continue };
        if end.scores.is_empty() {
            continue;
        }
        let units = end.scores.iter().map(|score| usize::from(score.unit) + 1).max().unwrap_or(0);
        totals.resize(totals.len().max(units), 0);
        let before = totals.clone();
        for score in &end.scores {
            totals[usize::from(score.unit)] +=
                score.lines.iter().map(|line| i64::from(line.points)).sum::<i64>();
        }
        let counts = |kind| matches!(kind, FindingKind::Score | FindingKind::Tally);
        let disputed =
            game.audited.report.findings.iter().any(|found| counts(found.kind) && found.record == n as u64);
        sheets.push(Sheet { n, end, told, before, after: totals.clone(), disputed });
    }
    sheets
}

/// The sheets, one table a round; ledgers where there are very many.
pub fn write(sheets: &[Sheet<'_>], game: &ReportedGame, out: &mut String) {
    if sheets.is_empty() {
        out.push_str("<p>No round is scored yet.</p>");
        return;
    }
    if sheets.len() > MANY {
        return ledger::write(sheets, game, out);
    }
    let units = sheets.first().map_or(0, |sheet| sheet.after.len());
    let _ = write!(out, "<div class=\"sheets units{units}\">");
    sheets.iter().for_each(|sheet| sheet.write(game, out));
    out.push_str("</div>");
}

fn head(first: &str, units: usize, game: &ReportedGame) -> String {
    let columns = (0..units as u8).map(|unit| format!("<th scope=\"col\">{}</th>", game.unit(Unit(unit))));
    format!("<thead><tr><th scope=\"col\">{first}</th>{}</tr></thead>", columns.collect::<String>())
}

/// A row a round: what it brought, and the total. Ledgers have the same.
pub fn summary(sheets: &[Sheet<'_>], game: &ReportedGame, out: &mut String) {
    let Some(last) = sheets.last().filter(|_| sheets.len() <= MANY) else { return };
    let units = last.after.len();
    let head = head("Round", units, game);
    out.push_str("<div class=\"scroll\"><table class=\"totals\"><caption>Round by round</caption>");
    out.push_str(&head);
    out.push_str("<tbody>");
    for sheet in sheets {
        let cells = sheet.before.iter().zip(&sheet.after).map(|(before, after)| {
            format!("<td><span class=\"gain\">{}</span> {}</td>", signed(after - before), number(*after))
        });
        let round = sheet.end.round;
        let _ = write!(
            out,
            "<tr><th scope=\"row\"><a href=\"#sheet-{round}\">{round}</a></th>{}</tr>",
            cells.collect::<String>()
        );
    }
    out.push_str("</tbody></table></div>");
}

impl Sheet<'_> {
    fn write(&self, game: &ReportedGame, out: &mut String) {
        let units = self.after.len();
        let round = self.end.round;
        let ended = rich(&how_it_ended(self.end, self.told, &game.placeholders()), &game.names);
        let _ = write!(
            out,
            "<table class=\"sheet\" id=\"sheet-{round}\"><caption>Round {round} <a class=\"jump\" href=\"#at={}\">{ended}</a></caption>",
            self.n
        );
        out.push_str(&head("", units, game));
        out.push_str("<tbody>");
        for item in ScoreItem::ALL {
            self.line(item, units, out);
        }
        out.push_str("</tbody><tfoot>");
        let row = |label: &str, class: &str, points: &mut dyn Iterator<Item = i64>| {
            let cells: String = points.map(|points| format!("<td>{}</td>", number(points))).collect();
            format!("<tr class=\"{class}\"><th scope=\"row\">{label}</th>{cells}</tr>")
        };
        let scored = self.before.iter().zip(&self.after).map(|(before, after)| after - before);
        out.push_str(&row("This round", "sum", &mut scored.into_iter()));
        out.push_str(&row("Brought forward", "before", &mut self.before.iter().copied()));
        out.push_str(&row("Total", "total", &mut self.after.iter().copied()));
        out.push_str("</tfoot></table>");
        if self.disputed {
            out.push_str("<p class=\"warning\">The audit counts this round otherwise; what stands here is what the log declares.</p>");
        }
    }

    /// One item, where anybody has it.
    fn line(&self, item: ScoreItem, units: usize, out: &mut String) {
        let mut cells = vec![String::new(); units];
        let mut any = false;
        for score in &self.end.scores {
            for line in score.lines.iter().filter(|line| line.item == item) {
                any = true;
                let count = line
                    .count
                    .map_or_else(String::new, |count| format!("<span class=\"times\">{count} for</span> "));
                cells[usize::from(score.unit)] += &format!("{count}{}", number(line.points));
            }
        }
        if any {
            let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            let _ = write!(out, "<tr><th scope=\"row\">{}</th>{cells}</tr>", escape(label(item)));
        }
    }
}

/// `+120`, `-45`.
pub fn signed(points: i64) -> String {
    if points > 0 { format!("+{}", number(points)) } else { number(points) }
}

/// What a line is called on paper.
fn label(item: ScoreItem) -> &'static str {
    match item {
        ScoreItem::MeldedCards => "Cards melded",
        ScoreItem::NaturalCanastas => "Natural canastas",
        ScoreItem::MixedCanastas => "Mixed canastas",
        ScoreItem::WildCanastas => "Wild-card canastas",
        ScoreItem::SequenceCanastas => "Sequence canastas",
        ScoreItem::IncompleteMelds => "Incomplete melds",
        ScoreItem::HeldTrios => "Trios held",
        ScoreItem::Threes => "Threes",
        ScoreItem::GoingOut => "Going out",
        ScoreItem::Concealed => "Concealed",
        ScoreItem::Cut => "Exact cut",
        ScoreItem::FootCut => "Exact cut, feet",
        ScoreItem::HandCards => "Left in hand",
        ScoreItem::FootCards => "Left in the foot",
        ScoreItem::Restores => "Tops put back",
        ScoreItem::SpecialHand => "Special hand",
        ScoreItem::NoCanasta => "Too few canastas",
        ScoreItem::Adjustments => "Rulings",
    }
}
