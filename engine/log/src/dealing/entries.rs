//! What the register of a committed deal has besides the commitment to the secret.

use crate::deal::Commitment;
use canasta_rules::seat::MAX_SEATS;

/// What seats and a beacon have registered for the deal that comes next.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    /// C_k by seat; `None` where a seat registered nothing.
    pub seats: [Option<Commitment>; MAX_SEATS],
    /// Whether the signature of a beacon has to come with the deal.
    pub beacon: bool,
}

impl Entries {
    /// Returns the commitments in the order of the seats; a list that is shorter than the seats is filled up.
    pub fn new(seats: &[Option<[u8; 32]>], beacon: bool) -> Self {
        let mut entries = Self { beacon, ..Self::default() };
        for (entry, seat) in entries.seats.iter_mut().zip(seats) {
            *entry = seat.map(Commitment);
        }
        entries
    }
}
