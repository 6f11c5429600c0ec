//! Reads any bytes as the body of an archive's entry, as an index, and as a log to pack. Nothing panics, no log is
//! longer than requested, and a packed log comes back.
#![no_main]

use canasta_engine::archive::{ARCHIVE_HEADER, UnpackBounds, FOOTER, Footer, closing, is_entry_name, pack, unpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (&length, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let length = u64::from(length) * 64;
    let bounds = |body: &[u8]| UnpackBounds::new(body.len() as u64, length, length, length);
    if let Ok(log) = unpack(rest, &bounds(rest)) {
        assert_eq!(log.len() as u64, length);
    }
    // The body is forced into columns, which random bytes seldom select by their first byte.
    let columns = [&[1, 40, 4, 40], rest].concat();
    let _ = unpack(&columns, &bounds(&columns));
    let packed = pack(rest);
    assert_eq!(unpack(&packed.body, &packed.bounds(rest)).as_deref(), Ok(rest));
    if let Some(footer) = bytes.last_chunk::<FOOTER>() {
        let index = &bytes[..bytes.len() - FOOTER];
        let length = (ARCHIVE_HEADER.len() + bytes.len()) as u64;
        if let Ok(entries) = Footer::read(&ARCHIVE_HEADER, footer, length).and_then(|f| f.entries(index)) {
            assert_eq!(closing(&entries), bytes);
            assert!(entries.iter().all(|entry| is_entry_name(&entry.name)));
        }
    }
});
