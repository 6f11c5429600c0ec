//! How often one caller may ask: a bucket of tokens each, refilled at a steady rate.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::status::Fault;

/// Most callers that are remembered. Beyond, those whose bucket would be full again are forgotten, which changes
/// nothing; and if there are none, new callers share one bucket.
const CALLERS_MAX: usize = 16_384;

/// The buckets.
pub struct Rates {
    /// Time in which a token comes, in ns.
    a_token: u64,
    /// The same of a full bucket.
    a_bucket: u64,
    began: Instant,
    peers: Mutex<Callers<IpAddr>>,
    names: Mutex<Callers<String>>,
}

/// For each caller, when its bucket will be full, in ns since the beginning: all that a bucket is.
struct Callers<K> {
    full_at: BTreeMap<K, u64>,
    others_full_at: u64,
    swept_at: u64,
}

impl Rates {
    /// `rate` requests a second, `burst` at once.
    pub fn new(rate: u32, burst: u32, began: Instant) -> Self {
        let a_token = 1_000_000_000 / u64::from(rate.max(1));
        let a_bucket = a_token * u64::from(burst.max(1));
        Self { a_token, a_bucket, began, peers: Mutex::default(), names: Mutex::default() }
    }

    /// Takes a token of an address.
    pub fn take_of_peer(&self, peer: IpAddr, now: Instant) -> Result<(), Fault> {
        self.take(&self.peers, &peer, now)
    }

    /// Takes a token of an identity.
    pub fn take_of_name(&self, name: &str, now: Instant) -> Result<(), Fault> {
        self.take(&self.names, name, now)
    }

    /// Whether an address has a token left.
    pub fn has_peer(&self, peer: IpAddr, now: Instant) -> Result<(), Fault> {
        let callers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = callers.full_at.get(&peer).copied().unwrap_or_default();
        self.next(full_at, self.since(now)).map(|_| ())
    }

    fn take<K, Q>(&self, callers: &Mutex<Callers<K>>, caller: &Q, now: Instant) -> Result<(), Fault>
    where
        K: Ord + Borrow<Q>,
        Q: Ord + ToOwned<Owned = K> + ?Sized,
    {
        let now = self.since(now);
        let mut callers = callers.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = callers.of(caller, now, self.a_bucket);
        *full_at = self.next(*full_at, now)?;
        Ok(())
    }

    /// When the bucket will be full after one more token.
    fn next(&self, full_at: u64, now: u64) -> Result<u64, Fault> {
        let next = full_at.max(now) + self.a_token;
        match (next - now).saturating_sub(self.a_bucket) {
            0 => Ok(next),
            missing => Err(Fault::RateLimited(Duration::from_nanos(missing))),
        }
    }

    fn since(&self, now: Instant) -> u64 {
        u64::try_from(now.saturating_duration_since(self.began).as_nanos()).unwrap_or(u64::MAX / 2)
    }
}

impl<K> Default for Callers<K> {
    fn default() -> Self {
        Self { full_at: BTreeMap::new(), others_full_at: 0, swept_at: 0 }
    }
}

impl<K: Ord> Callers<K> {
    fn of<Q>(&mut self, caller: &Q, now: u64, a_bucket: u64) -> &mut u64
    where
        K: Borrow<Q>,
        Q: Ord + ToOwned<Owned = K> + ?Sized,
    {
        let is_known = self.full_at.contains_key(caller);
        // To look through all of them costs; once a bucket's time is enough.
        if !is_known && self.full_at.len() >= CALLERS_MAX && now >= self.swept_at + a_bucket {
            self.full_at.retain(|_, full_at| *full_at > now);
            self.swept_at = now;
        }
        if !is_known && self.full_at.len() >= CALLERS_MAX {
            return &mut self.others_full_at;
        }
        self.full_at.entry(caller.to_owned()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn caller(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(number).into()
    }

    /// 10 a second, 3 at once: a token comes every 100 ms.
    #[test]
    fn a_bucket_empties_and_refills() {
        let began = crate::telemetry::instant();
        let rates = Rates::new(10, 3, began);
        let at = |ms| began + Duration::from_millis(ms);
        for _ in 0..3 {
            assert_eq!(rates.take_of_peer(caller(1), at(0)), Ok(()));
        }
        assert_eq!(rates.take_of_peer(caller(1), at(0)), Err(Fault::RateLimited(Duration::from_millis(100))));
        assert_eq!(rates.take_of_peer(caller(2), at(0)), Ok(()), "another caller has its own");
        assert_eq!(rates.take_of_name("club", at(0)), Ok(()), "and so has an identity");
        assert!(rates.has_peer(caller(1), at(0)).is_err() && rates.has_peer(caller(2), at(0)).is_ok());
        assert_eq!(rates.take_of_peer(caller(1), at(99)), Err(Fault::RateLimited(Duration::from_millis(1))));
        assert_eq!(rates.take_of_peer(caller(1), at(100)), Ok(()));
        assert_eq!(
            rates.take_of_peer(caller(1), at(100)),
            Err(Fault::RateLimited(Duration::from_millis(100)))
        );
        for _ in 0..3 {
            assert_eq!(rates.take_of_peer(caller(1), at(60_000)), Ok(()), "never more than a bucket");
        }
        assert_eq!(
            rates.take_of_peer(caller(1), at(60_000)),
            Err(Fault::RateLimited(Duration::from_millis(100)))
        );
    }

    #[test]
    fn callers_beyond_the_most_share_a_bucket_until_others_are_forgotten() {
        let began = crate::telemetry::instant();
        let rates = Rates::new(1, 2, began);
        let most = CALLERS_MAX as u32;
        // The first sweep is due after a bucket's time: 2 s.
        let at = |seconds| began + Duration::from_secs(seconds);
        for number in 0..most {
            assert_eq!(rates.take_of_peer(caller(number), at(0)), Ok(()));
        }
        assert_eq!(rates.take_of_peer(caller(most), at(0)), Ok(()));
        assert_eq!(rates.take_of_peer(caller(most + 1), at(0)), Ok(()));
        assert!(rates.take_of_peer(caller(most + 2), at(0)).is_err(), "the third of those who share");
        assert_eq!(rates.take_of_peer(caller(0), at(0)), Ok(()), "who is known keeps a bucket");
        for number in 0..3 {
            assert_eq!(rates.take_of_peer(caller(most + number), at(3)), Ok(()), "all were full again");
        }
        assert_eq!(rates.peers.lock().expect("no panic").full_at.len(), 3);
    }
}
