//! `import`: makes a log from its text.

mod fill;
mod notation;

use crate::files::derive::{Derivation, Settled, in_form};
use crate::files::saved;
use crate::rulesets::house::preset;
use crate::shared::io::{Exit, Io, OutputFormat, Wrong, read_most};
use crate::shared::output::OutputFile;
use crate::shared::paths;
use crate::shared::text::{count, hex};
use anyhow::Context;
use canasta_engine::log::{Chain, HEADER, Record};
use canasta_engine::text::interchange::{Derived, ImportError, Importer, line_value};
use serde_json::json;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;

/// The arguments of `import`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The text (canasta-jsonl/1 or notation), or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The log to write, or - for standard output
    #[arg(short, long, value_name = "LOG", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// Only check the text, and write no log
    #[arg(long, conflicts_with_all = ["output", "force"])]
    check: bool,
    /// Name all faults of a text in notation at once, and write the log up to the first of them
    #[arg(long, conflicts_with_all = ["as_recorded", "fill"])]
    draft: bool,
    /// Take what is stored without comparing it with what follows from the rest (events, walls, totals; in
    /// notation: scores and winner)
    #[arg(long)]
    as_recorded: bool,
    /// Play a canasta-jsonl/1 record of another program, which has no digests and commitments, and write the
    /// log of that game
    #[arg(long, conflicts_with = "as_recorded")]
    fill: bool,
    /// The preset of a saved game that names no rules
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
    /// Overwrite an existing log
    #[arg(long)]
    force: bool,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Encodes again what the log stores, byte for byte as it was exported. What only follows from it is \
computed again and compared: the first line that differs is named, and no log is written. `import` does \
not judge whether play was legal: audit the log.

Notation (docs/formats/NOTATION.md) may be typed by hand. Whatever follows from the rest is filled in: digests, \
ends of rounds, scores. All lines that cannot be read are named at once; then the first at which \
something is missing that does not follow, or an action breaks a rule. No log is written then. A transcript of a game with real cards says `cards \
transcribed`, and has ?? for each card that nobody knows.

With --draft all faults are named that can be found at once: every line that cannot be read, and the first fault of \
every round; the next round is judged from the scores that the text states. The log has what stands before the first \
fault.

With --fill the text is the record of another program (docs/formats/INTERCHANGE.md lists what the record must \
contain). The record is played and compared with what the rules give: the first line that differs or \
breaks a rule is named, and no log is written.

A position in notation, or a saved game of another program, becomes a transcribed game that is taken up there, and \
says so for ever (IR-113): cards that the position does not name stay unknown, and play is typed as it goes on. \
`simulate --position` plays on from it.

Examples:
  canasta-replay import game.jsonl -o game.clog
  canasta-replay import position.txt -o game.clog
  canasta-replay import --fill foreign.jsonl -o game.clog
  canasta-replay import --check table-7.txt
  canasta-replay import table-7.txt -o table-7.clog
  canasta-replay import --draft table-7.txt -o table-7.clog
  canasta-replay export game.clog | canasta-replay import - -o copy.clog && cmp game.clog copy.clog";

/// The forms of games that can be read.
const FORMS: &str = "a game is read as canasta-jsonl/1, one object a line (docs/formats/INTERCHANGE.md), and in notation \
                     (docs/formats/NOTATION.md); so is a position, which `check` judges";

/// The bytes that some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Maximum length of a line, in bytes: far beyond what a record can hold.
const LINE_MAX: u64 = 1 << 20;

/// Maximum length of a text, in bytes.
const TEXT_MAX: u64 = 64 << 20;

/// The reason why a text is not a log.
type Reason = String;

