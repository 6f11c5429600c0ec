//! The table of results for programs: `canasta-event-table/1` and CSV, described in docs/EVENT.md.

use super::field::FieldFigure;
use super::results::{EventResults, TableResult};
use crate::auditing::audit::standings::Criterion;
use crate::shared::json::{present, some};
use canasta_engine::hex::hex;
use serde_json::{Map, Value, json};

/// The columns of the standings as CSV.
const COLUMNS: &str = "rank number name games won drawn lost match_points points difference best";
/// The columns behind them of an event that is scored against the field.
const FIELD_COLUMNS: &str = " boards field_hundredths";

pub fn to_value(results: &EventResults<'_>) -> Value {
    let event = results.event;
    let number = |entry: usize| event.entries[entry].number;
    let standing = |&(rank, entry): &(u64, usize)| {
        let (of, sums) = (&event.entries[entry], results.totals[entry]);
        let head =
            json!({"rank": rank, "number": of.number, "name": event.entry(entry), "players": of.players});
        let mut line: Map<String, Value> =
            [head, json!(sums)].into_iter().filter_map(object).flatten().collect();
        line.retain(|field, _| field != "best" || sums.games > 0);
        if event.field.is_some() {
            let figure = results.sum_of(entry, Criterion::Field);
            line.insert("boards".into(), results.field[entry].boards.into());
            line.insert("field_hundredths".into(), figure.into());
        }
        line
    };
    let figure = |&(by, figure): &(Criterion, i64)| json!({"by": by, "figure": figure});
    let ties = results.ranks.ties.iter().map(|tie| {
        let (numbers, figures): (Vec<_>, Vec<_>) =
            tie.entries.iter().map(|&(entry, figure)| (number(entry), figure)).unzip();
        let equal: Value = tie.equal.iter().map(figure).collect();
        let figures = tie.by.map(|_| figures);
        present(json!({"numbers": numbers, "equal": equal, "by": tie.by, "figures": figures}))
    });
    let fault = |(path, detail): &(String, String)| json!({"path": path, "detail": detail});
    let field = event.field.as_ref();
    let field = field.map(|of| present(json!({"scale": of.scale, "imps_from": of.imps.map(Vec::from)})));
    present(json!({
        "format": "canasta-event-table/1",
        "event": event.file.name,
        "criteria": event.criteria,
        "round": results.round,
        "rounds": event.rounds(),
        "field": field,
        "open": results.open(),
        "standings": results.ranks.places.iter().map(standing).collect::<Vec<_>>(),
        "ties": ties.collect::<Value>(),
        "games": results.tables.iter().map(|row| game(results, row)).collect::<Value>(),
        "not_counted": results.faults.iter().map(fault).collect::<Value>(),
    }))
}

fn object(value: Value) -> Option<Map<String, Value>> {
    if let Value::Object(object) = value { Some(object) } else { None }
}

fn game(results: &EventResults<'_>, row: &TableResult<'_>) -> Value {
    let (table, entries) = (row.table, &results.event.entries);
    let numbers = |side: &Vec<usize>| side.iter().map(|&entry| entries[entry].number).collect::<Value>();
    let decision = table.adjustment.as_ref().or(table.forfeits.first().map(|(_, of)| of));
    present(json!({
        "round": table.place.round,
        "table": table.place.table,
        "board": some(table.place.board),
        "game_id": (table.sides.len() > 1).then(|| hex(&table.game_id)),
        "sides": table.sides.iter().map(numbers).collect::<Value>(),
        "origin": row.origin.name(),
        "path": row.path,
        "signed_by": some(&row.signers[..]),
        "points": some(row.sides.iter().map(|(side, _)| side.points).collect::<Vec<_>>()),
        "match_points": some(row.sides.iter().map(|(_, of)| *of).collect::<Vec<_>>()),
        "field_hundredths": some(row.field.iter().map(|of| of.hundredths).collect::<Vec<_>>()),
        "compared": row.field.first().and_then(FieldFigure::tables),
        "reason": decision.map(|of| &of.reason),
        "by": decision.and_then(|of| of.by.as_ref()),
    }))
}

/// Returns the standings as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe.
///
/// # Errors
/// Never: memory takes everything.
pub fn csv(results: &EventResults<'_>) -> anyhow::Result<Vec<u8>> {
    let terminator = csv::Terminator::CRLF;
    let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
    let field = if results.event.field.is_some() { FIELD_COLUMNS } else { "" };
    let columns = COLUMNS.to_owned() + field;
    writer.write_record(columns.split(' '))?;
    for line in to_value(results)["standings"].as_array().into_iter().flatten() {
        let cell = |column| match &line[column] {
            Value::Null => String::new(),
            Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t']) => format!("'{text}"),
            Value::String(text) => text.clone(),
            number => number.to_string(),
        };
        writer.write_record(columns.split(' ').map(cell))?;
    }
    Ok(writer.into_inner()?)
}
