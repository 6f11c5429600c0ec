//! The surroundings of answers, alike for every server of canasta.v1: connections, callers and their rights, shares of what is scarce,
//! deadlines, telemetry, threads for long work. It knows who acts in which game, and no card.
//!
//! Modules in layers; a module uses only those of lower layers, and of its own layer those before it.
//!
//! 1. Values: [`outside`] (clock and randomness as arguments, locks), [`limits`] (fixed limits), [`config`] (settings),
//!    [`counters`], [`reload`] (values from files that may change), [`recent`] (a bounded map), [`secret`] (files that hold
//!    secrets).
//! 2. Callers: [`signer`] (signed notes and tokens), [`identity`] (callers and their rights).
//! 3. The process: [`tls`], [`telemetry`], [`fairness`] (shares of callers in what is scarce), [`connection`] (TCP connections
//!    and their timeouts), [`accept`], [`sites`] (whose pages may ask), [`authenticator`] (callers of requests and of open
//!    streams), [`account`] (what a caller is charged for, and what a request holds), [`workers`] (threads for long work),
//!    [`streams`] (places of open streams).
//! 4. Admission of requests: [`layers`].

pub mod accept;
pub mod account;
pub mod authenticator;
pub mod config;
pub mod connection;
pub mod counters;
pub mod fairness;
pub mod identity;
pub mod layers;
pub mod limits;
pub mod outside;
pub mod recent;
pub mod reload;
pub mod secret;
pub mod signer;
pub mod sites;
pub mod streams;
pub mod telemetry;
pub mod tls;
pub mod workers;

pub use canasta_messages::fault::OrFault;

/// The answer of a method of a gRPC service.
pub type RpcResult<T> = Result<tonic::Response<T>, tonic::Status>;
