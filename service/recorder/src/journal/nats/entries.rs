//! The entries of games: appended behind the last one, and read from the leader of their stream.
//!
//! Nothing finds an entry by its `n`. Reads start at the nearest of three places: the end of the game, from which each
//! message leads to the one before; its first message; or the entry at which the last read of the game ended.

use std::collections::VecDeque;

use bytes::Bytes;
use canasta_engine::deal::GameId;
use tonic::async_trait;

use super::NatsJournal;
use super::changed;
use super::follow::follow;
use super::hints;
use super::messages::{MessageStream, Published, StreamMessage, unavailable};
use super::streams::game_subject;
use crate::entry::EncodedEntry;
use crate::journal::{
    Appended, At, ChangePosition, ChangedGames, FollowedEntry, FollowedPage, Journal, JournalResult,
    PlacedEntry, READ_MAX, ReadError,
};

/// An entry, and the sequence of the one before.
struct LinkedEntry {
    placed: PlacedEntry,
    before: u64,
}

impl LinkedEntry {
    fn n(&self) -> u64 {
        self.placed.entry.n
    }
}

#[async_trait]
impl Journal for NatsJournal {
    async fn last(&self, game: GameId) -> JournalResult<Option<PlacedEntry>> {
        Ok(self.last_linked(game).await?.map(|last| last.placed))
    }

    async fn append(&self, game: GameId, after: Option<At>, entry: &EncodedEntry) -> Appended {
        if after.is_none() {
            match self.has_dropped(game).await {
                Ok(false) => {}
                Ok(true) => return Appended::Conflict,
                Err(_) => return Appended::Doubt,
            }
        }
        let payload = Bytes::from_owner(std::sync::Arc::clone(&entry.bytes));
        let expected = after.map_or(0, |at| at.0);
        let published = self.shard(game).publish(game_subject(game), payload, Some(expected)).await;
        match published {
            Published::Stored(sequence) => {
                self.queue_ended(game, At(sequence), entry).await;
                hints::tell(&self.context.client(), game, entry).await;
                Appended::Stored(At(sequence))
            }
            Published::Full => Appended::Full,
            Published::Refused | Published::Unknown => Appended::Doubt,
        }
    }

    async fn tell_presence(&self, game: GameId, told: Vec<u8>) {
        hints::tell_presence(&self.context.client(), self.recorder, game, &told).await;
    }

    async fn read(&self, game: GameId, from_n: u64, max: usize) -> JournalResult<Vec<PlacedEntry>> {
        let Some(last) = self.last_linked(game).await?.filter(|last| last.n() >= from_n) else {
            return Ok(Vec::new());
        };
        let (shard, max) = (self.shard(game), max.min(READ_MAX));
        let known = self.known.get(game).filter(|(n, at)| *n < from_n && *at < last.placed.at);
        let page = match known {
            Some((_, at)) => forward(shard, game, (from_n, max), at.0 + 1, last).await?,
            None if from_n > last.n() / 2 => backward(shard, (from_n, max), last).await?,
            None => forward(shard, game, (from_n, max), 1, last).await?,
        };
        if let Some(end) = page.last() {
            self.known.put(game, (end.entry.n, end.at));
        }
        Ok(page)
    }

    async fn read_back(&self, game: GameId, to_n: u64, max: usize) -> JournalResult<Vec<PlacedEntry>> {
        let shard = self.shard(game);
        let Some(mut linked) = self.last_linked(game).await? else { return Ok(Vec::new()) };
        let mut earlier = before(shard, &linked).await?;
        while let Some(found) = earlier.take_if(|earlier| earlier.n() >= to_n) {
            linked = found;
            earlier = before(shard, &linked).await?;
        }
        let mut page = vec![linked.placed];
        while let Some(found) = earlier.filter(|_| page.len() < max.min(READ_MAX)) {
            earlier = before(shard, &found).await?;
            page.push(found.placed);
        }
        Ok(page)
    }

    fn has_one_recorder(&self) -> bool {
        false
    }

    fn shards(&self) -> u16 {
        u16::try_from(self.shards.len()).unwrap_or(u16::MAX)
    }

