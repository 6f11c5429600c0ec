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
use tonic::async_trait;

use super::NatsJournal;
use super::messages::{ANSWER, MessageStream, StreamMessage, unavailable, within};
use super::queue::{self, QueuePlace, WaitingGame};
use super::streams::{ALL_FINISHED, ALL_STUCK, game_of, game_subject, prefix_subject};
use crate::entry::JournalEntry;
use crate::journal::row::RowChange;
use crate::journal::{
    At, GameList, Journal, JournalFigures, JournalResult, KeptVerdict, PlacedEntry, READ_MAX,
};

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

impl NatsJournal {
    /// Returns true if a game was dropped after its verdict. Its id is not used again.
    pub(super) async fn has_dropped(&self, game: GameId) -> JournalResult<bool> {
        Ok(self.dropped_game(game).await?.is_some() || self.archive.has(game).await.map_err(unavailable)?)
    }

    /// Completes the drop of a game behind the message that has closed it. Each step may be repeated.
    pub(super) async fn finish_drop(&self, game: GameId, end: &StreamMessage) -> JournalResult<()> {
        let last = self.shard(game).at(end.before).await?;
        let last = last.map(|last| PlacedEntry::decode(At(end.before), &last.payload)).transpose()?;
        let verdict = match &last {
            Some(last) => self.verdict_message(game, Some(&last.entry.head)).await?,
            None => None,
        };
        // Read after the others: without it somebody else has purged the game since, who has told of it.
        let first = self.first_entry(game).await?;
        if let (Some(last), Some(verdict), Some(first)) = (last, verdict, first) {
            let summary = Some(summary_of(game, &first.entry, &last.entry, GameStatus::Archived));
            let kept = queue::kept(&verdict)?;
            let told = DroppedGame { summary, head: kept.head.to_vec(), verdict: kept.bytes };
            let payload = Bytes::from(told.encode_to_vec());
            self.dropped.put(dropped_subject(game), payload).await?;
        } else if self.dropped_game(game).await?.is_none() {
            self.dropped.put(dropped_subject(game), Bytes::new()).await?;
        }
        self.finished.purge_all(&queue::finished_subject(game)).await?;
        self.finished.purge_all(&queue::stuck_subject(game)).await?;
        self.shard(game).purge(&game_subject(game), end.sequence).await?;
        self.verdicts.purge_all(&queue::verdict_subject(game, None)).await
    }
}

#[async_trait]
impl GameList for NatsJournal {
    async fn game(&self, game: GameId) -> JournalResult<Option<GameSummary>> {
        if let Some(summary) = self.game_in_shard(game).await? {
            return Ok(Some(summary));
        }
        if let Some(dropped) = self.dropped_game(game).await? {
            return Ok(dropped.summary);
        }
        let archived = self.archive.archived(game).await.map_err(unavailable)?;
        Ok(archived.map(|archived| archived.summary))
    }

    async fn games(&self, mut after: Option<GameId>, max: usize) -> JournalResult<Vec<GameSummary>> {
        let mut summaries = Vec::new();
        let max = max.min(READ_MAX);
        while summaries.len() < max {
            let wanted = max - summaries.len();
            let ids = self.ids_after(after, wanted).await?;
            for id in &ids {
                // A game that was dropped before its first action is listed no more.
                summaries.extend(self.game(*id).await?);
            }
            if ids.len() < wanted {
                break;
            }
            after = ids.last().copied();
        }
        Ok(summaries)
    }

    async fn figures(&self) -> JournalResult<JournalFigures> {
        let (mut games, mut used_permille) = (0, 0);
        for shard in &self.shards {
            let info = shard.info().await?;
            games += info.state.subjects_count;
            used_permille = used_permille.max(permille(info.state.bytes, info.config.max_bytes));
        }
        let queue = self.finished.info().await?.state;
        let stuck = listed(&self.finished, ALL_STUCK.into()).await?.len() as u64;
        let judged = self.verdicts.info().await?.state.subjects_count;
        let oldest = self.finished.next(ALL_FINISHED, 0).await?;
        let since = oldest.as_ref().map(WaitingGame::read).transpose()?.map(|oldest| oldest.since_ms);
        let account = within(self.context.query_account()).await?;
        used_permille = used_permille.max(permille(account.storage, account.limits.max_storage.unwrap_or(0)));
        let ended = queue.subjects_count + judged;
        let is_unproven = self.is_unproven.load(Ordering::Relaxed);
        let live = games.saturating_sub(ended);
        Ok(JournalFigures { live, stuck, waiting_since_ms: since, used_permille, is_unproven })
    }

    async fn drop(&self, game: GameId, upto: At) -> JournalResult<bool> {
        let Some(last) = self.last(game).await? else { return Ok(true) };
        if last.at > upto {
            return Ok(false);
        }
        let subject = game_subject(game);
        if !self.shard(game).put_behind(last.at.0, subject.clone(), Bytes::new()).await? {
            // A rival has closed the game, or there is a later entry.
            return Ok(self.last(game).await?.is_none());
        }
        let end = self.shard(game).last(&subject).await?;
        if let Some(end) = end.filter(|end| end.payload.is_empty()) {
            self.finish_drop(game, &end).await?;
        }
        Ok(true)
    }

