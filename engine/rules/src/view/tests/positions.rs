//! Positions from seeded random play, and twins, which differ only in hidden cards.

use crate::action::As;
use crate::apply::apply;
use crate::card::{Card, Cards, Class};
use crate::check::legal;
use crate::check::{Dealt, check, check_deal};
use crate::event::Events;
use crate::invariant;
use crate::rules::Rules;
use crate::seat::{SEATS_MAX, Seat};
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

/// Deals this wall; its first card is dealt first.
pub(super) fn deal(table: &mut Table, wall: Vec<Card>) -> Events {
    let deal = crate::action::Action::Deal(Default::default());
    let legal = check_deal(table, As::Table, &deal, |_| Ok(Dealt::Wall(wall))).expect("a deal is due");
    apply(table, legal)
}

/// Returns game number `game` of `seed` after its first deal, and the events of the deal.
pub(super) fn dealt(seed: u64, game: u32) -> (Table, Events) {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let mut wall: Vec<Card> = rules.census().iter().collect();
    Rng(seed << 32 | u64::from(game)).shuffle(&mut wall);
    let mut table = Table::new(rules, Seat((game % 4) as u8));
    // The scores cover every band of the minimum.
    table.scores[..2].copy_from_slice(&[[0, 1500], [-50, 3000], [0, 0], [4000, -500]][game as usize % 4]);
    table.register(table.dealer());
    let happened = deal(&mut table, wall);
    (table, happened)
}

/// Plays the round to its end. Every legal step has the same chance. Calls `visit` with each position.
pub(super) fn play_on(table: &mut Table, rng: &mut Rng, mut visit: impl FnMut(&Table)) {
    while table.phase() != Phase::RoundOver {
        visit(table);
        let steps = legal::steps(table).actions;
        let actor = As::Seat(table.to_act().expect("somebody must act"));
        let legal = check(table, actor, &steps[rng.below(steps.len())]).expect("steps are legal");
        apply(table, legal);
    }
}

/// The hidden cards that a twin must keep.
pub(super) struct Pins {
    /// Cards that stay in a hand, by seat.
    pub hands: [Cards; SEATS_MAX],
    /// The number of cards on top of the stock that stay.
    pub stock: usize,
}

impl Pins {
    pub(super) const NONE: Self = Self { hands: [Cards::EMPTY; SEATS_MAX], stock: 0 };
}

/// Returns a position that looks the same to `viewer`: the cards that it cannot see are dealt anew among the
/// places where they lie. Red threes stay at their places in the stock, because a hand cannot hold one. A
/// seat that asks thereby says that it can go out (AMB-16); if another hand could not, the hand of that seat
/// stays.
pub(super) fn twin(table: &Table, viewer: As, pins: &Pins, rng: &mut Rng) -> Table {
    let twin = dealt_anew(table, viewer, pins, rng);
    if invariant::check_all(&twin).is_ok() {
        return twin;
    }
    let mut pins = Pins { ..*pins };
    pins.hands[table.turn.seat.index()] = *table.hand(table.turn.seat);
    dealt_anew(table, viewer, &pins, rng)
}

fn dealt_anew(table: &Table, viewer: As, pins: &Pins, rng: &mut Rng) -> Table {
    let mut twin = table.clone();
    let hidden: Vec<Seat> = match viewer {
        As::Seat(own) => table.seats().filter(|&seat| seat != own).collect(),
        As::Table | As::Spectator => table.seats().collect(),
        As::Judge | As::Director => return twin,
    };
    let free = table.stock.len() - pins.stock;
    let movable = |card: &&Card| card.class() != Class::RedThree;
    let mut pool: Vec<Card> = table.stock[..free].iter().filter(movable).copied().collect();
    for seat in &hidden {
        let mut hand = table.hands[seat.index()];
        hand.subtract(&pins.hands[seat.index()]);
        pool.extend(hand.iter());
    }
    rng.shuffle(&mut pool);
    for seat in &hidden {
        let kept = pins.hands[seat.index()];
        let size = usize::from(table.hands[seat.index()].len() - kept.len());
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
