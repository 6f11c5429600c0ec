//! Shares of callers in everything that is scarce.
//!
//! [`Shares`] keep the places of one kind: requests, audits, Play streams, watchers, connections, bytes of
//! bodies. Whoever is alone may have them all. In a full house each caller has an equal share, and a caller below
//! its share gets its place at once, from whoever holds most. [`Turns`] share out threads: of the callers that
//! wait, the one whose jobs have taken the least time is next. So `k` attackers leave an honest caller at least
//! one part in `k + 1`; `simulation` computes what that is for each kind of attack. [`RateLimiter`] is the limit
//! that holds in an empty house too.

mod rates;
mod shares;
#[cfg(test)]
mod simulation;
mod turns;

pub use rates::RateLimiter;
pub use shares::{SharedPlace, Shares};
pub use turns::Turns;