    async fn forget(&self, game: GameId) -> JournalResult<()> {
        let subject = dropped_subject(game);
        self.dropped.purge_all(&subject).await?;
        self.dropped.put(subject, Bytes::new()).await
    }

    async fn was_dropped(&self, game: GameId) -> JournalResult<bool> {
        Ok(self.dropped_game(game).await?.is_some_and(|dropped| dropped.summary.is_none()))
    }
}

impl NatsJournal {
    /// Returns what remains of a dropped game.
    async fn dropped_game(&self, game: GameId) -> JournalResult<Option<DroppedGame>> {
        let told = self.dropped.last(&dropped_subject(game)).await?;
        told.map(|message| DroppedGame::decode(&message.payload[..]).map_err(unavailable)).transpose()
    }

    /// Returns the last verdict on a game that has no entries.
    pub(super) async fn verdict_of_dropped(&self, game: GameId) -> JournalResult<Option<KeptVerdict>> {
        if let Some(DroppedGame { head, verdict: bytes, .. }) = self.dropped_game(game).await?
            && let Ok(head) = head.try_into()
        {
            return Ok(Some(KeptVerdict { head, bytes }));
        }
        let archived = self.archive.archived(game).await.map_err(unavailable)?;
        Ok(archived.map(|archived| KeptVerdict { head: archived.head, bytes: archived.kept_verdict() }))
    }

    /// Returns the summary of a game that has entries.
    async fn game_in_shard(&self, game: GameId) -> JournalResult<Option<GameSummary>> {
        let Some(last) = self.last(game).await? else { return Ok(None) };
        let status = match last.entry.game_over {
            false => GameStatus::Live,
            true => match self.queue_place(game).await? {
                QueuePlace::Waits => GameStatus::Finished,
                QueuePlace::Stuck => GameStatus::Stuck,
                QueuePlace::Absent => {
                    let is_judged = self.verdict_message(game, Some(&last.entry.head)).await?.is_some();
                    if is_judged { GameStatus::Judged } else { GameStatus::Finished }
                }
            },
        };
        // Read last: a drop purges the entries before the verdicts, so a game that still has one had its verdict above.
        let first = self.first_entry(game).await?;
        Ok(first.map(|first| summary_of(game, &first.entry, &last.entry, status)))
    }

    async fn ids_after(&self, after: Option<GameId>, max: usize) -> JournalResult<Vec<GameId>> {
        let mut found = BTreeSet::new();
        for byte in after.map_or(0, |game| game.0[0])..=u8::MAX {
            let ids = self.ids_with_prefix(byte).await?;
            found.extend(ids.into_iter().filter(|id| after.is_none_or(|after| *id > after.0)));
            if found.len() >= max {
                break;
            }
        }
        // Asked second: a game that is dropped meanwhile is in the archive before it leaves its shard.
        let archived = self.archive.games_after(after, max).await.map_err(unavailable)?;
        found.extend(archived.into_iter().map(|game| game.0));
        Ok(found.into_iter().take(max).map(GameId).collect())
    }

    /// Returns the ids with entries that begin with this byte.
    pub(super) async fn ids_with_prefix(&self, byte: u8) -> JournalResult<Vec<[u8; 16]>> {
        listed(self.shard(GameId([byte; 16])), prefix_subject(byte)).await
    }
}

fn dropped_subject(game: GameId) -> String {
    format!("canasta.dropped.{}", hex(&game.0))
}

fn summary_of(game: GameId, first: &JournalEntry, last: &JournalEntry, status: GameStatus) -> GameSummary {
    let about = GameSummary { game_id: game.0.into(), ..GameSummary::default() };
    let mut summary = RowChange::of(last).after(RowChange::of(first).after(about));
    summary.set_status(status);
    summary
}

async fn listed(stream: &MessageStream, subjects: String) -> JournalResult<Vec<[u8; 16]>> {
    let mut found = within(stream.stream().info_with_subjects(subjects)).await?;
    let mut ids = Vec::new();
    while let Some(next) = timeout(ANSWER, found.next()).await.map_err(unavailable)? {
        let (subject, _) = next.map_err(unavailable)?;
        ids.extend(game_of(&subject).map(|game| game.0));
    }
    Ok(ids)
}

/// Returns the used share of what is allowed, in thousandths; 0 without a limit.
fn permille(used: impl TryInto<u64>, allowed: impl TryInto<u64>) -> u16 {
    let (used, allowed) = (used.try_into().unwrap_or(0), allowed.try_into().unwrap_or(0));
    let share = used.saturating_mul(1000).checked_div(allowed).unwrap_or(0);
    u16::try_from(share.min(1000)).unwrap_or(1000)
}
