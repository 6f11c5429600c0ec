//! A step chosen by playing on: in tables that the seat cannot tell from its own, every candidate is played to the end of the
//! round by the policy in all seats, and the points decide.
//!
//! Each table is a guess at the hidden cards, and the policy plays it without looking at them: a step is never chosen because
//! of a card that the seat does not know. What a player could do differently in each guess is not searched (strategy fusion
//! stays small so), and what a step tells the others is not weighed.

use crate::knowledge::{Draws, Knowledge};
use crate::memory::Recall;
use crate::weights::Weights;
use crate::{Ranked, is_way_back};
use alloc::vec::Vec;
use canasta_rules::action::{Action, As};
use canasta_rules::apply::apply_into;
use canasta_rules::check::check;
use canasta_rules::check::legal::{self, StepCodes};
use canasta_rules::scoring;
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, Table};
use canasta_rules::view::view;
use core::cmp::Reverse;
use smallvec::SmallVec;

/// The number of candidates with the most merit, and of further discards.
const BEST: usize = 6;
const DISCARDS: usize = 4;
/// Number of times that the better half of the candidates is kept.
const STAGES: u32 = 3;
/// Minimum number of tables for which another step than the policy's is played.
const LEAST_TABLES: u32 = 6;
/// Maximum number of actions of a playout; longer ones count as they stand.
const MOST_ACTIONS: u32 = 3000;

/// The result of playing on after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The step.
    pub action: Action,
    /// The number of tables in which the step was played on.
    pub tables: u32,
    /// Sum over these tables: points of the own side in the round less the mean of the others.
    pub sum: i64,
    /// Sums over the tables in which the policy's step was played on too: points more than it, and their squares.
    pub more: i64,
    pub(super) squares: i128,
}

impl Estimate {
    /// Whether the step is better than the policy's by more than one and a half standard errors.
    pub fn is_better(&self) -> bool {
        let (n, sum) = (i128::from(self.tables), i128::from(self.more));
        // (sum / n)^2 > (3/2)^2 * (squares - sum^2 / n) / (n (n - 1)), without fractions.
        self.tables >= LEAST_TABLES && sum > 0 && 4 * (n - 1) * sum * sum > 9 * (n * self.squares - sum * sum)
    }

    /// Returns the points that the own side is expected to win in the round over the mean of the others.
    pub fn points(&self) -> i64 {
        self.sum / i64::from(self.tables.max(1))
    }

    /// Returns the points that the step is expected to bring more than the policy's, and one standard error, in points.
    pub fn gain(&self) -> (i64, i64) {
        let n = i128::from(self.tables.max(2));
        let spread = (self.squares - i128::from(self.more).pow(2) / n) / (n * (n - 1));
        ((i128::from(self.more) / n) as i64, (spread.max(0) as u128).isqrt() as i64)
    }
}

/// Searches among `steps` with so many playouts. Returns the estimates of the candidates, the chosen one first; empty if
/// there is no choice, or no table fits what the seat knows.
pub fn search(
    position: &Knowledge,
    weights: &Weights,
    steps: &[Action],
    playouts: u32,
    seed: u64,
) -> Vec<Estimate> {
    let mut live = estimates(candidates(position, weights, steps, (BEST, DISCARDS), seed));
    let mut random = Draws(seed);
    let mut out = Vec::new();
    for stage in 1..=STAGES {
        if live.len() < 2 {
            break;
        }
        let tables = playouts / STAGES / live.len() as u32;
        if play_on(position, weights, &mut live, tables, &mut random).is_none() {
            return Vec::new();
        }
        // The policy's step stays the first.
        live[1..].sort_by_key(|each| Reverse(each.more));
        if stage < STAGES {
            out.splice(0..0, live.drain(live.len().div_ceil(2).max(2)..));
        }
    }
    live.append(&mut out);
    if let Some(at) = live.iter().position(Estimate::is_better) {
        let chosen = live.remove(at);
        live.insert(0, chosen);
    }
    live
}

