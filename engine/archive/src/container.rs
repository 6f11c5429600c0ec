//! The file around the packed logs: header, bodies, index, footer.
//!
//! The digest in the footer covers the index, and the index has a check of every body and a digest of every
//! log. To read one game takes only the index and the body of that game, and each damaged part is detected by
//! itself.

use super::body::{LOG_MAX, UnpackBounds};
use super::error::{ArchiveError, ArchiveErrorKind as Kind};
use alloc::string::String;
use alloc::vec::Vec;
use sha2::{Digest, Sha256};

/// The first bytes of every archive: a signature that text transfers damage, then the version.
pub const ARCHIVE_HEADER: [u8; 9] = [0x89, b'C', b'A', b'R', b'C', b'\r', b'\n', 0x1a, 1];
/// Number of bytes of the footer: number of games, length of the index, digest.
pub const FOOTER: usize = 4 + 8 + 32;
/// Maximum number of games per archive.
pub const GAMES_MAX: u32 = 1 << 20;
/// Maximum number of bytes of a name, and of a part of a name between slashes.
pub const ENTRY_NAME_MAX: (usize, usize) = (1024, 255);

/// Number of bytes of an index entry besides its name.
const ENTRY: usize = 2 + 4 * 4 + 32 + 8;

/// The index entry of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveEntry {
    /// Name of the game: a relative path with slashes, see [`is_entry_name`].
    pub name: String,
    /// Offset in bytes at which the body begins in the file. The offset is not stored, because bodies follow
    /// each other without gaps.
    pub offset: u64,
    /// Length of the body in bytes.
    pub packed: u32,
    /// Length of the log in bytes.
    pub length: u32,
    /// Number of records of the log whose frames are correct.
    pub records: u32,
    /// Number of actions among them.
    pub actions: u32,
    /// SHA-256 of the log.
    pub digest: [u8; 32],
    /// The first bytes of SHA-256 of `canasta-archive/1/body\0` and the body.
    pub check: [u8; 8],
}

/// Returns the digest of a log for its entry: SHA-256 of its bytes.
pub fn log_digest(log: &[u8]) -> [u8; 32] {
    Sha256::digest(log).into()
}

/// Returns the check of a body for its entry.
pub fn body_check(body: &[u8]) -> [u8; 8] {
    let mut hash = Sha256::new();
    hash.update(b"canasta-archive/1/body\0");
    hash.update(body);
    let digest: [u8; 32] = hash.finalize().into();
    *digest.first_chunk().expect("a digest has 32 bytes")
}

/// Whether an entry may have this name: 1 to 1,024 bytes; the parts between slashes have 1 to 255 bytes and
/// are not `.` or `..`; no backslash, no control and no bidirectional character.
pub fn is_entry_name(name: &str) -> bool {
    let is_part = |part: &str| (1..=ENTRY_NAME_MAX.1).contains(&part.len()) && part != "." && part != "..";
    let is_plain =
        |c: char| !c.is_control() && c != '\\' && !canasta_rules::rules::BIDIRECTIONAL.contains(&c);
    name.len() <= ENTRY_NAME_MAX.0 && name.split('/').all(is_part) && name.chars().all(is_plain)
}

/// Encodes the bytes after the bodies: the index and the footer. The entries must be in the order of their
/// bodies.
pub fn closing(entries: &[ArchiveEntry]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        out.extend_from_slice(&(entry.name.len() as u16).to_be_bytes());
        out.extend_from_slice(entry.name.as_bytes());
        for number in [entry.packed, entry.length, entry.records, entry.actions] {
            out.extend_from_slice(&number.to_be_bytes());
        }
        out.extend_from_slice(&entry.digest);
        out.extend_from_slice(&entry.check);
    }
    let length = out.len() as u64;
    let digest = index_digest(entries.len() as u32, &out);
    out.extend_from_slice(&(entries.len() as u32).to_be_bytes());
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(&digest);
    out
}

fn index_digest(games: u32, index: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"canasta-archive/1\0");
    hash.update(ARCHIVE_HEADER);
    hash.update(games.to_be_bytes());
    hash.update((index.len() as u64).to_be_bytes());
    hash.update(index);
    hash.finalize().into()
}

