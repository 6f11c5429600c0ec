//! The file around the blocks: header, blocks, index, footer.
//!
//! The digest in the footer covers the index, and the index has a check and a digest for every block. To read one log
//! takes only the index and the log's block, and each damaged part is detected by itself.

use super::block::{BLOCK_LOGS, LOG_MAX, LogSize, Packed, has_room, unpack_within, work_of};
use super::error::{ArchiveError, ArchiveErrorKind as Kind};
use super::varint;
use alloc::string::String;
use alloc::vec::Vec;
use sha2::{Digest, Sha256};

/// The first bytes of every archive: a signature that text transfers damage, then the version.
pub const ARCHIVE_HEADER: [u8; 9] = [0x89, b'C', b'A', b'R', b'C', b'\r', b'\n', 0x1a, 2];
/// Number of bytes of the footer: number of logs, length of the index, digest.
pub const FOOTER: usize = 4 + 8 + 32;
/// Maximum number of logs per archive.
pub const LOGS_MAX: u32 = 1 << 20;
/// Maximum number of bytes of a name, and of a part of a name between slashes.
pub const ENTRY_NAME_MAX: (usize, usize) = (1024, 255);
/// Maximum number of bytes of all names of an archive.
pub const NAMES_MAX: usize = 1 << 26;

/// Minimum number of bytes of the index entry of a log, and of a block.
const ENTRY_MIN: u64 = 6;
const BLOCK_MIN: u64 = 1 + 4 + 32;

/// A log of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveEntry {
    /// Name of the log: a relative path with slashes, see [`is_entry_name`].
    pub name: String,
    /// The size of the log.
    pub size: LogSize,
}

/// A block of an archive: logs that are packed together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveBlock {
    /// The logs of the block, 1 to 64, by name.
    pub entries: Vec<ArchiveEntry>,
    /// Offset in bytes at which the block begins in the file. The offset is not stored, because blocks follow each
    /// other without gaps.
    pub offset: u64,
    /// Length of the block in bytes.
    pub packed: u32,
    /// The first bytes of SHA-256 of `canasta-archive/2/block\0` and the block.
    pub check: [u8; 4],
    /// SHA-256 of the logs of the block, one after another.
    pub digest: [u8; 32],
}

/// Whether an entry may have this name: 1 to 1,024 bytes; the parts between slashes have 1 to 255 bytes and
/// are not `.` or `..`; no backslash, no control and no bidirectional character.
pub fn is_entry_name(name: &str) -> bool {
    let is_part = |part: &str| (1..=ENTRY_NAME_MAX.1).contains(&part.len()) && part != "." && part != "..";
    let is_plain =
        |c: char| !c.is_control() && c != '\\' && !canasta_rules::rules::BIDIRECTIONAL.contains(&c);
    name.len() <= ENTRY_NAME_MAX.0 && name.split('/').all(is_part) && name.chars().all(is_plain)
}

impl ArchiveBlock {
    /// Returns the block at `offset` that holds these logs.
    ///
    /// # Panics
    /// If names, logs and packed logs are not equally many.
    pub fn new<L: AsRef<[u8]>>(offset: u64, names: Vec<String>, logs: &[L], packed: &Packed) -> Self {
        assert!(names.len() == logs.len() && logs.len() == packed.sizes.len(), "one name for each log");
        let entry = |(name, &size)| ArchiveEntry { name, size };
        Self {
            entries: names.into_iter().zip(&packed.sizes).map(entry).collect(),
            offset,
            packed: packed.body.len() as u32,
            check: check_of(&packed.body),
            digest: digest_of(logs),
        }
    }

    /// Unpacks the logs of this block from its bytes. The work is bounded by the sizes of block and logs, except for
    /// a block whose maker is `trusted`.
    ///
    /// # Errors
    /// If the bytes are not the ones that were written, or do not unpack to the logs.
    pub fn unpack(&self, bytes: &[u8], trusted: bool) -> Result<Vec<Vec<u8>>, ArchiveError> {
        if bytes.len() != self.packed as usize || check_of(bytes) != self.check {
            return Err(Kind::BlockCheck.at(self.offset));
        }
        let sizes: Vec<LogSize> = self.entries.iter().map(|entry| entry.size).collect();
        let most = if trusted { u64::MAX } else { work_of(bytes.len(), &sizes) };
        let logs = unpack_within(bytes, &sizes, most).map_err(|fault| Kind::Block(fault).at(self.offset))?;
        if digest_of(&logs) != self.digest {
            return Err(Kind::LogDigest.at(self.offset));
        }
        Ok(logs)
    }
}

