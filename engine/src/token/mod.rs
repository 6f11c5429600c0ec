//! The open state token: a whole [`State`] in a few hundred bytes.
//!
//! One state has one encoding, and the decoder accepts nothing else: `encode(decode(bytes)) == bytes`
//! for every token there is. docs/TOKEN.md has every field, its width and a worked example.
//!
//! The token shows the game's secret and every hidden card: it is for trusted back ends and for what
//! seals it. It holds no digest; the chain's head stands in it as the state has it.
//!
//! | part | where |
//! |---|---|
//! | fields of any width | [`bits`] |
//! | facts first, then cards | [`encode`](self::encode()), [`decode`](self::decode()) |
//! | changed knobs | [`house`] |
//! | what officials decided | [`rulings`] |

mod bits;
mod decode;
mod encode;
mod error;
mod house;
mod rulings;
mod zones;

pub use decode::decode;
pub use encode::{encode, encode_into, max_len};
pub use error::{TokenError, TokenErrorKind};

use crate::card::MAX_CARDS;
use crate::log::{ROUND_BYTES_MAX, ROUND_RECORDS_MAX};
use crate::rules::{PresetId, Rules};
use alloc::sync::Arc;
use alloc::vec::Vec;
use bits::width_of;

/// The first byte of an open token.
pub const MAGIC: u8 = 0xc7;
/// The version that is written, and the only one that is read.
pub const VERSION: u8 = 1;

/// Bits of a number of cards.
const COUNT_BITS: u32 = width_of(MAX_CARDS as u32);
/// The most bits of a number of records of one round.
const RECORDS_BITS: u32 = width_of(ROUND_RECORDS_MAX);
/// The most bits of a number of bytes of one round.
const BYTES_BITS: u32 = width_of(ROUND_BYTES_MAX);
/// Bits of a card's kind.
const KIND_BITS: u32 = 6;
/// Bits of a seat that may be none ([`NO_SEAT`]).
const SEAT_BITS: u32 = 3;
/// In the byte of the preset: officials have decided something.
const RULED: u8 = 0x80;
/// In the byte of the preset: some player has a key.
const KEYED: u8 = 0x40;
/// In the byte of the preset: deals are committed ones.
const COMMITTED: u8 = 0x20;
/// In the byte of what is registered: a beacon is.
const BEACON: u8 = 0x80;
/// Stands where no seat is named.
const NO_SEAT: u64 = 7;

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

/// The widths that depend on the rules.
#[derive(Clone, Copy)]
struct Widths {
    /// How many copies of a suited card.
    copies: u32,
    /// How many jokers.
    jokers: u32,
}

impl Widths {
    fn of(rules: &Rules) -> Self {
        let set = rules.set();
        Self { copies: width_of(u32::from(set.packs)), jokers: width_of(u32::from(set.jokers)) }
    }
}
