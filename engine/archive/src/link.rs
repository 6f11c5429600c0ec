//! A whole game in a link: one packed log without a container. Signatures are noise, so that a signed game travels without
//! them, with the head of the full log in their place. docs/formats/ARCHIVE.md defines the bytes.

use super::block::{self, LogSize};
use super::error::Fault;
use super::varint;
use alloc::vec::Vec;
use canasta_audit::Reader;
use canasta_log::error::LogError;
use canasta_log::record::{Author, Record, Remark};
use canasta_log::{Chain, HEADER, Head};
use canasta_rules::action::Action;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// First byte of a link: the log is whole.
const WHOLE: u8 = 1;
/// First byte of a link: the log has no signatures, and the head of the full log follows.
const UNSIGNED: u8 = 2;
/// Number of bytes of the digest of the log at the end of a link, which finds slips.
const CHECK: usize = 8;
/// Maximum number of bytes of the log of a link.
const LINKED_LOG_MAX: u32 = 1 << 20;

/// A log from a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkedLog {
    /// The log. Anybody can pack a lawful game that was never played: the log proves no more than itself.
    pub log: Vec<u8>,
    /// The head of the full log, as the link states it; `None` if this is the full log.
    pub full_head: Option<Head>,
}

/// The reasons why a link holds no log.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The link is of another version, or cut.
    #[error("no game is in this link")]
    Foreign,
    /// The log would have more bytes than a link may hold.
    #[error("the log of the link has {found} bytes, expected at most {LINKED_LOG_MAX}")]
    TooLong {
        /// Length of the log in bytes.
        found: u32,
    },
    /// The packed log does not unpack.
    #[error(transparent)]
    Packed(#[from] Fault),
    /// The log is not the one that was packed.
    #[error("the link is damaged: its log is not the one that was packed")]
    Damaged,
}

/// Packs a log for a link.
///
/// # Errors
/// If the log is damaged, or longer than 1 MiB.
pub fn to_link(log: &[u8]) -> Result<Vec<u8>, LogError> {
    let bare = without_signatures(log)?;
    let (mut bytes, log) = match &bare {
        None => (Vec::from([WHOLE]), log),
        Some((bare, head)) => ([&[UNSIGNED], &head[..]].concat(), &bare[..]),
    };
    let packed = block::pack(&[log]);
    let LogSize { length, records, actions } = packed.sizes[0];
    [length, records, actions].into_iter().for_each(|number| varint::write(number, &mut bytes));
    bytes.extend_from_slice(&packed.body);
    bytes.extend_from_slice(&check(log, &bytes));
    Ok(bytes)
}

/// Unpacks the log of a link, in the work that its size allows.
///
/// # Errors
/// If the link holds no log, or was changed by a slip.
pub fn of_link(bytes: &[u8]) -> Result<LinkedLog, LinkError> {
    let (packed, digest) = bytes.split_last_chunk::<CHECK>().ok_or(LinkError::Foreign)?;
    let (full_head, mut rest) = match packed.split_first() {
        Some((&WHOLE, rest)) => (None, rest),
        Some((&UNSIGNED, rest)) => {
            let (head, rest) = rest.split_first_chunk::<32>().ok_or(LinkError::Foreign)?;
            (Some(*head), rest)
        }
        _ => return Err(LinkError::Foreign),
    };
    let mut number = || varint::read(&mut rest).ok_or(LinkError::Foreign);
    let size = LogSize { length: number()?, records: number()?, actions: number()? };
    if size.length > LINKED_LOG_MAX {
        return Err(LinkError::TooLong { found: size.length });
    }
    let log = block::unpack(rest, &[size])?.pop().ok_or(LinkError::Foreign)?;
    let is_same = check(&log, packed) == *digest;
    if is_same { Ok(LinkedLog { log, full_head }) } else { Err(LinkError::Damaged) }
}

/// Returns the first bytes of the digest of a log and of the link up to there.
fn check(log: &[u8], packed: &[u8]) -> [u8; CHECK] {
    let digest = Sha256::new().chain_update(log).chain_update(packed).finalize();
    digest.first_chunk().copied().unwrap_or_default()
}

/// Returns the log without signatures, keys and checkpoints, and the head that it had; `None` if it has none of them.
fn without_signatures(log: &[u8]) -> Result<Option<(Vec<u8>, Head)>, LogError> {
    let (mut reader, mut input) = (Reader::new(), log);
    let (mut chain, mut bare) = (Chain::START, Vec::from(HEADER));
    while let Some(frame) = reader.next(&mut input)? {
        let mut record = frame.record()?;
        strip(&mut record);
        // What a record holds without a signature, it could hold with one.
        let payload = record.encode().unwrap_or_else(|_| frame.payload.to_vec());
        chain.append(&payload, &mut bare);
    }
    let head = reader.finish()?.head;
    Ok((chain.head != head).then_some((bare, head)))
}

fn strip(record: &mut Record) {
    match record {
        Record::Genesis(genesis) => {
            genesis.players.iter_mut().for_each(|player| player.key = None);
            genesis.director = None;
        }
        Record::Register(register) => register.signatures.clear(),
        Record::Action(record) => {
            record.signature = None;
            if let Action::Ruling(ruling) = &mut record.action {
                ruling.signature = None;
            }
        }
        // A record takes its place, since masks depend on the numbers of records.
        record if record.checkpoint().is_some() => {
            *record = Record::Remark(Remark::note(Author::Table, None, "checkpoint"));
        }
        _ => {}
    }
}
