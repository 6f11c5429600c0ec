//! The places of one kind, and what each caller holds of them.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use slab::Slab;

/// The shares of callers in one kind of places; see the module `fairness`.
///
/// While there is room, every caller gets what it asks for. When there is none, a caller that would hold no more than
/// its share, which is the capacity divided by the number of callers, takes from the callers that hold most: their
/// places that were unused for longest are revoked.
#[derive(Clone)]
pub struct Shares<K>(Arc<Mutex<ShareBook<K>>>);

struct ShareBook<K> {
    /// Maximum of all callers together, in units.
    capacity: u64,
    /// Maximum of one caller, in units.
    caller_max: u64,
    used: u64,
    /// Units by caller; never 0.
    held: BTreeMap<K, u64>,
    places: Slab<Entry<K>>,
    /// Number of uses of all places so far, which orders them in time.
    uses: u64,
    revoked: Arc<AtomicU64>,
}

struct Entry<K> {
    caller: K,
    units: u64,
    /// Number of the last use.
    used_at: u64,
    is_revoked: bool,
    /// Whoever waits for the place to be revoked.
    waker: Option<Waker>,
}

impl<K: Ord + Clone> Shares<K> {
    /// Returns shares of `capacity` units, of which one caller may have all. `revoked` counts places that are revoked.
    pub fn new(capacity: u64, revoked: Arc<AtomicU64>) -> Self {
        Self::with_caller_max(capacity, capacity, revoked)
    }

    /// Returns shares of `capacity` units, of which one caller may have at most `caller_max`. `revoked` counts places
    /// that are revoked.
    pub fn with_caller_max(capacity: u64, caller_max: u64, revoked: Arc<AtomicU64>) -> Self {
        let (held, places) = (BTreeMap::new(), Slab::new());
        let book = ShareBook { capacity, caller_max, used: 0, held, places, uses: 0, revoked };
        Self(Arc::new(Mutex::new(book)))
    }

    /// Takes a place of one unit.
    pub fn take(&self, caller: &K) -> Option<SharedPlace<K>> {
        self.take_units(caller, 1)
    }

    /// Takes a place of so many units, at least one; `None` if the caller has its share, or more than one caller may
    /// have.
    pub fn take_units(&self, caller: &K, units: u64) -> Option<SharedPlace<K>> {
        let entry = lock(&self.0).take(caller, units)?;
        Some(SharedPlace { book: Arc::clone(&self.0), entry })
    }

    /// Returns the number of units that are held.
    #[cfg(test)]
    pub fn used(&self) -> u64 {
        lock(&self.0).used
    }
}

impl<K: Ord + Clone> ShareBook<K> {
    fn take(&mut self, caller: &K, units: u64) -> Option<usize> {
        let own = self.held.get(caller).copied().unwrap_or_default();
        let is_full = self.used.checked_add(units)? > self.capacity;
        let max = if is_full { self.share(own).min(self.caller_max) } else { self.caller_max };
        if own + units > max {
            return None;
        }
        // Whoever holds most holds more than a share, so it is another caller.
        while self.used + units > self.capacity {
            self.revoke_one()?;
        }
        self.used += units;
        *self.held.entry(caller.clone()).or_default() += units;
        self.uses += 1;
        let entry =
            Entry { caller: caller.clone(), units, used_at: self.uses, is_revoked: false, waker: None };
        Some(self.places.insert(entry))
    }

    fn pass(&mut self, entry: usize, caller: &K) {
        let Entry { caller: before, units, is_revoked, .. } = &self.places[entry];
        let (before, units) = (before.clone(), *units);
        let own = self.held.get(caller).copied().unwrap_or_default();
        if *is_revoked || before == *caller || own + units > self.caller_max {
            return;
        }
        self.give_back(&before, units);
        self.used += units;
        *self.held.entry(caller.clone()).or_default() += units;
        self.places[entry].caller = caller.clone();
    }