/// Reads the text and writes the log.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let output =
        args.output.as_ref().map(|log| OutputFile::new(log, args.force, [&args.file])).transpose()?;
    let name = args.file.display().to_string();
    let mut text = BufReader::new(paths::open(&args.file, &mut io.input)?);
    let wrong = |fault: Reason| Wrong(format!("{name}: {fault}"));
    let whole_log = |log| Imported { log, faults: Vec::new() };
    let read = match form(&mut text).with_context(|| name.clone())?.map_err(wrong)? {
        TextForm::Jsonl if args.draft => Err("--draft expects notation, found an object".into()),
        TextForm::Notation if args.fill => {
            Err("expected canasta-jsonl/1, found no object; notation is filled in without --fill".into())
        }
        TextForm::Notation => {
            let most = canasta_engine::text::TEXT_MAX as u64;
            let text = read_most(text, most).with_context(|| name.clone())?;
            paths::in_utf8(&text).and_then(|text| match args.draft {
                _ if saved::is_position(text) => {
                    notation::take_up(text, args.ruleset.as_deref()).map(whole_log)
                }
                true => notation::draft(text),
                false => notation::read(text, args.as_recorded).map(whole_log),
            })
        }
        TextForm::Jsonl if args.fill => {
            let text = read_most(text, TEXT_MAX).with_context(|| name.clone())?;
            let text = Some(text).filter(|text| text.len() as u64 <= TEXT_MAX).ok_or_else(too_long);
            text.and_then(|text| fill::import(&text)).map(whole_log)
        }
        TextForm::Jsonl => import(text, args.as_recorded).with_context(|| name.clone())?.map(whole_log),
    };
    let Imported { log, faults } = read.map_err(wrong)?;
    for fault in &faults {
        writeln!(io.err, "canasta-replay: {name}: {fault}")?;
    }
    let exit = Exit::clean_if(faults.is_empty());
    if let Some(output) = output {
        output.write(&log.bytes, &mut io.out)?;
        if output.is_stdout() {
            return Ok(exit);
        }
    }
    if args.format == OutputFormat::Json {
        let value = json!({
            "format": "canasta-import/1",
            "records": log.chain.next,
            "bytes": log.bytes.len(),
            "head": hex(&log.chain.head),
        });
        writeln!(io.out, "{value}")?;
        return Ok(exit);
    }
    let what = if faults.is_empty() { "" } else { ", up to the first fault" };
    writeln!(
        io.out,
        "{}{what} · {} · head {}",
        count(log.chain.next, "record"),
        count(log.bytes.len() as u64, "byte"),
        hex(&log.chain.head)
    )?;
    Ok(exit)
}

enum TextForm {
    Jsonl,
    Notation,
}

/// Returns the form of a text. Passes over a byte order mark before JSON; notation knows it.
///
/// # Errors
/// If it is no text, or another kind of JSON.
fn form(text: &mut impl BufRead) -> std::io::Result<Result<TextForm, Reason>> {
    let start = text.fill_buf()?;
    if let Some(why) = paths::not_text(start) {
        return Ok(Err(why));
    }
    let unmarked = start.strip_prefix(BYTE_ORDER_MARK);
    let first = unmarked.unwrap_or(start).trim_ascii_start().first().copied();
    let mark = unmarked.map_or(0, |_| BYTE_ORDER_MARK.len());
    Ok(match first {
        Some(b'{') | None => {
            text.consume(mark);
            Ok(TextForm::Jsonl)
        }
        Some(b'[') => Err(format!("expected an object, found a list; {FORMS}")),
        Some(_) => Ok(TextForm::Notation),
    })
}

/// Returns the reason why a line is not read, with names like that of an unknown rule set, or the forms that are read.
fn unreadable(error: &ImportError, line: &str) -> Reason {
    let value = line_value(line).ok();
    let id = value.as_ref().and_then(|value| value.pointer("/ruleset/id")?.as_str());
    match (error.line, error.field.as_str(), id.map(preset)) {
        (line, "ruleset.id", Some(Err(unknown))) => format!("line {line}: ruleset.id: {unknown}"),
        (1, ..) if !line.contains("\"kind\"") => format!("{error}; {FORMS}"),
        _ => error.to_string(),
    }
}

fn too_long() -> Reason {
    format!("expected at most {TEXT_MAX} bytes, found more")
}

/// Returns the text of a line, numbered from 1.
fn line_text(number: u64, line: &[u8]) -> Result<&str, Reason> {
    if line.len() as u64 > LINE_MAX {
        return Err(format!("line {number}: expected at most {LINE_MAX} bytes, found more"));
    }
    std::str::from_utf8(line).map_err(|_| format!("line {number}: not UTF-8 text"))
}

/// A log that was made of a text, and the faults of the text behind it.
struct Imported {
    log: Log,
    faults: Vec<Reason>,
}

/// A log under construction.
struct Log {
    bytes: Vec<u8>,
    chain: Chain,
}

impl Log {
    fn new() -> Self {
        Self { bytes: HEADER.to_vec(), chain: Chain::START }
    }

    /// Appends a record, and returns its frame.
    fn add(&mut self, record: &Record) -> Result<&[u8], Reason> {
        let payload = record.encode().map_err(|error| error.to_string())?;
        let place = self.bytes.len();
        self.chain.append(&payload, &mut self.bytes);
        Ok(&self.bytes[place..])
    }
}

