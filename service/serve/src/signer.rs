//! The server's key, which signs checkpoints, and the links of a recorder.

use std::path::Path;

use base64ct::{Base64, Base64UrlUnpadded, Encoding};
use canasta_engine::log::checkpoint::{self, ED25519};
use ring::signature::{ED25519 as ED25519_VERIFY, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::outside::{Generator, NoRandomness};
use crate::secret::{self, SecretError};

/// The prefix of a private key in the form of `canasta-replay keygen`.
const PRIVATE: &str = "PRIVATE+KEY+";

/// A public key of signed notes, in the form `NAME+HASH+BASE64`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedNoteKey {
    pub name: String,
    /// The key hash of signature lines.
    pub hash: [u8; 4],
    pub public: [u8; 32],
}

impl SignedNoteKey {
    /// Reads a key; `None` if the text is none, or its hash is not that of name and key.
    pub fn parse(text: &str) -> Option<Self> {
        let mut fields = text.splitn(3, '+');
        let (name, hash, typed) = (fields.next()?, fields.next()?, fields.next()?);
        let typed = Base64::decode_vec(typed).ok()?;
        let public: [u8; 32] = typed.strip_prefix(&[ED25519])?.try_into().ok()?;
        let key = Self { name: name.into(), hash: checkpoint::key_hash(name, &public), public };
        let is_named = !name.is_empty() && hash == base16ct::lower::encode_string(&key.hash);
        is_named.then_some(key)
    }
}

/// Returns the text of a signed note that one of the keys has signed; `None` if none has.
pub fn signed_text<'a>(note: &'a str, keys: &[SignedNoteKey]) -> Option<&'a str> {
    let (text, signatures) = note.rsplit_once("\n\n").map(|(text, _)| note.split_at(text.len() + 1))?;
    let is_signed = signatures.lines().filter_map(|line| line.strip_prefix("\u{2014} ")).any(|line| {
        let Some((name, signature)) = line.split_once(' ') else { return false };
        let Ok(signature) = Base64::decode_vec(signature) else { return false };
        let Some((hash, signature)) = signature.split_first_chunk() else { return false };
        keys.iter().filter(|key| key.name == name && key.hash == *hash).any(|key| {
            UnparsedPublicKey::new(&ED25519_VERIFY, key.public).verify(text.as_bytes(), signature).is_ok()
        })
    });
    is_signed.then_some(text)
}

/// A named Ed25519 key.
#[derive(Clone)]
pub struct CheckpointSigner {
    name: String,
    secret: Zeroizing<[u8; 32]>,
}

/// A key file that cannot be used. The error shows nothing of its content.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error("expected PRIVATE+KEY+NAME+HASH+BASE64")]
    Form,
}

impl CheckpointSigner {
    pub fn read(path: &Path) -> Result<Self, SigningKeyError> {
        Self::parse(secret::read(path)?.trim()).ok_or(SigningKeyError::Form)
    }

    /// Draws a new key at random. Returns the text of its key file.
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

    /// Signs a note with this text, which ends with a line feed.
    pub fn note(&self, text: &str) -> String {
        checkpoint::sign(text, &self.name, &self.secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(name: &str, seed: u8) -> CheckpointSigner {
        CheckpointSigner { name: name.into(), secret: Zeroizing::new([seed; 32]) }
    }

    #[test]
    fn a_note_is_read_by_the_keys_that_signed_it() {
        let (ours, other) = (signer("recorder", 1), signer("recorder", 2));
        let key = |signer: &CheckpointSigner| SignedNoteKey::parse(&signer.verifier()).expect("a key");
        let text = "first\n\nthird, after an empty line\n";
        let note = ours.note(text);
        assert_eq!(signed_text(&note, &[key(&other), key(&ours)]), Some(text));
        assert_eq!(signed_text(&note, &[key(&other)]), None);
        assert_eq!(signed_text(&note, &[key(&signer("other", 1))]), None, "another name");
        for at in 0..note.len() {
            let mut bytes = note.clone().into_bytes();
            bytes[at] ^= 1;
            let flipped = String::from_utf8(bytes).ok();
            let read = flipped.as_deref().and_then(|note| signed_text(note, &[key(&ours)]));
            assert_eq!(read, None, "byte {at}");
        }
        for bad in ["", "text\n", "\n\n", "text\n\n\u{2014} recorder", "text\n\n\u{2014} recorder AAAA\n"] {
            assert_eq!(signed_text(bad, &[key(&ours)]), None, "{bad:?}");
        }
    }
}
