//! The rule set at the beginning of a position: a preset, then the knobs that differ from the preset.

use super::span::{Read, Span};
use crate::rules::{Knob, PresetId, RuleSet, Rules};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Parses `classic-4p` or `classic-4p take_layoff=incomplete ...`.
pub fn read(head: Span<'_>) -> Read<Arc<Rules>> {
    let (name, knobs) = head.word();
    let base = PresetId::from_name(&name.text.to_ascii_lowercase())
        .ok_or_else(|| name.error("a preset such as classic-4p"))?;
    let mut set = base.rule_set();
    for word in knobs.words() {
        let (knob, value) = word.cut('=').ok_or_else(|| word.error("a knob and its value, knob=value"))?;
        let knob = Knob::named(knob.text).ok_or_else(|| knob.error("the name of a knob"))?;
        if !spellings(value.text).into_iter().any(|json| set.change(knob.name, &json).is_ok()) {
            let mut error = value.error("a value of this knob");
            error.found =
                format!("{}; {} takes {}", error.found, knob.name, knob.expected().replace('"', ""));
            return Err(error);
        }
    }
    Rules::house(base, set, None).map(Arc::new).map_err(|fault| {
        let mut error = head.error("knobs that fit together and are played");
        error.found = format!("{fault}");
        error
    })
}

/// Returns the spellings that a value may have in the canonical form of rule sets: the value as it is, a
/// word, a boolean or empty list, a list of words.
fn spellings(value: &str) -> [String; 4] {
    let boolean = match value {
        "yes" => "true",
        "no" => "false",
        "none" => "[]",
        _ => value,
    };
    let words: Vec<String> = value.split(',').map(|word| format!("\"{word}\"")).collect();
    [String::from(value), format!("\"{value}\""), String::from(boolean), format!("[{}]", words.join(","))]
}

/// Appends the preset and every knob that differs from it.
pub fn write(rules: &Rules, out: &mut String) {
    out.push_str(rules.base().name());
    let base = rules.base().rule_set();
    for knob in rules.set().differences(&base) {
        out.push(' ');
        out.push_str(knob.name);
        out.push('=');
        out.push_str(&value(knob, rules.set()));
    }
}

fn value(knob: &Knob, set: &RuleSet) -> String {
    let json = knob.value(set);
    match json.as_str() {
        "true" => return String::from("yes"),
        "false" => return String::from("no"),
        "[]" => return String::from("none"),
        _ => {}
    }
    if let Some(words) = json.strip_prefix("[\"").and_then(|rest| rest.strip_suffix("\"]")) {
        return words.replace("\",\"", ",");
    }
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(word) => String::from(word),
        None => json,
    }
}
