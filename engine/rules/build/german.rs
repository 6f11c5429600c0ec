//! The texts that people read about knobs: the tables in English beside `german.txt`, which has the same rows.

use std::fmt::Write;

use crate::block::{self, Fault, TextBlock};
use crate::knobs::NamedKnob;
use crate::words::WordKind;

const TABLE: &str = "src/rules/german.txt";

/// Returns the texts of all knobs in `KNOB_TEXTS`, and `REASONS`: what contradicts what in German, a row per row of `FORBIDDEN`.
pub fn write(knobs: &[NamedKnob], words: &[WordKind], reasons: &[String]) -> Result<String, Fault> {
    let text = block::read(TABLE);
    let mut blocks = TextBlock::all(TABLE, &text).into_iter();
    let end = || format!("{TABLE}: expected more blocks, found the end");
    let mut groups = Vec::new();
    for group in knobs.chunk_by(|a, b| a.group == b.group) {
        let mut block = blocks.next().ok_or_else(end)?;
        let title = block.required(&format!("[{}] ", group[0].group))?;
        for knob in group {
            let meaning = block.required(&format!("{}: ", knob.name))?;
            let range = knob.range.replace(" to ", " bis ").replace(',', ".");
            groups.push((title, meaning.replace("{range}", &range)));
        }
        block.finish()?;
    }
    let mut lists = Vec::new();
    for (kind, rows) in words {
        let mut block = blocks.next().ok_or_else(end)?;
        block.required(&format!("words {kind}"))?;
        let mut list = String::new();
        for (word, meaning) in rows {
            let german = block.required(&format!("{word}: "))?;
            let _ = write!(list, "Translated::new([{meaning:?}, {german:?}]), ");
        }
        block.finish()?;
        lists.push((kind, list));
    }
    let mut known = Vec::new();
    for mut block in blocks {
        let english = block.required("= ")?;
        known.push((english, block.required("")?));
        block.finish()?;
    }
    let mut out = String::from("static KNOB_TEXTS: [KnobTexts; KNOBS.len()] = [\n");
    for (knob, (group, german)) in knobs.iter().zip(groups) {
        let list = lists.iter().find(|(kind, _)| is_of(&knob.kind, kind)).map_or("", |(_, list)| list);
        let _ = writeln!(
            out,
            "KnobTexts {{ group: Translated::new([{:?}, {group:?}]), meaning: Translated::new([{:?}, {german:?}]), words: &[{list}] }},",
            knob.group, knob.meaning
        );
    }
    out.push_str("];\n\nstatic REASONS: [&str; FORBIDDEN.len()] = [\n");
    for english in reasons {
        let (_, german) = known.iter().find(|(known, _)| known == english).ok_or_else(|| {
            format!("{TABLE}: expected `= {english}` and its German, as forbidden.txt has it")
        })?;
        let _ = writeln!(out, "{german:?},");
    }
    out.push_str("];\n");
    match known.iter().find(|(english, _)| !reasons.iter().any(|reason| reason == english)) {
        Some((english, _)) => Err(format!("{TABLE}: forbidden.txt does not have `{english}`")),
        None => Ok(out),
    }
}

/// Whether the values of a knob of the type `knob`, or the members or entries of its values, have the words of `kind`.
fn is_of(knob: &str, kind: &str) -> bool {
    let member = knob.strip_prefix("RankMap<").and_then(|rest| rest.strip_suffix('>'));
    member.unwrap_or(knob) == kind
        || knob == "Classes" && kind == "Class"
        || knob.strip_suffix('s') == Some(kind)
}
