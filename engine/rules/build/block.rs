//! Files of text: blocks of lines in a fixed order, with blank lines between and comments that begin with `#`.

use std::fmt::Display;
use std::fs;

/// A fault of a file: its name, the number of the line, what was expected and what was found.
pub type Fault = String;

/// Lines up to a blank line.
pub struct TextBlock<'a> {
    pub file: &'a str,
    lines: Vec<(usize, &'a str)>,
    /// The number of lines that were read.
    read: usize,
}

/// Reads a file of the crate.
pub fn read(file: &str) -> String {
    println!("cargo::rerun-if-changed={file}");
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

impl<'a> TextBlock<'a> {
    /// Returns the blocks of a file.
    pub fn all(file: &'a str, text: &'a str) -> Vec<Self> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
        let lines: Vec<_> = lines.collect();
        let blocks = lines.split(|(_, line)| line.is_empty()).filter(|lines| !lines.is_empty());
        blocks.map(|lines| Self { file, lines: lines.to_vec(), read: 0 }).collect()
    }

    /// Returns the number of the line that was read last; of the first line if none was.
    pub fn line(&self) -> usize {
        self.lines[self.read.saturating_sub(1)].0
    }

    /// Returns the fault of the line that was read last.
    pub fn fault(&self, expected: impl Display) -> Fault {
        let (line, found) = self.lines[self.read.saturating_sub(1)];
        format!("{}:{line}: expected {expected}, found `{found}`", self.file)
    }

    /// Reads the next line.
    pub fn next(&mut self) -> Option<&'a str> {
        let (_, line) = self.lines.get(self.read)?;
        self.read += 1;
        Some(line)
    }

    /// Whether the next line begins with `key`.
    pub fn begins_with(&self, key: &str) -> bool {
        self.lines.get(self.read).is_some_and(|(_, line)| line.starts_with(key))
    }

    /// Reads what follows `key` in the next line, if this line begins so.
    pub fn optional(&mut self, key: &str) -> Option<&'a str> {
        let value = self.lines.get(self.read)?.1.strip_prefix(key)?;
        self.read += 1;
        Some(value)
    }

    /// Reads what follows `key` in the next line, which must begin so.
    pub fn required(&mut self, key: &str) -> Result<&'a str, Fault> {
        self.optional(key).ok_or_else(|| self.next_fault(format_args!("`{key}...`")))
    }

    /// Reads the next line as `key` and a number.
    pub fn number(&mut self, key: &str) -> Result<u16, Fault> {
        self.required(key)?.parse().map_err(|_| self.fault(format_args!("a number after `{key}`")))
    }

    /// Checks that all lines have been read.
    pub fn finish(&self) -> Result<(), Fault> {
        if self.read < self.lines.len() { Err(self.next_fault("a blank line")) } else { Ok(()) }
    }

    fn next_fault(&self, expected: impl Display) -> Fault {
        let end = (self.lines.last().map_or(1, |(line, _)| line + 1), "");
        let (line, found) = self.lines.get(self.read).unwrap_or(&end);
        format!("{}:{line}: expected {expected}, found `{found}`", self.file)
    }
}

/// Returns `GAME_OVER` and `game_over` as `GameOver`.
pub fn camel(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    });
    words.collect()
}
