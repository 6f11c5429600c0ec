//! Sealed state tokens: what callers hold without reading or bending it. docs/SEALING.md has the bytes and how keys
//! are changed.
//!
//! A sealed token is an open one whose public beginning (which game, which record) stays legible and whose rest is
//! padded and encrypted. The nonce is the beginning of the log's head, so equal history gives equal tokens; the
//! cipher is one that a repeated nonce does not break.

use std::fmt::Write as _;
use std::path::Path;

use aes_gcm_siv::aead::{Aead, KeyInit, Payload};
use aes_gcm_siv::{Aes256GcmSiv, Nonce};
use base64ct::{Base64, Encoding};
use canasta_engine::deal::GameId;
use canasta_engine::rules::PresetId;
use canasta_engine::state::State;
use canasta_engine::token;
use sha2::{Digest, Sha256};

use crate::tally::Tally;

/// What a sealed token begins with, and the version of the open one; an open one begins with another byte.
const MAGIC: [u8; 2] = [0xc9, token::VERSION];
/// The legible part of an open token: magic, version, preset, flags, game id, head.
const PUBLIC: usize = 52;
/// The bits of the preset's byte, the first that is legible of the open token, that are its number.
const PRESET: u8 = 0x1f;
/// Where the game's id and the head begin in it.
const GAME: usize = 4;
const HEAD: usize = 20;
/// Bytes of a key's id.
const ID: usize = 4;
/// Everything before the ciphertext: the open token's magic and version make way for ours and the key's id.
const CLEAR: usize = MAGIC.len() + ID + PUBLIC - 2;
/// Bytes of the authentication tag.
const TAG: usize = 16;
/// Ends the hidden part; zeros behind it make all tokens of a game equally long.
const END: u8 = 0x80;
/// The longest sealed token that is looked at: house rules and walls of six packs are far below.
const TOKEN_MAX: usize = 1 << 16;
/// What a key begins with.
const KEY: &str = "SEAL+KEY+";
/// The most keys of a ring, and bytes of its file.
const KEYS_MAX: usize = 64;
const FILE_MAX: u64 = 1 << 16;

/// Why a state is refused. Callers are never told which; operators are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Refusal {
    /// It is no sealed token.
    Form,
    /// It names a key that is not in the ring.
    UnknownKey,
    /// It names a key that was revoked.
    RevokedKey,
    /// It does not open: changed, spliced, or for another audience.
    Altered,
    /// What is in it is no state that this version plays.
    Malformed,
    /// Its time is over.
    Expired,
}

/// How often states were refused, by reason.
#[derive(Debug)]
pub struct Refusals(Tally<6>);

impl Default for Refusals {
    fn default() -> Self {
        Self(Tally::new(["no token", "unknown key", "revoked key", "altered", "malformed", "expired"]))
    }
}

impl Refusals {
    /// Counts one.
    pub fn count(&self, refusal: Refusal) {
        self.0.count(refusal as usize);
    }

    /// How often it was this one.
    pub fn of(&self, refusal: Refusal) -> u64 {
        self.0.of(refusal as usize)
    }

    /// How often it was each of them.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.all()
    }

    /// `3 altered, 1 expired`; empty if there were none.
    pub fn summary(&self) -> String {
        self.0.summary()
    }
}

/// The game that a token says it is of, sealed or open: nothing has been checked. `None` if it is no token.
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

