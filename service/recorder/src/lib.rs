//! The recorder: games by id. It keeps state and log of every game in a journal, and serves `canasta.v1.RecordService`
//! through the parts of the stateless service.
//!
//! The modules stand in layers; a module uses only modules before it.
//!
//! 1. Bytes: [`entry`] (an entry of the journal), [`records`] (the records of an entry, and the play that they stand
//!    for), `timing` (the clocks of a game).
//! 2. The disk: [`keys`] and [`folder`] (the recorder's own files), [`journal`] (where entries are kept, and who wins among
//!    rivals), [`archive`] (packed logs of judged games), `verdict` (the content of verdicts), `outages` (the times at which
//!    the recorder was down).
//! 3. Requests: `changes` (hints for watchers), `presence` (who watches), `games` (settings that are remembered), `tasks` (one per game), `metrics`
//!    (what operators see), [`rooms`] (games of callers without credentials),
//!    `room` (chairs at which people meet: codes, and what people change), [`situations`] (games for tests of front ends), `lengths` (limits of what is recorded),
//!    [`context`] (everything that an answer depends on besides its request), `recording` (of entries within the limits),
//!    `watched` (what all have seen of a round), `links` (tokens for one actor in one game), `steps` (streams without a queue),
//!    `play` (judgements, and the recorder's own actions), `rpc` (one file per method), [`handler`] (RecordService),
//!    [`auditor`] (the audit of finished games).
//! 4. The programs: [`settings`], [`server`], [`commands`] (`doctor`, `backup`, `move-from`, and the operator's games and links);
//!    [`auditor::program`] and [`auditor::fetch`].

pub mod archive;
pub mod auditor;
mod backup;
mod boards;
pub mod changes;
pub mod commands;
pub mod context;
mod doctor;
pub mod entry;
pub mod folder;
mod games;
pub mod handler;
pub mod journal;
pub mod keys;
mod lengths;
mod links;
pub mod marks;
mod metrics;
mod move_games;
mod operator;
pub mod outages;
mod play;
mod presence;
mod recording;
pub mod records;
mod room;
pub mod rooms;
mod rpc;
pub mod server;
pub mod settings;
pub mod situations;
mod steps;
mod tasks;
mod timing;
mod verdict;
mod watched;
