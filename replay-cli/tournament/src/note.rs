//! Signed notes (C2SP signed-note): keys as text, signing, and verifying with trusted keys.
//!
//! A note is a text, an empty line, and signature lines `— NAME BASE64`, where the base64 holds four bytes of the
//! key's hash and an Ed25519 signature over the text. Keys have the text form of Go's `note` package.

use anyhow::{Context, bail, ensure};
use base64ct::{Base64, Encoding};
use canasta_engine::hex::{hex, unhex};
use canasta_engine::log::checkpoint::{self, ED25519};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use sha2::{Digest, Sha256};
use std::fmt;

/// The prefix of a signature line: an em dash.
pub(crate) const DASH: &str = "\u{2014} ";
const PRIVATE: &str = "PRIVATE+KEY+";

/// A private key that signs notes.
pub struct NoteSigner {
    name: String,
    key: SigningKey,
}

/// A named Ed25519 key whose signatures have one algorithm: `NAME+HASH+BASE64`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedKey<const ALGORITHM: u8> {
    name: String,
    /// The hash of name and key, which signature lines carry.
    pub(crate) hash: [u8; 4],
    key: VerifyingKey,
}

/// A public key that verifies notes.
pub type NoteVerifier = NamedKey<ED25519>;

/// The result of verifying a note with one key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opened {
    /// The key signed the note.
    Signed,
    /// A signature in the name of the key does not verify.
    Forged,
    /// No signature is in the name of the key.
    Unsigned,
}

impl NoteSigner {
    /// Makes a key from its 32 secret bytes.
    ///
    /// # Errors
    /// If `name` is not a valid name of a key.
    pub fn new(name: &str, secret: &[u8; 32]) -> anyhow::Result<Self> {
        check_name(name)?;
        Ok(Self { name: name.to_owned(), key: SigningKey::from_bytes(secret) })
    }

    /// Parses the text that [`NoteSigner::to_text`] returns.
    ///
    /// # Errors
    /// If the text is not a private key. The error does not contain the text.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let rest = text.trim().strip_prefix(PRIVATE).context("expected a private key, PRIVATE+KEY+...")?;
        let (name, hash, bytes) = fields(rest, ED25519).context("private key")?;
        let signer = Self::new(name, &bytes)?;
        ensure!(signer.verifier().hash == hash, "private key: its hash does not match the name and the key");
        Ok(signer)
    }

    /// Returns the private key as text. The text is secret.
    pub fn to_text(&self) -> String {
        let hash = self.verifier().hash;
        format!("{PRIVATE}{}+{}+{}", self.name, hex(&hash), typed(ED25519, &self.key.to_bytes()))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Signs a message that is no note.
    pub(crate) fn sign_bytes(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }

    pub fn verifier(&self) -> NoteVerifier {
        NoteVerifier::new(self.name.clone(), self.key.verifying_key())
    }

    /// Returns the note: the text, which ends with a line feed, and a signature line.
    ///
    /// # Panics
    /// If the text does not end with a line feed.
    pub fn sign(&self, text: &str) -> String {
        checkpoint::sign(text, &self.name, self.key.as_bytes())
    }
}

impl<const ALGORITHM: u8> NamedKey<ALGORITHM> {
    pub(crate) fn new(name: String, key: VerifyingKey) -> Self {
        let digest = Sha256::new().chain_update(&name).chain_update([b'\n', ALGORITHM]);
        let digest = digest.chain_update(key.as_bytes()).finalize();
        Self { name, hash: *digest.first_chunk().expect("a digest has 32 bytes"), key }
    }

    /// Parses a public key, `NAME+HASH+BASE64`.
    ///
    /// # Errors
    /// If the text is not a public key of this algorithm.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let what = if ALGORITHM == ED25519 { "public key" } else { "key of a witness" };
        let (name, hash, bytes) = fields(text.trim(), ALGORITHM).context(what)?;
        check_name(name)?;
        let key = VerifyingKey::from_bytes(&bytes);
        let key = key.with_context(|| format!("{what}: not a point of the curve"))?;
        let found = Self::new(name.to_owned(), key);
        ensure!(found.hash == hash, "{what}: its hash does not match the name and the key");
        Ok(found)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn bytes(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    /// Returns what each signature line in the name of this key holds.
    pub(crate) fn signatures(&self, lines: &str) -> impl Iterator<Item = Vec<u8>> {
        lines.lines().filter_map(|line| {
            let (name, bytes) = line.strip_prefix(DASH)?.rsplit_once(' ')?;
            let bytes = Base64::decode_vec(bytes).ok()?;
            let (hash, signature) = bytes.split_first_chunk()?;
            (name == self.name && *hash == self.hash).then(|| signature.to_vec())
        })
    }

    /// Returns true if this key has signed a message.
    pub(crate) fn has_signed(&self, message: &str, signature: &[u8]) -> bool {
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|found| self.key.verify_strict(message.as_bytes(), &found).is_ok())
    }
}

