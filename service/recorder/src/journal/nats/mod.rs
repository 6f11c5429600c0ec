//! The journal on NATS JetStream, for many recorders: three or more servers keep each entry, and the entry's place is
//! decided by the server that leads its stream.
//!
//! What JetStream says is not believed without need. Every answer to an append but an acknowledgement is doubt, resolved
//! by reading ([`super::store`]); and the recorder does not start on servers or streams whose settings could lose what they
//! have acknowledged ([`open`](NatsJournal::open)).

mod connection;
mod entries;
mod follow;
mod hints;
mod list;
mod messages;
mod queue;
mod self_test;
mod servers;
mod streams;
mod trust;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use async_nats::jetstream::Context;
use canasta_engine::deal::GameId;
use canasta_proto::v1::GameSummary;
use canasta_service::parts::RecentMap;
use tokio::task::JoinSet;
use tonic::async_trait;

use super::{
    Appended, At, FollowedPage, GameLease, Journal, JournalFigures, KeptVerdict, PlacedEntry, ReadError,
};
use crate::archive::GameArchive;
use crate::entry::EncodedEntry;
pub use connection::{NatsError, NatsOptions};
use follow::ShardReader;
use messages::MessageStream;

/// Maximum number of games whose last read is remembered.
const KNOWN_GAMES: usize = 100_000;

/// A journal on JetStream.
pub struct NatsJournal {
    context: Context,
    shards: Vec<MessageStream>,
    finished: MessageStream,
    verdicts: MessageStream,
    dropped: MessageStream,
    archive: GameArchive,
    /// The end of the last read of each game: `n`, and the place.
    known: Mutex<RecentMap<[u8; 16], (u64, At)>>,
    /// Sequence of the verdict at which the next look for games to drop begins.
    looked: tokio::sync::Mutex<u64>,
    followers: Vec<tokio::sync::Mutex<Option<ShardReader>>>,
    /// True if a server may acknowledge before it writes, as far as is known.
    is_unproven: Arc<AtomicBool>,
    /// The tasks that hear of entries which other recorders store, and that look at the servers.
    tasks: JoinSet<()>,
}

impl NatsJournal {
    /// Returns the stream of a game.
    fn shard(&self, game: GameId) -> &MessageStream {
        &self.shards[usize::from(self.shard_of(game))]
    }

    /// Returns the end of the last read of a game.
    fn known(&self, game: GameId) -> Option<(u64, At)> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&game.0)
    }

    /// Notes the end of a read.
    fn note(&self, game: GameId, end: (u64, At)) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).put(game.0, end, 1);
    }
}

#[async_trait]
impl Journal for NatsJournal {
    async fn last(&self, game: GameId) -> Result<Option<PlacedEntry>, ReadError> {
        entries::last(self, game).await
    }

    async fn append(&self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        let appended = entries::append(self, game, after, entry).await;
        if matches!(appended, Appended::Stored(_)) {
            hints::tell(&self.context.client(), game, entry).await;
        }
        appended
    }

    async fn read(&self, game: GameId, from_n: u64, max: usize) -> Result<Vec<PlacedEntry>, ReadError> {
        entries::read(self, game, from_n, max).await
    }

    async fn read_back(&self, game: GameId, to_n: u64, max: usize) -> Result<Vec<PlacedEntry>, ReadError> {
        entries::read_back(self, game, to_n, max).await
    }

    fn has_one_recorder(&self) -> bool {
        false
    }

    fn shards(&self) -> u16 {
        u16::try_from(self.shards.len()).unwrap_or(u16::MAX)
    }

    async fn end(&self, shard: u16) -> Result<At, ReadError> {
        Ok(At(self.shards[usize::from(shard)].info().await?.state.last_sequence))
    }

    async fn follow(&self, shard: u16, after: At, max: usize) -> Result<FollowedPage, ReadError> {
        follow::follow(self, shard, after, max).await
    }

    async fn game(&self, game: GameId) -> Result<Option<GameSummary>, ReadError> {
        list::game(self, game).await
    }

    async fn games(&self, after: Option<GameId>, max: usize) -> Result<Vec<GameSummary>, ReadError> {
        list::games(self, after, max).await
    }

    async fn lease(&self, now_ms: i64, until_ms: i64) -> Result<Option<GameLease>, ReadError> {
        queue::lease(self, now_ms, until_ms).await
    }

    async fn extend(&self, lease: GameLease, until_ms: i64) -> Result<Option<GameLease>, ReadError> {
        queue::extend(self, lease, until_ms).await
    }

    async fn done(&self, game: GameId, verdict: &KeptVerdict, now_ms: i64) -> Result<bool, ReadError> {
        queue::done(self, game, verdict, now_ms).await
    }

    async fn fail(&self, lease: GameLease, retry_ms: i64) -> Result<(), ReadError> {
        queue::fail(self, lease, retry_ms).await
    }

    async fn verdict(&self, game: GameId, head: Option<[u8; 32]>) -> Result<Option<KeptVerdict>, ReadError> {
        list::verdict(self, game, head).await
    }

    async fn judged(&self, until_ms: i64, max: usize) -> Result<Vec<GameId>, ReadError> {
        queue::judged(self, until_ms, max).await
    }

    async fn requeue(&self, game: GameId) -> Result<(), ReadError> {
        queue::requeue(self, game).await
    }

    async fn sweep(&self) -> Result<u64, ReadError> {
        list::sweep(self).await
    }

    async fn retry(&self) -> Result<u64, ReadError> {
        queue::retry(self).await
    }

    async fn figures(&self) -> Result<JournalFigures, ReadError> {
        list::figures(self).await
    }

    async fn drop(&self, game: GameId, upto: At) -> Result<bool, ReadError> {
        queue::drop(self, game, upto).await
    }

    async fn forget(&self, game: GameId) -> Result<(), ReadError> {
        list::forget(self, game).await
    }

    async fn was_dropped(&self, game: GameId) -> Result<bool, ReadError> {
        list::was_dropped(self, game).await
    }
}
