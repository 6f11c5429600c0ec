//! The places of one kind, and what each caller holds of them.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use slab::Slab;
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use crate::identity::CallerKey;
use crate::outside::lock;

/// Number of callers that an address may count as: one for each link that it shows, and at most this many.
pub const ADDRESS_CALLERS: u64 = 8;

/// Maximum number of requests that wait for places of one kind.
const WAITING_MAX: usize = 64;
/// Time after which a caller that waits for a place asks again, whether one was given back or not.
const ASK_AGAIN: Duration = Duration::from_millis(250);

/// Maximum number of units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShareLimits {
    /// Of all callers together.
    pub all: u64,
    /// Of one address or identity.
    pub party: u64,
    /// Of one caller: a link, an identity, or what an address asks for without a link.
    pub caller: u64,
}

impl ShareLimits {
    /// Returns limits by which one caller may have all.
    pub fn of_all(all: u64) -> Self {
        Self { all, party: all, caller: all }
    }
}

/// The shares of callers in one kind of places; see the module `fairness`.
///
/// While there is room, every caller gets what it asks for, up to the limits of callers and addresses. When there is none,
/// a party (an identity or an address) that would hold no more than its share takes from the parties that hold most: their
/// places that were unused for longest are revoked. A party with several callers counts as so many, up to
/// [`ADDRESS_CALLERS`]; and its callers share in the same way what it may have.
#[derive(Clone)]
pub struct Shares(Arc<SharesState>);

struct SharesState {
    book: Mutex<ShareBook>,
    /// Tells those who wait that units were given back.
    freed: Notify,
    /// The places of those who wait.
    waiting: Semaphore,
}

struct ShareBook {
    limits: ShareLimits,
    used: u64,
    parties: BTreeMap<CallerKey, PartyShare>,
    places: Slab<Entry>,
    /// Number of uses of all places so far, which orders them in time.
    uses: u64,
    revoked: Arc<AtomicU64>,
}

#[derive(Default)]
struct PartyShare {
    used: u64,
    /// Units by caller; never 0.
    callers: BTreeMap<CallerKey, u64>,
}

struct Entry {
    caller: CallerKey,
    units: u64,
    used_at: u64,
    is_revoked: bool,
    /// Whoever waits for the place to be revoked.
    waker: Option<Waker>,
}

impl Shares {
    /// Returns shares with these limits. `revoked` counts places that are revoked.
    pub fn new(limits: ShareLimits, revoked: Arc<AtomicU64>) -> Self {
        let (parties, places) = (BTreeMap::new(), Slab::new());
        let book = Mutex::new(ShareBook { limits, used: 0, parties, places, uses: 0, revoked });
        let waiting = Semaphore::new(WAITING_MAX);
        Self(Arc::new(SharesState { book, freed: Notify::new(), waiting }))
    }

    /// Returns the maximum number of units of one caller.
    pub fn caller_max(&self) -> u64 {
        lock(&self.0.book).limits.caller
    }

    /// Takes a place of so many units, at least one; `None` if the caller has its share, or more than one caller may
    /// have.
    pub fn take(&self, caller: &CallerKey, units: u64) -> Option<SharedPlace> {
        let mut book = lock(&self.0.book);
        book.make_room(caller, units)?;
        let entry = book.insert(caller, units);
        Some(SharedPlace { shares: self.clone(), entry })
    }

    /// Takes a place as [`Self::take`] does, and waits until the caller may have it; `None` if so many wait that another
    /// one would only take memory.
    pub async fn wait(&self, caller: &CallerKey, units: u64) -> Option<SharedPlace> {
        let mut waiter = None;
        loop {
            let freed = self.0.freed.notified();
            if let Some(place) = self.take(caller, units) {
                return Some(place);
            }
            if waiter.is_none() {
                waiter = Some(self.0.waiting.try_acquire().ok()?);
            }
            let _ = timeout(ASK_AGAIN, freed).await;
        }
    }

