//! `diff`: where two copies of a log part.

use crate::cli::Format;
use crate::io::{Exit, Io};
use crate::paths;
use crate::text::{self, Names, count, hex, number};
use anyhow::Context;
use canasta_engine::log::{Chain, Head, LogError, Reader, Record};
use canasta_engine::seat::Seat;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The arguments of `diff`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The first copy
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second copy
    #[arg(value_name = "B")]
    b: PathBuf,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Compares record by record. Either the copies are the same, or one goes on where the other ends, or they fork: two
records follow the same head, which one honest writer never makes.

Exit codes: 0 the same, 1 they differ or one is damaged, 2 one could not be read.

Example:
  canasta-replay diff ours.clog theirs.clog";

/// How two copies are to each other.
#[derive(PartialEq, Eq, Debug)]
enum Relation {
    Same,
    /// The second copy has more.
    Extends {
        longer: usize,
        more: u64,
    },
    /// They part at a record.
    Fork,
    /// Nothing can be said from a damage on.
    Damaged,
}

/// A copy that is read record by record.
struct Copy {
    path: PathBuf,
    file: File,
    reader: Reader,
    piece: Vec<u8>,
    /// What of `piece` has not been read.
    rest: std::ops::Range<usize>,
    fault: Option<LogError>,
    /// The players, once genesis has been read.
    names: Option<Names>,
}

/// A record of a copy.
#[derive(PartialEq, Eq)]
struct Entry {
    n: u64,
    offset: u64,
    before: Head,
    head: Head,
    payload: Vec<u8>,
}

/// Compares and reports.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut copies = [Copy::open(&args.a)?, Copy::open(&args.b)?];
    let mut common = Chain::START;
    let (relation, entries) = loop {
        let entries = [copies[0].next()?, copies[1].next()?];
        if copies.iter().any(|copy| copy.fault.is_some()) {
            break (Relation::Damaged, entries);
        }
        match &entries {
            [None, None] => break (Relation::Same, entries),
            [Some(a), Some(b)] if a == b => common = Chain { next: a.n + 1, head: a.head },
            [Some(_), Some(_)] => break (Relation::Fork, entries),
            [a, _] => {
                let longer = usize::from(a.is_none());
                let more = 1 + copies[longer].count_rest()?;
                let damaged = copies[longer].fault.is_some();
                break (
                    if damaged { Relation::Damaged } else { Relation::Extends { longer, more } },
                    entries,
                );
            }
        }
    };
    match args.format {
        Format::Text => write_text(&copies, &relation, common, &entries, &mut io.out)?,
        Format::Json => writeln!(io.out, "{}", value(&copies, &relation, common, &entries))?,
    }
    Ok(if relation == Relation::Same { Exit::Clean } else { Exit::Findings })
}

impl Copy {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let piece = vec![0; paths::PIECE];
        Ok(Self {
            path: path.to_owned(),
            file,
            reader: Reader::new(),
            piece,
            rest: 0..0,
            fault: None,
            names: None,
        })
    }

    /// The next record; `None` at the end and at a fault, which is then kept.
    fn next(&mut self) -> anyhow::Result<Option<Entry>> {
        loop {
            let mut piece = &self.piece[self.rest.clone()];
            let before = piece.len();
            let found = match self.reader.next(&mut piece) {
                Ok(frame) => frame.map(|frame| Entry {
                    n: frame.n,
                    offset: frame.offset,
                    before: frame.before,
                    head: frame.head,
                    payload: frame.payload.to_vec(),
                }),
                Err(fault) => {
                    self.fault = Some(fault);
                    return Ok(None);
                }
            };
            self.rest.start += before - piece.len();
            if let Some(entry) = found {
                if let (0, Ok(Record::Genesis(genesis))) = (entry.n, Record::decode(&entry.payload)) {
                    self.names = Some(Names::of(&genesis));
                }
                return Ok(Some(entry));
            }
            let length = self.fill().with_context(|| self.path.display().to_string())?;
            if length == 0 {
                self.fault = std::mem::take(&mut self.reader).finish().err();
                return Ok(None);
            }
            self.rest = 0..length;
        }
    }

    fn fill(&mut self) -> io::Result<usize> {
        loop {
            match self.file.read(&mut self.piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => return outcome,
            }
        }
    }

    fn count_rest(&mut self) -> anyhow::Result<u64> {
        let mut records = 0;
        while self.next()?.is_some() {
            records += 1;
        }
        Ok(records)
    }
}

