//! The recorder: games by id. It keeps state and log of every game in a journal, and serves `canasta.v1.RecordService`
//! through the parts of the stateless service.
//!
//! The modules stand in layers; a module uses only modules before it.
//!
//! 1. Bytes: [`entry`] (an entry of the journal), [`records`] (the records of an entry, and the play that they stand
//!    for).
//! 2. The disk: [`journal`] (where entries are kept, and who wins among rivals), [`archive`] (packed logs of judged
//!    games), `verdict` (the content of verdicts), [`keys`] and [`folder`] (the recorder's own files).
//! 3. Requests: `changes` (hints for watchers), [`context`] (everything that an answer depends on besides its request),
//!    `steps` (streams without a queue), `rpc` (one file per method), [`handler`] (RecordService), `auditor` (the audit of finished games).
//! 4. The program: [`settings`], [`server`], [`seal_keys`] (a command).

pub mod archive;
mod auditor;
pub mod changes;
pub mod context;
pub mod entry;
pub mod folder;
pub mod handler;
pub mod journal;
pub mod keys;
pub mod records;
mod rpc;
pub mod seal_keys;
pub mod server;
pub mod settings;
mod steps;
mod verdict;
