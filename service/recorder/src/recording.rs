//! The recording of entries within the limits of games and callers.

use canasta_engine::deal::GameId;
use canasta_messages::fault::RequestFault;
use canasta_serve::OrFault;
use canasta_serve::account::CallerAccount;
use canasta_serve::outside::timer_now;

use crate::context::RecorderContext;
use crate::entry::{EncodedEntry, JournalEntry};
use crate::journal::{PAGE, PlacedEntry};
use crate::lengths::{GameLength, REMEMBERED_FOR};

impl RecorderContext {
    /// Stores an entry as [`Self::store`] does, if the game has room for it and the caller may record it; `account` is that
    /// of the caller, and `None` for the recorder's own work.
    ///
    /// # Errors
    /// As [`Self::store`], or if a limit is reached.
    pub async fn record(
        &self,
        account: Option<&CallerAccount>,
        game: GameId,
        last: &PlacedEntry,
        (encoded, entry): &(EncodedEntry, JournalEntry),
    ) -> OrFault<bool> {
        self.length(game, &last.entry).await?.check(entry)?;
        account.map_or(Ok(()), |account| self.link_rates.take_entry(account, encoded))?;
        self.store(game, Some(last), encoded).await
    }

    /// Returns the length of a game up to an entry, or a later one.
    pub async fn length(&self, game: GameId, last: &JournalEntry) -> OrFault<GameLength> {
        let (now, known) = (timer_now(), self.lengths.get(game));
        let known = known.filter(|(_, since)| now - *since < REMEMBERED_FOR);
        let (mut length, since) = known.unwrap_or((GameLength::default(), now));
        while length.next_n <= last.n {
            let page = self.journal.read(game, length.next_n, PAGE).await?;
            if page.is_empty() {
                return Err(RequestFault::JournalUnavailable);
            }
            page.iter().for_each(|placed| length.add(&placed.entry));
            self.lengths.put(game, (length, since));
        }
        Ok(length)
    }
}
