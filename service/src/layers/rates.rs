//! How often one caller may ask: a bucket of tokens each, refilled at a steady rate.

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
    callers: Mutex<Callers>,
}

/// For each caller, when its bucket will be full, in ns since the beginning: all that a bucket is.
#[derive(Default)]
struct Callers {
    full_at: BTreeMap<IpAddr, u64>,
    others_full_at: u64,
    swept_at: u64,
}

impl Rates {
    /// `rate` requests a second, `burst` at once.
    pub fn new(rate: u32, burst: u32, began: Instant) -> Self {
        let a_token = 1_000_000_000 / u64::from(rate.max(1));
        let a_bucket = a_token * u64::from(burst.max(1));
        Self { a_token, a_bucket, began, callers: Mutex::default() }
    }

    /// Takes a token of this caller's.
    pub fn take(&self, caller: IpAddr, now: Instant) -> Result<(), Fault> {
        let now = u64::try_from(now.saturating_duration_since(self.began).as_nanos()).unwrap_or(u64::MAX);
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = callers.of(caller, now, self.a_bucket);
        let next = (*full_at).max(now) + self.a_token;
        let missing = (next - now).saturating_sub(self.a_bucket);
        if missing > 0 {
            return Err(Fault::RateLimited(Duration::from_nanos(missing)));
        }
        *full_at = next;
        Ok(())
    }
}

impl Callers {
    fn of(&mut self, caller: IpAddr, now: u64, a_bucket: u64) -> &mut u64 {
        let is_full = self.full_at.len() >= CALLERS_MAX && !self.full_at.contains_key(&caller);
        // To look through all of them costs; once a bucket's time is enough.
        if is_full && now >= self.swept_at + a_bucket {
            self.full_at.retain(|_, full_at| *full_at > now);
            self.swept_at = now;
        }
        if is_full && self.full_at.len() >= CALLERS_MAX {
            return &mut self.others_full_at;
        }
        self.full_at.entry(caller).or_default()
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
            assert_eq!(rates.take(caller(1), at(0)), Ok(()));
        }
        assert_eq!(rates.take(caller(1), at(0)), Err(Fault::RateLimited(Duration::from_millis(100))));
        assert_eq!(rates.take(caller(2), at(0)), Ok(()), "another caller has its own");
        assert_eq!(rates.take(caller(1), at(99)), Err(Fault::RateLimited(Duration::from_millis(1))));
        assert_eq!(rates.take(caller(1), at(100)), Ok(()));
        assert_eq!(rates.take(caller(1), at(100)), Err(Fault::RateLimited(Duration::from_millis(100))));
        for _ in 0..3 {
            assert_eq!(rates.take(caller(1), at(60_000)), Ok(()), "never more than a bucket");
        }
        assert_eq!(rates.take(caller(1), at(60_000)), Err(Fault::RateLimited(Duration::from_millis(100))));
    }

    #[test]
    fn callers_beyond_the_most_share_a_bucket_until_others_are_forgotten() {
        let began = crate::telemetry::instant();
        let rates = Rates::new(1, 2, began);
        let most = CALLERS_MAX as u32;
        // The first sweep is due after a bucket's time: 2 s.
        let at = |seconds| began + Duration::from_secs(seconds);
        for number in 0..most {
            assert_eq!(rates.take(caller(number), at(0)), Ok(()));
        }
        assert_eq!(rates.take(caller(most), at(0)), Ok(()));
        assert_eq!(rates.take(caller(most + 1), at(0)), Ok(()));
        assert!(rates.take(caller(most + 2), at(0)).is_err(), "the third of those who share");
        assert_eq!(rates.take(caller(0), at(0)), Ok(()), "who is known keeps a bucket");
        for number in 0..3 {
            assert_eq!(rates.take(caller(most + number), at(3)), Ok(()), "all were full again");
        }
        assert_eq!(rates.callers.lock().expect("no panic").full_at.len(), 3);
    }
}
