//! `sign`: signs a checkpoint over the last record of a log.

use crate::files::append::{LogFile, append};
use crate::shared::io::{Exit, Io, OutputFormat, Wrong};
use crate::shared::output::OutputFile;
use crate::shared::paths::{self, LIVE};
use crate::shared::text::{hex, list, number};
use anyhow::Context;
use canasta_engine::log::audit::{Auditor, Report};
use canasta_engine::log::record::Remark;
use canasta_engine::log::{Chain, HEADER, Record, checkpoint};
use canasta_tournament::note::NoteSigner;
use canasta_tournament::paper::PaperSheet;
use canasta_tournament::sheet::{self, SignedSheet, read_note};
use canasta_tournament::{key_file, log_file, scores};
use serde_json::json;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The arguments of `sign`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log; with --sheet also a typed score sheet of a game without a log, which must name the players' keys
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The file of the private key, as keygen writes it
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Also append the note to the log; only after the game has ended, because until then the service appends
    /// to the log
    #[arg(long)]
    append: bool,
    /// Sign the score sheet instead, for the players to sign one after another with the keys that the log has: the totals
    /// of the log, or the typed sheet as it is. The sheet goes to FILE; if FILE exists, the signature is added to it
    #[arg(long, value_name = "FILE", conflicts_with = "append")]
    sheet: Option<PathBuf>,
    /// Overwrite LOG.note if it exists
    #[arg(long, conflicts_with = "sheet")]
    force: bool,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The log is audited first; a log with findings is not signed. The note goes to LOG.note: game, number and \
head of the last record, and your signature; a note that exists is replaced with --force only. It proves later that no record up to this one was changed or \
removed.

Exit codes: 0 signed; 1 not signed (findings, or --append before the end of the game); 2 a file could not \
be read or written.

Example:
  canasta-replay sign table-0417.clog --key table.key
  canasta-replay sign table-0417.clog --key anna.key --sheet table-0417.sheet
  canasta-replay sign table-7.txt --key anna.key --sheet table-7.sheet";

/// Audits the log and signs its last record.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let signer = key_file::read(&args.key)?;
    let name = || args.log.display().to_string();
    paths::named_file(&args.log, "the note goes to LOG.note")?;
    let note_path = log_file::note_path(&args.log);
    let file = args.sheet.as_ref().unwrap_or(&note_path);
    // A sheet that exists gets one more signature; what is no such sheet is refused.
    let adds = args.sheet.is_some() && file.exists();
    let output = OutputFile::new(file, args.force || adds, [&args.key])?;
    if args.sheet.is_some() && !is_log(&args.log) {
        return sign_paper(file, &args.log, &signer, &output, io);
    }
    let mut auditor = Auditor::new(LIVE);
    let log = File::open(&args.log).with_context(name)?;
    paths::feed(log, |piece| auditor.feed(piece)).with_context(name)?;
    let report = auditor.finish();
    if let Some(finding) = report.findings.first() {
        let (kind, place) = (finding.kind.name(), number(finding.record as i64));
        return io.finding(format_args!("{}: {kind} at record {place}: not signed", name()));
    }
    let Some(genesis) = &report.genesis else {
        return Err(Wrong(format!("{}: the log has no record", name())).into());
    };
    if let Some(fork) = &genesis.fork_of {
        // A signature over it would prove a fork of the game against the signer.
        return io.finding(format_args!("{}: {fork}: not signed", name()));
    }
    if args.append && report.result.is_none() {
        let why = "the game has not ended: the service appends its checkpoints";
        return io.finding(format_args!("{}: {why}", name()));
    }
    if args.sheet.is_some() {
        return sign_sheet(file, &signer, &report, &output, io);
    }
    let n = report.records - 1;
    let note = signer.sign(&checkpoint::body(&genesis.game_id, n, &report.head));
    output.write(note.as_bytes(), &mut io.out)?;
    if args.append {
        let mut chain = Chain { next: report.records, head: report.head };
        let mut frame = Vec::new();
        chain.append(&Record::Remark(Remark::checkpoint(note)).encode()?, &mut frame);
        append(&mut LogFile::open(&args.log, false).with_context(name)?, &frame, Some(report.head), false)?;
    }
    let verifier = signer.verifier();
    if args.format == OutputFormat::Json {
        let (game_id, head) = (hex(&genesis.game_id), hex(&report.head));
        io.write_value(&json!({
            "format": "canasta-sign/1", "path": name(), "game_id": game_id, "record": n, "head": head,
            "signer": verifier.name(),
        }))?;
        return Ok(Exit::Clean);
    }
    writeln!(io.out, "signed record {} of {} as {}", number(n as i64), name(), verifier.name())?;
    Ok(Exit::Clean)
}

/// Signs the score sheet of an audited log.
fn sign_sheet(
    file: &Path,
    signer: &NoteSigner,
    report: &Report,
    output: &OutputFile,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let name = || file.display().to_string();
    let text = sheet::body(report).context("the log has no game")?;
    let note = if file.exists() {
        let earlier = SignedSheet::read(file)?;
        if !earlier.note.starts_with(&format!("{text}\n")) {
            return Err(Wrong(format!("{}: it has other totals than the log: not signed", name())).into());
        }
        earlier.signed_by(signer).note
    } else {
        signer.sign(&text)
    };
    output.write(note.as_bytes(), &mut io.out)?;
    tell_signed(file, text.lines().nth(3).unwrap_or_default(), signer, io)
}

/// Returns whether a file begins as a log does. A file that cannot be read counts as a log, and is reported as one.
fn is_log(path: &Path) -> bool {
    let mut start = [0; HEADER.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_err() || start == HEADER
}

/// Signs a typed score sheet, if its sums hold.
fn sign_paper(
    file: &Path,
    typed: &Path,
    signer: &NoteSigner,
    output: &OutputFile,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let name = || file.display().to_string();
    let text = read_note(typed)?;
    let sheet = PaperSheet::of_typed(&text).with_context(|| typed.display().to_string())?;
    let counted = scores::count(&sheet.scores);
    for fault in &counted.faults {
        let (line, detail) = (fault.line, fault.detail.escape_debug());
        io.remark(format_args!("{}: line {line}: {detail}: not signed", typed.display()))?;
    }
    if !counted.faults.is_empty() {
        return Ok(Exit::Findings);
    }
    let earlier = match file.exists() {
        true => Some(PaperSheet::parse(read_note(file)?).with_context(name)?),
        false => None,
    };
    if earlier.as_ref().is_some_and(|earlier| earlier.typed().trim_end() != sheet.typed().trim_end()) {
        return Err(
            Wrong(format!("{}: it is another sheet than {}: not signed", name(), typed.display())).into()
        );
    }
    let signed = earlier.unwrap_or(sheet).signed_by(signer).with_context(|| typed.display().to_string())?;
    output.write(signed.note.as_bytes(), &mut io.out)?;
    tell_signed(file, &list(counted.totals.iter().map(|&total| number(total))), signer, io)
}

fn tell_signed(sheet: &Path, totals: &str, signer: &NoteSigner, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    writeln!(io.out, "signed the sheet {}: {totals} as {}", sheet.display(), signer.name())?;
    Ok(Exit::Clean)
}
