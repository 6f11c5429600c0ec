//! The packing of one log as the body of an archive's entry, and its unpacking.

use super::error::Fault;
use super::fields::Plain;
use super::model::{CodedColumn, Room, Work};
use super::walk::{RecordClass, Walk, Wanted};
use alloc::vec::Vec;
use canasta_audit::reader::Reader;
use canasta_log::frame::{Chain, HEADER, Head, PREFIX};
use canasta_log::record::{GameEnd, Record, Reveal};
use canasta_rules::action::ActionKind;

/// Maximum number of bytes of a log in an archive.
pub const LOG_MAX: usize = 1 << 26;

/// Method byte: the log is stored as it is.
const STORED: u8 = 0;
/// Method byte: the log is packed in columns.
const COLUMNS: u8 = 1;
/// Sizes of the columns of play, times and text.
const ROOMS: [Room; 3] = [15, 12, 14];
/// Kind of text for the bytes after the last record.
const TAIL: u32 = 4;
/// Nodes of choices.
const FRAMED: u16 = 40;
const GENESIS: u16 = 41;

/// A packed log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// The packed bytes, for [`unpack`].
    pub body: Vec<u8>,
    /// The counts of the log, and the sizes of the parts of the body.
    pub content: Content,
}

/// The counts of a packed log, and the sizes of the parts of its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Content {
    /// Number of records whose frames are correct.
    pub records: u64,
    /// Number of actions among them.
    pub actions: u64,
    /// Bytes of the column of actions: the kind of each record, who acts, which action.
    pub play: u64,
    /// Bytes of the column of times.
    pub times: u64,
    /// Bytes of the column of names, rule sets, notes, and of records that could not be predicted.
    pub text: u64,
    /// Bytes of the column of ids, secrets and signatures.
    pub plain: u64,
    /// Bytes of the method and of the lengths of the columns; all bytes of a log that is stored as it is.
    pub frame: u64,
}

/// The limits for unpacking a body: the size of the log, and the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnpackBounds {
    /// Length of the log in bytes.
    pub length: u64,
    /// Number of records whose frames are correct.
    pub records: u64,
    /// Number of actions among them.
    pub actions: u64,
    /// Maximum work, in decisions: see [`UnpackBounds::new`].
    pub work: u64,
}

/// Maximum number of decisions per byte of a body, and for an empty body. Games need about 30 per byte.
const WORK_A_PACKED_BYTE: u64 = 1 << 10;
const WORK_PACKED: u64 = 1 << 14;
/// Maximum number of decisions per byte of a log, and for an empty log: a card of a given wall takes up to
/// 53.
const WORK_A_BYTE: u64 = 1 << 8;
const WORK: u64 = 1 << 12;
/// Work per record besides its decisions and bytes, and per register, which stands for a deal.
const WORK_OF_RECORD: u64 = 64;
const WORK_OF_REGISTER: u64 = 1 << 10;

impl UnpackBounds {
    /// Returns the bounds for a log of this size in a body of `packed` bytes.
    ///
    /// Both sizes bound the work of unpacking, so that a few bytes cannot ask for hours. A decision counts as
    /// 1, a record as 64 more and 1 for each of its bytes, a register as 1,024 more.
    pub fn new(packed: u64, length: u64, records: u64, actions: u64) -> Self {
        let by_packed = WORK_PACKED + WORK_A_PACKED_BYTE * packed;
        let by_length = WORK + WORK_A_BYTE * length;
        Self { length, records, actions, work: by_packed.min(by_length) }
    }

    /// Returns the same bounds without a limit on work, for a trusted body.
    pub fn trusted(self) -> Self {
        Self { work: u64::MAX, ..self }
    }
}

impl Packed {
    /// Returns the bounds for unpacking this body, which was packed from `log`.
    pub fn bounds(&self, log: &[u8]) -> UnpackBounds {
        let Content { records, actions, .. } = self.content;
        UnpackBounds::new(self.body.len() as u64, log.len() as u64, records, actions)
    }
}

/// Packs a log, or any other bytes. Bytes that would not unpack to the same bytes within their [`UnpackBounds`], or
/// would not become smaller, are stored as they are.
///
/// # Panics
/// If the log has more than [`LOG_MAX`] bytes.
pub fn pack(log: &[u8]) -> Packed {
    assert!(log.len() <= LOG_MAX, "a log of at most 64 MiB");
    let packed = columns(log);
    match unpack(&packed.body, &packed.bounds(log)) {
        Ok(back) if back == log && packed.body.len() <= log.len() => packed,
        _ => {
            let body = [&[STORED][..], log].concat();
            let frame = body.len() as u64;
            let content = Content { play: 0, times: 0, text: 0, plain: 0, frame, ..packed.content };
            Packed { body, content }
        }
    }
}

