//! The rate limit per caller: a token bucket for each, refilled at a steady rate.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use canasta_messages::fault::RequestFault;

use super::shares::ADDRESS_CALLERS;
use crate::OrFault;
use crate::identity::CallerKey;
use crate::outside::lock;

/// Maximum number of callers with a bucket of their own. At the maximum, full buckets are dropped, which
/// changes nothing; if none is full, new callers share one bucket.
const CALLERS_MAX: usize = 16_384;

/// The buckets of all callers. The holder of a link draws on the bucket of the link, from wherever the link is shown, and on
/// that of its address, which has as much as `ADDRESS_CALLERS` links.
pub struct RateLimiter {
    /// Time until a bucket gains a token, in ns.
    token_ns: u64,
    /// Time until an empty bucket is full, in ns.
    bucket_ns: u64,
    began: Instant,
    buckets: Mutex<Buckets>,
}

/// A bucket is represented by the time at which it will be full, in ns since the limiter began.
struct Buckets {
    full_at: BTreeMap<(CallerKey, Scope), u64>,
    others_full_at: u64,
    swept_at: u64,
}

/// The requests that a bucket limits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Caller,
    /// All links that an address shows.
    Links,
}

impl RateLimiter {
    /// Returns a limiter of `rate` requests per second and `burst` requests at once, per caller.
    pub fn new(rate: u32, burst: u32, began: Instant) -> Self {
        Self::of_period(Duration::from_secs(1), rate, burst, began)
    }

    /// Returns a limiter of `rate` requests per `period` and `burst` requests at once, per caller.
    pub fn of_period(period: Duration, rate: u32, burst: u32, began: Instant) -> Self {
        let period_ns = u64::try_from(period.as_nanos()).unwrap_or(u64::MAX / 2);
        let token_ns = period_ns / u64::from(rate.max(1));
        let bucket_ns = token_ns.saturating_mul(burst.max(1).into());
        let buckets = Buckets { full_at: BTreeMap::new(), others_full_at: 0, swept_at: 0 };
        Self { token_ns, bucket_ns, began, buckets: Mutex::new(buckets) }
    }

    /// Takes a token from the buckets of a caller.
    pub fn take(&self, caller: &CallerKey, now: Instant) -> OrFault<()> {
        self.take_units(caller, 1, now)
    }

    /// Takes `units` tokens from the buckets of a caller, or none if one of them has fewer.
    pub fn take_units(&self, caller: &CallerKey, units: u32, now: Instant) -> OrFault<()> {
        let now = self.since(now);
        let mut buckets = lock(&self.buckets);
        for (key, token_ns) in self.keys(caller).into_iter().flatten() {
            let full_at = *buckets.of(&key, now, self.bucket_ns);
            self.missing(Self::after(full_at, token_ns, units, now), now)?;
        }
        for (key, token_ns) in self.keys(caller).into_iter().flatten() {
            let full_at = buckets.of(&key, now, self.bucket_ns);
            *full_at = Self::after(*full_at, token_ns, units, now);
        }
        Ok(())
    }

    /// Checks that the bucket of a caller without a link has a token, and leaves the token there.
    pub fn has(&self, caller: &CallerKey, now: Instant) -> OrFault<()> {
        let full_at =
            lock(&self.buckets).full_at.get(&(caller.clone(), Scope::Caller)).copied().unwrap_or_default();
        let now = self.since(now);
        self.missing(Self::after(full_at, self.token_ns, 1, now), now)
    }

    /// Takes `units` tokens from the buckets of a caller, which may owe them. Returns the time until each has a token
    /// again; zero if it has one.
    pub fn charge(&self, caller: &CallerKey, units: u32, now: Instant) -> Duration {
        let now = self.since(now);
        let mut buckets = lock(&self.buckets);
        let owed = self.keys(caller).into_iter().flatten().map(|(key, token_ns)| {
            let full_at = buckets.of(&key, now, self.bucket_ns);
            *full_at = Self::after(*full_at, token_ns, units, now);
            (*full_at - now).saturating_add(token_ns).saturating_sub(self.bucket_ns)
        });
        Duration::from_nanos(owed.max().unwrap_or_default())
    }

    /// Returns the keys of a caller's buckets, and the time until each gains a token.
    fn keys(&self, caller: &CallerKey) -> [Option<((CallerKey, Scope), u64)>; 2] {
        match caller {
            CallerKey::Link { id, .. } => {
                let everywhere = CallerKey::Link { peer: None, id: *id };
                let of_address = (caller.party(), Scope::Links);
                [
                    Some(((everywhere, Scope::Caller), self.token_ns)),
                    Some((of_address, self.token_ns / ADDRESS_CALLERS)),
                ]
            }
            other => [Some(((other.clone(), Scope::Caller), self.token_ns)), None],
        }
    }

    /// Returns the time at which a bucket will be full after `units` more tokens are taken.
    fn after(full_at: u64, token_ns: u64, units: u32, now: u64) -> u64 {
        full_at.max(now).saturating_add(token_ns.saturating_mul(units.into()))
    }

    /// Checks that a bucket that will be full at this time owes nothing.
    fn missing(&self, full_at: u64, now: u64) -> OrFault<()> {
        match (full_at - now).saturating_sub(self.bucket_ns) {
            0 => Ok(()),
            missing => Err(RequestFault::RateLimited(Duration::from_nanos(missing))),
        }
    }

