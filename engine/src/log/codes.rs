//! The numbers and words of every choice that a record holds.
//!
//! A choice's number in the log is its place in its table, its word is that of the interchange
//! form. Tables grow at the end only; no number and no word is ever used again.

use crate::action::{About, Authority, EffectKind, MeldKind, SpecialHand};
use crate::log::record::{DealMode, EndReason, Registration, ScoreItem};

/// What a meld or group is.
pub const MELD_KINDS: [(MeldKind, &str); 4] = [
    (MeldKind::Set, "set"),
    (MeldKind::Wild, "wild"),
    (MeldKind::Sequence, "sequence"),
    (MeldKind::BlackThrees, "black_threes"),
];

/// What a question is about.
pub const ABOUTS: [(About, &str); 2] = [(About::GoOut, "go_out"), (About::Courtesy, "courtesy")];

/// Special hands.
pub const SPECIAL_HANDS: [(SpecialHand, &str); 3] =
    [(SpecialHand::Straight, "straight"), (SpecialHand::Pairs, "pairs"), (SpecialHand::Garbage, "garbage")];

/// Who issued a ruling.
pub const AUTHORITIES: [(Authority, &str); 4] = [
    (Authority::Director, "director"),
    (Authority::Jury, "jury"),
    (Authority::Table, "table"),
    (Authority::Auto, "auto"),
];

/// What a ruling does.
pub const EFFECTS: [(EffectKind, &str); 12] = [
    (EffectKind::None, "none"),
    (EffectKind::Warning, "warning"),
    (EffectKind::RaiseMinimum, "raise_minimum"),
    (EffectKind::PenaltyCards, "penalty_cards"),
    (EffectKind::ForfeitPile, "forfeit_pile"),
    (EffectKind::Stand, "stand"),
    (EffectKind::Redeal, "redeal"),
    (EffectKind::Restore, "restore"),
    (EffectKind::RevokeTalon, "revoke_talon"),
    (EffectKind::Adjust, "adjust"),
    (EffectKind::Forfeit, "forfeit"),
    (EffectKind::StopClock, "stop_clock"),
];

/// Where the cards come from. Their numbers are those of the dealing scheme: place + 1.
pub const DEAL_MODES: [(DealMode, &str); 4] = [
    (DealMode::Seeded, "seeded"),
    (DealMode::Committed, "committed"),
    (DealMode::Explicit, "explicit"),
    (DealMode::Transcribed, "transcribed"),
];

/// Who writes the register before a deal.
pub const REGISTRATIONS: [(Registration, &str); 2] =
    [(Registration::Auto, "auto"), (Registration::ByTable, "by_table")];

/// How a round ended.
pub const END_REASONS: [(EndReason, &str); 8] = [
    (EndReason::Drawn, "drawn"),
    (EndReason::WentOut, "went_out"),
    (EndReason::StockExhausted, "stock_exhausted"),
    (EndReason::LastThree, "last_three"),
    (EndReason::LastDrawerDone, "last_drawer_done"),
    (EndReason::SpecialHand, "special_hand"),
    (EndReason::Ruled, "ruled"),
    (EndReason::Voided, "voided"),
];

/// The lines of a score.
pub const SCORE_ITEMS: [(ScoreItem, &str); 18] = [
    (ScoreItem::MeldedCards, "melded_cards"),
    (ScoreItem::NaturalCanastas, "natural_canastas"),
    (ScoreItem::MixedCanastas, "mixed_canastas"),
    (ScoreItem::WildCanastas, "wild_canastas"),
    (ScoreItem::SequenceCanastas, "sequence_canastas"),
    (ScoreItem::IncompleteMelds, "incomplete_melds"),
    (ScoreItem::HeldTrios, "held_trios"),
    (ScoreItem::Threes, "threes"),
    (ScoreItem::GoingOut, "going_out"),
    (ScoreItem::Concealed, "concealed"),
    (ScoreItem::Cut, "cut"),
    (ScoreItem::FootCut, "foot_cut"),
    (ScoreItem::HandCards, "hand_cards"),
    (ScoreItem::FootCards, "foot_cards"),
    (ScoreItem::Restores, "restores"),
    (ScoreItem::SpecialHand, "special_hand"),
    (ScoreItem::NoCanasta, "no_canasta"),
    (ScoreItem::Adjustments, "adjustments"),
];

/// The number of `value`: its place in `table`.
///
/// # Panics
/// If the table lacks the value: the tables are complete.
pub fn number<T: PartialEq>(table: &[(T, &str)], value: T) -> u8 {
    let place = table.iter().position(|(entry, _)| *entry == value);
    place.expect("the tables are complete") as u8
}

/// The value with this number.
pub fn from_number<T: Copy>(table: &[(T, &str)], number: u8) -> Option<T> {
    table.get(usize::from(number)).map(|&(value, _)| value)
}

/// The word for `value`.
///
/// # Panics
/// If the table lacks the value: the tables are complete.
pub fn word<T: PartialEq>(table: &[(T, &'static str)], value: T) -> &'static str {
    table[usize::from(number(table, value))].1
}

/// The value with this word.
pub fn from_word<T: Copy>(table: &[(T, &str)], word: &str) -> Option<T> {
    table.iter().find(|(_, entry)| *entry == word).map(|&(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Debug;

    fn check<T: Copy + PartialEq + Debug>(table: &[(T, &'static str)]) {
        for (place, &(value, name)) in table.iter().enumerate() {
            assert_eq!(usize::from(number(table, value)), place, "{value:?} stands twice");
            assert_eq!(from_number(table, place as u8), Some(value));
            assert_eq!(from_word(table, name), Some(value), "{name} stands twice");
            assert_eq!(word(table, value), name);
        }
        assert_eq!(from_number(table, table.len() as u8), None);
        assert_eq!(from_word(table, ""), None);
    }

    #[test]
    fn numbers_and_words_are_unique() {
        check(&MELD_KINDS);
        check(&ABOUTS);
        check(&SPECIAL_HANDS);
        check(&AUTHORITIES);
        check(&EFFECTS);
        check(&DEAL_MODES);
        check(&REGISTRATIONS);
        check(&END_REASONS);
        check(&SCORE_ITEMS);
    }
}