/// A key file that cannot be used. It says nothing of the keys in it.
#[derive(Debug, thiserror::Error)]
pub enum RingError {
    /// The file cannot be read or written.
    #[error("seal keys: {0}")]
    Io(#[from] std::io::Error),
    /// Others can read it.
    #[error("seal keys: others can read the file: chmod 600 it first")]
    Exposed,
    /// A line is none.
    #[error("seal keys, line {line}: expected active, open-only or revoked, and {KEY}ID+BASE64")]
    Line {
        /// From 1.
        line: usize,
    },
    /// A key stands there twice.
    #[error("seal keys, line {line}: the key stands there twice")]
    Twice {
        /// From 1.
        line: usize,
    },
    /// There is not exactly one to seal with.
    #[error("seal keys: expected one active key, found {found}")]
    Active {
        /// How many there are.
        found: usize,
    },
    /// There are too many keys, or too much text.
    #[error("seal keys: expected at most {KEYS_MAX} keys in {FILE_MAX} bytes")]
    TooLong,
    /// No random bytes for a new key.
    #[error(transparent)]
    NoRandomness(#[from] crate::outside::NoRandomness),
}

/// What a key is still good for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Active,
    OpenOnly,
    Revoked,
}

struct Key {
    id: [u8; ID],
    cipher: Aes256GcmSiv,
    good_for: Use,
}

/// The keys, and whom tokens are for.
pub struct Ring {
    keys: Vec<Key>,
    active: usize,
    audience: String,
    /// Digests of the presets, by number.
    presets: Vec<[u8; 32]>,
}

impl Ring {
    /// Reads a key file.
    ///
    /// # Errors
    /// If it cannot be read, others can read it, or it is no ring.
    pub fn read(path: &Path, audience: &str) -> Result<Self, RingError> {
        let (mut text, file) = (String::new(), std::fs::File::open(path)?);
        #[cfg(unix)]
        if is_exposed(&file.metadata()?) {
            return Err(RingError::Exposed);
        }
        std::io::Read::read_to_string(&mut std::io::Read::take(file, FILE_MAX + 1), &mut text)?;
        if text.len() as u64 > FILE_MAX {
            return Err(RingError::TooLong);
        }
        Self::parse(&text, audience)
    }

    fn parse(text: &str, audience: &str) -> Result<Self, RingError> {
        let mut keys: Vec<Key> = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let key = read_line(text).ok_or(RingError::Line { line })?;
            if keys.iter().any(|other| other.id == key.id) {
                return Err(RingError::Twice { line });
            }
            keys.push(key);
        }
        if keys.len() > KEYS_MAX {
            return Err(RingError::TooLong);
        }
        let found = keys.iter().filter(|key| key.good_for == Use::Active).count();
        match keys.iter().position(|key| key.good_for == Use::Active) {
            Some(active) if found == 1 => {
                let presets = PresetId::all().map(|preset| preset.rule_set().digest()).collect();
                Ok(Self { keys, active, audience: audience.to_owned(), presets })
            }
            _ => Err(RingError::Active { found }),
        }
    }

    /// The token of a state.
    pub fn seal(&self, state: &State) -> Vec<u8> {
        let key = &self.keys[self.active];
        let open = token::encode(state);
        let mut hidden = open[PUBLIC..].to_vec();
        hidden.push(END);
        // As long as the longest state that agrees with this one in what the log shows anyway.
        hidden.resize((token::max_len(state) + 1 - PUBLIC).max(hidden.len()), 0);
        let mut sealed = Vec::with_capacity(CLEAR + hidden.len() + TAG);
        sealed.extend(MAGIC);
        sealed.extend(key.id);
        sealed.extend(&open[2..PUBLIC]);
        let bound = self.bound(&sealed).expect("a state has a preset's number");
        let text = key.cipher.encrypt(&nonce(&sealed), Payload { msg: &hidden, aad: &bound });
        sealed.extend(text.expect("a token is far below the cipher's limit"));
        sealed
    }

    /// The open token in a sealed one.
    ///
    /// # Errors
    /// Why not.
    pub fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, Refusal> {
        if !sealed.starts_with(&MAGIC) || !(CLEAR + TAG + 1..=TOKEN_MAX).contains(&sealed.len()) {
            return Err(Refusal::Form);
        }
        let (clear, text) = sealed.split_at(CLEAR);
        let id = &clear[MAGIC.len()..MAGIC.len() + ID];
        let key = self.keys.iter().find(|key| key.id == id).ok_or(Refusal::UnknownKey)?;
        if key.good_for == Use::Revoked {
            return Err(Refusal::RevokedKey);
        }
        let bound = self.bound(clear).ok_or(Refusal::Altered)?;
        let payload = Payload { msg: text, aad: &bound };
        let hidden = key.cipher.decrypt(&nonce(clear), payload).map_err(|_| Refusal::Altered)?;
        let end = hidden.iter().rposition(|&byte| byte != 0).filter(|&end| hidden[end] == END);
        let hidden = &hidden[..end.ok_or(Refusal::Malformed)?];
        Ok([&[token::MAGIC, token::VERSION], &clear[MAGIC.len() + ID..], hidden].concat())
    }

