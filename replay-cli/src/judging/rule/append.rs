//! Appends a ruling to a log that no server keeps.

use super::incident::Incident;
use super::proposal::ProposedRuling;
use super::words::label;
use crate::files::append::{LogFile, append as append_frames};
use crate::judging::disclosure::Disclosure;
use crate::judging::record_context::RecordContext;
use crate::shared::io::Io;
use crate::shared::paths;
use crate::shared::text::hex;
use anyhow::{Context, anyhow, bail};
use canasta_engine::log::{Chain, HEADER, Record};
use canasta_engine::rejection::Rejection;
use canasta_engine::text::words::some;
use canasta_engine::text::{from_text, to_text};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Maximum size of a log that is read whole, in bytes.
const LOG_MAX: u64 = 1 << 26;

/// Appends the ruling as the last record, if the game takes it in the position in which the log ends.
///
/// # Errors
/// If the game is being played, or the ruling is impossible at the end of the log.
pub fn append(
    log: &Path,
    incident: &Incident,
    proposed: &ProposedRuling,
    io: &mut Io<'_>,
) -> anyhow::Result<()> {
    let Some(record) = &incident.record else { bail!("--append: expected a log") };
    if !record.is_transcribed && !record.is_over {
        bail!(
            "--append: the game is being played, and whoever keeps its state would be left behind: send the ruling as a \
             request (--format json)"
        );
    }
    let names = &incident.names;
    if let Some(word) = proposed.missing.first() {
        bail!("--append: {}", names.line("rule_missing", vec![some(*word)]));
    }
    let length = fs::metadata(log)?.len();
    anyhow::ensure!(length <= LOG_MAX, "--append: expected a log of at most {LOG_MAX} bytes, found {length}");
    let before = fs::read(log)?;
    let bytes = with_ruling(&before, &proposed.line).map_err(|error| anyhow!("--append: {error}"))?;
    let fresh = bytes.strip_prefix(&before[..]).context("--append: the log would not stay as it is")?;
    let mut disk = LogFile::open(log, false)?;
    let end = append_frames(&mut disk, fresh, None, false).map_err(|error| anyhow!("--append: {error}"))?;
    let facts = vec![some((end.next - 1).to_string()), some(hex(&end.head))];
    writeln!(io.out, "{:<13} {}", label(names, "appended"), names.line("rule_appended", facts))?;
    Ok(())
}

/// Returns the log with the ruling as its last record. The log is written in notation with one more line and read again,
/// so that the rules judge the ruling in the position in which the log ends.
fn with_ruling(log: &[u8], line: &str) -> anyhow::Result<Vec<u8>> {
    let mut text = to_text(&records(log)?)?;
    if text.ends_with("...\n") {
        bail!("the log stops in the middle of what is written at once: complete it first");
    }
    text += &format!("director: {line}\n");
    let after = from_text(&text).map_err(|error| {
        anyhow!("{} (at the end of the log; --effect none records the ruling without it)", error.reason)
    })?;
    let (mut bytes, mut chain) = (HEADER.to_vec(), Chain::START);
    for record in after {
        chain.append(&record.encode()?, &mut bytes);
    }
    Ok(bytes)
}

/// Returns the reason why the game, as it is at the end of its log, refuses the ruling; `None` if it takes it, or if
/// there is no such game.
pub fn refusal(
    log: &Path,
    incident: &Incident,
    proposed: &ProposedRuling,
    io: &mut Io<'_>,
) -> anyhow::Result<Option<String>> {
    let Some(record) = incident.record.as_ref().filter(|_| proposed.action.is_some()) else {
        return Ok(None);
    };
    if record.is_transcribed || record.is_over {
        if fs::metadata(log)?.len() > LOG_MAX {
            return Ok(None);
        }
        return Ok(with_ruling(&fs::read(log)?, &proposed.line).err().map(|error| error.to_string()));
    }
    // The position may be unknown: then nobody can say it here.
    let Ok(end) = RecordContext::read(log, None, &Disclosure::default(), io) else { return Ok(None) };
    let judged = end.before.and_then(|before| proposed.judge_at(before));
    let first =
        |rejection: Rejection| rejection.violations.first().map(|violation| end.names.violation(violation));
    Ok(judged.and_then(Result::err).and_then(first).map(|reason| format!("{reason} (at the end of the log)")))
}

fn records(log: &[u8]) -> anyhow::Result<Vec<Record>> {
    let mut records = Vec::new();
    let fault = paths::frames(log, &mut |frame| {
        records.push(frame.record()?);
        Ok(true)
    })?;
    fault.map_or(Ok(records), |fault| Err(fault.into()))
}
