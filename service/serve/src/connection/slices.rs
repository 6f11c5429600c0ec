//! Slices of reading: however many connections an address has, and whatever it sends on them, others read in between.
//!
//! hyper reads and executes what a client has sent until the socket is empty, which takes milliseconds per connection of a
//! client that never waits. So a connection reads a slice, and then lets all other tasks have their turn. If several
//! connections of an address have more than a slice, each lets as many turns pass as there are: together they read one slice
//! per round of the scheduler. Whoever is alone goes on at once, so no time is lost.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use crate::outside::lock;

/// Maximum number of bytes in a slice: a dozen small requests, or 150 of the shortest frames.
const SLICE: usize = 2 * 1024;

/// The numbers of connections that have more than a slice, by address.
#[derive(Clone, Default)]
pub struct ReadSlices(Arc<Mutex<BTreeMap<IpAddr, Arc<AtomicU32>>>>);

impl ReadSlices {
    pub fn join(&self, peer: IpAddr) -> ReadSlice {
        let busy = Arc::clone(lock(&self.0).entry(peer).or_default());
        ReadSlice { all: self.clone(), peer, busy, is_busy: false, left: SLICE, turns: 0 }
    }
}

pub struct ReadSlice {
    all: ReadSlices,
    peer: IpAddr,
    /// Number of connections of the address that have more than a slice.
    busy: Arc<AtomicU32>,
    is_busy: bool,
    /// Number of bytes left in the slice.
    left: usize,
    /// Number of turns to let pass.
    turns: u32,
}

impl ReadSlice {
    /// Returns the number of bytes that may be read now; `None` if other tasks must have their turn before.
    pub fn left(&mut self) -> Option<usize> {
        if self.left == 0 {
            self.left = SLICE;
            self.set_busy(true);
            self.turns = self.busy.load(Ordering::Relaxed);
        }
        if self.turns > 0 {
            self.turns -= 1;
            return None;
        }
        Some(self.left)
    }

    pub fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// Notes that the client has sent nothing more: a new slice begins.
    pub fn wait(&mut self) {
        self.left = SLICE;
        self.set_busy(false);
    }

    fn set_busy(&mut self, is_busy: bool) {
        match (self.is_busy, is_busy) {
            (false, true) => self.busy.fetch_add(1, Ordering::Relaxed),
            (true, false) => self.busy.fetch_sub(1, Ordering::Relaxed),
            _ => return,
        };
        self.is_busy = is_busy;
    }
}

impl Drop for ReadSlice {
    fn drop(&mut self) {
        self.set_busy(false);
        let mut all = lock(&self.all.0);
        // The map's and this one.
        if Arc::strong_count(&self.busy) == 2 {
            all.remove(&self.peer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the slices that each connection reads in some rounds, if all always have more.
    fn read(connections: &mut [ReadSlice], rounds: usize) -> Vec<usize> {
        let mut read = vec![0; connections.len()];
        for _ in 0..rounds {
            for (connection, read) in connections.iter_mut().zip(&mut read) {
                while let Some(bytes) = connection.left() {
                    connection.spend(bytes);
                    *read += 1;
                }
            }
        }
        read
    }

    #[test]
    fn the_connections_of_an_address_share_one_slice_per_round() {
        let (all, one, other) =
            (ReadSlices::default(), IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        for count in [1, 2, 4, 32] {
            let mut connections: Vec<_> = (0..count).map(|_| all.join(one)).collect();
            connections.push(all.join(other));
            read(&mut connections, 100);
            let found = read(&mut connections, 100 * count);
            let together: usize = found[..count].iter().sum();
            assert!((95 * count..=105 * count).contains(&together), "{count}: {found:?}");
            assert!(found[..count].iter().all(|slices| (90..=110).contains(slices)), "{count}: {found:?}");
            assert!(found[count] >= 95 * count, "{count}: {found:?}");
        }
        assert!(lock(&all.0).is_empty(), "nothing is kept of who has gone");
    }

    #[test]
    fn whoever_waits_for_answers_never_waits_for_a_turn() {
        let all = ReadSlices::default();
        let (mut busy, mut good) = (all.join(IpAddr::from([1; 4])), all.join(IpAddr::from([1; 4])));
        for _ in 0..100 {
            busy.left().into_iter().for_each(|bytes| busy.spend(bytes));
            assert_eq!(good.left(), Some(SLICE));
            good.spend(200);
            good.wait();
        }
    }
}
