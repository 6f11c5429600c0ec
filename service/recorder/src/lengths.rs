//! Limits of what is recorded: notes in a round, bytes in a game, and per hour what the holder of one link records.
//!
//! A round of the log has limits of its own, which notes do not count in: see [`canasta_engine::log`]. How long a game is
//! follows from its entries, and is remembered.

use std::time::Duration;

use canasta_engine::action::As;
use canasta_messages::fault::RequestFault;
use canasta_serve::OrFault;
use canasta_serve::account::CallerAccount;
use canasta_serve::fairness::RateLimiter;
use canasta_serve::identity::CallerKey;
use canasta_serve::telemetry::instant;

use crate::entry::{EncodedEntry, EntryKind, JournalEntry};
use crate::rooms::per_hour;

/// Maximum number of entries of a round that hold no action: notes, signatures, checkpoints, recorded refusals and offers.
pub const ROUND_NOTES_MAX: u64 = 1_024;
/// Maximum number of bytes of the frames of these entries.
pub const ROUND_NOTE_BYTES_MAX: u64 = 512 << 10;
/// Maximum number of bytes of a game's log, so that its audit and its archive fit in memory.
pub const GAME_BYTES_MAX: u64 = 8 << 20;
/// Number of bytes beyond that for rulings and clocks, which end the game, and for changes of who plays.
const RULING_BYTES: u64 = 1 << 20;
/// Maximum number of games whose length is remembered.
pub const REMEMBERED: usize = 20_000;
/// Time after which a game is read again from its first entry: play does not go on behind an entry that is damaged.
pub const REMEMBERED_FOR: Duration = Duration::from_secs(10 * 60);

/// Maximum number of links that the holder of one link makes in an hour.
pub const LINKS_PER_HOUR: u32 = 64;
/// Maximum number of entries that the holder of one link records in an hour.
pub const ENTRIES_PER_HOUR: u32 = 7_200;
/// Maximum number of bytes of these entries.
pub const ENTRY_BYTES_PER_HOUR: u32 = 16 << 20;

/// The limits of what the holders of links record in an hour. An address has as much as several links.
pub struct LinkRates {
    links: RateLimiter,
    entries: RateLimiter,
    bytes: RateLimiter,
}

impl Default for LinkRates {
    fn default() -> Self {
        Self {
            links: per_hour(LINKS_PER_HOUR),
            entries: per_hour(ENTRIES_PER_HOUR),
            bytes: per_hour(ENTRY_BYTES_PER_HOUR),
        }
    }
}

impl LinkRates {
    /// Counts a link that a caller makes.
    ///
    /// # Errors
    /// If the caller holds a link and has made too many.
    pub fn take_link(&self, account: &CallerAccount) -> OrFault<()> {
        take(&self.links, account, 1, "links")
    }

    /// Counts an entry that a caller records.
    ///
    /// # Errors
    /// If the caller holds a link and has recorded too much.
    pub fn take_entry(&self, account: &CallerAccount, entry: &EncodedEntry) -> OrFault<()> {
        take(&self.entries, account, 1, "entries")?;
        take(&self.bytes, account, entry.bytes.len() as u32, "bytes of entries")
    }
}

fn take(rates: &RateLimiter, account: &CallerAccount, units: u32, what: &'static str) -> OrFault<()> {
    if !matches!(account.key(), CallerKey::Link { .. }) {
        return Ok(());
    }
    rates.take_units(account.key(), units, instant()).map_err(|fault| match fault {
        RequestFault::RateLimited(delay) => RequestFault::TooMuchPerHour(delay, what),
        other => other,
    })
}

/// The length of a game's log up to an entry.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GameLength {
    /// Number of the first record that is not counted yet.
    pub next_n: u64,
    seq: u64,
    bytes: u64,
    /// Entries without an action since the last end of a round.
    notes: u64,
    note_bytes: u64,
}

