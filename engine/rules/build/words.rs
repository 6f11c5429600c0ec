//! The words of knobs: each block becomes an enum, whose values have words.

use std::fmt::Write;

use crate::block::{self, Fault, TextBlock, camel};

const TABLE: &str = "src/rules/knob_words.txt";

/// A type whose values have words: its name, and the words with their meanings.
pub type WordKind = (String, Vec<(String, String)>);

/// Returns the enums with their words, and the words of all types.
pub fn write() -> Result<(String, Vec<WordKind>), Fault> {
    let (text, mut out, mut kinds) = (block::read(TABLE), String::new(), Vec::new());
    for mut block in TextBlock::all(TABLE, &text) {
        let is_made_elsewhere = block.begins_with("also ");
        let mut rows = Vec::new();
        while let Some(line) = block.next() {
            rows.push(line.split_once(": ").ok_or_else(|| block.fault("`NAME: MEANING`"))?);
        }
        let (name, meaning) = rows.remove(0);
        let words = rows.iter().map(|&(word, meaning)| (word.to_owned(), meaning.to_owned()));
        let name = name.trim_start_matches("also ");
        kinds.push((name.to_owned(), words.collect()));
        if is_made_elsewhere {
            continue;
        }
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
    Ok((out, kinds))
}
