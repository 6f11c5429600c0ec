//! The recorder as its callers meet it, in one program: a second one would cost as much to link again.
//!
//! `support` has journals with faults, what all journals must do, and a recorder with its client.

mod archive;
mod auditor;
mod await_points;
mod boards;
mod clock;
mod describe;
mod evening;
mod hostile;
mod invites;
mod journal;
mod json;
mod leaks;
mod links;
mod marks;
mod opens;
mod own_work;
mod positions;
mod record;
mod restart;
mod rights;
mod rivals;
mod rooms;
mod runbooks;
mod secrets;
mod situations;
mod store;
mod support;
mod take_back;
mod watch;
mod watch_games;
