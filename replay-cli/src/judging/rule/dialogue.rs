//! The questions that `rule` asks at a terminal.

use super::words::WHAT_MAX;
use crate::shared::io::Io;
use anyhow::{anyhow, bail};
use canasta_engine::irregularity::Irregularity;
use std::io::{Read, Write};

/// Asks what happened. Nothing need be said if something `is_irregular` in the position itself.
///
/// # Errors
/// If nothing is said, and something must be.
pub fn what(is_irregular: bool, io: &mut Io<'_>) -> anyhow::Result<String> {
    let or = if is_irregular { "; nothing: what is irregular in the position" } else { "" };
    let said = ask(io, &format!("What happened? (words, or an action{or})"))?;
    if said.is_empty() && !is_irregular {
        bail!("nothing was said")
    }
    Ok(said)
}

/// Asks which of several irregularities is meant; returns its law.
///
/// # Errors
/// If the terminal cannot be read.
pub fn choose(rows: &[Irregularity], io: &mut Io<'_>) -> anyhow::Result<Option<String>> {
    if rows.len() < 2 {
        return Ok(None);
    }
    for (place, row) in rows.iter().enumerate() {
        writeln!(io.out, "  {}  {}", place + 1, row.name)?;
    }
    let row = loop {
        let said = ask(io, "Which? [1]")?;
        match said.parse::<usize>() {
            _ if said.is_empty() => break rows[0],
            Ok(number) if (1..=rows.len()).contains(&number) => break rows[number - 1],
            _ => writeln!(io.out, "expected a number from 1 to {}", rows.len())?,
        }
    };
    Ok(row.remedies().last().map(|remedy| remedy.law.to_owned()))
}

/// Asks the questions that neither the arguments nor the words answer.
///
/// # Errors
/// If the terminal cannot be read.
pub fn answer(
    row: &Irregularity,
    what: &str,
    given: &mut Vec<(String, String)>,
    io: &mut Io<'_>,
) -> anyhow::Result<()> {
    for question in row.questions() {
        if given.iter().any(|(key, _)| key == question.key) {
            continue;
        }
        let proposed = row.answers(&[], what).into_iter().find(|(key, _)| *key == question.key);
        let proposed = proposed.map_or("", |(_, answer)| answer);
        let known: Vec<&str> = question.answers.iter().map(|(answer, _)| *answer).collect();
        loop {
            let said = ask(io, &format!("{} ({}) [{proposed}]", question.text, known.join(", ")))?;
            let begins = |answer: &&&str| answer.starts_with(&said.to_lowercase());
            let found = if said.is_empty() { Some(proposed) } else { known.iter().find(begins).copied() };
            if let Some(answer) = found {
                given.push((question.key.to_owned(), answer.to_owned()));
                break;
            }
            writeln!(io.out, "expected one of {}", known.join(", "))?;
        }
    }
    Ok(())
}

/// Writes a question and returns the line that answers it; an end of the input is an empty answer.
fn ask(io: &mut Io<'_>, question: &str) -> anyhow::Result<String> {
    write!(io.out, "{question} ")?;
    io.out.flush()?;
    let (mut line, mut byte) = (Vec::new(), [0]);
    while line.len() <= WHAT_MAX && io.input.read(&mut byte)? == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    if line.len() > WHAT_MAX {
        bail!("expected at most {WHAT_MAX} bytes")
    }
    let text = String::from_utf8(line).map_err(|_| anyhow!("expected text"))?;
    Ok(text.trim().to_owned())
}
