//! `audit`: judges logs with nothing but their own bytes.

mod json;
mod signed;
mod text;

use crate::cli::Format;
use crate::io::{Exit, Io};
use crate::note::Verifier;
use crate::paths::{self, Failure};
use crate::text::rules_of;
use anyhow::{Context, bail};
use canasta_engine::log::Head;
use canasta_engine::log::audit::{Auditor, Expect, Report};
use canasta_engine::log::replay::Step;
use canasta_engine::violations::Books;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use signed::Signatures;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The arguments of `audit`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Logs; directories, searched for *.clog; or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Games may still be going on: a log without its end is no finding
    #[arg(long)]
    live: bool,
    /// The head that the log's last record must have, as 64 hex digits: finds a log that was cut. One log only
    #[arg(long, value_name = "HEX", value_parser = parse_head)]
    head: Option<Head>,
    /// A public key, as keygen prints it: every log must hold a checkpoint that it signed, or have one beside it in
    /// LOG.note. May be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<Verifier>,
    /// How many logs are judged at once; 0 = one a processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const EXAMPLES: &str = "\
Every log is executed again from its own bytes: framing and hash chain, commitments, deals, the legality of
every action, digests, scores counted two ways, the result. A finding names the record, its byte and the rule.

Exit codes: 0 all clean, 1 findings (a file that is not a log is one), 2 something could not be read or found.

Examples:
  canasta-replay audit table-0417.clog
  canasta-replay audit games --format json > report.json
  canasta-replay audit --live --head 3c9f...e1 table-0417.clog
  gzip -dc old.clog.gz | canasta-replay audit -";

/// What became of one log.
struct Audited {
    path: String,
    report: Report,
    /// What refusals cite, where the rule set is known.
    books: Option<Books>,
    /// Who signed what, a phrase a key.
    signed: Vec<String>,
}

/// Judges the logs and reports.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (files, mut failures) = paths::logs(&args.paths);
    if args.head.is_some() && files.len() != 1 {
        bail!("--head is the head of one log, found {}", files.len());
    }
    let expect = Expect { live: args.live, head: args.head, record: None };
    let bench = Bench { expect, keys: &args.key };
    let mut audited = Vec::with_capacity(files.len());
    for outcome in judge_all(&files, &bench, args.threads, io)? {
        match outcome {
            Ok(log) => audited.push(log),
            Err(failure) => failures.push(failure),
        }
    }
    match args.format {
        Format::Text => text::write(&audited, &mut io.out)?,
        Format::Json => json::write(&audited, &failures, &mut io.out)?,
    }
    paths::report(&failures, io)?;
    Ok(if !failures.is_empty() {
        Exit::Failure
    } else if audited.iter().all(|log| log.report.findings.is_empty()) {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// Judges every file, several at once; the outcomes are in the order of the files.
fn judge_all(
    files: &[PathBuf],
    bench: &Bench<'_>,
    threads: usize,
    io: &mut Io<'_>,
) -> anyhow::Result<Vec<Result<Audited, Failure>>> {
    // Standard input cannot be shared: it is read here, where there is but one thread.
    let mut stdin = None;
    if files.iter().any(|file| paths::is_stdin(file)) {
        stdin = Some(bench.judge(Path::new("-"), &mut io.input));
    }
    let bar = progress_bar(files.len(), io.progress);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("threads")?;
    let outcomes = pool.install(|| {
        let judge_file = |file: &PathBuf| {
            let outcome = match File::open(file) {
                _ if paths::is_stdin(file) => None,
                Ok(reader) => Some(bench.judge(file, reader)),
                Err(error) => Some(Err(paths::failure(file, &error))),
            };
            bar.inc(1);
            outcome
        };
        files.par_iter().map(judge_file).collect::<Vec<_>>()
    });
    bar.finish_and_clear();
    Ok(outcomes.into_iter().filter_map(|outcome| outcome.or_else(|| stdin.take())).collect())
}

/// What all logs are judged by.
struct Bench<'a> {
    expect: Expect,
    keys: &'a [Verifier],
}

impl Bench<'_> {
    /// Judges one log; memory is bounded by one round, however long the log.
    fn judge(&self, path: &Path, reader: impl std::io::Read) -> Result<Audited, Failure> {
        let mut signatures = match self.keys {
            [_, ..] if !paths::is_stdin(path) => Signatures::beside(path),
            _ => Ok(Signatures::default()),
        }
        .map_err(|error| paths::failure(path, &format!("{error:#}")))?;
        let mut auditor = Auditor::new(Expect { record: signatures.expected(), ..self.expect });
        let mut watch = |step: &Step<'_>| signatures.watch(step, self.keys);
        paths::feed(reader, |piece| auditor.feed_watched(piece, &mut watch))
            .map_err(|error| paths::failure(path, &error))?;
        let mut report = auditor.finish();
        let signed = signatures.close(&mut report, self.keys);
        let books = report.genesis.as_ref().and_then(rules_of).map(|rules| rules.books());
        Ok(Audited { path: path.display().to_string(), report, books, signed })
    }
}

/// Shows how many of the logs are done, where somebody watches.
pub fn progress_bar(files: usize, shown: bool) -> ProgressBar {
    if !shown || files < 2 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} logs, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A public key, as keygen prints it.
pub fn parse_key(text: &str) -> Result<Verifier, String> {
    Verifier::parse(text).map_err(|error| format!("{error:#}"))
}

/// A head as 64 hex digits.
pub fn parse_head(text: &str) -> Result<Head, String> {
    let expected = || format!("expected 64 hex digits, found {text:?}");
    if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(expected());
    }
    let mut head = Head::default();
    for (byte, place) in head.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(&text[place..place + 2], 16).map_err(|_| expected())?;
    }
    Ok(head)
}

impl Audited {
    /// The command that shows what a finding is about.
    fn show(&self, finding: &canasta_engine::log::finding::Finding) -> Option<String> {
        use canasta_engine::log::finding::FindingKind::{
            Checkpoint, Corrupt, Head, Illegal, Incomplete, Malformed, Refusal, Torn,
        };
        if self.path == "-" {
            return None;
        }
        let (record, viewer) = match finding.kind {
            // The record itself cannot be read: the last good one.
            Corrupt | Torn | Malformed | Incomplete | Head | Checkpoint => {
                (finding.record.checked_sub(1)?, "")
            }
            Illegal | Refusal => (finding.record, " --judge"),
            _ => (finding.record, ""),
        };
        Some(format!("canasta-replay show {} --at {record}{viewer}", quoted(&self.path)))
    }
}

/// The path as a shell takes it.
pub fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%=:,".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}
