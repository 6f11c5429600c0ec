//! The gRPC service `canasta.v1`, which judges Canasta actions and keeps nothing.
//!
//! Modules in layers; each uses only modules of the layers before its own:
//!
//! 1. [`outside`] (clock and randomness as arguments), [`limits`] (fixed limits), [`config`] (settings as values),
//!    [`status`] (the one place that turns errors into gRPC statuses), `steps` (legal steps by asker).
//! 2. [`convert`] (messages to engine values and back), [`identity`] (callers and their rights), [`seal`] (states that
//!    callers can neither read nor change), [`signer`] (checkpoints), `live` (files that change while the server runs).
//! 3. `tls`, `files` (the files that settings name), [`telemetry`], `connection` (TCP connections and their timeouts).
//! 4. `context` (what every answer depends on besides its request), `bench` (threads for long work).
//! 5. `rpc` (one file per method of GameService), `audit` (AuditService).
//! 6. `layers` (admission of requests), `web` (gRPC-web and the page), [`server`] (listener, limits, drain).
//! 7. [`settings`] (sources of settings), [`demo`] (a whole game through a real client).

mod audit;
mod bench;
pub mod config;
mod connection;
mod context;
pub mod convert;
pub mod demo;
mod files;
pub mod identity;
mod layers;
pub mod limits;
mod live;
pub mod outside;
mod rpc;
pub mod seal;
pub mod server;
pub mod settings;
mod shares;
pub mod signer;
pub mod status;
mod steps;
pub mod tally;
pub mod telemetry;
mod tls;
mod web;

pub use outside::{Clock, Generator, NoRandomness};
