//! Requests that are recorded already, found by their tags.

use canasta_engine::deal::GameId;
use canasta_serve::OrFault;

use crate::context::RecorderContext;
use crate::entry::{RequestTag, TAGS};
use crate::journal::PlacedEntry;
use crate::records;

/// Maximum number of entries in which a request is looked for.
const SEARCHED_MAX: usize = 16_384;
/// Number of entries that the first read of a search returns; each further read returns twice as many.
const FIRST_READ: usize = 8;

/// A recorded request: its entry, and the entry before it.
pub struct Repeated {
    pub before: PlacedEntry,
    pub entry: PlacedEntry,
}

impl RecorderContext {
    /// Finds a request among the entries since the caller's `expected_seq`, or among the last four entries if it has none.
    pub async fn repeated(
        &self,
        game: GameId,
        last: &PlacedEntry,
        tag: RequestTag,
        expected_seq: Option<u64>,
    ) -> OrFault<Option<Repeated>> {
        let is_recent = last.entry.tags.contains(&tag);
        if !is_recent && !may_be_older(last, expected_seq) {
            return Ok(None);
        }
        let max = if is_recent { TAGS + 1 } else { SEARCHED_MAX };
        let since = expected_seq.filter(|_| !is_recent).unwrap_or(0);
        let mut found: Option<PlacedEntry> = None;
        // Reads backwards from the last entry, twice as many entries each time: most repeated requests are recent. An entry
        // that is found still needs the one before it, which may be the first of the next read.
        let (mut to_n, mut searched, mut size) = (u64::MAX, 0, FIRST_READ);
        loop {
            let entries = self.journal.read_back(game, to_n, size).await?;
            let Some(oldest) = entries.last() else { return Ok(None) };
            (to_n, searched, size) = (records::first_n(&oldest.entry), searched + entries.len(), size * 2);
            for placed in entries {
                if let Some(entry) = found {
                    return Ok(Some(Repeated { before: placed, entry }));
                }
                // The entry before it had at least this `seq`, so no earlier one is asked for.
                if placed.entry.seq < since {
                    return Ok(None);
                }
                found = Some(placed).filter(|placed| placed.entry.tags[0] == tag);
            }
            let Some(next) = to_n.checked_sub(1) else { return Ok(None) };
            if searched >= max && found.is_none() {
                return Ok(None);
            }
            to_n = next;
        }
    }
}

/// Whether a request that is not among the last four may be recorded at the caller's `expected_seq` or later.
fn may_be_older(last: &PlacedEntry, expected_seq: Option<u64>) -> bool {
    match expected_seq {
        None => false,
        Some(expected) if expected < last.entry.seq => true,
        // Only entries without an action can stand between: then the last one is such an entry too.
        Some(expected) => expected == last.entry.seq && !records::has_action(&last.entry),
    }
}
