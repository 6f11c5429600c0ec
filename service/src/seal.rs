//! Sealed state tokens, which callers can neither read nor change. docs/operate/SEALING.md describes the bytes and
//! the rotation of keys.
//!
//! A sealed token is an open token whose public beginning (game, record number) stays legible and whose rest
//! is padded and encrypted. The nonce is the beginning of the log's head, so equal histories give equal
//! tokens; the cipher stays safe if a nonce repeats.

use std::path::Path;

use aes_gcm_siv::{AeadInOut, Aes256GcmSiv, KeyInit, Nonce};
use base64ct::{Base64, Encoding};
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_engine::rules::PresetId;
use canasta_engine::token;
use canasta_messages::host::GameSeeds;
use canasta_serve::counters::TokenRefusal;
use canasta_serve::limits::STATE_BYTES_MAX;
use canasta_serve::secret::{self, SecretError};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::seeds::CreateKey;

/// The first byte of a sealed token, which differs from that of an open one, and the version of the open
/// token.
const MAGIC: [u8; 2] = [0xc9, token::VERSION];
/// Length of the legible part of an open token, in bytes: magic, version, preset, flags, game id, head.
const PUBLIC: usize = 52;
/// Bits of the preset's byte that hold its number; the byte is the first legible one of the open token.
const PRESET: u8 = 0x1f;
/// Offsets of the game's id and of the head in an open token.
const GAME: usize = 4;
const HEAD: usize = 20;
/// Length of a key's id, in bytes.
const ID: usize = 4;
pub type KeyId = [u8; ID];
/// Length of everything before the ciphertext, in bytes: the open token's legible part, with our magic and
/// the key's id in the place of the open token's magic and version.
const CLEAR: usize = MAGIC.len() + ID + PUBLIC - 2;
/// Length of the authentication tag, in bytes.
const TAG: usize = 16;
/// The byte that ends the hidden part. Zeros follow it, so that all tokens of a game have one length.
const END: u8 = 0x80;
/// The prefix of a key's text.
const KEY: &str = "SEAL+KEY+";
/// Maximum number of keys in a keyring.
const KEYS_MAX: usize = 64;

/// Returns the id of the game that a token names, sealed or open; nothing of the token is verified. `None` if
/// the bytes do not begin like a token.
pub fn game_of(bytes: &[u8]) -> Option<GameId> {
    let at = if bytes.starts_with(&MAGIC) {
        CLEAR - PUBLIC + GAME
    } else if bytes.starts_with(&[token::MAGIC, token::VERSION]) {
        GAME
    } else {
        return None;
    };
    bytes.get(at..)?.first_chunk().map(|id| GameId(*id))
}

/// Returns the id of the key that a sealed token names; nothing of the token is verified. `None` if the bytes do not
/// begin like a sealed token.
pub fn key_of(bytes: &[u8]) -> Option<KeyId> {
    bytes.strip_prefix(&MAGIC)?.first_chunk().copied()
}

/// A key file that cannot be used. The error shows nothing of the keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file cannot be read.
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error("line {line}: expected active, open-only or revoked, and {KEY}ID+BASE64")]
    Line {
        /// Number of the line, from 1.
        line: usize,
    },
    #[error("line {line}: the key occurs twice")]
    Twice {
        /// Number of the second line, from 1.
        line: usize,
    },
    #[error("expected one active key, found {found}")]
    Active {
        /// Number of active keys.
        found: usize,
    },
    #[error("expected at most {KEYS_MAX} keys")]
    TooMany,
    /// The source of randomness failed.
    #[error(transparent)]
    NoRandomness(#[from] canasta_serve::outside::NoRandomness),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyUse {
    Active,
    OpenOnly,
    Revoked,
}

/// The words for the uses in a key file, in the order of their values.
const USES: [(KeyUse, &str); 3] =
    [(KeyUse::Active, "active"), (KeyUse::OpenOnly, "open-only"), (KeyUse::Revoked, "revoked")];

struct SealKey {
    id: [u8; ID],
    cipher: Aes256GcmSiv,
    /// The key that games are derived under.
    create: CreateKey,
    good_for: KeyUse,
}

/// The keys that open tokens, the one that seals them, and the audience of tokens.
pub struct Keyring {
    keys: Vec<SealKey>,
    active: usize,
    audience: String,
    /// Digests of the presets' rule sets, by number.
    presets: Vec<[u8; 32]>,
}

impl Keyring {
    /// Reads a key file.
    ///
    /// # Errors
    /// If the file cannot be read, other users can read it, or its content is invalid.
    pub fn read(path: &Path, audience: &str) -> Result<Self, KeyringError> {
        Self::parse(&secret::read(path)?, audience)
    }