/// The footer of an archive: the size of its index, and the digest that the index must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footer {
    /// Number of games.
    pub games: u32,
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
    /// If these bytes are not the ends of an archive. A footer without error names an index that lies within
    /// the file, so a caller can safely reserve memory for the index.
    pub fn read(header: &[u8; 9], footer: &[u8; FOOTER], length: u64) -> Result<Self, ArchiveError> {
        if header[..8] != ARCHIVE_HEADER[..8] {
            return Err(Kind::NotAnArchive.at(0));
        }
        if header[8] != ARCHIVE_HEADER[8] {
            return Err(Kind::Version { found: header[8] }.at(8));
        }
        let (games, rest) = footer.split_first_chunk().expect("a footer begins with four bytes");
        let (index, digest) = rest.split_first_chunk().expect("then come eight");
        let (games, index) = (u32::from_be_bytes(*games), u64::from_be_bytes(*index));
        let digest = *digest.first_chunk().expect("and thirty-two");
        let at = length.saturating_sub(FOOTER as u64);
        let room = at.saturating_sub(ARCHIVE_HEADER.len() as u64);
        let least = u64::from(games) * (ENTRY as u64 + 1);
        if games > GAMES_MAX || index > room || index < least {
            return Err(Kind::Footer.at(at));
        }
        Ok(Self { games, index, offset: at - index, digest })
    }

    /// Decodes the index.
    ///
    /// # Errors
    /// If the index is not the one that was written, or is malformed.
    pub fn entries(&self, index: &[u8]) -> Result<Vec<ArchiveEntry>, ArchiveError> {
        if index.len() as u64 != self.index || index_digest(self.games, index) != self.digest {
            return Err(Kind::IndexDigest.at(self.offset));
        }
        let (mut entries, mut rest) = (Vec::new(), index);
        let mut offset = ARCHIVE_HEADER.len() as u64;
        for _ in 0..self.games {
            let at = self.offset + (index.len() - rest.len()) as u64;
            let entry = read_entry(&mut rest, offset).ok_or(Kind::Entry.at(at))?;
            offset += u64::from(entry.packed);
            entries.push(entry);
        }
        if !rest.is_empty() || offset != self.offset {
            return Err(Kind::Entry.at(self.offset));
        }
        let mut names: Vec<&str> = entries.iter().map(|entry| &*entry.name).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Kind::Entry.at(self.offset));
        }
        Ok(entries)
    }
}

fn read_entry(rest: &mut &[u8], offset: u64) -> Option<ArchiveEntry> {
    let length = u16::from_be_bytes(take(rest)?);
    let (name, after) = rest.split_at_checked(length.into())?;
    *rest = after;
    let name = core::str::from_utf8(name).ok().filter(|name| is_entry_name(name))?;
    let mut number = || take(rest).map(u32::from_be_bytes);
    let (packed, length, records, actions) = (number()?, number()?, number()?, number()?);
    if length as usize > LOG_MAX || packed as usize > LOG_MAX + 1 {
        return None;
    }
    let (digest, check) = (take(rest)?, take(rest)?);
    Some(ArchiveEntry { name: name.into(), offset, packed, length, records, actions, digest, check })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*bytes)
}

impl ArchiveEntry {
    /// Returns the entry of a packed game whose body begins at `offset`.
    pub fn new(name: String, offset: u64, log: &[u8], packed: &super::Packed) -> Self {
        Self {
            name,
            offset,
            packed: packed.body.len() as u32,
            length: log.len() as u32,
            records: packed.content.records as u32,
            actions: packed.content.actions as u32,
            digest: log_digest(log),
            check: body_check(&packed.body),
        }
    }

    /// Returns the bounds for unpacking this entry: the size of its log, and the work.
    pub fn bounds(&self) -> UnpackBounds {
        let of = [self.packed, self.length, self.records, self.actions].map(u64::from);
        UnpackBounds::new(of[0], of[1], of[2], of[3])
    }

    /// Unpacks the log of this entry from its body, within `bounds`.
    ///
    /// # Errors
    /// If the body is not the one that was written, or does not unpack to the log.
    pub fn unpack(&self, body: &[u8], bounds: &UnpackBounds) -> Result<Vec<u8>, ArchiveError> {
        if body.len() != self.packed as usize || body_check(body) != self.check {
            return Err(Kind::BodyCheck.at(self.offset));
        }
        let log = super::unpack(body, bounds).map_err(|fault| Kind::Body(fault).at(self.offset))?;
        if log_digest(&log) != self.digest {
            return Err(Kind::LogDigest.at(self.offset));
        }
        Ok(log)
    }
}
