//! The whole log of a game, read from its entries.

use canasta_engine::archive::LOG_MAX;
use canasta_engine::deal::GameId;
use canasta_proto::v1::GameSummary;

use super::{AuditFault, AuditorContext, on_thread};
use crate::boards::tables_of;
use crate::entry::JournalEntry;
use crate::journal::At;
use crate::journal::row::RowChange;
use crate::records::records;

/// Number of entries that are read at once.
const ENTRIES: usize = 64;

pub struct WholeLog {
    pub bytes: Vec<u8>,
    /// Position of the last entry.
    pub at: At,
    /// Head after the last entry.
    pub head: [u8; 32],
    /// The summary of the game after the last entry.
    pub summary: GameSummary,
    /// The games that play the game's board; empty if it plays none.
    pub tables: Vec<GameId>,
}

/// A log that is read, its last entry, and the summary after that.
type LogPart = (Vec<u8>, Option<JournalEntry>, GameSummary);

/// Reads the log of a game, and checks the chain of its entries; their hashes are checked by every read. `None` if the game
/// has no entries.
pub async fn whole_log(ctx: &AuditorContext, game: GameId) -> Result<Option<WholeLog>, AuditFault> {
    let summary = GameSummary { game_id: game.0.into(), ..Default::default() };
    let Some(last) = ctx.journal.last(game).await? else { return Ok(None) };
    let (mut part, mut at): (LogPart, At) = ((Vec::new(), None, summary), At(0));
    let mut tables = Vec::new();
    while at < last.at {
        let from_n = part.1.as_ref().map_or(0, |last| last.n + 1);
        let page = ctx.journal.read(game, from_n, ENTRIES).await?;
        // Dropped meanwhile: what was read is not the whole log.
        let Some(end) = page.last() else { return Ok(None) };
        at = end.at;
        if from_n == 0 {
            tables = tables_of(&page[0].entry).to_vec();
        }
        let entries: Vec<JournalEntry> = page.into_iter().map(|placed| placed.entry).collect();
        part = on_thread(move || append(part, entries)).await??;
    }
    let (bytes, last, summary) = part;
    Ok(last.map(|last| WholeLog { bytes, at, head: last.head, summary, tables }))
}

fn append(
    (mut log, mut last, mut summary): LogPart,
    entries: Vec<JournalEntry>,
) -> Result<LogPart, AuditFault> {
    for entry in entries {
        records(last.as_ref(), &entry)?;
        log.extend(&entry.frames);
        if log.len() > LOG_MAX {
            return Err(AuditFault::TooLong(log.len()));
        }
        summary = RowChange::of(&entry).after(summary);
        last = Some(entry);
    }
    Ok((log, last, summary))
}