    /// Returns the share of each caller, that of the caller who asks included, which holds `own`. With more callers
    /// than units each may have one, which it takes from whoever has not used its own for longest.
    fn share(&self, own: u64) -> u64 {
        let callers = self.held.len() as u64 + u64::from(own == 0);
        (self.capacity / callers).max(1)
    }

    /// Revokes the place that was unused for longest, of those of the callers that hold most.
    fn revoke_one(&mut self) -> Option<()> {
        let most = self.held.values().copied().max()?;
        let of_largest =
            self.places.iter_mut().filter(|(_, entry)| self.held.get(&entry.caller) == Some(&most));
        let valid = of_largest.filter(|(_, entry)| !entry.is_revoked);
        let (_, oldest) = valid.min_by_key(|(_, entry)| entry.used_at)?;
        oldest.is_revoked = true;
        let waker = oldest.waker.take();
        let (caller, units) = (oldest.caller.clone(), oldest.units);
        self.give_back(&caller, units);
        self.revoked.fetch_add(1, Ordering::Relaxed);
        waker.into_iter().for_each(Waker::wake);
        Some(())
    }

    fn give_back(&mut self, caller: &K, units: u64) {
        self.used -= units;
        match self.held.get_mut(caller) {
            Some(held) if *held > units => *held -= units,
            _ => _ = self.held.remove(caller),
        }
    }
}

/// A place, which is given back when it is dropped, unless it was revoked before.
pub struct SharedPlace<K: Ord + Clone> {
    book: Arc<Mutex<ShareBook<K>>>,
    /// Key of the place among the entries of the book.
    entry: usize,
}

impl<K: Ord + Clone> SharedPlace<K> {
    /// Notes that the place is in use: others are revoked first.
    pub fn touch(&self) {
        let mut book = lock(&self.book);
        book.uses += 1;
        book.places[self.entry].used_at = book.uses;
    }

    /// Hands the place to another caller, unless that one has as many as one caller may have.
    pub fn pass_to(&self, caller: &K) {
        lock(&self.book).pass(self.entry, caller);
    }

