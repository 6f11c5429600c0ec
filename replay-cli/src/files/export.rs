//! `export`: writes a log as text.

use crate::files::derive::{Derivation, Settled, in_form};
use crate::shared::io::{Exit, Io, Wrong};
use crate::shared::paths;
use anyhow::Context;
use canasta_engine::text::interchange::Exporter;
use canasta_engine::text::{RECORDS_MAX, to_text};
use clap::ValueEnum;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `export`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Format of the text
    #[arg(long, value_enum, default_value_t)]
    format: ExportForm,
}

const EXAMPLES: &str = "\
The format canasta-jsonl/1 contains everything that the log contains, and what follows from it: events, \
walls, totals. `import` gives the log back byte for byte. Rounds that are not revealed have no events, \
because the log alone does not determine their cards. A log that is cut off is written up to the cut; the \
exit code is then 1.

Notation is for people: one turn per line, the cards drawn in revealed rounds, and the score sheets. It \
omits what follows from the rest, so that it can be typed, and `import` gives the same log again. If the \
log would not come back byte for byte, nothing is written.

Examples:
  canasta-replay export game.clog > game.jsonl
  canasta-replay export game.clog --format notation | less
  canasta-replay export game.clog | jq -c 'select(.kind == \"round_end\") | .sides'";

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum ExportForm {
    /// canasta-jsonl/1, one JSON object per line
    #[default]
    Jsonl,
    /// The notation of docs/formats/NOTATION.md, which people read and type
    Notation,
}

/// Writes the lines of the log.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = args.log.display().to_string();
    if args.format == ExportForm::Notation {
        return notation(args, &name, io);
    }
    let (mut derivation, mut exporter) = (Derivation::default(), Exporter::new());
    let mut failed = None;
    let (out, source) = (&mut io.out, paths::open(&args.log, &mut io.input)?);
    paths::feed(source, |piece: &[u8]| {
        failed = write(&mut exporter, derivation.feed(piece), out).err();
        failed.is_none() && !derivation.is_broken()
    })
    .with_context(|| name.clone())?;
    let (rest, broken) = derivation.finish();
    let failed = match failed {
        None => write(&mut exporter, rest, &mut io.out).err(),
        failed => failed,
    };
    match (failed, broken) {
        (Some(error), _) if error.is::<Wrong>() => finding(io, &name, &error),
        (Some(error), _) => Err(error),
        (None, Some(error)) if error.record == 0 => Err(Wrong(format!("{name}: {error}")).into()),
        (None, Some(error)) => finding(io, &name, &error),
        (None, None) => Ok(Exit::Clean),
    }
}

/// Writes the log in notation, if importing that text gives the same log.
fn notation(args: &Args, name: &str, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut records = Vec::new();
    let mut is_too_long = false;
    let source = paths::open(&args.log, &mut io.input)?;
    let fault = paths::frames(source, &mut |frame| {
        is_too_long = records.len() == RECORDS_MAX;
        records.push(frame.record()?);
        Ok(!is_too_long)
    });
    let fault = fault.with_context(|| name.to_owned())?.map(|error| error.to_string());
    let fault = fault.or_else(|| is_too_long.then(|| format!("more than {RECORDS_MAX} records")));
    let written = match fault {
        Some(fault) => Err(fault),
        None => to_text(&records).map_err(|error| error.to_string()),
    };
    match written {
        Ok(text) => {
            io.out.write_all(text.as_bytes())?;
            Ok(Exit::Clean)
        }
        Err(fault) => io.finding(format_args!(
            "{name}: {fault}; nothing was written: only a log that comes back as it is has a notation\n\
             next: canasta-replay audit {name}, or export it as jsonl"
        )),
    }
}

fn finding(io: &mut Io<'_>, name: &str, error: &dyn std::fmt::Display) -> anyhow::Result<Exit> {
    io.out.flush()?;
    io.finding(format_args!("{name}: {error}; what comes before it was written"))
}

/// Writes records as lines. A record that has no line is wrong.
fn write(exporter: &mut Exporter, settled: Vec<Settled>, out: &mut dyn Write) -> anyhow::Result<()> {
    for Settled { n, record, derived } in settled {
        let derived = in_form(&record, derived.unwrap_or_default());
        let line = exporter.line(&record, &derived);
        writeln!(out, "{}", line.map_err(|error| Wrong(format!("record {n}: {error}")))?)?;
    }
    Ok(())
}