fn columns(log: &[u8]) -> Packed {
    let (records, tail) = frames(log);
    let reveals = reveals(&records);
    let secret = reveals.secret.as_ref();
    let mut walk = Walk::new(ROOMS.map(CodedColumn::writer), Plain::Write(Vec::new()));
    let framed = log.starts_with(&HEADER);
    walk.text.flag(FRAMED, framed);
    let mut of_registers = reveals.of_registers.iter().peekable();
    if framed {
        let first = records.first().and_then(|framed| Record::decode(framed.payload).ok());
        let genesis = match &first {
            Some(Record::Genesis(genesis)) => Some(&**genesis),
            _ => None,
        };
        walk.text.flag(GENESIS, genesis.is_some());
        let begun = genesis.map(|genesis| walk.genesis(Some((genesis, secret))));
        debug_assert!(!matches!(begun, Some(Err(_))), "a writer says what it is given");
        for (at, &Framed { payload, before }) in records.iter().enumerate().skip(genesis.iter().len()) {
            let reveal = of_registers.next_if(|(of, _)| *of == at).map(|(_, reveal)| reveal);
            let wanted = Wanted::Record { payload, record: Record::decode(payload).ok(), reveal };
            let said = walk.step(at as u64, &before, Some(&wanted));
            debug_assert_eq!(said, Ok(Some(payload.to_vec())), "a writer says what it is given");
        }
        let _ = walk.step(records.len() as u64, &Head::default(), Some(&Wanted::End));
    }
    let _ = walk.text.text(TAIL, tail, LOG_MAX);
    let mut content = Content { records: records.len() as u64, actions: walk.actions, ..Content::default() };
    let Plain::Write(plain) = walk.plain else { unreachable!("a writer writes") };
    let columns = [walk.play.finish(), walk.times.finish(), walk.text.finish()];
    let mut body = Vec::from([COLUMNS]);
    columns.iter().for_each(|column| write_length(column.len() as u32, &mut body));
    content.frame = body.len() as u64;
    let lengths = columns.each_ref().map(|column| column.len() as u64);
    [content.play, content.times, content.text] = lengths;
    content.plain = plain.len() as u64;
    columns.iter().for_each(|column| body.extend_from_slice(column));
    body.extend_from_slice(&plain);
    Packed { body, content }
}

/// Returns the log that was packed to `body`.
///
/// # Errors
/// If the body is not a packed log of the length and the counts in `bounds`, or needs more work than `bounds`
/// allow. The caller must check by the log's digest that it is the right log.
pub fn unpack(body: &[u8], bounds: &UnpackBounds) -> Result<Vec<u8>, Fault> {
    unpack_by(body, bounds, &Work::new(bounds.work))
}

fn unpack_by(body: &[u8], bounds: &UnpackBounds, work: &Work) -> Result<Vec<u8>, Fault> {
    let expected = bounds.length;
    let (&method, mut rest) = body.split_first().ok_or(Fault::Malformed)?;
    let log = match method {
        STORED if rest.len() as u64 > expected => return Err(Fault::TooLong { expected }),
        STORED => rest.to_vec(),
        COLUMNS => {
            let mut columns = [&[][..]; 3];
            let lengths = [read_length(&mut rest)?, read_length(&mut rest)?, read_length(&mut rest)?];
            for (column, length) in columns.iter_mut().zip(lengths) {
                (*column, rest) = rest.split_at_checked(length as usize).ok_or(Fault::Malformed)?;
            }
            read(columns, rest, bounds, work)?
        }
        found => return Err(Fault::Method { found }),
    };
    match log.len() as u64 {
        found if found > expected => Err(Fault::TooLong { expected }),
        found if found < expected => Err(Fault::TooShort { found, expected }),
        _ => Ok(log),
    }
}

