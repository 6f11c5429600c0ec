//! Lessons for the weights of the bot: decisions of rounds that it plays against itself, and what playing on says of their steps.

use crate::games::{Rng, actor, new_game};
use canasta_engine::action::{Action, As};
use canasta_engine::bot::{Knowledge, RoundMemory, Weights, candidates, evaluate, suggest_by};
use canasta_engine::deal::simulate;
use canasta_engine::legal::{self, Steps};
use canasta_engine::rules::Rules;
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Table};
use canasta_engine::view::{events, view};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Maximum number of actions of a round; longer ones end there.
const MOST_ACTIONS: u32 = 5000;

/// The observer of each decision of a seat before it is made.
type Look<'a> = dyn FnMut(&Table, Seat, &RoundMemory, &[Action]) + 'a;

/// Plays the first round of a deal by these weights in all seats. `look` sees each decision of a seat.
fn play(rules: &Arc<Rules>, weights: &Weights, seed: u64, deal: u32, look: &mut Look<'_>) {
    let secret = simulate::game_secret(seed, deal);
    let mut state = new_game(rules, seed, deal);
    let (mut memory, mut steps, mut actions) = (RoundMemory::default(), Steps::default(), 0);
    loop {
        state.register_due();
        while state.table.phase() != Phase::RoundOver && actions < MOST_ACTIONS {
            legal::steps_into(&state.table, &mut steps);
            let who = actor(&state);
            let action = match who {
                As::Seat(seat) => {
                    look(&state.table, seat, &memory, &steps.actions);
                    let seed = simulate::bot_seed(&secret, seat);
                    suggest_by(weights, &view(&state.table, who), memory.recall(), &steps.actions, seed)
                }
                _ => steps.actions[0].clone(),
            };
            let legal = state.check(who, &action).expect("a step is legal");
            memory.see(who, &events(&state.apply(legal), As::Spectator));
            actions += 1;
        }
        // A draw for seats has no score, and the first round follows.
        if state.table.phase() != Phase::RoundOver || !scoring::book(&mut state.table).0.accounts.is_empty() {
            return;
        }
    }
}

/// A decision of a game, and what playing on says of its steps.
pub struct Lesson {
    position: Knowledge,
    steps: Vec<Action>,
    /// For each step: the points that it brings more than the first, in the mean.
    more: Vec<f64>,
    seed: u64,
}

impl Lesson {
    /// Returns the points that the choice by these weights loses against the best step.
    pub fn loss(&self, weights: &Weights) -> f64 {
        let (view, recall) = (self.position.view(), self.position.recall());
        let chosen = suggest_by(weights, view, recall, &self.steps, self.seed);
        let chosen = self.steps.iter().position(|step| *step == chosen).expect("one of the steps");
        self.more.iter().copied().fold(f64::MIN, f64::max) - self.more[chosen]
    }
}

/// Plays first rounds by these weights, and returns so many of their decisions, each with its steps played on in so many
/// tables.
pub fn lessons(rules: &Arc<Rules>, weights: &Weights, count: usize, tables: u32, seed: u64) -> Vec<Lesson> {
    let deals = AtomicU32::new(0);
    let work = || {
        let mut all = Vec::new();
        while all.len() * cores() < count {
            let deal = deals.fetch_add(1, Ordering::Relaxed);
            lessons_of(rules, weights, tables, seed, deal, &mut all);
        }
        all
    };
    on_all_cores(work)
}

fn lessons_of(
    rules: &Arc<Rules>,
    weights: &Weights,
    tables: u32,
    seed: u64,
    deal: u32,
    all: &mut Vec<Lesson>,
) {
    let mut rng = Rng(seed ^ u64::from(deal) << 32);
    play(rules, weights, seed, deal, &mut |table, seat, memory, steps| {
        // One decision of eight: neighbours tell the same.
        if steps.len() < 2 || !rng.chance(12) {
            return;
        }
        let (position, seed) = (Knowledge::of(table, seat, memory), rng.bits());
        let steps = candidates(&position, weights, steps, (8, 6), seed);
        if steps.len() < 2 {
            return;
        }
        let Some(found) = evaluate(&position, weights, steps, tables, seed) else { return };
        let more = found.iter().map(|each| each.more as f64 / f64::from(each.tables)).collect();
        all.push(Lesson { position, steps: found.into_iter().map(|each| each.action).collect(), more, seed });
    });
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

fn on_all_cores<T: Send>(work: impl Fn() -> Vec<T> + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores()).map(|_| scope.spawn(&work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("rounds are played without panic"))
            .collect()
    })
}
