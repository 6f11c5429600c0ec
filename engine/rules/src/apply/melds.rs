//! Laying cards, and taking the pile (ALG-06).

use super::{Sink, foot, formation, fresh, loose, open, start_play, stock};
use crate::action::CardList;
use crate::card::Cards;
use crate::check::{Placement, portion_under_top};
use crate::event::Event;
use crate::seat::{Seat, Side};
use crate::table::{Meld, Phase, Source, Table};
use smallvec::SmallVec;

pub(super) fn lay(
    table: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut impl Sink,
) {
    place_all(table, seat, placements, events);
    open(table, seat);
    if table.hands[seat.index()].is_empty() {
        foot::pick_up_or_go_out(table, seat, events);
    }
}

pub(super) fn take(
    table: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut impl Sink,
) {
    lay_top(table, seat, placements, events);
    receive_pile(table, seat, events);
}

/// Takes only the top of the pile (HN-048). The rest of the pile stays where it is.
pub(super) fn take_only_top(
    table: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut impl Sink,
) {
    lay_top(table, seat, placements, events);
    table.round.start_len = table.round.start_len.min(table.pile.len() as u16);
    events.add(|| Event::TookPile { seat, cards: CardList::new() });
    start_play(table, Source::TopOnly);
    fresh::close_window(table);
}

/// Moves the top to the hand for a moment, so that the first placement can lay it like any other card.
fn lay_top(
    table: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut impl Sink,
) {
    let top = table.pile.pop().expect("a take has a top");
    table.hands[seat.index()].insert(top);
    place_all(table, seat, placements, events);
    open(table, seat);
}

/// Moves the cards under the top to the hand, and begins the phase of play.
pub(super) fn receive_pile(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let left = table.pile.len() - portion_under_top(table.set(), table.pile.len());
    let cards: CardList = table.pile.drain(left..).collect();
    table.round.start_len = table.round.start_len.min(left as u16);
    table.freeze = table.causes_of_pile();
    events.add(|| Event::TookPile { seat, cards: cards.clone() });
    let (laid, held): (CardList, CardList) =
        cards.into_iter().partition(|&card| table.set().sets_aside(card));
    held.into_iter().for_each(|card| table.hands[seat.index()].insert(card));
    let mut unreplaced = false;
    for card in laid {
        stock::lay_three(table, seat, card, events);
        // CL-072: no replacement, unless the rule set replaces these threes (AMB-HF-10); never of black ones (CL-117).
        let replaced = table.set().pile_threes_replaced && table.set().is_red_bonus(card);
        unreplaced |= replaced && !stock::replace(table, seat, events);
    }
    formation::fix_sides(table, seat, events);
    start_play(table, Source::Pile);
    fresh::close_window(table);
    if unreplaced {
        stock::last_three(table, seat, events);
    }
    if table.phase != Phase::Play {
        return;
    }
    if table.hands[seat.index()].is_empty() {
        loose::settle(table, seat);
        foot::pick_up_or_go_out(table, seat, events);
    }
}

/// Merges two own melds. A merge counts as melding (clarification 15).
pub(super) fn merge(table: &mut Table, seat: Seat, (a, b): (u8, u8), events: &mut impl Sink) {
    let (first, second) = (&table.melds[usize::from(a)], &table.melds[usize::from(b)]);
    let (side, ids, before) = (first.side, (first.id, second.id), first.grade(table.set()));
    let joins_old = ids.0.0 < table.turn.new_from || ids.1.0 < table.turn.new_from;
    table.turn.touched_old |= joins_old;
    table.turn.melded_since_draw = true;
    fresh::close_window(table);
    table.round.has_melded |= 1 << seat.0;
    table.unite(a, b);
    events.add(|| Event::Merged { side, a: ids.0, b: ids.1 });
    let after = table.meld(side, ids.0).and_then(|meld| meld.grade(table.set()));
    if let Some(grade) = after.filter(|_| after != before) {
        events.add(|| Event::Canasta { side, meld: ids.0, grade });
    }
}

pub(super) fn place_all(
    table: &mut Table,
    seat: Seat,
    placements: impl IntoIterator<Item = Placement>,
    events: &mut impl Sink,
) {
    let side = table.side_of(seat);
    // Targets are indices into the melds before this action, so new melds are inserted at the end.
    let mut fresh: SmallVec<[Meld; 4]> = SmallVec::new();
    for placement in placements {
        for &card in &placement.cards {
            let held = table.hands[seat.index()].remove(card);
            assert!(held, "a melded card is held");
            table.release(seat, card);
        }
        match placement.target {
            Some(at) => {
                table.turn.touched_old |= table.melds[usize::from(at)].id.0 < table.turn.new_from;
                grow(table, usize::from(at), placement, events);
            }
            None => fresh.push(begin(table, side, placement, events)),
        }
    }
    for meld in fresh {
        table.insert_meld(meld);
    }
}

fn grow(table: &mut Table, at: usize, placement: Placement, events: &mut impl Sink) {
    let before = table.melds[at].grade(table.set());
    let meld = &mut table.melds[at];
    for &card in &placement.cards {
        meld.cards.insert(card);
    }
    let (side, id) = (meld.side, meld.id);
    events.add(|| Event::Melded { side, meld: id, kind: meld.kind, rank: meld.rank, cards: placement.cards });
    let after = table.melds[at].grade(table.set());
    if let Some(grade) = after.filter(|_| after != before) {
        events.add(|| Event::Canasta { side, meld: id, grade });
    }
}

fn begin(table: &mut Table, side: Side, placement: Placement, events: &mut impl Sink) -> Meld {
    let id = table.begin_meld_id(side);
    let Placement { kind, rank, cards, .. } = placement;
    let meld = Meld { side, id, kind, rank, cards: cards.iter().copied().collect::<Cards>() };
    let grade = meld.grade(table.set());
    events.add(|| Event::Melded { side, meld: id, kind, rank, cards });
    if let Some(grade) = grade {
        events.add(|| Event::Canasta { side, meld: id, grade });
    }
    meld
}
