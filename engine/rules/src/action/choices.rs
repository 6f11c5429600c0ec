//! The numbers and words of every choice in an action.
//!
//! The number of a choice is its index in its table; its word is the one of the interchange form. Tables grow
//! only at the end, and no number and no word is ever reused.

use super::{About, ActionKind, Authority, EffectKind, MeldKind, SpecialHand};

/// The kinds of actions.
pub const ACTION_KINDS: [(ActionKind, &str); 21] = [
    (ActionKind::Deal, "deal"),
    (ActionKind::DrawCards, "draw_cards"),
    (ActionKind::DrawStock, "draw_stock"),
    (ActionKind::TakePile, "take_pile"),
    (ActionKind::TakeTop, "take_top"),
    (ActionKind::RestorePile, "restore_pile"),
    (ActionKind::LayThrees, "lay_threes"),
    (ActionKind::TakeTalon, "take_talon"),
    (ActionKind::Meld, "meld"),
    (ActionKind::MergeMelds, "merge_melds"),
    (ActionKind::UndoMeld, "undo_meld"),
    (ActionKind::Ask, "ask"),
    (ActionKind::Answer, "answer"),
    (ActionKind::SpecialHand, "special_hand"),
    (ActionKind::Discard, "discard"),
    (ActionKind::Pass, "pass"),
    (ActionKind::EndRound, "end_round"),
    (ActionKind::CallReveal, "call_reveal"),
    (ActionKind::Ruling, "ruling"),
    (ActionKind::Dispute, "dispute"),
    (ActionKind::Sign, "sign"),
];

/// The kinds of melds and groups.
pub const MELD_KINDS: [(MeldKind, &str); 4] = [
    (MeldKind::Set, "set"),
    (MeldKind::Wild, "wild"),
    (MeldKind::Sequence, "sequence"),
    (MeldKind::BlackThrees, "black_threes"),
];

/// The subjects of questions.
pub const ABOUTS: [(About, &str); 2] = [(About::GoOut, "go_out"), (About::Courtesy, "courtesy")];

/// The kinds of special hands.
pub const SPECIAL_HANDS: [(SpecialHand, &str); 3] =
    [(SpecialHand::Straight, "straight"), (SpecialHand::Pairs, "pairs"), (SpecialHand::Garbage, "garbage")];

/// The authorities that issue rulings.
pub const AUTHORITIES: [(Authority, &str); 4] = [
    (Authority::Director, "director"),
    (Authority::Jury, "jury"),
    (Authority::Table, "table"),
    (Authority::Auto, "auto"),
];

/// The kinds of effects of rulings.
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

/// Returns the values of a table, in their order.
pub const fn values<T: Copy, const N: usize>(table: &[(T, &str); N]) -> [T; N] {
    let mut values = [table[0].0; N];
    let mut at = 1;
    while at < N {
        values[at] = table[at].0;
        at += 1;
    }
    values
}

/// Returns the number of `value`: its index in `table`.
///
/// # Panics
/// If the table lacks the value. This cannot happen, because the tables are complete.
pub fn number<T: PartialEq>(table: &[(T, &str)], value: T) -> u8 {
    let place = table.iter().position(|(entry, _)| *entry == value);
    place.expect("the tables are complete") as u8
}

/// Returns the value with this number.
pub fn from_number<T: Copy>(table: &[(T, &str)], number: u8) -> Option<T> {
    table.get(usize::from(number)).map(|&(value, _)| value)
}

/// Returns the word for `value`.
///
/// # Panics
/// If the table lacks the value. This cannot happen, because the tables are complete.
pub fn word<T: PartialEq>(table: &[(T, &'static str)], value: T) -> &'static str {
    table[usize::from(number(table, value))].1
}

/// Returns the value with this word.
pub fn from_word<T: Copy>(table: &[(T, &str)], word: &str) -> Option<T> {
    table.iter().find(|(_, entry)| *entry == word).map(|&(value, _)| value)
}
