//! `rules variations`: the named variations of rule sets.

use super::parsed;
use crate::rulesets::house::preset;
use crate::shared::io::OutputFormat;
use crate::shared::text::count;
use canasta_engine::rules::{PresetId, Variation};
use serde_json::{Map, Value, json};
use std::io::{Result, Write};

/// Writes every variation of one preset, or of all presets that offer variations.
pub fn list(subject: Option<&str>, format: OutputFormat, out: &mut dyn Write) -> anyhow::Result<()> {
    let presets: Vec<PresetId> = match subject {
        Some(id) => vec![preset(id)?],
        None => PresetId::all().filter(|preset| !preset.variations().is_empty()).collect(),
    };
    if format == OutputFormat::Json {
        let of_preset = |preset: &PresetId| {
            let variations: Value = preset.variations().iter().map(variation_value).collect();
            json!({"id": preset.name(), "title": preset.title(), "variations": variations})
        };
        let rule_sets: Value = presets.iter().map(of_preset).collect();
        return Ok(writeln!(out, "{}", json!({"format": "canasta-rules/1", "rule_sets": rule_sets}))?);
    }
    for (index, preset) in presets.iter().enumerate() {
        let variations = preset.variations();
        let before = if index > 0 { "\n" } else { "" };
        writeln!(
            out,
            "{before}{}: {}, {}",
            preset.name(),
            preset.title(),
            count(variations.len() as u64, "variation")
        )?;
        variations.iter().try_for_each(|one| write_variation(one, out))?;
    }
    Ok(())
}

fn write_variation(one: &Variation, out: &mut dyn Write) -> Result<()> {
    let ours = if one.is_ours { " (our reading)" } else { "" };
    writeln!(out, "\n{}  {}{ours}", one.id, one.title)?;
    writeln!(out, "      {} [{}]", one.sentence, one.rule_ids.join(" "))?;
    for (knob, value) in &one.knobs {
        writeln!(out, "      {knob} = {value}")?;
    }
    if !one.needs.is_empty() {
        writeln!(out, "      needs {}", one.needs.join(" or "))?;
    }
    if !one.excludes.is_empty() {
        writeln!(out, "      not with {}", one.excludes.join(", "))?;
    }
    Ok(())
}

fn variation_value(one: &Variation) -> Value {
    let knobs = one.knobs.iter().map(|(knob, value)| ((*knob).to_owned(), parsed(value)));
    json!({"id": one.id, "title": one.title, "sentence": one.sentence, "rule_ids": one.rule_ids,
        "our_reading": one.is_ours, "knobs": knobs.collect::<Map<_, _>>(), "needs_one_of": one.needs, "excludes": one.excludes})
}
