//! Shares of callers in everything that is scarce.
//!
//! The [`Accountant`] has a book of shares for each kind of places: requests, audits, Play streams, watchers,
//! connections, bytes of requests and of answers. Whoever is alone may have them all. In a full house each party (an
//! identity or an address) has an equal share, and a party below its share gets its place at once, from whoever holds most.
//! The links that an address shows share what the address may have; it counts as several callers, but not as so many as it
//! shows links. [`Turns`] share out threads: of those that wait, the one whose jobs have taken the least time is next. So
//! `k` attackers without links leave an honest caller at least one part in `k + 1`; a simulation in `tests` computes what that
//! is for each kind of attack. [`RateLimiter`] is the limit that holds in an empty house too.

mod accountant;
mod rates;
mod shares;
#[cfg(test)]
mod tests;
mod turns;

pub use accountant::Accountant;
pub use rates::RateLimiter;
pub use shares::SharedPlace;
pub use turns::{JobTurn, Turns};