    /// Takes a place for what is there already, whoever has how much: if there is no room, the parties that hold most lose
    /// theirs.
    pub fn charge(&self, caller: &CallerKey, units: u64) -> SharedPlace {
        let mut book = lock(&self.0.book);
        let entry = book.insert(caller, units);
        book.revoke_excess();
        SharedPlace { shares: self.clone(), entry }
    }

    /// Returns the number of units that are held.
    #[cfg(test)]
    pub fn used(&self) -> u64 {
        lock(&self.0.book).used
    }
}

impl PartyShare {
    /// Returns the number of callers that the party counts as, with another one or without.
    fn weight(&self, more: bool) -> u64 {
        (self.callers.len() as u64 + u64::from(more)).clamp(1, ADDRESS_CALLERS)
    }
}

impl ShareBook {
    /// Makes room for a caller's units; `None` if the caller may not have them.
    fn make_room(&mut self, caller: &CallerKey, units: u64) -> Option<()> {
        let (key, none) = (caller.party(), PartyShare::default());
        let party = self.parties.get(&key).unwrap_or(&none);
        let own = party.callers.get(caller).copied().unwrap_or_default();
        if units > self.limits.all || own.checked_add(units)? > self.limits.caller {
            return None;
        }
        let is_full = self.used + units > self.limits.all;
        let due = if is_full { self.share(&key, party, own == 0, units) } else { self.limits.party };
        let due = due.min(self.limits.party);
        let callers = party.callers.len() as u64 + u64::from(own == 0);
        // Whoever holds nothing may have one place, which it takes from whoever has not used its own for longest.
        let least = if own == 0 { units.min(due) } else { 1 };
        if party.used + units > due && own + units > (due / callers).max(least) {
            return None;
        }
        // Whoever holds most holds more than a share, so it is another caller, and another party.
        while self.parties.get(&key).is_some_and(|party| party.used + units > due) {
            self.revoke_one(Some(&key))?;
        }
        while self.used + units > self.limits.all {
            self.revoke_one(None)?;
        }
        Some(())
    }

    /// Returns the share of a party in a full house. With more callers than units each may have one.
    fn share(&self, key: &CallerKey, party: &PartyShare, is_new: bool, units: u64) -> u64 {
        let weight = party.weight(is_new);
        let others = self.parties.iter().filter(|(other, _)| *other != key);
        let all = weight + others.map(|(_, other)| other.weight(false)).sum::<u64>();
        let least = if party.used == 0 { units } else { 1 };
        (self.limits.all * weight / all).max(least)
    }

    fn insert(&mut self, caller: &CallerKey, units: u64) -> usize {
        self.hold(caller, units);
        self.uses += 1;
        let (caller, used_at) = (caller.clone(), self.uses);
        self.places.insert(Entry { caller, units, used_at, is_revoked: false, waker: None })
    }

    fn hold(&mut self, caller: &CallerKey, units: u64) {
        self.used += units;
        let party = self.parties.entry(caller.party()).or_default();
        party.used += units;
        *party.callers.entry(caller.clone()).or_default() += units;
    }

    fn pass(&mut self, entry: usize, caller: &CallerKey) {
        let Entry { caller: before, units, is_revoked, .. } = &self.places[entry];
        let (before, units) = (before.clone(), *units);
        let held = |party: &PartyShare| party.callers.get(caller).copied().unwrap_or_default();
        let own = self.parties.get(&caller.party()).map_or(0, held);
        if *is_revoked || before == *caller || own + units > self.limits.caller {
            return;
        }
        self.give_back(&before, units);
        self.hold(caller, units);
        self.places[entry].caller = caller.clone();
    }

    fn resize(&mut self, entry: usize, units: u64) {
        let Entry { caller, units: before, is_revoked, .. } = &mut self.places[entry];
        if *is_revoked {
            return;
        }
        let (caller, before) = (caller.clone(), std::mem::replace(before, units));
        self.hold(&caller, units);
        self.give_back(&caller, before);
        self.revoke_excess();
    }

