//! Modules that the tests share; see `tests/tests` and `tests/data`.

pub mod duel;
pub mod games;
pub mod ladder;
pub mod notation;
pub mod pairs;
pub mod probes;
pub mod reference;
pub mod repairs;
pub mod request;
pub mod rulings;
pub mod variations;
pub mod whole;
pub mod work;
