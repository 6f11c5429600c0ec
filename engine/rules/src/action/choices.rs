//! The numbers and words of every choice that an action holds.
//!
//! A choice's number is its place in its table, its word is that of the interchange form. Tables grow at the end only; no
//! number and no word is ever used again.

use super::{About, Authority, EffectKind, MeldKind, SpecialHand};

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