    /// Becomes ready when the place is revoked. Only the task that polled last is woken.
    pub fn poll_revoked(&self, cx: &mut Context<'_>) -> Poll<()> {
        let entry = &mut lock(&self.book).places[self.entry];
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

    /// Whether the place was revoked.
    pub fn is_revoked(&self) -> bool {
        lock(&self.book).places[self.entry].is_revoked
    }
}

impl<K: Ord + Clone> Drop for SharedPlace<K> {
    fn drop(&mut self) {
        let mut book = lock(&self.book);
        let entry = book.places.remove(self.entry);
        if !entry.is_revoked {
            book.give_back(&entry.caller, entry.units);
        }
    }
}

fn lock<K>(book: &Mutex<ShareBook<K>>) -> MutexGuard<'_, ShareBook<K>> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn take(shares: &Shares<u8>, caller: u8, count: usize) -> Vec<SharedPlace<u8>> {
        (0..count).map_while(|_| shares.take(&caller)).collect()
    }

    fn valid(places: &[SharedPlace<u8>]) -> usize {
        places.iter().filter(|place| !place.is_revoked()).count()
    }

    #[test]
    fn one_caller_may_have_all_until_others_ask() {
        let revoked = Arc::<AtomicU64>::default();
        let shares = Shares::new(12, Arc::clone(&revoked));
        let first = take(&shares, 1, 20);
        assert_eq!(valid(&first), 12);
        let second = take(&shares, 2, 20);
        assert_eq!((valid(&first), valid(&second)), (6, 6), "halves");
        let third = take(&shares, 3, 20);
        assert_eq!((valid(&first), valid(&second), valid(&third)), (4, 4, 4), "thirds");
        assert!(shares.take(&1).is_none(), "everybody has a share");
        drop(second);
        assert_eq!(take(&shares, 1, 20).len(), 4, "there is room again");
        assert_eq!(revoked.load(Ordering::Relaxed), 6 + 4);
    }

    #[test]
    fn the_place_that_was_unused_for_longest_goes_first() {
        let shares = Shares::new(3, Arc::default());
        let places = take(&shares, 1, 3);
        places[0].touch();
        let _other = shares.take(&2).expect("below its share");
        let revoked: Vec<_> = places.iter().map(SharedPlace::is_revoked).collect();
        assert_eq!(revoked, [false, true, false]);
    }

    #[test]
    fn a_revoked_place_gives_nothing_back_and_wakes_who_waits() {
        let shares = Shares::new(1, Arc::default());
        let first = shares.take(&1).expect("there is room");
        let mut cx = Context::from_waker(Waker::noop());
        assert_eq!(first.poll_revoked(&mut cx), Poll::Pending);
        let second = shares.take(&2).expect("one each: in turns");
        assert_eq!(first.poll_revoked(&mut cx), Poll::Ready(()));
        drop(first);
        assert!(shares.take(&2).is_none(), "the place is the second caller's");
        drop(second);
        assert!(shares.take(&2).is_some());
    }

    #[test]
    fn a_place_has_units_and_a_caller_a_maximum() {
        let shares = Shares::with_caller_max(100, 60, Arc::default());
        let first = shares.take_units(&1, 50).expect("there is room");
        assert!(shares.take_units(&1, 11).is_none(), "more than one caller may have");
        assert!(shares.take_units(&2, 51).is_none(), "more than its share");
        let second = shares.take_units(&2, 40).expect("there is room");
        let third = shares.take_units(&3, 33).expect("a third");
        assert_eq!([&first, &second, &third].map(SharedPlace::is_revoked), [true, false, false]);
        assert!(shares.take_units(&4, u64::MAX).is_none());
    }

    #[test]
    fn a_place_is_passed_on_within_the_maximum() {
        let shares = Shares::with_caller_max(10, 2, Arc::default());
        let places = take(&shares, 1, 3);
        assert_eq!(places.len(), 2);
        places.iter().for_each(|place| place.pass_to(&2));
        let more = take(&shares, 1, 3);
        assert_eq!((more.len(), shares.used()), (2, 4), "the first caller has none of the others");
        more[0].pass_to(&2);
        assert!(shares.take(&1).is_none(), "the second caller has all that it may have");
        drop(places);
        assert_eq!(take(&shares, 2, 3).len(), 2, "they were the second caller's");
    }

    proptest! {
        /// Checks what shares promise after any sequence of takes, uses and returns: never more than its capacity
        /// is held, and a caller that asks for a place within its share gets it.
        #[test]
        fn shares_hold_in_every_sequence(
            capacity in 1_u64..20,
            steps in prop::collection::vec((0_u8..6, 0_u8..4, 1_u64..4), 0..200),
        ) {
            let shares = Shares::new(capacity, Arc::default());
            let mut places: Vec<(u8, u64, SharedPlace<u8>)> = Vec::new();
            for (caller, step, units) in steps {
                let held = |who: u8| places.iter().filter(|(other, _, place)| *other == who && !place.is_revoked())
                    .map(|(_, units, _)| units).sum::<u64>();
                match step {
                    0 if !places.is_empty() => drop(places.remove(usize::from(caller) % places.len())),
                    1 if !places.is_empty() => places[usize::from(caller) % places.len()].2.touch(),
                    _ => {
                        let callers = (0..6).filter(|&who| who == caller || held(who) > 0).count() as u64;
                        let is_due = held(caller) + units <= (capacity / callers).max(1);
                        let taken = shares.take_units(&caller, units);
                        prop_assert!(taken.is_some() || !is_due);
                        places.extend(taken.map(|place| (caller, units, place)));
                    }
                }
                let used: u64 = places.iter().filter(|(.., place)| !place.is_revoked()).map(|(_, units, _)| units).sum();
                prop_assert!(used <= capacity);
                prop_assert_eq!(used, shares.used());
            }
        }
    }
}
