//! Quotas: a maximum number of places per holder.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of places that each holder has taken.
#[derive(Clone)]
pub struct Quotas<K> {
    held: Arc<Mutex<BTreeMap<K, u16>>>,
    most: u16,
}

impl<K: Ord + Clone> Quotas<K> {
    /// Returns quotas of `most` places per holder. The number of holders is bounded by the places in all,
    /// which the caller limits.
    pub fn new(most: u16) -> Self {
        Self { held: Arc::default(), most }
    }

    /// Takes a place for this holder; `None` if its quota is used up.
    pub fn take(&self, holder: K) -> Option<QuotaPermit<K>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(holder.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(QuotaPermit { held: Arc::clone(&self.held), holder })
    }
}

/// The place of a holder, which is returned when it is dropped.
pub struct QuotaPermit<K: Ord> {
    held: Arc<Mutex<BTreeMap<K, u16>>>,
    holder: K,
}

impl<K: Ord> Drop for QuotaPermit<K> {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        match held.get_mut(&self.holder) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = held.remove(&self.holder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_has_so_many_and_what_is_given_back_leaves_nothing() {
        let quotas = Quotas::new(2);
        let first = quotas.take("one").expect("none is held");
        let _second = quotas.take("one").expect("one is held");
        assert!(quotas.take("one").is_none(), "two are");
        let other = quotas.take("other").expect("another has its own");
        drop(first);
        let third = quotas.take("one").expect("one was given back");
        assert!(quotas.take("one").is_none());
        drop((third, other));
        assert_eq!(*quotas.held.lock().expect("no panic"), BTreeMap::from([("one", 1)]));
    }
}