    fn parse(text: &str, audience: &str) -> Result<Self, KeyringError> {
        let mut keys: Vec<SealKey> = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let key = read_line(text).ok_or(KeyringError::Line { line })?;
            if keys.iter().any(|other| other.id == key.id) {
                return Err(KeyringError::Twice { line });
            }
            keys.push(key);
        }
        if keys.len() > KEYS_MAX {
            return Err(KeyringError::TooMany);
        }
        let found = keys.iter().filter(|key| key.good_for == KeyUse::Active).count();
        match keys.iter().position(|key| key.good_for == KeyUse::Active) {
            Some(active) if found == 1 => {
                let presets = PresetId::all().map(|preset| preset.rule_set().digest()).collect();
                Ok(Self { keys, active, audience: audience.to_owned(), presets })
            }
            _ => Err(KeyringError::Active { found }),
        }
    }

    /// Returns the id and the secret of the game that a request creates, derived from the request under the first key
    /// of the ring that is not revoked. So every server gives equal requests one game, until that key leaves the ring.
    pub fn game_seeds(&self, request: &[u8]) -> GameSeeds {
        let key = self.keys.iter().find(|key| key.good_for != KeyUse::Revoked);
        key.expect("one key is active").create.seeds(&self.audience, request)
    }

    /// Returns the id of each key and the word for its use, in the order of the file.
    pub fn uses(&self) -> impl Iterator<Item = (KeyId, &'static str)> {
        self.keys.iter().map(|key| (key.id, USES[key.good_for as usize].1))
    }

    pub fn seal(&self, state: &Game) -> Vec<u8> {
        let key = &self.keys[self.active];
        // The padding makes the token as long as the longest state that agrees with this one in everything
        // that the log shows.
        let padded = ID + token::max_len(state) + 1;
        let mut sealed = Vec::with_capacity(padded + TAG);
        // The open token is encoded and encrypted in its place: our magic and the key's id overwrite its
        // own magic and version.
        sealed.extend([0; ID]);
        token::encode_into(state, &mut sealed);
        sealed[..MAGIC.len()].copy_from_slice(&MAGIC);
        sealed[MAGIC.len()..MAGIC.len() + ID].copy_from_slice(&key.id);
        sealed.push(END);
        sealed.resize(padded.max(sealed.len()), 0);
        let (clear, hidden) = sealed.split_at_mut(CLEAR);
        let bound = self.bound(clear).expect("a state has a preset's number");
        let tag = key.cipher.encrypt_inout_detached(&nonce(clear), &bound, hidden.into());
        sealed.extend(tag.expect("a token is far below the cipher's limit"));
        sealed
    }

    pub fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, TokenRefusal> {
        if !sealed.starts_with(&MAGIC) || !(CLEAR + TAG + 1..=STATE_BYTES_MAX).contains(&sealed.len()) {
            return Err(TokenRefusal::Form);
        }
        let (clear, text) = sealed.split_at(CLEAR);
        let key = self.key(key_of(sealed).ok_or(TokenRefusal::Form)?)?;
        let bound = self.bound(clear).ok_or(TokenRefusal::Altered)?;
        let (text, tag) = text.split_last_chunk::<TAG>().ok_or(TokenRefusal::Form)?;
        let mut open = [&[token::MAGIC, token::VERSION], &clear[MAGIC.len() + ID..], text].concat();
        let hidden = &mut open[PUBLIC..];
        let read = key.cipher.decrypt_inout_detached(&nonce(clear), &bound, hidden.into(), tag.into());
        read.map_err(|_| TokenRefusal::Altered)?;
        let end = open.iter().rposition(|&byte| byte != 0).filter(|&end| open[end] == END && end >= PUBLIC);
        open.truncate(end.ok_or(TokenRefusal::Malformed)?);
        Ok(open)
    }

    /// Seals a secret that is kept beside a game's states: the key's id, the encrypted secret and the tag.
    pub fn seal_secret(&self, game: GameId, secret: &[u8]) -> Vec<u8> {
        let key = &self.keys[self.active];
        let (mut sealed, bound) = ([&key.id, secret].concat(), self.bound_secret(game));
        let tag = key.cipher.encrypt_inout_detached(&nonce_of(&game.0), &bound, (&mut sealed[ID..]).into());
        sealed.extend(tag.expect("a secret is far below the cipher's limit"));
        sealed
    }

    /// Opens a secret that is kept beside a game's states.
    pub fn open_secret(&self, game: GameId, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, TokenRefusal> {
        let (id, text) = sealed.split_first_chunk::<ID>().ok_or(TokenRefusal::Form)?;
        let (text, tag) = text.split_last_chunk::<TAG>().ok_or(TokenRefusal::Form)?;
        let (key, mut secret) = (self.key(*id)?, Zeroizing::new(text.to_vec()));
        let (nonce, bound) = (nonce_of(&game.0), self.bound_secret(game));
        let read = key.cipher.decrypt_inout_detached(&nonce, &bound, (&mut secret[..]).into(), tag.into());
        read.map(|()| secret).map_err(|_| TokenRefusal::Altered)
    }

    /// Returns the bytes that the seal of a secret authenticates besides it.
    fn bound_secret(&self, game: GameId) -> Vec<u8> {
        [b"canasta-kept-secret/1\0", &game.0[..], self.audience.as_bytes()].concat()
    }

    /// Checks that a key opens tokens.
    ///
    /// # Errors
    /// If there is no such key any more, or it is revoked.
    pub fn check(&self, id: KeyId) -> Result<(), TokenRefusal> {
        self.key(id).map(|_| ())
    }

    fn key(&self, id: KeyId) -> Result<&SealKey, TokenRefusal> {
        let key = self.keys.iter().find(|key| key.id == id).ok_or(TokenRefusal::UnknownKey)?;
        if key.good_for == KeyUse::Revoked { Err(TokenRefusal::RevokedKey) } else { Ok(key) }
    }

    /// Returns the bytes that the seal authenticates besides the hidden part: the legible part, the digest of
    /// the preset's rules, and the audience. `None` if there is no such preset.
    fn bound(&self, clear: &[u8]) -> Option<Vec<u8>> {
        let preset = clear[MAGIC.len() + ID] & PRESET;
        let rules = self.presets.get(usize::from(preset))?;
        Some([clear, rules, self.audience.as_bytes()].concat())
    }
}

