//! Reading a shard in the order in which its entries were stored.

use std::time::Duration;

use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::pull::{Ordered, OrderedConfig};
use tokio::time::timeout;
use tokio_stream::StreamExt as _;

use super::NatsJournal;
use super::messages::{unavailable, within};
use super::streams::game_of;
use crate::journal::{At, FollowedEntry, FollowedPage, JournalResult};

/// Time for which a page waits for its first entry.
const FIRST: Duration = Duration::from_millis(200);
/// Time for which a page waits for a further entry.
const NEXT: Duration = Duration::from_millis(5);

/// A reader of a shard, and the position that it has reached.
pub struct ShardReader {
    messages: Ordered,
    at: At,
}

/// Returns the entries behind `after`. Those that end a game are put into the queue, since the recorder that stored them may
/// not have come to it.
pub async fn follow(journal: &NatsJournal, shard: u16, after: At, max: usize) -> JournalResult<FollowedPage> {
    let mut held = journal.followers[usize::from(shard)].lock().await;
    let mut follower = match held.take().filter(|follower| follower.at == after) {
        Some(follower) => follower,
        None => begin(journal, shard, after).await?,
    };
    let mut page = FollowedPage { entries: Vec::new(), upto: after };
    while page.entries.len() < max {
        let wait = if page.upto == after { FIRST } else { NEXT };
        let Ok(next) = timeout(wait, follower.messages.next()).await else { break };
        let message =
            next.ok_or_else(|| unavailable("the shard cannot be followed"))?.map_err(unavailable)?;
        let sequence = message.info().map_err(unavailable)?.stream_sequence;
        page.upto = At(sequence);
        let game = game_of(&message.subject).filter(|_| !message.payload.is_empty());
        let Some(game) = game else { continue };
        let Some(entry) = FollowedEntry::if_whole(game, page.upto, &message.payload) else { continue };
        if entry.end.game_over {
            journal.enqueue_unjudged(game, &entry.end.head, entry.time_ms).await?;
        }
        page.entries.push(entry);
    }
    follower.at = page.upto;
    *held = Some(follower);
    Ok(page)
}

async fn begin(journal: &NatsJournal, shard: u16, after: At) -> JournalResult<ShardReader> {
    let deliver_policy = DeliverPolicy::ByStartSequence { start_sequence: after.0 + 1 };
    let config = OrderedConfig { deliver_policy, ..OrderedConfig::default() };
    let stream = journal.shards[usize::from(shard)].stream();
    let consumer = within(stream.create_consumer(config)).await?;
    Ok(ShardReader { messages: within(consumer.messages()).await?, at: after })
}
