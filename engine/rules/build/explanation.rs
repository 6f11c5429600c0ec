//! The rules of a game in sentences: the sections and rows of `table.txt`, with conditions as tests of rule sets.

use std::fmt::Write;

use crate::block::{self, Fault, TextBlock};
use crate::forbidden::condition;
use crate::knobs::NamedKnob;

const TABLE: &str = "src/explanation/table.txt";

/// Returns the words as constants, and the table `SECTIONS`.
pub fn write(knobs: &[NamedKnob]) -> Result<String, Fault> {
    let (text, mut out, mut sections) = (block::read(TABLE), String::new(), String::new());
    for mut block in TextBlock::all(TABLE, &text) {
        if block.optional("words").is_some() {
            while let Some(line) = block.next() {
                let word =
                    line.split_once(": ").and_then(|(name, texts)| Some((name, texts.split_once(" | ")?)));
                let (name, (english, german)) =
                    word.ok_or_else(|| block.fault("`NAME: ENGLISH | GERMAN`"))?;
                let _ = writeln!(
                    out,
                    "const {}: Translated = Translated::new([{english:?}, {german:?}]);",
                    name.to_uppercase()
                );
            }
        } else if let Some(name) = block.optional("[") {
            let title = texts(&mut block)?;
            let end = if sections.is_empty() { "" } else { "] },\n" };
            let name = name.trim_end_matches(']');
            let _ = writeln!(sections, "{end}SectionRow {{ name: {name:?}, title: {title}, rows: &[");
        } else {
            sections.push_str(&row(&mut block, knobs)?);
        }
    }
    let _ = writeln!(out, "static SECTIONS: &[SectionRow] = &[\n{sections}] }},\n];");
    Ok(out)
}

fn row(block: &mut TextBlock<'_>, knobs: &[NamedKnob]) -> Result<String, Fault> {
    let (mut named, mut tests) = (Vec::new(), Vec::new());
    if block.begins_with("when ") || block.begins_with("if ") {
        let line = block.required("")?;
        for part in line.strip_prefix("when ").unwrap_or(line).split("; ") {
            tests.push(condition(part, knobs, &mut named).ok_or_else(|| block.fault("conditions"))?);
        }
    }
    let rules = block.optional("rules ").map(str::to_owned);
    let text = texts(block)?;
    let pieces = text.split('{').filter_map(|piece| piece.split([',', '}']).next());
    let mut facts: Vec<&str> = pieces.filter(|name| knob_of(name, knobs).is_some()).collect();
    facts.sort_unstable();
    facts.dedup();
    let of_facts = || named.iter().chain(&facts).filter_map(|name| knob_of(name, knobs));
    let rules =
        rules.unwrap_or_else(|| of_facts().map(|knob| knob.rules.as_str()).collect::<Vec<_>>().join(" "));
    let test = if tests.is_empty() { "|_| true".into() } else { format!("|s| {}", tests.join(" && ")) };
    Ok(format!("SentenceRow {{ holds: {test}, facts: &{facts:?}, rules: {rules:?}, text: {text} }},\n"))
}

/// Returns the knob that a name in braces stands for: `talons`, or `talons_2` for the second number of its list.
fn knob_of<'a>(name: &str, knobs: &'a [NamedKnob]) -> Option<&'a NamedKnob> {
    let named = |name: &str| knobs.iter().find(|knob| knob.name == name);
    named(name).or_else(|| named(name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('_')?))
}

/// Reads a text in each language, as Rust.
fn texts(block: &mut TextBlock<'_>) -> Result<String, Fault> {
    let (english, german) = (block.required("en: ")?, block.required("de: ")?);
    block.finish()?;
    Ok(format!("Translated::new([{english:?}, {german:?}])"))
}
