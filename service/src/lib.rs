//! The gRPC service `canasta.v1`, which judges Canasta actions and keeps nothing.
//!
//! The modules stand in layers. A module uses only modules of lower layers, and of its own layer only those that stand
//! before it.
//!
//! 1. Secrets: [`seeds`] (ids and secrets of new games), [`seal`] (states that callers can neither read nor change).
//! 2. The process: `server_limits` (limits and settings, as callers are told of them), [`steps`] (judgements that may take
//!    long), [`files`] (the files that settings name), [`context`] (everything that an answer depends on besides its request).
//! 3. Services: `rpc` (GameService), `audit` (AuditService), whose answers `canasta-messages` has.
//! 4. The server: `web` (services for browsers), [`server`] (listener and drain). What is around it has `canasta-serve`.
//! 5. The program: [`settings`] (sources of settings), [`program`] (signals, randomness and the clock).

mod audit;
pub mod context;
pub mod files;
pub mod program;
mod rpc;
pub mod seal;
pub mod seeds;
pub mod server;
mod server_limits;
pub mod settings;
pub mod steps;
mod web;
