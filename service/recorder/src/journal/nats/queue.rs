//! The queue of ended games, and the verdicts.
//!
//! The queue has one message per game, which tells until when the game is leased. Every change is published behind the
//! message that it changes, so of two rivals one wins, whatever their clocks say.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use tonic::async_trait;

use super::NatsJournal;
use super::messages::{StreamMessage, unavailable};
use super::streams::{ALL_FINISHED, ALL_STUCK, ALL_VERDICTS, game_of, head_of};
use crate::entry::JournalEntry;
use crate::journal::{AuditQueue, GameLease, Journal, JournalResult, KeptVerdict, TRIES_MAX};

/// Maximum number of messages of the queue that one look reads. Leased games stand at the end.
const LOOK_MAX: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitingGame {
    /// The time until which the game is leased or not tried again, in ms since 1970.
    pub lease_ms: i64,
    /// When the game ended, in ms since 1970.
    pub since_ms: i64,
    /// Number of failures.
    pub tries: u32,
}

impl WaitingGame {
    fn encode(self) -> Bytes {
        let mut bytes = BytesMut::with_capacity(20);
        bytes.put_i64(self.lease_ms);
        bytes.put_i64(self.since_ms);
        bytes.put_u32(self.tries);
        bytes.freeze()
    }

    pub fn read(message: &StreamMessage) -> JournalResult<Self> {
        let mut bytes = &message.payload[..];
        if bytes.len() != 20 {
            return Err(unavailable(format!("{} has {} bytes, expected 20", message.subject, bytes.len())));
        }
        Ok(Self { lease_ms: bytes.get_i64(), since_ms: bytes.get_i64(), tries: bytes.get_u32() })
    }
}

/// The place of an ended game in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueuePlace {
    /// The game waits, or is being judged.
    Waits,
    /// The audit of the game has failed too often.
    Stuck,
    /// The game is not in the queue.
    Absent,
}

#[async_trait]
impl AuditQueue for NatsJournal {
    async fn lease(&self, now_ms: i64, until_ms: i64) -> JournalResult<Option<GameLease>> {
        let mut from = 0;
        for _ in 0..LOOK_MAX {
            let Some(message) = self.finished.next(ALL_FINISHED, from).await? else { return Ok(None) };
            from = message.sequence + 1;
            let (Some(game), waiting) = (game_of(&message.subject), WaitingGame::read(&message)?) else {
                continue;
            };
            if waiting.lease_ms > now_ms {
                continue;
            }
            if self.last(game).await?.is_none() {
                // It was dropped meanwhile.
                self.finished.purge(&message.subject, message.sequence).await?;
                continue;
            }
            if self.change_waiting(&message, game, WaitingGame { lease_ms: until_ms, ..waiting }).await? {
                return Ok(Some(GameLease { game, until_ms, tries: waiting.tries }));
            }
        }
        Ok(None)
    }

    async fn extend(&self, lease: GameLease, until_ms: i64) -> JournalResult<Option<GameLease>> {
        let Some((message, waiting)) = self.leased(lease).await? else { return Ok(None) };
        let extended = WaitingGame { lease_ms: until_ms, ..waiting };
        let is_ours = self.change_waiting(&message, lease.game, extended).await?;
        Ok(is_ours.then_some(GameLease { until_ms, ..lease }))
    }

    async fn done(&self, game: GameId, verdict: &KeptVerdict, now_ms: i64) -> JournalResult<bool> {
        let place = self.waiting(game).await?;
        let subject = verdict_subject(game, Some(&verdict.head));
        let is_kept = loop {
            let before = self.verdicts.last(&subject).await?;
            if before.is_some() && place.is_none() {
                break false;
            }
            let bytes = before.as_ref().map_or(&verdict.bytes[..], |before| content(before));
            let payload = [&now_ms.to_be_bytes()[..], bytes].concat();
            let expected = before.as_ref().map_or(0, |before| before.sequence);
            if self.verdicts.put_behind(expected, subject.clone(), payload.into()).await? {
                break before.is_none();
            }
        };
        let last = self.last(game).await?;
        if let (Some((message, _)), Some(last)) = (place, last)
            && last.entry.head == verdict.head
        {
            // A ruling since then has put a later message, which stays.
            self.finished.purge(&finished_subject(game), message.sequence).await?;
        }
        Ok(is_kept)
    }

