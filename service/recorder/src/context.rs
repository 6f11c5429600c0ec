//! The context of every request about a game: the service that judges, the journal that keeps, and games opened from
//! it.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::bot::RoundMemory;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_engine::hex::hex;
use canasta_engine::log::record::Genesis;
use canasta_engine::table::Table;
use canasta_messages::convert::view;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1 as pb;
use canasta_serve::OrFault;
use canasta_serve::counters::TokenRefusal;
use canasta_serve::fairness::RateLimiter;
use canasta_serve::outside::timer_now;
use canasta_serve::streams::StreamPlaces;
use canasta_serve::workers::WorkerPool;
use canasta_service::context::RequestContext;
use tokio::time::Instant;

use crate::archive::GameArchive;
use crate::boards;
use crate::changes::Changes;
use crate::entry::{EncodedEntry, EntryKind, JournalEntry, Offer, Settings};
use crate::folder::RecorderFolder;
use crate::games::GameMemory;
use crate::journal::{Journal, PAGE, PlacedEntry, ReadError, STORE_LIMIT, StoreError, store};
use crate::lengths::{GameLength, LinkRates, REMEMBERED};
use crate::marks::{MarkKeeper, MarkStatus};
use crate::metrics::RecordMetrics;
use crate::outages::Outages;
use crate::records::{self, NotLinked};
use crate::rooms::{RoomSettings, WRONG_CODES, per_hour};
use crate::tasks::GameTasks;
use crate::timing::Moment;

/// Maximum number of games whose settings are remembered.
const CACHE_GAMES: usize = 100_000;
/// Maximum number of games whose players' names are remembered: only games that somebody looks at need them.
const CACHE_NAMES: usize = 10_000;
/// Maximum number of games whose rounds are remembered; the records of another one are executed again from the first on.
const CACHE_ROUNDS: usize = 5_000;

/// Everything that an answer depends on besides its request.
pub struct RecorderContext {
    pub service: Arc<RequestContext>,
    pub journal: Arc<dyn Journal>,
    pub archive: GameArchive,
    /// The folder with the recorder's key.
    pub folder: RecorderFolder,
    pub searches: WorkerPool,
    /// Hints for the watchers of games.
    pub changes: Changes,
    /// The shards that have lost records.
    pub marks: MarkStatus,
    pub streams: StreamPlaces,
    /// The settings of games, which every request needs and few entries change, with the number of the record that set them.
    settings: GameMemory<(u64, Arc<Settings>)>,
    /// The names of the players of games, which never change.
    names: GameMemory<Arc<[String]>>,
    /// The times at which the recorder was down.
    pub outages: Arc<Outages>,
    pub work: Arc<GameTasks>,
    pub metrics: RecordMetrics,
    pub room_rates: RateLimiter,
    pub code_rates: RateLimiter,
    /// The limits of what the holders of links record.
    pub link_rates: LinkRates,
    /// The memories of who watches games, up to the entry of this number.
    pub memories: GameMemory<(u64, RoundMemory)>,
    /// The lengths of games that were acted in lately, and when the reading of each began.
    pub lengths: GameMemory<(GameLength, Instant)>,
}

/// Everything that a recorder opens before it serves.
pub struct OpenedRecorder {
    pub folder: RecorderFolder,
    pub journal: Arc<dyn Journal>,
    pub archive: GameArchive,
    /// Hints for the watchers of games.
    pub changes: Changes,
    /// The marks of the journal; `None` if nobody keeps any.
    pub marks: Option<MarkKeeper>,
}

impl RecorderContext {
    /// Returns a context whose memories are empty.
    pub fn new(
        service: Arc<RequestContext>,
        OpenedRecorder { folder, journal, archive, changes, .. }: OpenedRecorder,
        marks: MarkStatus,
        (outages, work): (Arc<Outages>, Arc<GameTasks>),
        (searches, streams): (WorkerPool, StreamPlaces),
        rooms: &RoomSettings,
    ) -> Self {
        Self {
            metrics: RecordMetrics::new(&service.telemetry.meter),
            changes,
            marks,
            settings: GameMemory::new(CACHE_GAMES),
            names: GameMemory::new(CACHE_NAMES),
            room_rates: per_hour(rooms.per_hour),
            code_rates: per_hour(WRONG_CODES),
            link_rates: LinkRates::default(),
            memories: GameMemory::new(CACHE_ROUNDS),
            lengths: GameMemory::new(REMEMBERED),
            service,
            journal,
            archive,
            folder,
            searches,
            streams,
            outages,
            work,
        }
    }

    /// Returns the last entry of a game. The caller must be entitled to the game.
    ///
    /// # Errors
    /// If there is no such game, or the journal cannot be read.
    pub async fn last(&self, game: GameId) -> OrFault<PlacedEntry> {
        self.check_shard(game)?;
        match self.journal.last(game).await? {
            Some(last) => Ok(last),
            None => Err(self.gone(game).await),
        }
    }

