//! The invariants of the pile.

use super::ensure;
use crate::card::{Cards, Class};
use crate::rules::DiscardThrees;
use crate::table::{Found, Table, say};

pub(super) fn start_within_pile(table: &Table) -> Result<(), Found> {
    let taken = usize::from(table.taken_top.is_some());
    let (start, pile) = (usize::from(table.round.start_len), table.pile.len() + taken);
    ensure(start <= pile, || say!(""; "the deal turned ", start, " {card|cards}; the pile has ", pile))
}

/// Tests that no red three lies in the pile besides those that the deal turned, each of which was covered where the rule
/// set covers them (CL-012).
pub(super) fn red_threes_covered(table: &Table) -> Result<(), Found> {
    let set = table.set();
    if set.discard_threes == DiscardThrees::Any {
        return Ok(());
    }
    let start = usize::from(table.round.start_len);
    // The last card of the start needs no cover, and each card under it does. Where a part of the pile is taken, the covers may
    // be gone.
    let is_covered = set.start_cover.contains(Class::RedThree) && set.pile_portion == 0;
    let last = if is_covered { start.saturating_sub(1) } else { start };
    let bare = |(at, _): &(usize, &crate::card::Card)| {
        let under = &table.pile[..*at];
        *at >= last || under.iter().any(|card| !set.start_cover.contains(card.class()))
    };
    let found: Cards = table
        .pile
        .iter()
        .enumerate()
        .filter(|(_, card)| card.class() == Class::RedThree)
        .filter(bare)
        .map(|(_, card)| *card)
        .collect();
    ensure(
        found.is_empty(),
        || say!("CL-012 CL-069"; found, " lies in the pile; a red three is laid, and one that is turned at the deal is covered"),
    )
}