fn import(text: impl BufRead, as_recorded: bool) -> std::io::Result<Result<Log, Reason>> {
    let mut log = Log::new();
    let (mut importer, mut comparison) = (Importer::new(), DerivedComparison::new(as_recorded));
    comparison.derivation.feed(&HEADER);
    let mut text = text.take(TEXT_MAX + 1);
    let mut line = Vec::new();
    loop {
        line.clear();
        text.by_ref().take(LINE_MAX + 1).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        if text.limit() == 0 {
            return Ok(Err(too_long()));
        }
        let taken = take(&mut log, &mut importer, &mut comparison, &line);
        if let Err(fault) = taken {
            return Ok(Err(fault));
        }
    }
    if log.chain.next == 0 {
        return Ok(Err("expected the line of a game, found nothing".into()));
    }
    Ok(comparison.finish().map(|()| log))
}

fn take(
    log: &mut Log,
    importer: &mut Importer,
    comparison: &mut DerivedComparison,
    line: &[u8],
) -> Result<(), Reason> {
    let number = log.chain.next + 1;
    let text = line_text(number, line.strip_suffix(b"\n").unwrap_or(line))?;
    let (record, given) = importer.line(text).map_err(|error| unreadable(&error, text))?;
    let frame = log.add(&record).map_err(|error| format!("line {number}: {error}"))?;
    comparison.take(given, frame)
}

/// A comparison of what the lines say with what follows from the records.
struct DerivedComparison {
    derivation: Derivation,
    given: VecDeque<Derived>,
    seq: u64,
    round: Option<u32>,
    as_recorded: bool,
}

impl DerivedComparison {
    fn new(as_recorded: bool) -> Self {
        Self { derivation: Derivation::default(), given: VecDeque::new(), seq: 0, round: None, as_recorded }
    }

    fn take(&mut self, given: Derived, frame: &[u8]) -> Result<(), Reason> {
        if self.as_recorded {
            return Ok(());
        }
        self.given.push_back(given);
        let settled = self.derivation.feed(frame);
        settled.into_iter().try_for_each(|settled| self.compare(settled))
    }

    fn finish(mut self) -> Result<(), Reason> {
        let (rest, _) = std::mem::take(&mut self.derivation).finish();
        rest.into_iter().try_for_each(|settled| self.compare(settled))
    }

    fn compare(&mut self, settled: Settled) -> Result<(), Reason> {
        let Settled { n, record, derived } = settled;
        let given = self.given.pop_front().unwrap_or_default();
        let line = n + 1;
        self.compare_counts(line, &record, &given)?;
        if let Record::RoundEnd(end) = &*record
            && !end.scores.is_empty()
        {
            let totals = end.scores.iter().map(|score| score.total()).collect::<Vec<_>>();
            same(line, "total", &Some(totals), &given.totals)?;
        }
        let Some(derived) = derived else { return Ok(()) };
        let expected = in_form(&record, derived);
        match *record {
            Record::Action(_) => same(line, "events", &expected.events, &given.events),
            Record::RoundEnd(_) => {
                same(line, "seat", &expected.seat, &given.seat)?;
                same(line, "concealed", &expected.concealed, &given.concealed)?;
                same(line, "dealer", &expected.dealer, &given.dealer)?;
                same(line, "wall", &expected.wall, &given.wall)?;
                same(line, "start_scores", &expected.start_scores, &given.start_scores)?;
                same(line, "cumulative", &expected.cumulative, &given.cumulative)
            }
            Record::GameEnd(_) => {
                same(line, "margin", &expected.margin, &given.margin)?;
                same(line, "sides", &expected.cumulative, &given.cumulative)
            }
            _ => Ok(()),
        }
    }

    /// Compares `seq` and `round`, which can be counted without knowing the cards.
    fn compare_counts(&mut self, line: u64, record: &Record, given: &Derived) -> Result<(), Reason> {
        match record {
            Record::Register(register) => self.round = Some(register.round),
            Record::Action(_) => {
                self.seq += 1;
                same(line, "seq", &Some(self.seq), &given.seq)?;
                same(line, "round", &self.round, &given.round)?;
            }
            Record::Refusal(_) => same(line, "round", &self.round, &given.round)?,
            _ => {}
        }
        Ok(())
    }
}

fn same<T: PartialEq + Debug>(
    line: u64,
    field: &str,
    expected: &Option<T>,
    found: &Option<T>,
) -> Result<(), Reason> {
    if expected == found {
        return Ok(());
    }
    let shown = |value: &Option<T>| match value {
        None => "nothing".into(),
        Some(value) => shorten(format!("{value:?}")),
    };
    Err(format!("line {line}: {field}: expected {}, found {}", shown(expected), shown(found)))
}

fn shorten(text: String) -> String {
    const LONGEST: usize = 300;
    match text.char_indices().nth(LONGEST) {
        None => text,
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