impl NoteVerifier {
    /// Verifies a note with this key.
    pub fn open(&self, note: &str) -> Opened {
        let Some((text, signatures)) = split(note) else { return Opened::Unsigned };
        let mut opened = Opened::Unsigned;
        for signature in self.signatures(signatures) {
            if !self.has_signed(text, &signature) {
                return Opened::Forged;
            }
            opened = Opened::Signed;
        }
        opened
    }
}

impl<const ALGORITHM: u8> fmt::Display for NamedKey<ALGORITHM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}+{}", self.name, hex(&self.hash), typed(ALGORITHM, self.key.as_bytes()))
    }
}

impl<'d, const ALGORITHM: u8> Deserialize<'d> for NamedKey<ALGORITHM> {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(from)?).map_err(|error| D::Error::custom(format!("{error:#}")))
    }
}

/// Signs a message with the Ed25519 key `secret`. Returns the public key and the signature.
pub fn sign_message(secret: &[u8; 32], message: &[u8]) -> ([u8; 32], [u8; 64]) {
    let key = SigningKey::from_bytes(secret);
    (key.verifying_key().to_bytes(), key.sign(message).to_bytes())
}

/// Whether a note has a signature by an Ed25519 key, under whatever name.
pub fn is_signed_by_key(note: &str, key: &[u8; 32]) -> bool {
    let Some((_, signatures)) = split(note) else { return false };
    let Ok(key) = VerifyingKey::from_bytes(key) else { return false };
    let names = signatures.lines().filter_map(|line| Some(line.strip_prefix(DASH)?.rsplit_once(' ')?.0));
    names.map(|name| NoteVerifier::new(name.to_owned(), key)).any(|key| key.open(note) == Opened::Signed)
}

/// Returns the note with one more signature line.
pub(crate) fn signed_also(note: &str, signer: &NoteSigner) -> String {
    let Some((text, _)) = split(note) else { return note.to_owned() };
    let signed = signer.sign(text);
    let line = split(&signed).map_or("", |(_, line)| line);
    format!("{note}{line}")
}

/// Splits a note into its text, with the last line feed, and its signature lines.
pub fn split(note: &str) -> Option<(&str, &str)> {
    let at = note.rfind("\n\n")?;
    Some((&note[..=at], &note[at + 2..]))
}

/// Encodes the algorithm and the bytes of a key in base64.
fn typed(algorithm: u8, key: &[u8; 32]) -> String {
    let bytes: Vec<u8> = core::iter::once(algorithm).chain(key.iter().copied()).collect();
    Base64::encode_string(&bytes)
}

/// Splits `NAME+HASH+BASE64` into name, hash and key. The base64 may contain a plus sign.
fn fields(text: &str, algorithm: u8) -> anyhow::Result<(&str, [u8; 4], [u8; 32])> {
    let mut fields = text.splitn(3, '+');
    let (Some(name), Some(hash), Some(key)) = (fields.next(), fields.next(), fields.next()) else {
        bail!("expected NAME+HASH+BASE64");
    };
    let hash = unhex(hash);
    let hash = hash.context("expected a hash of 8 hex digits in lower case")?;
    let bytes = Base64::decode_vec(key).ok().context("expected base64")?;
    match bytes.split_first() {
        Some((found, key)) if *found == algorithm => {
            Ok((name, hash, key.try_into().context("expected 32 bytes of key")?))
        }
        Some((other, _)) => bail!("expected an Ed25519 key ({algorithm}), found algorithm {other}"),
        None => bail!("expected a key"),
    }
}

/// Checks that a name of a key has 1 to 64 bytes and neither blanks nor plus signs.
fn check_name(name: &str) -> anyhow::Result<()> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    ensure!(
        (1..=64).contains(&name.len()) && !name.contains(bad),
        "expected a key name of 1 to 64 bytes without blanks and plus signs, found {name:?}"
    );
    Ok(())
}

#[cfg(test)]
mod tests;
