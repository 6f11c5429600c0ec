//! A cache of verified tokens: to verify a signature takes longer than to answer most requests.
//!
//! The cache belongs to the identities, so a change of their file empties it. It holds only valid tokens: a
//! caller with invalid ones can neither fill it nor learn from it, and a faster answer tells the bearer of a
//! valid token only that the token was sent before. Tokens are looked up by digest, so the time of a look-up
//! says nothing about other tokens.

use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

use super::Identity;
use crate::outside::lock;
use crate::recent::RecentMap;

/// Maximum size of a generation, in bytes, with [`OVERHEAD`] per token. Two generations hold some thousand
/// tokens of ordinary length. The parsed content of a token takes no more memory than the token.
const GENERATION_MAX: usize = 2 << 20;
/// Size of an entry besides its token, in bytes.
const OVERHEAD: usize = 256;

type TokenDigest = [u8; 32];

#[derive(Debug)]
pub struct VerifiedTokens(Mutex<RecentMap<TokenDigest, Arc<Identity>>>);

impl Default for VerifiedTokens {
    fn default() -> Self {
        Self(Mutex::new(RecentMap::new(GENERATION_MAX)))
    }
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
        if let Some(identity) = lock(&self.0).get(&key)
            && identity.until_ms.is_some_and(|until| now_ms < until)
        {
            return Ok(identity);
        }
        let identity = Arc::new(verify()?);
        lock(&self.0).put(key, Arc::clone(&identity), token.len() + OVERHEAD);
        Ok(identity)
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
        let sizes = lock(&verified.0).sizes();
        assert!(sizes.iter().all(|size| *size <= most), "{sizes:?}");
        assert!(is_verified(&verified, &token(1), 0), "forgotten");
    }
}
