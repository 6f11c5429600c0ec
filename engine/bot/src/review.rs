//! A review of what was played: a decision beside the step of a level, from what the seat knew.

use crate::knowledge::{Draws, Knowledge};
use crate::level::Level;
use crate::memory::RoundMemory;
use crate::search::{Estimate, evaluate};
use crate::{Reason, mix};
use alloc::vec;
use alloc::vec::Vec;
use canasta_rules::action::Action;
use canasta_rules::seat::Seat;
use canasta_rules::table::Table;

/// Number of tables that show whether a difference is worth measuring.
const LOOK: u32 = 40;
/// Minimum number of points of a mistake, and of a blunder.
const MISTAKE: i64 = 50;
const BLUNDER: i64 = 200;
/// The seed of the tables in which a step is compared differs by this from that of the search, whose choice would otherwise
/// look better than it is: it was chosen because of its luck in its tables.
const FRESH: u64 = 0x7265_7669_6577;

/// A decision of a seat beside the step of a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// The step of the level; the played one if the level would have played it too.
    pub best: Action,
    /// The reason for the step of the level.
    pub reason: Option<Reason>,
    /// The level's estimates of the steps that it looked at, `best` first.
    pub estimates: Vec<Estimate>,
    /// Points of the own side in the round, less the mean of the others, that the played step loses against `best`, in the mean
    /// over the tables; below 0 if it gains some, and 0 if no difference was shown.
    pub lost: i64,
    /// One standard error of `lost`, in points.
    pub error: i64,
    /// Number of tables in which both steps were played on; 0 if no difference was shown.
    pub tables: u32,
}

/// The size of a loss of at least three standard errors: of hundreds of decisions in a game, some are two off by chance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReviewSlip {
    /// Fewer than 50 points.
    Inaccuracy,
    /// At least 50 points.
    Mistake,
    /// At least 200 points.
    Blunder,
}

impl ReviewSlip {
    /// All sizes, the smallest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Returns the English word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

impl Review {
    /// Returns the size of the loss; `None` if the played step was as good, as far as three standard errors tell.
    pub fn slip(&self) -> Option<ReviewSlip> {
        let is_shown = self.lost > 0 && self.lost >= 3 * self.error;
        is_shown.then_some(match self.lost {
            ..MISTAKE => ReviewSlip::Inaccuracy,
            MISTAKE..BLUNDER => ReviewSlip::Mistake,
            BLUNDER.. => ReviewSlip::Blunder,
        })
    }
}

impl Level {
    /// Returns the review of a step that `seat` has played, from what it knew before; `None` if it had no choice. `steps` are
    /// its legal steps, `played` one of them or any other that is legal. A level that does not search compares in no table.
    ///
    /// The step of the level and the played one are compared in tables of their own: first in a few, and only if these show a
    /// difference of more than one standard error in twice as many as the level searches, which alone count.
    pub fn review(
        self,
        table: &Table,
        seat: Seat,
        memory: &RoundMemory,
        (steps, played): (&[Action], &Action),
        seed: u64,
    ) -> Option<Review> {
        if steps.iter().all(|step| step == played) {
            return None;
        }
        let choice = self.choose(table, seat, memory, steps, seed);
        let (best, estimates) = (choice.action, choice.estimates);
        let mut review = Review { best, reason: choice.reason, estimates, lost: 0, error: 0, tables: 0 };
        if review.best == *played || self.playouts() == 0 {
            return Some(review);
        }
        let (position, weights) = (Knowledge::of(table, seat, memory), self.weights(table.set()));
        let mut seeds = Draws(mix(seed ^ FRESH ^ table.step()));
        let mut lost_in = |tables| {
            let both = vec![review.best.clone(), played.clone()];
            let (gain, error) = evaluate(&position, weights, both, tables, seeds.bits())?[1].gain();
            Some((-gain, error))
        };
        if lost_in(LOOK).is_some_and(|(lost, error)| lost.abs() > error)
            && let Some(found) = lost_in(2 * self.playouts())
        {
            (review.lost, review.error) = found;
            review.tables = 2 * self.playouts();
        }
        Some(review)
    }
}
