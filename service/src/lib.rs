//! The gRPC service `canasta.v1`: judges actions and keeps nothing.
//!
//! Modules in reading order: [`config`] (every setting), [`settings`] (where they come from), [`server`] (the
//! listener, its limits and its end), `connection` and `tls` (what is under HTTP/2), `live` (keys and identities that
//! change meanwhile), `shares` (of places), `layers` (what stands before every request), `web` (what browsers need), [`identity`] (who calls, and what they may),
//! [`telemetry`], [`tally`] (counters), `bench` (threads for what takes long), [`seal`] (states that callers cannot read or bend), `game` (the
//! service), `rpc` (one file a method), `audit` (the service that judges logs), [`convert`]
//! (messages to engine values and back), [`status`] (the one place that turns errors into statuses),
//! [`demo`] (a whole game through a real client).

mod audit;
mod bench;
pub mod config;
mod connection;
pub mod convert;
pub mod demo;
mod desk;
mod game;
pub mod identity;
mod layers;
mod live;
mod rpc;
pub mod seal;
pub mod server;
pub mod settings;
mod shares;
pub mod signer;
pub mod status;
pub mod tally;
pub mod telemetry;
mod tls;
mod web;

/// Fills a buffer with random bytes: the only source of randomness, an argument of [`server::run`].
pub type Generator = fn(&mut [u8]) -> Result<(), NoRandomness>;

/// Milliseconds since 1970: the only clock, an argument of [`server::run`]. No answer depends on it but whether a
/// state has expired.
pub type Clock = fn() -> i64;

/// The source of randomness failed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the source of randomness failed")]
pub struct NoRandomness;
