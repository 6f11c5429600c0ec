//! `position`: prints the position after a record of a log in notation, with `??` for unknown cards.

use crate::disclosure::Disclosure;
use crate::io::{Exit, Io, OutputFormat};
use crate::record_context::warn;
use crate::show::{self, ShownLog};
use anyhow::bail;
use canasta_engine::action::As;
use canasta_engine::notation::Position;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `position`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Number of the record, from 0, as `log` and findings print it; the last record if it is not given
    #[arg(long, value_name = "N")]
    at: Option<u64>,
    /// Name the cards that this seat sees: the letter, the number or the name of a player
    #[arg(long, value_name = "S", conflicts_with = "judge")]
    seat: Option<String>,
    /// Name every card that the log reveals
    #[arg(long)]
    judge: bool,
    #[command(flatten)]
    disclosure: Disclosure,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Without --seat and --judge, only cards that the whole table has seen are named. `check` takes the position \
as it is printed, and judges any action in it. At a refused action it is the position before it.

Examples:
  canasta-replay position game.clog --at 57
  canasta-replay position game.clog --at 57 --seat N
  canasta-replay check \"$(canasta-replay position table.clog)\" --action 'take 7h 7d'";

/// Prints the position.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let log = show::read(&args.log, args.at, &args.disclosure, io)?;
    let ShownLog { shown, names, broken, .. } = &log;
    if let Some(reason) = log.unknown() {
        bail!("{}: {reason}", args.log.display());
    }
    let Some((_, table)) = &shown.position else { bail!("{}: no card is dealt yet", args.log.display()) };
    let viewer = match &args.seat {
        Some(seat) => As::Seat(show::named(seat, names)?),
        None => As::Table,
    };
    let position = match &shown.known {
        Some(known) => Position::as_known(table, known),
        None if args.judge => Position::of(table),
        None => Position::seen_by(table, viewer),
    };
    match args.format {
        OutputFormat::Text => writeln!(io.out, "{position}")?,
        OutputFormat::Json => {
            let value = json!({
                "format": "canasta-position/1",
                "record": log.record(),
                "position": position.to_string(),
            });
            writeln!(io.out, "{value}")?;
        }
    }
    Ok(warn(&args.log, broken.as_ref(), io)?)
}