fn write_text(
    copies: &[Copy; 2],
    relation: &Relation,
    common: Chain,
    entries: &[Option<Entry>; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = |at: usize| copies[at].path.display();
    match relation {
        Relation::Same => writeln!(out, "the same: {}", count(common.next as i64, "record"))?,
        Relation::Extends { longer, more } => {
            writeln!(
                out,
                "{} goes on where {} ends: {} more",
                name(*longer),
                name(1 - longer),
                number(*more)
            )?;
        }
        Relation::Fork if common.next == 0 => writeln!(out, "logs of two games: record 0 differs")?,
        Relation::Fork => writeln!(out, "a fork: two records {} follow one head", common.next)?,
        Relation::Damaged => writeln!(out, "damaged: nothing is compared from there on")?,
    }
    if common.next > 0 {
        writeln!(out, "  in common: records 0 to {}, head {}", common.next - 1, hex(&common.head))?;
    }
    for at in 0..2 {
        if let Some(fault) = &copies[at].fault {
            writeln!(out, "  {}: {}", name(at), fault.to_string().escape_debug())?;
        }
        if let (Relation::Fork, Some(entry)) = (relation, &entries[at]) {
            writeln!(
                out,
                "  {} (byte {}): {}",
                name(at),
                number(entry.offset),
                what(entry, copies[at].names.as_ref())
            )?;
        }
    }
    if *relation == Relation::Fork && common.next > 0 {
        writeln!(
            out,
            "  Signed checkpoints over records from {} on, one in each copy, prove it.",
            common.next
        )?;
    }
    Ok(())
}

/// What a record is, in a few words.
fn what(entry: &Entry, names: Option<&Names>) -> String {
    let actor = |seat: Option<Seat>| match (seat, names) {
        (Some(seat), Some(names)) => names.seat(seat),
        (Some(seat), None) => format!("seat {seat}"),
        (None, _) => "the table".into(),
    };
    match (Record::decode(&entry.payload), names) {
        (Ok(Record::Genesis(genesis)), _) => format!("game {}", hex(&genesis.game_id)),
        (Ok(Record::Register(register)), _) => {
            format!("register of round {} attempt {}", register.round, register.attempt)
        }
        (Ok(Record::Action(record)), Some(names)) => {
            format!("{} {}", actor(record.actor), text::action(&record.action, names))
        }
        (Ok(Record::Action(record)), None) => format!("{} {}", actor(record.actor), record.action.kind()),
        (Ok(Record::RoundEnd(end)), _) => format!("end of round {}", end.round),
        (Ok(Record::GameEnd(_)), _) => "end of the game".into(),
        (Ok(Record::Refusal(refusal)), _) => format!("a refusal of {}", actor(refusal.actor)),
        (Ok(Record::Note(_)), _) => "a note".into(),
        (Ok(Record::Checkpoint(_)), _) => "a checkpoint".into(),
        (Err(error), _) => format!("no record: {error}"),
    }
}

fn value(copies: &[Copy; 2], relation: &Relation, common: Chain, entries: &[Option<Entry>; 2]) -> Value {
    let word = match relation {
        Relation::Same => "same",
        Relation::Extends { .. } => "extends",
        Relation::Fork if common.next == 0 => "two_games",
        Relation::Fork => "fork",
        Relation::Damaged => "damaged",
    };
    let copy = |at: usize| {
        let mut copy = json!({ "path": copies[at].path.display().to_string() });
        if let Some(fault) = &copies[at].fault {
            copy["fault"] =
                json!({ "record": fault.record, "offset": fault.offset, "detail": fault.to_string() });
        }
        if let (Relation::Fork, Some(entry)) = (relation, &entries[at]) {
            copy["record"] = json!({ "n": entry.n, "offset": entry.offset, "head": hex(&entry.head), "is": what(entry, copies[at].names.as_ref()) });
        }
        copy
    };
    let mut value = json!({
        "format": "canasta-diff/1",
        "relation": word,
        "common_records": common.next,
        "common_head": hex(&common.head),
        "copies": [copy(0), copy(1)],
    });
    if let Relation::Extends { longer, more } = relation {
        value["longer"] = json!(longer);
        value["more_records"] = json!(more);
    }
    value
}
