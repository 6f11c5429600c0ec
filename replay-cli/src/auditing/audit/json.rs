//! The report for programs: `canasta-audit/1`, described in docs/judge/CLI.md.

use super::Audited;
use super::games::{LogRelation, SettledGames, Twice};
use super::summary::{AuditCounts, DEALS, VERDICTS};
use super::text::{detail, rule_ids};
use crate::shared::json::branch;
use crate::shared::paths::SortedFailures;
use crate::shared::text::{PlayerNames, hex};
use canasta_engine::log::audit::Unknown;
use canasta_engine::log::finding::Finding;
use canasta_engine::log::record::Genesis;
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
    failures: &mut SortedFailures,
    out: &mut dyn Write,
) -> Result<()> {
    write!(out, "\"failures\":")?;
    array(failures.iter()?, |failure| json!({"path": failure.path, "error": failure.error}), out)?;
    write!(out, ",\"counts\":{}", to_counts(counts))?;
    let is_play =
        |twice: &Result<Twice>| matches!(twice, Ok(twice) if twice.relation == LogRelation::SamePlay);
    if games.has_twice() {
        write!(out, ",\"same_game\":")?;
        let twice = |twice: Twice| json!({"first": twice.first, "second": twice.second, "relation": twice.relation.name()});
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
        write!(out, ",\"standings\":")?;
        array(table.lines()?, |line| json!(line), out)?;
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
    let word = |word: &str| word.replace(' ', "_");
    let verdicts = VERDICTS.iter().map(|&(verdict, name)| (word(name), summary.of(verdict).into()));
    let deals = DEALS.iter().map(|&(deal, name)| (word(name), summary.of_deal(deal).into()));
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

/// Puts the facts of the first record.
fn put_game(genesis: &Genesis, put: &mut dyn FnMut(&str, Value)) {
    put("game_id", hex(&genesis.game_id).into());
    genesis.fork_of.iter().for_each(|fork| put("branch_of", branch(fork)));
    put("ruleset", json!({"id": genesis.rule_set_id, "digest": hex(&genesis.rule_set_digest())}));
    put("mode", mode(genesis.mode).into());
    put("players", genesis.players.iter().map(|player| player.name.as_str()).collect());
}

fn to_value(log: &Audited) -> Value {
    let report = &log.report;
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("path", log.path.as_str().into());
    put("verdict", report.verdict.name().into());
    put("deal", report.deal.name().into());
    if let Some(genesis) = &report.genesis {
        put_game(genesis, &mut |key, value| drop(put(key, value)));
    }
    put("records", report.records.into());
    put("bytes", report.bytes.into());
    put("head", hex(&report.head).into());
    put("head_checked", report.head_checked.into());
    put("actions", report.actions.into());
    put("signed_actions", report.signed_actions.into());
    if report.signed_actions > 0 {
        let signed = report.signed.iter().take(report.genesis.as_ref().map_or(0, |g| g.players.len()));
        put("signed", signed.map(|by| json!({"actions": by.actions, "signed": by.signed})).collect());
    }
    if report.unverified > 0 {
        put("unverified", report.unverified.into());
    }
    put("refusals", report.refusals.into());
    if report.rulings > 0 {
        put("rulings", report.rulings.into());
    }
    put("remarks", report.remarks.into());
    if !log.signed.is_empty() {
        put("signed_by", log.signed.clone().into());
    }
    if let Some(n) = log.vouched_up_to {
        put("vouched_up_to", n.into());
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
    if !report.unknown.is_empty() {
        put("unknown", report.unknown.iter().map(unknown).collect());
    }
    if report.unknown_left_off > 0 {
        put("unknown_left_off", report.unknown_left_off.into());
    }
    if let Some(round) = report.open_round {
        put("open_round", round.into());
    }
    if let Some(salvaged) = report.salvaged {
        put("salvaged", json!({"records": salvaged.records, "passed_over": salvaged.passed_over}));
    }
    put("not_proven", log.reservations.clone().into());
    if report.left_off > 0 {
        put("findings_left_off", report.left_off.into());
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
            put("player", PlayerNames::of(genesis).seated(&log.report.seating, None).seat(seat).into());
        }
    }
    let codes =
        finding.codes.iter().map(|&code| json!({"code": code.name(), "rule_ids": rule_ids(log, code)}));
    put("codes", codes.collect());
    put("detail", detail(finding).into());
    if let Some(position) = &finding.position {
        put("position", position.to_string().into());
    }
    if finding.unproven {
        put("unproven", true.into());
    }
    if let Some(command) = log.show(finding) {
        put("show", command.into());
    }
    object.into()
}
