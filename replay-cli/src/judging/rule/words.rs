//! The answer of `rule`, for people and for programs.

use super::FoundLaw;
use super::incident::Incident;
use super::proposal::{AfterRuling, ProposedRuling};
use crate::judging::irregular::irregular_value;
use crate::judging::ruling::{steps_value, violations_value, write_allowed, write_rejection, write_steps};
use crate::judging::show::table;
use crate::shared::io::{Io, OutputFormat};
use crate::shared::json::translations;
use crate::shared::lines::broken;
use crate::shared::text::{PlayerNames, join, list};
use canasta_engine::action::As;
use canasta_engine::irregularity::{
    Irregularity, Question, QuestionAnswer, Remedy, effect_or_official, law_text,
};
use canasta_engine::rejection::Rejection;
use canasta_engine::text::words::some;
use canasta_engine::view::view;
use canasta_engine::violations::Fact;
use canasta_engine::violations::template::Language;
use serde_json::{Map, Value, json};
use std::io::{Result, Write};

/// Maximum size of the words that say what happened, in bytes.
pub const WHAT_MAX: usize = 1024;

/// Number of columns of the subject of a line.
const SUBJECT: usize = 13;

/// The answer to a call of the table.
pub struct RuleAnswer {
    pub incident: Incident,
    pub finding: FoundLaw,
    pub proposed: ProposedRuling,
    /// The position after the ruling, or why it is refused; `None` if it cannot be judged.
    pub judged: Option<std::result::Result<Box<AfterRuling>, Rejection>>,
    /// The words that say what happened.
    pub what: String,
}

pub fn write(answer: &RuleAnswer, format: OutputFormat, io: &mut Io<'_>) -> Result<()> {
    match format {
        OutputFormat::Text => write_text(answer, io),
        OutputFormat::Json => io.write_value(&value(answer)),
    }
}

fn write_text(answer: &RuleAnswer, io: &mut Io<'_>) -> Result<()> {
    let mut text = Vec::new();
    write_answer(answer, &mut text)?;
    let Some(width) = io.width else { return io.out.write_all(&text) };
    let copied = ["position", "record"].map(|subject| label(&answer.incident.names, subject) + " ");
    for whole in String::from_utf8_lossy(&text).lines() {
        // What is copied from the terminal stays one line.
        if copied.iter().any(|subject| whole.starts_with(subject)) {
            writeln!(io.out, "{whole}")?;
            continue;
        }
        let blanks = whole.len() - whole.trim_start().len();
        let indent = if blanks == 0 { SUBJECT + 1 } else { blanks };
        broken(whole, width, indent).iter().try_for_each(|line| writeln!(io.out, "{line}"))?;
    }
    Ok(())
}

fn write_answer(answer: &RuleAnswer, out: &mut dyn Write) -> Result<()> {
    let RuleAnswer { incident, finding, proposed, judged, what } = answer;
    let (names, language) = (&incident.names, incident.names.language());
    let mut line = |subject: &str, text: &str| write_line(names, subject, text, out);
    for (subject, text) in found(incident, finding, what) {
        line(subject, &text)?;
    }
    let Remedy { law, next, .. } = finding.remedy;
    line("law", &format!("{law}  {}", law_text(law, language)))?;
    line("who_rules", &officials(finding, names))?;
    line("penalty", &penalty(finding, names))?;
    for (subject, text) in answers(finding, names) {
        line(subject, &text)?;
    }
    line("next", next.of(language))?;
    match judged {
        Some(Ok(after)) => write_after(incident, after, out)?,
        Some(Err(rejection)) => {
            line("refused", &names.line("rule_refused", vec![]))?;
            write_rejection(rejection, &incident.rules, &incident.names_for_seat(), out)?;
            proposed.action.iter().try_for_each(|action| write_allowed(action, names, out))?;
        }
        None => {
            if let Some(why) = &incident.why_no_table {
                line("position", &names.line("rule_not_judged", vec![some(why.clone())]))?;
            }
        }
    }
    let mut line = |subject: &str, text: &str| write_line(names, subject, text, out);
    match (judged, &proposed.refused) {
        (Some(Err(_)), _) => line("record", &names.line("rule_no_record", vec![]))?,
        (_, Some(reason)) => {
            line("refused", &names.line("rule_refused", vec![some(proposed.line.clone())]))?;
            line("", reason)?;
        }
        _ => line("record", &proposed.line)?,
    }
    for word in &proposed.missing {
        line("", &names.line("rule_missing", vec![some(*word)]))?;
    }
    if let Some(remark) = proposed.remark {
        line("", &names.line("rule_remark", vec![some(remark)]))?;
    }
    for (place, other) in finding.others.iter().enumerate() {
        let law = other.remedy(&other.answers(&[], what)).law;
        let subject = if place == 0 { "or" } else { "" };
        line(subject, &format!("{law}  {} (--law {law})", other.name.of(language)))?;
    }
    Ok(())
}

