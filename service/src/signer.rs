//! The server's key, which signs checkpoints, and the links of a recorder.

use std::path::Path;

use base64ct::{Base64, Base64UrlUnpadded, Encoding};
use canasta_engine::game::Game;
use canasta_engine::log::checkpoint::{self, ED25519};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::outside::{Generator, NoRandomness};
use crate::secret::{self, SecretError};

/// The prefix of a private key in the form of `canasta-replay keygen`.
const PRIVATE: &str = "PRIVATE+KEY+";

/// A named Ed25519 key.
#[derive(Clone)]
pub struct CheckpointSigner {
    name: String,
    secret: Zeroizing<[u8; 32]>,
}

/// A key file that cannot be used. The error shows nothing of its content.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    /// The file cannot be read.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The file holds no private key.
    #[error("expected PRIVATE+KEY+NAME+HASH+BASE64")]
    Form,
}

impl CheckpointSigner {
    /// Reads a key file.
    ///
    /// # Errors
    /// If the file cannot be read or holds no private key.
    pub fn read(path: &Path) -> Result<Self, SigningKeyError> {
        Self::parse(secret::read(path)?.trim()).ok_or(SigningKeyError::Form)
    }

    /// Draws a new key at random. Returns the text of its key file.
    ///
    /// # Errors
    /// If the source of randomness fails.
    pub fn generate(name: &str, generator: Generator) -> Result<Zeroizing<String>, NoRandomness> {
        let mut secret = Zeroizing::new([0; 32]);
        generator(&mut *secret)?;
        let typed = Zeroizing::new([&[ED25519][..], &*secret].concat());
        let base64 = Zeroizing::new(checkpoint::base64(&typed));
        let signer = Self { name: name.into(), secret };
        let hash = base16ct::lower::encode_string(&checkpoint::key_hash(name, &signer.public()));
        Ok(Zeroizing::new(format!("{PRIVATE}{name}+{hash}+{}\n", *base64)))
    }

    fn public(&self) -> [u8; 32] {
        self.pair().public_key().as_ref().try_into().expect("a key has 32 bytes")
    }

    fn pair(&self) -> Ed25519KeyPair {
        Ed25519KeyPair::from_seed_unchecked(&*self.secret).expect("a seed has 32 bytes")
    }

    fn parse(text: &str) -> Option<Self> {
        let mut fields = text.strip_prefix(PRIVATE)?.splitn(3, '+');
        let (name, _hash, key) = (fields.next()?, fields.next()?, fields.next()?);
        let key = Zeroizing::new(Base64::decode_vec(key).ok()?);
        let (&algorithm, key) = key.split_first()?;
        let mut secret = Zeroizing::new([0; 32]);
        if key.len() != secret.len() || algorithm != ED25519 || name.is_empty() {
            return None;
        }
        secret.copy_from_slice(key);
        Some(Self { name: name.into(), secret })
    }

    /// Returns the public key as a signed note's verifiers write it: `name+hash+base64`.
    pub fn verifier(&self) -> String {
        let public = self.public();
        let hash = base16ct::lower::encode_string(&checkpoint::key_hash(&self.name, &public));
        let typed = checkpoint::base64(&[&[ED25519][..], &public].concat());
        format!("{}+{hash}+{typed}", self.name)
    }

    /// Signs the claims of a JSON Web Token. Equal claims give equal tokens.
    pub fn token(&self, claims: &Value) -> String {
        let pair = self.pair();
        let public = pair.public_key().as_ref().try_into().expect("a key has 32 bytes");
        let kid = base16ct::lower::encode_string(&checkpoint::key_hash(&self.name, &public));
        let header = json!({"alg": "EdDSA", "kid": kid, "typ": "JWT"});
        let part = |value: &Value| Base64UrlUnpadded::encode_string(value.to_string().as_bytes());
        let signed = format!("{}.{}", part(&header), part(claims));
        let signature = pair.sign(signed.as_bytes());
        format!("{signed}.{}", Base64UrlUnpadded::encode_string(signature.as_ref()))
    }

    /// Signs a note over the last record of the state's log.
    pub fn checkpoint(&self, state: &Game) -> String {
        let link = state.link;
        let text = checkpoint::body(&state.dealing.game_id.0, link.n, &link.head);
        checkpoint::sign(&text, &self.name, &self.secret)
    }
}