/// Returns the nonce: the first bytes of the head in the legible part.
fn nonce(clear: &[u8]) -> Nonce {
    nonce_of(&clear[MAGIC.len() + ID + HEAD - 2..])
}

/// Returns the nonce that begins like `unique`. The cipher stays safe if it repeats.
fn nonce_of(unique: &[u8]) -> Nonce {
    let first: [u8; 12] = *unique.first_chunk().expect("ids and heads are longer than a nonce");
    first.into()
}

fn id_of(key: &[u8; 32]) -> [u8; ID] {
    let digest = Sha256::new().chain_update(b"canasta-seal/1/id\0").chain_update(key).finalize();
    *digest.first_chunk().expect("a digest has 32 bytes")
}

fn key_text(key: &[u8; 32]) -> Zeroizing<String> {
    let base64 = Zeroizing::new(Base64::encode_string(key));
    Zeroizing::new(format!("{KEY}{}+{}", base16ct::lower::encode_string(&id_of(key)), *base64))
}

fn read_line(text: &str) -> Option<SealKey> {
    let (word, written) = text.split_once(char::is_whitespace)?;
    let good_for = USES.into_iter().find(|(_, name)| *name == word)?.0;
    let written = written.trim_start();
    let (_, key) = written.strip_prefix(KEY)?.split_once('+')?;
    let mut bytes = Zeroizing::new([0; 32]);
    let length = Base64::decode(key, &mut *bytes).ok()?.len();
    let is_key = length == bytes.len() && *key_text(&bytes) == *written;
    is_key.then(|| SealKey {
        id: id_of(&bytes),
        cipher: Aes256GcmSiv::new((&*bytes).into()),
        create: CreateKey::of(&bytes),
        good_for,
    })
}

/// Adds a new key to a key file; the first key of a file is active, a later one is open-only. Returns the new
/// line without the secret.
///
/// # Errors
/// If the file exists and is invalid, if it cannot be written, or if the source of randomness fails.
pub fn keygen(path: &Path, generator: canasta_serve::outside::Generator) -> Result<String, KeyringError> {
    let word = if path.exists() {
        Keyring::read(path, "")?;
        "open-only"
    } else {
        "active"
    };
    let mut key = Zeroizing::new([0; 32]);
    generator(&mut *key)?;
    let text = key_text(&key);
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    std::io::Write::write_all(&mut file, Zeroizing::new(format!("{word} {}\n", *text)).as_bytes())?;
    file.sync_all()?;
    Ok(format!("{word} {}", &text[..KEY.len() + 2 * ID]))
}

#[cfg(test)]
mod tests;
