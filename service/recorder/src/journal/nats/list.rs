//! Summaries of games, and what remains of dropped ones.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_proto::v1::{GameStatus, GameSummary};
use prost::Message as _;
use tokio::time::timeout;
use tokio_stream::StreamExt as _;

use super::messages::{ANSWER, MessageStream, StreamMessage, unavailable, within};
use super::queue::{self, QueuePlace};
use super::streams::{ALL_FINISHED, ALL_STUCK, game_of, game_subject, prefix_subject};
use super::{NatsJournal, entries};
use crate::entry::JournalEntry;
use crate::journal::row::RowChange;
use crate::journal::{At, JournalFigures, KeptVerdict, READ_MAX, ReadError};

/// A dropped game that had a verdict.
#[derive(Clone, PartialEq, prost::Message)]
pub struct DroppedGame {
    #[prost(message, optional, tag = "1")]
    summary: Option<GameSummary>,
    #[prost(bytes = "vec", tag = "2")]
    head: Vec<u8>,
    #[prost(bytes = "vec", tag = "3")]
    verdict: Vec<u8>,
}

impl DroppedGame {
    fn kept(self) -> Option<KeptVerdict> {
        Some(KeptVerdict { head: self.head.try_into().ok()?, bytes: self.verdict })
    }
}

/// Returns the subject that tells of a dropped game.
fn dropped_subject(game: GameId) -> String {
    format!("canasta.dropped.{}", hex(&game.0))
}

/// Returns what remains of a dropped game.
async fn dropped(journal: &NatsJournal, game: GameId) -> Result<Option<DroppedGame>, ReadError> {
    let told = journal.dropped.last(&dropped_subject(game)).await?;
    told.map(|message| DroppedGame::decode(&message.payload[..]).map_err(unavailable)).transpose()
}

impl NatsJournal {
    /// Returns true if a game was dropped after its verdict. Its id is not used again.
    pub(super) async fn has_dropped(&self, game: GameId) -> Result<bool, ReadError> {
        Ok(dropped(self, game).await?.is_some() || self.archive.has(game).await.map_err(unavailable)?)
    }

    /// Completes the drop of a game behind the message that has closed it. Each step may be repeated.
    pub(super) async fn finish_drop(&self, game: GameId, end: &StreamMessage) -> Result<(), ReadError> {
        let last = self.shard(game).at(end.before).await?;
        let last = last.map(|message| JournalEntry::decode(&message.payload)).transpose();
        let last = last.map_err(|error| ReadError::Damaged { at: At(end.before), error })?;
        let verdict = match &last {
            Some(last) => self.verdicts.last(&queue::verdict_subject(game, Some(&last.head))).await?,
            None => None,
        };
        // Read after the others: without it somebody else has purged the game since, who has told of it.
        let first = entries::first(self, game).await?;
        if let (Some(last), Some(verdict), Some(first)) = (last, verdict, first) {
            let summary = Some(summary_of(game, &first.entry, &last, GameStatus::Archived));
            let kept = queue::kept(&verdict)?;
            let told = DroppedGame { summary, head: kept.head.to_vec(), verdict: kept.bytes };
            let payload = Bytes::from(told.encode_to_vec());
            queue::stored(self.dropped.publish(dropped_subject(game), payload, None).await)?;
        } else if dropped(self, game).await?.is_none() {
            queue::stored(self.dropped.publish(dropped_subject(game), Bytes::new(), None).await)?;
        }
        self.finished.purge_all(&queue::finished_subject(game)).await?;
        self.finished.purge_all(&queue::stuck_subject(game)).await?;
        self.shard(game).purge(&game_subject(game), end.sequence).await?;
        self.verdicts.purge_all(&queue::verdict_subject(game, None)).await
    }
}

/// Leaves an empty message in the place of what remains of a dropped game.
pub async fn forget(journal: &NatsJournal, game: GameId) -> Result<(), ReadError> {
    let subject = dropped_subject(game);
    journal.dropped.purge_all(&subject).await?;
    queue::stored(journal.dropped.publish(subject, Bytes::new(), None).await)
}

