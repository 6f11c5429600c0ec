//! The answer of `rule`, for people and for programs.

use super::allowed::AllowedAct;
use super::incident::{Incident, Offence};
use super::proposal::{AfterRuling, ProposedRuling};
use super::{Args, FoundLaw};
use crate::judging::irregular::irregular_value;
use crate::judging::ruling::{steps_value, violations_value, write_allowed, write_rejection, write_steps};
use crate::judging::show::table;
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::lines::broken;
use crate::shared::text::number;
use canasta_engine::action::As;
use canasta_engine::irregularity::{Irregularity, Question, Remedy};
use canasta_engine::legal;
use canasta_engine::rejection::Rejection;
use canasta_engine::rulebook;
use canasta_engine::view::view;
use serde_json::{Map, Value, json};
use std::io::{Result, Write};

/// Maximum size of the words that say what happened, in bytes.
pub const WHAT_MAX: usize = 1024;

/// Number of columns of the subject of a line.
const SUBJECT: usize = 13;

type Judged = Option<std::result::Result<Box<AfterRuling>, Rejection>>;

/// Says that nothing irregular was found, and how to go on.
pub fn nothing(incident: &Incident, args: &Args, what: &str, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let legal = incident.is_action && incident.table.is_some();
    if args.format == OutputFormat::Json {
        writeln!(io.out, "{}", json!({"format": "canasta-rule/1", "irregularity": null, "legal": legal}))?;
        return Ok(Exit::Findings);
    }
    match (&incident.record, what.is_empty()) {
        (Some(record), true) => writeln!(
            io.out,
            "record {} is nothing irregular by itself: say what happened with --what",
            number(record.number as i64)
        )?,
        _ if legal => writeln!(io.out, "LEGAL: nothing irregular in this action")?,
        (None, true) => writeln!(io.out, "say what happened with --what: words, or an action in notation")?,
        _ => writeln!(
            io.out,
            "nothing irregular fits {what:?}: use other words, or canasta-replay rules search (docs/reference/PENALTIES.md lists all)"
        )?,
    }
    Ok(Exit::Findings)
}

/// Says which irregularities the words may be about, and asks which it is.
pub fn few(rows: &[Irregularity], args: &Args, what: &str, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let law = |row: &Irregularity| row.remedy(&row.answers(&[], what)).law;
    if args.format == OutputFormat::Json {
        let value = |row: &Irregularity| json!({"id": row.id, "name": row.name, "law": law(row)});
        let candidates: Vec<Value> = rows.iter().map(value).collect();
        let value = json!({
            "format": "canasta-rule/1", "irregularity": null, "legal": false, "candidates": candidates,
        });
        writeln!(io.out, "{value}")?;
        return Ok(Exit::Findings);
    }
    writeln!(io.out, "{what:?} leaves open which of these happened, if any:")?;
    for row in rows {
        writeln!(io.out, "  {}  {} (--law {})", law(row), row.name, law(row))?;
    }
    Ok(Exit::Findings)
}

/// Says that the rules allow what the words name: nothing is ruled, and nothing recorded.
pub fn allowed(act: &AllowedAct, args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.format == OutputFormat::Json {
        let value = json!({
            "format": "canasta-rule/1", "irregularity": null, "legal": true, "actions": act.actions, "rule_ids": act.rules,
        });
        writeln!(io.out, "{value}")?;
        return Ok(Exit::Findings);
    }
    writeln!(
        io.out,
        "LEGAL: {}: the rules allow this here, and there is nothing to rule on",
        act.actions.join(", ")
    )?;
    for rule in act.rules.iter().filter_map(|id| rulebook::rule(id)) {
        writeln!(io.out, "  {}  {}", rule.id, rule.text)?;
    }
    writeln!(
        io.out,
        "  if something else was wrong, say it: out of turn, too late, with other cards (or --law)"
    )?;
    Ok(Exit::Findings)
}

/// Writes the answer for people.
pub fn write(
    incident: &Incident,
    finding: &FoundLaw,
    proposed: &ProposedRuling,
    judged: &Judged,
    what: &str,
    io: &mut Io<'_>,
) -> Result<()> {
    let mut text = Vec::new();
    write_answer(incident, finding, proposed, judged, what, &mut text)?;
    let Some(width) = io.width else { return io.out.write_all(&text) };
    for whole in String::from_utf8_lossy(&text).lines() {
        // What is copied from the terminal stays one line.
        if ["position ", "record "].iter().any(|subject| whole.starts_with(subject)) {
            writeln!(io.out, "{whole}")?;
            continue;
        }
        let blanks = whole.len() - whole.trim_start().len();
        let indent = if blanks == 0 { SUBJECT + 1 } else { blanks };
        broken(whole, width, indent).iter().try_for_each(|line| writeln!(io.out, "{line}"))?;
    }
    Ok(())
}

