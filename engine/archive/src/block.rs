//! The packing of up to 64 logs as one block of an archive, and its unpacking.
//!
//! The logs of a block share their columns and what the columns have learnt, so a log can only be unpacked after
//! the logs before it.

use super::error::Fault;
use super::fields::Plain;
use super::model::{CodedColumn, Room, Work};
use super::prior;
use super::varint;
use super::walk::{RecordClass, Walk};
use alloc::vec::Vec;
use canasta_rules::action::ActionKind;

/// Maximum number of bytes of a log in an archive.
pub const LOG_MAX: usize = 1 << 26;
/// Maximum number of logs per block.
pub const BLOCK_LOGS: usize = 64;
/// Maximum number of bytes of the logs of a block that has more than one log.
pub const BLOCK_BYTES: u64 = 1 << 22;

/// Method byte: the logs are stored as they are.
const STORED: u8 = 0;
/// Method byte: the logs are packed in columns, with prior 1. A later prior gets another method.
const COLUMNS: u8 = 1;
/// Sizes of the columns of play, times and text.
const ROOMS: [Room; 3] = [15, 12, 14];
/// Maximum number of times that a writer packs a block before it stores all its logs as they are.
const PASSES: u32 = 8;

/// Whether a block of `logs` logs with `bytes` bytes takes another log of `next` bytes. Writers fill every block, so
/// the blocks follow from the lengths of the logs.
pub fn has_room(logs: usize, bytes: u64, next: u64) -> bool {
    logs == 0 || (logs < BLOCK_LOGS && bytes + next <= BLOCK_BYTES)
}

/// The size of a log. A reader knows it before it unpacks the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LogSize {
    /// Length of the log in bytes.
    pub length: u32,
    /// Number of records of the log whose frames are correct; 0 if the log is stored as it is.
    pub records: u32,
    /// Number of actions among them.
    pub actions: u32,
}

/// Packed logs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// The packed bytes, for [`unpack`].
    pub body: Vec<u8>,
    /// The sizes of the logs.
    pub sizes: Vec<LogSize>,
    /// The sizes of the parts of the body.
    pub content: Content,
}

/// The sizes of the parts of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Content {
    /// Bytes of the column of actions: the kind of each record, who acts, which action.
    pub play: u64,
    /// Bytes of the column of times.
    pub times: u64,
    /// Bytes of the column of names, rule sets, notes, and of records that could not be predicted.
    pub text: u64,
    /// Bytes of the column of ids, secrets and signatures, and of logs that are stored as they are.
    pub plain: u64,
    /// Bytes of the method and of the lengths of the columns.
    pub frame: u64,
    /// Work of unpacking: see [`work_of`].
    pub work: u64,
}

/// Maximum work per byte of a block and per log. Games need about 300 per byte.
const WORK_A_PACKED_BYTE: u64 = 1 << 10;
const WORK_A_PACKED_LOG: u64 = 1 << 8;
/// Maximum number of decisions per byte of a log, and for an empty log: a card of a given wall takes up to
/// 53.
const WORK_A_BYTE: u64 = 1 << 8;
const WORK: u64 = 1 << 12;

/// Returns the maximum work for unpacking a block of `packed` bytes to logs of these sizes.
///
/// Both sizes bound the work, so that a few bytes cannot ask for hours. A decision counts as 1, a record as 64 more
/// and 1 for each of its bytes, a register as 1,024 more.
pub fn work_of(packed: usize, sizes: &[LogSize]) -> u64 {
    let by_packed = WORK_A_PACKED_LOG * sizes.len() as u64 + WORK_A_PACKED_BYTE * packed as u64;
    by_packed.min(sizes.iter().map(work_of_log).sum())
}

fn work_of_log(size: &LogSize) -> u64 {
    WORK + WORK_A_BYTE * u64::from(size.length)
}

/// Packs logs, or any other bytes, as one block. A log that would not unpack to the same bytes within the work of
/// its size, or would not become smaller, is stored as it is.
///
/// # Panics
/// If the logs do not fit into one block: see [`has_room`]. If a log has more than [`LOG_MAX`] bytes.
pub fn pack<L: AsRef<[u8]>>(logs: &[L]) -> Packed {
    let logs: Vec<&[u8]> = logs.iter().map(AsRef::as_ref).collect();
    assert!(logs.iter().all(|log| log.len() <= LOG_MAX), "a log has at most 64 MiB");
    let total: u64 = logs.iter().map(|log| log.len() as u64).sum();
    assert!(
        logs.len() < 2 || (logs.len() <= BLOCK_LOGS && total <= BLOCK_BYTES),
        "the logs fit into one block"
    );
    let mut stored = alloc::vec![false; logs.len()];
    for _ in 0..PASSES {
        let (packed, costly) = columns(&logs, &stored);
        let bad = if costly.is_empty() { wrong(&packed, &logs) } else { costly };
        if bad.is_empty() && packed.body.len() as u64 <= 1 + total {
            return packed;
        }
        if bad.is_empty() || bad.iter().any(|&at| stored[at]) {
            break;
        }
        bad.into_iter().for_each(|at| stored[at] = true);
    }
    as_they_are(&logs)
}

/// Returns the logs that do not come back from a packed block: none, or the first.
fn wrong(packed: &Packed, logs: &[&[u8]]) -> Vec<usize> {
    let mut back = Vec::new();
    let work = Work::new(work_of(packed.body.len(), &packed.sizes));
    let unpacked = unpack_to(&packed.body, &packed.sizes, &work, &mut back);
    let differs = |&at: &usize| back.get(at).map(Vec::as_slice) != Some(logs[at]);
    let found = (0..logs.len()).find(differs);
    // An error after the last log is one of the block as a whole.
    found.or(unpacked.err().map(|_| 0)).into_iter().collect()
}

