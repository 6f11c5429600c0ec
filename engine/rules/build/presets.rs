//! The presets: each block becomes a row with all knobs that differ from the defaults or once did in its base.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::block::{self, Fault, TextBlock};
use crate::knobs::NamedKnob;

const TABLE: &str = "src/rules/presets.txt";

/// The knobs that a preset sets, by their numbers, each with its value.
type Values<'a> = BTreeMap<usize, &'a str>;

/// Returns the table of presets. `knobs` are all knobs, in order.
pub fn write(knobs: &[NamedKnob]) -> Result<String, Fault> {
    let text = block::read(TABLE);
    let (mut rows, mut known) = (String::new(), BTreeMap::<&str, Values<'_>>::new());
    for mut block in TextBlock::all(TABLE, &text) {
        let head = block.required("[")?.split_once("] ");
        let (name, title) = head.ok_or_else(|| block.fault("`[NAME] title`"))?;
        let sentence = block.next().unwrap_or_default();
        let books: Vec<&str> = block.required("books ")?.split(" | ").collect();
        let guessed: Vec<&str> =
            block.optional("guessed ").map_or(Vec::new(), |names| names.split(' ').collect());
        let mut values = match block.optional("from ") {
            Some(base) => known.get(base).cloned().ok_or_else(|| block.fault("a preset above"))?,
            None => Values::new(),
        };
        let mut next = 0;
        while let Some(line) = block.next() {
            let (name, value) = line.split_once(" = ").ok_or_else(|| block.fault("`KNOB = VALUE`"))?;
            let number = (next..knobs.len()).find(|&number| knobs[number].name == name);
            let number = number.ok_or_else(|| block.fault("a later knob of knobs.txt"))?;
            values.insert(number, value);
            next = number + 1;
        }
        let listed: Vec<_> = values.iter().collect();
        let _ = writeln!(
            rows,
            "Preset {{ name: {name:?}, title: {title:?}, sentence: {sentence:?}, books: &{books:?}, \
             guessed: &{guessed:?}, knobs: &{listed:?} }},"
        );
        known.insert(name, values);
    }
    Ok(format!("const TABLE: [Preset; {}] = [\n{rows}];\n", known.len()))
}
