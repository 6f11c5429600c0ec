//! Non-interference: what a viewer is told does not depend on what it cannot see.

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

/// Pairs of states compared, unless `CANASTA_PAIRS` names another number.
const PAIRS: u32 = 10_000;

/// What the pairs have covered.
#[derive(Default, Debug)]
struct Covered {
    pairs: u32,
    /// Pairs that differ in a card.
    differ: u32,
    refusals: u32,
    steps: u32,
    draws: u32,
    takes: u32,
    melds: u32,
    discards: u32,
    asks: u32,
    answers: u32,
    /// By seat, then the table.
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
        let (mut state, _) = dealt(2, game);
        let mut other = Rng(u64::from(game));
        play_on(&mut state, &mut rng, |state| {
            if other.below(3) == 0 && seen.pairs < pairs {
                compare(state, &mut seen, &mut other);
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

fn compare(state: &Table, seen: &mut Covered, rng: &mut Rng) {
    let steps = legal::steps(state);
    let action = &steps.actions[rng.below(steps.actions.len())];
    for (i, viewer) in viewers().enumerate() {
        let twin = twin_that(state, viewer, Pins::NONE, rng, |_| true);
        seen.pairs += 1;
        seen.viewers[i] += 1;
        seen.differ += u32::from(view(state, As::Judge) != view(&twin, As::Judge));
        assert_eq!(view(state, viewer), view(&twin, viewer));
        for _ in 0..4 {
            let probe = probe(state, viewer, rng);
            let (a, b) = (check(state, viewer, &probe).err(), check(&twin, viewer, &probe).err());
            assert_eq!(a, b, "{probe:?}");
            seen.refusals += u32::from(a.is_some());
        }
        if state.to_act().map(As::Seat) == Some(viewer) {
            assert_eq!(steps, legal::steps(&twin));
            seen.steps += 1;
        }
        compare_after(state, viewer, action, seen, rng);
    }
}

/// The same action in two states that look the same to `viewer` before and, as far as it may, after it.
fn compare_after(state: &Table, viewer: As, action: &Action, seen: &mut Covered, rng: &mut Rng) {
    let seat = state.to_act().expect("a round is on");
    let mut pins = Pins::NONE;
    pins.hands[seat.index()] = named(action);
    if viewer == As::Seat(seat) && *action == Action::DrawStock {
        // The drawer sees the draw: red threes and the card that stays.
        let threes = state.stock.iter().rev().take_while(|card| card.class() == Class::RedThree).count();
        pins.stock = (threes + 1).min(state.stock.len());
    }
    let mut other = twin_that(state, viewer, pins, rng, |twin| check(twin, As::Seat(seat), action).is_ok());
    let mut one = state.clone();
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

/// A twin that is a position and for which `holds`. Where a public fact speaks of a whole hand (whoever asks
/// can go out), the hand of whoever is in turn stays as it is.
fn twin_that(
    state: &Table,
    viewer: As,
    mut pins: Pins,
    rng: &mut Rng,
    holds: impl Fn(&Table) -> bool,
) -> Table {
    let fits = |twin: &Table| invariant::check_all(twin).is_ok() && holds(twin);
    let free = twin(state, viewer, &pins, rng);
    if fits(&free) {
        return free;
    }
    let seat = state.turn_seat();
    pins.hands[seat.index()] = *state.hand(seat);
    let pinned = twin(state, viewer, &pins, rng);
    assert!(fits(&pinned), "nothing else depends on a hidden card: {pinned:?}");
    pinned
}

/// The hand cards that `action` shows.
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

/// An action that is mostly illegal, with cards from the viewer's hand, the pile and anywhere.
fn probe(state: &Table, viewer: As, rng: &mut Rng) -> Action {
    match rng.below(9) {
        0 => Action::DrawStock,
        1 => Action::EndRound,
        2 => Action::Discard(card(state, viewer, rng)),
        3 => Action::Answer { yes: rng.below(2) == 0 },
        4 => Action::Ask { about: crate::action::About::GoOut, to: None },
        5 => Action::Deal(Default::default()),
        6 | 7 => Action::TakePile(TakePile {
            with: list(state, viewer, rng),
            onto: onto(rng),
            also: (0..rng.below(2)).map(|_| group(state, viewer, rng)).collect(),
        }),
        _ => Action::Meld((0..=rng.below(2)).map(|_| group(state, viewer, rng)).collect()),
    }
}

fn card(state: &Table, viewer: As, rng: &mut Rng) -> Card {
    let own: Vec<Card> = match viewer {
        As::Seat(seat) => state.hand(seat).iter().collect(),
        _ => Vec::new(),
    };
    match rng.below(8) {
        0 => Card::from_kind(rng.below(53) as u8).expect("below 53 are kinds"),
        1 if !state.pile().is_empty() => state.pile()[rng.below(state.pile().len())],
        _ if own.is_empty() => Card::JOKER,
        _ => own[rng.below(own.len())],
    }
}

/// Mostly cards of one rank, from the hand.
fn list(state: &Table, viewer: As, rng: &mut Rng) -> CardList {
    let first = card(state, viewer, rng);
    let mut cards: CardList = core::iter::once(first).collect();
    if let As::Seat(seat) = viewer {
        let fits = |card: &Card| card.rank() == first.rank() || card.is_wild();
        cards.extend(state.hand(seat).iter().filter(fits).take(rng.below(5)));
    }
    cards
}

fn group(state: &Table, viewer: As, rng: &mut Rng) -> Group {
    let kinds = [MeldKind::Set, MeldKind::Set, MeldKind::Set, MeldKind::Wild, MeldKind::BlackThrees];
    let kind = kinds[rng.below(kinds.len())];
    Group { kind, onto: onto(rng), top: false, cards: list(state, viewer, rng) }
}

fn onto(rng: &mut Rng) -> Onto {
    match rng.below(4) {
        0 => Onto::New,
        1 => Onto::Meld { side: None, id: MeldId(rng.below(4) as u8) },
        _ => Onto::Auto,
    }
}

/// Walls that give one seat the same cards, and the pile and the red threes the same places, look the same
/// to it.
#[test]
fn a_deal_tells_a_seat_its_own_cards_only() {
    for game in 0..50 {
        let (state, happened) = dealt(4, game);
        for viewer in viewers() {
            let mut wall = wall(&state, &happened, viewer);
            let one = deal_from(&state, &wall);
            assert_eq!(one.1, happened, "the wall is the one that was dealt");
            let mut hidden: Vec<Card> = wall.iter().filter(|place| place.1).map(|place| place.0).collect();
            Rng(u64::from(game)).shuffle(&mut hidden);
            for place in wall.iter_mut().filter(|place| place.1) {
                place.0 = hidden.pop().expect("as many as were gathered");
            }
            let other = deal_from(&state, &wall);
            assert_ne!(view(&one.0, As::Judge), view(&other.0, As::Judge));
            assert_eq!(view(&one.0, viewer), view(&other.0, viewer));
            assert_eq!(events(&one.1, viewer), events(&other.1, viewer));
        }
    }
}

/// The wall that was dealt, from the events and what is left of the stock; with each card, whether `viewer`
/// learns nothing of it.
fn wall(state: &Table, happened: &[Event], viewer: As) -> Vec<(Card, bool)> {
    let hidden = |seat, card: Card| (card, viewer != As::Seat(seat) && card.class() != Class::RedThree);
    let mut wall = Vec::new();
    for event in happened {
        match event {
            Event::Dealt { hands, .. } => {
                let leader = state.dealer().left(4).0;
                let order = (0..11).flat_map(|i| (0..4).map(move |k| (i, Seat((leader + k) % 4))));
                wall.extend(order.map(|(i, seat)| hidden(seat, hands[seat.index()][i])));
            }
            Event::Upcard { card, .. } => wall.push((*card, false)),
            Event::Replaced { seat, card } => wall.push(hidden(*seat, *card)),
            _ => {}
        }
    }
    wall.extend(state.stock.iter().rev().map(|&card| (card, card.class() != Class::RedThree)));
    wall
}

fn deal_from(state: &Table, wall: &[(Card, bool)]) -> (Table, Events) {
    let wall = wall.iter().map(|place| place.0).collect();
    let mut state = state.clone();
    state.phase = Phase::Deal;
    let happened = super::positions::deal(&mut state, wall);
    (state, happened)
}
