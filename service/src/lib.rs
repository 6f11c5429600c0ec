//! The gRPC service `canasta.v1`, which judges Canasta actions and keeps nothing.
//!
//! The modules stand in layers. A module uses only modules of lower layers, and of its own layer only those that stand
//! before it.
//!
//! 1. Values: [`outside`] (clock and randomness as arguments), [`limits`] (fixed limits), [`config`] (settings),
//!    [`status`] (the one place that turns errors into gRPC statuses), `steps` (the legal steps that an asker may see),
//!    [`counters`], `fairness` (shares of callers in what is scarce), `reload` (values from files that may change).
//! 2. Messages and secrets: [`convert`] (messages to engine values and back), [`identity`] (callers and their rights),
//!    [`words`] (sentences of messages), [`seeds`] (ids and secrets of new games), [`seal`] (states that callers can
//!    neither read nor change), [`signer`] (checkpoints).
//! 3. The process: `tls`, `files` (the files that settings name), [`telemetry`], `connection` (TCP connections and
//!    their timeouts), `authenticator` (callers of requests and of open streams), `account` (what a caller is charged
//!    for), `streams` (places of open streams), `workers` (threads for long work), `context` (everything that an answer
//!    depends on besides its request).
//! 4. Services: `rpc` (one file per method of GameService), `audit` (AuditService).
//! 5. The server: `layers` (admission of requests), `web` (services for browsers), [`server`] (listener and drain).
//! 6. The program: [`settings`] (sources of settings), [`demo`] (a whole game through a real client).

mod account;
mod audit;
mod authenticator;
pub mod config;
mod connection;
mod context;
pub mod convert;
pub mod counters;
pub mod demo;
mod fairness;
mod files;
pub mod identity;
mod layers;
pub mod limits;
pub mod outside;
mod reload;
mod rpc;
pub mod seal;
mod secret;
pub mod seeds;
pub mod server;
pub mod settings;
pub mod signer;
pub mod status;
mod steps;
mod streams;
pub mod telemetry;
mod tls;
mod web;
pub mod words;
mod workers;

pub use outside::{Clock, Generator, NoRandomness};