    fn revoke_excess(&mut self) {
        while self.used > self.limits.all && self.revoke_one(None).is_some() {}
    }

    /// Revokes the place that was unused for longest, of those of the caller that holds most: of one party, or of the
    /// parties that hold most for each caller that they count as.
    fn revoke_one(&mut self, of: Option<&CallerKey>) -> Option<()> {
        let party = match of {
            Some(key) => self.parties.get(key)?,
            // A product on either side compares the quotients without a remainder.
            None => self
                .parties
                .values()
                .max_by(|a, b| (a.used * b.weight(false)).cmp(&(b.used * a.weight(false))))?,
        };
        let (caller, _) = party.callers.iter().max_by_key(|(_, units)| **units)?;
        let valid = self.places.iter_mut().filter(|(_, entry)| !entry.is_revoked && entry.caller == *caller);
        let (_, oldest) = valid.min_by_key(|(_, entry)| entry.used_at)?;
        oldest.is_revoked = true;
        let waker = oldest.waker.take();
        let (caller, units) = (oldest.caller.clone(), oldest.units);
        self.give_back(&caller, units);
        self.revoked.fetch_add(1, Ordering::Relaxed);
        waker.into_iter().for_each(Waker::wake);
        Some(())
    }

    fn give_back(&mut self, caller: &CallerKey, units: u64) {
        self.used -= units;
        let key = caller.party();
        let Some(party) = self.parties.get_mut(&key) else { return };
        party.used -= units;
        match party.callers.get_mut(caller) {
            Some(held) if *held > units => *held -= units,
            _ => _ = party.callers.remove(caller),
        }
        if party.callers.is_empty() {
            self.parties.remove(&key);
        }
    }
}

/// A place, which is given back when it is dropped, unless it was revoked before.
pub struct SharedPlace {
    shares: Shares,
    /// Key of the place among the entries of the book.
    entry: usize,
}

impl SharedPlace {
    /// Notes that the place is in use: others are revoked first.
    pub fn touch(&self) {
        let mut book = lock(&self.shares.0.book);
        book.uses += 1;
        book.places[self.entry].used_at = book.uses;
    }

    /// Hands the place to another caller, unless that one has as many as one caller may have.
    pub fn pass_to(&self, caller: &CallerKey) {
        lock(&self.shares.0.book).pass(self.entry, caller);
    }

    /// Sets the number of units, at least one, whoever has how much, as `Shares::charge` does.
    pub fn resize(&self, units: u64) {
        lock(&self.shares.0.book).resize(self.entry, units);
        self.shares.0.freed.notify_one();
    }

    /// Revokes the place, as if another caller needed it.
    pub fn revoke(&self) {
        let mut book = lock(&self.shares.0.book);
        let entry = &mut book.places[self.entry];
        if !std::mem::replace(&mut entry.is_revoked, true) {
            let (caller, units, waker) = (entry.caller.clone(), entry.units, entry.waker.take());
            book.give_back(&caller, units);
            waker.into_iter().for_each(Waker::wake);
        }
    }

    /// Becomes ready when the place is revoked. Only the task that polled last is woken.
    pub fn poll_revoked(&self, cx: &mut Context<'_>) -> Poll<()> {
        let entry = &mut lock(&self.shares.0.book).places[self.entry];
        if entry.is_revoked {
            return Poll::Ready(());
        }
        if !entry.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            entry.waker = Some(cx.waker().clone());
        }
        Poll::Pending
    }

    /// Waits until the place is revoked.
    pub async fn revoked(&self) {
        poll_fn(|cx| self.poll_revoked(cx)).await;
    }

    pub fn is_revoked(&self) -> bool {
        lock(&self.shares.0.book).places[self.entry].is_revoked
    }
}

impl Drop for SharedPlace {
    fn drop(&mut self) {
        let mut book = lock(&self.shares.0.book);
        let entry = book.places.remove(self.entry);
        if !entry.is_revoked {
            book.give_back(&entry.caller, entry.units);
        }
        drop(book);
        self.shares.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests;
