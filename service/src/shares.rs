//! Shares of what all have in common: so many places a holder, and no more.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Who holds how many.
#[derive(Clone)]
pub struct Shares<K> {
    held: Arc<Mutex<BTreeMap<K, u16>>>,
    most: u16,
}

impl<K: Ord + Clone> Shares<K> {
    /// `most` for each holder. Of holders there are never more than places in all, which somebody else bounds.
    pub fn new(most: u16) -> Self {
        Self { held: Arc::default(), most }
    }

    /// One more for this holder; `None` if it has as many as it may have.
    pub fn take(&self, holder: K) -> Option<Share<K>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(holder.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Share { held: Arc::clone(&self.held), holder })
    }
}

/// One that is given back when it is dropped.
pub struct Share<K: Ord> {
    held: Arc<Mutex<BTreeMap<K, u16>>>,
    holder: K,
}

impl<K: Ord> Drop for Share<K> {
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
        let shares = Shares::new(2);
        let first = shares.take("one").expect("none is held");
        let _second = shares.take("one").expect("one is held");
        assert!(shares.take("one").is_none(), "two are");
        let other = shares.take("other").expect("another has its own");
        drop(first);
        let third = shares.take("one").expect("one was given back");
        assert!(shares.take("one").is_none());
        drop((third, other));
        assert_eq!(*shares.held.lock().expect("no panic"), BTreeMap::from([("one", 1)]));
    }
}
