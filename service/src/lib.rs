//! The gRPC service `canasta.v1`, which judges Canasta actions and keeps nothing.
//!
//! The modules stand in layers. A module uses only modules of lower layers, and of its own layer only those that stand
//! before it.
//!
//! 1. Values: [`outside`] (clock and randomness as arguments), [`limits`] (fixed limits), [`config`] (settings),
//!    [`status`] (the one place that turns errors into gRPC statuses), `steps` (the legal steps that an asker may see),
//!    [`counters`], `reload` (values from files that may change), `recent` (a bounded map).
//! 2. Messages and secrets: [`convert`] (messages to engine values and back), [`identity`] (callers and their rights),
//!    [`words`] (sentences of messages), [`seeds`] (ids and secrets of new games), [`seal`] (states that callers can
//!    neither read nor change), [`signer`] (checkpoints).
//! 3. The process: `tls`, `files` (the files that settings name), [`telemetry`], `fairness` (shares of callers in what is
//!    scarce), `connection` (TCP connections and their timeouts), `sites` (whose pages may ask), `authenticator` (callers of
//!    requests and of open streams), `account` (what a caller is charged for, and what a request holds), `workers` (threads for long work), `context` (everything that an answer depends on besides its request),
//!    `streams` (places of open streams).
//! 4. Services: `rpc` (one file per method of GameService), `audit` (AuditService).
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
pub mod convert;
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
pub mod settings;
pub mod signer;
mod sites;
pub mod status;
mod steps;
mod streams;
pub mod telemetry;
mod tls;
mod web;
pub mod words;
mod workers;

pub use outside::{Clock, Generator, NoRandomness};

/// Parts for servers that keep games by id: such a server judges, limits and entitles as this one does.
pub mod parts {
    pub use crate::account::CallerAccount;
    pub use crate::audit::describe::write as describe_record;
    pub use crate::audit::open_audit::RecordFacts;
    pub use crate::audit::record::actor as actor_of_record;
    pub use crate::audit::report::{redact as redact_report, write as write_report};
    pub use crate::authenticator::Credentials;
    pub use crate::context::{RequestContext, check_actor, check_seat, expect};
    pub use crate::fairness::{Accountant, RateLimiter, SharedPlace};
    pub use crate::files::{LinkSettings, faults as file_faults};
    pub use crate::recent::RecentMap;
    pub use crate::rpc::observers::Observers;
    pub use crate::rpc::preview_take_back::write as write_refusal;
    pub use crate::rpc::proposal::take_unobserved;
    pub use crate::rpc::{
        check_action, create_game, list_legal_actions, options, preview_take_back, suggest_action,
    };
    pub use crate::seal::TokenRefusal;
    pub use crate::secret::{SecretError, read as read_secret};
    pub use crate::steps::may_take_long;
    pub use crate::streams::{StreamEnd, StreamPlaces};
    pub use crate::telemetry::method::Method;
    pub use crate::telemetry::trail::{CallTrail, Trail};
    pub use crate::workers::WorkerPool;
}