    fn since(&self, now: Instant) -> u64 {
        u64::try_from(now.saturating_duration_since(self.began).as_nanos()).unwrap_or(u64::MAX / 2)
    }
}

impl Buckets {
    fn of(&mut self, key: &(CallerKey, Scope), now: u64, bucket_ns: u64) -> &mut u64 {
        let is_known = self.full_at.contains_key(key);
        // A sweep visits every bucket, so it happens at most once per time in which a bucket fills.
        if !is_known && self.full_at.len() >= CALLERS_MAX && now >= self.swept_at + bucket_ns {
            self.full_at.retain(|_, full_at| *full_at > now);
            self.swept_at = now;
        }
        if !is_known && self.full_at.len() >= CALLERS_MAX {
            return &mut self.others_full_at;
        }
        self.full_at.entry(key.clone()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(number: u32) -> CallerKey {
        CallerKey::Peer(std::net::Ipv4Addr::from_bits(number).into())
    }

    /// Takes from nine links of one address and one of another, at 10 requests per second and 2 at once: the address has as much as
    /// eight links. A link has no more from a second address.
    #[test]
    fn links_of_one_address_draw_on_its_bucket_too() {
        let began = crate::telemetry::instant();
        let rates = RateLimiter::new(10, 2, began);
        let link = |address: u8, id| CallerKey::Link { peer: Some([10, 0, 0, address].into()), id: [id; 16] };
        for id in 0..8 {
            assert_eq!(rates.take_units(&link(1, id), 2, began), Ok(()), "{id}");
        }
        let missing = Err(RequestFault::RateLimited(Duration::from_nanos(12_500_000)));
        assert_eq!(rates.take(&link(1, 8), began), missing, "a token every 12.5 ms");
        assert_eq!(rates.take(&link(2, 8), began), Ok(()), "it has lost nothing by the refusal");
        assert!(rates.take(&link(2, 0), began).is_err(), "the link's own bucket is empty");
        assert_eq!(rates.charge(&link(1, 9), 1, began), Duration::from_millis(25));
    }

    /// Empties and refills a bucket of 3 tokens at 10 requests per second: a token every 100 ms.
    #[test]
    fn a_bucket_empties_and_refills() {
        let began = crate::telemetry::instant();
        let rates = RateLimiter::new(10, 3, began);
        let at = |ms| began + Duration::from_millis(ms);
        for _ in 0..3 {
            assert_eq!(rates.take(&peer(1), at(0)), Ok(()));
        }
        assert_eq!(rates.take(&peer(1), at(0)), Err(RequestFault::RateLimited(Duration::from_millis(100))));
        assert_eq!(rates.take(&peer(2), at(0)), Ok(()), "another caller has its own");
        assert!(rates.has(&peer(1), at(0)).is_err() && rates.has(&peer(2), at(0)).is_ok());
        assert_eq!(rates.take(&peer(1), at(99)), Err(RequestFault::RateLimited(Duration::from_millis(1))));
        assert_eq!(rates.take(&peer(1), at(100)), Ok(()));
        assert_eq!(rates.take(&peer(1), at(100)), Err(RequestFault::RateLimited(Duration::from_millis(100))));
        for _ in 0..3 {
            assert_eq!(rates.take(&peer(1), at(60_000)), Ok(()), "never more than a bucket");
        }
        assert_eq!(
            rates.take(&peer(1), at(60_000)),
            Err(RequestFault::RateLimited(Duration::from_millis(100)))
        );
    }

    #[test]
    fn callers_beyond_the_most_share_a_bucket_until_others_are_forgotten() {
        let began = crate::telemetry::instant();
        let rates = RateLimiter::new(1, 2, began);
        let most = CALLERS_MAX as u32;
        // The first sweep is due after the time in which a bucket fills: 2 s.
        let at = |seconds| began + Duration::from_secs(seconds);
        for number in 0..most {
            assert_eq!(rates.take(&peer(number), at(0)), Ok(()));
        }
        assert_eq!(rates.take(&peer(most), at(0)), Ok(()));
        assert_eq!(rates.take(&peer(most + 1), at(0)), Ok(()));
        assert!(rates.take(&peer(most + 2), at(0)).is_err(), "the third of those who share");
        assert_eq!(rates.take(&peer(0), at(0)), Ok(()), "who is known keeps a bucket");
        for number in 0..3 {
            assert_eq!(rates.take(&peer(most + number), at(3)), Ok(()), "all were full again");
        }
        assert_eq!(lock(&rates.buckets).full_at.len(), 3);
    }

    /// Charges for a batch of 5 where the bucket has 3 tokens: a token comes every 100 ms, so there is one again after
    /// 300 ms.
    #[test]
    fn a_bucket_may_owe_what_was_not_known_before() {
        let began = crate::telemetry::instant();
        let rates = RateLimiter::new(10, 3, began);
        let at = |ms| began + Duration::from_millis(ms);
        assert_eq!(rates.charge(&peer(1), 1, at(0)), Duration::ZERO);
        assert_eq!(rates.charge(&peer(1), 4, at(0)), Duration::from_millis(300));
        assert!(rates.take(&peer(1), at(299)).is_err());
        assert_eq!(rates.take(&peer(1), at(300)), Ok(()));
        assert_eq!(rates.take(&peer(2), at(0)), Ok(()), "another caller owes nothing");
        assert!(rates.charge(&peer(3), u32::MAX, at(0)) > Duration::from_secs(400_000_000));
    }
}
