//! `event pairings`: rounds to append to the file of an event, from another program or from a movement.

use super::check::{CheckedEvent, ROUNDS_MAX};
use super::file::Kind;
use super::movements::Movement;
use crate::shared::io::{Io, Wrong};
use anyhow::{Context, anyhow, bail, ensure};
use canasta_tournament::files::read_text;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Maximum size of a file with pairings, in bytes.
const BYTES_MAX: u64 = 1 << 20;

/// The arguments of `event pairings`.
#[derive(clap::Args, Debug)]
pub struct PairingsArgs {
    /// The event (TOML, docs/EVENT.md), which has its entries already
    file: PathBuf,
    /// Pairings of another program: a report of FIDE's form (*.trf), or *.csv with the columns round, table, board if there
    /// are boards, and one column for each side or seat, with numbers or names of entries
    #[arg(long, value_name = "FILE", required_unless_present = "movement")]
    import: Option<PathBuf>,
    /// A movement over all entries, in the order of their numbers
    #[arg(long, value_enum, conflicts_with = "import")]
    movement: Option<Movement>,
    /// Only this round
    #[arg(long, value_name = "N")]
    round: Option<u32>,
}

/// The rounds that are printed: tables by number and board, with the numbers of their entries.
type Rounds = BTreeMap<u32, BTreeMap<(u32, u32), Vec<u32>>>;

pub fn run(args: &PairingsArgs, io: &mut Io<'_>) -> anyhow::Result<()> {
    let event = CheckedEvent::read(&args.file, io)?;
    let mut rounds = match (&args.import, args.movement) {
        (Some(file), _) => {
            let (text, name) = (read_text(file, BYTES_MAX)?, file.display());
            let read = match file.extension() {
                Some(extension) if extension == "csv" => of_csv(&text, &event),
                _ => of_trf(&text, &event),
            };
            read.map_err(|fault| Wrong(format!("{name}:{fault:#}")))?
        }
        (None, Some(movement)) => of_movement(movement, &event)?,
        (None, None) => bail!("expected --import or --movement"),
    };
    rounds.retain(|number, _| args.round.is_none_or(|round| round == *number));
    let first = *rounds.keys().next().context("no round to print")?;
    // Rounds that are there may have been played.
    let is_new = first > event.rounds();
    ensure!(is_new, "round {first} is there already (--round prints another one)");
    let is_short = rounds.keys().all(|round| *round <= ROUNDS_MAX as u32);
    ensure!(is_short, "expected at most {ROUNDS_MAX} rounds");
    write!(io.out, "{}", written(&rounds, &event))?;
    Ok(())
}

/// Returns rounds as the file of an event has them. Entries without a table sit out.
fn written(rounds: &Rounds, event: &CheckedEvent) -> String {
    let mut text = String::new();
    for (round, tables) in rounds {
        text += &format!("\n[[rounds]]\nnumber = {round}\ntables = [\n");
        for ((table, board), entries) in tables {
            let mut line = format!("table = {table}, ");
            if *board > 0 {
                line += &format!("board = {board}, ");
            }
            text += &format!("  {{ {line}entries = {entries:?} }},\n");
        }
        text += "]\n";
        let seated: Vec<u32> = tables.values().flatten().copied().collect();
        let present = event.present(*round).map(|entry| event.entries[entry].number);
        let idle: Vec<u32> = present.filter(|number| !seated.contains(number)).collect();
        if !idle.is_empty() {
            text += &format!("sits_out = {idle:?}\n");
        }
    }
    text
}

fn of_movement(movement: Movement, event: &CheckedEvent) -> anyhow::Result<Rounds> {
    let fits = (movement == Movement::Whist) == (event.file.kind == Kind::Individual);
    ensure!(fits, "whist is for individual events, the other movements for pairs and teams");
    let count = event.entries.len();
    let rounds = movement.rounds(count);
    let rounds = rounds.with_context(|| format!("no table for {count} entries"))?;
    let mut numbered = Rounds::new();
    for (round, tables) in (1..).zip(rounds) {
        let numbered = numbered.entry(round).or_default();
        for (number, table) in (1..).zip(tables) {
            let entries = table.entries.iter().map(|at| event.entries[at - 1].number);
            numbered.insert((number, table.board), entries.collect());
        }
    }
    Ok(numbered)
}

