//! The states of the search for minimal batches.

use super::worth::InitialChoice;
use crate::card::Rank;

/// The number of pools: the natural ranks, and the wilds.
pub(super) const POOLS_MAX: usize = Rank::NATURAL.len() + 1;

/// The groups of a batch with the content that it must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BatchContent {
    Missing,
    /// One group is content; others may follow.
    One,
    /// One group is content. It could lose its content for the points that it can spare, so it must stay the only one.
    Sole,
    /// Several groups are content, or the batch needs none.
    Several,
}

/// The facts that decide which groups complete a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct InitialState {
    /// The points that are missing.
    pub left: i32,
    /// The number of naturals left in each pool.
    pub naturals: [u8; POOLS_MAX],
    /// The pool of the next group, and the first of its choices that the group may be.
    pub pool: u8,
    pub choice: u16,
    pub twos: u8,
    pub jokers: u8,
    pub content: BatchContent,
}

impl InitialState {
    /// Whether the cards of a choice from this pool are left.
    pub fn has(&self, pool: usize, choice: &InitialChoice) -> bool {
        let pick = choice.group.pick;
        pick.naturals <= self.naturals[pool] && pick.twos <= self.twos && pick.jokers <= self.jokers
    }

    /// Returns all that decides whether the batch can be completed, as the key of a state that is remembered.
    pub fn key(&self) -> (u128, u64) {
        let mut bytes = [0; size_of::<u128>()];
        let pool = usize::from(self.pool);
        bytes[pool..POOLS_MAX].copy_from_slice(&self.naturals[pool..]);
        let [.., place, content, twos, jokers] = &mut bytes;
        (*place, *content, *twos, *jokers) = (self.pool, self.content as u8, self.twos, self.jokers);
        (u128::from_le_bytes(bytes), u64::from(self.left as u32) << 16 | u64::from(self.choice))
    }
}

const _: () = assert!(POOLS_MAX + 4 <= size_of::<u128>(), "a key has a byte for each pool, and four more");
