//! The numbers and words of every choice that a record holds.
//!
//! The number of a choice in the log is its place in its table; its word is that of the interchange form.
//! Tables grow at the end only, and no number and no word is ever used again.

use crate::dealing::{DealMode, Registration};
use crate::error::FieldError;
use canasta_rules::action::{MeldId, Onto};
use canasta_rules::seat::{SEATS_MAX, Side};

pub use canasta_rules::action::choices::*;
pub use canasta_rules::event::{FREEZE_CAUSES, GRADES};
pub use canasta_rules::scoring::SCORE_ITEMS;
pub use canasta_rules::table::END_REASONS;

/// The sources of cards. Their numbers in the dealing scheme are place + 1.
pub const DEAL_MODES: [(DealMode, &str); 4] = [
    (DealMode::Seeded, "seeded"),
    (DealMode::Committed, "committed"),
    (DealMode::Explicit, "explicit"),
    (DealMode::Transcribed, "transcribed"),
];

/// The writers of the register before a deal.
pub const REGISTRATIONS: [(Registration, &str); 2] =
    [(Registration::Auto, "auto"), (Registration::ByTable, "by_table")];

/// Added to the kind of a group if the taken top is part of the group.
pub(super) const TOP: u8 = 4;

/// Encodes a target: 0 auto, 1 new, 2 + id own meld, 258 + 256 * side + id meld of that side.
pub fn onto_number(onto: Onto) -> Result<u16, FieldError> {
    Ok(match onto {
        Onto::Auto => 0,
        Onto::New => 1,
        Onto::Meld { side: None, id } => 2 + u16::from(id.0),
        Onto::Meld { side: Some(Side(side)), id } => {
            FieldError::range("onto", u64::from(side), SEATS_MAX as u64 - 1)?;
            258 + 256 * u16::from(side) + u16::from(id.0)
        }
    })
}

/// Decodes the target of a group.
///
/// # Errors
/// If the number does not stand for a target.
pub fn onto_from_number(onto: u16) -> Result<Onto, FieldError> {
    FieldError::range("onto", u64::from(onto), 257 + 256 * SEATS_MAX as u64)?;
    Ok(match onto {
        0 => Onto::Auto,
        1 => Onto::New,
        2..258 => Onto::Meld { side: None, id: MeldId((onto - 2) as u8) },
        _ => {
            let [side, id] = (onto - 258).to_be_bytes();
            Onto::Meld { side: Some(Side(side)), id: MeldId(id) }
        }
    })
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
        check(&GRADES);
        check(&FREEZE_CAUSES);
    }
}