fn write_line(names: &PlayerNames, subject: &str, text: &str, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{:<SUBJECT$} {text}", label(names, subject))
}

/// Returns the word before a line.
pub fn label(names: &PlayerNames, subject: &str) -> String {
    names.line("rule_subject", vec![some(subject.to_owned())])
}

/// Returns what was found, in lines with their subjects.
fn found(incident: &Incident, finding: &FoundLaw, what: &str) -> Vec<(&'static str, String)> {
    let names = &incident.names;
    let name = finding.row.name.of(names.language());
    if finding.by_words {
        let from = names.line("rule_from", vec![some(format!("{what:?}"))]);
        return vec![("irregularity", format!("{name}  ({from})"))];
    }
    let mut lines = vec![("irregularity", name.to_owned())];
    // A position that is typed in haste has more defects than the words speak of.
    lines.extend(incident.faults.iter().map(|fault| ("irregular", fault.to_string())));
    let Some(offence) = &incident.offence else { return lines };
    lines.push((if offence.is_done { "broken" } else { "refused" }, list(offence.codes())));
    let first = offence.rejection.iter().flat_map(|rejection| &rejection.violations).next();
    lines.extend(first.map(|violation| ("", incident.names_for_seat().violation(violation))));
    lines
}

fn officials(finding: &FoundLaw, names: &PlayerNames) -> String {
    // The rules themselves are nobody whom a table can call.
    let by = finding.sanction.penalty.authorities().filter(|by| *by != "auto");
    let in_words = |by| match names.language() {
        Language::English if by == "table" => "both sides together".to_owned(),
        language => effect_or_official(by, language),
    };
    names.line("rule_officials", vec![some(join(by.map(in_words), ", "))])
}

fn penalty(finding: &FoundLaw, names: &PlayerNames) -> String {
    let penalty = finding.sanction.penalty;
    let (low, usual) = (-penalty.points.0, -finding.remedy.points);
    let points = (low != 0).then(|| Fact::Text(names.number(low)));
    let effects = join(penalty.effects().map(|effect| effect_or_official(effect, names.language())), ", ");
    let effects = Some(effects).filter(|effects| !effects.is_empty());
    names.line("rule_penalty", vec![points, some(names.number(usual)), effects.map(Fact::Text)])
}

/// Returns each answered question with what the other answers would change.
fn answers(finding: &FoundLaw, names: &PlayerNames) -> Vec<(&'static str, String)> {
    let language = names.language();
    let told = |question: Question| {
        let (_, answer) = finding.answers.iter().find(|(key, _)| *key == question.key)?;
        let answer = question.answers.iter().find(|other| other.key() == *answer)?.word.of(language);
        let subject = if finding.assumed.contains(&question.key) { "assumed" } else { "answered" };
        let other = |(other, then): (QuestionAnswer, Remedy)| {
            let changed = change(&finding.remedy, &then, names);
            format!("--answer {}={}: {changed}", question.key, other.word.of(language))
        };
        let others = join(finding.otherwise(&question).map(other), "; ");
        Some((subject, format!("{} {answer} ({others})", question.text.of(language))))
    };
    finding.row.questions().filter_map(told).collect()
}

/// Returns in words what another remedy would change.
fn change(now: &Remedy, then: &Remedy, names: &PlayerNames) -> String {
    if now == then {
        return names.line("rule_same", vec![]);
    }
    if then.law != now.law {
        return then.law.to_owned();
    }
    // Of one law, the ruling says which part of it holds.
    let mut parts = vec![then.law.to_owned()];
    if then.points != now.points {
        parts.push(names.line("rule_points", vec![some(names.number(-then.points))]));
    }
    if then.effect != now.effect {
        parts.push(match (then.effect, names.language()) {
            ("none", _) => names.line("rule_no_effect", vec![]),
            (effect, Language::English) => effect.replace('_', " "),
            (effect, language) => effect_or_official(effect, language),
        });
    }
    parts.push(then.next.of(names.language()).to_owned());
    parts.join(", ")
}