    /// What the seal covers besides the hidden part: the legible part, the rules of the preset that it names, and the
    /// audience. `None` if there is no such preset.
    fn bound(&self, clear: &[u8]) -> Option<Vec<u8>> {
        let preset = clear[MAGIC.len() + ID] & PRESET;
        let rules = self.presets.get(usize::from(preset))?;
        Some([clear, rules, self.audience.as_bytes()].concat())
    }
}

/// Whether others may read the file. A file that is not our own must be readable through its group, which is how
/// platforms hand out secrets.
#[cfg(unix)]
fn is_exposed(file: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let is_ours = std::fs::metadata("/proc/self").map_or(true, |ours| ours.uid() == file.uid());
    file.mode() & if is_ours { 0o077 } else { 0o037 } != 0
}

/// The first bytes of the head in the legible part.
fn nonce(clear: &[u8]) -> Nonce {
    let head = MAGIC.len() + ID + HEAD - 2;
    let first: [u8; 12] = *clear[head..].first_chunk().expect("the legible part holds a head");
    first.into()
}

fn id_of(key: &[u8; 32]) -> [u8; ID] {
    let digest = Sha256::new().chain_update(b"canasta-seal/1/id\0").chain_update(key).finalize();
    *digest.first_chunk().expect("a digest has 32 bytes")
}

fn key_text(key: &[u8; 32]) -> String {
    let mut text = String::from(KEY);
    for byte in id_of(key) {
        write!(text, "{byte:02x}").expect("a string takes everything");
    }
    text + "+" + &Base64::encode_string(key)
}

fn read_line(text: &str) -> Option<Key> {
    let (word, written) = text.split_once(char::is_whitespace)?;
    let good_for = match word {
        "active" => Use::Active,
        "open-only" => Use::OpenOnly,
        "revoked" => Use::Revoked,
        _ => return None,
    };
    let written = written.trim_start();
    let (_, key) = written.strip_prefix(KEY)?.split_once('+')?;
    let key: [u8; 32] = Base64::decode_vec(key).ok()?.try_into().ok()?;
    (key_text(&key) == written).then(|| Key {
        id: id_of(&key),
        cipher: Aes256GcmSiv::new(&key.into()),
        good_for,
    })
}

/// Adds a new key to a key file: the first is active, a later one is for opening until somebody makes it active.
/// The line without the key itself.
///
/// # Errors
/// If the file holds no ring, or cannot be written.
pub fn keygen(path: &Path, generator: crate::outside::Generator) -> Result<String, RingError> {
    let word = if path.exists() {
        Ring::read(path, "")?;
        "open-only"
    } else {
        "active"
    };
    let mut key = [0; 32];
    generator(&mut key)?;
    let text = key_text(&key);
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    std::io::Write::write_all(&mut file, format!("{word} {text}\n").as_bytes())?;
    file.sync_all()?;
    Ok(format!("{word} {}", &text[..KEY.len() + 2 * ID]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(word: &str, byte: u8) -> String {
        format!("{word} {}\n", key_text(&[byte; 32]))
    }

    #[test]
    fn rings_that_are_none_are_named() {
        let (active, other) = (line("active", 1), line("open-only", 2));
        let refused =
            |text: &str| Ring::parse(text, "").err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(refused(&format!("# keys\n\n{active}{other}")), "");
        assert_eq!(refused(""), "seal keys: expected one active key, found 0");
        assert_eq!(refused(&other), "seal keys: expected one active key, found 0");
        assert_eq!(
            refused(&format!("{active}{}", line("active", 2))),
            "seal keys: expected one active key, found 2"
        );
        assert_eq!(refused(&format!("{active}{active}")), "seal keys, line 2: the key stands there twice");
        let another = active.replace("96432c80", "96432c81");
        for bad in [
            "active",
            "active x",
            &active[..40],
            &line("closed", 1),
            &active.replace("SEAL", "sea"),
            &another,
        ] {
            assert!(
                refused(bad).starts_with("seal keys, line 1: expected active"),
                "{bad:?}: {}",
                refused(bad)
            );
            assert!(!refused(bad).contains("AQEB"), "an error shows no key");
        }
        let many: String =
            (0..65).map(|byte| line(if byte == 0 { "active" } else { "revoked" }, byte)).collect();
        assert_eq!(refused(&many), "seal keys: expected at most 64 keys in 65536 bytes");
    }
}
