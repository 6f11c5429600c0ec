//! The games that have changed, in the order of their changes.
//!
//! A position has the sequence of each stream of the journal: of every shard, the queue, the verdicts, and the dropped games.
//! All but the shards keep only the last message of a game, so a game that has changed is found behind any earlier position.

use super::NatsJournal;
use super::messages::MessageStream;
use super::streams::game_of;
use crate::journal::{ChangePosition, ChangedGames, JournalResult};

impl NatsJournal {
    /// Returns all streams, in the order of the numbers of a position. That of dropped games is the last.
    fn streams(&self) -> impl Iterator<Item = &MessageStream> {
        self.shards.iter().chain([&self.finished, &self.verdicts, &self.dropped])
    }
}

pub async fn end(journal: &NatsJournal) -> JournalResult<ChangePosition> {
    let mut ends = Vec::new();
    for stream in journal.streams() {
        ends.push(stream.info().await?.state.last_sequence);
    }
    Ok(ChangePosition(ends))
}

/// Returns the games that have changed, at most about `max`; see [`crate::journal::Journal::changed`].
pub async fn since(
    journal: &NatsJournal,
    after: &ChangePosition,
    max: usize,
) -> JournalResult<Option<ChangedGames>> {
    let streams: Vec<_> = journal.streams().collect();
    if after.0.len() != streams.len() {
        return Ok(None);
    }
    // Each stream has its part of the page, so that a busy one does not hold up the others.
    let most = (max / streams.len()).max(1);
    let (mut games, mut upto) = (Vec::new(), after.0.clone());
    for (stream, upto) in streams.iter().zip(&mut upto) {
        let state = stream.info().await?.state;
        // Messages of dropped games expire. What is missing in other streams was dropped, or a later message tells of it.
        let is_dropped = stream.name() == journal.dropped.name();
        if *upto > state.last_sequence || (is_dropped && state.first_sequence > *upto + 1) {
            return Ok(None);
        }
        for _ in 0..most {
            if *upto >= state.last_sequence {
                break;
            }
            let Some(message) = stream.next(">", *upto + 1).await? else {
                *upto = state.last_sequence;
                break;
            };
            *upto = message.sequence;
            games.extend(game_of(&message.subject));
        }
    }
    Ok(Some(ChangedGames { games, upto: ChangePosition(upto) }))
}
