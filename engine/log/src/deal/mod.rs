//! The scheme `canasta-deal/1`: from secrets and contributions to a wall.
//!
//! A wall is the shuffled pack, first card dealt first. Every function here is pure: its result depends only
//! on its arguments. docs/DEALING.md says how to compute the same results without this code.
//!
//! | step | here |
//! |---|---|
//! | secrets of a game and of a round | [`GameSecret`], [`GameSecret::round`] |
//! | commitments, published before the first card | [`Commitment`] |
//! | everything a wall depends on | [`Context`] |
//! | secret and context to random words | [`stream`] |
//! | words to an order of the pack | [`shuffle`], [`pack`] |
//! | all of these steps | [`wall()`] |
//! | the dealer, if drawn at random | [`random_dealer`] |
//! | the cards of a board, equal at every table | [`Board`] |
//! | hiding refused actions until the reveal | [`mask()`], [`unmask`] |
//! | everything from one number, for simulation | [`simulate`] |

mod board;
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

pub use board::Board;
pub use commit::Commitment;
pub use context::{Context, Contribution, beacon_value};
pub use id::{DealId, GameId};
pub use kdf::Stream;
pub use mask::{MaskError, MaskKey, MaskLabel, PLAIN_MAX, mask, unmask};
pub use secret::{GameSecret, RoundSecret, WallSalt};
pub use shuffle::{WORDS_MAX, shuffle};
pub use wall::{STREAM_BYTES, card_count, dealer_block, pack, random_dealer, stream, wall};

use canasta_rules::seat::Seat;

/// The reasons why a deal cannot be computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DealError {
    /// Packs outside 1 to 6, or more than 324 cards.
    #[error("a pack of {packs} x 52 cards and {jokers} jokers, expected 1 to 6 packs and at most 324 cards")]
    PackSize {
        /// Number of packs of 52 cards.
        packs: u8,
        /// Number of jokers in all packs together.
        jokers: u8,
    },
    /// A given wall has more than 324 cards.
    #[error("a wall of {found} cards, expected at most 324")]
    WallSize {
        /// Number of cards in the wall.
        found: usize,
    },
    /// The context was made for another number of cards.
    #[error("a context for {context} cards, expected {pack}")]
    CardCount {
        /// Number of cards that the context states.
        context: u16,
        /// Number of cards in the pack.
        pack: u16,
    },
    /// A number of seats outside 2 to 6.
    #[error("{found} seats, expected 2 to 6")]
    SeatCount {
        /// Number of seats given.
        found: usize,
    },
    /// A deal id or rule-set digest that is not ASCII of 1 to 255 bytes.
    #[error("a text of {length} bytes, expected 1 to 255 bytes of ASCII")]
    Text {
        /// Number of bytes in the text.
        length: usize,
    },
    /// A seat reveals a value without having registered its commitment.
    #[error("seat {seat} reveals a value it did not register")]
    Unregistered {
        /// The seat.
        seat: Seat,
    },
    /// A seat reveals another value than the registered one.
    #[error("seat {seat} reveals a value that does not match its commitment")]
    Mismatch {
        /// The seat.
        seat: Seat,
    },
    /// The words ran out: such a deal is invalid. With honest words the probability is below 10^-1000.
    #[error("no order within {limit} words")]
    Words {
        /// Maximum number of words that could be taken.
        limit: u16,
    },
}