    /// Returns the fault of a game without entries: the archive has it, or nobody.
    pub async fn gone(&self, game: GameId) -> RequestFault {
        self.check_unarchived(game).await.err().unwrap_or_else(|| not_found(game))
    }

    /// Checks that a game without entries is not stored in the archive.
    pub async fn check_unarchived(&self, game: GameId) -> OrFault<()> {
        let summary = self.journal.game(game).await?;
        let is_archived = summary.is_some_and(|summary| summary.status() == pb::GameStatus::Archived);
        if is_archived { Err(RequestFault::GameArchived) } else { Ok(()) }
    }

    /// Checks that the journal has not lost records of a game's shard.
    ///
    /// # Errors
    /// If it has.
    pub fn check_shard(&self, game: GameId) -> OrFault<()> {
        let shard = self.journal.shard_of(game);
        let loss = self.marks.loss(shard);
        loss.map_or(Ok(()), |records| Err(RequestFault::RecordsMissing { shard, records }))
    }

    /// Returns the last entry of a game, up to date, and the game after it.
    pub async fn latest(&self, game: GameId) -> OrFault<(PlacedEntry, Box<Game>)> {
        let last = self.last(game).await?;
        let state = self.open(game, &last.entry).await?;
        Ok((last, state))
    }

    /// Stores an entry after a game's last one, and tells the watchers. Returns whether it is stored: if not, a rival's entry
    /// stands in its place.
    ///
    /// # Errors
    /// If the journal is full, damaged, or does not answer in time.
    pub async fn store(
        &self,
        game: GameId,
        after: Option<&PlacedEntry>,
        entry: &EncodedEntry,
    ) -> OrFault<bool> {
        self.check_shard(game)?;
        let (began, mut doubts) = (timer_now(), 0);
        let stored = store(&*self.journal, game, after, entry, STORE_LIMIT, &mut doubts).await;
        self.metrics.append(&stored, doubts, began.elapsed());
        match stored {
            Ok(_) => {
                self.changes.tell(game);
                Ok(true)
            }
            Err(StoreError::Conflict) => Ok(false),
            Err(StoreError::Full) => Err(RequestFault::StoreFull),
            Err(StoreError::Unavailable) => Err(RequestFault::JournalUnavailable),
            Err(StoreError::Damaged(error)) => Err(error.into()),
        }
    }

    /// Returns the first entry of a game, and the first record of its log.
    pub async fn first(&self, game: GameId) -> OrFault<(JournalEntry, Genesis)> {
        let first = self.journal.read(game, 0, 1).await?.into_iter().next();
        let Some(PlacedEntry { entry: first, .. }) = first else { return Err(self.gone(game).await) };
        let genesis = records::genesis(&first)?;
        Ok((first, genesis))
    }

    /// Returns what a seat or role may see of a table of a game: the present one, or an earlier one.
    pub async fn view(&self, state: &Game, table: &Table, who: As) -> OrFault<pb::View> {
        let mut view = view::of_table(state, table, who);
        view::name_players(&mut view, &self.names(state.dealing.game_id).await?);
        Ok(view)
    }

    /// Writes the names of a game's players into what is observed of it.
    pub async fn name(&self, game: GameId, observed: &mut [pb::Observation]) -> OrFault<()> {
        if !observed.is_empty() {
            let names = self.names(game).await?;
            let views = observed.iter_mut().flat_map(|each| [&mut each.view, &mut each.round_over]).flatten();
            views.for_each(|view| view::name_players(view, &names));
        }
        Ok(())
    }

    /// Returns the names of a game's players: a state has none.
    async fn names(&self, game: GameId) -> OrFault<Arc<[String]>> {
        if let Some(known) = self.names.get(game) {
            return Ok(known);
        }
        let (_, genesis) = self.first(game).await?;
        let names: Arc<[String]> = genesis.players.into_iter().map(|player| player.name).collect();
        self.names.put(game, Arc::clone(&names));
        Ok(names)
    }

    /// Returns the settings of a game as they are after an entry.
    pub async fn settings(&self, game: GameId, entry: &JournalEntry) -> OrFault<Arc<Settings>> {
        let n = entry.settings_n;
        if let Some((_, known)) = self.settings.get(game).filter(|(at, _)| *at == n) {
            return Ok(known);
        }
        let settings = match entry.settings() {
            Some(settings) => settings.clone(),
            None => {
                let found = self.journal.read(game, n, 1).await?;
                let Some(found) = found.first() else { return Err(self.gone(game).await) };
                found.entry.settings().cloned().ok_or(NotLinked)?
            }
        };
        let settings = Arc::new(settings);
        self.settings.put(game, (n, Arc::clone(&settings)));
        Ok(settings)
    }

    /// Returns the present moment, for an entry after `before`.
    pub fn moment(&self, before: &JournalEntry) -> Moment {
        let time_ms = (self.service.clock)().max(before.time_ms);
        Moment { time_ms, uncharged_ms: self.outages.between(before.time_ms, time_ms) }
    }

