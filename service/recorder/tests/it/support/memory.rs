//! A journal in memory that does to its callers whatever a journal may do: it leaves appends in doubt, whether it has
//! stored them or not, carries some out late and in another order, and sometimes does not answer at all.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_proto::v1::{GameStatus, GameSummary};
use canasta_recorder::entry::{EncodedEntry, JournalEntry};
use canasta_recorder::journal::row::RowChange;
use canasta_recorder::journal::{
    Appended, At, AuditQueue, ChangePosition, ChangedGames, FollowedEntry, FollowedPage, GameLease, GameList,
    Journal, JournalFigures, KeptVerdict, PlacedEntry, READ_MAX, ReadError, TRIES_MAX,
};
use tonic::async_trait;

use super::changed::{ChangedList, Statuses};
use super::kept::KeptGame;
use super::random::Random;

/// A journal in memory; see the module.
#[derive(Clone)]
pub struct MemoryJournal {
    games: Arc<Mutex<Games>>,
    random: Arc<Mutex<Random>>,
    /// Parts in a hundred of the calls that go wrong.
    faults: u64,
    /// Whether every append is left in doubt.
    is_doubtful: bool,
    /// True while the journal has no room.
    is_full: Arc<AtomicBool>,
}

#[derive(Default)]
struct Games {
    last_at: u64,
    games: BTreeMap<[u8; 16], KeptGame>,
    dropped: BTreeSet<[u8; 16]>,
    changed: ChangedList,
}

impl Games {
    /// Makes a change, and notes what has another status after it.
    fn change<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        let statuses = |games: &Self| -> Statuses {
            games.games.iter().map(|(id, kept)| (*id, kept.summary.status)).collect()
        };
        let before = statuses(self);
        let answer = change(self);
        let after = statuses(self);
        self.changed.note_statuses(&before, after);
        answer
    }

    fn forget(&mut self, game: GameId) {
        self.games.remove(&game.0);
        self.dropped.insert(game.0);
        self.changed.note(game.0);
    }

    fn append(&mut self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        let kept = self.games.entry(game.0).or_default();
        let is_archived = kept.summary.status() == GameStatus::Archived;
        if is_archived || kept.entries.last().map(|(at, _)| *at) != after {
            return Appended::Conflict;
        }
        self.last_at += 1;
        kept.entries.push((At(self.last_at), entry.clone()));
        let before = GameSummary { game_id: game.0.into(), ..std::mem::take(&mut kept.summary) };
        let entry = JournalEntry::decode(&entry.bytes).expect("an encoded entry");
        kept.summary = RowChange::of(&entry).after(before);
        (kept.lease_ms, kept.tries) = (0, 0);
        self.changed.note(game.0);
        Appended::Stored(At(self.last_at))
    }

    /// Returns a game whose lease this is.
    fn leased(&mut self, lease: GameLease) -> Option<&mut KeptGame> {
        let kept = self.games.get_mut(&lease.game.0)?;
        let is_last = kept.summary.status() == GameStatus::Finished && kept.lease_ms == lease.until_ms;
        Some(kept).filter(|_| is_last)
    }
}

impl MemoryJournal {
    /// Returns an empty journal, of whose calls `faults` in a hundred go wrong.
    pub fn new(seed: u64, faults: u64) -> Self {
        let random = Arc::new(Mutex::new(Random(seed)));
        Self { games: Arc::default(), random, faults, is_doubtful: false, is_full: Arc::default() }
    }

    /// Returns the journal, which from now on leaves every append in doubt.
    pub fn doubtful(self) -> Self {
        Self { is_doubtful: true, ..self }
    }

