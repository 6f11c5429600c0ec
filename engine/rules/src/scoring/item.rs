//! The lines of a score, and their subjects.

use crate::action::choices::{values, word};
use crate::citation::Books;
use alloc::vec::Vec;

/// One line of a side's score. Lines of zero points are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The subject of the line.
    pub item: Item,
    /// The number of canastas, threes or similar things, for items that count them.
    pub count: Option<u16>,
    /// Signed points.
    pub points: i32,
}

impl Line {
    /// Returns the sum of lines, also of declared ones, whose sum may exceed an `i32`.
    pub fn sum(lines: &[Self]) -> i64 {
        lines.iter().map(|line| i64::from(line.points)).sum()
    }
}

/// The subject of a score line. The order of the variants is the order of the lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Item {
    /// The points of all melded cards.
    #[default]
    MeldedCards = 0,
    /// Bonuses for natural canastas.
    NaturalCanastas = 1,
    /// Bonuses for mixed canastas.
    MixedCanastas = 2,
    /// Bonuses for canastas of wild cards.
    WildCanastas = 3,
    /// Bonuses for canastas of consecutive cards.
    SequenceCanastas = 4,
    /// Penalties for own melds short of a canasta (MA-160).
    IncompleteMelds = 5,
    /// Penalties for three or more cards of a rank in one hand (MA-163).
    HeldTrios = 6,
    /// The value of laid threes, negative where the rule set says so.
    Threes = 7,
    /// The bonus for going out.
    GoingOut = 8,
    /// The bonus for going out concealed.
    Concealed = 9,
    /// The bonus for an exact cut of the hands.
    Cut = 10,
    /// The bonus for an exact cut of the feet.
    FootCut = 11,
    /// The points of the cards left in hands, subtracted.
    HandCards = 12,
    /// The points of the cards left in feet, subtracted.
    FootCards = 13,
    /// Penalties for tops that were put back.
    Restores = 14,
    /// The bonus for a special hand.
    SpecialHand = 15,
    /// The penalty for a side without a canasta.
    NoCanasta = 16,
    /// Points of rulings.
    Adjustments = 17,
}

impl Item {
    /// All items, by number.
    pub const ALL: [Self; 18] = values(&SCORE_ITEMS);

    /// Returns the item's word in the interchange form (`melded_cards`).
    pub fn name(self) -> &'static str {
        word(&SCORE_ITEMS, self)
    }

    /// Returns the ids of the rules by which the item scores, in `books`.
    pub fn rules(self, books: &Books) -> Vec<&'static str> {
        books.cite_parts(ITEM_RULES[self as usize])
    }
}

/// The items of a score.
pub const SCORE_ITEMS: [(Item, &str); 18] = [
    (Item::MeldedCards, "melded_cards"),
    (Item::NaturalCanastas, "natural_canastas"),
    (Item::MixedCanastas, "mixed_canastas"),
    (Item::WildCanastas, "wild_canastas"),
    (Item::SequenceCanastas, "sequence_canastas"),
    (Item::IncompleteMelds, "incomplete_melds"),
    (Item::HeldTrios, "held_trios"),
    (Item::Threes, "threes"),
    (Item::GoingOut, "going_out"),
    (Item::Concealed, "concealed"),
    (Item::Cut, "cut"),
    (Item::FootCut, "foot_cut"),
    (Item::HandCards, "hand_cards"),
    (Item::FootCards, "foot_cards"),
    (Item::Restores, "restores"),
    (Item::SpecialHand, "special_hand"),
    (Item::NoCanasta, "no_canasta"),
    (Item::Adjustments, "adjustments"),
];

/// The ids of the rules of each item, as [`Books::cite_parts`] reads them.
const ITEM_RULES: [&str; 18] = [
    "CL-106 MA-173 MA-174 WH-088 GR-039 HN-058 HF-103",
    "CL-100 MA-153 MA-154 WH-097 GR-043 HN-053 HF-102 SA-065",
    "CL-101 MA-152 WH-097 GR-043 HN-053 HF-102 SA-065",
    "ML-003 | CV-013 MA-155 MA-156 MA-157 HN-053 HF-102 BO-003",
    "SA-065 BO-006",
    "ML-004 | CV-016 MA-160 MA-161 MA-162",
    "MA-163 MA-164 MA-165",
    "P6-006 | CL-103 CL-104 CL-105 MA-168 MA-170 MA-171 MA-172 WH-098 WH-099 WH-103 GR-043 HN-056 HN-057 HF-089 SA-066 SA-067 \
     MZ-028",
    "CL-096 MA-158 WH-095 GR-043 HN-054 HF-100 SA-064",
    "CL-097 CL-098 WH-096 WH-100 HN-055",
    "WH-013 WH-094 HF-025",
    "HF-027",
    "CL-107 MA-175 WH-089 GR-039 HN-060 HF-101",
    "HF-101",
    "HN-039",
    "MA-181 MA-182 MA-183 MA-184 MA-185",
    "HN-061",
    "IR-108",
];