fn digest_of<L: AsRef<[u8]>>(logs: &[L]) -> [u8; 32] {
    let mut hash = Sha256::new();
    logs.iter().for_each(|log| hash.update(log));
    hash.finalize().into()
}

fn check_of(block: &[u8]) -> [u8; 4] {
    let mut hash = Sha256::new();
    hash.update(b"canasta-archive/2/block\0");
    hash.update(block);
    let digest: [u8; 32] = hash.finalize().into();
    *digest.first_chunk().expect("a digest has 32 bytes")
}

/// Encodes the bytes after the blocks: the index and the footer. The blocks must be in the order in which they are
/// written, their logs in the order of names, and every block must be filled (see [`has_room`]).
pub fn closing(blocks: &[ArchiveBlock]) -> Vec<u8> {
    let (mut out, mut games, mut last) = (Vec::new(), 0u32, "");
    for entry in blocks.iter().flat_map(|block| &block.entries) {
        let (prefix, suffix) = shared(last.as_bytes(), entry.name.as_bytes());
        let middle = &entry.name.as_bytes()[prefix..entry.name.len() - suffix];
        let LogSize { length, records, actions } = entry.size;
        for number in [prefix, suffix, middle.len()] {
            varint::write(number as u32, &mut out);
        }
        out.extend_from_slice(middle);
        for number in [length, actions, records - actions] {
            varint::write(number, &mut out);
        }
        (games, last) = (games + 1, &entry.name);
    }
    for block in blocks {
        varint::write(block.packed, &mut out);
        out.extend_from_slice(&block.check);
        out.extend_from_slice(&block.digest);
    }
    let length = out.len() as u64;
    let digest = index_digest(games, &out);
    out.extend_from_slice(&games.to_be_bytes());
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(&digest);
    out
}

/// Returns the number of first bytes that two names share, and the number of last bytes that the rests share.
fn shared(last: &[u8], name: &[u8]) -> (usize, usize) {
    let prefix = last.iter().zip(name).take_while(|(a, b)| a == b).count();
    let rests = last[prefix..].iter().rev().zip(name[prefix..].iter().rev());
    (prefix, rests.take_while(|(a, b)| a == b).count())
}

fn index_digest(games: u32, index: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"canasta-archive/2\0");
    hash.update(ARCHIVE_HEADER);
    hash.update(games.to_be_bytes());
    hash.update((index.len() as u64).to_be_bytes());
    hash.update(index);
    hash.finalize().into()
}

/// The footer of an archive: the size of its index, and the digest that the index must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footer {
    /// Number of logs.
    pub logs: u32,
    /// Length of the index in bytes.
    pub index: u64,
    /// Offset in bytes at which the index begins.
    pub offset: u64,
    digest: [u8; 32],
}

impl Footer {
    /// Reads the first and the last bytes of a file of `length` bytes.
    ///
    /// # Errors
    /// If these bytes are not the ends of an archive, or are those of another version. A footer without error names
    /// an index that lies within the file, so a caller can safely reserve memory for the index.
    pub fn read(header: &[u8; 9], footer: &[u8; FOOTER], length: u64) -> Result<Self, ArchiveError> {
        if header[..8] != ARCHIVE_HEADER[..8] {
            return Err(Kind::NotAnArchive.at(0));
        }
        if header[8] != ARCHIVE_HEADER[8] {
            return Err(Kind::UnsupportedVersion { found: header[8] }.at(8));
        }
        let (logs, rest) = footer.split_first_chunk().expect("a footer begins with four bytes");
        let (index, digest) = rest.split_first_chunk().expect("then come eight");
        let (logs, index) = (u32::from_be_bytes(*logs), u64::from_be_bytes(*index));
        let digest = *digest.first_chunk().expect("and thirty-two");
        let at = length.saturating_sub(FOOTER as u64);
        let room = at.saturating_sub(ARCHIVE_HEADER.len() as u64);
        let blocks = u64::from(logs).div_ceil(BLOCK_LOGS as u64);
        let least = u64::from(logs) * ENTRY_MIN + blocks * BLOCK_MIN;
        if logs > LOGS_MAX || index > room || index < least {
            return Err(Kind::Footer.at(at));
        }
        Ok(Self { logs, index, offset: at - index, digest })
    }

