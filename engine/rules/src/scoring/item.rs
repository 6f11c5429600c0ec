//! The lines of a score, and their subjects.

use crate::action::choices::{values, word};

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
