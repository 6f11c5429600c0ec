//! The report and the standings for spreadsheets.

use super::Audited;
use super::standings::StandingsTable;
use super::text::{detail, rule_ids};
use crate::shared::text::{PlayerNames, hex, list};
use canasta_engine::log::finding::Finding;
use canasta_engine::seat::Unit;
use canasta_tournament::leaf::mode;
use csv::Writer;
use std::io::{Result, Write};

const COLUMNS: [&str; 26] = [
    "path", "verdict", "deal", "mode", "game_id", "ruleset", "players", "records", "actions", "rounds",
    "voided", "rulings", "totals", "winner", "head", "finding", "record", "offset", "round", "player",
    "codes", "rule_ids", "detail", "position", "show", "branch",
];

/// Writes the names of the columns. The rows of the logs follow.
pub fn begin(out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// Returns one row per finding; one row for a log without findings.
pub fn log(log: &Audited) -> String {
    let report = &log.report;
    let of_log = log_cells(log);
    let branch = log.branch().map_or_else(String::new, |of| format!("{} record {}", hex(&of.game_id), of.n));
    let mut rows = Writer::from_writer(Vec::new());
    if report.findings.is_empty() {
        put(&mut rows, of_log.iter().map(String::as_str).chain([""; 10]).chain([branch.as_str()]));
    }
    for finding in &report.findings {
        let cells = finding_cells(log, finding);
        put(&mut rows, of_log.iter().chain(&cells).chain([&branch]).map(String::as_str));
    }
    String::from_utf8(rows.into_inner().expect("memory takes everything")).expect("the cells are text")
}

fn log_cells(log: &Audited) -> [String; 15] {
    let report = &log.report;
    let genesis = report.genesis.as_ref();
    let names = genesis.map(|genesis| PlayerNames::of(genesis).seated(&report.seating, None));
    let winner = report.result.and_then(|result| result.winner);
    [
        cell(&log.path),
        report.verdict.name().into(),
        report.deal.name().into(),
        genesis.map_or("", |genesis| mode(genesis.mode)).into(),
        genesis.map_or_else(String::new, |genesis| hex(&genesis.game_id)),
        genesis.map_or_else(String::new, |genesis| cell(&genesis.rule_set_id)),
        names.as_ref().map_or_else(String::new, |names| {
            cell(&names.seats().map(|seat| names.seat(seat)).collect::<Vec<_>>().join(" / "))
        }),
        report.records.to_string(),
        report.actions.to_string(),
        report.rounds.to_string(),
        report.voided.to_string(),
        report.rulings.to_string(),
        cell(&list(&report.totals)),
        names.zip(winner).map_or_else(String::new, |(names, Unit(unit))| cell(&names.unit(Unit(unit)))),
        hex(&report.head),
    ]
}

fn finding_cells(log: &Audited, finding: &Finding) -> [String; 10] {
    let genesis = log.report.genesis.as_ref();
    let names = genesis.map(|genesis| PlayerNames::of(genesis).seated(&log.report.seating, None));
    let rules = finding.codes.iter().flat_map(|&code| rule_ids(log, code));
    [
        finding.kind.name().into(),
        finding.record.to_string(),
        finding.offset.to_string(),
        finding.round.map_or_else(String::new, |round| round.to_string()),
        finding.seat.zip(names).map_or_else(String::new, |(seat, names)| cell(&names.seat(seat))),
        list(finding.codes.iter().map(|code| code.name())),
        list(rules),
        cell(detail(finding)),
        cell(&finding.position.as_ref().map_or_else(String::new, ToString::to_string)),
        cell(&log.show(finding).unwrap_or_default()),
    ]
}

/// Writes the standings, one row per team.
pub fn standings(table: &mut StandingsTable, out: &mut dyn Write) -> Result<()> {
    let mut rows = Writer::from_writer(out);
    rows.write_record([
        "rank",
        "team",
        "games",
        "won",
        "drawn",
        "lost",
        "match_points",
        "points",
        "difference",
        "best",
    ])?;
    for line in table.lines()? {
        let line = line?;
        let counts = [line.games, line.won, line.drawn, line.lost, line.match_points];
        let points = [line.points, line.difference, line.best];
        let texts = [line.rank.to_string(), cell(&line.name())];
        let numbers = counts.iter().map(u64::to_string).chain(points.iter().map(i64::to_string));
        rows.write_record(texts.into_iter().chain(numbers))?;
    }
    rows.flush()?;
    Ok(())
}

fn put<'c>(rows: &mut Writer<Vec<u8>>, cells: impl Iterator<Item = &'c str>) {
    rows.write_record(cells).expect("memory takes everything");
}

/// Returns a text that no spreadsheet takes for a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_begins_a_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(cell(text), format!("'{text}"));
        }
        assert_eq!([cell("North"), cell("")], ["North", ""]);
    }
}
