//! Seats and sides.

use core::fmt;

/// The largest number of seats any rule set has.
pub const MAX_SEATS: usize = 6;

/// A player's place, 0 to 5. Seat `n + 1` sits to the left of seat `n` and plays after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(pub u8);

/// What scores together: a pair, a trio or a single seat. The side of seat `i` is `i mod side_count`, unless
/// sides form during the round (`side_formation`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(pub u8);

/// What keeps a total: a side, or a seat where the rule set scores by seat (`score_unit`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit(pub u8);

impl Seat {
    /// The seat as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The next seat clockwise of `seats`.
    pub fn left(self, seats: u8) -> Self {
        Self((self.0 + 1) % seats)
    }
}

impl Side {
    /// The side as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Unit {
    /// The unit as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
