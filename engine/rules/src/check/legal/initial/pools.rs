//! The choices of an initial batch from each rank.

use super::super::pick::Pick;
use super::sums::Sums;
use super::worth::{InitialChoice, InitialWorth, is_meld};
use crate::card::Rank;
use crate::check;
use crate::rules::RuleSet;
use alloc::vec::Vec;
use core::ops::Range;

/// The groups of one rank, or of wilds only, that a batch may choose: naturals ascending, then twos, then jokers.
pub(super) struct InitialPool {
    pub rank: Option<Rank>,
    /// The place of the groups in the choices of the search.
    pub choices: Range<usize>,
    /// The points of one natural.
    pub points: i32,
    /// The maximum loss of a choice, and of a choice that is the only content.
    pub most_loss: i32,
    pub most_loss_alone: i32,
    /// The sums of groups of this pool and of later ones, with at least one group of this pool.
    pub sums: Sums,
    /// The sums of groups that may follow a group of this pool.
    pub sums_after: Sums,
}

impl InitialPool {
    /// Returns the pool of `held` naturals and the wilds of the hand, and adds its groups to `choices`. `examined` counts
    /// the picks.
    pub(super) fn of(
        worth: InitialWorth<'_, '_>,
        rank: Option<Rank>,
        held: u8,
        required: i32,
        examined: &mut u32,
        choices: &mut Vec<InitialChoice>,
    ) -> Self {
        let lister = worth.lister;
        let (set, wilds, first) = (lister.set, lister.wilds, choices.len());
        let least = if rank.is_some() { set.min_naturals } else { 0 };
        let points = worth.points(rank);
        let mut melds = 0;
        'naturals: for naturals in least..=held {
            let fewer = core::mem::replace(&mut melds, melds_of(set, rank, naturals, wilds.len()));
            'twos: for twos in 0..=wilds.twos() {
                for jokers in 0..=wilds.jokers() {
                    *examined += 1;
                    let pick = Pick { naturals, twos, jokers };
                    debug_assert_eq!(melds >> pick.wilds() & 1 != 0, is_meld(set, rank, pick, 0));
                    if melds >> pick.wilds() & 1 == 0 {
                        continue;
                    }
                    let choice = match set.initial_bonus {
                        true => worth.choice(worth.group(rank, pick, 0)),
                        false => worth.choice_of_cards(rank, pick, points, [fewer, melds]),
                    };
                    if choice.group.value < required.saturating_add(choice.loss_alone) {
                        choices.push(choice);
                    }
                    // More cards of the kind are too many: the batch can do without one of them.
                    if choice.group.value >= required && !set.initial_bonus {
                        match (twos, jokers) {
                            (0, 0) if choice.is_content => break 'naturals,
                            (_, 0) => break 'twos,
                            _ => break,
                        }
                    }
                }
            }
        }
        let [points, ..] = points;
        let most = |loss: fn(&InitialChoice) -> i32| choices[first..].iter().map(loss).max().unwrap_or(0);
        let (most_loss, most_loss_alone) = (most(|choice| choice.loss), most(|choice| choice.loss_alone));
        let (sums, sums_after) = (Sums::default(), Sums::default());
        let choices = first..choices.len();
        Self { rank, choices, points, most_loss, most_loss_alone, sums, sums_after }
    }
}

/// Returns the numbers of wilds, up to `wilds`, that are a meld with these naturals of a rank, or alone, as bits.
fn melds_of(set: &RuleSet, rank: Option<Rank>, naturals: u8, wilds: u8) -> u64 {
    if rank.is_none() {
        let is_wild_meld = |&twos: &u8| is_meld(set, None, Pick { naturals: 0, twos, jokers: 0 }, 0);
        return (0..=wilds).filter(is_wild_meld).fold(0, |melds, wilds| melds | 1 << wilds);
    }
    let takes_wilds = check::rank_takes_wilds(set, rank, 0, true);
    check::fitting(set, (0, 0), naturals, if takes_wilds { wilds } else { 0 })
}