fn write_answer(
    incident: &Incident,
    finding: &FoundLaw,
    proposed: &ProposedRuling,
    judged: &Judged,
    what: &str,
    out: &mut dyn Write,
) -> Result<()> {
    write_found(incident, finding, what, out)?;
    let Remedy { law, points, next, .. } = &finding.remedy;
    line(out, "law", &format!("{law}  {}", rulebook::rule(law).map_or("", |rule| rule.text)))?;
    line(out, "who rules", &officials(finding))?;
    let effects: Vec<&str> = finding.sanction.penalty.effects().collect();
    let effects = if effects.is_empty() {
        String::new()
    } else {
        format!("; effects possible: {}", effects.join(", "))
    };
    let range = match finding.sanction.penalty.points {
        (0, 0) => "no points".to_owned(),
        (low, _) => format!("0 to {} points, usual {}", number(-low), number(-points)),
    };
    line(out, "penalty", &format!("{range}{effects}"))?;
    write_answers(finding, out)?;
    line(out, "next", next)?;
    match judged {
        Some(Ok(after)) => write_after(incident, after, out)?,
        Some(Err(rejection)) => {
            line(out, "refused", "the ruling is impossible here")?;
            write_rejection(rejection, &incident.rules, &incident.names_for_seat(), out)?;
            proposed.action.iter().try_for_each(|action| write_allowed(action, out))?;
        }
        None => {
            let why = incident.why_no_table.iter().map(|why| format!("not judged: {why}"));
            why.into_iter().try_for_each(|why| line(out, "position", &why))?;
        }
    }
    match (judged, &proposed.refused) {
        (Some(Err(_)), _) => line(out, "record", "none: the ruling would be refused")?,
        (_, Some(reason)) => {
            line(out, "refused", &format!("the game as it is now refuses {}", proposed.line))?;
            line(out, "", reason)?;
        }
        _ => line(out, "record", &proposed.line)?,
    }
    for (word, how) in &proposed.missing {
        line(out, "", &format!("{word} is missing: {how}"))?;
    }
    if let Some(remark) = proposed.remark {
        line(out, "", remark)?;
    }
    for (place, other) in finding.others.iter().enumerate() {
        let law = other.remedy(&other.answers(&[], what)).law;
        line(out, if place == 0 { "or" } else { "" }, &format!("{law}  {} (--law {law})", other.name))?;
    }
    Ok(())
}

/// Writes one line with its subject, which is empty for further lines.
fn line(out: &mut dyn Write, subject: &str, text: &str) -> Result<()> {
    writeln!(out, "{subject:<SUBJECT$} {text}")
}

fn write_found(incident: &Incident, finding: &FoundLaw, what: &str, out: &mut dyn Write) -> Result<()> {
    let found = if finding.by_words { format!("  (from {what:?})") } else { String::new() };
    line(out, "irregularity", &format!("{}{found}", finding.row.name))?;
    // A position that is typed in haste has more defects than the words speak of.
    for fault in incident.faults.iter().filter(|_| !finding.by_words) {
        line(out, "irregular", &fault.to_string())?;
    }
    let Some(offence) = incident.offence.as_ref().filter(|_| !finding.by_words) else { return Ok(()) };
    let codes: Vec<&str> = offence.codes().collect();
    let subject = if offence.is_done { "broken" } else { "refused" };
    line(out, subject, &codes.join(" "))?;
    if let Some(violation) = offence.rejection.iter().flat_map(|rejection| &rejection.violations).next() {
        line(out, "", &incident.names_for_seat().violation(violation))?;
    }
    Ok(())
}

fn officials(finding: &FoundLaw) -> String {
    // The rules themselves are nobody whom a table can call.
    let by = finding.sanction.penalty.authorities().filter(|by| *by != "auto");
    let words = by.map(|by| if by == "table" { "both sides together" } else { by });
    format!("{} (IR-100)", words.collect::<Vec<_>>().join(", "))
}

/// Writes each answered question with what the other answers would change.
fn write_answers(finding: &FoundLaw, out: &mut dyn Write) -> Result<()> {
    for question in finding.row.questions() {
        let Some((_, answer)) = finding.answers.iter().find(|(key, _)| *key == question.key) else {
            continue;
        };
        let said = if finding.assumed.contains(&question.key) { "assumed" } else { "answered" };
        let others: Vec<String> = finding
            .otherwise(&question)
            .map(|(other, then)| {
                format!("--answer {}={other}: {}", question.key, change(&finding.remedy, &then))
            })
            .collect();
        line(out, said, &format!("{} {answer} ({})", question.text, others.join("; ")))?;
    }
    Ok(())
}

