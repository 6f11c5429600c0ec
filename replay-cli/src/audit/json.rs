//! The report for programs: `canasta-audit/1`, described in docs/CLI.md.

use super::Audited;
use super::text::{detail, rule_ids};
use crate::paths::Failure;
use crate::text::{Names, hex};
use canasta_engine::log::finding::{Finding, Verdict};
use serde_json::{Map, Value, json};
use std::io::{Result, Write};

/// The name of the shape.
const FORMAT: &str = "canasta-audit/1";

/// One document: a line each for its head, every log, and the counts.
pub fn write(logs: &[Audited], failures: &[Failure], out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{{\"format\":\"{FORMAT}\",\"logs\":[")?;
    for (place, log) in logs.iter().enumerate() {
        let comma = if place + 1 < logs.len() { "," } else { "" };
        writeln!(out, "{}{comma}", to_value(log))?;
    }
    let failed = |failure: &Failure| json!({"path": failure.path, "error": failure.error});
    let failed: Value = failures.iter().map(failed).collect();
    writeln!(out, "],\"failures\":{failed},\"counts\":{}}}", counts(logs))
}

fn counts(logs: &[Audited]) -> Value {
    let of = |verdict| logs.iter().filter(|log| log.report.verdict == verdict).count();
    json!({
        "logs": logs.len(),
        "clean": of(Verdict::Clean),
        "clean_with_rulings": of(Verdict::Ruled),
        "altered": of(Verdict::Altered),
        "illegal": of(Verdict::Illegal),
        "incomplete": of(Verdict::Incomplete),
        "records": logs.iter().map(|log| log.report.records).sum::<u64>(),
        "actions": logs.iter().map(|log| log.report.actions).sum::<u64>(),
    })
}

fn to_value(log: &Audited) -> Value {
    let report = &log.report;
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("path", log.path.as_str().into());
    put("verdict", report.verdict.name().into());
    if let Some(genesis) = &report.genesis {
        put("game_id", hex(&genesis.game_id).into());
        put("ruleset", json!({"id": genesis.rule_set_id, "digest": hex(&genesis.rule_set_digest())}));
        put("players", genesis.players.iter().map(|player| player.name.as_str()).collect());
    }
    put("records", report.records.into());
    put("bytes", report.bytes.into());
    put("head", hex(&report.head).into());
    put("head_checked", report.head_checked.into());
    put("actions", report.actions.into());
    put("signed_actions", report.signed_actions.into());
    put("refusals", report.refusals.into());
    if report.rulings > 0 {
        put("rulings", report.rulings.into());
    }
    put("remarks", report.remarks.into());
    if !log.signed.is_empty() {
        put("signed_by", log.signed.clone().into());
    }
    put("rounds", report.rounds.into());
    put("voided", report.voided.into());
    if let Some(round) = report.conditional_from {
        put("conditional_from", round.into());
    }
    put("totals", report.totals.clone().into());
    if let Some(result) = report.result {
        let mut ended = Map::new();
        if let Some(unit) = result.winner {
            ended.insert("winner".into(), unit.0.into());
        }
        ended.insert("margin".into(), result.margin.into());
        put("result", ended.into());
    }
    put("findings", report.findings.iter().map(|finding| finding_value(log, finding)).collect());
    object.into()
}

fn finding_value(log: &Audited, finding: &Finding) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("kind", finding.kind.name().into());
    put("record", finding.record.into());
    put("offset", finding.offset.into());
    if let Some(round) = finding.round {
        put("round", round.into());
    }
    if let Some(seat) = finding.seat {
        put("seat", seat.0.into());
        if let Some(genesis) = &log.report.genesis {
            put("player", Names::of(genesis).seated(&log.report.seating, None).seat(seat).into());
        }
    }
    let codes =
        finding.codes.iter().map(|&code| json!({"code": code.name(), "rule_ids": rule_ids(log, code)}));
    put("codes", codes.collect());
    put("detail", detail(finding).into());
    if let Some(command) = log.show(finding) {
        put("show", command.into());
    }
    object.into()
}