/// Returns the estimates of these steps by so many tables each, in their order; `None` if no table fits what the seat knows.
pub fn evaluate(
    position: &Knowledge,
    weights: &Weights,
    steps: Vec<Action>,
    tables: u32,
    seed: u64,
) -> Option<Vec<Estimate>> {
    let mut all = estimates(steps);
    play_on(position, weights, &mut all, tables, &mut Draws(seed))?;
    Some(all)
}

/// Returns the steps that are worth a search, the policy's first: so many with the most merit, and of the other discards.
pub fn candidates(
    position: &Knowledge,
    weights: &Weights,
    steps: &[Action],
    (most, discards): (usize, usize),
    seed: u64,
) -> Vec<Action> {
    let ranked = Ranked::new(position.view(), weights, position.recall(), steps, seed);
    let mut order: Vec<usize> = (0..steps.len()).filter(|&i| !is_way_back(&steps[i])).collect();
    order.sort_by_key(|&i| Reverse(ranked.rank(i)));
    let is_discard = |i: &&usize| matches!(steps[**i], Action::Discard(_));
    let (best, rest) = order.split_at(order.len().min(most));
    let chosen = best.iter().chain(rest.iter().filter(is_discard).take(discards));
    chosen.map(|&i| steps[i].clone()).collect()
}

fn estimates(steps: Vec<Action>) -> Vec<Estimate> {
    steps.into_iter().map(|action| Estimate { action, tables: 0, sum: 0, more: 0, squares: 0 }).collect()
}

/// Plays each step on in so many tables, the same for all.
fn play_on(
    position: &Knowledge,
    weights: &Weights,
    steps: &mut [Estimate],
    tables: u32,
    random: &mut Draws,
) -> Option<()> {
    for _ in 0..tables {
        let table = position.sample(random)?;
        let seed = random.bits();
        let points = |step: &Estimate| playout(position.seat, weights, table.clone(), &step.action, seed);
        let base = points(&steps[0]).unwrap_or(0);
        for (at, step) in steps.iter_mut().enumerate() {
            // A step that hangs on hidden cards may be illegal in this table: it then counts as the policy's.
            let points = if at == 0 { base } else { points(step).unwrap_or(base) };
            step.tables += 1;
            step.sum += points;
            step.more += points - base;
            step.squares += i128::from(points - base).pow(2);
        }
    }
    Some(())
}

/// Returns the points of the seat's side less the mean of the others, if `first` is played and then the policy to the end of
/// the round.
fn playout(seat: Seat, weights: &Weights, mut table: Table, first: &Action, seed: u64) -> Option<i64> {
    let legal = check(&table, As::Seat(seat), first).ok()?;
    apply_into(&mut table, legal, &mut ());
    let (mut codes, mut steps) = (StepCodes::default(), Vec::new());
    let mut actions = 0;
    while table.phase() != Phase::RoundOver && actions < MOST_ACTIONS {
        let As::Seat(seat) = legal::actor(&table) else { return None };
        legal::codes_into(&table, &mut codes);
        let at = match codes.len() {
            0 => return None,
            1 => 0,
            _ => {
                let recall = Recall { pile: table.pile(), held: &[] };
                steps.clear();
                steps.extend((0..codes.len()).map(|at| codes.action(at, &table)));
                Ranked::new(&view(&table, As::Seat(seat)), weights, recall, &steps, seed).best()
            }
        };
        let legal = codes.legal(at, &table)?;
        apply_into(&mut table, legal, &mut ());
        actions += 1;
    }
    let accounts = if table.phase() == Phase::RoundOver {
        scoring::score(&table).accounts
    } else {
        scoring::on_table(&table)
    };
    let totals: SmallVec<[i64; 6]> = accounts.iter().map(|account| account.total.into()).collect();
    let own = *totals.get(table.unit_of(seat).index())?;
    let others = totals.len() as i64 - 1;
    Some(own - (totals.iter().sum::<i64>() - own) / others.max(1))
}
