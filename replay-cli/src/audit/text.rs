//! The report for people.

use super::Audited;
use crate::text::{Names, count, hex, list, number};
use canasta_engine::log::finding::{Finding, FindingKind, Verdict};
use canasta_engine::seat::Unit;
use canasta_engine::violations::{Code, cite};
use std::io::{Result, Write};

const VERDICTS: [(Verdict, &str); 5] = [
    (Verdict::Clean, "clean"),
    (Verdict::Ruled, "clean with rulings"),
    (Verdict::Altered, "altered"),
    (Verdict::Illegal, "illegal"),
    (Verdict::Incomplete, "incomplete"),
];

/// How many, then each log with findings; a log that was audited alone is always shown.
pub fn write(logs: &[Audited], out: &mut dyn Write) -> Result<()> {
    if logs.is_empty() {
        return Ok(());
    }
    let records: u64 = logs.iter().map(|log| log.report.records).sum();
    writeln!(out, "{} · {}", count(logs.len() as u64, "log"), count(records, "record"))?;
    let counted = VERDICTS.into_iter().filter_map(|(verdict, word)| {
        let logs = logs.iter().filter(|log| log.report.verdict == verdict).count() as u64;
        (logs > 0).then(|| format!("{} {word}", number(logs)))
    });
    writeln!(out, "  {}", counted.collect::<Vec<_>>().join(" · "))?;
    for log in logs {
        if logs.len() == 1 || !log.report.findings.is_empty() {
            write_log(log, out)?;
        }
    }
    Ok(())
}

fn write_log(log: &Audited, out: &mut dyn Write) -> Result<()> {
    let report = &log.report;
    writeln!(out, "\n{}   {}", log.path, report.verdict.name())?;
    if let Some(genesis) = &report.genesis {
        let names: Vec<&str> = genesis.players.iter().map(|player| player.name.as_str()).collect();
        writeln!(out, "  game {} · {} · {}", hex(&genesis.game_id), genesis.rule_set_id, names.join(", "))?;
        let parts = [count(report.rounds, "round"), count(report.actions, "action")];
        let rest = [
            (report.rulings, "ruling"),
            (report.refusals, "refusal"),
            (report.remarks, "remark"),
            (report.voided.into(), "voided deal"),
        ];
        let rest = rest.iter().filter(|(number, _)| *number > 0).map(|(number, what)| count(*number, what));
        let parts: Vec<String> = parts.into_iter().chain(rest).collect();
        writeln!(out, "  {} · {}", parts.join(" · "), count(report.bytes, "byte"))?;
        writeln!(out, "  head {} of record {}", hex(&report.head), report.records.saturating_sub(1))?;
        for signed in &log.signed {
            writeln!(out, "  signed by {signed}")?;
        }
        result(log, out)?;
    }
    if report.findings.is_empty() {
        writeln!(out, "  {}", proven(log))?;
    }
    for finding in &report.findings {
        write_finding(log, finding, out)?;
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

fn result(log: &Audited, out: &mut dyn Write) -> Result<()> {
    let (Some(genesis), Some(result)) = (&log.report.genesis, log.report.result) else { return Ok(()) };
    let names = Names::of(genesis).seated(&log.report.seating, None);
    let total = |(unit, total): (u8, &i64)| format!("{} {}", names.unit(Unit(unit)), number(*total));
    let totals: Vec<String> = (0..).zip(&log.report.totals).map(total).collect();
    let winner = match result.winner {
        Some(unit) => format!("{} wins by {}", names.unit(unit), number(result.margin)),
        None => "a draw".into(),
    };
    writeln!(out, "  {} · {winner}", totals.join(" · "))
}

/// What a log without findings proves, and what says that nothing is missing at its end.
fn proven(log: &Audited) -> String {
    let report = &log.report;
    let what = match report.result {
        Some(_) => "chain, commitments, deals, legality, digests, scores",
        None => "chain, and all play of the rounds that are revealed",
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

fn write_finding(log: &Audited, finding: &Finding, out: &mut dyn Write) -> Result<()> {
    let names =
        log.report.genesis.as_ref().map(|genesis| Names::of(genesis).seated(&log.report.seating, None));
    let mut place = format!("record {} (byte {})", number(finding.record), number(finding.offset));
    if let Some(round) = finding.round {
        place += &format!(", round {round}");
    }
    if let (Some(seat), Some(names)) = (finding.seat, &names) {
        place += &format!(", {}", names.seat(seat));
    }
    writeln!(out, "  {} at {place}", finding.kind.name())?;
    writeln!(out, "    {}", detail(finding).escape_debug())?;
    for &code in &finding.codes {
        writeln!(out, "    {} [{}]", code.name(), list(rule_ids(log, code)))?;
    }
    let unread = matches!(finding.kind, FindingKind::Corrupt | FindingKind::Torn | FindingKind::Malformed);
    if unread && log.report.records > 0 {
        let good = [count(log.report.records, "record"), count(log.report.bytes, "byte")];
        let good = good.join(" in ");
        writeln!(out, "    the chain holds before it ({good}); nothing after it was read")?;
    }
    match log.show(finding) {
        Some(command) => writeln!(out, "    -> {command}"),
        None => Ok(()),
    }
}

/// What was found, without the place that stands before it.
pub fn detail(finding: &Finding) -> &str {
    let place = format!("record {}, byte {}: ", finding.record, finding.offset);
    finding.detail.strip_prefix(&place).unwrap_or(&finding.detail)
}

/// The rules that a code stands for in the log's rule set.
pub fn rule_ids(log: &Audited, code: Code) -> Vec<&'static str> {
    match &log.books {
        Some(books) => cite(code, books).collect(),
        None => code.entry().rules().take(1).collect(),
    }
}
