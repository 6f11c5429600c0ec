//! `log`: lists the records of a game with their numbers.

use crate::judging::history::{History, narration_by, refusal};
use crate::judging::record_context::{Eyes, seat_of};
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::json::{branch, present};
use crate::shared::text::{PlayerNames, flag, hex, join, number, some};
use anyhow::ensure;
use canasta_engine::action::{Action, As};
use canasta_engine::event::Event;
use canasta_engine::log::Record;
use canasta_engine::view::EventView;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `log`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    #[command(flatten)]
    eyes: Eyes,
    /// Only records of this round; 0 is the draw for seats
    #[arg(long, value_name = "R")]
    round: Option<u32>,
    /// Only records that contain this text, in any case: a name, a card, a code, canasta
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// Format of the list
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The numbers are those that --at takes (show, explain, what-if, position, step). Without --seat and --judge, \
the list tells what the whole table could know.

Exit codes: 0 records are listed; 1 no record is what was asked for, or the log is damaged or not a log; 2 a file \
could not be read, or there is no such round.

Examples:
  canasta-replay log game.clog --round 2
  canasta-replay log game.clog --grep refused
  canasta-replay log game.clog --seat N --grep drew";

struct RecordRow {
    n: u64,
    round: Option<u32>,
    kind: &'static str,
    seat: Option<u8>,
    text: String,
}

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.speak(args.format);
    let history = History::read(&args.log, io)?;
    let viewer = args.eyes.viewer(&history.names(None), As::Table)?;
    let wanted = args.grep.as_ref().map(|text| text.to_lowercase());
    let is_wanted = |row: &RecordRow| {
        let in_round = args.round.is_none_or(|round| row.round == Some(round));
        in_round && wanted.as_ref().is_none_or(|wanted| row.text.to_lowercase().contains(wanted))
    };
    if let Some(round) = args.round {
        let last = history.last_round();
        ensure!(round <= last, "{}: round {round}: expected 0 to {last}", args.log.display());
    }
    let rows: Vec<RecordRow> = rows(&history, viewer).into_iter().filter(is_wanted).collect();
    match args.format {
        OutputFormat::Text => write(&history, &rows, &mut io.out)?,
        OutputFormat::Json => io.write_value(&value(&history, &rows))?,
    }
    let Some(stop) = &history.stop else {
        // As of grep: nothing was found.
        return Ok(if rows.is_empty() { Exit::Findings } else { Exit::Clean });
    };
    io.out.flush()?;
    io.finding(format_args!("{}: {stop}", args.log.display()))
}

fn rows(history: &History, viewer: As) -> Vec<RecordRow> {
    let mut names = history.names(None);
    let mut round = None;
    let mut rows = Vec::new();
    for (n, entry) in (0..).zip(&history.entries) {
        let fixed = entry.events.iter().flatten().any(|event| matches!(event, Event::SidesFixed { .. }));
        if entry.part.round != round || fixed {
            round = entry.part.round;
            names = history.names(history.shown(n).map(|position| position.table).as_ref());
        }
        rows.push(RecordRow {
            n,
            round: entry.part.round,
            kind: entry.record.name(),
            seat: seat_of(&entry.record).map(|seat| seat.0),
            text: told(history, n, viewer, &names),
        });
    }
    rows
}

/// Returns the record on one line: what was done, then what followed.
fn told(history: &History, n: u64, viewer: As, names: &PlayerNames) -> String {
    // The action says already which cards it lays.
    let is_left_out = |event: &EventView| matches!(event, EventView::Melded { .. });
    let mut lines = narration_by(history, n, viewer, names, is_left_out);
    let Some(entry) = history.entry(n) else { return String::new() };
    let hands = matches!(&*entry.record, Record::Action(record) if matches!(record.action, Action::Deal(_)));
    let is_long = hands || matches!(*entry.record, Record::Genesis(_) | Record::Refusal(_));
    if is_long || entry.illegal.is_some() {
        lines.truncate(1);
    }
    join(lines.iter().map(|line| line.trim()).chain(refusal(entry).as_deref()), " · ")
}

fn write(history: &History, rows: &[RecordRow], out: &mut dyn Write) -> std::io::Result<()> {
    let genesis = &history.genesis;
    let (all, names) = (history.entries.len() as i64, history.names(None));
    let facts = vec![
        some(hex(&genesis.game_id)),
        some(genesis.rule_set_id.clone()),
        some(names.number(all)),
        flag(all == 1),
    ];
    writeln!(out, "{}", names.line("heading", facts))?;
    if let Some(fork) = &genesis.fork_of {
        writeln!(out, "{fork}")?;
    }
    let width = number(all).len();
    let mut round = None;
    for row in rows {
        if row.round != round {
            round = row.round;
            let round = names.number(round.unwrap_or_default());
            writeln!(out, "{}", names.line("round", vec![some(round)]))?;
        }
        writeln!(out, "{:>width$}  {}", names.number(row.n), row.text)?;
    }
    Ok(())
}

fn value(history: &History, rows: &[RecordRow]) -> Value {
    let row = |row: &RecordRow| {
        present(json!({
            "record": row.n, "kind": row.kind, "text": row.text, "round": row.round, "seat": row.seat,
        }))
    };
    present(json!({
        "format": "canasta-records/1",
        "game_id": hex(&history.genesis.game_id),
        "ruleset": history.genesis.rule_set_id,
        "last": history.last(),
        "records": rows.iter().map(row).collect::<Vec<_>>(),
        "branch_of": history.genesis.fork_of.as_ref().map(branch),
    }))
}
