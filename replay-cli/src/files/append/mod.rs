//! `append`: adds frames to a log so that no acknowledged frame is ever lost.
//!
//! The chain of the frames says which head they follow (compare and set). The new head is printed only after
//! the bytes have reached the disk: whoever has read it may rely on it, and whoever has not may send the same
//! frames again.

mod disk;

pub use disk::{Disk, LogFile};

use crate::shared::io::{Exit, Io, OutputFormat, read_whole};
use crate::shared::paths;
use crate::shared::text::{hex, parse_head};
use anyhow::Context;
use canasta_engine::log::{Chain, Frame, HEADER, Head, LogError, LogErrorKind, Reader};
use serde_json::json;
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// The arguments of `append`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log; it is created if it does not exist and the frames begin with a log's header
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The head that the log must have now, 64 lower-case hex digits; an empty log has no head. If frames are sent
    /// again, the head before or after any frame that the log has already is accepted too
    #[arg(long, value_name = "HEX", value_parser = parse_head)]
    head: Option<Head>,
    /// First cut off a torn tail, which a crash leaves; the tail is kept in LOG.torn
    #[arg(long)]
    repair: bool,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Frames are read from standard input, as the service's replies carry them. Leading frames that the log has \
already are skipped, from whichever record they begin (with the file header: from the first). The rest \
must follow the last record of the log; it is written and synced to the disk, then the new head is \
printed. It is therefore safe to send a batch again after a failure, even if a part of it was stored.

Exit codes: 0 appended, or stored already; 1 refused, and nothing changed (the frames do not follow, or \
log or frames are damaged); 2 reading or writing failed, and nothing is acknowledged.

Examples:
  canasta-replay append table-0417.clog < reply.frames
  canasta-replay append --repair table-0417.clog < /dev/null";

/// Maximum number of bytes taken from the input.
const INPUT_MAX: u64 = 1 << 24;

/// The reason why nothing was appended.
#[derive(Debug)]
pub enum AppendError {
    /// The log ends inside a frame; `--repair` cuts that frame off.
    Torn(LogError),
    Log(LogError),
    /// The log does not have the expected head.
    Head {
        expected: Head,
        found: Head,
    },
    /// The first new frame does not follow the last record of the log.
    Follow {
        end: Chain,
    },
    /// The frames begin like the log, and then differ from it.
    Fork {
        /// The number of the first record that differs.
        record: u64,
    },
    /// The new frames are damaged, or do not contain valid records.
    Frames(LogError),
    /// The disk failed. What was written was removed again if the disk allowed it.
    Disk(&'static str, io::Error),
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torn(error) => {
                write!(f, "the log is torn ({error}): --repair cuts it at the last whole record")
            }
            Self::Log(error) => write!(f, "the log is damaged: {error}"),
            Self::Head { expected, found } => {
                write!(f, "expected the log to have head {}, found {}", hex(expected), hex(found))
            }
            Self::Follow { end: Chain { next: 0, .. } } => {
                f.write_str("the log has no record: expected the header of a log, then its record 0")
            }
            Self::Follow { end } => write!(
                f,
                "the frames do not follow the log, which ends with record {} (head {}): the first is neither \
                 record {} nor one that the log has. Frames between them are missing, or they are of another log",
                end.next - 1,
                hex(&end.head),
                end.next
            ),
            Self::Fork { record } => write!(
                f,
                "the frames do not follow the log: from record {record} on the log has others \
                 (canasta-replay diff shows where two copies part)"
            ),
            Self::Frames(error) => write!(f, "frames to append: {error}"),
            Self::Disk(what, error) => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for AppendError {}

/// Appends the frames on the input.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    paths::named_file(&args.log, "standard input has the frames")?;
    let frames = read_whole(&mut io.input, INPUT_MAX).context("standard input")?;
    let name = || args.log.display().to_string();
    let create = frames.starts_with(&HEADER);
    let mut disk = LogFile::open(&args.log, create).with_context(name)?;
    match append(&mut disk, &frames, args.head, args.repair) {
        Ok(chain) => {
            let head = hex(&chain.head);
            match args.format {
                OutputFormat::Text => writeln!(io.out, "{head}")?,
                OutputFormat::Json => io.write_value(&json!({
                    "format": "canasta-append/1",
                    "path": name(),
                    "record": chain.next.saturating_sub(1),
                    "head": head,
                }))?,
            }
            Ok(Exit::Clean)
        }
        Err(AppendError::Disk(what, error)) => Err(error).context(what).with_context(name),
        Err(error) => io.finding(format_args!("{}: {error}", name())),
    }
}

/// Appends `frames` to the log on `disk`, and returns the end of the log after they have reached the disk.
///
/// # Errors
/// The reason why nothing was appended. The log is then unchanged, as far as the disk allows.
pub fn append(
    disk: &mut impl Disk,
    frames: &[u8],
    expected: Option<Head>,
    repair: bool,
) -> Result<Chain, AppendError> {
    let mut stored = Stored::of(frames);
    let (chain, length) = end_of(disk, repair, &mut stored)?;
    let fresh = stored.rest(length)?;
    if let Some(expected) =
        expected.filter(|expected| *expected != chain.head && !stored.heads.contains(expected))
    {
        return Err(AppendError::Head { expected, found: chain.head });
    }
    let after = follow(chain, length, fresh).map_err(|error| match error.kind {
        LogErrorKind::Chain { .. } if error.record == chain.next && stored.heads.is_empty() => {
            AppendError::Follow { end: chain }
        }
        LogErrorKind::NotALog { .. } if length == 0 => AppendError::Follow { end: chain },
        _ => AppendError::Frames(error),
    })?;
    // The frames were sent again: those not acknowledged before reach the disk now.
    store(disk, length, fresh)?;
    Ok(after)
}

/// The comparison of the frames on the input with those that the log has already.
struct Stored<'f> {
    frames: &'f [u8],
    /// Whether the frames begin with a log's header, so that the first is record 0.
    whole: bool,
    /// Number of bytes of the input that the log has already.
    skipped: usize,
    /// The head before the first frame that the log has, and the head of each such frame.
    heads: Vec<Head>,
    /// The chain at which log and input part, if they do.
    fork: Option<Chain>,
}

