//! Putting marks, following those of other recorders, and holding the journal against them.

use std::collections::BTreeMap;
use std::sync::Arc;

use canasta_engine::hex::hex;
use tokio::time::sleep;

use super::check::{LostGame, LostRecords};
use super::mark::{GAMES_MAX, ShardMark};
use super::place::{MarkFault, MarkPlace};
use super::{CHECK_TICKS, CLOCK_MS, INTERVAL, KEPT, MarkStatus, TAKE_OVER_MS, check};
use crate::archive::{ArchiveFault, digest};
use crate::journal::{At, PlacedEnd};
use crate::outages::{OUTAGE_MS_MIN, Outages};

/// Maximum number of entries that are read at once.
const PAGE: usize = 1024;
/// Maximum number of pages that are read before the next mark.
const PAGES: usize = 64;
/// Number of ticks between two looks at a shard that is refused.
const REFUSED_TICKS: u32 = 5;

/// The marks of one shard, as this recorder knows them.
#[derive(Default)]
struct KnownMarks {
    /// The last mark; one of number 0 if there is none.
    last: ShardMark,
    /// Hash of the last mark.
    previous: [u8; 32],
    /// The position up to which this recorder has read the shard.
    read: At,
    /// The games that changed behind the last mark.
    changed: BTreeMap<[u8; 16], PlacedEnd>,
    /// When this recorder has seen the last mark, in ms since 1970.
    seen_ms: i64,
    /// Whether this recorder has put the last mark.
    is_ours: bool,
    /// Earlier marks whose games are not checked yet: the number of the next one to look at.
    unchecked: Option<u64>,
    /// The records that earlier marks tell of and the journal lacks.
    lost: LostRecords,
    /// Since when the shard cannot be read, in ms since 1970.
    silent_since_ms: Option<i64>,
}

/// Keeps the marks of all shards.
pub struct MarkKeeper {
    place: MarkPlace,
    status: MarkStatus,
    /// `None` as long as the archive does not answer.
    shards: Vec<Option<KnownMarks>>,
    ticks: u32,
}

impl MarkKeeper {
    /// Returns what the marks tell of the journal.
    pub fn status(&self) -> &MarkStatus {
        &self.status
    }

    /// Reads the last marks, and checks that the journal has what they tell.
    ///
    /// An archive that does not answer is asked again later.
    ///
    /// # Errors
    /// If the clock is behind the marks, an object is no mark, or the journal does not answer.
    pub async fn open(place: MarkPlace) -> Result<Self, MarkFault> {
        let mut keeper = Self { place, status: MarkStatus::default(), shards: Vec::new(), ticks: 0 };
        for shard in 0..keeper.place.journal.shards() {
            keeper.shards.push(None);
            match keeper.begin(shard).await {
                Err(MarkFault::Archive(fault @ ArchiveFault::Unavailable(_))) => {
                    tracing::warn!(shard, "the journal is held against its marks later: {fault}");
                }
                begun => begun?,
            }
        }
        Ok(keeper)
    }

    /// Reads the last marks of a shard, and checks that the journal has what they tell.
    async fn begin(&mut self, shard: u16) -> Result<(), MarkFault> {
        let mut known = self.known(shard).await?;
        self.check(&mut known, super::FIRST_MARKS).await?;
        self.shards[usize::from(shard)] = Some(known);
        Ok(())
    }

    async fn known(&self, shard: u16) -> Result<KnownMarks, MarkFault> {
        let now_ms = (self.place.clock)();
        let none = ShardMark { shard, ..ShardMark::default() };
        let mut known = KnownMarks { last: none, seen_ms: now_ms, ..KnownMarks::default() };
        // Without a mark, everything is new.
        let Some(last) = self.place.last(shard).await? else { return Ok(known) };
        let path = ShardMark::path(shard, last);
        let (mark, bytes) = self.place.get(shard, last).await?.ok_or(MarkFault::Foreign { path })?;
        let behind_ms = mark.time_ms.saturating_sub(now_ms);
        if behind_ms > CLOCK_MS {
            return Err(MarkFault::Clock { behind_s: behind_ms / 1_000, shard, mark: last });
        }
        known.unchecked = (!mark.accepts_loss).then(|| last - 1);
        known.adopt(mark, &bytes, now_ms, false);
        Ok(known)
    }

    /// Keeps marks for as long as the program runs. Times during which the journal does not answer are outages.
    pub async fn run(mut self, outages: Arc<Outages>) -> std::convert::Infallible {
        let mut told = None;
        loop {
            sleep(INTERVAL).await;
            self.ticks = self.ticks.wrapping_add(1);
            let mut fault = None;
            for shard in 0..self.place.journal.shards() {
                let ticked = match self.shards[usize::from(shard)].take() {
                    None => self.begin(shard).await,
                    Some(mut known) => {
                        let ticked = self.tick(&mut known, &outages).await;
                        self.shards[usize::from(shard)] = Some(known);
                        ticked
                    }
                };
                fault = ticked.err().or(fault);
            }
            if let Some(fault) = fault.as_ref().filter(|fault| told.as_ref() != Some(*fault)) {
                tracing::warn!("marks wait: {fault}");
            }
            told = fault;
        }
    }

    async fn tick(&self, known: &mut KnownMarks, outages: &Outages) -> Result<(), MarkFault> {
        self.adopt_others(known).await?;
        let is_refused = self.status.loss(known.last.shard).is_some();
        let is_due = self.ticks.is_multiple_of(if is_refused { REFUSED_TICKS } else { CHECK_TICKS });
        if is_due || known.unchecked.is_some() {
            self.check(known, usize::from(!is_due)).await?;
        }
        if is_refused {
            return Ok(());
        }
        self.read(known, outages).await?;
        self.put(known).await
    }

