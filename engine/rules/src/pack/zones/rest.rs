//! The cards of the pack that no zone has named yet.

use super::JOKER;
use crate::card::{CARDS_MAX, PACKS_MAX};
use crate::pack::{KIND_BITS, TokenError, TokenErrorKind};

/// The number of copies of a kind that are listed at once: no suited card has more.
pub(super) const COPIES: usize = 8;

const _: () = assert!(PACKS_MAX as usize <= COPIES);

/// The cards of the pack that no zone has named yet. Kinds above 52 have no cards.
pub(super) struct Rest {
    /// Copies by kind. Taking too many wraps around to above 32,767. No token names so many cards that the number
    /// wraps back.
    pub(super) left: [u16; 1 << KIND_BITS],
}

impl Rest {
    pub(super) fn of(packs: u8, jokers: u8) -> Self {
        let mut left = [0; 1 << KIND_BITS];
        left[..JOKER].fill(packs.into());
        left[JOKER] = jokers.into();
        Self { left }
    }

    pub(super) fn take(&mut self, kind: usize, copies: u8) {
        self.left[kind] = self.left[kind].wrapping_sub(copies.into());
    }

    /// Returns the kinds that are left, ascending, each as often as it has copies. `kinds` is the buffer.
    pub(super) fn list<'a>(&self, kinds: &'a mut [u8; CARDS_MAX + COPIES]) -> &'a [u8] {
        let mut count = 0;
        for (kind, &copies) in (0u8..).zip(&self.left[..JOKER]) {
            // One store of fixed size needs no branch. The next kind overwrites what is too much of it.
            kinds[count..count + COPIES].fill(kind);
            count += usize::from(copies);
        }
        let all = count + usize::from(self.left[JOKER]);
        kinds[count..all].fill(JOKER as u8);
        &kinds[..all]
    }

    /// Checks that no more cards were taken than the pack has. `bit` is the beginning of the list that took them.
    pub(super) fn check(&self, bit: usize) -> Result<(), TokenError> {
        let all = self.left.iter().fold(0, |all, left| all | left);
        if all >> 15 == 1 { Err(TokenErrorKind::Pack.at(bit)) } else { Ok(()) }
    }
}
