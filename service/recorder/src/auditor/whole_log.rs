//! The whole log of a game, read from its entries.

use canasta_engine::archive::LOG_MAX;
use canasta_engine::deal::GameId;

use super::{AuditFault, on_thread};
use crate::context::RecorderContext;
use crate::entry::JournalEntry;
use crate::journal::{At, Journal};
use crate::records::records;

/// Number of entries that are read at once.
const ENTRIES: usize = 64;

/// The log of a game.
pub struct WholeLog {
    pub bytes: Vec<u8>,
    /// Position of the last entry.
    pub at: At,
    /// Head after the last entry.
    pub head: [u8; 32],
    /// Whether the game is over after the last entry.
    pub is_over: bool,
}

/// A log that is read, and its last entry.
type LogPart = (Vec<u8>, Option<JournalEntry>);

/// Reads the log of a game, and checks the chain of its entries; their hashes are checked by every read. `None` if the game
/// has no entries.
pub async fn whole_log<J: Journal>(
    ctx: &RecorderContext<J>,
    game: GameId,
) -> Result<Option<WholeLog>, AuditFault> {
    let (mut log, mut last, mut at): (Vec<u8>, Option<JournalEntry>, At) = (Vec::new(), None, At(0));
    loop {
        let from_n = last.as_ref().map_or(0, |last| last.n + 1);
        let page = ctx.journal.read(game, from_n, ENTRIES).await?;
        let Some(end) = page.last() else { break };
        at = end.at;
        let entries: Vec<JournalEntry> = page.into_iter().map(|placed| placed.entry).collect();
        (log, last) = on_thread(move || append((log, last), entries)).await??;
    }
    Ok(last.map(|last| WholeLog { bytes: log, at, head: last.head, is_over: last.game_over }))
}

fn append((mut log, mut last): LogPart, entries: Vec<JournalEntry>) -> Result<LogPart, AuditFault> {
    for entry in entries {
        records(last.as_ref(), &entry)?;
        log.extend(&entry.frames);
        if log.len() > LOG_MAX {
            return Err(AuditFault::TooLong(log.len()));
        }
        last = Some(entry);
    }
    Ok((log, last))
}
