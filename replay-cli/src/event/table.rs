//! `event table`: the results of an event so far, from the logs and sheets of its games.

use super::check::CheckedEvent;
use super::results::EventResults;
use super::words::Words;
use super::{html, json, sources, text};
use crate::shared::io::{Exit, Io};
use crate::shared::output::OutputFile;
use anyhow::ensure;
use canasta_tournament::policy::TournamentPolicy;
use clap::ValueEnum;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `event table`.
#[derive(clap::Args, Debug)]
pub struct TableArgs {
    /// The event (TOML, docs/EVENT.md)
    file: PathBuf,
    /// Logs, score sheets, and directories (searched for *.clog, *.sheet and *.txt)
    paths: Vec<PathBuf>,
    /// Results after this round, not after the last one
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// The promises of the tournament (TOML, docs/TOURNAMENT.md): a log or sheet that breaks one does not count
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Format of the table
    #[arg(long, value_enum, default_value_t)]
    format: TableFormat,
    /// Also write the table as a page for the wall and the phone
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite the page
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum TableFormat {
    /// For people
    #[default]
    Text,
    /// For programs: canasta-event-table/1, described in docs/EVENT.md
    Json,
    /// For spreadsheets: the standings
    Csv,
}

pub fn run(args: &TableArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let event = CheckedEvent::read(&args.file, io)?;
    let round = args.round.unwrap_or(event.rounds());
    ensure!(round <= event.rounds(), "--round: expected at most {}, found {round}", event.rounds());
    let policy = TournamentPolicy::named(args.policy.as_deref())?;
    let inputs = args.paths.iter().chain([&args.file]).chain(&args.policy);
    let page = args.html.as_ref().map(|path| OutputFile::new(path, args.force, inputs)).transpose()?;
    let (sources, failures) = sources::read(&args.paths, policy.as_ref(), io)?;
    let results = EventResults::new(&event, round, sources);
    let words = Words(io.language);
    if let Some(page) = page {
        page.write(html::page(&results, words).as_bytes(), &mut io.out)?;
    }
    match args.format {
        TableFormat::Text => text::write(&results, words, &mut io.out)?,
        TableFormat::Json => io.write_value(&json::to_value(&results))?,
        TableFormat::Csv => io.out.write_all(&json::csv(&results)?)?,
    }
    Ok(if failures > 0 { Exit::Failure } else { Exit::clean_if(results.faults.is_empty()) })
}
