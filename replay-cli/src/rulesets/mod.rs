//! Finds rule sets by name, reads house rules, and prints rules and laws; nothing here reads a game or a position.

pub(crate) mod house;
pub(crate) mod rules;
