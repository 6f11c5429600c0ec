//! Cards that are laid tentatively and return to the hand, or are locked as the turn ends (ALG-07).

use super::{Sink, open};
use crate::action::{CardList, MeldId};
use crate::card::Cards;
use crate::event::Event;
use crate::seat::Seat;
use crate::table::{Loose, Table};

/// Returns all tentatively laid cards to the hand: for a restored pile, or because the round ends before the
/// turn does, when untested cards are no meld.
pub(super) fn give_back(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    for Loose { meld, cards } in core::mem::take(&mut table.turn.loose) {
        take_back(table, seat, meld, cards.iter().collect(), events);
    }
}

/// Locks the cards that were laid tentatively, because the turn ends.
pub(super) fn settle(table: &mut Table, seat: Seat) {
    if !table.turn.loose.is_empty() {
        table.turn.loose.clear();
        open(table, seat);
    }
}

/// Moves cards from a meld of the own side to the hand. If the last loose copy of the taken top is among
/// them, the top leaves the hand again and has no meld.
pub(super) fn take_back(table: &mut Table, seat: Seat, id: MeldId, cards: CardList, events: &mut impl Sink) {
    let side = table.side_of(seat);
    let at =
        table.melds.iter().position(|m| m.side == side && m.id == id).expect("loose cards lie in a meld");
    for &card in &cards {
        let laid = table.melds[at].cards.remove(card);
        assert!(laid, "a loose card lies in its meld");
        table.hands[seat.index()].insert(card);
    }
    let loose = table.loose_of(id).copied().unwrap_or(Cards::EMPTY);
    if let Some(top) = table.taken_top.as_mut().filter(|t| t.meld == Some(id) && loose.count(t.card) == 0) {
        top.meld = None;
        table.hands[seat.index()].remove(top.card);
    }
    if table.melds[at].is_empty() {
        table.melds.remove(at);
    }
    events.add(|| Event::Unmelded { side, meld: id, cards });
}