/// Returns true if only its id remains of a game: the message of any other dropped game has a summary.
pub async fn was_dropped(journal: &NatsJournal, game: GameId) -> Result<bool, ReadError> {
    Ok(dropped(journal, game).await?.is_some_and(|dropped| dropped.summary.is_none()))
}

fn summary_of(game: GameId, first: &JournalEntry, last: &JournalEntry, status: GameStatus) -> GameSummary {
    let about = GameSummary { game_id: game.0.into(), ..GameSummary::default() };
    let mut summary = RowChange::of(last).after(RowChange::of(first).after(about));
    summary.set_status(status);
    summary
}

pub async fn game(journal: &NatsJournal, game: GameId) -> Result<Option<GameSummary>, ReadError> {
    if let Some(summary) = game_in_shard(journal, game).await? {
        return Ok(Some(summary));
    }
    if let Some(dropped) = dropped(journal, game).await? {
        return Ok(dropped.summary);
    }
    let archived = journal.archive.archived(game).await.map_err(unavailable)?;
    Ok(archived.map(|archived| archived.summary))
}

/// Returns the summary of a game that has entries.
async fn game_in_shard(journal: &NatsJournal, game: GameId) -> Result<Option<GameSummary>, ReadError> {
    let Some(last) = entries::last(journal, game).await? else { return Ok(None) };
    let status = match last.entry.game_over {
        false => GameStatus::Live,
        true => match queue::place(journal, game).await? {
            QueuePlace::Waits => GameStatus::Finished,
            QueuePlace::Stuck => GameStatus::Stuck,
            QueuePlace::Absent => {
                let subject = queue::verdict_subject(game, Some(&last.entry.head));
                let is_judged = journal.verdicts.last(&subject).await?.is_some();
                if is_judged { GameStatus::Judged } else { GameStatus::Finished }
            }
        },
    };
    // Read last: a drop purges the entries before the verdicts, so a game that still has one had its verdict above.
    let first = entries::first(journal, game).await?;
    Ok(first.map(|first| summary_of(game, &first.entry, &last.entry, status)))
}

/// Returns the summaries of the games after this one, of the archive's too.
pub async fn games(
    journal: &NatsJournal,
    after: Option<GameId>,
    max: usize,
) -> Result<Vec<GameSummary>, ReadError> {
    let mut summaries = Vec::new();
    let max = max.min(READ_MAX);
    for id in ids(journal, after, max).await? {
        // A game that was dropped before its first action is listed no more.
        summaries.extend(game(journal, id).await?);
    }
    Ok(summaries)
}

async fn ids(journal: &NatsJournal, after: Option<GameId>, max: usize) -> Result<Vec<GameId>, ReadError> {
    let mut found = BTreeSet::new();
    for byte in after.map_or(0, |game| game.0[0])..=u8::MAX {
        let ids = with_prefix(journal, byte).await?;
        found.extend(ids.into_iter().filter(|id| after.is_none_or(|after| *id > after.0)));
        if found.len() >= max {
            break;
        }
    }
    // Asked second: a game that is dropped meanwhile is in the archive before it leaves its shard.
    let archived = journal.archive.games_after(after, max).await.map_err(unavailable)?;
    found.extend(archived.into_iter().map(|game| game.0));
    Ok(found.into_iter().take(max).map(GameId).collect())
}

/// Returns the ids with entries that begin with this byte.
async fn with_prefix(journal: &NatsJournal, byte: u8) -> Result<Vec<[u8; 16]>, ReadError> {
    listed(journal.shard(GameId([byte; 16])), prefix_subject(byte)).await
}

