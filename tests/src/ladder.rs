//! Players against each other on duplicate deals: each deal is played once with each player on each side.

use crate::games::{Rng, actor, new_game};
use canasta_engine::action::{Action, As};
use canasta_engine::bot::{Knowledge, Level, RoundMemory, Weights, candidates, evaluate, search, suggest_by};
use canasta_engine::deal::simulate;
use canasta_engine::legal::{self, Steps};
use canasta_engine::rules::Rules;
use canasta_engine::scoring;
use canasta_engine::seat::{Seat, Unit};
use canasta_engine::table::{Phase, Table};
use canasta_engine::view::{events, view};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Maximum number of actions of a round; longer ones count as they stand.
const MOST_ACTIONS: u32 = 5000;

/// The observer of each decision of a seat before it is made.
type Look<'a> = dyn FnMut(&Table, Seat, &RoundMemory, &[Action]) + 'a;

/// A player of the ladder.
#[derive(Clone, Debug)]
pub enum LadderPlayer {
    /// A level of the bot.
    Level(Level),
    /// The policy with these weights.
    Weights(Weights),
    /// A search with these weights and so many playouts.
    Search(Weights, u32),
}

/// The differences of points between two players, over pairs of rounds.
#[derive(Clone, Copy, Default, Debug)]
pub struct Comparison {
    /// Number of deals, each played once with each seating.
    pub pairs: u32,
    /// Sum of the mean difference of each pair, in points.
    pub sum: f64,
    /// Sum of the squares.
    pub squares: f64,
    /// Rounds in which the first player had more points than the mean of the others, in all rounds of all pairs; half
    /// for equal points.
    pub won: f64,
    /// Number of rounds.
    pub rounds: u32,
}

impl Comparison {
    /// Returns the mean difference of points in a round, and one standard error.
    pub fn mean(&self) -> (f64, f64) {
        let n = f64::from(self.pairs);
        let mean = self.sum / n;
        let spread = (self.squares / n - mean * mean) / (n - 1.0).max(1.0);
        (mean, spread.max(0.0).sqrt())
    }
}

impl LadderPlayer {
    fn choose(&self, table: &Table, seat: Seat, memory: &RoundMemory, steps: &[Action], seed: u64) -> Action {
        match self {
            Self::Level(level) => level.choose(table, seat, memory, steps, seed).action,
            Self::Weights(weights) => {
                suggest_by(weights, &view(table, As::Seat(seat)), memory.recall(), steps, seed)
            }
            Self::Search(weights, playouts) if steps.len() > 1 => {
                let position = Knowledge::of(table, seat, memory);
                let seed = seed ^ table.step().wrapping_mul(0x9e37_79b9_7f4a_7c15);
                match search(&position, weights, steps, *playouts, seed).first() {
                    Some(best) => best.action.clone(),
                    None => suggest_by(weights, position.view(), position.recall(), steps, seed),
                }
            }
            Self::Search(..) => steps[0].clone(),
        }
    }
}

/// Plays the first round of a deal with one player in the seats of `own` and the other in all others. Returns the points of
/// `own` less the mean of the others.
pub fn round(rules: &Arc<Rules>, players: [&LadderPlayer; 2], own: Unit, seed: u64, deal: u32) -> f64 {
    let totals = play(rules, &mut |unit| players[usize::from(unit != own)], seed, deal, &mut |_, _, _, _| {});
    let mine = totals[own.index()];
    mine - (totals.iter().sum::<f64>() - mine) / (totals.len() - 1) as f64
}

/// Plays the first round of a deal and returns the points of each unit. `look` sees each decision of a seat.
fn play<'p>(
    rules: &Arc<Rules>,
    player: &mut dyn FnMut(Unit) -> &'p LadderPlayer,
    seed: u64,
    deal: u32,
    look: &mut Look<'_>,
) -> Vec<f64> {
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
                    let player = player(state.table.unit_of(seat));
                    let seed = simulate::bot_seed(&secret, seat);
                    player.choose(&state.table, seat, &memory, &steps.actions, seed)
                }
                _ => steps.actions[0].clone(),
            };
            let legal = state.check(who, &action).expect("a step is legal");
            memory.see(who, &events(&state.apply(legal), As::Spectator));
            actions += 1;
        }
        // A draw for seats has no score, and the first round follows.
        let accounts = match state.table.phase() {
            Phase::RoundOver => scoring::score(&state.table).accounts,
            _ => scoring::on_table(&state.table),
        };
        if !accounts.is_empty() {
            return accounts.iter().map(|account| account.total.into()).collect();
        }
        scoring::book(&mut state.table);
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
    let player = LadderPlayer::Weights(weights.clone());
    play(rules, &mut |_| &player, seed, deal, &mut |table, seat, memory, steps| {
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

/// Plays deals number `deals` of the seed on all cores.
pub fn compare(
    rules: &Arc<Rules>,
    players: [&LadderPlayer; 2],
    seed: u64,
    deals: std::ops::Range<u32>,
) -> Comparison {
    let units = rules.set().unit_count();
    let next = AtomicU32::new(deals.start);
    let pair = |deal| {
        let as_first = |unit| round(rules, players, Unit(unit), seed, deal);
        // With two sides each player sits once on each; with more, the first player sits once on each place.
        (0..units).map(as_first).collect::<Vec<f64>>()
    };
    let work = || {
        let mut all = Vec::new();
        loop {
            let deal = next.fetch_add(1, Ordering::Relaxed);
            if deal >= deals.end {
                return all;
            }
            all.push((deal, pair(deal)));
        }
    };
    let mut all = on_all_cores(work);
    all.sort_by_key(|(deal, _)| *deal);
    let mut sum = Comparison::default();
    for (_, rounds) in all {
        let mean = rounds.iter().sum::<f64>() / rounds.len() as f64;
        sum.pairs += 1;
        sum.sum += mean;
        sum.squares += mean * mean;
        sum.rounds += rounds.len() as u32;
        sum.won += rounds
            .iter()
            .map(|&points| {
                if points > 0.0 {
                    1.0
                } else if points == 0.0 {
                    0.5
                } else {
                    0.0
                }
            })
            .sum::<f64>();
    }
    sum
}
