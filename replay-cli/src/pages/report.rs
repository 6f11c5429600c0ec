//! `report`: writes a game as one page to read, mail and print.

mod chart;
mod game;
mod glossary;
mod incidents;
mod page;
mod rows;
mod scene;
mod seal;
mod sheets;
mod watcher;
mod words;

use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::output::OutputFile;
use crate::shared::text::parse_key;
use canasta_tournament::note::NoteVerifier;
use game::ReportedGame;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Maximum number of rounds with full score sheets and deals; longer games have short ones, so that pages
/// stay under a megabyte.
const MANY: usize = 60;

/// The arguments of `report`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The file of the page, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Overwrite FILE if it exists; a file that is read is never written over
    #[arg(long)]
    force: bool,
    /// A public key, as keygen prints it, that must vouch for the log; see audit --key. May be given several
    /// times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<NoteVerifier>,
    /// Format of what is said about a page that is written to a file
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The page needs no network and no other file. It shows the table at every record as a seat, the public or \
a judge sees it, every refusal with its rules, the score sheets, and the result of the audit. Without \
scripts, the score sheets, refusals and audit can still be read, and the page can be printed.

Exit codes: 0 the audit is clean; 1 it has findings (the page shows them), or the file is not a log of a \
game (there is no page); 2 a file could not be read or written.

Examples:
  canasta-replay report game.clog -o game.html
  canasta-replay report table-0417.clog --key \"$(cat event.pub)\" -o table-0417.html";

/// Writes the page.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let output = OutputFile::new(&args.output, args.force, [&args.log])?;
    let mut game = ReportedGame::read(&args.log, &args.key, io)?;
    output.write(page::page(&mut game).as_bytes(), &mut io.out)?;
    if !output.is_stdout() && args.format == OutputFormat::Json {
        let report = &game.audited.report;
        let value = json!({
            "format": "canasta-report/1",
            "path": args.output.display().to_string(),
            "verdict": report.verdict.name(),
            "findings": report.findings.len(),
        });
        writeln!(io.out, "{value}")?;
    }
    let clean = game.audited.report.findings.is_empty();
    Ok(Exit::clean_if(clean))
}
