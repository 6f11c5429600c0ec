//! A bot that sees only what its seat sees: [`suggest`] takes a view and the legal steps, never a state.
//!
//! The bot looks one step ahead. Each step gets a merit by rules of thumb, whose numbers are in `weights`.
//! The bot plays the step with the highest merit; the seed decides between equal merits. All computations use
//! integers, so the same view, steps and seed give the same step on every machine.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

use alloc::vec::Vec;
use canasta_rules::action::{About, Action};
use canasta_rules::rules::LastThree;
use canasta_rules::table::Courtesy;
use canasta_rules::view::View;
pub use merit::Reason;
use merit::{Merit, Tier};
use situation::Situation;

mod discard;
mod meld;
mod merit;
mod needs;
mod out;
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
    let (first, rest) = steps.split_first().expect("whoever must act has a step");
    if rest.is_empty() {
        return first.clone();
    }
    let situation = Situation::of(view);
    let salt = mix(seed ^ moment(view));
    let merit = |action: &Action| situation.as_ref().map(|s| merit(s, action)).map(|m| (m.tier, m.value));
    let rank = |(i, action): (u64, &Action)| (merit(action), mix(salt ^ i));
    let mut best = (first, rank((0, first)));
    for (i, action) in (1..).zip(rest) {
        let ranked = rank((i, action));
        if ranked > best.1 {
            best = (action, ranked);
        }
    }
    best.0.clone()
}

/// Returns the step that the bot plays out of turn: one of `asides`, which may be empty. `None` if the bot
/// wants none of them. The same arguments give the same answer.
pub fn suggest_aside(view: &View, asides: &[Action], seed: u64) -> Option<Action> {
    if asides.is_empty() {
        return None;
    }
    let situation = Situation::of(view)?;
    let wanted = |action: &&Action| merit(&situation, action).tier > Tier::Due;
    let wanted: Vec<Action> = asides.iter().filter(wanted).cloned().collect();
    (!wanted.is_empty()).then(|| suggest(view, &wanted, seed))
}

/// Returns the reason for a legal step, from what the seat of the view sees; `None` if it is not the view of a seat.
pub fn reason(view: &View, step: &Action) -> Option<Reason> {
    Situation::of(view).map(|situation| merit(&situation, step).reason)
}

fn merit(situation: &Situation<'_>, action: &Action) -> Merit {
    match action {
        Action::DrawStock => Merit::new(Tier::Due, weights::DRAW, Reason::Draw),
        Action::EndRound => Merit::new(Tier::Due, weights::END_ROUND, Reason::EndRound),
        // A special hand is worth more than most rounds.
        Action::SpecialHand(_) => Merit::new(Tier::Finish, i32::MAX, Reason::SpecialHand),
        Action::LayThrees(_) => of_three(situation),
        // A talon brings cards for the next turn and costs nothing.
        Action::TakeTalon => Merit::new(Tier::Gain, weights::TALON, Reason::Talon),
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
        Action::TakeTop | Action::RestorePile | Action::UndoMeld { .. } => Merit::last_resort(i32::MIN),
        _ => Merit::last_resort(0),
    }
}

/// Returns the merit of laying a three: the three is replaced by a card; without a replacement the round may
/// end.
fn of_three(situation: &Situation<'_>) -> Merit {
    let ends = situation.table.stock == 0 && situation.set.last_three == LastThree::EndRound;
    let (tier, value) = if ends { (Tier::Due, weights::END_ROUND) } else { (Tier::Gain, weights::THREE) };
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
