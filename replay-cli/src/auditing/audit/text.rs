//! The report for people.

use super::Audited;
use super::advice::advice;
use super::games::{LogRelation, SettledGames};
use super::standings::TeamStanding;
use super::summary::AuditCounts;
use crate::shared::table::TextTable;
use crate::shared::text::{PlayerNames, action_line, count, hex, list, number, players, quoted, rules_of};
use canasta_engine::action::{Action, EffectKind, Ruling};
use canasta_engine::citation::cite;
use canasta_engine::log::audit::Unknown;
use canasta_engine::log::finding::{DealVerdict, Finding, FindingKind, Verdict};
use canasta_engine::log::record::Genesis;
use canasta_engine::seat::{Seat, Unit};
use canasta_engine::violations::Code;
use canasta_tournament::leaf::mode;
use std::fmt;
use std::io::{Result, Write};

/// Returns the name of a verdict in words.
fn in_words(name: &str) -> String {
    name.to_lowercase().replace('_', " ")
}

/// Writes the counts over all logs.
pub fn begin(counts: &AuditCounts, out: &mut dyn Write) -> Result<()> {
    let some = |count: u64, name| (count > 0).then(|| format!("{} {}", number(count), in_words(name)));
    let best_first = DealVerdict::ALL.into_iter().rev();
    let deals = best_first.filter_map(|deal| some(counts.of_deal(deal), deal.name()));
    let read = [count(counts.logs as i64, "log"), count(counts.records as i64, "record")].join(" · ");
    writeln!(out, "{read} · deals: {}", deals.collect::<Vec<_>>().join(", "))?;
    let best_first = Verdict::ALL.into_iter().rev();
    let verdicts = best_first.filter_map(|verdict| some(counts.of(verdict), verdict.name()));
    let branches = match counts.branches {
        0 => None,
        1 => Some("1 of them a branch".to_owned()),
        branches => Some(format!("{} of them branches", number(branches))),
    };
    writeln!(out, "  {}", verdicts.chain(branches).collect::<Vec<_>>().join(" · "))
}

/// Writes what follows the parts of the logs: games that several logs tell, and the standings if they are shown.
pub fn end(games: &mut SettledGames, out: &mut dyn Write) -> Result<()> {
    for twice in games.twice()? {
        let twice = twice?;
        let (first, second) = (quoted(&twice.first), quoted(&twice.second));
        let what = match twice.relation {
            LogRelation::Same => "the same game twice, it counts once",
            LogRelation::Partial => "the same game twice, once not whole",
            LogRelation::Forked => "FORKED   one game goes two ways",
            LogRelation::SamePlay => "two games with the same cards and the same play",
        };
        writeln!(out, "\n{what}: {first} and {second}")?;
        if matches!(twice.relation, LogRelation::Partial | LogRelation::Forked) {
            writeln!(out, "  -> canasta-replay diff {first} {second}")?;
        }
    }
    if !games.not_judged.is_empty() {
        let promises = games.not_judged.join("; ");
        writeln!(out, "\nnot judged here, but by audit-tournament: {}", promises.escape_debug())?;
    }
    let left_out = games.left_out;
    match &games.standings {
        Some(table) => write_standings(table, left_out, out),
        None => Ok(()),
    }
}

fn write_standings(lines: &[TeamStanding], left_out: u64, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "\nstandings")?;
    let heads = ["rank", " team", "games", "won", "drawn", "lost", "mp", "points", "difference", "best"];
    let mut table = TextTable::new(heads);
    for TeamStanding { rank, team, totals } in lines {
        let [games, won, drawn, lost] = totals.counts();
        let [mp, points, difference, best] = totals.figures().map(number);
        let team = team.join(" & ");
        table.row([rank.to_string(), team, games, won, drawn, lost, mp, points, difference, best]);
    }
    table.write("  ", out)?;
    if left_out > 0 {
        writeln!(
            out,
            "  {} not counted: not clean, not ended, a branch, taken up, or told in two ways",
            count(left_out as i64, "game")
        )?;
    }
    Ok(())
}

/// Returns the part of the report for one log.
pub fn log(log: &Audited) -> String {
    let mut text = String::new();
    write_log(log, &mut text).expect("a string takes everything");
    text
}