/// Returns in words what another remedy would change.
fn change(now: &Remedy, then: &Remedy) -> String {
    if now == then {
        return "changes nothing".to_owned();
    }
    if then.law != now.law {
        return then.law.to_owned();
    }
    // Of one law, the ruling says which part of it holds.
    let mut parts = vec![then.law.to_owned()];
    if then.points != now.points {
        parts.push(format!("{} points", number(-then.points)));
    }
    if then.effect != now.effect {
        parts.push(if then.effect == "none" {
            "no effect".to_owned()
        } else {
            then.effect.replace('_', " ")
        });
    }
    parts.push(then.next.to_owned());
    parts.join(", ")
}

fn write_after(incident: &Incident, after: &AfterRuling, out: &mut dyn Write) -> Result<()> {
    line(out, "position", &after.position)?;
    let names = &incident.names;
    line(out, "", &table::now(&view(&after.table, As::Table).table, names))?;
    let side = after.table.to_act().map(|seat| (after.table.side_of(seat), seat));
    if let Some((side, seat)) = side.filter(|(side, _)| !after.table.opened(*side)) {
        let minimum = number(after.table.minimum(seat));
        line(out, "to open", &format!("{} needs {minimum}", names.side(side)))?;
    }
    if !incident.lists_steps() {
        return Ok(());
    }
    write_steps(&legal::steps(&after.table), &after.table, out)
}

/// Writes the answer for programs.
pub fn write_json(
    incident: &Incident,
    finding: &FoundLaw,
    proposed: &ProposedRuling,
    judged: &Judged,
    what: &str,
    io: &mut Io<'_>,
) -> Result<()> {
    let FoundLaw { row, remedy, sanction, .. } = finding;
    let answers: Map<String, Value> =
        finding.answers.iter().map(|(key, answer)| ((*key).to_owned(), (*answer).into())).collect();
    let question = |question: Question| {
        let answers: Vec<&str> = question.answers.iter().map(|(answer, _)| *answer).collect();
        let otherwise = finding.otherwise(&question).map(|(answer, then)| {
            json!({
                "answer": answer, "law": then.law, "points": then.points, "effect": then.effect, "next": then.next,
            })
        });
        let otherwise: Value = otherwise.collect();
        json!({
            "key": question.key, "text": question.text, "answers": answers,
            "assumed": finding.assumed.contains(&question.key), "otherwise": otherwise,
        })
    };
    let missing: Vec<&str> = proposed.missing.iter().map(|(word, _)| *word).collect();
    let mut value = json!({
        "format": "canasta-rule/1",
        "irregularity": {"id": row.id, "name": row.name},
        "law": {"id": remedy.law, "text": rulebook::rule(remedy.law).map(|rule| rule.text)},
        "by": sanction.penalty.authorities().collect::<Vec<_>>(),
        "points": {"lowest": sanction.penalty.points.0, "highest": sanction.penalty.points.1, "usual": remedy.points},
        "effects": sanction.penalty.effects().collect::<Vec<_>>(),
        "questions": row.questions().map(question).collect::<Value>(),
        "answers": answers,
        "next": remedy.next,
        "ruling": {"notation": proposed.line, "request": proposed.request(), "missing": missing},
        "others": finding.others.iter().map(|other| {
            json!({"id": other.id, "name": other.name, "law": other.remedy(&other.answers(&[], what)).law})
        }).collect::<Value>(),
    });
    if let Some(reason) = &proposed.refused {
        value["ruling"]["refused"] = reason.as_str().into();
    }
    if proposed.refused.is_some() || matches!(judged, Some(Err(_))) {
        value["ruling"]["request"] = Value::Null;
    }
    if !incident.faults.is_empty() && !finding.by_words {
        value["irregular"] = irregular_value(&incident.faults);
    }
    if let Some(offence) = &incident.offence {
        value["offence"] = offence_value(offence, incident);
    }
    match judged {
        Some(Ok(after)) => {
            value["position"] = after.position.clone().into();
            if incident.lists_steps() {
                value["possible"] = steps_value(&legal::steps(&after.table), &after.table);
            }
        }
        Some(Err(rejection)) => value["violations"] = violations_value(Some(rejection), &incident.rules),
        None => {}
    }
    writeln!(io.out, "{value}")
}

fn offence_value(offence: &Offence, incident: &Incident) -> Value {
    json!({
        "done": offence.is_done,
        "codes": offence.codes().collect::<Vec<_>>(),
        "violations": violations_value(offence.rejection.as_ref(), &incident.rules),
    })
}
