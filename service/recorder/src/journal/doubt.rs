//! Storing an entry, with what must be done when it is not known whether an append has happened. All journals share it.

use std::time::Duration;

use canasta_engine::deal::GameId;
use tokio::time::{sleep, timeout};

use super::{Appended, At, Journal, JournalResult, PlacedEntry, ReadError};
use crate::entry::EncodedEntry;

/// The first pause before a journal that does not answer is asked again.
const PAUSE_MIN: Duration = Duration::from_millis(20);
const PAUSE_MAX: Duration = Duration::from_millis(500);

/// The reason why an entry is not stored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    #[error("another entry stands there")]
    Conflict,
    #[error("the journal has no room")]
    Full,
    /// It could not be found out in time whether the entry is stored.
    #[error("the journal does not answer")]
    Unavailable,
    /// The journal is damaged where it had to be read.
    #[error(transparent)]
    Damaged(ReadError),
}

/// The trace of an append in doubt: the content of the place where its entry should stand.
enum AppendTrace {
    Ours(At),
    Other,
    Nothing,
}

/// Appends an entry after `after`, the game's last entry as the caller knows it, until it is known whether the entry is
/// stored. Its bytes identify the entry, so an append may be made several times: heads alone do not, since two changes of
/// settings may have one note. `doubts` counts the appends
/// that were not acknowledged, except those that lost at once.
///
/// # Errors
/// If another entry is stored instead, the journal is full or damaged, or the time `limit` has passed; only in the last
/// case the entry may be stored all the same.
pub async fn store(
    journal: &dyn Journal,
    game: GameId,
    after: Option<&PlacedEntry>,
    entry: &EncodedEntry,
    limit: Duration,
    doubts: &mut u32,
) -> Result<At, StoreError> {
    let stored = timeout(limit, append(journal, game, after, entry, doubts)).await;
    stored.unwrap_or(Err(StoreError::Unavailable))
}

async fn append(
    journal: &dyn Journal,
    game: GameId,
    after: Option<&PlacedEntry>,
    entry: &EncodedEntry,
    doubts: &mut u32,
) -> Result<At, StoreError> {
    // The loops end with the `limit` of the caller. Until then an append is repeated only after a read has shown that its
    // place is empty, and the journal refuses a second entry there: so at most one copy is ever stored.
    let mut pause = PAUSE_MIN;
    loop {
        let appended = journal.append(game, after.map(|placed| placed.at), entry).await;
        match appended {
            Appended::Stored(at) => return Ok(at),
            Appended::Conflict if *doubts == 0 => return Err(StoreError::Conflict),
            // An earlier append in doubt may have caused the conflict, and a full store may still have this entry.
            Appended::Conflict | Appended::Full | Appended::Doubt => *doubts += 1,
        }
        loop {
            match look(journal, game, after, entry).await {
                Ok(AppendTrace::Ours(at)) => return Ok(at),
                Ok(AppendTrace::Other) => return Err(StoreError::Conflict),
                Ok(AppendTrace::Nothing) if appended == Appended::Full => return Err(StoreError::Full),
                Ok(AppendTrace::Nothing) => break,
                Err(error @ ReadError::Damaged { .. }) => return Err(StoreError::Damaged(error)),
                Err(ReadError::Unavailable(_)) => wait(&mut pause).await,
            }
        }
        if *doubts > 1 {
            wait(&mut pause).await;
        }
    }
}

/// Looks at what stands where an append in doubt should stand.
async fn look(
    journal: &dyn Journal,
    game: GameId,
    after: Option<&PlacedEntry>,
    entry: &EncodedEntry,
) -> JournalResult<AppendTrace> {
    let is_ours = |placed: &PlacedEntry| {
        placed.entry.head == entry.head && placed.entry.encode().is_ok_and(|found| found.bytes == entry.bytes)
    };
    let last = journal.last(game).await?;
    match (&last, after) {
        (Some(last), _) if is_ours(last) => return Ok(AppendTrace::Ours(last.at)),
        (Some(last), _) if last.entry.n >= entry.n => {}
        (Some(last), Some(after)) if last.entry.head == after.entry.head => return Ok(AppendTrace::Nothing),
        // A server that has lost the lead knows less than we have read.
        (Some(last), Some(after)) if last.at < after.at => {
            return Err(ReadError::Unavailable("the answer is out of date".into()));
        }
        (None, None) => return Ok(AppendTrace::Nothing),
        _ => return Ok(AppendTrace::Other),
    }
    let there = journal.read(game, entry.n, 1).await?;
    let ours = there.first().filter(|placed| is_ours(placed));
    Ok(ours.map_or(AppendTrace::Other, |placed| AppendTrace::Ours(placed.at)))
}

async fn wait(pause: &mut Duration) {
    sleep(*pause).await;
    *pause = (*pause * 2).min(PAUSE_MAX);
}