fn write_after(incident: &Incident, after: &AfterRuling, out: &mut dyn Write) -> Result<()> {
    let names = &incident.names;
    let mut line = |subject: &str, text: &str| write_line(names, subject, text, out);
    line("position", &after.position)?;
    line("", &table::now(&view(&after.table, As::Table).table, names))?;
    let side = after.table.to_act().map(|seat| (after.table.side_of(seat), seat));
    if let Some((side, seat)) = side.filter(|(side, _)| !after.table.opened(*side)) {
        let minimum = names.number(after.table.minimum(seat));
        line("to_open", &names.line("rule_minimum", vec![some(names.side(side)), some(minimum)]))?;
    }
    if !incident.lists_steps() {
        return Ok(());
    }
    write_steps(&after.table, names, out)
}

/// Returns a question with what the other answers would lead to.
fn question_value(finding: &FoundLaw, question: &Question) -> Value {
    let otherwise = |(answer, then): (QuestionAnswer, Remedy)| {
        let mut value = json!({
            "answer": answer.key(), "law": then.law, "points": then.points, "effect": then.effect,
            "next": then.next.of(Language::English),
        });
        value["translations"] = translations(
            |language| json!({"answer": answer.word.of(language), "next": then.next.of(language)}),
        );
        value
    };
    json!({
        "key": question.key, "text": question.text.of(Language::English),
        "answers": question.answers.iter().map(QuestionAnswer::key).collect::<Vec<_>>(),
        "assumed": finding.assumed.contains(&question.key),
        "otherwise": finding.otherwise(question).map(otherwise).collect::<Value>(),
    })
}

fn texts_value(FoundLaw { row, remedy, sanction, .. }: &FoundLaw, language: Language) -> Value {
    let question = |question: Question| {
        let words: Vec<&str> = question.answers.iter().map(|answer| answer.word.of(language)).collect();
        json!({"key": question.key, "text": question.text.of(language), "answers": words})
    };
    json!({
        "irregularity": row.name.of(language),
        "law": law_text(remedy.law, language),
        "sanction": sanction.in_words(language),
        "questions": row.questions().map(question).collect::<Value>(),
        "next": remedy.next.of(language),
    })
}

fn value(answer: &RuleAnswer) -> Value {
    let RuleAnswer { incident, finding, proposed, judged, what } = answer;
    let FoundLaw { row, remedy, sanction, .. } = finding;
    let answers: Map<String, Value> =
        finding.answers.iter().map(|(key, answer)| ((*key).to_owned(), (*answer).into())).collect();
    let mut value = json!({
        "format": "canasta-rule/1",
        "irregularity": {"id": row.id, "name": row.name.of(Language::English)},
        "law": {"id": remedy.law, "text": law_text(remedy.law, Language::English)},
        "by": sanction.penalty.authorities().collect::<Vec<_>>(),
        "points": {"lowest": sanction.penalty.points.0, "highest": sanction.penalty.points.1, "usual": remedy.points},
        "effects": sanction.penalty.effects().collect::<Vec<_>>(),
        "questions": row.questions().map(|question| question_value(finding, &question)).collect::<Value>(),
        "answers": answers,
        "next": remedy.next.of(Language::English),
        "ruling": {"notation": proposed.line, "request": proposed.request(), "missing": proposed.missing},
        "others": finding.others.iter()
            .map(|other| other_value(other, other.remedy(&other.answers(&[], what)).law))
            .collect::<Value>(),
        "translations": translations(|language| texts_value(finding, language)),
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
        value["offence"] = json!({
            "done": offence.is_done,
            "codes": offence.codes().collect::<Vec<_>>(),
            "violations": violations_value(offence.rejection.as_ref(), &incident.rules),
        });
    }
    match judged {
        Some(Ok(after)) => {
            value["position"] = after.position.clone().into();
            if incident.lists_steps() {
                value["possible"] = steps_value(&after.table);
            }
        }
        Some(Err(rejection)) => value["violations"] = violations_value(Some(rejection), &incident.rules),
        None => {}
    }
    value
}

/// Returns an irregularity that may be meant, with its law.
pub fn other_value(row: &Irregularity, law: &str) -> Value {
    let name = |language| json!({"name": row.name.of(language)});
    json!({"id": row.id, "name": row.name.of(Language::English), "law": law, "translations": translations(name)})
}
