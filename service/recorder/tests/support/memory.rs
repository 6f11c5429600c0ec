//! A journal in memory that does to its callers whatever a journal may do: it leaves appends in doubt, whether it has
//! stored them or not, carries some out late and in another order, gives stale answers where they are allowed, and
//! sometimes does not answer at all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_recorder::entry::{EncodedEntry, JournalEntry};
use canasta_recorder::journal::{Appended, At, Freshness, Journal, PlacedEntry, READ_MAX, ReadError};

use super::random::Random;

/// A journal in memory; see the module.
#[derive(Clone)]
pub struct MemoryJournal {
    games: Arc<Mutex<Games>>,
    random: Arc<Mutex<Random>>,
    /// Parts in a hundred of the calls that go wrong.
    faults: u64,
}

#[derive(Default)]
struct Games {
    last_at: u64,
    entries: BTreeMap<[u8; 16], Vec<(At, EncodedEntry)>>,
}

impl Games {
    fn append(&mut self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        let entries = self.entries.entry(game.0).or_default();
        if entries.last().map(|(at, _)| *at) != after {
            return Appended::Conflict;
        }
        self.last_at += 1;
        entries.push((At(self.last_at), entry.clone()));
        Appended::Stored(At(self.last_at))
    }
}

impl MemoryJournal {
    /// Returns an empty journal, of whose calls `faults` in a hundred go wrong.
    pub fn new(seed: u64, faults: u64) -> Self {
        Self { games: Arc::default(), random: Arc::new(Mutex::new(Random(seed))), faults }
    }

    fn below(&self, end: u64) -> u64 {
        self.random.lock().expect("no panic").below(end)
    }

    fn goes_wrong(&self) -> bool {
        self.below(100) < self.faults
    }

    /// Stores an entry as a journal of another process would: without faults.
    pub fn put(&self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        self.games.lock().expect("no panic").append(game, after, entry)
    }

    fn found(&self, game: GameId) -> Vec<(At, EncodedEntry)> {
        self.games.lock().expect("no panic").entries.get(&game.0).cloned().unwrap_or_default()
    }
}

fn decode((at, entry): &(At, EncodedEntry)) -> Result<PlacedEntry, ReadError> {
    let at = *at;
    let entry = JournalEntry::decode(&entry.bytes).map_err(|error| ReadError::Damaged { at, error })?;
    Ok(PlacedEntry { at, entry })
}

fn silent() -> ReadError {
    ReadError::Unavailable("injected".into())
}

impl Journal for MemoryJournal {
    async fn last(&self, game: GameId, freshness: Freshness) -> Result<Option<PlacedEntry>, ReadError> {
        tokio::task::yield_now().await;
        if self.goes_wrong() {
            return Err(silent());
        }
        let mut entries = self.found(game);
        if freshness == Freshness::MayBeStale && self.goes_wrong() {
            let kept = self.below(entries.len() as u64 + 1);
            entries.truncate(kept as usize);
        }
        entries.last().map(decode).transpose()
    }

    async fn append(&self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        tokio::task::yield_now().await;
        if !self.goes_wrong() {
            return self.put(game, after, entry);
        }
        match self.below(4) {
            // The answer is lost.
            0 => _ = self.put(game, after, entry),
            // The append is lost.
            1 => {}
            // A lone writer is refused, as JetStream does at times.
            2 => {
                let appended = self.put(game, after, entry);
                assert!(matches!(appended, Appended::Stored(_) | Appended::Conflict));
            }
            // The append arrives late, after later ones.
            _ => {
                let (journal, entry, ms) = (self.clone(), entry.clone(), self.below(40));
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    journal.put(game, after, &entry);
                });
            }
        }
        Appended::Doubt
    }

    async fn read(&self, game: GameId, from_n: u64, max: usize) -> Result<Vec<PlacedEntry>, ReadError> {
        tokio::task::yield_now().await;
        if self.goes_wrong() {
            return Err(silent());
        }
        let found = self.found(game);
        let found = found.iter().filter(|(_, entry)| entry.n >= from_n);
        found.take(max.min(READ_MAX)).map(decode).collect()
    }

    async fn read_back(&self, game: GameId, to_n: u64, max: usize) -> Result<Vec<PlacedEntry>, ReadError> {
        tokio::task::yield_now().await;
        if self.goes_wrong() {
            return Err(silent());
        }
        let mut found = self.found(game);
        let end = found.iter().position(|(_, entry)| entry.n >= to_n).map_or(found.len(), |at| at + 1);
        found.truncate(end);
        found.iter().rev().take(max.min(READ_MAX)).map(decode).collect()
    }

    async fn games(&self, after: Option<GameId>, max: usize) -> Result<Vec<GameId>, ReadError> {
        if self.goes_wrong() {
            return Err(silent());
        }
        let games = self.games.lock().expect("no panic");
        let ids = games.entries.iter().filter(|(_, entries)| !entries.is_empty()).map(|(id, _)| *id);
        let after = ids.filter(|id| after.is_none_or(|after| *id > after.0));
        Ok(after.take(max.min(READ_MAX)).map(GameId).collect())
    }
}
