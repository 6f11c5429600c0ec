//! Reads any bytes as a block of an archive, as an index, and as logs to pack. Nothing panics, logs have the requested
//! lengths, and packed logs come back.
#![no_main]

use canasta_engine::archive::{ARCHIVE_HEADER, FOOTER, Footer, LogSize, closing, is_entry_name, pack, unpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (&length, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let number = u32::from(length) * 64;
    let sizes = vec![LogSize { length: number, records: number, actions: number }; 1 + usize::from(length) % 3];
    let check = |block: &[u8]| {
        if let Ok(logs) = unpack(block, &sizes) {
            assert!(logs.len() == sizes.len() && logs.iter().all(|log| log.len() == number as usize));
        }
    };
    check(rest);
    // The block is forced into columns, which random bytes seldom select by their first byte.
    check(&[&[1, 40, 4, 40], rest].concat());
    // Up to three logs: the pieces between two bytes that are equal to the first byte.
    let logs: Vec<&[u8]> = rest.splitn(3, |&byte| byte == length).collect();
    let packed = pack(&logs);
    assert_eq!(unpack(&packed.body, &packed.sizes), Ok(logs.iter().map(|log| log.to_vec()).collect()));
    if let Some(footer) = bytes.last_chunk::<FOOTER>() {
        let index = &bytes[..bytes.len() - FOOTER];
        let length = (ARCHIVE_HEADER.len() + bytes.len()) as u64;
        if let Ok(blocks) = Footer::read(&ARCHIVE_HEADER, footer, length).and_then(|f| f.blocks(index)) {
            assert_eq!(closing(&blocks), bytes);
            assert!(blocks.iter().flat_map(|block| &block.entries).all(|entry| is_entry_name(&entry.name)));
        }
    }
});
