//! `rules knobs`: what each knob means, what it may hold, which presets hold what, and what does not go together.

use super::parsed;
use crate::rulesets::house::{RuleSetFile, near};
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::json::translations;
use crate::shared::text::{count, list};
use anyhow::anyhow;
use canasta_engine::rules::{KNOBS, Knob, KnobForm, PresetId, knobs_by_group};
use canasta_engine::violations::template::Language;
use serde_json::{Value, json};
use std::io::{Result, Write};

/// The arguments of `rules knobs`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct KnobsArgs {
    /// A rule set whose values are shown too (a preset, *.toml or *.clog), and knobs [default: all]
    #[arg(value_name = "ID|FILE|KNOB", num_args = 0..)]
    names: Vec<String>,
    /// Format of the list
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Examples:
  canasta-replay rules knobs                               all knobs by groups, each with what it may hold
  canasta-replay rules knobs wild_ratio                    one knob, whole
  canasta-replay rules knobs hoyle-2p wild_ratio           with the value of a rule set
  canasta-replay rules knobs --lang de go_out_total";

/// Writes the knobs that are named, or all of them.
pub fn list_knobs(args: &KnobsArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (mut knobs, mut subject) = (Vec::new(), None);
    for name in &args.names {
        match Knob::named(name) {
            Some(knob) => knobs.push(knob),
            None if subject.is_none() => subject = Some(found(name, io)?),
            None => return Err(unknown(name)),
        }
    }
    let is_whole = !knobs.is_empty();
    if !is_whole {
        knobs = knobs_by_group();
    }
    let (language, out) = (io.language, &mut io.out);
    if args.format == OutputFormat::Json {
        let knobs: Value = knobs.iter().map(|knob| knob_value(knob, subject.as_ref())).collect();
        writeln!(out, "{}", json!({"format": "canasta-rules/1", "knobs": knobs}))?;
        return Ok(Exit::Clean);
    }
    let mut group = "";
    for (index, knob) in knobs.iter().enumerate() {
        let value = subject.as_ref().map(|file| knob.value(&file.set));
        if is_whole {
            if index > 0 {
                writeln!(out)?;
            }
            write_whole(knob, value.as_deref(), language, out)?;
            continue;
        }
        let heading = knob.group().of(language);
        if group != heading {
            writeln!(out, "{}{heading}", if group.is_empty() { "" } else { "\n" })?;
            group = heading;
        }
        let holds = value.unwrap_or_else(|| knob.expected());
        writeln!(out, "  {} = {holds}\n      {}", knob.name, knob.meaning().of(language))?;
    }
    Ok(Exit::Clean)
}

fn found(name: &str, io: &mut Io<'_>) -> anyhow::Result<RuleSetFile> {
    let is_file = name.contains(['.', '/']) || name == "-";
    if is_file || PresetId::from_name(name).is_some() {
        RuleSetFile::find(name, io)
    } else {
        Err(unknown(name))
    }
}

fn unknown(name: &str) -> anyhow::Error {
    let names = KNOBS.iter().map(|knob| knob.name).chain(PresetId::all().map(PresetId::name));
    anyhow!("expected knobs and at most one rule set, found {name:?}{}", near(name, names))
}

/// Writes all about a knob. `value` is its value in the rule set that was asked about.
fn write_whole(knob: &Knob, value: Option<&str>, language: Language, out: &mut dyn Write) -> Result<()> {
    let value = value.map(|value| format!(" = {value}")).unwrap_or_default();
    writeln!(out, "{}{value}   {}", knob.name, knob.group().of(language))?;
    writeln!(out, "      {} [{}]", knob.meaning().of(language), knob.rule_ids.join(" "))?;
    write_choices(knob, language, out)?;
    writeln!(out, "      default {}", knob.default_value())?;
    for (value, presets) in knob.uses() {
        match presets.len() {
            1..=6 => writeln!(out, "      {value} in {}", list(presets.iter().map(|preset| preset.name())))?,
            many => writeln!(out, "      {value} in {}", count(many as u64, "preset"))?,
        }
    }
    for conflict in knob.conflicts() {
        writeln!(
            out,
            "      {}: {}: {}",
            conflict.detail,
            conflict.knobs.join(", "),
            conflict.why.of(language)
        )?;
    }
    Ok(())
}

/// Writes what a knob may hold, and what its words mean.
pub fn write_choices(knob: &Knob, language: Language, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "      {}", knob.expected())?;
    let choices = knob.choices();
    let width = choices.iter().map(|(word, _)| word.chars().count()).max().unwrap_or_default();
    for (word, meaning) in choices.into_iter().filter_map(|(word, meaning)| Some((word, meaning?))) {
        writeln!(out, "        {word:width$}  {}", meaning.of(language))?;
    }
    Ok(())
}

fn knob_value(knob: &Knob, subject: Option<&RuleSetFile>) -> Value {
    let texts = |language: Language| {
        let words: Value = (knob.choices().into_iter())
            .map(|(word, meaning)| json!({"value": parsed(&word), "meaning": meaning.map(|of| of.of(language))}))
            .collect();
        let conflicts: Value = (knob.conflicts().into_iter())
            .map(|conflict| json!({"detail": conflict.detail, "knobs": conflict.knobs, "why": conflict.why.of(language)}))
            .collect();
        json!({"group": knob.group().of(language), "meaning": knob.meaning().of(language), "words": words,
            "conflicts": conflicts})
    };
    let presets = knob.uses().into_iter().map(|(value, ids)| {
        let ids: Vec<&str> = ids.into_iter().map(PresetId::name).collect();
        json!({"value": parsed(&value), "rule_sets": ids})
    });
    let mut value = texts(Language::English);
    let (min, max) = knob.range;
    value["knob"] = knob.name.into();
    value["form"] = form(knob.form).into();
    if min != i32::MIN {
        value["minimum"] = min.into();
        value["maximum"] = max.into();
        value["step"] = if knob.holds_points { 5 } else { 1 }.into();
    }
    value["default"] = parsed(&knob.default_value());
    if let Some(file) = subject {
        value["value"] = parsed(&knob.value(&file.set));
    }
    value["presets"] = presets.collect();
    value["rule_ids"] = knob.rule_ids.into();
    value["translations"] = translations(texts);
    value
}

fn form(form: KnobForm) -> &'static str {
    match form {
        KnobForm::Switch => "switch",
        KnobForm::Word => "word",
        KnobForm::Words => "words",
        KnobForm::Number => "number",
        KnobForm::Numbers => "numbers",
        KnobForm::ByRank => "by_rank",
        KnobForm::Bands => "bands",
        KnobForm::CardPoints => "card_points",
    }
}
