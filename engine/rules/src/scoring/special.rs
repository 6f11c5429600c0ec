//! The score of a special hand (MA-181 to MA-185).

use crate::action::SpecialHand;
use crate::rules::RuleSet;
use crate::seat::Side;
use crate::table::{RoundOver, Table};

/// Returns the score of the side of a special hand, which replaces all other lines (MA-181 to MA-185).
pub(super) fn score(table: &Table, side: Side, over: RoundOver) -> Option<i32> {
    let hand = table.round.special?;
    let seat = over.seat.filter(|&seat| table.side_of(seat) == side)?;
    let [without, with] = special_scores(table.set(), hand);
    Some(if table.hand(seat).wilds() > 0 { with } else { without })
}

/// Returns the points of a special hand without a wild pair, and with one.
pub(crate) fn special_scores(set: &RuleSet, hand: SpecialHand) -> [i32; 2] {
    let scores = &set.special_scores;
    match hand {
        SpecialHand::Straight => [scores.straight; 2],
        SpecialHand::Pairs => [scores.pairs, scores.pairs_with_wilds],
        SpecialHand::Garbage => [scores.garbage; 2],
    }
}