    /// Decodes the index.
    ///
    /// # Errors
    /// If the index is not the one that was written, or is malformed.
    pub fn blocks(&self, index: &[u8]) -> Result<Vec<ArchiveBlock>, ArchiveError> {
        if index.len() as u64 != self.index || index_digest(self.logs, index) != self.digest {
            return Err(Kind::IndexDigest.at(self.offset));
        }
        let mut rest = index;
        let blocks = self.read_index(&mut rest);
        let at = self.offset + (index.len() - rest.len()) as u64;
        blocks.filter(|_| rest.is_empty()).ok_or(Kind::Index.at(at))
    }

    fn read_index(&self, rest: &mut &[u8]) -> Option<Vec<ArchiveBlock>> {
        let (mut blocks, mut block) = (Vec::new(), Vec::new());
        let (mut last, mut bytes, mut names) = (String::new(), 0, 0);
        for _ in 0..self.logs {
            let entry = read_entry(rest, &last)?;
            names += entry.name.len();
            if names > NAMES_MAX {
                return None;
            }
            last.clone_from(&entry.name);
            let length = u64::from(entry.size.length);
            if !has_room(block.len(), bytes, length) {
                blocks.push(core::mem::take(&mut block));
                bytes = 0;
            }
            bytes += length;
            block.push(entry);
        }
        blocks.extend(Some(block).filter(|block| !block.is_empty()));
        let mut offset = ARCHIVE_HEADER.len() as u64;
        let blocks: Option<Vec<ArchiveBlock>> =
            blocks.into_iter().map(|of| read_block(rest, of, &mut offset)).collect();
        blocks.filter(|_| offset == self.offset)
    }
}

/// Reads the entry after that of `last`; there is none before the name "".
fn read_entry(rest: &mut &[u8], last: &str) -> Option<ArchiveEntry> {
    let [prefix, suffix, middle] =
        [varint::read(rest)?, varint::read(rest)?, varint::read(rest)?].map(|n| n as usize);
    let (middle, after) = rest.split_at_checked(middle)?;
    *rest = after;
    let of_last = last.as_bytes();
    let first = of_last.get(..prefix)?;
    let end = of_last.len().checked_sub(suffix).and_then(|from| of_last.get(from..))?;
    if prefix + middle.len() + suffix > ENTRY_NAME_MAX.0 {
        return None;
    }
    let name = String::from_utf8([first, middle, end].concat()).ok()?;
    // In ascending order no two names are equal, and each has one spelling.
    if !is_entry_name(&name) || *name <= *last || shared(of_last, name.as_bytes()) != (prefix, suffix) {
        return None;
    }
    let (length, actions) = (varint::read(rest)?, varint::read(rest)?);
    let records = varint::read(rest)?.checked_add(actions)?;
    let size = LogSize { length, records, actions };
    (length as usize <= LOG_MAX).then_some(ArchiveEntry { name, size })
}

fn read_block(rest: &mut &[u8], entries: Vec<ArchiveEntry>, offset: &mut u64) -> Option<ArchiveBlock> {
    let packed = varint::read(rest)?;
    let most = 1 + entries.iter().map(|entry| u64::from(entry.size.length)).sum::<u64>();
    if u64::from(packed) > most {
        return None;
    }
    let block = ArchiveBlock { entries, offset: *offset, packed, check: take(rest)?, digest: take(rest)? };
    *offset += u64::from(packed);
    Some(block)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*bytes)
}

#[cfg(test)]
mod tests;
