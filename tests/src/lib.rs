//! What the tests share; see `tests/tests` and `tests/data`.

pub mod duel;
pub mod games;
pub mod notation;
pub mod rulings;
pub mod switches;
pub mod whole;
