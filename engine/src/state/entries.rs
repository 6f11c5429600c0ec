//! What the register of a committed deal has besides the commitment to the secret.

use super::State;
use crate::deal::{Commitment, DealId};
use crate::seat::MAX_SEATS;
use alloc::boxed::Box;

/// What seats and a beacon have registered for the deal that comes next.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    /// C_k by seat; `None` where a seat registered nothing.
    pub seats: [Option<Commitment>; MAX_SEATS],
    /// Whether the signature of a beacon has to come with the deal.
    pub beacon: bool,
}

impl State {
    /// What is registered for the deal that comes next, in committed mode; empty outside [`super::Phase::Deal`].
    pub fn entries(&self) -> Option<&Entries> {
        self.entries.as_deref()
    }

    /// From now on deals are committed ones.
    pub(crate) fn commit_deals(&mut self) {
        self.entries = Some(Box::default());
    }

    /// Which deal of the round this is: 1, and one more for each that was voided.
    pub fn attempt(&self) -> u16 {
        self.round.attempt
    }

    /// The name of the deal at hand, as hashed into its commitments and context.
    pub fn deal_id(&self) -> DealId {
        DealId::new(self.origin.game_id, self.round.number.into(), self.round.attempt.into())
    }
}
