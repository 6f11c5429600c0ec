//! What is laid tentatively, and the top of the pile that is taken before its use is shown (ALG-07).

use super::{foot, melds};
use crate::action::{CardList, MeldId};
use crate::card::Cards;
use crate::check::{Locked, Placement};
use crate::event::{Event, Events};
use crate::seat::Seat;
use crate::table::{Loose, Phase, Source, Table, TakenTop, Turn};
use smallvec::SmallVec;

/// The top leaves the pile and waits for its meld.
pub(super) fn take_top(state: &mut Table, seat: Seat, events: &mut Events) {
    let card = state.pile.pop().expect("a take has a top");
    state.taken_top = Some(TakenTop { card, meld: None });
    state.turn.source = Source::Pile;
    state.phase = Phase::Taking;
    events.push(Event::TookTop { seat, card });
}

/// Everything that was laid returns, the top to the pile; the turn is where it began (AMB-HN-09).
pub(super) fn restore(state: &mut Table, seat: Seat, events: &mut Events) {
    let side = state.side_of(seat);
    give_back(state, seat, events);
    let top = state.taken_top.take().expect("a take is pending");
    state.pile.push(top.card);
    state.round.restores[side.index()] += 1;
    let Turn { melded_before, new_from, fresh, .. } = state.turn;
    state.turn = Turn { fresh, ..Turn::of(seat, melded_before, new_from) };
    state.phase = Phase::Start;
    events.push(Event::RestoredPile { seat });
}

/// Lays cards that may still return. `top` is the placement with the taken top.
pub(super) fn place(
    state: &mut Table,
    seat: Seat,
    placements: SmallVec<[Placement; 4]>,
    top: Option<u8>,
    release: Option<Locked>,
    events: &mut Events,
) {
    let mut next = state.round.next_id[state.side_of(seat).index()];
    for (at, placement) in (0u8..).zip(&placements) {
        let id = match placement.target {
            Some(target) => state.melds[usize::from(target)].id,
            None => {
                next += 1;
                MeldId(next - 1)
            }
        };
        loosen(state, id, &placement.cards);
        if top == Some(at) {
            let taken = state.taken_top.as_mut().expect("a take is pending");
            taken.meld = Some(id);
            // It joins the hand for a moment, so that it is laid like any other card.
            state.hands[seat.index()].insert(taken.card);
        }
    }
    melds::place_all(state, seat, placements, events);
    finish(state, seat, release, events);
}

pub(super) fn undo(
    state: &mut Table,
    seat: Seat,
    meld: MeldId,
    cards: CardList,
    release: Option<Locked>,
    events: &mut Events,
) {
    let loose = state.turn.loose.iter_mut().find(|loose| loose.meld == meld).expect("the cards are loose");
    for &card in &cards {
        loose.cards.remove(card);
    }
    state.turn.loose.retain(|loose| !loose.cards.is_empty());
    take_back(state, seat, meld, cards, events);
    finish(state, seat, release, events);
}

/// The pile follows its top, if that is released; a hand that is empty then goes out.
fn finish(state: &mut Table, seat: Seat, release: Option<Locked>, events: &mut Events) {
    if let Some(locked) = release {
        state.turn.loose.retain(|loose| !locked.contains(&loose.meld));
        state.taken_top = None;
        melds::open(state, seat);
        melds::receive_pile(state, seat, events);
    } else if state.hands[seat.index()].is_empty() {
        settle(state, seat);
        foot::pick_up_or_go_out(state, seat, events);
    }
}

/// The round ends before the turn does: what was laid and never tested is no meld.
pub(super) fn give_back(state: &mut Table, seat: Seat, events: &mut Events) {
    for Loose { meld, cards } in core::mem::take(&mut state.turn.loose) {
        take_back(state, seat, meld, cards.iter().collect(), events);
    }
}

/// The turn ends: what was laid stays.
pub(super) fn settle(state: &mut Table, seat: Seat) {
    if !state.turn.loose.is_empty() {
        state.turn.loose.clear();
        melds::open(state, seat);
    }
}

fn loosen(state: &mut Table, meld: MeldId, cards: &CardList) {
    let loose = &mut state.turn.loose;
    let at = loose.partition_point(|l| l.meld < meld);
    if loose.get(at).is_none_or(|l| l.meld != meld) {
        loose.insert(at, Loose { meld, cards: Cards::EMPTY });
    }
    for &card in cards {
        loose[at].cards.insert(card);
    }
}

/// Cards leave a meld of the own side for the hand; the taken top goes last, back to its place.
fn take_back(state: &mut Table, seat: Seat, id: MeldId, cards: CardList, events: &mut Events) {
    let side = state.side_of(seat);
    let at =
        state.melds.iter().position(|m| m.side == side && m.id == id).expect("loose cards lie in a meld");
    for &card in &cards {
        let laid = state.melds[at].cards.remove(card);
        assert!(laid, "a loose card lies in its meld");
        state.hands[seat.index()].insert(card);
    }
    let loose = state.loose_of(id).copied().unwrap_or(Cards::EMPTY);
    if let Some(top) = state.taken_top.as_mut().filter(|t| t.meld == Some(id) && loose.count(t.card) == 0) {
        top.meld = None;
        state.hands[seat.index()].remove(top.card);
    }
    if state.melds[at].is_empty() {
        state.melds.remove(at);
    }
    events.push(Event::Unmelded { side, meld: id, cards });
}
