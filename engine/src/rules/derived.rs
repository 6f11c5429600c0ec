//! What follows from the knobs and is never stored.

use super::Rules;
use crate::card::{Card, Cards, Rank};
use alloc::format;
use alloc::string::String;

impl Rules {
    /// How many cards the pack has.
    pub fn deck_size(&self) -> u16 {
        u16::from(self.set.packs) * 52 + u16::from(self.set.jokers)
    }

    /// The whole pack.
    pub fn census(&self) -> Cards {
        let suited = Card::all().filter(|&card| card != Card::JOKER);
        let suited = suited.flat_map(|card| core::iter::repeat_n(card, usize::from(self.set.packs)));
        suited.chain(core::iter::repeat_n(Card::JOKER, usize::from(self.set.jokers))).collect()
    }

    /// The points of any card of `rank`; a three's are a black three's.
    pub fn rank_points(&self, rank: Rank) -> i32 {
        self.set.card_points.of_rank(rank)
    }

    /// The digest as 64 hex digits.
    pub fn digest_text(&self) -> String {
        self.digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