    /// Returns the offer to take back that is open after an entry.
    pub async fn offer(&self, game: GameId, entry: &JournalEntry) -> OrFault<Option<Offer>> {
        let mut entry = entry.clone();
        while entry.offer_open {
            if let EntryKind::Offer(offer) = entry.kind {
                return Ok(Some(offer));
            }
            let before = self.before(game, &entry).await?;
            entry = before.ok_or(NotLinked)?.entry;
        }
        Ok(None)
    }

    /// Opens the state of an entry. A state that is none, as an older release could write it, is made again from the
    /// records of the entry.
    ///
    /// # Errors
    /// If the state cannot be decrypted, or the records do not lead to the entry's head.
    pub async fn open(&self, game: GameId, entry: &JournalEntry) -> OrFault<Box<Game>> {
        match self.service.open_kept(&entry.state) {
            Ok(state) => Ok(state),
            // Boxed, since the entry before it is opened in the same way.
            Err(TokenRefusal::Malformed) => Box::pin(self.play_again(game, entry)).await,
            Err(refusal) => {
                tracing::error!("the state of entry {} cannot be opened", entry.n);
                Err(self.service.unopened(refusal))
            }
        }
    }

    /// Makes the game after an entry from the entry before it and the records.
    async fn play_again(&self, game: GameId, entry: &JournalEntry) -> OrFault<Box<Game>> {
        tracing::warn!("the state of entry {} cannot be read: it is made again from the log", entry.n);
        let before = self.before(game, entry).await?.ok_or(NotLinked)?.entry;
        let state = self.open(game, &before).await?;
        let with = self.replayed(game, Some(&before), entry).await?;
        Ok(records::play_again((&before, &state), entry, &with)?)
    }

    /// Returns the entry before an entry of a game; `None` before the first.
    pub async fn before(&self, game: GameId, entry: &JournalEntry) -> OrFault<Option<PlacedEntry>> {
        let Some(to_n) = records::first_n(entry).checked_sub(1) else { return Ok(None) };
        let found = self.journal.read_back(game, to_n, 1).await?.into_iter().next();
        match found {
            // The game was dropped since the entry was read.
            None => Err(self.gone(game).await),
            before => Ok(before),
        }
    }

    /// Returns the game after the action with this `seq`; `None` if there is none yet.
    pub async fn game_at(&self, game: GameId, seq: u64) -> OrFault<Option<Game>> {
        // Every action is a record, so no entry before record `seq` has the action.
        let mut from_n = seq;
        loop {
            let entries = self.journal.read(game, from_n, PAGE).await?;
            let Some(last) = entries.last() else { return Ok(None) };
            from_n = last.entry.n + 1;
            let Some(at) = entries.iter().position(|placed| placed.entry.seq >= seq) else { continue };
            let entry = &entries[at].entry;
            let after = self.open(game, entry).await?;
            if entry.seq == seq {
                return Ok(Some(*after));
            }
            let before = self.before(game, entry).await?;
            let played = self.play(game, before.as_ref(), entry, &after).await?;
            let found = played.into_iter().find(|played| played.game.table.step() == seq);
            return Ok(found.map(|played| Game::clone(&played.game)));
        }
    }

    /// Executes the actions of an entry again; see [`records::play`].
    pub async fn play(
        &self,
        game: GameId,
        before: Option<&PlacedEntry>,
        entry: &JournalEntry,
        after: &Game,
    ) -> OrFault<Vec<records::PlayedRecord>> {
        let state = match before {
            Some(before) => Some(self.open(game, &before.entry).await?),
            None => None,
        };
        let before = before.map(|before| &before.entry);
        let with = self.replayed(game, before, entry).await?;
        Ok(records::play(before.zip(state.as_deref()), entry, after, &with)?)
    }

    /// Returns what an entry is executed again with.
    async fn replayed(
        &self,
        game: GameId,
        before: Option<&JournalEntry>,
        entry: &JournalEntry,
    ) -> OrFault<records::Replayed> {
        let mut earlier = Vec::new();
        for seq in records::restored(before, entry)? {
            // Boxed, since to find a game may need another entry to be played.
            earlier.extend(Box::pin(self.game_at(game, seq)).await?);
        }
        let board = boards::open(&self.service, game, &*self.settings(game, entry).await?)?;
        Ok(records::Replayed { earlier, board })
    }
}

/// Returns the fault of a game that does not exist.
pub fn not_found(game: GameId) -> RequestFault {
    RequestFault::NotFound(format!("game {}", hex(&game.0)))
}

/// A journal that cannot be read, as its caller is told; the operator learns more.
impl From<ReadError> for RequestFault {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Unavailable(_) => {
                tracing::warn!("{error}");
                Self::JournalUnavailable
            }
            ReadError::Damaged { .. } => {
                tracing::error!("{error}");
                Self::GameDamaged
            }
        }
    }
}

/// Entries that do not follow from each other.
impl From<NotLinked> for RequestFault {
    fn from(error: NotLinked) -> Self {
        tracing::error!("{error}");
        Self::GameDamaged
    }
}
