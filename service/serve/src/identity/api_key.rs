//! API keys: random secrets of which the service knows only the digest.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::outside::{Generator, NoRandomness};

/// The prefix of every key, by which scanners find a key that leaks into a repository.
const PREFIX: &str = "canasta_";

/// An API key, represented by its SHA-256.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiKey([u8; 32]);

impl ApiKey {
    pub fn of_digest(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// Returns the key with this text, as a caller sends it.
    pub fn of_text(text: &[u8]) -> Self {
        Self(Sha256::digest(text).into())
    }

    /// Compares two keys in constant time.
    pub fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }

    /// Generates a key. Returns it with its lines for the identities file.
    pub fn generate(name: &str, generator: Generator) -> Result<String, NoRandomness> {
        let mut secret = [0; 32];
        generator(&mut secret)?;
        let key = format!("{PREFIX}{}", Base64UrlUnpadded::encode_string(&secret));
        let digest = base16ct::lower::encode_string(&Self::of_text(key.as_bytes()).0);
        Ok(format!(
            "# give this to the caller, it is not shown again: {key}\n[[api_key]]\nname = {name:?}\n\
             sha256 = \"{digest}\"\ngames = []\nas = []"
        ))
    }
}
