//! Cards that are laid tentatively, and the top of the pile that is taken before its use is shown (ALG-07).

use super::{Sink, foot, melds};
use crate::action::{CardList, MeldId};
use crate::card::Cards;
use crate::check::{Locked, Placements};
use crate::event::Event;
use crate::seat::Seat;
use crate::table::{Loose, Phase, Source, Table, TakenTop, Turn};

/// Takes the top off the pile; it then waits for its meld.
pub(super) fn take_top(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let card = table.pile.pop().expect("a take has a top");
    table.taken_top = Some(TakenTop { card, meld: None });
    table.turn.source = Source::Pile;
    table.phase = Phase::Taking;
    events.add(|| Event::TookTop { seat, card });
}

/// Returns all laid cards to the hand and the top to the pile. The turn is as it was at its beginning
/// (AMB-HN-09).
pub(super) fn restore(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let side = table.side_of(seat);
    give_back(table, seat, events);
    let top = table.taken_top.take().expect("a take is pending");
    table.pile.push(top.card);
    table.round.restores[side.index()] += 1;
    let Turn { melded_before, new_from, fresh, .. } = table.turn;
    table.turn = Turn { fresh, ..Turn::of(seat, melded_before, new_from) };
    table.phase = Phase::Start;
    events.add(|| Event::RestoredPile { seat });
}

/// Lays cards that may still return to the hand. `top` is the index of the placement that contains the taken
/// top.
pub(super) fn place(
    table: &mut Table,
    seat: Seat,
    placements: Placements,
    top: Option<u8>,
    release: Option<Locked>,
    events: &mut impl Sink,
) {
    let mut next = table.round.next_id[table.side_of(seat).index()];
    for (at, placement) in (0u8..).zip(&placements) {
        let id = match placement.target {
            Some(target) => table.melds[usize::from(target)].id,
            None => {
                next += 1;
                MeldId(next - 1)
            }
        };
        loosen(table, id, &placement.cards);
        if top == Some(at) {
            let taken = table.taken_top.as_mut().expect("a take is pending");
            taken.meld = Some(id);
            // The taken top joins the hand for a moment, so that it is laid like any other card.
            table.hands[seat.index()].insert(taken.card);
        }
    }
    melds::place_all(table, seat, placements, events);
    finish(table, seat, release, events);
}

pub(super) fn undo(
    table: &mut Table,
    seat: Seat,
    meld: MeldId,
    cards: CardList,
    release: Option<Locked>,
    events: &mut impl Sink,
) {
    let loose = table.turn.loose.iter_mut().find(|loose| loose.meld == meld).expect("the cards are loose");
    for &card in &cards {
        loose.cards.remove(card);
    }
    table.turn.loose.retain(|loose| !loose.cards.is_empty());
    take_back(table, seat, meld, cards, events);
    finish(table, seat, release, events);
}

/// Takes the pile if its top is released. If instead the hand is empty, picks up the foot or goes out.
fn finish(table: &mut Table, seat: Seat, release: Option<Locked>, events: &mut impl Sink) {
    if let Some(locked) = release {
        table.turn.loose.retain(|loose| !locked.contains(&loose.meld));
        table.taken_top = None;
        melds::open(table, seat);
        melds::receive_pile(table, seat, events);
    } else if table.hands[seat.index()].is_empty() {
        settle(table, seat);
        foot::pick_up_or_go_out(table, seat, events);
    }
}

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
        melds::open(table, seat);
    }
}

fn loosen(table: &mut Table, meld: MeldId, cards: &CardList) {
    let loose = &mut table.turn.loose;
    let at = loose.partition_point(|l| l.meld < meld);
    if loose.get(at).is_none_or(|l| l.meld != meld) {
        loose.insert(at, Loose { meld, cards: Cards::EMPTY });
    }
    for &card in cards {
        loose[at].cards.insert(card);
    }
}

/// Moves cards from a meld of the own side to the hand. If the last loose copy of the taken top is among
/// them, the top leaves the hand again and has no meld.
fn take_back(table: &mut Table, seat: Seat, id: MeldId, cards: CardList, events: &mut impl Sink) {
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
