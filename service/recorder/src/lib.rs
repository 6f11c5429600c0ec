//! The recorder: games by id. It keeps state and log of every game in a journal, and serves `canasta.v1.RecordService`
//! through the parts of the stateless service.
//!
//! The modules stand in layers; a module uses only modules before it.
//!
//! 1. Bytes: [`entry`] (an entry of the journal), [`records`] (the records of an entry, and the play that they stand
//!    for).
//! 2. The disk: [`journal`] (where entries are kept, and who wins among rivals), [`keys`] and [`folder`] (the recorder's
//!    own files).
//! 3. Requests: `changes` (hints for watchers), [`rooms`] (games of callers without credentials), [`context`] (everything
//!    that an answer depends on besides its request), `links` (tokens for one actor in one game), `steps` (streams without
//!    a queue), `rpc` (one file per method), [`handler`] (RecordService).
//! 4. The program: [`settings`], [`server`], [`commands`].

pub mod changes;
pub mod commands;
pub mod context;
pub mod entry;
pub mod folder;
pub mod handler;
pub mod journal;
pub mod keys;
mod links;
pub mod records;
pub mod rooms;
mod rpc;
pub mod server;
pub mod settings;
mod steps;
