//! The report for programs: `canasta-audit/1`, described in docs/judge/CLI.md.

use super::Audited;
use super::games::{LogRelation, SettledGames, Twice};
use super::summary::AuditCounts;
use super::text::{detail, rule_ids};
use crate::shared::json::{branch, present, some};
use crate::shared::paths::FailureList;
use crate::shared::text::{PlayerNames, hex};
use canasta_engine::action::Ruling;
use canasta_engine::log::audit::Unknown;
use canasta_engine::log::finding::{DealVerdict, Finding, Verdict};
use canasta_tournament::entry::{EntryResult, RuleSetName};
use canasta_tournament::leaf::mode;
use serde_json::{Map, Value, json};
use std::io::{Result, Write};

/// The name and version of the format.
pub const FORMAT: &str = "canasta-audit/1";

/// Returns one log as one line, without its end.
pub fn log(log: &Audited) -> String {
    to_value(log).to_string()
}

/// Writes the fields that do not tell of one log, and the end of the object that has them.
pub fn rest(
    counts: &AuditCounts,
    games: &mut SettledGames,
    failures: &mut FailureList,
    out: &mut dyn Write,
) -> Result<()> {
    write!(out, "\"failures\":")?;
    array(failures.iter()?, |failure| json!({"path": failure.path, "error": failure.error}), out)?;
    write!(out, ",\"counts\":{}", to_counts(counts))?;
    let is_play =
        |twice: &Result<Twice>| matches!(twice, Ok(twice) if twice.relation == LogRelation::SamePlay);
    if games.has_twice() {
        write!(out, ",\"same_game\":")?;
        let twice = |twice: Twice| json!(twice);
        array(games.twice()?.filter(|twice| !is_play(twice)), twice, out)?;
    }
    if games.same_plays > 0 {
        write!(out, ",\"same_play\":")?;
        let twice = |twice: Twice| json!({"first": twice.first, "second": twice.second});
        array(games.twice()?.filter(is_play), twice, out)?;
    }
    if !games.not_judged.is_empty() {
        write!(out, ",\"not_judged\":{}", json!(games.not_judged))?;
    }
    if let Some(table) = &mut games.standings {
        write!(out, ",\"standings\":{}", json!(table))?;
    }
    writeln!(out, "}}")
}

/// Writes an array of values, one at a time.
fn array<T>(
    items: impl Iterator<Item = Result<T>>,
    to_value: impl Fn(T) -> Value,
    out: &mut dyn Write,
) -> Result<()> {
    write!(out, "[")?;
    let mut comma = "";
    for item in items {
        write!(out, "{comma}{}", to_value(item?))?;
        comma = ",";
    }
    write!(out, "]")
}

fn to_counts(summary: &AuditCounts) -> Value {
    let best_first = Verdict::ALL.into_iter().rev();
    let verdicts = best_first.map(|verdict| (verdict.name().to_lowercase(), summary.of(verdict).into()));
    let best_first = DealVerdict::ALL.into_iter().rev();
    let deals = best_first.map(|deal| (deal.name().to_lowercase(), summary.of_deal(deal).into()));
    let mut counts: Map<String, Value> = Map::new();
    counts.insert("logs".into(), summary.logs.into());
    counts.extend(verdicts);
    if summary.branches > 0 {
        counts.insert("branches".into(), summary.branches.into());
    }
    counts.insert("records".into(), summary.records.into());
    counts.insert("actions".into(), summary.actions.into());
    counts.insert("deals".into(), deals.collect::<Map<_, _>>().into());
    counts.into()
}

/// Returns what a round of a transcript leaves unknown.
fn unknown(unknown: &Unknown) -> Value {
    json!({
        "round": unknown.round,
        "actions": unknown.actions,
        "unsure": unknown.unsure,
        "unseen": unknown.unseen,
        "declared": unknown.declared.iter().map(|unit| unit.0).collect::<Vec<_>>(),
    })
}

fn to_value(log: &Audited) -> Value {
    let report = &log.report;
    let genesis = report.genesis.as_ref();
    let players = genesis.map_or(&[][..], |genesis| &genesis.players);
    let signed = report.signed.iter().take(players.len());
    let signed = signed.map(|by| json!({"actions": by.actions, "signed": by.signed}));
    let salvaged = report.salvaged.map(|of| json!({"records": of.records, "passed_over": of.passed_over}));
    present(json!({
        "path": log.path,
        "verdict": report.verdict.name(),
        "deal": report.deal.name(),
        "game_id": genesis.map(|genesis| hex(&genesis.game_id)),
        "branch_of": log.branch().map(branch),
        "taken_up": report.is_taken_up().then_some(true),
        "ruleset": genesis.map(RuleSetName::of),
        "mode": genesis.map(|genesis| mode(genesis.mode)),
        "players": genesis.map(|_| players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>()),
        "records": report.records,
        "bytes": report.bytes,
        "head": hex(&report.head),
        "head_checked": report.head_checked,
        "actions": report.actions,
        "signed_actions": report.signed_actions,
        "signed": (report.signed_actions > 0).then(|| signed.collect::<Value>()),
        "unverified": some(report.unverified),
        "refusals": report.refusals,
        "rulings": some(report.rulings),
        "ruled": some(report.ruled.iter().map(|(record, ruling)| ruling_value(*record, ruling)).collect::<Vec<_>>()),
        "remarks": report.remarks,
        "signed_by": some(&log.signed[..]),
        "vouched_up_to": log.vouched_up_to,
        "rounds": report.rounds,
        "voided": report.voided,
        "conditional_from": report.conditional_from,
        "totals": report.totals,
        "result": report.result.map(EntryResult::from),
        "unknown": some(report.unknown.iter().map(unknown).collect::<Vec<_>>()),
        "unknown_left_off": some(report.unknown_left_off),
        "open_round": report.open_round,
        "salvaged": salvaged,
        "not_proven": log.reservations,
        "findings_left_off": some(report.left_off),
        "findings": report.findings.iter().map(|finding| finding_value(log, finding)).collect::<Value>(),
    }))
}

pub fn ruling_value(record: u64, ruling: &Ruling) -> Value {
    json!({
        "record": record, "rule": ruling.rule, "by": format!("{:?}", ruling.by).to_lowercase(), "points": ruling.points,
        "adjusted": ruling.effect.points, "signed": ruling.signature.is_some(), "reason": ruling.reason,
    })
}

fn finding_value(log: &Audited, finding: &Finding) -> Value {
    let names = PlayerNames::of_report(&log.report);
    let codes =
        finding.codes.iter().map(|&code| json!({"code": code.name(), "rule_ids": rule_ids(log, code)}));
    present(json!({
        "kind": finding.kind.name(),
        "record": finding.record,
        "offset": finding.offset,
        "round": finding.round,
        "seat": finding.seat.map(|seat| seat.0),
        "player": finding.seat.zip(names).map(|(seat, names)| names.seat(seat)),
        "codes": codes.collect::<Value>(),
        "detail": detail(finding),
        "position": finding.position.as_ref().map(ToString::to_string),
        "unproven": some(finding.unproven),
        "show": log.show(finding),
    }))
}
