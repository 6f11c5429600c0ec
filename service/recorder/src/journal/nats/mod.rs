//! The journal on NATS JetStream, for many recorders: three or more servers keep each entry, and the entry's place is
//! decided by the server that leads its stream.
//!
//! What JetStream says is not believed without need. Every answer to an append but an acknowledgement is doubt, resolved
//! by reading ([`super::store`]); and the recorder does not start on servers or streams whose settings could lose what they
//! have acknowledged ([`open`](NatsJournal::open)).

mod changed;
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

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use async_nats::jetstream::Context;
use canasta_engine::deal::GameId;
use tokio::task::JoinSet;

use super::{At, Journal};
use crate::archive::GameArchive;
use crate::games::GameMemory;
pub use connection::{NatsError, NatsOptions};
use follow::ShardReader;
use messages::MessageStream;

/// Maximum number of games whose last read is remembered.
const KNOWN_GAMES: usize = 200_000;

pub struct NatsJournal {
    context: Context,
    shards: Vec<MessageStream>,
    finished: MessageStream,
    verdicts: MessageStream,
    dropped: MessageStream,
    archive: GameArchive,
    /// The end of the last read of each game: `n`, and the place.
    known: GameMemory<(u64, At)>,
    /// Sequence of the verdict at which the next look for games to drop begins.
    looked: tokio::sync::Mutex<u64>,
    followers: Vec<tokio::sync::Mutex<Option<ShardReader>>>,
    /// True if a server may acknowledge before it writes, as far as is known.
    is_unproven: Arc<AtomicBool>,
    /// The tasks that hear of entries which other recorders store, and that look at the servers.
    tasks: JoinSet<()>,
    /// The name under which other recorders hear of this one.
    recorder: [u8; 8],
}

impl NatsJournal {
    fn shard(&self, game: GameId) -> &MessageStream {
        &self.shards[usize::from(self.shard_of(game))]
    }
}
