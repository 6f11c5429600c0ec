//! The open state token: a whole [`Game`](crate::Game) in a few hundred bytes.
//!
//! Each game has one encoding, and the decoder accepts nothing else: `encode(decode(bytes)) == bytes` for
//! every token. docs/formats/TOKEN.md has every field, its width and a worked example.
//!
//! The token shows the game's secret and every hidden card, so it is only for trusted back ends and for code
//! that seals it. It holds no digest; it holds the head of the hash chain as the game has it.
//!
//! [`canasta_rules::pack`] encodes the table; `token::house` encodes the knobs of a house rule.

mod decode;
mod encode;
mod house;

pub use canasta_rules::pack::{TokenError, TokenErrorKind};
pub use decode::{decode, decode_into};
pub use encode::{encode, encode_into, max_len};

use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::{ROUND_BYTES_MAX, ROUND_RECORDS_MAX};
use canasta_rules::pack::bits::width_of;
use canasta_rules::rules::{PresetId, Rules};

/// The first byte of an open token.
pub const MAGIC: u8 = 0xc7;
pub use canasta_rules::pack::VERSION;

/// Maximum number of bits of the number of records of a round.
const RECORDS_BITS: u32 = width_of(ROUND_RECORDS_MAX);
/// Maximum number of bits of the number of bytes of a round.
const BYTES_BITS: u32 = width_of(ROUND_BYTES_MAX);
/// Flag in the byte of the preset: there are rulings of officials.
const RULED: u8 = 0x80;
/// Flag in the byte of keys: the director has a key.
const DIRECTOR: u8 = 0x40;
/// Flag in the byte of keys: genesis names the version of the table of penalties.
const PENALTIES: u8 = 0x80;
/// Flag in the byte of the preset: a player or the director has a key, or genesis names the table of penalties.
const KEYED: u8 = 0x40;
/// Flag in the byte of the preset: deals are committed.
const COMMITTED: u8 = 0x20;
/// Flag in the byte of registered seats: a beacon is registered.
const BEACON: u8 = 0x80;

/// The rules of all presets, prepared once, so that decoding a token need not prepare rules.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// Rules by number of the preset; `None` if the engine does not play the preset yet.
    presets: Vec<Option<Arc<Rules>>>,
}

impl Catalogue {
    /// Prepares the rules of every preset that this engine plays.
    pub fn new() -> Self {
        let ready = |preset: PresetId| Rules::preset(preset.name()).map(Arc::new);
        Self { presets: PresetId::all().map(ready).collect() }
    }

    /// Returns the rules of `preset`; `None` if this engine does not play it yet.
    pub fn get(&self, preset: PresetId) -> Option<&Arc<Rules>> {
        self.presets.get(usize::from(preset.number()))?.as_ref()
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::new()
    }
}
