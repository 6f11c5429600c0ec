//! Random whole games, and policies that reach positions that random play seldom reaches.

use crate::notation::{line, show};
use canasta_engine::action::{Action, As};
use canasta_engine::deal::{GameId, simulate};
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Table};
use std::sync::Arc;

/// A small generator of random numbers (SplitMix64) that yields the same numbers everywhere for one seed.
#[derive(Clone, Debug)]
pub struct Rng(pub u64);

impl Rng {
    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// Returns `true` with a probability of `percent` in 100.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Puts `items` in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Returns game number `game` of the simulation with this seed, before its first register.
pub fn new_game(rules: &Arc<Rules>, seed: u64, game: u32) -> Game {
    let secret = simulate::game_secret(seed, game);
    let dealing = Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret), false);
    Game::new(rules.clone(), dealing, Seat(0))
}

/// Returns a game at this table, without any known deal.
pub fn at(table: Table) -> Game {
    Game::of(table, Dealing::new(GameId([0; 16]), DealSource::Unknown, false))
}

/// Returns the actor for whom the next action is proposed: the director while play is suspended, else the seat or the
/// table that must act.
pub fn actor(state: &Game) -> As {
    canasta_engine::legal::actor(&state.table)
}

/// Returns the state after `action`, which must be legal.
///
/// # Panics
/// If the action is refused.
pub fn after(state: &Game, action: &Action) -> Game {
    let mut next = state.clone();
    match state.check(actor(state), action) {
        Ok(legal) => next.apply(legal),
        Err(rejection) => panic!("{} is refused: {rejection}\n{}", line(action), show(&state.table)),
    };
    next
}

/// The way in which a seat chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Any step.
    Random,
    /// Takes and melds whatever it can, the most cards first.
    Greedy,
    /// Takes the pile, keeps its cards and never asks.
    Hoarder,
    /// Discards wilds.
    Freezer,
    /// Melds, asks whenever it may, answers no, and goes out only when nothing else is left.
    Late,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 5] = [Self::Random, Self::Greedy, Self::Hoarder, Self::Freezer, Self::Late];

    /// Returns a step of the list, which must not be empty.
    pub fn choose<'s>(self, state: &Game, steps: &'s [Action], rng: &mut Rng) -> &'s Action {
        let mut weigh = |action: &Action| 1 + 100 * self.weight(state, action) + rng.below(100);
        let weights: Vec<usize> = steps.iter().map(&mut weigh).collect();
        let best = (0..steps.len()).max_by_key(|&i| weights[i]).expect("there is a step");
        &steps[best]
    }

    /// Returns the weight of a step, from 0. The heaviest steps are chosen, each of them equally likely.
    fn weight(self, state: &Game, action: &Action) -> usize {
        let named = |action: &Action| match action {
            Action::Meld(groups) => groups.iter().map(|g| g.cards.len()).sum(),
            Action::TakePile(take) => take.with.len(),
            _ => 0,
        };
        let hand = state.table.to_act().map_or(0, |seat| usize::from(state.table.hand(seat).len()));
        match (self, action) {
            (Self::Random, _) | (_, Action::UndoMeld { .. } | Action::RestorePile) => 0,
            (Self::Greedy, Action::TakePile(_)) => 60,
            (Self::Greedy, Action::Ask { .. }) => 50,
            (Self::Greedy, Action::Meld(_)) => 1 + named(action),
            (Self::Hoarder, Action::TakePile(_)) => 60 - named(action),
            (Self::Hoarder, Action::Meld(_) | Action::Ask { .. } | Action::EndRound) => 0,
            (Self::Freezer, Action::Discard(card)) if card.is_wild() => 9,
            (Self::Late, Action::Ask { .. }) => 60,
            (Self::Late, Action::TakePile(_)) if state.table.pile().len() > 1 => 50,
            (Self::Late, Action::Meld(_)) if hand > named(action) + 1 => 10,
            (Self::Late, Action::Answer { yes: false } | Action::Discard(_) | Action::DrawStock) => 2,
            (Self::Late, _) => 0,
            _ => 1,
        }
    }
}

/// Whether somebody, or the table, must act.
pub fn is_on(state: &Game) -> bool {
    !matches!(state.table.phase(), Phase::Setup | Phase::RoundOver | Phase::GameOver)
}
