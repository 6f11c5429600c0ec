//! `audit --shard` writes the results of a part of the logs; `audit --join` makes the report of all parts.

use super::kept::{AuditOptions, name_of};
use super::lines::{ChainedLines, LineChain};
use super::report::AuditReport;
use super::summary::{AuditSummary, AuditedLog};
use super::{AuditFormat, close};
use crate::shared::io::{Exit, Io};
use crate::shared::paths::{self, Failure, FailureList, SortedFailures};
use crate::shared::text::count;
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::Range;
use std::path::PathBuf;

/// The name and version of the format.
const FORMAT: &str = "canasta-audit-part/1";
/// Maximum number of parts.
const PARTS_MAX: u32 = 4_096;

/// One of several equal parts of a list of logs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AuditShard {
    /// Number of the part, from 1.
    number: u32,
    /// Number of all parts.
    of: u32,
}

impl AuditShard {
    /// Parses a part as `I/N`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| i.parse().ok().zip(n.parse().ok()));
        let shard = numbers.map(|(number, of)| Self { number, of });
        shard
            .filter(|shard| (1..=shard.of).contains(&shard.number) && shard.of <= PARTS_MAX)
            .ok_or_else(|| format!("expected I/N with I from 1 to N, N at most {PARTS_MAX}, found {text:?}"))
    }

    /// Returns the logs of the part, of `logs` logs in order.
    pub fn share(self, logs: u64) -> Range<u64> {
        let start = |number: u32| {
            (u128::from(logs) * u128::from(number) / u128::from(self.of)).try_into().unwrap_or(logs)
        };
        start(self.number - 1)..start(self.number)
    }

    /// Whether the part is the first, which has what the search for logs could not read.
    pub fn is_first(self) -> bool {
        self.number == 1
    }
}

/// One line of a part.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PartLine {
    Part(PartHead),
    Log(AuditedLog),
    Failure { path: String, error: String },
    End { logs: u64 },
}

/// The first line of a part.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct PartHead {
    format: String,
    shard: AuditShard,
    /// Number of logs of all parts.
    logs: u64,
    options: AuditOptions,
}

/// A part that is being written.
pub struct PartWriter {
    chain: LineChain,
    logs: u64,
}

impl PartWriter {
    /// Begins a part of `logs` logs.
    ///
    /// # Errors
    /// If writing fails.
    pub fn begin(shard: AuditShard, logs: u64, options: AuditOptions, io: &mut Io<'_>) -> io::Result<Self> {
        // A terminal cannot show the part and the bar at once.
        io.progress &= !io.terminal;
        let mut part = Self { chain: LineChain::new(FORMAT), logs: 0 };
        part.write(&PartLine::Part(PartHead { format: FORMAT.into(), shard, logs, options }), &mut io.out)?;
        Ok(part)
    }

    /// Adds the result of the next log.
    ///
    /// # Errors
    /// If writing fails, or the result is too long for a line.
    pub fn log(&mut self, log: &AuditedLog, out: &mut dyn Write) -> io::Result<()> {
        self.logs += 1;
        self.write(&PartLine::Log(log.clone()), out)
    }

    /// Ends the part.
    ///
    /// # Errors
    /// If writing fails.
    pub fn end(mut self, failures: &mut SortedFailures, out: &mut dyn Write) -> io::Result<()> {
        for failure in failures.iter()? {
            let Failure { path, error } = failure?;
            self.write(&PartLine::Failure { path, error }, out)?;
        }
        let logs = self.logs;
        self.write(&PartLine::End { logs }, out)
    }

    fn write(&mut self, line: &PartLine, out: &mut dyn Write) -> io::Result<()> {
        let line = self.chain.line(&serde_json::to_string(line)?);
        let too_long = || io::Error::other("the result of a log is too long for a part");
        out.write_all(line.ok_or_else(too_long)?.as_bytes())
    }
}

/// A part that is being read.
struct PartReader {
    name: String,
    lines: ChainedLines<BufReader<File>>,
    head: PartHead,
}

impl PartReader {
    fn open(path: &PathBuf) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        paths::named_file(path, "a part is joined from a file")?;
        let file = File::open(path).with_context(|| name.clone())?;
        let mut lines = ChainedLines::new(BufReader::new(file), FORMAT);
        let first = lines.next().ok().flatten().and_then(|text| serde_json::from_str(&text).ok());
        match first {
            Some(PartLine::Part(head)) if head.format == FORMAT => Ok(Self { name, lines, head }),
            _ => bail!(
                "{name}: expected a part that audit --shard of this version has written, found another file"
            ),
        }
    }

    /// Returns the next line.
    fn next(&mut self) -> anyhow::Result<PartLine> {
        let again = "audit this part again";
        let text = self.lines.next().map_err(|fault| anyhow::anyhow!("{}: {fault}: {again}", self.name))?;
        let text = text.with_context(|| format!("{}: the part has no end: {again}", self.name))?;
        serde_json::from_str(&text).with_context(|| self.name.clone())
    }
}

/// Opens the parts and puts them in order: all parts of one audit, each once.
fn parts(paths: &[PathBuf], format: AuditFormat) -> anyhow::Result<Vec<PartReader>> {
    let mut parts = paths.iter().map(PartReader::open).collect::<anyhow::Result<Vec<_>>>()?;
    parts.sort_by_key(|part| part.head.shard.number);
    let Some(first) = parts.first() else { bail!("expected the parts of an audit") };
    let PartHead { shard: AuditShard { of, .. }, ref options, .. } = first.head;
    let (wanted, found) = (name_of(format), &options.format);
    ensure!(wanted == *found, "the parts are of --format {found}: they cannot be joined as {wanted}");
    for part in &parts {
        let same = PartHead { shard: part.head.shard, ..first.head.clone() };
        let is_same = part.head == same && part.head.shard.of == of;
        ensure!(
            is_same,
            "{} and {} are parts of two audits: other logs, options or versions",
            first.name,
            part.name
        );
    }
    let numbers: Vec<u32> = parts.iter().map(|part| part.head.shard.number).collect();
    if let Some(twice) = numbers.windows(2).position(|pair| pair[0] == pair[1]) {
        bail!("{} and {} are the same part", parts[twice].name, parts[twice + 1].name);
    }
    match (1..=of).find(|number| !numbers.contains(number)) {
        Some(missing) => bail!("part {missing} of {of} is missing"),
        None => Ok(parts),
    }
}

/// Writes the report of all logs from the parts.
pub fn join(args: &super::Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let parts = parts(&args.paths, args.format)?;
    let mut failures = FailureList::new(args.limit());
    let mut summary = AuditSummary::new(args.limit());
    let not_judged = parts[0].head.options.not_judged.clone();
    let mut report = AuditReport::begin(args, not_judged, io)?;
    for mut part in parts {
        let mut logs = 0;
        loop {
            match part.next()? {
                PartLine::Log(log) => {
                    report.log(&log.rendered, &mut io.out)?;
                    summary.add(log.counted)?;
                    logs += 1;
                }
                PartLine::Failure { path, error } => failures.add(&Failure { path, error })?,
                PartLine::End { logs: expected } => {
                    let found = count(logs, "log");
                    ensure!(logs == expected, "{}: expected {expected} logs, found {found}", part.name);
                    break;
                }
                PartLine::Part(_) => bail!("{}: two parts in one file", part.name),
            }
        }
    }
    close(args, summary, report.into(), failures, io)
}