    async fn fail(&self, lease: GameLease, retry_ms: i64) -> JournalResult<()> {
        let Some((message, waiting)) = self.leased(lease).await? else { return Ok(()) };
        let failed = WaitingGame { lease_ms: retry_ms, tries: waiting.tries + 1, ..waiting };
        if failed.tries < TRIES_MAX {
            return self.change_waiting(&message, lease.game, failed).await.map(|_| ());
        }
        self.finished.put(stuck_subject(lease.game), failed.encode()).await?;
        self.finished.purge(&finished_subject(lease.game), message.sequence).await
    }

    async fn verdict(&self, game: GameId, head: Option<[u8; 32]>) -> JournalResult<Option<KeptVerdict>> {
        let wanted = match head {
            Some(head) => Some(head),
            None => self.last(game).await?.map(|last| last.entry.head),
        };
        if let Some(wanted) = &wanted {
            let mut found = self.verdict_message(game, Some(wanted)).await?;
            if found.is_none() && head.is_none() {
                found = self.verdict_message(game, None).await?;
            }
            if let Some(message) = found {
                return kept(&message).map(Some);
            }
        }
        let kept = self.verdict_of_dropped(game).await?;
        Ok(kept.filter(|kept| head.is_none_or(|head| kept.head == head)))
    }

    async fn judged(&self, until_ms: i64, max: usize) -> JournalResult<Vec<GameId>> {
        let mut looked = self.looked.lock().await;
        let (mut from, mut due) = (*looked, Vec::new());
        for _ in 0..LOOK_MAX {
            let next = self.verdicts.next(ALL_VERDICTS, from).await?;
            let Some(message) = next.filter(|message| judged_ms(message) <= until_ms && due.len() < max)
            else {
                from = if due.len() < max { 0 } else { from };
                break;
            };
            from = message.sequence + 1;
            let Some(game) = game_of(&message.subject) else { continue };
            match self.last(game).await? {
                Some(last) if last.entry.head == kept(&message)?.head => {
                    if self.queue_place(game).await? == QueuePlace::Absent {
                        due.push(game);
                    }
                }
                // A later log is not judged yet.
                Some(_) => {}
                // The drop of the game was interrupted behind its entries.
                None => self.verdicts.purge(&verdict_subject(game, None), message.sequence).await?,
            }
        }
        *looked = from;
        Ok(due)
    }

    async fn requeue(&self, game: GameId) -> JournalResult<()> {
        match self.last(game).await? {
            Some(last) if self.queue_place(game).await? == QueuePlace::Absent => {
                self.enqueue(game, last.entry.time_ms).await
            }
            _ => Ok(()),
        }
    }

    async fn sweep(&self) -> JournalResult<u64> {
        let mut swept = 0;
        for byte in 0..=u8::MAX {
            for id in self.ids_with_prefix(byte).await? {
                let game = GameId(id);
                let Some(last) = self.last(game).await?.filter(|last| last.entry.game_over) else {
                    continue;
                };
                let JournalEntry { head, time_ms, .. } = last.entry;
                swept += u64::from(self.enqueue_unjudged(game, &head, time_ms).await?);
            }
        }
        Ok(swept)
    }

    async fn retry(&self) -> JournalResult<u64> {
        let (mut retried, mut from) = (0, 0);
        while let Some(message) = self.finished.next(ALL_STUCK, from).await? {
            from = message.sequence + 1;
            if let Some(game) = game_of(&message.subject) {
                self.enqueue(game, WaitingGame::read(&message)?.since_ms).await?;
                retried += 1;
            }
        }
        Ok(retried)
    }
}

