//! Tests of non-interference: what a viewer is told does not depend on cards that it cannot see.

extern crate std;

use super::positions::{Pins, Rng, dealt, play_on, twin};
use super::{As, Table, events, view};
use crate::action::{Action, ActionKind, CardList, Group, Groups, MeldId, MeldKind, Onto, TakePile};
use crate::apply::act;
use crate::card::{Card, Cards, Class};
use crate::check::check;
use crate::check::legal;
use crate::event::{Event, Events};
use crate::invariant;
use crate::seat::Seat;
use crate::table::Phase;
use alloc::vec::Vec;
use std::println;

/// The number of pairs of states that are compared, unless `CANASTA_PAIRS` gives another number.
const PAIRS: u32 = 10_000;

/// Counts of the cases that the pairs have covered.
#[derive(Default, Debug)]
struct Covered {
    pairs: u32,
    /// The number of pairs that differ in a card.
    differ: u32,
    refusals: u32,
    steps: u32,
    draws: u32,
    takes: u32,
    melds: u32,
    discards: u32,
    asks: u32,
    answers: u32,
    /// Pairs by viewer: the seats, then the table.
    viewers: [u32; 5],
}

fn viewers() -> impl Iterator<Item = As> {
    (0..4).map(|seat| As::Seat(Seat(seat))).chain([As::Table])
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the environment says how many pairs")]
fn nobody_is_told_what_they_cannot_see() {
    let pairs = std::env::var("CANASTA_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(PAIRS);
    let (mut seen, mut rng) = (Covered::default(), Rng(11));
    for game in 0.. {
        let (mut table, _) = dealt(2, game);
        let mut other = Rng(u64::from(game));
        play_on(&mut table, &mut rng, |table| {
            if other.below(3) == 0 && seen.pairs < pairs {
                compare(table, &mut seen, &mut other);
            }
        });
        if seen.pairs >= pairs {
            break;
        }
    }
    println!("{seen:?}");
    let counts = [seen.refusals, seen.steps, seen.draws, seen.takes, seen.melds, seen.discards];
    assert!(counts.into_iter().chain(seen.viewers).all(|count| count > 0), "{seen:?}");
    assert!(seen.differ * 10 > seen.pairs * 9, "twins differ: {seen:?}");
}

fn compare(table: &Table, seen: &mut Covered, rng: &mut Rng) {
    let steps = legal::steps(table);
    let action = &steps.actions[rng.below(steps.actions.len())];
    for (i, viewer) in viewers().enumerate() {
        let twin = twin_that(table, viewer, Pins::NONE, rng, |_| true);
        seen.pairs += 1;
        seen.viewers[i] += 1;
        seen.differ += u32::from(view(table, As::Judge) != view(&twin, As::Judge));
        assert_eq!(view(table, viewer), view(&twin, viewer));
        for _ in 0..4 {
            let probe = probe(table, viewer, rng);
            let (a, b) = (check(table, viewer, &probe).err(), check(&twin, viewer, &probe).err());
            assert_eq!(a, b, "{probe:?}");
            seen.refusals += u32::from(a.is_some());
        }
        if table.to_act().map(As::Seat) == Some(viewer) {
            assert_eq!(steps, legal::steps(&twin));
            seen.steps += 1;
        }
        compare_after(table, viewer, action, seen, rng);
    }
}

/// Compares the same action in two states that look the same to `viewer`: they must also look the same
/// afterwards, as far as the viewer may see.
fn compare_after(table: &Table, viewer: As, action: &Action, seen: &mut Covered, rng: &mut Rng) {
    let seat = table.to_act().expect("a round is on");
    let mut pins = Pins::NONE;
    pins.hands[seat.index()] = named(action);
    if viewer == As::Seat(seat) && *action == Action::DrawStock {
        // The drawer sees the draw: red threes and the card that stays.
        let threes = table.stock.iter().rev().take_while(|card| card.class() == Class::RedThree).count();
        pins.stock = (threes + 1).min(table.stock.len());
    }
    let mut other = twin_that(table, viewer, pins, rng, |twin| check(twin, As::Seat(seat), action).is_ok());
    let mut one = table.clone();
    let first = act(&mut one, As::Seat(seat), action).expect("a step is legal");
    let second = act(&mut other, As::Seat(seat), action).expect("legal for the actor's own hand");
    assert_eq!(events(&first, viewer), events(&second, viewer), "{viewer:?} {action:?}");
    assert_eq!(view(&one, viewer), view(&other, viewer), "{viewer:?} {action:?}");
    let count = match action.kind() {
        ActionKind::DrawStock => &mut seen.draws,
        ActionKind::TakePile => &mut seen.takes,
        ActionKind::Meld => &mut seen.melds,
        ActionKind::Discard => &mut seen.discards,
        ActionKind::Ask => &mut seen.asks,
        ActionKind::Answer => &mut seen.answers,
        _ => return,
    };
    *count += 1;
}

/// Returns a twin that is a valid position and for which `holds` is true. If a public fact depends on a whole
/// hand (a seat that asks can go out), the hand of the seat in turn stays as it is.
fn twin_that(
    table: &Table,
    viewer: As,
    mut pins: Pins,
    rng: &mut Rng,
    holds: impl Fn(&Table) -> bool,
) -> Table {
    let fits = |twin: &Table| invariant::check_all(twin).is_ok() && holds(twin);
    let free = twin(table, viewer, &pins, rng);
    if fits(&free) {
        return free;
    }
    let seat = table.turn_seat();
    pins.hands[seat.index()] = *table.hand(seat);
    let pinned = twin(table, viewer, &pins, rng);
    assert!(fits(&pinned), "nothing else depends on a hidden card: {pinned:?}");
    pinned
}

/// Returns the hand cards that `action` shows.
fn named(action: &Action) -> Cards {
    let of_groups = |groups: &Groups| groups.iter().flat_map(|g| g.cards.iter().copied()).collect();
    match action {
        Action::TakePile(take) => {
            let mut cards: Cards = of_groups(&take.also);
            cards.add(&take.with.iter().copied().collect());
            cards
        }
        Action::Meld(groups) => of_groups(groups),
        Action::Discard(card) => [*card].into_iter().collect(),
        _ => Cards::EMPTY,
    }
}

/// Returns an action that is mostly illegal, with cards from the viewer's hand, from the pile and from
/// anywhere.
fn probe(table: &Table, viewer: As, rng: &mut Rng) -> Action {
    match rng.below(9) {
        0 => Action::DrawStock,
        1 => Action::EndRound,
        2 => Action::Discard(card(table, viewer, rng)),
        3 => Action::Answer { yes: rng.below(2) == 0 },
        4 => Action::Ask { about: crate::action::About::GoOut, to: None, with: None },
        5 => Action::Deal(Default::default()),
        6 | 7 => Action::TakePile(TakePile {
            with: list(table, viewer, rng),
            onto: onto(rng),
            also: (0..rng.below(2)).map(|_| group(table, viewer, rng)).collect(),
        }),
        _ => Action::Meld((0..=rng.below(2)).map(|_| group(table, viewer, rng)).collect()),
    }
}

fn card(table: &Table, viewer: As, rng: &mut Rng) -> Card {
    let own: Vec<Card> = match viewer {
        As::Seat(seat) => table.hand(seat).iter().collect(),
        _ => Vec::new(),
    };
    match rng.below(8) {
        0 => Card::from_kind(rng.below(53) as u8).expect("below 53 are kinds"),
        1 if !table.pile().is_empty() => table.pile()[rng.below(table.pile().len())],
        _ if own.is_empty() => Card::JOKER,
        _ => own[rng.below(own.len())],
    }
}

/// Returns cards mostly of one rank, from the hand.
fn list(table: &Table, viewer: As, rng: &mut Rng) -> CardList {
    let first = card(table, viewer, rng);
    let mut cards: CardList = core::iter::once(first).collect();
    if let As::Seat(seat) = viewer {
        let fits = |card: &Card| card.rank() == first.rank() || card.is_wild();
        cards.extend(table.hand(seat).iter().filter(fits).take(rng.below(5)));
    }
    cards
}

fn group(table: &Table, viewer: As, rng: &mut Rng) -> Group {
    let kinds = [MeldKind::Set, MeldKind::Set, MeldKind::Set, MeldKind::Wild, MeldKind::BlackThrees];
    let kind = kinds[rng.below(kinds.len())];
    Group { kind, onto: onto(rng), top: false, cards: list(table, viewer, rng) }
}

fn onto(rng: &mut Rng) -> Onto {
    match rng.below(4) {
        0 => Onto::New,
        1 => Onto::Meld { side: None, id: MeldId(rng.below(4) as u8) },
        _ => Onto::Auto,
    }
}

/// Checks that two walls look the same to a seat if they give it the same cards and have the pile and the red
/// threes at the same places.
#[test]
fn a_deal_tells_a_seat_its_own_cards_only() {
    for game in 0..50 {
        let (table, happened) = dealt(4, game);
        for viewer in viewers() {
            let mut wall = wall(&table, &happened, viewer);
            let one = deal_from(&table, &wall);
            assert_eq!(one.1, happened, "the wall is the one that was dealt");
            let mut hidden: Vec<Card> = wall.iter().filter(|place| place.1).map(|place| place.0).collect();
            Rng(u64::from(game)).shuffle(&mut hidden);
            for place in wall.iter_mut().filter(|place| place.1) {
                place.0 = hidden.pop().expect("as many as were gathered");
            }
            let other = deal_from(&table, &wall);
            assert_ne!(view(&one.0, As::Judge), view(&other.0, As::Judge));
            assert_eq!(view(&one.0, viewer), view(&other.0, viewer));
            assert_eq!(events(&one.1, viewer), events(&other.1, viewer));
        }
    }
}

/// Returns the wall that was dealt, from the events and the rest of the stock. Each card has a flag: whether
/// `viewer` learns nothing about it.
fn wall(table: &Table, happened: &[Event], viewer: As) -> Vec<(Card, bool)> {
    let hidden = |seat, card: Card| (card, viewer != As::Seat(seat) && card.class() != Class::RedThree);
    let mut wall = Vec::new();
    for event in happened {
        match event {
            Event::Dealt { hands, .. } => {
                let leader = table.dealer().left(4).0;
                let order = (0..11).flat_map(|i| (0..4).map(move |k| (i, Seat((leader + k) % 4))));
                wall.extend(order.map(|(i, seat)| hidden(seat, hands[seat.index()][i])));
            }
            Event::Upcard { card, .. } => wall.push((*card, false)),
            Event::Replaced { seat, card } => wall.push(hidden(*seat, *card)),
            _ => {}
        }
    }
    wall.extend(table.stock.iter().rev().map(|&card| (card, card.class() != Class::RedThree)));
    wall
}

fn deal_from(table: &Table, wall: &[(Card, bool)]) -> (Table, Events) {
    let wall = wall.iter().map(|place| place.0).collect();
    let mut table = table.clone();
    table.phase = Phase::Deal;
    let happened = super::positions::deal(&mut table, wall);
    (table, happened)
}
