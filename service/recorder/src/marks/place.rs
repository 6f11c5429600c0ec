//! The place where the marks of a journal are kept, and the keys that sign them.

use std::collections::BTreeMap;
use std::sync::Arc;

use canasta_serve::outside::Clock;
use canasta_serve::signer::{CheckpointSigner, SignedNoteKey};

use super::CLOCK_MS;
use super::mark::ShardMark;
use crate::archive::{ArchiveFault, GameArchive, digest};
use crate::journal::{Journal, ReadError};

/// A reason why marks cannot be put or checked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MarkFault {
    /// The journal does not answer, or is damaged.
    #[error(transparent)]
    Journal(#[from] ReadError),
    #[error(transparent)]
    Archive(#[from] ArchiveFault),
    /// An object is not the mark that should stand there.
    #[error(
        "{path} in the archive is no mark that a key of signing.pub has signed, or does not follow the one before"
    )]
    Foreign { path: String },
    #[error(
        "the clock is {behind_s} s behind the last mark of shard {shard}, expected at most {} s: set the clock; if it is right, \
         and was ahead when the mark was made, type: canasta-recorder accept-loss {shard} {mark}", CLOCK_MS / 1_000
    )]
    Clock {
        /// The difference, in seconds.
        behind_s: i64,
        shard: u16,
        mark: u64,
    },
    #[error("the last mark of shard {shard} is {last}, not {named}")]
    NotLast { shard: u16, last: u64, named: u64 },
}

/// The keys of marks: one signs, all of them are accepted.
#[derive(Clone)]
pub struct MarkKeys {
    pub signer: CheckpointSigner,
    pub accepted: Vec<SignedNoteKey>,
}

/// The place where marks are kept, and the journal that they are about.
pub struct MarkPlace {
    pub journal: Arc<dyn Journal>,
    pub archive: GameArchive,
    pub keys: MarkKeys,
    pub clock: Clock,
}

impl MarkPlace {
    /// Returns a shard's mark of this number, and the object; `None` if there is none.
    pub(super) async fn get(
        &self,
        shard: u16,
        number: u64,
    ) -> Result<Option<(ShardMark, Vec<u8>)>, MarkFault> {
        let path = ShardMark::path(shard, number);
        let bytes = match self.archive.get(&path).await {
            Ok(bytes) => bytes,
            Err(ArchiveFault::Missing(_)) => return Ok(None),
            Err(fault) => return Err(fault.into()),
        };
        let mark = ShardMark::read(&bytes, &self.keys.accepted);
        match mark.filter(|mark| (mark.shard, mark.number) == (shard, number)) {
            Some(mark) => Ok(Some((mark, bytes))),
            None => Err(MarkFault::Foreign { path }),
        }
    }

    /// Returns the number of a shard's last mark; `None` if there is none.
    pub(super) async fn last(&self, shard: u16) -> Result<Option<u64>, MarkFault> {
        let (folder, mut after, mut last) = (ShardMark::folder(shard), None::<String>, None);
        loop {
            let page = self.archive.list(&folder, after.as_deref(), usize::MAX).await?;
            let Some(end) = page.last() else { return Ok(last) };
            after = Some(end.clone());
            last = page.iter().filter_map(|path| ShardMark::number_of(path)).next_back().or(last);
        }
    }
}

/// Accepts that a shard has lost records: puts a mark after the last one, `named`, that begins at what the shard has. Returns
/// the number of the new mark.
///
/// # Errors
/// If another mark is the last one, or journal or archive do not answer.
pub async fn accept_loss(place: &MarkPlace, shard: u16, named: u64) -> Result<u64, MarkFault> {
    let last = place.last(shard).await?.unwrap_or(0);
    let before = if named == last { place.get(shard, named).await? } else { None };
    let Some((_, bytes)) = before else { return Err(MarkFault::NotLast { shard, last, named }) };
    let mark = ShardMark {
        shard,
        number: named + 1,
        previous: digest(&bytes),
        time_ms: (place.clock)(),
        position: place.journal.end(shard).await?,
        accepts_loss: true,
        games: BTreeMap::new(),
    };
    let bytes = mark.sign(&place.keys.signer).into_bytes();
    let stored = place.archive.put(&ShardMark::path(shard, mark.number), &bytes).await?;
    if stored == bytes {
        Ok(mark.number)
    } else {
        Err(MarkFault::NotLast { shard, last: mark.number, named })
    }
}

/// Begins the marks of every shard anew at what the journal has: another journal has taken the place of the one that they tell of.
///
/// # Errors
/// If journal or archive do not answer.
pub async fn renew(place: &MarkPlace) -> Result<(), MarkFault> {
    for shard in 0..place.journal.shards() {
        if let Some(last) = place.last(shard).await? {
            accept_loss(place, shard, last).await?;
        }
    }
    Ok(())
}
