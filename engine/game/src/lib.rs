//! A game: its table, where its cards come from, and its place in its log. Every accepted action becomes frames that
//! are ready to be appended.
#![no_std]

extern crate alloc;

mod act;
mod create;
mod game;
mod register;
pub mod token;
mod writer;

pub use act::{ActError, Acted, RefuseError, Stamp};
pub use create::{CreateError, Created, NewDeal, NewGame};
pub use game::{Game, Link};
pub use register::{Entry, RegisterError};

pub use canasta_log::ENGINE_VERSION;
