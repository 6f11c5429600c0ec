//! One log as the body of an archive's entry, and back.

use super::error::Fault;
use super::fields::Plain;
use super::model::{Column, Room, Work};
use super::walk::{Class, Walk, Wanted};
use alloc::vec::Vec;
use canasta_audit::reader::Reader;
use canasta_log::frame::{Chain, HEADER, Head, PREFIX};
use canasta_log::record::{GameEnd, Record, Reveal};
use canasta_rules::action::ActionKind;

/// The most bytes of a log that an archive takes.
pub const LOG_MAX: usize = 1 << 26;

/// The log as it is.
const STORED: u8 = 0;
/// The log in columns.
const COLUMNS: u8 = 1;
/// The columns of play, times and text.
const ROOMS: [Room; 3] = [15, 12, 14];
/// Kind of text of what follows the last record.
const TAIL: u32 = 4;
/// Choices.
const FRAMED: u16 = 40;
const GENESIS: u16 = 41;

/// A log that was packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// What [`unpack`] takes.
    pub body: Vec<u8>,
    /// What is in it.
    pub content: Content,
}

/// What a packed log holds, and where its bytes went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Content {
    /// Records whose frames hold.
    pub records: u64,
    /// Actions among them.
    pub actions: u64,
    /// Bytes of the column of actions: which record comes, who acts, what is done.
    pub play: u64,
    /// Bytes of the column of times.
    pub times: u64,
    /// Bytes of the column of names, rule sets, notes, and of whatever was not foretold.
    pub text: u64,
    /// Bytes of the column of ids, secrets and signatures.
    pub plain: u64,
    /// Bytes of the lengths of the columns; all of a log that is stored as it is.
    pub frame: u64,
}

/// The most that a body may give, and the most work that it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Bytes of the log.
    pub length: u64,
    /// Records of the log whose frames hold.
    pub records: u64,
    /// Actions among them.
    pub actions: u64,
    /// Decisions, and what stands for them: see [`Bounds::new`].
    pub work: u64,
}

/// Decisions for each byte of a body, and for a body without any. Games take some 30 a byte.
const WORK_A_PACKED_BYTE: u64 = 1 << 10;
const WORK_PACKED: u64 = 1 << 14;
/// Decisions for each byte of a log, and for a log without any: a card of a wall that is given takes up to 53.
const WORK_A_BYTE: u64 = 1 << 8;
const WORK: u64 = 1 << 12;
/// The work of a record besides its decisions and bytes, and that of a register, which stands for a deal.
const WORK_OF_RECORD: u64 = 64;
const WORK_OF_REGISTER: u64 = 1 << 10;

impl Bounds {
    /// The bounds of a log of this size in a body of `packed` bytes.
    ///
    /// Both sizes bound the work of unpacking, so that a few bytes cannot ask for hours. A decision counts
    /// for one; a record for 64 besides and one for each of its bytes, a register for 1,024 more.
    pub fn new(packed: u64, length: u64, records: u64, actions: u64) -> Self {
        let by_packed = WORK_PACKED + WORK_A_PACKED_BYTE * packed;
        let by_length = WORK + WORK_A_BYTE * length;
        Self { length, records, actions, work: by_packed.min(by_length) }
    }

    /// The same for a body that is trusted: it may take what it wants.
    pub fn trusted(self) -> Self {
        Self { work: u64::MAX, ..self }
    }
}

impl Packed {
    /// The bounds of the body of this log.
    pub fn bounds(&self, log: &[u8]) -> Bounds {
        let Content { records, actions, .. } = self.content;
        Bounds::new(self.body.len() as u64, log.len() as u64, records, actions)
    }
}

/// Packs a log, or any other bytes. What does not come back byte by byte within its [`Bounds`] is stored as it is.
///
/// # Panics
/// If there are more than [`LOG_MAX`] bytes.
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
    let mut walk = Walk::new(ROOMS.map(Column::writer), Plain::Write(Vec::new()));
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

/// The log that was packed to `body`.
///
/// # Errors
/// If the body is no packed log of the length and the counts in `bounds`, or takes more work than they allow. Whether
/// it is the right log is for its digest to say.
pub fn unpack(body: &[u8], bounds: &Bounds) -> Result<Vec<u8>, Fault> {
    unpack_by(body, bounds, &Work::new(bounds.work))
}

fn unpack_by(body: &[u8], bounds: &Bounds, work: &Work) -> Result<Vec<u8>, Fault> {
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

fn read(columns: [&[u8]; 3], plain: &[u8], bounds: &Bounds, work: &Work) -> Result<Vec<u8>, Fault> {
    let [play, times, text] = ROOMS;
    let columns = [
        Column::reader(play, columns[0], work),
        Column::reader(times, columns[1], work),
        Column::reader(text, columns[2], work),
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
            if walk.last_class == Class::Register {
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

/// Bytes that the log may still have.
fn room(bounds: &Bounds, log: &[u8]) -> Option<usize> {
    usize::try_from(bounds.length).unwrap_or(usize::MAX).checked_sub(log.len())
}

/// Refuses records and actions of which there are more, or others, than the archive says.
fn counts(
    bounds: &Bounds,
    walk: &Walk<'_>,
    chain: Chain,
    is_wrong: fn(&u64, &u64) -> bool,
) -> Result<(), Fault> {
    let of = [("records", chain.next, bounds.records), ("actions", walk.actions, bounds.actions)];
    let wrong = of.into_iter().find(|(_, found, expected)| is_wrong(found, expected));
    wrong.map_or(Ok(()), |(what, found, expected)| Err(Fault::Count { what, found, expected }))
}

impl<'a> Walk<'a> {
    fn new([play, times, text]: [Column<'a>; 3], plain: Plain<'a>) -> Self {
        Self {
            play,
            times,
            text,
            plain,
            game: None,
            last: ActionKind::Deal,
            last_class: Class::End,
            actions: 0,
            left: LOG_MAX,
        }
    }
}

/// A record whose frame holds.
struct Framed<'l> {
    payload: &'l [u8],
    /// The head before it.
    before: Head,
}

/// The records whose frames hold, and the bytes after them: all of it if the header is not there.
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

/// What a log reveals, wherever it does.
struct Reveals {
    /// By the place of the register that begins the round.
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

/// A length in groups of seven bits, the lowest first; the high bit says that another follows.
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