impl<'f> Stored<'f> {
    fn of(frames: &'f [u8]) -> Self {
        let whole = frames.starts_with(&HEADER);
        let skipped = if whole { HEADER.len() } else { 0 };
        Self { frames, whole, skipped, heads: Vec::new(), fork: None }
    }

    /// Compares the next frame of the log with the next frame on the input.
    fn take(&mut self, frame: &Frame<'_>) {
        let rest = &self.frames[self.skipped..];
        if self.fork.is_some() || rest.is_empty() {
            return;
        }
        let before = Chain { next: frame.n, head: frame.before };
        let mut own = Vec::new();
        Chain { ..before }.append(frame.payload, &mut own);
        // A frame contains a part of its head: an equal frame is the same record of the same log.
        if rest.starts_with(&own) {
            if self.heads.is_empty() {
                self.heads.push(frame.before);
            }
            self.heads.push(frame.head);
            self.skipped += own.len();
        } else if self.whole || !self.heads.is_empty() {
            self.fork = Some(before);
        }
    }

    /// Returns the frames that a log of `length` bytes does not have yet.
    fn rest(&self, length: u64) -> Result<&'f [u8], AppendError> {
        if length == 0 {
            return Ok(self.frames);
        }
        let rest = &self.frames[self.skipped..];
        match self.fork {
            None => Ok(rest),
            Some(at) => {
                follow(at, length, rest).map_err(AppendError::Frames)?;
                Err(AppendError::Fork { record: at.next })
            }
        }
    }
}

/// Reads the log and returns its end and its size in bytes; cuts a torn tail off first if `repair` is set. Passes every frame
/// to `stored`.
fn end_of(disk: &mut impl Disk, repair: bool, stored: &mut Stored<'_>) -> Result<(Chain, u64), AppendError> {
    let mut reader = Reader::new();
    let mut buffer = vec![0; paths::CHUNK];
    let mut length = 0;
    loop {
        let count = read(disk, length, &mut buffer)?;
        if count == 0 {
            break;
        }
        length += count as u64;
        let mut piece = &buffer[..count];
        while let Some(frame) = reader.next(&mut piece).map_err(AppendError::Log)? {
            stored.take(&frame);
        }
    }
    if length == 0 {
        return Ok((Chain::START, length));
    }
    let (chain, good) = (reader.chain(), reader.offset());
    match reader.finish() {
        Ok(chain) => Ok((chain, length)),
        // A header that is cut short is torn too: there is nothing before it.
        Err(error) if error.kind.is_torn() || good == 0 => {
            if !repair {
                return Err(AppendError::Torn(error));
            }
            cut(disk, good, length)?;
            Ok((chain, good))
        }
        Err(error) => Err(AppendError::Log(error)),
    }
}

/// Moves the bytes from `good` on to the file of torn tails.
fn cut(disk: &mut impl Disk, good: u64, length: u64) -> Result<(), AppendError> {
    let mut tail = vec![0; (length - good) as usize];
    let mut at = 0;
    while at < tail.len() {
        match read(disk, good + at as u64, &mut tail[at..])? {
            0 => break,
            count => at += count,
        }
    }
    disk.keep(&tail[..at]).map_err(|error| AppendError::Disk("keeping the torn tail", error))?;
    let cut = disk.cut(good).and_then(|()| disk.sync());
    cut.map_err(|error| AppendError::Disk("cutting the torn tail off", error))
}

fn read(disk: &mut impl Disk, at: u64, buffer: &mut [u8]) -> Result<usize, AppendError> {
    loop {
        match disk.read(at, buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            outcome => return outcome.map_err(|error| AppendError::Disk("reading", error)),
        }
    }
}

/// Returns the end of a log that ended with `chain` after `frames` are appended, each of which must be a
/// whole record that follows.
fn follow(chain: Chain, length: u64, frames: &[u8]) -> Result<Chain, LogError> {
    let mut reader = if length == 0 { Reader::new() } else { Reader::resume(chain, length) };
    if frames.is_empty() {
        return Ok(chain);
    }
    let mut piece = frames;
    while let Some(frame) = reader.next(&mut piece)? {
        frame.record()?;
    }
    reader.finish()
}

/// Writes and syncs the frames; cuts them off again if that fails.
fn store(disk: &mut impl Disk, length: u64, frames: &[u8]) -> Result<(), AppendError> {
    let mut at = 0;
    let outcome = loop {
        if at == frames.len() {
            break disk.sync().map_err(|error| AppendError::Disk("syncing", error));
        }
        match disk.write(length + at as u64, &frames[at..]) {
            Ok(0) => break Err(AppendError::Disk("writing", ErrorKind::WriteZero.into())),
            Ok(count) => at += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Err(AppendError::Disk("writing", error)),
        }
    };
    if outcome.is_err() {
        // A failure here leaves a torn or a longer log, which the next call sees: nothing was acknowledged.
        let _ = disk.cut(length).and_then(|()| disk.sync());
    }
    outcome
}