    async fn end(&self, shard: u16) -> JournalResult<At> {
        Ok(At(self.shards[usize::from(shard)].info().await?.state.last_sequence))
    }

    async fn follow(&self, shard: u16, after: At, max: usize) -> JournalResult<FollowedPage> {
        follow(self, shard, after, max).await
    }

    async fn changes_end(&self) -> JournalResult<ChangePosition> {
        changed::end(self).await
    }

    async fn changed(&self, after: &ChangePosition, max: usize) -> JournalResult<Option<ChangedGames>> {
        changed::since(self, after, max.min(READ_MAX)).await
    }
}

impl NatsJournal {
    /// Puts a game that its new entry ends into the queue. What fails here is done when the shard is followed.
    async fn queue_ended(&self, game: GameId, at: At, entry: &EncodedEntry) {
        let ended = FollowedEntry::read(game, at, &entry.bytes).ok().filter(|entry| entry.end.game_over);
        if let Some(ended) = ended
            && let Err(error) = self.enqueue(game, ended.time_ms).await
        {
            tracing::warn!("an ended game is queued later: {error}");
        }
    }

    async fn last_linked(&self, game: GameId) -> JournalResult<Option<LinkedEntry>> {
        match self.shard(game).last(&game_subject(game)).await? {
            Some(end) if end.payload.is_empty() => {
                self.finish_drop(game, &end).await?;
                Ok(None)
            }
            Some(message) => linked(&message).map(Some),
            None => Ok(None),
        }
    }

    pub(super) async fn first_entry(&self, game: GameId) -> JournalResult<Option<PlacedEntry>> {
        let first = self.shard(game).next(&game_subject(game), 0).await?;
        let first = first.filter(|message| !message.payload.is_empty());
        first.map(|message| Ok(linked(&message)?.placed)).transpose()
    }
}

/// Reads from a sequence on, up to the last entry.
async fn forward(
    shard: &MessageStream,
    game: GameId,
    (from_n, max): (u64, usize),
    from: u64,
    last: LinkedEntry,
) -> JournalResult<Vec<PlacedEntry>> {
    let (subject, mut from, mut page) = (game_subject(game), from, Vec::new());
    while page.len() < max && from < last.placed.at.0 {
        // The last entry at least is found, unless the game is dropped.
        let message =
            shard.next(&subject, from).await?.filter(|message| message.sequence <= last.placed.at.0);
        let message = message.ok_or_else(dropped_meanwhile)?;
        from = message.sequence + 1;
        if message.sequence == last.placed.at.0 {
            break;
        }
        match linked(&message) {
            Ok(entry) if entry.n() >= from_n => page.push(entry.placed),
            Ok(_) => {}
            Err(_) if !page.is_empty() => return Ok(page),
            Err(damaged) => return Err(damaged),
        }
    }
    if page.len() < max {
        page.push(last.placed);
    }
    Ok(page)
}

/// Reads from the last entry back to the one that has record `from_n`. Keeps the first `max` of these.
async fn backward(
    shard: &MessageStream,
    (from_n, max): (u64, usize),
    last: LinkedEntry,
) -> JournalResult<Vec<PlacedEntry>> {
    let (mut page, mut next) = (VecDeque::new(), Some(last));
    while let Some(linked) = next.filter(|linked| linked.n() >= from_n) {
        next = before(shard, &linked).await?;
        page.push_front(linked.placed);
        page.truncate(max);
    }
    Ok(page.into())
}

async fn before(shard: &MessageStream, entry: &LinkedEntry) -> JournalResult<Option<LinkedEntry>> {
    if entry.before == 0 {
        return Ok(None);
    }
    let message = shard.at(entry.before).await?.ok_or_else(dropped_meanwhile)?;
    linked(&message).map(Some)
}

/// Returns the error of a read that has met the entries while they were dropped. The next one finds none.
fn dropped_meanwhile() -> ReadError {
    unavailable("the entries of the game were dropped while they were read")
}

fn linked(message: &StreamMessage) -> JournalResult<LinkedEntry> {
    let placed = PlacedEntry::decode(At(message.sequence), &message.payload)?;
    Ok(LinkedEntry { placed, before: message.before })
}
