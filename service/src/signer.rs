//! The server's key: what it signs checkpoints with.

use std::path::Path;

use base64ct::{Base64, Encoding};
use canasta_engine::log::checkpoint::{self, ED25519};
use canasta_engine::state::State;

/// What a private key begins with, in the form of `canasta-replay keygen`.
const PRIVATE: &str = "PRIVATE+KEY+";

/// A named Ed25519 key.
#[derive(Clone)]
pub struct Signer {
    name: String,
    secret: [u8; 32],
}

/// A key file that cannot be used. It says nothing of what the file holds.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read.
    #[error("signing key: {0}")]
    Io(#[from] std::io::Error),
    /// It holds no private key.
    #[error("signing key: expected PRIVATE+KEY+NAME+HASH+BASE64")]
    Form,
}

impl Signer {
    /// Reads a key file.
    ///
    /// # Errors
    /// If it cannot be read, or holds something else.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        Self::parse(std::fs::read_to_string(path)?.trim()).ok_or(KeyError::Form)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut fields = text.strip_prefix(PRIVATE)?.splitn(3, '+');
        let (name, _hash, key) = (fields.next()?, fields.next()?, fields.next()?);
        let key = Base64::decode_vec(key).ok()?;
        let (&algorithm, secret) = key.split_first()?;
        let secret = secret.try_into().ok().filter(|_| algorithm == ED25519 && !name.is_empty())?;
        Some(Self { name: name.into(), secret })
    }

    /// A signed note over the last record of the state's log.
    pub fn checkpoint(&self, state: &State) -> String {
        let link = state.link();
        let text = checkpoint::body(&state.origin().game_id.0, link.n, &link.head);
        checkpoint::sign(&text, &self.name, &self.secret)
    }
}
