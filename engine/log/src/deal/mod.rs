//! From secrets and contributions to a wall: the scheme `canasta-deal/1`.
//!
//! A wall is the shuffled pack, first card dealt first. Everything here is a pure function of its
//! arguments, and docs/DEALING.md says how to compute the same without this code.
//!
//! | step | here |
//! |---|---|
//! | secrets of a game and of a round | [`GameSecret`], [`GameSecret::round`] |
//! | what is published before the first card | [`Commitment`] |
//! | everything a wall depends on | [`Context`] |
//! | secret and context to random words | [`stream`] |
//! | words to an order of the pack | [`shuffle`], [`pack`] |
//! | all of it | [`wall()`] |
//! | who deals, where that is random | [`random_dealer`] |
//! | hiding refused actions until the reveal | [`mask()`], [`unmask`] |
//! | everything from one number, for simulation | [`simulate`] |

mod commit;
mod context;
mod id;
mod kdf;
mod mask;
mod secret;
mod shuffle;
pub mod simulate;
#[cfg(test)]
mod tests;
mod wall;

pub use commit::Commitment;
pub use context::{Context, Contribution, beacon_value};
pub use id::{DealId, GameId};
pub use kdf::{STREAM_BYTES, Stream, stream};
pub use mask::{MAX_PLAIN, MaskError, MaskKey, MaskLabel, mask, unmask};
pub use secret::{GameSecret, RoundSecret, WallSalt};
pub use shuffle::{MAX_WORDS, shuffle};
pub use wall::{card_count, dealer_block, pack, random_dealer, wall};

use canasta_rules::seat::Seat;

/// Why a deal cannot be computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DealError {
    /// Packs outside 1 to 6, or more than 324 cards.
    #[error("a pack of {packs} x 52 cards and {jokers} jokers, expected 1 to 6 packs and at most 324 cards")]
    PackSize {
        /// Packs of 52.
        packs: u8,
        /// Jokers in all.
        jokers: u8,
    },
    /// A given wall has more than 324 cards.
    #[error("a wall of {found} cards, expected at most 324")]
    WallSize {
        /// Cards in the wall.
        found: usize,
    },
    /// The context was made for another number of cards.
    #[error("a context for {context} cards, expected {pack}")]
    CardCount {
        /// Cards the context states.
        context: u16,
        /// Cards of the pack.
        pack: u16,
    },
    /// A number of seats outside 2 to 6.
    #[error("{found} seats, expected 2 to 6")]
    SeatCount {
        /// Seats given.
        found: usize,
    },
    /// A deal id or rule-set digest that is not ASCII of 1 to 255 bytes.
    #[error("a text of {length} bytes, expected 1 to 255 bytes of ASCII")]
    Text {
        /// Bytes in the text.
        length: usize,
    },
    /// A seat reveals a value without having registered its commitment.
    #[error("seat {seat} reveals a value it did not register")]
    Unregistered {
        /// The seat.
        seat: Seat,
    },
    /// A seat reveals a value that is not the one it registered.
    #[error("seat {seat} reveals a value that does not match its commitment")]
    Mismatch {
        /// The seat.
        seat: Seat,
    },
    /// The words ran out: such a deal is invalid. With honest words the probability is below 10^-1000.
    #[error("no order within {limit} words")]
    Words {
        /// Words that could be taken.
        limit: u16,
    },
}
