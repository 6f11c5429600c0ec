//! A cache of verified tokens: to verify a signature takes longer than to answer most requests.
//!
//! The cache belongs to the identities, so a change of their file empties it. It holds only valid tokens: a
//! caller with invalid ones can neither fill it nor learn from it, and a faster answer tells the bearer of a
//! valid token only that the token was sent before. Tokens are looked up by digest, so the time of a look-up
//! says nothing about other tokens.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::Identity;

/// Maximum size of a generation, in bytes, with [`OVERHEAD`] per token. Two generations hold some thousand
/// tokens of ordinary length. The parsed content of a token takes no more memory than the token.
const GENERATION_MAX: usize = 2 << 20;
/// Size of an entry besides its token, in bytes.
const OVERHEAD: usize = 256;

type TokenDigest = [u8; 32];

/// The cache; see the module.
#[derive(Debug, Default)]
pub struct VerifiedTokens(Mutex<Generations>);

/// Two generations of entries: a token that is used moves to the new one. When the new one is full, it
/// replaces the old one, whose entries are evicted.
#[derive(Debug, Default)]
struct Generations {
    new: BTreeMap<TokenDigest, Arc<Identity>>,
    old: BTreeMap<TokenDigest, Arc<Identity>>,
    new_bytes: usize,
}

impl VerifiedTokens {
    /// Returns the identity of the token's bearer from the cache, if the token has not expired, else from
    /// `verify`.
    pub fn identity<E>(
        &self,
        token: &str,
        now_ms: i64,
        verify: impl FnOnce() -> Result<Identity, E>,
    ) -> Result<Arc<Identity>, E> {
        let key: TokenDigest = Sha256::digest(token).into();
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
    fn find(&mut self, key: TokenDigest, length: usize) -> Option<Arc<Identity>> {
        if let Some(identity) = self.new.get(&key) {
            return Some(Arc::clone(identity));
        }
        let identity = self.old.remove(&key)?;
        self.put(key, Arc::clone(&identity), length);
        Some(identity)
    }

    fn put(&mut self, key: TokenDigest, identity: Arc<Identity>, length: usize) {
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
    use crate::identity::{CredentialKind, Grant, IdentityName};
    use serde_json::json;

    fn identity(until_ms: i64) -> Identity {
        let claims = json!({"games": [], "as": []});
        let grant = Grant::read(claims.as_object().expect("an object")).expect("a grant of nothing");
        let name = IdentityName { kind: CredentialKind::Token, issuer: "club".into(), name: "alice".into() };
        Identity { name: Arc::new(name), grant, until_ms: Some(until_ms), link: None }
    }

    /// Returns whether the token had to be verified.
    fn is_verified(verified: &VerifiedTokens, token: &str, now_ms: i64) -> bool {
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
        let verified = VerifiedTokens::default();
        assert!(is_verified(&verified, "a", 0));
        assert!(!is_verified(&verified, "a", 99));
        assert!(is_verified(&verified, "b", 99), "another token");
        let over = verified.identity("a", 100, || Err("over"));
        assert_eq!(over, Err("over"), "as if it had never been shown");
    }

    #[test]
    fn what_does_not_hold_is_not_kept() {
        let verified = VerifiedTokens::default();
        for _ in 0..2 {
            assert_eq!(verified.identity("a", 0, || Err("bad")), Err("bad"));
        }
        assert!(is_verified(&verified, "a", 0));
    }

    #[test]
    fn it_holds_so_much_and_forgets_what_is_not_shown_any_more() {
        let verified = VerifiedTokens::default();
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
