//! Finds out whether logs can be trusted: their play, their deals, their signatures, and copies that differ.

pub(crate) mod audit;
pub(crate) mod diff;
pub(crate) mod verify_deal;
