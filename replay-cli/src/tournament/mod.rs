//! A published tournament: a transparency log (C2SP tlog-tiles) whose leaves are games.
//!
//! From the inside out: [`merkle`] (RFC 6962), [`tiles`] (where hashes and leaves stand), [`checkpoint`] (the signed
//! head), [`entry`] (a leaf: one game), [`proof`] (that a game is in the tree, without the tree), [`files`] (safe
//! writing), [`site`] (all of it read and checked), [`rest`] (what else lies there), [`fault`] (what can be wrong). docs/TOURNAMENT.md has the bytes.

pub mod checkpoint;
pub mod entry;
pub mod fault;
pub mod files;
pub mod merkle;
pub mod proof;
pub mod rest;
pub mod site;
pub mod tiles;
