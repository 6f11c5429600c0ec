//! Threes: those that may or must be laid, and those that may not be discarded (ALG-03).

use super::out::may_go_out;
use crate::card::{Card, Cards, Class};
use crate::rules::{DiscardThrees, DiscardWilds, RuleSet, ThreesKeep, ThreesWindow};
use crate::table::{Phase, Table};

/// Returns the minimum number of cards that stay when the side may not go out (ALG-13): one to keep and one to
/// discard, or one for which the discard is passed (HN-044).
pub(crate) fn least_kept(set: &RuleSet) -> u16 {
    if set.pass_discard { 1 } else { 2 }
}

/// Returns the minimum number of cards that the seat in turn needs to end its turn, before or after its draw.
pub(crate) fn least_to_end(table: &Table) -> u8 {
    let side = table.side_of(table.turn.seat);
    let one = table.phase == Phase::Start || may_go_out(table, table.canastas(side));
    if one { 1 } else { least_kept(table.set()) as u8 }
}

/// Returns the threes that the seat in turn may lay now, before or after its draw.
pub(crate) fn layable_threes(table: &Table) -> Cards {
    let set = table.set();
    let fresh_only = table.phase != Phase::Start && set.threes_window == ThreesWindow::StartOrFresh;
    if fresh_only { table.turn.fresh } else { held_threes(table) }
}

/// Returns the threes in the hand of the seat in turn that the rule set allows to be laid.
pub(crate) fn held_threes(table: &Table) -> Cards {
    let hand = table.hand(table.turn.seat);
    let laid = table.set().laid_classes().fold(0, |kinds, class| kinds | class.kinds());
    let mut threes = Cards::EMPTY;
    Card::of_kinds(hand.held() & laid).for_each(|card| threes.insert_copies(card, hand.count(card)));
    threes
}

/// Returns the threes that must be laid before anything else is done (MA-039, threes_keep); empty if there are
/// none.
pub fn must_lay(table: &Table) -> Cards {
    let set = table.set();
    if !set.lays_threes_by_choice() {
        return Cards::EMPTY;
    }
    let threes = layable_threes(table);
    if threes.is_empty() || (may_keep(table) && !is_stranded(table)) { Cards::EMPTY } else { threes }
}

fn may_keep(table: &Table) -> bool {
    match table.set().threes_keep {
        ThreesKeep::Free => true,
        ThreesKeep::StraightOnly => {
            held_threes(table).len() <= 1 && !table.opened(table.side_of(table.turn.seat))
        }
        ThreesKeep::Never => false,
    }
}

/// Whether the hand could make no discard with these threes (MA-039). Before the draw this binds only if a
/// three could not be laid after the draw, and never at an empty stock, where the round ends anyway (AC-08).
fn is_stranded(table: &Table) -> bool {
    let set = table.set();
    let later = set.threes_window == ThreesWindow::AnyTime || table.stock.is_empty();
    if table.phase == Phase::Start && later {
        return false;
    }
    !table.hand(table.turn.seat).kinds().any(|(card, _)| may_go(table, card))
}

/// Whether this card can be discarded from a hand that holds a three and keeps a card.
fn may_go(table: &Table, card: Card) -> bool {
    match card.class() {
        Class::Natural => true,
        Class::Wild => table.set().discard_wilds == DiscardWilds::Any,
        class => !bars_three(table, class),
    }
}

/// Whether the seat in turn may not discard threes of this class while a card stays in the hand.
pub(crate) fn bars_three(table: &Table, class: Class) -> bool {
    match table.set().discard_threes {
        DiscardThrees::BlackLater if class == Class::BlackThree => is_first_turn(table),
        DiscardThrees::Black | DiscardThrees::BlackLater => class == Class::RedThree,
        DiscardThrees::Any => false,
        DiscardThrees::FinalOnly => matches!(class, Class::RedThree | Class::BlackThree),
    }
}

/// Whether the seat in turn has had no turn in this round, if the rules ask for it (CL-112, IR-042).
pub(crate) fn is_first_turn(table: &Table) -> bool {
    table.set().marks_turns() && table.round.played & (1 << table.turn.seat.0) == 0
}