impl NatsJournal {
    /// Puts a game that ended at `since_ms` into the queue, as if it had never been there.
    pub(super) async fn enqueue(&self, game: GameId, since_ms: i64) -> JournalResult<()> {
        let waiting = WaitingGame { lease_ms: 0, since_ms, tries: 0 };
        self.finished.put(finished_subject(game), waiting.encode()).await?;
        self.finished.purge_all(&stuck_subject(game)).await
    }

    /// Puts an ended game into the queue, unless it is there or its log has a verdict. Returns true if the game is put there.
    pub(super) async fn enqueue_unjudged(
        &self,
        game: GameId,
        head: &[u8; 32],
        ended_ms: i64,
    ) -> JournalResult<bool> {
        // The queue first: a game leaves it after it has got its verdict.
        let is_absent = self.queue_place(game).await? == QueuePlace::Absent;
        if !is_absent || self.verdict_message(game, Some(head)).await?.is_some() {
            return Ok(false);
        }
        self.enqueue(game, ended_ms).await.map(|()| true)
    }

    /// Returns the verdict on a log, or the last verdict on a game.
    pub(super) async fn verdict_message(
        &self,
        game: GameId,
        head: Option<&[u8; 32]>,
    ) -> JournalResult<Option<StreamMessage>> {
        self.verdicts.last(&verdict_subject(game, head)).await
    }

    async fn waiting(&self, game: GameId) -> JournalResult<Option<(StreamMessage, WaitingGame)>> {
        let found = self.finished.last(&finished_subject(game)).await?;
        found.map(|message| WaitingGame::read(&message).map(|waiting| (message, waiting))).transpose()
    }

    /// Changes a game's message, if it is still this one. Returns false if a rival has changed it.
    async fn change_waiting(&self, of: &StreamMessage, game: GameId, to: WaitingGame) -> JournalResult<bool> {
        self.finished.put_behind(of.sequence, finished_subject(game), to.encode()).await
    }

    /// Returns a lease's message; `None` if the lease is no longer the last one of its game.
    async fn leased(&self, lease: GameLease) -> JournalResult<Option<(StreamMessage, WaitingGame)>> {
        Ok(self.waiting(lease.game).await?.filter(|(_, waiting)| waiting.lease_ms == lease.until_ms))
    }

    pub(super) async fn queue_place(&self, game: GameId) -> JournalResult<QueuePlace> {
        if self.finished.last(&finished_subject(game)).await?.is_some() {
            return Ok(QueuePlace::Waits);
        }
        let is_stuck = self.finished.last(&stuck_subject(game)).await?.is_some();
        Ok(if is_stuck { QueuePlace::Stuck } else { QueuePlace::Absent })
    }
}

pub fn finished_subject(game: GameId) -> String {
    format!("canasta.finished.{}", hex(&game.0))
}

/// Returns the subject of a game whose audit has failed too often.
pub fn stuck_subject(game: GameId) -> String {
    format!("canasta.stuck.{}", hex(&game.0))
}

/// Returns the subject of the verdict on a log, or of all verdicts on a game.
pub fn verdict_subject(game: GameId, head: Option<&[u8; 32]>) -> String {
    format!("canasta.verdict.{}.{}", hex(&game.0), head.map_or("*".into(), |head| hex(head)))
}

pub fn kept(message: &StreamMessage) -> JournalResult<KeptVerdict> {
    let head = head_of(&message.subject);
    let head = head.ok_or_else(|| unavailable(format!("{} names no head", message.subject)))?;
    Ok(KeptVerdict { head, bytes: content(message).to_vec() })
}

/// Returns a verdict's bytes behind the time at which it was judged.
fn content(message: &StreamMessage) -> &[u8] {
    message.payload.get(8..).unwrap_or_default()
}

fn judged_ms(message: &StreamMessage) -> i64 {
    message.payload.first_chunk().map_or(0, |time| i64::from_be_bytes(*time))
}
