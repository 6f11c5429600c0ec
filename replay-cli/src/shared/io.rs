//! The streams of a command, and the ways in which it ends.

use crate::shared::clock::Clock;
use canasta_engine::violations::template::Language;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{BufRead, BufWriter, Read, Write};
use std::process::ExitCode;

/// The way in which a command ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Nothing is wrong.
    Clean,
    /// Something is wrong with the input.
    Findings,
    /// The command could not do its work: usage, input and output, nothing found.
    Failure,
}

/// The format of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum OutputFormat {
    /// For people
    #[default]
    Text,
    /// For programs: a versioned format, described in docs/judge/CLI.md
    Json,
}

impl Exit {
    /// Returns the end of a command that could do its work: with findings, unless everything is clean.
    pub fn clean_if(is_clean: bool) -> Self {
        if is_clean { Self::Clean } else { Self::Findings }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A fault of the input, in words. As an error it ends a command with [`Exit::Findings`]; every other error
/// is a failure.
#[derive(Debug)]
pub struct Wrong(pub String);

impl Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

/// Returns the text of an error for people: without the numbers of the operating system.
pub fn in_words(error: &dyn Display) -> String {
    let mut text = format!("{error:#}")
        .replace("Is a directory", "a directory, expected a file")
        .replace("File exists", "exists already");
    while let Some(at) = text.find(" (os error ") {
        let end = text[at..].find(')').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at..end, "");
    }
    text
}

/// Returns the number of columns at which sentences are wrapped, for a terminal of this width; `None` for one that
/// does not tell its width, or is too narrow for words.
pub fn columns(width: u16) -> Option<usize> {
    (width >= COLUMNS_MIN).then_some(width.into())
}

/// Minimum width of a terminal for which sentences are wrapped.
const COLUMNS_MIN: u16 = 20;

/// The streams of a command.
pub struct Io<'a> {
    /// Standard input, for which `-` stands.
    pub input: Box<dyn Read + 'a>,
    /// Standard output: the result, and nothing else.
    pub out: Box<dyn Write + 'a>,
    /// Standard error: progress, remarks and errors.
    pub err: Box<dyn Write + 'a>,
    /// Whether progress is shown, because standard error is a terminal.
    pub progress: bool,
    /// Whether standard output is a terminal.
    pub terminal: bool,
    /// Number of columns of the terminal, where long sentences are wrapped; `None`: they are not.
    pub width: Option<usize>,
    pub clock: Clock<'a>,
    /// The language of sentences for people.
    pub language: Language,
    /// Whether nobody chose the language, so that words which are typed choose it.
    pub is_language_open: bool,
}

impl<'a> Io<'a> {
    /// Returns streams that are not terminals; the output is buffered until the command ends.
    pub fn new(input: impl Read + 'a, out: impl Write + 'a, err: impl Write + 'a, progress: bool) -> Self {
        Self {
            input: Box::new(input),
            out: Box::new(BufWriter::with_capacity(1 << 16, out)),
            err: Box::new(err),
            progress,
            terminal: false,
            width: None,
            clock: Clock::default(),
            language: Language::English,
            is_language_open: false,
        }
    }

    /// Takes the language that was chosen, if one was.
    pub fn choose_language(&mut self, chosen: Option<Language>) {
        self.language = chosen.unwrap_or(Language::English);
        self.is_language_open = chosen.is_none();
    }

    /// Writes a result for programs as one line.
    pub fn write_value(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        writeln!(self.out)
    }

    /// Writes a remark under the name of the program to `err`.
    pub fn remark(&mut self, text: impl Display) -> std::io::Result<()> {
        writeln!(self.err, "canasta-replay: {text}")
    }

    /// Ends a command whose input is wrong with a remark.
    pub fn finding(&mut self, text: impl Display) -> anyhow::Result<Exit> {
        self.remark(text)?;
        Ok(Exit::Findings)
    }

    /// Chooses the language of a result in this format: programs read English.
    pub fn speak(&mut self, format: OutputFormat) {
        if format == OutputFormat::Json {
            (self.language, self.is_language_open) = (Language::English, false);
        }
    }
}

/// Reads the next line, with its end, in place of what `line` holds. Returns `false` at the end of the input.
///
/// # Errors
/// If the line has `most` bytes or more: no more of it is read.
pub fn read_line(input: &mut impl BufRead, most: u64, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let length = input.take(most).read_until(b'\n', line)?;
    if length as u64 == most {
        return Err(std::io::Error::other(format!("expected less than {most} bytes")));
    }
    Ok(length > 0)
}

/// Reads at most `most` + 1 bytes, which mean that there are more than `most`.
pub fn read_most(input: impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads an input of at most `most` bytes to its end.
///
/// # Errors
/// If it is longer, or cannot be read.
pub fn read_whole(input: impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    let bytes = read_most(input, most)?;
    if bytes.len() as u64 > most {
        return Err(std::io::Error::other(format!("expected at most {most} bytes, found more")));
    }
    Ok(bytes)
}

/// Returns a progress bar up to `total`, followed by `counts`; a hidden bar unless `shown`.
pub fn progress_bar(total: u64, counts: &str, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {counts}, {{eta}} left"));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
