//! The open state token: a whole [`Game`](crate::Game) in a few hundred bytes.
//!
//! One game has one encoding, and the decoder accepts nothing else: `encode(decode(bytes)) == bytes`
//! for every token there is. docs/TOKEN.md has every field, its width and a worked example.
//!
//! The token shows the game's secret and every hidden card: it is for trusted back ends and for what
//! seals it. It holds no digest; the chain's head stands in it as the game has it.
//!
//! The table's part is that of [`canasta_rules::pack`]; changed knobs stand in [`house`].

mod decode;
mod encode;
mod house;

pub use canasta_rules::pack::{TokenError, TokenErrorKind};
pub use decode::decode;
pub use encode::{encode, encode_into, max_len};

use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::{ROUND_BYTES_MAX, ROUND_RECORDS_MAX};
use canasta_rules::pack::bits::width_of;
use canasta_rules::rules::{PresetId, Rules};

/// The first byte of an open token.
pub const MAGIC: u8 = 0xc7;
pub use canasta_rules::pack::VERSION;

/// The most bits of a number of records of one round.
const RECORDS_BITS: u32 = width_of(ROUND_RECORDS_MAX);
/// The most bits of a number of bytes of one round.
const BYTES_BITS: u32 = width_of(ROUND_BYTES_MAX);
/// In the byte of the preset: officials have decided something.
const RULED: u8 = 0x80;
/// In the byte of the preset: some player has a key.
const KEYED: u8 = 0x40;
/// In the byte of the preset: deals are committed ones.
const COMMITTED: u8 = 0x20;
/// In the byte of what is registered: a beacon is.
const BEACON: u8 = 0x80;

/// The presets, made ready once, so that reading a token makes no rules.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// By number; `None` where the engine does not play the preset yet.
    presets: Vec<Option<Arc<Rules>>>,
}

impl Catalogue {
    /// Makes every preset ready that this engine plays.
    pub fn new() -> Self {
        let ready = |preset: PresetId| Rules::preset(preset.name()).map(Arc::new);
        Self { presets: PresetId::all().map(ready).collect() }
    }

    /// The rules of `preset`; `None` if this engine does not play it yet.
    pub fn get(&self, preset: PresetId) -> Option<&Arc<Rules>> {
        self.presets.get(usize::from(preset.number()))?.as_ref()
    }
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::new()
    }
}