/// Reads pairings as CSV with a head.
///
/// # Errors
/// The first line that cannot be read, with its number from 1.
fn of_csv(text: &str, event: &CheckedEvent) -> anyhow::Result<Rounds> {
    let mut rounds = Rounds::new();
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.trim(csv::Trim::All).from_reader(text.as_bytes());
    let broken = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        anyhow!("{line}: {error}")
    };
    let head = reader.headers().map_err(broken)?.as_slice().to_lowercase();
    let has_board = head.starts_with("roundtableboard");
    ensure!(head.starts_with("roundtable"), "1: expected round, table, board or none, and the sides");
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let line = record.position().map_or(1, csv::Position::line);
        let number = |column: usize| {
            let number = record[column].parse::<u32>().ok();
            number.with_context(|| format!("{line}: expected a number, found {:?}", &record[column]))
        };
        let board = if has_board { number(2)? } else { 0 };
        let (mut entries, sides) = (Vec::new(), 2 + usize::from(has_board));
        for cell in record.iter().skip(sides).filter(|cell| !cell.is_empty()) {
            let number = cell.parse().ok().filter(|&number| event.by_number(number).is_some());
            let mut named = (0..event.entries.len()).filter(|&entry| event.entry(entry) == cell);
            let named = named.next().map(|entry| event.entries[entry].number);
            let entry = number.or(named);
            entries.push(entry.with_context(|| format!("{line}: expected an entry, found {cell:?}"))?);
        }
        let tables = rounds.entry(number(0)?).or_default();
        let is_new = tables.insert((number(1)?, board), entries).is_none();
        ensure!(is_new, "{line}: the table stands there twice");
    }
    Ok(rounds)
}

/// Reads the pairings of a report in FIDE's form: the lines `001` have the number in columns 5 to 8, and for each round ten
/// columns from 92 on: the opponent's number, the colour, the result. White sits North-South.
///
/// # Errors
/// The first line that cannot be read, with its number from 1.
fn of_trf(text: &str, event: &CheckedEvent) -> anyhow::Result<Rounds> {
    // Some programs end lines with a carriage return alone.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut games = BTreeMap::<(u32, u32), (usize, u32, String)>::new();
    for (line, text) in (1..).zip(text.lines()) {
        let letters: Vec<char> = text.chars().collect();
        let column = |from: usize, to: usize| {
            let found: String = letters.iter().take(to).skip(from - 1).collect();
            found.trim().to_owned()
        };
        let entry = |from: usize, to: usize| {
            let number = column(from, to).parse().ok();
            let entry = number.filter(|&number| event.by_number(number).is_some());
            entry.with_context(|| format!("{line}: columns {from} to {to}: expected an entry"))
        };
        if column(1, 3) != "001" {
            continue;
        }
        let own = entry(5, 8)?;
        for (round, at) in (1..).zip((92..=letters.len()).step_by(10)) {
            let (other, result) = (column(at, at + 3), column(at + 7, at + 7));
            let game = match (other.as_str(), result.as_str()) {
                ("" | "0000", "U" | "F" | "H" | "+") => (line, 0, "w".to_owned()),
                ("" | "0000", _) => continue,
                _ => (line, entry(at, at + 3)?, column(at + 5, at + 5)),
            };
            let is_new = games.insert((round, own), game).is_none();
            ensure!(is_new, "{line}: entry {own} is there twice");
        }
    }
    let mut rounds = Rounds::new();
    for (&(round, own), (line, other, colour)) in &games {
        let back = games.get(&(round, *other));
        let back = back.map_or((own, "b"), |(_, back, colour)| (*back, colour.as_str()));
        let agrees = match colour.as_str() {
            "w" => back == (own, "b") && (*other == 0 || games.contains_key(&(round, *other))),
            colour => colour == "b" && back == (own, "w"),
        };
        let fault = "expected w or b, and the other colour at the opponent";
        ensure!(agrees, "{line}: round {round}: {fault}, entry {other}");
        if colour == "w" {
            let tables = rounds.entry(round).or_default();
            let entries = if *other == 0 { vec![own] } else { vec![own, *other] };
            tables.insert((tables.len() as u32 + 1, 0), entries);
        }
    }
    Ok(rounds)
}
