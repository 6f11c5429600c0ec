//! The parts of a committed deal's register besides the commitment to the secret.

use crate::deal::Commitment;
use canasta_rules::seat::SEATS_MAX;

/// The commitments of seats and the beacon that are registered for the next deal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    /// C_k by seat; `None` where a seat registered nothing.
    pub seats: [Option<Commitment>; SEATS_MAX],
    /// Whether the deal must come with the signature of a beacon.
    pub beacon: bool,
}

impl Entries {
    /// Returns entries with the commitments in the order of the seats. Seats beyond the end of the list have
    /// none.
    pub fn new(seats: &[Option<[u8; 32]>], beacon: bool) -> Self {
        let mut entries = Self { beacon, ..Self::default() };
        for (entry, seat) in entries.seats.iter_mut().zip(seats) {
            *entry = seat.map(Commitment);
        }
        entries
    }
}
