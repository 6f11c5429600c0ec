//! What follows from the knobs and is never stored.

use super::Rules;
use crate::card::{Cards, Rank};
use alloc::format;
use alloc::string::String;

impl Rules {
    /// How many cards the pack has.
    pub fn deck_size(&self) -> u16 {
        u16::try_from(self.set.deck_size()).expect("a validated pack has at most 324 cards")
    }

    /// The whole pack.
    pub fn census(&self) -> Cards {
        self.set.deck()
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