/// Returns the games of the subjects that a stream has.
async fn listed(stream: &MessageStream, subjects: String) -> Result<Vec<[u8; 16]>, ReadError> {
    let mut found = within(stream.stream().info_with_subjects(subjects)).await?;
    let mut ids = Vec::new();
    while let Some(next) = timeout(ANSWER, found.next()).await.map_err(unavailable)? {
        let (subject, _) = next.map_err(unavailable)?;
        ids.extend(game_of(&subject).map(|game| game.0));
    }
    Ok(ids)
}

/// Returns the verdict on the log with this head; without a head that on the game's end, or else the last one.
pub async fn verdict(
    journal: &NatsJournal,
    game: GameId,
    head: Option<[u8; 32]>,
) -> Result<Option<KeptVerdict>, ReadError> {
    let wanted = match head {
        Some(head) => Some(head),
        None => entries::last(journal, game).await?.map(|last| last.entry.head),
    };
    if let Some(wanted) = &wanted {
        let mut found = journal.verdicts.last(&queue::verdict_subject(game, Some(wanted))).await?;
        if found.is_none() && head.is_none() {
            found = journal.verdicts.last(&queue::verdict_subject(game, None)).await?;
        }
        if let Some(message) = found {
            return queue::kept(&message).map(Some);
        }
    }
    let told = dropped(journal, game).await?.and_then(DroppedGame::kept);
    let kept = match told {
        Some(told) => Some(told),
        None => journal
            .archive
            .archived(game)
            .await
            .map_err(unavailable)?
            .map(|archived| KeptVerdict { head: archived.head, bytes: archived.kept_verdict() }),
    };
    Ok(kept.filter(|kept| head.is_none_or(|head| kept.head == head)))
}

/// Queues every ended game again that has no verdict and is not in the queue. Returns the number of these games.
pub async fn sweep(journal: &NatsJournal) -> Result<u64, ReadError> {
    let mut swept = 0;
    for byte in 0..=u8::MAX {
        for id in with_prefix(journal, byte).await? {
            let game = GameId(id);
            let Some(last) = entries::last(journal, game).await?.filter(|last| last.entry.game_over) else {
                continue;
            };
            let subject = queue::verdict_subject(game, Some(&last.entry.head));
            if queue::place(journal, game).await? == QueuePlace::Absent
                && journal.verdicts.last(&subject).await?.is_none()
            {
                queue::put(journal, game, last.entry.time_ms).await?;
                swept += 1;
            }
        }
    }
    Ok(swept)
}

/// Returns the figures that operators watch. A game with two verdicts is subtracted twice from the number of live games, which
/// is too low then.
pub async fn figures(journal: &NatsJournal) -> Result<JournalFigures, ReadError> {
    let (mut games, mut used_permille) = (0, 0);
    for shard in &journal.shards {
        let info = shard.info().await?;
        games += info.state.subjects_count;
        used_permille = used_permille.max(permille(info.state.bytes, info.config.max_bytes));
    }
    let queue = journal.finished.info().await?.state;
    let stuck = listed(&journal.finished, ALL_STUCK.into()).await?.len() as u64;
    let judged = journal.verdicts.info().await?.state.subjects_count;
    let oldest = journal.finished.next(ALL_FINISHED, 0).await?;
    let since = oldest.map(|message| queue::since_ms(&message)).transpose()?;
    let account = within(journal.context.query_account()).await?;
    used_permille = used_permille.max(permille(account.storage, account.limits.max_storage.unwrap_or(0)));
    let ended = queue.subjects_count + judged;
    let is_unproven = journal.is_unproven.load(Ordering::Relaxed);
    let live = games.saturating_sub(ended);
    Ok(JournalFigures { live, stuck, waiting_since_ms: since, used_permille, is_unproven })
}

/// Returns the used share of what is allowed, in thousandths; 0 without a limit.
fn permille(used: impl TryInto<u64>, allowed: impl TryInto<u64>) -> u16 {
    let (used, allowed) = (used.try_into().unwrap_or(0), allowed.try_into().unwrap_or(0));
    let share = used.saturating_mul(1000).checked_div(allowed).unwrap_or(0);
    u16::try_from(share.min(1000)).unwrap_or(1000)
}