impl GameLength {
    /// Returns the number of bytes of the log.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn is_note(&self, entry: &JournalEntry) -> bool {
        entry.seq == self.seq
            && matches!(entry.kind, EntryKind::Acted | EntryKind::Offer(_) | EntryKind::Declined)
    }

    pub fn add(&mut self, entry: &JournalEntry) {
        let bytes = entry.frames.len() as u64;
        if entry.ends_round {
            (self.notes, self.note_bytes) = (0, 0);
        } else if self.is_note(entry) {
            (self.notes, self.note_bytes) = (self.notes + 1, self.note_bytes + bytes);
        }
        (self.next_n, self.seq, self.bytes) = (entry.n + 1, entry.seq, self.bytes + bytes);
    }

    /// Checks that an entry may follow.
    ///
    /// # Errors
    /// If the game or the round has no room for it.
    pub fn check(&self, entry: &JournalEntry) -> OrFault<()> {
        let bytes = entry.frames.len() as u64;
        let is_players = matches!(entry.kind, EntryKind::Acted | EntryKind::Offer(_) | EntryKind::Declined);
        let max = match is_players && entry.actor != As::Director {
            true => GAME_BYTES_MAX,
            false => GAME_BYTES_MAX + RULING_BYTES,
        };
        let limits = [
            (self.bytes + bytes, max, "bytes"),
            (self.notes + 1, ROUND_NOTES_MAX, "notes in a round"),
            (self.note_bytes + bytes, ROUND_NOTE_BYTES_MAX, "bytes of notes in a round"),
        ];
        let count = if self.is_note(entry) && entry.actor != As::Director { limits.len() } else { 1 };
        let over = limits[..count].iter().find(|(would_be, max, _)| would_be > max);
        over.map_or(Ok(()), |&(_, max, unit)| Err(RequestFault::LogTooLarge { max, unit }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::deal::GameId;
    use canasta_serve::identity::{Caller, Identity, LinkGrant};

    fn note(n: u64, bytes: usize) -> JournalEntry {
        JournalEntry { n, seq: 7, frames: vec![0; bytes], ..JournalEntry::plain() }
    }

    /// Makes links with nine hosts' links of one address, which has as much as eight, and with one of another address.
    #[test]
    fn a_link_makes_so_many_links_in_an_hour_and_an_address_as_many_as_eight() {
        let account = |address: u8, host: u8| {
            let (game, actor) = (GameId([host; 16]), As::Spectator);
            let link = LinkGrant { token_id: [host; 16], game, actor, is_host: true, expires_at_ms: 1 };
            let caller = Caller::Known(std::sync::Arc::new(Identity::of_link(link)));
            CallerAccount::new(Some(&caller), Some([127, 0, 0, address].into()), None)
        };
        let rates = LinkRates::default();
        let made = |account: &CallerAccount| (0..600).filter(|_| rates.take_link(account).is_ok()).count();
        for host in 1..=8 {
            assert_eq!(made(&account(1, host)), LINKS_PER_HOUR as usize);
        }
        let refused = rates.take_link(&account(1, 9));
        assert!(matches!(refused, Err(RequestFault::TooMuchPerHour(_, "links"))), "{refused:?}");
        assert_eq!(made(&account(2, 9)), LINKS_PER_HOUR as usize, "another address does not notice");
        assert_eq!(made(&CallerAccount::new(Some(&Caller::Trusted), None, None)), 600, "the operator");
    }

    #[test]
    fn notes_have_a_share_per_round_and_actions_none() {
        let mut length = GameLength { seq: 7, ..GameLength::default() };
        for n in 0..ROUND_NOTES_MAX {
            assert_eq!(length.check(&note(n, 10)), Ok(()));
            length.add(&note(n, 10));
        }
        let next = note(ROUND_NOTES_MAX, 10);
        let full = RequestFault::LogTooLarge { max: ROUND_NOTES_MAX, unit: "notes in a round" };
        assert_eq!(length.check(&next), Err(full));
        assert_eq!(length.check(&JournalEntry { actor: As::Director, ..next.clone() }), Ok(()), "a ruling");
        assert_eq!(length.check(&JournalEntry { seq: 8, ..next.clone() }), Ok(()), "an action");
        length.add(&JournalEntry { seq: 8, ends_round: true, ..next.clone() });
        assert_eq!(length.check(&JournalEntry { seq: 8, ..next }), Ok(()), "another round");
        let long = GameLength { seq: 7, note_bytes: ROUND_NOTE_BYTES_MAX - 9, ..GameLength::default() };
        let full = RequestFault::LogTooLarge { max: ROUND_NOTE_BYTES_MAX, unit: "bytes of notes in a round" };
        assert_eq!((long.check(&note(1, 9)), long.check(&note(1, 10))), (Ok(()), Err(full)));
    }

    #[test]
    fn a_game_is_short_enough_for_its_audit_and_can_be_ended() {
        let length = GameLength { bytes: GAME_BYTES_MAX - 9, ..GameLength::default() };
        let (fits, too_long) = (note(1, 9), note(1, 10));
        let full = RequestFault::LogTooLarge { max: GAME_BYTES_MAX, unit: "bytes" };
        assert_eq!((length.check(&fits), length.check(&too_long)), (Ok(()), Err(full)));
        assert_eq!(length.check(&JournalEntry { kind: EntryKind::Clock, ..too_long.clone() }), Ok(()));
        assert_eq!(length.check(&JournalEntry { actor: As::Director, ..too_long }), Ok(()));
    }
}
