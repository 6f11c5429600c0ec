//! The present deal of a game: the part of its log that may be taken back.

use canasta_engine::deal::GameId;
use canasta_engine::game::{Game, TAKE_BACK_FRAMES_MAX, frame_count};
use canasta_engine::table::Table;
use canasta_serve::OrFault;

use crate::context::RecorderContext;
use crate::entry::JournalEntry;
use crate::journal::{PlacedEntry, READ_MAX};
use crate::records;

pub struct PresentDeal {
    /// The entry with the earliest state of the deal.
    pub earliest: JournalEntry,
    /// The frames after that state.
    pub frames: Vec<u8>,
}

impl RecorderContext {
    /// Returns the present deal up to an entry, which leads to the game `now`: at most as many frames as a take-back
    /// follows.
    pub async fn present_deal(&self, game: GameId, last: &JournalEntry, now: &Game) -> OrFault<PresentDeal> {
        let is_present = |table: &Table| {
            let deal = |table: &Table| (table.round_number(), table.attempt());
            table.is_dealt() && deal(table) == deal(&now.table)
        };
        let mut later: Vec<JournalEntry> = Vec::new();
        let mut earliest = last.clone();
        let mut count = 0;
        while let Some(to_n) = records::first_n(&earliest).checked_sub(1) {
            let entries = self.journal.read_back(game, to_n, READ_MAX).await?;
            for PlacedEntry { entry, .. } in entries {
                count += frame_count(records::frames(&earliest));
                if count > TAKE_BACK_FRAMES_MAX || !is_present(&self.open(game, &entry).await?.table) {
                    return Ok(PresentDeal { earliest, frames: frames(later) });
                }
                later.push(std::mem::replace(&mut earliest, entry));
            }
        }
        Ok(PresentDeal { earliest, frames: frames(later) })
    }
}

/// Returns the frames of entries that are in the opposite order.
fn frames(later: Vec<JournalEntry>) -> Vec<u8> {
    later.into_iter().rev().flat_map(|entry| entry.frames).collect()
}
