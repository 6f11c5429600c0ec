//! Cards that are laid tentatively, and the top of the pile that is taken before its use is shown (ALG-07).

use super::{Sink, foot, loose, melds, open};
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
    loose::give_back(table, seat, events);
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
    loose::take_back(table, seat, meld, cards, events);
    finish(table, seat, release, events);
}

/// Takes the pile if its top is released. If instead the hand is empty, picks up the foot or goes out.
fn finish(table: &mut Table, seat: Seat, release: Option<Locked>, events: &mut impl Sink) {
    if let Some(locked) = release {
        table.turn.loose.retain(|loose| !locked.contains(&loose.meld));
        table.taken_top = None;
        open(table, seat);
        melds::receive_pile(table, seat, events);
    } else if table.hands[seat.index()].is_empty() {
        loose::settle(table, seat);
        foot::pick_up_or_go_out(table, seat, events);
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
