//! The words of knobs: each block becomes an enum, whose values have words.

use std::fmt::Write;

use crate::block::{self, Fault, TextBlock, camel};

const TABLE: &str = "src/rules/knob_words.txt";

/// Returns the enums with their words.
pub fn write() -> Result<String, Fault> {
    let (text, mut out) = (block::read(TABLE), String::new());
    for mut block in TextBlock::all(TABLE, &text) {
        let mut rows = Vec::new();
        while let Some(line) = block.next() {
            rows.push(line.split_once(": ").ok_or_else(|| block.fault("`NAME: MEANING`"))?);
        }
        let (name, meaning) = rows.remove(0);
        let (mut values, mut words) = (String::new(), String::new());
        for (word, meaning) in &rows {
            let value = camel(word);
            let _ = writeln!(values, "/// {meaning}\n{value},");
            let _ = write!(words, "(Self::{value}, {word:?}), ");
        }
        let _ = writeln!(
            out,
            "/// {meaning}\n#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]\n#[repr(u8)]\n\
             pub enum {name} {{\n#[default]\n{values}}}\n\n\
             impl Word for {name} {{\nconst WORDS: &'static [(Self, &'static str)] = &[{words}];\n\n\
             fn index(self) -> u8 {{\nself as u8\n}}\n}}\n"
        );
    }
    Ok(out)
}
