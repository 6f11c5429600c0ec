//! The gRPC service `canasta.v1`, which judges Canasta actions and keeps nothing.
//!
//! The modules stand in layers. A module uses only modules of lower layers, and of its own layer only those that stand
//! before it.
//!
//! 1. Values: [`outside`] (clock and randomness as arguments), [`limits`] (fixed limits), [`config`] (settings), `server_limits`
//!    (both, as callers are told of them), `steps` (judgements that may take long), [`counters`], `reload` (values from files that
//!    may change), `recent` (a bounded map).
//! 2. Callers and secrets: [`identity`] (callers and their rights), [`seeds`] (ids and secrets of new games), [`seal`] (states
//!    that callers can neither read nor change), [`signer`] (checkpoints).
//! 3. The process: `tls`, `files` (the files that settings name), [`telemetry`], `fairness` (shares of callers in what is
//!    scarce), `connection` (TCP connections and their timeouts), `sites` (whose pages may ask), `authenticator` (callers of
//!    requests and of open streams), `account` (what a caller is charged for, and what a request holds), `workers` (threads for long work), `context` (everything that an answer depends on besides its request),
//!    `streams` (places of open streams).
//! 4. Services: `rpc` (GameService), `audit` (AuditService), whose answers `canasta-messages` has.
//! 5. The server: `layers` (admission of requests), `web` (services for browsers), [`server`] (listener and drain),
//!    [`parts`] (for other servers).
//! 6. The program: [`settings`] (sources of settings), [`program`] (signals, randomness and the clock).

mod accept;
mod account;
mod audit;
mod authenticator;
pub mod config;
mod connection;
mod context;
pub mod counters;
mod fairness;
mod files;
pub mod identity;
mod layers;
pub mod limits;
pub mod outside;
pub mod program;
mod recent;
mod reload;
mod rpc;
pub mod seal;
mod secret;
pub mod seeds;
pub mod server;
mod server_limits;
pub mod settings;
pub mod signer;
mod sites;
mod steps;
mod streams;
pub mod telemetry;
mod tls;
mod web;
mod workers;

pub use outside::{Clock, Generator, NoRandomness};

/// Parts for servers that keep games by id: such a server judges, limits and entitles as this one does.
pub mod parts {
    pub use crate::account::CallerAccount;
    pub use crate::authenticator::Credentials;
    pub use crate::context::RequestContext;
    pub use crate::fairness::{Accountant, RateLimiter, SharedPlace};
    pub use crate::files::{LinkSettings, faults as file_faults};
    pub use crate::recent::RecentMap;
    pub use crate::seal::TokenRefusal;
    pub use crate::secret::{SecretError, read as read_secret};
    pub use crate::steps::may_take_long;
    pub use crate::streams::{StreamEnd, StreamPlaces};
    pub use crate::telemetry::method::Method;
    pub use crate::telemetry::trail::{CallTrail, Trail};
    pub use crate::workers::WorkerPool;
}
