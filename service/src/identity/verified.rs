//! Tokens that were verified already: a signature takes longer to check than most questions take to answer.
//!
//! Part of the identities, so that nothing of it outlives a change of their file. Only good tokens are in it: who shows
//! bad ones can neither fill it nor learn from it, and an answer that comes sooner tells the bearer of a good one
//! that it was shown here before. It is found by its digest: how long the search takes says nothing of other tokens.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::Identity;

/// Most bytes of the tokens of a generation, each with what it takes besides. There are two: some thousand tokens of
/// ordinary length. What they say takes up no more memory than they do.
const GENERATION_MAX: usize = 2 << 20;
/// What a token takes besides its own length.
const OVERHEAD: usize = 256;

type Key = [u8; 32];

/// See the module.
#[derive(Debug, Default)]
pub struct Verified(Mutex<Generations>);

/// What is shown moves to the new generation; when that is full, what is left in the old one is forgotten.
#[derive(Debug, Default)]
struct Generations {
    new: BTreeMap<Key, Arc<Identity>>,
    old: BTreeMap<Key, Arc<Identity>>,
    new_bytes: usize,
}

impl Verified {
    /// Who shows this token: known from before, if its time is not over; else by `verify`.
    pub fn identity<E>(
        &self,
        token: &str,
        now_ms: i64,
        verify: impl FnOnce() -> Result<Identity, E>,
    ) -> Result<Arc<Identity>, E> {
        let key: Key = Sha256::digest(token).into();
        if let Some(identity) = self.lock().find(key, token.len())
            && identity.until_ms.is_some_and(|until| now_ms < until)
        {
            return Ok(identity);
        }
        let identity = Arc::new(verify()?);
        self.lock().put(key, Arc::clone(&identity), token.len());
        Ok(identity)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn find(&mut self, key: Key, length: usize) -> Option<Arc<Identity>> {
        if let Some(identity) = self.new.get(&key) {
            return Some(Arc::clone(identity));
        }
        let identity = self.old.remove(&key)?;
        self.put(key, Arc::clone(&identity), length);
        Some(identity)
    }

    fn put(&mut self, key: Key, identity: Arc<Identity>, length: usize) {
        let bytes = length + OVERHEAD;
        if self.new_bytes + bytes > GENERATION_MAX {
            self.old = std::mem::take(&mut self.new);
            self.new_bytes = 0;
        }
        if self.new.insert(key, identity).is_none() {
            self.new_bytes += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Grant;
    use serde_json::json;

    fn identity(until_ms: i64) -> Identity {
        let claims = json!({"games": [], "as": []});
        let grant = Grant::read(claims.as_object().expect("an object")).expect("a grant of nothing");
        Identity { name: "alice".into(), grant, until_ms: Some(until_ms) }
    }

    /// Whether the token had to be verified.
    fn is_verified(verified: &Verified, token: &str, now_ms: i64) -> bool {
        let mut asked = false;
        let verify = || {
            asked = true;
            Ok::<_, ()>(identity(100))
        };
        assert_eq!(verified.identity(token, now_ms, verify).as_deref(), Ok(&identity(100)));
        asked
    }

    #[test]
    fn a_token_is_verified_once_until_its_time_is_over() {
        let verified = Verified::default();
        assert!(is_verified(&verified, "a", 0));
        assert!(!is_verified(&verified, "a", 99));
        assert!(is_verified(&verified, "b", 99), "another token");
        let over = verified.identity("a", 100, || Err("over"));
        assert_eq!(over, Err("over"), "as if it had never been shown");
    }

    #[test]
    fn what_does_not_hold_is_not_kept() {
        let verified = Verified::default();
        for _ in 0..2 {
            assert_eq!(verified.identity("a", 0, || Err("bad")), Err("bad"));
        }
        assert!(is_verified(&verified, "a", 0));
    }

    #[test]
    fn it_holds_so_much_and_forgets_what_is_not_shown_any_more() {
        let verified = Verified::default();
        let token = |number: usize| format!("{number:0>1000}");
        let most = GENERATION_MAX / (1000 + OVERHEAD);
        for number in 0..5 * most {
            is_verified(&verified, &token(number), 0);
            assert!(!is_verified(&verified, &token(0), 0), "shown all the time, after {number}");
        }
        let held = verified.lock();
        assert!(
            held.new.len() <= most && held.old.len() <= most,
            "{} and {}",
            held.new.len(),
            held.old.len()
        );
        assert!(held.new_bytes <= GENERATION_MAX);
        drop(held);
        assert!(is_verified(&verified, &token(1), 0), "forgotten");
    }
}
