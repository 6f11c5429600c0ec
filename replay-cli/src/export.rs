//! `export`: a log as text.

use crate::derive::{Derivation, Settled, in_form};
use crate::interchange::{ExportError, Exporter};
use crate::io::{Exit, Io};
use crate::paths;
use anyhow::Context;
use clap::ValueEnum;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `export`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The form
    #[arg(long, value_enum, default_value_t)]
    format: Form,
}

const EXAMPLES: &str = "\
The form canasta-jsonl/1 holds all that the log holds, and besides what follows from it: events, walls, totals.
`import` gives the log back byte for byte. Rounds that are not revealed yet have no events: the log alone does
not know their cards. A log that breaks off in the middle is written up to there; the exit code is then 1.

Examples:
  canasta-replay export game.clog > game.jsonl
  canasta-replay export game.clog | jq -c 'select(.kind == \"round_end\") | .sides'";

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Form {
    /// canasta-jsonl/1, one JSON object a line
    #[default]
    Jsonl,
}

/// Writes the log's lines.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let Form::Jsonl = args.format;
    let name = args.log.display().to_string();
    let (mut derivation, mut exporter) = (Derivation::new(), Exporter::new());
    let mut failed = None;
    {
        let mut file;
        let reader: &mut dyn std::io::Read = if paths::is_stdin(&args.log) {
            &mut io.input
        } else {
            file = File::open(&args.log).with_context(|| name.clone())?;
            &mut file
        };
        let out = &mut io.out;
        let mut take = |piece: &[u8]| {
            failed = write(&mut exporter, derivation.feed(piece), out).err();
            failed.is_none()
        };
        paths::feed(reader, &mut take).with_context(|| name.clone())?;
    }
    let (rest, broken) = derivation.finish();
    let failed = match failed {
        None => write(&mut exporter, rest, &mut io.out).err(),
        failed => failed,
    };
    match (failed, broken) {
        (Some(Fault::Output(error)), _) => Err(error.into()),
        (Some(Fault::Record(n, error)), _) => finding(io, &name, &format!("record {n}: {error}")),
        (None, Some(error)) => finding(io, &name, &error),
        (None, None) => Ok(Exit::Clean),
    }
}

fn finding(io: &mut Io<'_>, name: &str, error: &dyn std::fmt::Display) -> anyhow::Result<Exit> {
    io.out.flush()?;
    writeln!(io.err, "canasta-replay: {name}: {error}; what comes before it was written")?;
    Ok(Exit::Findings)
}

enum Fault {
    Output(std::io::Error),
    Record(u64, ExportError),
}

fn write(exporter: &mut Exporter, settled: Vec<Settled>, out: &mut dyn Write) -> Result<(), Fault> {
    for Settled { n, record, derived } in settled {
        let derived = in_form(&record, derived.unwrap_or_default());
        let line = exporter.line(&record, &derived).map_err(|error| Fault::Record(n, error))?;
        writeln!(out, "{line}").map_err(Fault::Output)?;
    }
    Ok(())
}