fn write_log(log: &Audited, out: &mut dyn fmt::Write) -> fmt::Result {
    let report = &log.report;
    let known = if report.unknown.is_empty() { "" } else { ", as far as known" };
    writeln!(out, "\n{}   {}{known}", log.path, report.verdict.name())?;
    if let Some(genesis) = &report.genesis {
        let (id, rules) = (hex(&genesis.game_id), &genesis.rule_set_id);
        writeln!(out, "  game {id} · {rules} · {}", players(genesis))?;
        if let Some(reason) = report.uncounted() {
            writeln!(out, "  {reason}: it does not count")?;
        }
        let parts = [count(report.rounds, "round"), count(report.actions, "action")];
        let rest = [
            (report.rulings, "ruling"),
            (report.refusals, "refusal"),
            (report.remarks, "remark"),
            (report.voided.into(), "voided deal"),
        ];
        let rest = rest.iter().filter(|(number, _)| *number > 0).map(|(number, what)| count(*number, what));
        let parts: Vec<String> = parts.into_iter().chain(rest).collect();
        let deals = format!("{} deals {}", mode(genesis.mode), in_words(report.deal.name()));
        writeln!(out, "  {} · {} · {deals}", parts.join(" · "), count(report.bytes, "byte"))?;
        writeln!(out, "  head {} of record {}", hex(&report.head), report.records.saturating_sub(1))?;
        for signed in &log.signed {
            writeln!(out, "  signed by {signed}")?;
        }
        result(log, out)?;
        for (record, ruling) in &report.ruled {
            writeln!(out, "  ruling: {}", ruling_text(genesis, &report.seating, *record, ruling))?;
        }
    }
    if report.findings.is_empty() {
        for reservation in &log.reservations {
            writeln!(out, "  not proven: {}", reservation.escape_debug())?;
        }
        writeln!(out, "  {}", proven(log))?;
    }
    for finding in &report.findings {
        write_finding(log, finding, out)?;
    }
    if report.left_off > 0 {
        writeln!(out, "  and {} more", count(report.left_off as i64, "finding"))?;
    }
    if let Some(salvaged) = report.salvaged {
        let read = [count(salvaged.records as i64, "record"), count(salvaged.passed_over as i64, "byte")];
        writeln!(
            out,
            "  salvaged: {} behind the fault, {} passed over; nothing there is proven",
            read[0], read[1]
        )?;
    }
    for unknown in &report.unknown {
        writeln!(out, "  as far as known: {}", as_known(unknown, log))?;
    }
    if report.unknown_left_off > 0 {
        writeln!(out, "  and {} more that are not wholly known", count(report.unknown_left_off, "round"))?;
    }
    if let Some(round) = report.conditional_from {
        writeln!(
            out,
            "  the rest of round {} is not judged; from round {round} on verdicts hold from the scores as declared",
            round - 1
        )?;
    }
    Ok(())
}

/// Returns what a round of a transcript leaves unknown.
fn as_known(unknown: &Unknown, log: &Audited) -> String {
    let mut parts = Vec::new();
    if unknown.unsure > 0 {
        let actions = count(unknown.actions, "action");
        parts.push(format!(
            "{} of {actions} are legal with at least one hand that the player may have held",
            number(unknown.unsure)
        ));
    }
    if unknown.unseen > 0 {
        parts.push(format!("{} of hands and feet were never shown", count(unknown.unseen, "card")));
    }
    if let (Some(names), false) = (PlayerNames::of_report(&log.report), unknown.declared.is_empty()) {
        let units: Vec<String> = unknown.declared.iter().map(|unit| names.unit(*unit)).collect();
        parts.push(format!("what the cards held cost {} is taken as written down", units.join(" and ")));
    }
    format!("round {}: {}", unknown.round, parts.join("; "))
}

fn result(log: &Audited, out: &mut dyn fmt::Write) -> fmt::Result {
    let names = PlayerNames::of_report(&log.report);
    let (Some(names), Some(result)) = (names, log.report.result) else { return Ok(()) };
    let total = |(unit, total): (u8, &i64)| format!("{} {}", names.unit(Unit(unit)), number(*total));
    let totals: Vec<String> = (0..).zip(&log.report.totals).map(total).collect();
    let winner = match result.winner {
        Some(unit) => format!("{} wins by {}", names.unit(unit), number(result.margin)),
        None => "a draw".into(),
    };
    let unproven = if log.report.salvaged.is_some() { " · unproven" } else { "" };
    writeln!(out, "  {} · {winner}{unproven}", totals.join(" · "))
}

