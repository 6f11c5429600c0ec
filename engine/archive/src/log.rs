//! Encoding and decoding of one log of a block.

use super::block::{LOG_MAX, LogSize};
use super::error::Fault;
use super::fields::Plain;
use super::frames::{Framed, frames, reveals};
use super::walk::{RecordClass, Walk, Wanted};
use alloc::vec::Vec;
use canasta_log::frame::{Chain, HEADER, Head};
use canasta_log::record::Record;
use canasta_rules::action::ActionKind;

/// Kind of text for the bytes after the last record.
const TAIL: u32 = 4;
/// Nodes of choices.
const FRAMED: u16 = 40;
const GENESIS: u16 = 41;
const AS_IT_IS: u16 = 42;
/// Work per record besides its decisions and bytes, and per register, which stands for a deal.
const WORK_OF_RECORD: u64 = 64;
const WORK_OF_REGISTER: u64 = 1 << 10;

impl Walk<'_> {
    /// Returns the number of bytes written so far. The coders hold back at most four more per column.
    pub(super) fn written(&self) -> usize {
        let plain = match &self.plain {
            Plain::Write(bytes) => bytes.len(),
            Plain::Read(_) => 0,
        };
        plain + self.play.coder.written() + self.times.coder.written() + self.text.coder.written()
    }

    /// Begins a log: forgets the game before, and nothing of what the columns have learnt.
    fn begin_log(&mut self) {
        (self.game, self.actions) = (None, 0);
        (self.last, self.last_class) = (ActionKind::Deal, RecordClass::End);
    }

    pub(super) fn write_log(&mut self, log: &[u8], is_stored: bool) -> LogSize {
        self.begin_log();
        let length = log.len() as u32;
        self.text.flag(AS_IT_IS, is_stored);
        if is_stored {
            let _ = self.plain.slice(log, log.len());
            return LogSize { length, ..LogSize::default() };
        }
        let (records, tail) = frames(log);
        let framed = log.starts_with(&HEADER);
        self.text.flag(FRAMED, framed);
        if framed {
            self.write_records(&records);
        }
        let _ = self.text.text(TAIL, tail, LOG_MAX);
        LogSize { length, records: records.len() as u32, actions: self.actions as u32 }
    }

    fn write_records(&mut self, records: &[Framed<'_>]) {
        let reveals = reveals(records);
        let first = records.first().and_then(|framed| Record::decode(framed.payload).ok());
        let genesis = match &first {
            Some(Record::Genesis(genesis)) => Some(&**genesis),
            _ => None,
        };
        self.text.flag(GENESIS, genesis.is_some());
        let begun = genesis.map(|genesis| self.genesis(Some((genesis, reveals.secret.as_ref()))));
        debug_assert!(!matches!(begun, Some(Err(_))), "a writer says what it is given");
        let mut of_registers = reveals.of_registers.iter().peekable();
        for (at, &Framed { payload, before }) in records.iter().enumerate().skip(genesis.iter().len()) {
            let reveal = of_registers.next_if(|(of, _)| *of == at).map(|(_, reveal)| reveal);
            let wanted = Wanted::Record { payload, record: Record::decode(payload).ok(), reveal };
            let said = self.step(at as u64, &before, Some(&wanted));
            debug_assert_eq!(said, Ok(Some(payload.to_vec())), "a writer says what it is given");
            self.count_record(payload);
        }
        let _ = self.step(records.len() as u64, &Head::default(), Some(&Wanted::End));
    }

    fn count_record(&mut self, payload: &[u8]) {
        let register = if self.last_class == RecordClass::Register { WORK_OF_REGISTER } else { 0 };
        self.play.work.count(WORK_OF_RECORD + payload.len() as u64 + register);
    }

    pub(super) fn read_log(&mut self, size: &LogSize) -> Result<Vec<u8>, Fault> {
        self.begin_log();
        let expected = u64::from(size.length);
        let log = if self.text.flag(AS_IT_IS, false) {
            counts(size, 0, 0, PartialEq::ne)?;
            self.plain.slice(&[], size.length as usize)?
        } else {
            self.read_framed(size)?
        };
        match log.len() as u64 {
            found if found > expected => Err(Fault::TooLong { expected }),
            found if found < expected => Err(Fault::TooShort { found, expected }),
            _ => Ok(log),
        }
    }

    fn read_framed(&mut self, size: &LogSize) -> Result<Vec<u8>, Fault> {
        let (mut log, mut chain) = (Vec::new(), Chain::START);
        if self.text.flag(FRAMED, false) {
            log.extend_from_slice(&HEADER);
            if self.text.flag(GENESIS, false) {
                let genesis = Record::Genesis(self.genesis(None)?.into());
                let payload = genesis.encode().map_err(|_| Fault::Malformed)?;
                chain.append(&payload, &mut log);
            }
            loop {
                self.left = room(size, &log).ok_or(Fault::TooLong { expected: size.length.into() })?;
                let Some(payload) = self.step(chain.next, &chain.head, None)? else { break };
                self.count_record(&payload);
                chain.append(&payload, &mut log);
                counts(size, chain.next, self.actions, PartialOrd::gt)?;
            }
        }
        counts(size, chain.next, self.actions, PartialEq::ne)?;
        log.extend_from_slice(&self.text.text(TAIL, &[], room(size, &log).unwrap_or(0))?);
        Ok(log)
    }

    /// Checks that nothing follows the last log, and that every column ends where a writer ends it.
    pub(super) fn close(self) -> Result<(), Fault> {
        let columns = [&self.play, &self.times, &self.text];
        match self.plain {
            Plain::Read([]) if columns.iter().all(|column| column.coder.is_closed()) => Ok(()),
            _ => Err(Fault::Malformed),
        }
    }
}

/// Returns the number of bytes that the log may still have; `None` if the log is too long already.
fn room(size: &LogSize, log: &[u8]) -> Option<usize> {
    (size.length as usize).checked_sub(log.len())
}

/// Checks the numbers of records and actions against the declared numbers: `is_wrong` compares found with
/// declared.
fn counts(size: &LogSize, records: u64, actions: u64, is_wrong: fn(&u64, &u64) -> bool) -> Result<(), Fault> {
    let of = [("records", records, size.records.into()), ("actions", actions, size.actions.into())];
    let wrong = of.into_iter().find(|(_, found, expected)| is_wrong(found, expected));
    wrong.map_or(Ok(()), |(what, found, expected)| Err(Fault::Count { what, found, expected }))
}
