//! A bot that sees only what its seat sees and remembers.
//!
//! [`suggest`] takes a view and the legal steps, and looks one step ahead: each step gets a merit, and the highest is played;
//! the seed decides between equal merits. A [`Level`] says how well a bot plays: the stronger ones [`search`], on tables that
//! are drawn from a [`Knowledge`], which holds what a seat knows and no hidden card. All computations use integers, so the same
//! knowledge, steps and seed give the same step on every machine.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

use alloc::vec::Vec;
use canasta_rules::action::{About, Action};
use canasta_rules::rules::LastThree;
use canasta_rules::table::Courtesy;
use canasta_rules::view::View;
pub use knowledge::{Draws, Knowledge};
pub use level::{BotChoice, Level};
pub use memory::{Recall, RoundMemory};
pub use merit::Reason;
use merit::{Merit, Tier};
pub use review::{Review, ReviewSlip};
pub use search::{Estimate, candidates, evaluate, search};
use situation::Situation;
use weights::{PLAIN, Weight as W};
pub use weights::{TABLE, Weight, Weights};

mod discard;
mod knowledge;
mod level;
mod meld;
mod memory;
mod merit;
mod needs;
mod out;
mod review;
mod search;
mod situation;
#[cfg(test)]
mod tests;
mod weights;

/// Returns the step that the bot plays: one of `steps`, the legal steps of the seat that `view` belongs to.
/// The same arguments give the same step; `seed` decides between steps of equal merit. If `view` is not the
/// view of a seat, as for the deal, the seed alone decides.
///
/// # Panics
/// If `steps` is empty: then the seat has nothing to do.
pub fn suggest(view: &View, steps: &[Action], seed: u64) -> Action {
    suggest_by(&PLAIN, view, Recall::NONE, steps, seed)
}

/// Returns the step of [`suggest`] by other weights, and with what the seat remembers.
///
/// # Panics
/// If `steps` is empty.
pub fn suggest_by(weights: &Weights, view: &View, recall: Recall<'_>, steps: &[Action], seed: u64) -> Action {
    if steps.len() == 1 {
        return steps[0].clone();
    }
    let best = Ranked::new(view, weights, recall, steps, seed).best();
    steps[best].clone()
}

/// Steps with their order of merit.
struct Ranked<'a> {
    situation: Option<Situation<'a>>,
    steps: &'a [Action],
    salt: u64,
}

impl<'a> Ranked<'a> {
    fn new(view: &'a View, weights: &'a Weights, recall: Recall<'a>, steps: &'a [Action], seed: u64) -> Self {
        Self { situation: Situation::of(view, weights, recall), steps, salt: mix(seed ^ moment(view)) }
    }

    /// Returns the place of the step that is played.
    fn best(&self) -> usize {
        (0..self.steps.len()).max_by_key(|&at| self.rank(at)).expect("whoever must act has a step")
    }

    /// Returns the reason for a step; `None` for who is no seat.
    fn reason(&self, at: usize) -> Option<Reason> {
        self.situation.as_ref().map(|situation| merit(situation, &self.steps[at]).reason)
    }

    /// Returns the rank of a step: the highest is played, and no two are equal.
    fn rank(&self, at: usize) -> (Option<(Tier, i32)>, u64) {
        let merit = self.situation.as_ref().map(|situation| merit(situation, &self.steps[at]));
        (merit.map(|merit| (merit.tier, merit.value)), mix(self.salt ^ at as u64))
    }
}

/// Returns the step that the bot plays out of turn: one of `asides`, which may be empty. `None` if the bot
/// wants none of them. The same arguments give the same answer.
pub fn suggest_aside(view: &View, asides: &[Action], seed: u64) -> Option<Action> {
    if asides.is_empty() {
        return None;
    }
    let situation = Situation::of(view, &PLAIN, Recall::NONE)?;
    let wanted = |action: &&Action| merit(&situation, action).tier > Tier::Due;
    let wanted: Vec<Action> = asides.iter().filter(wanted).cloned().collect();
    (!wanted.is_empty()).then(|| suggest(view, &wanted, seed))
}

/// Returns the reason for a legal step, from what the seat of the view sees; `None` if it is not the view of a seat.
pub fn reason(view: &View, step: &Action) -> Option<Reason> {
    Ranked::new(view, &PLAIN, Recall::NONE, core::slice::from_ref(step), 0).reason(0)
}

fn merit(situation: &Situation<'_>, action: &Action) -> Merit {
    match action {
        Action::DrawStock => Merit::new(Tier::Due, situation.weights[W::Draw], Reason::Draw),
        Action::EndRound => Merit::new(Tier::Due, situation.weights[W::EndRound], Reason::EndRound),
        // A special hand is worth more than most rounds.
        Action::SpecialHand(_) => Merit::new(Tier::Finish, i32::MAX, Reason::SpecialHand),
        Action::LayThrees(_) => of_three(situation),
        // A talon brings cards for the next turn and costs nothing.
        Action::TakeTalon => Merit::new(Tier::Gain, situation.weights[W::Talon], Reason::Talon),
        Action::TakePile(take) => meld::of_take(situation, take),
        Action::Meld(groups) => meld::of_meld(situation, groups),
        Action::MergeMelds { a, b } => meld::of_merge(situation, *a, *b),
        Action::Discard(card) => discard::merit(situation, *card),
        // Everything that can be laid is laid before the discard, so a courtesy is not needed.
        Action::Ask { about: About::Courtesy, .. } => Merit::last_resort(0),
        Action::Ask { about: About::GoOut, .. } => out::of_ask(situation),
        // A courtesy helps the other side.
        Action::Answer { yes } if matches!(situation.table.courtesy, Courtesy::Asked(_)) => {
            Merit::new(Tier::Due, i32::from(!yes), Reason::HelpNobody)
        }
        Action::Answer { yes } => out::of_answer(situation, *yes),
        // With the last card in hand no other step may be due.
        Action::Pass => Merit::new(Tier::Due, 0, Reason::NothingBetter),
        // The bot takes the pile in one step, and never takes a meld back.
        step if is_way_back(step) => Merit::last_resort(i32::MIN),
        _ => Merit::last_resort(0),
    }
}

/// Whether a step takes back what may be taken back, or begins what may be: the bot does all at once.
fn is_way_back(step: &Action) -> bool {
    matches!(step, Action::TakeTop | Action::RestorePile | Action::UndoMeld { .. })
}

/// Returns the merit of laying a three: the three is replaced by a card; without a replacement the round may
/// end.
fn of_three(situation: &Situation<'_>) -> Merit {
    let ends = situation.table.stock == 0 && situation.set.last_three == LastThree::EndRound;
    let (tier, value) = if ends {
        (Tier::Due, situation.weights[W::EndRound])
    } else {
        (Tier::Gain, situation.weights[W::Three])
    };
    Merit::new(tier, value, Reason::Three)
}

/// Returns a number that differs between the decisions of a game, so that equal merits are not always decided
/// in the same way.
fn moment(view: &View) -> u64 {
    let table = &view.table;
    let counts = [table.round, table.stock, table.pile.size, view.own_hand().map_or(0, |hand| hand.len())];
    counts.into_iter().fold(0, |moment, count| moment << 16 | u64::from(count))
}

/// Mixes bits with the finalizer of SplitMix64: every bit of the result depends on every bit of `x`.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