    /// Takes over the marks that other recorders have put.
    async fn adopt_others(&self, known: &mut KnownMarks) -> Result<(), MarkFault> {
        loop {
            let next = known.last.number + 1;
            let Some((mark, bytes)) = self.place.get(known.last.shard, next).await? else { return Ok(()) };
            let path = ShardMark::path(known.last.shard, next);
            if mark.previous != known.previous {
                return Err(MarkFault::Foreign { path });
            }
            known.adopt(mark, &bytes, (self.place.clock)(), false);
            if known.last.accepts_loss {
                tracing::warn!(shard = known.last.shard, "an operator has accepted the loss of records");
                (known.read, known.unchecked, known.lost) =
                    (known.last.position, None, LostRecords::default());
                known.changed.clear();
                self.check(known, 0).await?;
            }
        }
    }

    /// Reads what was stored since the last look.
    async fn read(&self, known: &mut KnownMarks, outages: &Outages) -> Result<(), MarkFault> {
        let now_ms = (self.place.clock)();
        for _ in 0..PAGES {
            if known.changed.len() >= GAMES_MAX {
                break;
            }
            let page = match self.place.journal.follow(known.last.shard, known.read, PAGE).await {
                Ok(page) => page,
                Err(error) => {
                    known.silent_since_ms.get_or_insert(now_ms);
                    return Err(error.into());
                }
            };
            if let Some(since_ms) =
                known.silent_since_ms.take().filter(|since| now_ms - since >= OUTAGE_MS_MIN)
            {
                outages.add(since_ms, now_ms);
            }
            known.read = page.upto;
            for entry in &page.entries {
                known.changed.insert(entry.game.0, entry.end);
            }
            if page.entries.len() < PAGE {
                break;
            }
        }
        Ok(())
    }

    /// Puts the next mark, if it is this recorder's turn.
    async fn put(&self, known: &mut KnownMarks) -> Result<(), MarkFault> {
        let now_ms = (self.place.clock)();
        let waited_ms = now_ms.saturating_sub(known.seen_ms);
        let has_news = known.read > known.last.position;
        self.status.set_behind(known.last.shard, if has_news { waited_ms } else { 0 });
        if !has_news {
            known.seen_ms = now_ms;
            return Ok(());
        }
        if !known.is_ours && waited_ms < TAKE_OVER_MS {
            return Ok(());
        }
        let mark = ShardMark {
            shard: known.last.shard,
            number: known.last.number + 1,
            previous: known.previous,
            time_ms: now_ms,
            position: known.read,
            accepts_loss: false,
            games: known.changed.clone(),
        };
        let bytes = mark.sign(&self.place.keys.signer).into_bytes();
        let path = ShardMark::path(known.last.shard, mark.number);
        if self.place.archive.put(&path, &bytes).await? != bytes {
            // Another recorder was faster: the next look reads its mark.
            return Ok(());
        }
        let number = mark.number;
        known.adopt(mark, &bytes, now_ms, true);
        self.status.set_behind(known.last.shard, 0);
        if number.is_multiple_of(KEPT / 10) { self.prune(known.last.shard, number).await } else { Ok(()) }
    }

    /// Deletes the marks that are no longer kept.
    async fn prune(&self, shard: u16, last: u64) -> Result<(), MarkFault> {
        let old = self.place.archive.list(&ShardMark::folder(shard), None, usize::MAX).await?;
        for path in old.iter().filter(|path| ShardMark::number_of(path).is_some_and(|old| old + KEPT <= last))
        {
            self.place.archive.delete(path).await?;
        }
        Ok(())
    }

    /// Holds the journal against the last mark, and against up to `earlier` marks before it that were not checked yet. A
    /// shard that lacks anything is refused, and served again once a mark accepts the loss or the journal has everything.
    async fn check(&self, known: &mut KnownMarks, earlier: usize) -> Result<(), MarkFault> {
        let journal = &*self.place.journal;
        let mut lost = check::missing(journal, &known.last).await?;
        for _ in 0..earlier {
            let Some(number) = known.unchecked else { break };
            let mark = self.place.get(known.last.shard, number).await?;
            known.unchecked =
                mark.as_ref().and_then(|(mark, _)| number.checked_sub(1).filter(|_| !mark.accepts_loss));
            let Some((mark, _)) = mark else { break };
            known.lost.add(check::missing(journal, &mark).await?);
        }
        lost.add(known.lost.clone());
        if lost.records > 0 && self.status.loss(known.last.shard).is_none() {
            for LostGame { game, n, records } in lost.games.values() {
                tracing::error!(game = hex(&game.0), n, records, "the journal lacks records of the game");
            }
            let (shard, mark) = (known.last.shard, known.last.number);
            tracing::error!(
                shard,
                mark,
                records = lost.records,
                "the journal lacks records that marks tell of: the shard is refused"
            );
        }
        self.status.set_loss(known.last.shard, lost, known.last.number);
        Ok(())
    }
}

impl KnownMarks {
    /// Takes over a mark as the last one.
    fn adopt(&mut self, mark: ShardMark, bytes: &[u8], now_ms: i64, is_ours: bool) {
        self.changed.retain(|_, game| game.at > mark.position);
        (self.previous, self.read) = (digest(bytes), self.read.max(mark.position));
        (self.last, self.seen_ms, self.is_ours) = (mark, now_ms, is_ours);
    }
}
