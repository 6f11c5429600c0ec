//! The rate limit per caller: a token bucket for each, refilled at a steady rate.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::status::RequestFault;

/// Maximum number of callers with a bucket of their own. At the maximum, full buckets are dropped, which
/// changes nothing; if none is full, new callers share one bucket.
const CALLERS_MAX: usize = 16_384;

/// The buckets of all callers.
pub struct RateLimiter<K> {
    /// Time until a bucket gains a token, in ns.
    token_ns: u64,
    /// Time until an empty bucket is full, in ns.
    bucket_ns: u64,
    began: Instant,
    buckets: Mutex<Buckets<K>>,
}

/// A bucket is represented by the time at which it will be full, in ns since the limiter began.
struct Buckets<K> {
    full_at: BTreeMap<K, u64>,
    others_full_at: u64,
    swept_at: u64,
}

impl<K: Ord + Clone> RateLimiter<K> {
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

    /// Takes a token from the bucket of a caller.
    pub fn take(&self, caller: &K, now: Instant) -> Result<(), RequestFault> {
        let now = self.since(now);
        let mut buckets = self.lock();
        let full_at = buckets.of(caller, now, self.bucket_ns);
        *full_at = self.next(*full_at, now)?;
        Ok(())
    }

    /// Checks that the bucket of a caller has a token, and leaves the token there.
    pub fn has(&self, caller: &K, now: Instant) -> Result<(), RequestFault> {
        let full_at = self.lock().full_at.get(caller).copied().unwrap_or_default();
        self.next(full_at, self.since(now)).map(|_| ())
    }

    /// Takes `units` tokens from the bucket of a caller, which may owe them. Returns the time until the bucket has a
    /// token again; zero if it has one.
    pub fn charge(&self, caller: &K, units: u32, now: Instant) -> Duration {
        let now = self.since(now);
        let mut buckets = self.lock();
        let full_at = buckets.of(caller, now, self.bucket_ns);
        *full_at = (*full_at).max(now).saturating_add(self.token_ns.saturating_mul(units.into()));
        Duration::from_nanos((*full_at - now).saturating_add(self.token_ns).saturating_sub(self.bucket_ns))
    }

    fn lock(&self) -> MutexGuard<'_, Buckets<K>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the time at which the bucket will be full after one more token is taken; the fault if it has
    /// no token.
    fn next(&self, full_at: u64, now: u64) -> Result<u64, RequestFault> {
        let next = full_at.max(now).saturating_add(self.token_ns);
        match (next - now).saturating_sub(self.bucket_ns) {
            0 => Ok(next),
            missing => Err(RequestFault::RateLimited(Duration::from_nanos(missing))),
        }
    }

    fn since(&self, now: Instant) -> u64 {
        u64::try_from(now.saturating_duration_since(self.began).as_nanos()).unwrap_or(u64::MAX / 2)
    }
}

impl<K: Ord + Clone> Buckets<K> {
    fn of(&mut self, caller: &K, now: u64, bucket_ns: u64) -> &mut u64 {
        let is_known = self.full_at.contains_key(caller);
        // A sweep visits every bucket, so it happens at most once per time in which a bucket fills.
        if !is_known && self.full_at.len() >= CALLERS_MAX && now >= self.swept_at + bucket_ns {
            self.full_at.retain(|_, full_at| *full_at > now);
            self.swept_at = now;
        }
        if !is_known && self.full_at.len() >= CALLERS_MAX {
            return &mut self.others_full_at;
        }
        self.full_at.entry(caller.clone()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Empties and refills a bucket of 3 tokens at 10 requests per second: a token every 100 ms.
    #[test]
    fn a_bucket_empties_and_refills() {
        let began = crate::telemetry::instant();
        let rates = RateLimiter::new(10, 3, began);
        let at = |ms| began + Duration::from_millis(ms);
        for _ in 0..3 {
            assert_eq!(rates.take(&1, at(0)), Ok(()));
        }
        assert_eq!(rates.take(&1, at(0)), Err(RequestFault::RateLimited(Duration::from_millis(100))));
        assert_eq!(rates.take(&2, at(0)), Ok(()), "another caller has its own");
        assert!(rates.has(&1, at(0)).is_err() && rates.has(&2, at(0)).is_ok());
        assert_eq!(rates.take(&1, at(99)), Err(RequestFault::RateLimited(Duration::from_millis(1))));
        assert_eq!(rates.take(&1, at(100)), Ok(()));
        assert_eq!(rates.take(&1, at(100)), Err(RequestFault::RateLimited(Duration::from_millis(100))));
        for _ in 0..3 {
            assert_eq!(rates.take(&1, at(60_000)), Ok(()), "never more than a bucket");
        }
        assert_eq!(rates.take(&1, at(60_000)), Err(RequestFault::RateLimited(Duration::from_millis(100))));
    }

    #[test]
    fn callers_beyond_the_most_share_a_bucket_until_others_are_forgotten() {
        let began = crate::telemetry::instant();
        let rates = RateLimiter::new(1, 2, began);
        let most = CALLERS_MAX as u32;
        // The first sweep is due after the time in which a bucket fills: 2 s.
        let at = |seconds| began + Duration::from_secs(seconds);
        for number in 0..most {
            assert_eq!(rates.take(&number, at(0)), Ok(()));
        }
        assert_eq!(rates.take(&most, at(0)), Ok(()));
        assert_eq!(rates.take(&(most + 1), at(0)), Ok(()));
        assert!(rates.take(&(most + 2), at(0)).is_err(), "the third of those who share");
        assert_eq!(rates.take(&0, at(0)), Ok(()), "who is known keeps a bucket");
        for number in 0..3 {
            assert_eq!(rates.take(&(most + number), at(3)), Ok(()), "all were full again");
        }
        assert_eq!(rates.lock().full_at.len(), 3);
    }

    /// Charges for a batch of 5 where the bucket has 3 tokens: a token comes every 100 ms, so there is one again after
    /// 300 ms.
    #[test]
    fn a_bucket_may_owe_what_was_not_known_before() {
        let began = crate::telemetry::instant();
        let rates = RateLimiter::new(10, 3, began);
        let at = |ms| began + Duration::from_millis(ms);
        assert_eq!(rates.charge(&1, 1, at(0)), Duration::ZERO);
        assert_eq!(rates.charge(&1, 4, at(0)), Duration::from_millis(300));
        assert!(rates.take(&1, at(299)).is_err());
        assert_eq!(rates.take(&1, at(300)), Ok(()));
        assert_eq!(rates.take(&2, at(0)), Ok(()), "another caller owes nothing");
        assert!(rates.charge(&3, u32::MAX, at(0)) > Duration::from_secs(400_000_000));
    }
}
