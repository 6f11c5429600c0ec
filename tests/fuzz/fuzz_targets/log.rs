//! Any bytes as a log, whole and in two pieces: no panic, the same answer, and a record that is read is
//! written the same.
#![no_main]

use canasta_engine::log::{HEADER, LogError, Reader};
use libfuzzer_sys::fuzz_target;

fn read(pieces: &[&[u8]]) -> Result<u64, LogError> {
    let mut reader = Reader::new();
    for mut piece in pieces.iter().copied() {
        while let Some(frame) = reader.next(&mut piece)? {
            if let Ok(record) = frame.record() {
                assert_eq!(record.encode().as_deref(), Ok(frame.payload));
            }
        }
    }
    reader.finish().map(|end| end.next)
}

fuzz_target!(|bytes: &[u8]| {
    let cut = bytes.first().map_or(0, |&byte| usize::from(byte).min(bytes.len()));
    let (first, second) = bytes.split_at(cut);
    assert_eq!(read(&[&HEADER, bytes]), read(&[&HEADER, first, second]));
    let _ = read(&[bytes]);
    let _ = canasta_engine::log::Record::decode(bytes);
});
