//! `position`: prints the position after a record of a log in notation, with `??` for unknown cards.

use crate::judging::record_context::warn;
use crate::judging::show::{self, WantedRecord};
use crate::shared::io::{Exit, Io, OutputFormat};
use anyhow::bail;
use canasta_engine::action::As;
use canasta_engine::notation::Position;
use serde_json::json;
use std::io::Write;

pub(crate) const EXAMPLES: &str = "\
Without --at, the position is that after the last record. \
Without --seat and --judge, only cards that the whole table has seen are named. `check` takes the position \
as it is printed, and judges any action in it. At a refused action it is the position before it.

Examples:
  canasta-replay position game.clog --at 57
  canasta-replay position game.clog --at 57 --seat N
  canasta-replay check \"$(canasta-replay position table.clog)\" --action 'take 7h 7d'";

pub fn run(args: &WantedRecord, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let log = show::read(args, io)?;
    if let Some(reason) = &log.unknown {
        bail!("{}: {reason}", args.record.log.display());
    }
    let Some(at) = &log.position else { bail!("{}: no card is dealt yet", args.record.log.display()) };
    let viewer = args.eyes.viewer(&log.names, As::Table)?;
    let position = match &at.known {
        None if !args.eyes.judge => Position::seen_by(&at.table, viewer),
        _ => at.position(),
    };
    match args.format {
        OutputFormat::Text => writeln!(io.out, "{position}")?,
        OutputFormat::Json => io.write_value(&json!({
            "format": "canasta-position/1",
            "record": log.outcome.n(),
            "position": position.to_string(),
        }))?,
    }
    warn(&args.record.log, log.broken.as_ref(), io)
}
