//! The questions that `rule` asks at a terminal.

use super::words::WHAT_MAX;
use crate::shared::io::Io;
use crate::shared::text::PlayerNames;
use anyhow::{anyhow, bail};
use canasta_engine::irregularity::Irregularity;
use canasta_engine::irregularity::heard::Matter;
use canasta_engine::text::words::{flag, some};
use std::io::{Read, Write};

/// Asks what happened. Nothing need be said if something `is_irregular` in the position itself.
///
/// # Errors
/// If nothing is said, and something must be.
pub fn what(is_irregular: bool, names: &PlayerNames, io: &mut Io<'_>) -> anyhow::Result<String> {
    let said = ask(io, &names.line("rule_what", vec![flag(is_irregular)]))?;
    if said.is_empty() && !is_irregular {
        bail!("nothing was said")
    }
    Ok(said)
}

/// Asks which of several matters is meant.
pub fn choose(matters: &[Matter], names: &PlayerNames, io: &mut Io<'_>) -> anyhow::Result<Option<Matter>> {
    if matters.len() < 2 {
        return Ok(None);
    }
    for (place, matter) in matters.iter().enumerate() {
        writeln!(io.out, "  {}  {}", place + 1, matter.name().of(names.language()))?;
    }
    loop {
        let said = ask(io, &names.line("rule_which", vec![]))?;
        match said.parse::<usize>() {
            _ if said.is_empty() => return Ok(Some(matters[0])),
            Ok(number) if (1..=matters.len()).contains(&number) => return Ok(Some(matters[number - 1])),
            _ => writeln!(io.out, "{}", names.line("rule_number", vec![some(matters.len() as i64)]))?,
        }
    }
}

/// Asks the questions that neither the arguments nor the words answer.
pub fn answer(
    row: &Irregularity,
    what: &str,
    given: &mut Vec<(String, String)>,
    names: &PlayerNames,
    io: &mut Io<'_>,
) -> anyhow::Result<()> {
    for question in row.questions() {
        if given.iter().any(|(key, _)| key == question.key) {
            continue;
        }
        let proposed = row.answers(&[], what).into_iter().find(|(key, _)| *key == question.key);
        let proposed = proposed.map_or("", |(_, answer)| answer);
        let (language, choice) = (names.language(), question.choice(names.language()));
        let word = question.answers.iter().find(|answer| answer.key() == proposed);
        let word = word.map_or("", |answer| answer.word.of(language));
        loop {
            let said = ask(io, &format!("{} ({choice}) [{word}]", question.text.of(language)))?;
            let letters = said.to_lowercase();
            let begun = || question.answer(|word| word.starts_with(&letters));
            let found = if said.is_empty() { Some(proposed) } else { begun() };
            if let Some(answer) = found {
                given.push((question.key.to_owned(), answer.to_owned()));
                break;
            }
            writeln!(io.out, "{}", names.line("rule_answer", vec![some(choice.clone())]))?;
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