/// Returns what a log without findings proves, and what proves that its end is not cut off.
pub fn proven(log: &Audited) -> String {
    let report = &log.report;
    let what = match (report.result, report.deal) {
        (Some(_), DealVerdict::AsCommitted) => "chain, commitments, deals, legality, digests, scores",
        (Some(_), _) if !report.unknown.is_empty() => {
            "chain; legality, digests and scores as far as they are known"
        }
        (Some(_), _) => "chain, legality, digests, scores",
        (None, _) if !report.unknown.is_empty() => "chain, and play as far as it is known",
        (None, _) => "chain, and all play of the rounds that are revealed",
    };
    let ends = [
        (report.result.is_some(), "by game end"),
        (report.head_checked, "by the head as given"),
        (!log.signed.is_empty(), "up to the signed record"),
    ];
    let ends: Vec<&str> = ends.into_iter().filter_map(|(holds, by)| holds.then_some(by)).collect();
    if ends.is_empty() {
        return format!("proven: {what}; not whether records are missing at the end");
    }
    format!("proven: {what}; the end {}", ends.join(" and "))
}

fn write_finding(log: &Audited, finding: &Finding, out: &mut dyn fmt::Write) -> fmt::Result {
    let names = PlayerNames::of_report(&log.report);
    let mut place = format!("record {} (byte {})", number(finding.record), number(finding.offset));
    if let Some(round) = finding.round {
        place += &format!(", round {round}");
    }
    if let (Some(seat), Some(names)) = (finding.seat, &names) {
        place += &format!(", {}", names.seat(seat));
    }
    let unproven = if finding.unproven { ", behind a fault: unproven" } else { "" };
    writeln!(out, "  {} at {place}{unproven}", finding.kind.name())?;
    writeln!(out, "    {}", advice(finding.kind))?;
    writeln!(out, "    {}", detail(finding).escape_debug())?;
    for &code in &finding.codes {
        writeln!(out, "    {} [{}]", code.name(), list(rule_ids(log, code)))?;
    }
    if let Some(position) = &finding.position {
        writeln!(out, "    position: {position}")?;
    }
    let unread = matches!(finding.kind, FindingKind::Corrupt | FindingKind::Torn | FindingKind::Malformed);
    if unread && !finding.unproven && log.report.records > 0 {
        let good = [count(log.report.records, "record"), count(log.report.bytes, "byte")];
        let good = good.join(" in ");
        let after = if log.report.salvaged.is_some() { "proven" } else { "read" };
        writeln!(out, "    the chain holds before it ({good}); nothing after it was {after}")?;
    }
    match log.show(finding) {
        Some(command) => writeln!(out, "    -> {command}"),
        None => Ok(()),
    }
}

/// Returns the detail of a finding, without the place that stands before it.
pub fn detail(finding: &Finding) -> &str {
    let place = format!("record {}, byte {}: ", finding.record, finding.offset);
    finding.detail.strip_prefix(&place).unwrap_or(&finding.detail)
}

/// Returns the ids of the rules that a code stands for in the rule set of the log.
pub fn rule_ids(log: &Audited, code: Code) -> Vec<&'static str> {
    match &log.books {
        Some(books) => cite(code, books).collect(),
        None => code.entry().rules().take(1).collect(),
    }
}

/// Returns a ruling with its record, whether an official signed it, and what it says.
pub fn ruling_text(genesis: &Genesis, seating: &[Seat], record: u64, ruling: &Ruling) -> String {
    let signed = if ruling.signature.is_some() { "signed" } else { "not signed" };
    let names = PlayerNames::of(genesis).seated(seating, None);
    let action = Action::Ruling(Box::new(Ruling { signature: None, ..ruling.clone() }));
    let has_effect = ruling.effect.kind != EffectKind::None;
    let rules = has_effect.then(|| rules_of(genesis)).flatten();
    let effect = rules.and_then(|rules| action_line(None, &action, rules.set())).unwrap_or_default();
    let effect = effect.find(" effect ").map_or("", |at| &effect[at..]);
    let said = names.action(&action);
    format!("record {}, {signed}: {}{}", number(record), said.escape_debug(), effect.escape_debug())
}
