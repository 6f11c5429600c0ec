//! The result for people: the same at a terminal and in a pipe.

use super::german::say;
use super::sections::{self, Block, Chart};
use super::{RuleSetGames, Stats};
use crate::shared::lines::broken;
use crate::shared::text::{count, hex, number, number_in};
use canasta_engine::violations::template::Language;
use std::io::{Result, Write};

/// Maximum length of a bar, in characters.
const BAR: u64 = 40;
/// Maximum width of a line of a remark, in columns.
const LINE: usize = 100;

/// Writes the summary, each rule set, and the logs that do not count.
pub fn write(stats: &Stats, language: Language, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", say(&summary(stats), language))?;
    for group in stats.groups.values() {
        writeln!(out, "\n{}", say(&heading(group), language))?;
        for section in sections::of(group, language) {
            writeln!(out, "\n  {}", section.title)?;
            for (i, block) in section.blocks.iter().enumerate() {
                // A remark belongs to the block above it.
                if i > 0 && !matches!(block, Block::Note(_)) {
                    writeln!(out)?;
                }
                write_block(block, language, out)?;
            }
        }
    }
    if !stats.left_out.is_empty() {
        writeln!(out, "\n{}", say("left out", language))?;
        for (path, reason) in stats.left_out.values() {
            writeln!(out, "  {}  {}", path.escape_debug(), say(reason, language))?;
        }
        if stats.more_left_out > 0 {
            let more = format!("and {} more", number(stats.more_left_out));
            writeln!(out, "  {}", say(&more, language))?;
        }
        let hint = "-> canasta-replay audit says what is wrong with them";
        writeln!(out, "  {}", say(hint, language))?;
    }
    Ok(())
}

/// Returns how many logs were read, and how many count.
pub fn summary(stats: &Stats) -> String {
    let out = stats.logs - stats.games();
    let left_out = if out > 0 { format!(", {} left out", number(out)) } else { String::new() };
    format!("{} · {}{left_out}", count(stats.logs, "log"), count(stats.games(), "game"))
}

/// Returns the heading of a rule set, with its main counts.
pub fn heading(group: &RuleSetGames) -> String {
    let tally = &group.tally;
    let rounds: u64 = tally.ends.values().sum();
    format!(
        "{} · {} · {} · {} · rules {}",
        group.rules.id(),
        count(tally.games, "game"),
        count(rounds, "round"),
        count(tally.actions.sum, "action"),
        &hex(group.rules.digest())[..16]
    )
}

fn write_block(block: &Block, language: Language, out: &mut dyn Write) -> Result<()> {
    match block {
        Block::Table(table) => table.write("    ", out),
        Block::Chart(chart) => write_chart(chart, language, out),
        Block::Note(text) => broken(text, LINE, 0).iter().try_for_each(|line| writeln!(out, "    {line}")),
    }
}

fn write_chart(Chart { title, bars }: &Chart, language: Language, out: &mut dyn Write) -> Result<()> {
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let label = bars.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let figure = number(most).len();
    writeln!(out, "    {title}")?;
    for (name, count) in bars {
        // A count above zero has at least one character.
        let length = (count * BAR).div_ceil(most) as usize;
        let line =
            format!("      {name:>label$}  {:>figure$}  {}", number_in(*count, language), "#".repeat(length));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