fn as_they_are(logs: &[&[u8]]) -> Packed {
    let body = [&[STORED][..], &logs.concat()].concat();
    let sizes = logs.iter().map(|log| LogSize { length: log.len() as u32, ..LogSize::default() }).collect();
    let plain = body.len() as u64 - 1;
    Packed { body, sizes, content: Content { plain, frame: 1, ..Content::default() } }
}

/// Packs logs in columns, except those that are `stored`. Returns also the logs that cost more than storing them, or
/// ask for more work than their share.
fn columns(logs: &[&[u8]], stored: &[bool]) -> (Packed, Vec<usize>) {
    let work = Work::new(u64::MAX);
    let mut walk = Walk::writer(&work);
    prior::teach(&mut walk.play);
    let (mut sizes, mut costly) = (Vec::new(), Vec::new());
    for (at, (log, &is_stored)) in logs.iter().zip(stored).enumerate() {
        let before = (walk.written(), work.done());
        let size = walk.write_log(log, is_stored);
        let cost = (walk.written() - before.0) as u64;
        let most = (WORK_A_PACKED_LOG + WORK_A_PACKED_BYTE * cost).min(work_of_log(&size));
        if !is_stored && (cost > log.len() as u64 + 1 || work.done() - before.1 > most) {
            costly.push(at);
        }
        sizes.push(size);
    }
    let Plain::Write(plain) = walk.plain else { unreachable!("a writer writes") };
    let columns = [walk.play, walk.times, walk.text].map(|column| column.coder.finish());
    let mut body = Vec::from([COLUMNS]);
    columns.iter().for_each(|column| varint::write(column.len() as u32, &mut body));
    let frame = body.len() as u64;
    let [play, times, text] = columns.each_ref().map(|column| column.len() as u64);
    let content = Content { play, times, text, plain: plain.len() as u64, frame, work: work.done() };
    columns.iter().for_each(|column| body.extend_from_slice(column));
    body.extend_from_slice(&plain);
    (Packed { body, sizes, content }, costly)
}

/// Returns the table of a prior: what a writer without experience has learnt after these logs. The format has one
/// prior, which a test trains anew; only a new prior needs this function.
pub fn train<L: AsRef<[u8]>>(logs: &[L]) -> Vec<u8> {
    let mut walk = Walk::writer(&Work::new(u64::MAX));
    for log in logs {
        walk.write_log(log.as_ref(), false);
    }
    prior::table(&walk.play)
}

/// Returns the logs that were packed to `body`, whose sizes are `sizes`.
///
/// # Errors
/// If the body is not a block of logs of these sizes, or needs more work than [`work_of`] allows. The caller must check
/// by the digest of the block that they are the right logs.
pub fn unpack(body: &[u8], sizes: &[LogSize]) -> Result<Vec<Vec<u8>>, Fault> {
    unpack_within(body, sizes, work_of(body.len(), sizes))
}

pub(super) fn unpack_within(body: &[u8], sizes: &[LogSize], most_work: u64) -> Result<Vec<Vec<u8>>, Fault> {
    let mut logs = Vec::new();
    unpack_to(body, sizes, &Work::new(most_work), &mut logs)?;
    Ok(logs)
}

fn unpack_to(body: &[u8], sizes: &[LogSize], work: &Work, logs: &mut Vec<Vec<u8>>) -> Result<(), Fault> {
    let (&method, mut rest) = body.split_first().ok_or(Fault::Malformed)?;
    match method {
        STORED => {
            for size in sizes {
                if size.records != 0 || size.actions != 0 {
                    return Err(Fault::Malformed);
                }
                let (log, after) = rest.split_at_checked(size.length as usize).ok_or(Fault::Malformed)?;
                rest = after;
                logs.push(log.to_vec());
            }
            if rest.is_empty() { Ok(()) } else { Err(Fault::Malformed) }
        }
        COLUMNS => {
            let mut columns = [&[][..]; 3];
            let mut lengths = [0; 3];
            for length in &mut lengths {
                *length = varint::read(&mut rest).ok_or(Fault::Malformed)?;
            }
            for (column, length) in columns.iter_mut().zip(lengths) {
                (*column, rest) = rest.split_at_checked(length as usize).ok_or(Fault::Malformed)?;
            }
            let [play, times, text] = ROOMS;
            let columns = [
                CodedColumn::reader(play, columns[0], work),
                CodedColumn::reader(times, columns[1], work),
                CodedColumn::reader(text, columns[2], work),
            ];
            let mut walk = Walk::new(columns, Plain::Read(rest));
            prior::teach(&mut walk.play);
            for size in sizes {
                let log = walk.read_log(size)?;
                logs.push(log);
            }
            walk.close()
        }
        found => Err(Fault::Method { found }),
    }
}

impl<'a> Walk<'a> {
    fn new([play, times, text]: [CodedColumn<'a>; 3], plain: Plain<'a>) -> Self {
        Self {
            play,
            times,
            text,
            plain,
            game: None,
            last: ActionKind::Deal,
            last_class: RecordClass::End,
            actions: 0,
            left: LOG_MAX,
        }
    }

    fn writer(work: &Work) -> Self {
        Self::new(ROOMS.map(|room| CodedColumn::writer(room, work)), Plain::Write(Vec::new()))
    }
}

#[cfg(test)]
mod tests;
