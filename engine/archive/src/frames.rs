//! The records of a log whose frames are correct, and the values that later records reveal.

use alloc::vec::Vec;
use canasta_audit::reader::Reader;
use canasta_log::frame::{Head, PREFIX};
use canasta_log::record::{GameEnd, Record, Reveal};

/// A record with a correct frame.
pub(super) struct Framed<'l> {
    pub payload: &'l [u8],
    /// The head of the chain before this record.
    pub before: Head,
}

/// Returns the records with correct frames, and the bytes after them: all bytes of the log if the header is
/// wrong.
pub(super) fn frames(log: &[u8]) -> (Vec<Framed<'_>>, &[u8]) {
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
pub(super) struct Reveals {
    /// The reveals of rounds, each with the index of the register that begins the round.
    pub of_registers: Vec<(usize, Reveal)>,
    pub secret: Option<[u8; 64]>,
}

pub(super) fn reveals(records: &[Framed<'_>]) -> Reveals {
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
