//! The numbers and words of every choice that a record holds.
//!
//! The number of a choice in the log is its place in its table; its word is that of the interchange form.
//! Tables grow at the end only, and no number and no word is ever used again.

use crate::dealing::{DealMode, Registration};

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