    /// Takes all room from the journal, or gives it back.
    pub fn set_full(&self, is_full: bool) {
        self.is_full.store(is_full, Ordering::SeqCst);
    }

    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().expect("no panic")
    }

    /// Makes a change of the queue. It may go wrong before the change, or only its answer may be lost.
    async fn change<T>(&self, change: impl FnOnce(&mut Games) -> T) -> Result<T, ReadError> {
        tokio::task::yield_now().await;
        if self.goes_wrong() {
            return Err(silent());
        }
        let answer = self.lock().change(change);
        if self.goes_wrong() { Err(silent()) } else { Ok(answer) }
    }

    fn below(&self, end: u64) -> u64 {
        self.random.lock().expect("no panic").below(end)
    }

    fn goes_wrong(&self) -> bool {
        self.below(100) < self.faults
    }

    /// Stores an entry as a journal of another process would: without faults.
    pub fn put(&self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        self.lock().append(game, after, entry)
    }

    fn found(&self, game: GameId) -> Vec<(At, EncodedEntry)> {
        self.lock().games.get(&game.0).map(|kept| kept.entries.clone()).unwrap_or_default()
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

#[async_trait]
impl Journal for MemoryJournal {
    async fn last(&self, game: GameId) -> Result<Option<PlacedEntry>, ReadError> {
        tokio::task::yield_now().await;
        if self.goes_wrong() {
            return Err(silent());
        }
        self.found(game).last().map(decode).transpose()
    }

    async fn append(&self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        tokio::task::yield_now().await;
        if self.is_full.load(Ordering::SeqCst) {
            return Appended::Full;
        }
        if self.is_doubtful {
            self.put(game, after, entry);
            return Appended::Doubt;
        }
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

    async fn end(&self, _: u16) -> Result<At, ReadError> {
        self.change(|games| At(games.last_at)).await
    }

    async fn follow(&self, _: u16, after: At, max: usize) -> Result<FollowedPage, ReadError> {
        let stored = self
            .change(|games| {
                let all = games
                    .games
                    .iter()
                    .flat_map(|(id, kept)| kept.entries.iter().map(|entry| (*id, entry.clone())));
                let mut stored: Vec<_> = all.filter(|(_, (at, _))| *at > after).collect();
                stored.sort_by_key(|(_, (at, _))| *at);
                stored
            })
            .await?;
        let page = stored.into_iter().take(max);
        let entries: Result<Vec<_>, _> =
            page.map(|(id, (at, entry))| FollowedEntry::read(GameId(id), at, &entry.bytes)).collect();
        let entries = entries?;
        let upto = entries.last().map_or(after, |last| last.end.at);
        Ok(FollowedPage { entries, upto })
    }

    async fn changes_end(&self) -> Result<ChangePosition, ReadError> {
        self.change(|games| games.changed.end()).await
    }

    async fn changed(&self, after: &ChangePosition, max: usize) -> Result<Option<ChangedGames>, ReadError> {
        self.change(|games| games.changed.since(after, max)).await
    }
}

#[async_trait]
impl GameList for MemoryJournal {
    async fn game(&self, game: GameId) -> Result<Option<GameSummary>, ReadError> {
        self.change(|games| games.games.get(&game.0).map(|kept| kept.summary.clone())).await
    }

    async fn games(&self, after: Option<GameId>, max: usize) -> Result<Vec<GameSummary>, ReadError> {
        self.change(|games| {
            let after = games.games.iter().filter(|(id, _)| after.is_none_or(|after| **id > after.0));
            let known = after.filter(|(_, kept)| kept.summary.log_end.is_some());
            known.take(max.min(READ_MAX)).map(|(_, kept)| kept.summary.clone()).collect()
        })
        .await
    }

    async fn figures(&self) -> Result<JournalFigures, ReadError> {
        let games = self.lock();
        let of = |status| games.games.values().filter(move |kept| kept.summary.status() == status);
        Ok(JournalFigures {
            live: of(GameStatus::Live).count() as u64,
            stuck: of(GameStatus::Stuck).count() as u64,
            waiting_since_ms: of(GameStatus::Finished).map(|kept| kept.summary.changed_at_ms).min(),
            used_permille: 0,
            is_unproven: false,
        })
    }

    async fn drop(&self, game: GameId, upto: At) -> Result<bool, ReadError> {
        self.change(|games| {
            let Some(kept) = games.games.get_mut(&game.0) else { return true };
            if kept.entries.last().is_some_and(|(at, _)| *at > upto) {
                return false;
            }
            kept.entries.clear();
            if kept.has_verdict() {
                kept.summary.set_status(GameStatus::Archived);
            } else {
                games.forget(game);
            }
            true
        })
        .await
    }

    async fn forget(&self, game: GameId) -> Result<(), ReadError> {
        self.change(|games| games.forget(game)).await
    }

    async fn was_dropped(&self, game: GameId) -> Result<bool, ReadError> {
        self.change(|games| games.dropped.contains(&game.0)).await
    }
}

#[async_trait]
impl AuditQueue for MemoryJournal {
    async fn lease(&self, now_ms: i64, until_ms: i64) -> Result<Option<GameLease>, ReadError> {
        self.change(|games| {
            let waits =
                |kept: &KeptGame| kept.summary.status() == GameStatus::Finished && kept.lease_ms <= now_ms;
            let mut waiting = games.games.iter_mut().filter(|(_, kept)| waits(kept));
            let (id, kept) = waiting.next()?;
            kept.lease_ms = until_ms;
            Some(GameLease { game: GameId(*id), until_ms, tries: kept.tries })
        })
        .await
    }

    async fn extend(&self, lease: GameLease, until_ms: i64) -> Result<Option<GameLease>, ReadError> {
        self.change(|games| {
            games.leased(lease)?.lease_ms = until_ms;
            Some(GameLease { until_ms, ..lease })
        })
        .await
    }

    async fn done(&self, game: GameId, verdict: &KeptVerdict, now_ms: i64) -> Result<bool, ReadError> {
        self.change(|games| {
            let Some(kept) = games.games.get_mut(&game.0) else { return false };
            let is_new = !kept.verdicts.iter().any(|known| known.head == verdict.head);
            kept.verdicts.extend(Some(verdict.clone()).filter(|_| is_new));
            if kept.summary.status() == GameStatus::Finished
                && kept.head().as_deref() == Some(&verdict.head[..])
            {
                kept.summary.set_status(GameStatus::Judged);
                (kept.lease_ms, kept.tries) = (now_ms, 0);
            }
            is_new
        })
        .await
    }

    async fn fail(&self, lease: GameLease, retry_ms: i64) -> Result<(), ReadError> {
        self.change(|games| {
            let Some(kept) = games.leased(lease) else { return };
            (kept.lease_ms, kept.tries) = (retry_ms, kept.tries + 1);
            if kept.tries >= TRIES_MAX {
                kept.summary.set_status(GameStatus::Stuck);
            }
        })
        .await
    }

    async fn verdict(&self, game: GameId, head: Option<[u8; 32]>) -> Result<Option<KeptVerdict>, ReadError> {
        self.change(|games| {
            let kept = games.games.get(&game.0)?;
            let of = |head: &[u8]| kept.verdicts.iter().find(|verdict| verdict.head == head).cloned();
            match head {
                Some(head) => of(&head),
                None => of(&kept.head()?).or_else(|| kept.verdicts.last().cloned()),
            }
        })
        .await
    }

    async fn judged(&self, until_ms: i64, max: usize) -> Result<Vec<GameId>, ReadError> {
        self.change(|games| {
            let is_due =
                |kept: &KeptGame| kept.summary.status() == GameStatus::Judged && kept.lease_ms <= until_ms;
            let mut due: Vec<_> = games.games.iter().filter(|(_, kept)| is_due(kept)).collect();
            due.sort_by_key(|(_, kept)| kept.lease_ms);
            due.into_iter().take(max).map(|(id, _)| GameId(*id)).collect()
        })
        .await
    }

    async fn requeue(&self, game: GameId) -> Result<(), ReadError> {
        self.change(|games| {
            let judged = games.games.get_mut(&game.0);
            judged
                .filter(|kept| kept.summary.status() == GameStatus::Judged)
                .into_iter()
                .for_each(KeptGame::wait);
        })
        .await
    }

    async fn sweep(&self) -> Result<u64, ReadError> {
        self.change(|games| {
            let lost =
                |kept: &&mut KeptGame| kept.summary.status() == GameStatus::Judged && !kept.has_verdict();
            games.games.values_mut().filter(lost).map(KeptGame::wait).count() as u64
        })
        .await
    }

    async fn retry(&self) -> Result<u64, ReadError> {
        self.change(|games| {
            let stuck = |kept: &&mut KeptGame| kept.summary.status() == GameStatus::Stuck;
            games.games.values_mut().filter(stuck).map(KeptGame::wait).count() as u64
        })
        .await
    }
}
