//! Seats and sides.

use core::fmt;

/// The maximum number of seats in any rule set.
pub const SEATS_MAX: usize = 6;

/// A player's place at the table, 0 to 5. Seat `n + 1` sits to the left of seat `n` and plays after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seat(pub u8);

/// The seats that score together: a pair, a trio or a single seat. The side of seat `i` is `i mod side_count`, unless
/// sides form during the round (`side_formation`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Side(pub u8);

/// The holder of a total: a side, or a seat if the rule set scores by seat (`score_unit`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit(pub u8);

impl Seat {
    /// Returns the seat as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the next seat clockwise at a table with this number of seats.
    pub fn left(self, seats: u8) -> Self {
        Self((self.0 + 1) % seats)
    }
}

impl Side {
    /// Returns the side as an array index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Unit {
    /// Returns the unit as an array index.
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
