//! API keys: random secrets of which the service knows the digest only.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::outside::{Generator, NoRandomness};

/// What a key begins with, so that one that leaks into a repository is found.
const PREFIX: &str = "canasta_";

/// An API key, by its digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiKey([u8; 32]);

impl ApiKey {
    /// The key with this SHA-256.
    pub fn of_digest(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// The key that a caller shows.
    pub fn of_text(text: &[u8]) -> Self {
        Self(Sha256::digest(text).into())
    }

    /// Compares in a time that does not tell where they differ.
    pub fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }

    /// A new key and its lines in the identities file.
    ///
    /// # Errors
    /// Without randomness.
    pub fn generate(name: &str, generator: Generator) -> Result<String, NoRandomness> {
        let mut secret = [0; 32];
        generator(&mut secret)?;
        let key = format!("{PREFIX}{}", Base64UrlUnpadded::encode_string(&secret));
        let digest: String =
            Self::of_text(key.as_bytes()).0.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!(
            "# give this to the caller, it is not shown again: {key}\n[[api_key]]\nname = {name:?}\n\
             sha256 = \"{digest}\"\ngames = []\nas = []"
        ))
    }
}
