//! Games: the table of a game, the source of its cards, and its place in its log. Every accepted action
//! becomes frames that are ready to be appended.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

mod act;
mod create;
mod game;
mod logged;
mod register;
mod take_back;
pub mod token;
mod writer;

pub use act::{ActError, Acted, RefuseError, Stamp};
pub use create::{CreateError, Created, NewDeal, NewGame};
pub use game::{Game, Link};
pub use logged::LoggedGame;
pub use register::{RegisterEntry, RegisterError};
pub use take_back::{FollowError, TAKE_BACK_FRAMES_MAX, TakeBack, TakeBackRefusal, frame_count};

pub use canasta_log::ENGINE_VERSION;
