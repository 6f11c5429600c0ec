//! Colours of text results: red suits, and the words of verdicts.
//!
//! Results are written without colours; a [`Painter`] between a command and the terminal adds them line by line.
//! Documents for programs are passed on as they are.

use clap::ValueEnum;
use std::ffi::OsString;
use std::io::{Result, Write};

/// When results have colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ColorChoice {
    /// At a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Whether the environment asks for no colours: `NO_COLOR` is set, or the terminal can show none.
pub fn wants_no_color(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    is_set || variable("TERM").is_some_and(|terminal| terminal == "dumb")
}

impl ColorChoice {
    /// Returns whether results have colours. `unwanted` says that the environment asks for none.
    pub fn holds(self, is_terminal: bool, unwanted: bool) -> bool {
        match self {
            Self::Auto => is_terminal && !unwanted,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

const RED: &str = "31";
const GREEN: &str = "1;32";
const YELLOW: &str = "1;33";
const ALARM: &str = "1;31";

/// The words that begin a line, with their colours. Longer ones come before words that begin them.
const VERDICTS: &[(&str, &str)] = &[
    ("NOT LEGAL", ALARM),
    ("LEGAL", GREEN),
    ("DEPENDS", YELLOW),
    ("IRREGULAR", ALARM),
    ("ILLEGAL", ALARM),
    ("refused", ALARM),
    ("allowed", GREEN),
];

/// The words that end a line, with their colours: verdicts of an audit.
const ENDS: &[(&str, &str)] = &[
    (" CLEAN", GREEN),
    (" ALTERED", ALARM),
    (" ILLEGAL", ALARM),
    (" CLERICAL", YELLOW),
    (" INCOMPLETE", YELLOW),
    (" CONDITIONAL", YELLOW),
    (" NOT_A_LOG", YELLOW),
];

/// A writer that adds colours to lines of text.
pub struct Painter<W: Write> {
    inner: W,
    line: Vec<u8>,
    /// A flag: the result is for people; unknown before the first byte.
    paints: Option<bool>,
}

impl<W: Write> Painter<W> {
    pub fn new(inner: W) -> Self {
        Self { inner, line: Vec::new(), paints: None }
    }

    fn end_line(&mut self) -> Result<()> {
        let line = std::mem::take(&mut self.line);
        match std::str::from_utf8(&line) {
            Ok(text) => self.inner.write_all(painted(text).as_bytes()),
            Err(_) => self.inner.write_all(&line),
        }
    }
}

impl<W: Write> Write for Painter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let first = bytes.first();
        let paints = *self.paints.get_or_insert(!first.is_some_and(|byte| b"{<".contains(byte)));
        if !paints {
            return self.inner.write(bytes);
        }
        for &byte in bytes {
            self.line.push(byte);
            if byte == b'\n' {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.end_line()?;
        self.inner.flush()
    }
}

fn painted(line: &str) -> String {
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    let (verdict, rest) = match VERDICTS.iter().find(|(word, _)| text.starts_with(word)) {
        Some((word, color)) => (colored(word, color), &text[word.len()..]),
        None => (String::new(), text),
    };
    let (rest, last) = match ENDS.iter().find(|(word, _)| rest.ends_with(word)) {
        Some((word, color)) => (&rest[..rest.len() - word.len()], colored(word, color)),
        None => (rest, String::new()),
    };
    let mut out = verdict;
    let mut word = String::new();
    for sign in rest.chars().chain([' ']) {
        if sign.is_alphanumeric() || sign == '_' {
            word.push(sign);
            continue;
        }
        match is_red(&word) {
            true => out += &colored(&word, RED),
            false => out += &word,
        }
        word.clear();
        out.push(sign);
    }
    out.pop();
    out + &last + end
}

fn colored(text: &str, color: &str) -> String {
    format!("\u{1b}[{color}m{text}\u{1b}[0m")
}

/// Whether the word is a card of a red suit.
fn is_red(word: &str) -> bool {
    matches!(word.as_bytes(), [rank, b'h' | b'd'] if b"23456789TJQKA".contains(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paint(pieces: &[&str]) -> String {
        let mut out = Vec::new();
        let mut painter = Painter::new(&mut out);
        for piece in pieces {
            painter.write_all(piece.as_bytes()).unwrap();
        }
        painter.flush().unwrap();
        drop(painter);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn red_suits_and_verdicts_have_colours() {
        let red = |text: &str| format!("\u{1b}[31m{text}\u{1b}[0m");
        assert_eq!(
            paint(&["holds 7h K", "d 9s Xh, 7hh\n"]),
            format!("holds {} {} 9s Xh, 7hh\n", red("7h"), red("Kd"))
        );
        assert_eq!(paint(&["NOT LEGAL\n"]), "\u{1b}[1;31mNOT LEGAL\u{1b}[0m\n");
        assert_eq!(paint(&["a.clog   CLEAN"]), "a.clog  \u{1b}[1;32m CLEAN\u{1b}[0m");
        let json = "{\"cards\":[\"7h\"]}\n7h\n";
        assert_eq!(paint(&[&json[..5], &json[5..]]), json);
    }
}