fn read(columns: [&[u8]; 3], plain: &[u8], bounds: &UnpackBounds, work: &Work) -> Result<Vec<u8>, Fault> {
    let [play, times, text] = ROOMS;
    let columns = [
        CodedColumn::reader(play, columns[0], work),
        CodedColumn::reader(times, columns[1], work),
        CodedColumn::reader(text, columns[2], work),
    ];
    let mut walk = Walk::new(columns, Plain::Read(plain));
    let (mut log, mut chain) = (Vec::new(), Chain::START);
    if walk.text.flag(FRAMED, false) {
        log.extend_from_slice(&HEADER);
        if walk.text.flag(GENESIS, false) {
            let genesis = Record::Genesis(walk.genesis(None)?.into());
            let payload = genesis.encode().map_err(|_| Fault::Malformed)?;
            chain.append(&payload, &mut log);
        }
        loop {
            walk.left = room(bounds, &log).ok_or(Fault::TooLong { expected: bounds.length })?;
            let Some(payload) = walk.step(chain.next, &chain.head, None)? else { break };
            work.count(WORK_OF_RECORD + payload.len() as u64);
            if walk.last_class == RecordClass::Register {
                work.count(WORK_OF_REGISTER);
            }
            chain.append(&payload, &mut log);
            counts(bounds, &walk, chain, PartialOrd::gt)?;
        }
    }
    counts(bounds, &walk, chain, PartialEq::ne)?;
    log.extend_from_slice(&walk.text.text(TAIL, &[], room(bounds, &log).unwrap_or(0))?);
    match walk.plain {
        Plain::Read([]) => Ok(log),
        _ => Err(Fault::Malformed),
    }
}

/// Returns the number of bytes that the log may still have; `None` if the log is too long already.
fn room(bounds: &UnpackBounds, log: &[u8]) -> Option<usize> {
    usize::try_from(bounds.length).unwrap_or(usize::MAX).checked_sub(log.len())
}

/// Checks the numbers of records and actions against the declared numbers: `is_wrong` compares found with
/// declared.
fn counts(
    bounds: &UnpackBounds,
    walk: &Walk<'_>,
    chain: Chain,
    is_wrong: fn(&u64, &u64) -> bool,
) -> Result<(), Fault> {
    let of = [("records", chain.next, bounds.records), ("actions", walk.actions, bounds.actions)];
    let wrong = of.into_iter().find(|(_, found, expected)| is_wrong(found, expected));
    wrong.map_or(Ok(()), |(what, found, expected)| Err(Fault::Count { what, found, expected }))
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
}

/// A record with a correct frame.
struct Framed<'l> {
    payload: &'l [u8],
    /// The head of the chain before this record.
    before: Head,
}

/// Returns the records with correct frames, and the bytes after them: all bytes of the log if the header is
/// wrong.
fn frames(log: &[u8]) -> (Vec<Framed<'_>>, &[u8]) {
    let mut records = Vec::new();
    let mut reader = Reader::new();
    let mut rest = log;
    while let Ok(Some(frame)) = reader.next(&mut rest) {
        let at = frame.offset as usize + PREFIX;
        records.push(Framed { payload: &log[at..at + frame.payload.len()], before: frame.before });
    }
    (records, &log[reader.offset() as usize..])
}

/// The values that a log reveals.
struct Reveals {
    /// The reveals of rounds, each with the index of the register that begins the round.
    of_registers: Vec<(usize, Reveal)>,
    secret: Option<[u8; 64]>,
}

fn reveals(records: &[Framed<'_>]) -> Reveals {
    const REGISTER: u8 = 1;
    const ROUND_END: u8 = 6;
    const GAME_END: u8 = 7;
    let mut found = Reveals { of_registers: Vec::new(), secret: None };
    let mut register = None;
    for (at, Framed { payload, .. }) in records.iter().enumerate() {
        match payload.first() {
            Some(&REGISTER) => register = Some(at),
            Some(&ROUND_END) => {
                if let (Ok(Record::RoundEnd(end)), Some(of)) = (Record::decode(payload), register.take()) {
                    found.of_registers.push((of, end.reveal));
                }
            }
            Some(&GAME_END) => {
                if let Ok(Record::GameEnd(GameEnd { secret, .. })) = Record::decode(payload) {
                    found.secret = secret;
                }
            }
            _ => {}
        }
    }
    found
}

/// Writes a length in groups of seven bits, the lowest group first. A set high bit means that another group
/// follows.
fn write_length(mut length: u32, out: &mut Vec<u8>) {
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}

fn read_length(bytes: &mut &[u8]) -> Result<u32, Fault> {
    let mut length = 0u32;
    for shift in [0, 7, 14, 21] {
        let (&byte, rest) = bytes.split_first().ok_or(Fault::Malformed)?;
        *bytes = rest;
        length |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(length);
        }
    }
    Err(Fault::Malformed)
}

#[cfg(test)]
mod tests;
