//! Reads any bytes as a log, whole and in two pieces. Nothing panics, both ways give the same result, and a record
//! that can be decoded encodes to the same bytes. The fast form of frequent actions and the general form are equal.
#![no_main]

use canasta_engine::log::record::ActionRecord;
use canasta_engine::log::{HEADER, LogError, Reader, action_bytes, action_from_bytes};
use libfuzzer_sys::fuzz_target;

fn read(pieces: &[&[u8]]) -> Result<u64, LogError> {
    let mut reader = Reader::new();
    for mut piece in pieces.iter().copied() {
        while let Some(frame) = reader.next(&mut piece)? {
            if let Ok(record) = frame.record() {
                assert_eq!(record.encode().as_deref(), Ok(frame.payload));
                check_frequent(frame.payload);
            }
        }
    }
    reader.finish().map(|end| end.next)
}

/// Compares a frequent action with the general form of its action, which begins at the third byte.
fn check_frequent(payload: &[u8]) {
    if let Some(record) = ActionRecord::decode_frequent(payload) {
        let action = action_bytes(&record.action).expect("a log holds what was decoded");
        assert!(payload[2..].starts_with(&action));
        assert_eq!(action_from_bytes(&action), Ok(record.action));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let cut = bytes.first().map_or(0, |&byte| usize::from(byte).min(bytes.len()));
    let (first, second) = bytes.split_at(cut);
    assert_eq!(read(&[&HEADER, bytes]), read(&[&HEADER, first, second]));
    let _ = read(&[bytes]);
    let _ = canasta_engine::log::Record::decode(bytes);
    check_frequent(bytes);
});
