//! The strengths of the bot.

use crate::knowledge::Knowledge;
use crate::memory::{Recall, RoundMemory};
use crate::search::{Estimate, search};
use crate::weights::{PLAIN, Weights};
use crate::{Ranked, Reason, is_way_back, mix, moment};
use alloc::vec::Vec;
use canasta_rules::action::{Action, As};
use canasta_rules::rules::RuleSet;
use canasta_rules::seat::Seat;
use canasta_rules::table::Table;
use canasta_rules::view::{View, view};

/// The strength of a bot, from 1 to 6: a beginner who overlooks every other step, the rules of thumb, the fitted policy, and
/// the policy with a search of three sizes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// The number of playouts with which each level searches, from level 1.
const PLAYOUTS: [u32; 6] = [0, 0, 0, 120, 600, 3600];

/// A chosen step, and what the search says of the steps it looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotChoice {
    /// The step.
    pub action: Action,
    /// The reason for it; `None` for who is no seat.
    pub reason: Option<Reason>,
    /// The estimates of the candidates, the chosen one first; empty if the bot has not searched.
    pub estimates: Vec<Estimate>,
}

impl Level {
    /// The levels, the weakest first.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// Returns the level with this number.
    pub fn new(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|level| u32::from(level.0) == number)
    }

    /// Returns the number of the level.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the number of playouts of one choice; 0 if the level does not search.
    pub fn playouts(self) -> u32 {
        PLAYOUTS[usize::from(self.0) - 1]
    }

    /// Whether the level forgets what no longer lies in view.
    pub fn forgets(self) -> bool {
        self.0 < 3
    }

    /// Returns the weights of the policy for a rule set.
    pub fn weights(self, set: &RuleSet) -> &'static Weights {
        if self.0 < 3 { &PLAIN } else { Weights::fitted(set).0 }
    }

    /// Returns the step that a bot of this level plays for `seat`: one of `steps`, its legal steps. The choice follows from what
    /// the seat sees and remembers, and from the seed, and is the same on every machine.
    ///
    /// # Panics
    /// If `steps` is empty.
    pub fn choose(
        self,
        table: &Table,
        seat: Seat,
        memory: &RoundMemory,
        steps: &[Action],
        seed: u64,
    ) -> BotChoice {
        let view = view(table, As::Seat(seat));
        let weights = self.weights(table.set());
        let recall = if self.forgets() { Recall::NONE } else { memory.recall() };
        let overlooked = if self.0 == 1 { overlook(&view, steps, seed) } else { Vec::new() };
        let steps = if overlooked.is_empty() { steps } else { &overlooked };
        let estimates = if self.playouts() > 0 && steps.len() > 1 {
            let position = Knowledge::of(table, seat, memory);
            search(&position, weights, steps, self.playouts(), mix(seed ^ moment(&view)))
        } else {
            Vec::new()
        };
        let ranked = Ranked::new(&view, weights, recall, steps, seed);
        let of_search = estimates.first().and_then(|best| steps.iter().position(|step| *step == best.action));
        let at = of_search.unwrap_or_else(|| ranked.best());
        let is_better = estimates.first().is_some_and(Estimate::is_better);
        let reason = if is_better { Some(Reason::PlayedOn) } else { ranked.reason(at) };
        BotChoice { action: steps[at].clone(), reason, estimates }
    }
}

/// Returns half of the steps, at random: those that a beginner sees. Nobody takes cards back for lack of a better idea.
fn overlook(view: &View, steps: &[Action], seed: u64) -> Vec<Action> {
    let salt = mix(seed ^ moment(view));
    let is_seen = |at: u64, step: &Action| !is_way_back(step) && mix(salt ^ at << 32) & 1 == 0;
    (0..).zip(steps).filter(|&(at, step)| is_seen(at, step)).map(|(_, step)| step.clone()).collect()
}
