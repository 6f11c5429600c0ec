//! Answers of `rule` without a ruling: nothing, a topic of the rules, lawful acts, or several matters to choose from.

use super::Args;
use super::allowed::AllowedAct;
use super::incident::Incident;
use super::words::other_value;
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::json::translations;
use crate::shared::text::PlayerNames;
use canasta_engine::irregularity::heard::Matter;
use canasta_engine::irregularity::{Irregularity, Topic, law_text};
use canasta_engine::text::words::some;
use canasta_engine::violations::template::Language;
use serde_json::{Value, json};
use std::io::Write;

/// Says that nothing irregular was found, and how to go on.
pub fn nothing(incident: &Incident, args: &Args, what: &str, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let legal = incident.is_action && incident.position.is_some();
    if args.format == OutputFormat::Json {
        io.write_value(&json!({"format": "canasta-rule/1", "irregularity": null, "legal": legal}))?;
        return Ok(Exit::Findings);
    }
    let names = &incident.names;
    let said = match (&incident.record, what.is_empty()) {
        (Some(record), true) => names.line("rule_record", vec![some(names.number(record.number))]),
        _ if legal => names.line("rule_legal", vec![]),
        (None, true) => names.line("rule_unsaid", vec![]),
        _ => names.line("rule_nothing", vec![some(format!("{what:?}"))]),
    };
    writeln!(io.out, "{said}")?;
    Ok(Exit::Findings)
}

/// Says what the words may be about, and asks which it is.
pub fn few(
    matters: &[Matter],
    incident: &Incident,
    args: &Args,
    what: &str,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let law = |row: &Irregularity| row.remedy(&row.answers(&[], what)).law;
    if args.format == OutputFormat::Json {
        let value = |matter: &Matter| match matter {
            Matter::Irregularity(row) => other_value(row, law(row)),
            Matter::Topic(topic) => topic_value(topic, incident),
        };
        let candidates: Vec<Value> = matters.iter().map(value).collect();
        io.write_value(&json!({
            "format": "canasta-rule/1", "irregularity": null, "legal": false, "candidates": candidates,
        }))?;
        return Ok(Exit::Findings);
    }
    let names = &incident.names;
    writeln!(io.out, "{}", names.line("rule_few", vec![some(format!("{what:?}"))]))?;
    for matter in matters {
        let name = matter.name().of(names.language());
        match matter {
            Matter::Irregularity(row) => writeln!(io.out, "  {}  {name} (--law {})", law(row), law(row))?,
            Matter::Topic(topic) => {
                let rule = topic.rules(&incident.rules.books())[0];
                writeln!(io.out, "  {rule}  {name}: {}", law_text(rule, names.language()))?;
            }
        }
    }
    Ok(Exit::Findings)
}

/// Says what the rules say of a topic: nobody has offended, and nothing is ruled.
pub fn topic(topic: &Topic, incident: &Incident, args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.format == OutputFormat::Json {
        io.write_value(&json!({
            "format": "canasta-rule/1", "irregularity": null, "legal": false, "topic": topic_value(topic, incident),
        }))?;
        return Ok(Exit::Findings);
    }
    let names = &incident.names;
    let name = topic.name.of(names.language()).to_owned();
    writeln!(io.out, "{}", names.line("rule_topic", vec![some(name)]))?;
    write_rules(&topic.rules(&incident.rules.books()), names, io)
}

fn topic_value(topic: &Topic, incident: &Incident) -> Value {
    let name = |language| json!({"name": topic.name.of(language)});
    json!({"id": topic.id, "name": topic.name.of(Language::English), "rule_ids": topic.rules(&incident.rules.books()),
        "translations": translations(name)})
}

/// Writes rules with their texts, and what to do if they do not settle it.
fn write_rules(ids: &[&'static str], names: &PlayerNames, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    for id in ids {
        writeln!(io.out, "  {id}  {}", law_text(id, names.language()))?;
    }
    writeln!(io.out, "  {}", names.line("rule_else", vec![]))?;
    Ok(Exit::Findings)
}

/// Says that the rules allow what the words name: nothing is ruled, and nothing recorded.
pub fn allowed(act: &AllowedAct, names: &PlayerNames, args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.format == OutputFormat::Json {
        io.write_value(&json!({
            "format": "canasta-rule/1", "irregularity": null, "legal": true, "actions": act.actions, "rule_ids": act.rules,
        }))?;
        return Ok(Exit::Findings);
    }
    writeln!(io.out, "{}", names.line("rule_allowed", vec![some(act.actions.join(", "))]))?;
    write_rules(&act.rules, names, io)
}
