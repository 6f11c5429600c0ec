//! Makes, extends and converts logs and archives, and the keys that sign them; nothing here judges a game.

pub mod append;
mod derive;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod import;
pub(crate) mod keygen;
pub mod pack;
mod saved;
pub(crate) mod sign;
pub(crate) mod simulate;
pub(crate) mod unpack;
