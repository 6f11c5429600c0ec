//! Positions from seeded random play, and twins that differ in hidden cards only.

use crate::action::As;
use crate::apply::apply;
use crate::card::{Card, Cards, Class};
use crate::check::legal;
use crate::check::{Dealt, check, check_deal};
use crate::event::Events;
use crate::invariant;
use crate::rules::Rules;
use crate::seat::{MAX_SEATS, Seat};
use crate::table::{Phase, Table};
use alloc::sync::Arc;
use alloc::vec::Vec;

pub(super) struct Rng(pub u64);

impl Rng {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    pub(super) fn shuffle(&mut self, cards: &mut [Card]) {
        for i in (1..cards.len()).rev() {
            cards.swap(i, self.below(i + 1));
        }
    }
}

/// Deals this wall, first card dealt first.
pub(super) fn deal(table: &mut Table, wall: Vec<Card>) -> Events {
    let deal = crate::action::Action::Deal(Default::default());
    let legal = check_deal(table, As::Table, &deal, |_| Ok(Dealt::Wall(wall))).expect("a deal is due");
    apply(table, legal)
}

/// Game number `game` of `seed` after its first deal.
pub(super) fn dealt(seed: u64, game: u32) -> (Table, Events) {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let mut wall: Vec<Card> = rules.census().iter().collect();
    Rng(seed << 32 | u64::from(game)).shuffle(&mut wall);
    let mut state = Table::new(rules, Seat((game % 4) as u8));
    // Scores in every band of the minimum.
    state.scores[..2].copy_from_slice(&[[0, 1500], [-50, 3000], [0, 0], [4000, -500]][game as usize % 4]);
    state.register(state.dealer());
    let happened = deal(&mut state, wall);
    (state, happened)
}

/// Plays the round to its end, every step with the same chance; shows each position to `visit`.
pub(super) fn play_on(state: &mut Table, rng: &mut Rng, mut visit: impl FnMut(&Table)) {
    while state.phase() != Phase::RoundOver {
        visit(state);
        let steps = legal::steps(state).actions;
        let actor = As::Seat(state.to_act().expect("somebody must act"));
        let legal = check(state, actor, &steps[rng.below(steps.len())]).expect("steps are legal");
        apply(state, legal);
    }
}

/// What a twin must keep although the viewer does not see it.
pub(super) struct Pins {
    /// Cards that stay in a hand, by seat.
    pub hands: [Cards; MAX_SEATS],
    /// How many cards on top of the stock stay.
    pub stock: usize,
}

impl Pins {
    pub(super) const NONE: Self = Self { hands: [Cards::EMPTY; MAX_SEATS], stock: 0 };
}

/// The same position for `viewer`, with the cards that it cannot see dealt anew among the places where they
/// lie. Red threes stay where they are in the stock: a hand cannot hold one. Who asks says with it that it can
/// go out (AMB-16): where another hand could not, the asker's stays.
pub(super) fn twin(state: &Table, viewer: As, pins: &Pins, rng: &mut Rng) -> Table {
    let twin = dealt_anew(state, viewer, pins, rng);
    if invariant::check_all(&twin).is_ok() {
        return twin;
    }
    let mut pins = Pins { ..*pins };
    pins.hands[state.turn.seat.index()] = *state.hand(state.turn.seat);
    dealt_anew(state, viewer, &pins, rng)
}

fn dealt_anew(state: &Table, viewer: As, pins: &Pins, rng: &mut Rng) -> Table {
    let mut twin = state.clone();
    let hidden: Vec<Seat> = match viewer {
        As::Seat(own) => state.seats().filter(|&seat| seat != own).collect(),
        As::Table => state.seats().collect(),
        As::Judge | As::Director => return twin,
    };
    let free = state.stock.len() - pins.stock;
    let movable = |card: &&Card| card.class() != Class::RedThree;
    let mut pool: Vec<Card> = state.stock[..free].iter().filter(movable).copied().collect();
    for seat in &hidden {
        let mut hand = state.hands[seat.index()];
        hand.subtract(&pins.hands[seat.index()]);
        pool.extend(hand.iter());
    }
    rng.shuffle(&mut pool);
    for seat in &hidden {
        let kept = pins.hands[seat.index()];
        let size = usize::from(state.hands[seat.index()].len() - kept.len());
        twin.hands[seat.index()] = kept;
        for card in pool.split_off(pool.len() - size) {
            twin.hands[seat.index()].insert(card);
        }
    }
    for card in twin.stock[..free].iter_mut().filter(|card| card.class() != Class::RedThree) {
        *card = pool.pop().expect("as many cards come back as were gathered");
    }
    assert!(pool.is_empty(), "every card comes back");
    twin
}
