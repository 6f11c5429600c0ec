//! What the tests share.

pub mod games;
pub mod notation;
