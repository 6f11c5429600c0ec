//! Positions from seeded random play, and twins that differ in hidden cards only.

use crate::action::As;
use crate::apply::{act, apply};
use crate::card::{Card, Cards, Class};
use crate::check::check;
use crate::deal::simulate;
use crate::event::Events;
use crate::invariant;
use crate::legal;
use crate::rules::Rules;
use crate::seat::{MAX_SEATS, Seat};
use crate::state::{DealSource, Origin, Phase, Registration, State};
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

pub(super) fn origin(seed: u64, game: u32) -> Origin {
    let secret = simulate::game_secret(seed, game);
    Origin {
        game_id: simulate::game_id(&secret),
        registration: Registration::Auto,
        source: DealSource::Seeded(secret),
        expires_at: None,
    }
}

/// Game number `game` of `seed` after its first deal.
pub(super) fn dealt(seed: u64, game: u32) -> (State, Events) {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let mut state = State::new(rules, origin(seed, game), Seat((game % 4) as u8));
    // Scores in every band of the minimum.
    state.scores[..2].copy_from_slice(&[[0, 1500], [-50, 3000], [0, 0], [4000, -500]][game as usize % 4]);
    state.register();
    let deal = crate::action::Action::Deal(Default::default());
    let happened = act(&mut state, As::Table, &deal).expect("a deal is due");
    (state, happened)
}

/// Plays the round to its end, every step with the same chance; shows each position to `visit`.
pub(super) fn play_on(state: &mut State, rng: &mut Rng, mut visit: impl FnMut(&State)) {
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
pub(super) fn twin(state: &State, viewer: As, pins: &Pins, rng: &mut Rng) -> State {
    let twin = dealt_anew(state, viewer, pins, rng);
    if invariant::check_all(&twin).is_ok() {
        return twin;
    }
    let mut pins = Pins { ..*pins };
    pins.hands[state.turn.seat.index()] = *state.hand(state.turn.seat);
    dealt_anew(state, viewer, &pins, rng)
}

fn dealt_anew(state: &State, viewer: As, pins: &Pins, rng: &mut Rng) -> State {
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
    // Secrets are hidden from everyone.
    twin.origin.source = DealSource::Unknown;
    twin
}
