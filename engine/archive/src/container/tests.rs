//! Tests of the index: one archive has one, and a hostile one is refused.

use super::*;
use alloc::borrow::ToOwned;
use alloc::format;

/// Reads an index with a footer that fits it, in a file whose blocks have `blocks` bytes in all.
fn read(games: u32, index: &[u8], blocks: u64) -> Result<Vec<ArchiveBlock>, ArchiveError> {
    let mut footer = [0; FOOTER];
    footer[..4].copy_from_slice(&games.to_be_bytes());
    footer[4..12].copy_from_slice(&(index.len() as u64).to_be_bytes());
    footer[12..].copy_from_slice(&index_digest(games, index));
    let length = (ARCHIVE_HEADER.len() + index.len() + FOOTER) as u64 + blocks;
    Footer::read(&ARCHIVE_HEADER, &footer, length)?.blocks(index)
}

/// Returns the index entry of a log of three bytes that is no log.
fn entry(prefix: u8, suffix: u8, middle: &str) -> Vec<u8> {
    [&[prefix, suffix, middle.len() as u8], middle.as_bytes(), &[3, 0, 0]].concat()
}

/// Returns the index entry of a block.
fn block(packed: u8) -> Vec<u8> {
    [&[packed][..], &[7; 36]].concat()
}

/// Checks that names have one spelling and one order, and that lengths fit each other.
#[test]
fn an_index_has_one_spelling() {
    let two = |second: Vec<u8>| read(2, &[entry(0, 0, "ab1.clog"), second, block(7)].concat(), 7);
    let names = |blocks: Vec<ArchiveBlock>| {
        blocks[0].entries.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        two(entry(2, 5, "2")).map(names),
        Ok(alloc::vec!["ab1.clog".to_owned(), "ab2.clog".to_owned()])
    );
    let wrong = [
        entry(1, 5, "b2"),
        entry(2, 4, "2."),
        entry(0, 0, "ab2.clog"),
        // The same name, a smaller one, and names that cannot be.
        entry(8, 0, ""),
        entry(2, 5, "0"),
        entry(9, 0, "x"),
        entry(2, 7, "x"),
        entry(0, 0, "b/"),
        entry(0, 0, "b\u{7}"),
    ];
    for second in wrong {
        assert!(matches!(two(second.clone()), Err(error) if error.kind == Kind::Index), "{second:?}");
    }
    let one = |block: Vec<u8>, blocks| read(1, &[entry(0, 0, "a"), block].concat(), blocks);
    assert!(one(block(4), 4).is_ok());
    // A block longer than its logs and a byte, bytes left over, blocks that do not fill the file.
    assert_eq!(one(block(5), 5).unwrap_err().kind, Kind::Index);
    assert_eq!(one([block(4), alloc::vec![0]].concat(), 4).unwrap_err().kind, Kind::Index);
    assert_eq!(one(block(3), 4).unwrap_err().kind, Kind::Index);
    // More logs than the index has room for: nothing is reserved for them.
    assert_eq!(read(LOGS_MAX, &[0; 1000], 0).unwrap_err().kind, Kind::Footer);
    assert_eq!(read(0, &[], 0), Ok(Vec::new()));
    assert_eq!(read(0, &[0], 0).unwrap_err().kind, Kind::Index);
}

/// Checks that names which share nearly all bytes cannot ask for much memory: of 70,000 names of 1,000 bytes the index
/// has 10 bytes each, but they exceed 64 MiB.
#[test]
fn short_entries_of_long_names_are_bounded() {
    let long = format!("{0}/{0}/{0}/{0}", "x".repeat(248));
    let name = |number: usize| format!("{long}{number:05}");
    let mut index = entry(0, 0, "");
    index.splice(2..3, [0xe8, 0x07].into_iter().chain(name(0).into_bytes()));
    for number in 1..70_000 {
        let (prefix, suffix) = shared(name(number - 1).as_bytes(), name(number).as_bytes());
        let middle = &name(number)[prefix..1000 - suffix];
        let mut entry = entry(0, suffix as u8, middle);
        let mut first = Vec::new();
        varint::write(prefix as u32, &mut first);
        entry.splice(0..1, first);
        index.extend(entry);
    }
    let blocks = 70_000usize.div_ceil(BLOCK_LOGS);
    (0..blocks).for_each(|_| index.extend(block(1)));
    let error = read(70_000, &index, blocks as u64).unwrap_err();
    assert_eq!(error.kind, Kind::Index);
    // The entry at which the names exceed 64 MiB, far from the end.
    assert!(error.offset < blocks as u64 + 9 + 67_109 * 12, "{error}");
}
