//! `event`: the table of results of an event, from one file with its entries, rounds and decisions.

mod boards;
mod check;
mod field;
mod file;
mod html;
mod json;
mod movements;
mod pairings;
mod place;
mod results;
mod sources;
mod table;
mod text;
mod words;

use crate::shared::io::{Exit, Io};
use canasta_engine::hex::hex;
use canasta_engine::violations::template::Language;
use canasta_tournament::leaf::TEXT_MAX;
use check::{CheckedEvent, EventTable};
use clap::Subcommand;
use pairings::PairingsArgs;
use std::io::Write;
use std::path::PathBuf;
use table::TableArgs;
use words::Words;

/// The arguments of `event`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: EventCommand,
}

#[derive(Subcommand, Debug)]
enum EventCommand {
    /// Check the file of an event, and name what may be meant otherwise
    Check {
        /// The event (TOML, docs/EVENT.md)
        file: PathBuf,
    },
    /// Print the id of every game before it is played, with its title: the list for publish --announce
    Ids {
        /// The event (TOML, docs/EVENT.md)
        file: PathBuf,
        /// Only the games of this round
        #[arg(long, value_name = "N")]
        round: Option<u32>,
    },
    /// Print rounds to append to the file: those that another program paired, or those of a movement
    Pairings(PairingsArgs),
    /// Print the table of results, from logs and score sheets
    Table(TableArgs),
}

const EXAMPLES: &str = "\
The file has the entries, the rounds with their tables, and what the director decided: forfeits, adjustments, \
penalties, withdrawals. Results come from logs, which are audited, and from score sheets, which are counted again. \
docs/EVENT.md goes from the entries to the printed table.

Exit codes: 0 fine; 1 the file has faults, or something that was given does not count; 2 a file could not be read.

Examples:
  canasta-replay event check open.toml
  canasta-replay event pairings open.toml --movement round-robin >> open.toml
  canasta-replay event ids open.toml --round 1 > tables.txt
  canasta-replay event table open.toml logs sheets --html wall.html";

/// Runs a command about an event.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match &args.command {
        EventCommand::Check { file } => {
            let event = CheckedEvent::read(file, io)?;
            let name = file.display();
            writeln!(io.out, "{name}: {}", text::summary(&event, Words(io.language)))?;
            for (line, question) in &event.questions {
                writeln!(io.out, "{name}:{line}: question: {question}")?;
            }
        }
        EventCommand::Ids { file, round } => {
            write_ids(&CheckedEvent::read(file, io)?, *round, &mut io.out)?;
        }
        EventCommand::Pairings(args) => pairings::run(args, io)?,
        EventCommand::Table(args) => return table::run(args, io),
    }
    Ok(Exit::Clean)
}

/// Writes a line for each game of these rounds, as `publish --announce` takes them: the id, then the title.
fn write_ids(event: &CheckedEvent, round: Option<u32>, out: &mut dyn Write) -> std::io::Result<()> {
    let is_asked = |row: &&EventTable| round.is_none_or(|round| round == row.place.round);
    for row in event.tables.iter().filter(|row| row.sides.len() > 1).filter(is_asked) {
        let place = Words(Language::English).place(row.place);
        let mut title = format!("{place}: {}", event.sides(row, " - "));
        title.truncate(title.floor_char_boundary(TEXT_MAX));
        writeln!(out, "{} {title}", hex(&row.game_id))?;
    }
    Ok(())
}
