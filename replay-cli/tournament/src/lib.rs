//! Publishes the games of a tournament as a transparency log, and audits what was published.
//!
//! A published tournament is a Merkle tree in files (C2SP tlog-tiles) whose leaves are games. From the inside out:
//!
//! - [`merkle`]: the tree of RFC 6962; [`tiles`]: its hashes and leaves in files;
//! - [`note`]: signed notes and their keys; [`key_file`]: private keys on disk;
//! - [`checkpoint`]: the signed head; [`proof`]: the proof that one game is in the tree;
//! - [`entry`]: a leaf that is one game; `entries`: all those of a tree; [`leaf`]: all leaves; [`timeline`]: what they say together; [`times`]: when; [`log_file`]: logs on disk, and the notes beside them;
//! - [`durable`]: safe writing of one file; [`files`]: of a site; [`site`]: a published tree, read and checked;
//! - [`publish`]: adding leaves to a tree; [`forecast`]: what an audit would find in them; [`growing`]: logs that grow; [`watch`]: games in progress as leaves; [`openings`]: the games that may be dealt; [`audit`]: checking a published tournament;
//! - [`bundle`]: the proof of one game with its log, in one block of data;
//! - [`sheet`]: score sheets that players sign; [`paper`]: those of games without a log; [`scores`]: their sums, counted again;
//! - [`names`]: names of players that look alike;
//! - [`cosign`] and [`witness`]: signatures of witnesses, who see that a tree only grows; [`kept`]: the checkpoints they signed, which
//!   stay; [`sightings`]: what they saw, and when;
//! - [`boards`]: boards of duplicate play, whose cards are equal at every table;
//! - [`compare`]: two checkpoints;
//! - [`fault`]: the kinds of damage that an audit names;
//! - [`policy`]: what a tournament promises before the first card; [`promises`]: whether a log keeps it; [`owed`]: what players owed to deals; [`reserve`]: what a log does not prove;
//! - [`beacon`]: public randomness (drand), which the deals of a log may name.
//!
//! docs/TOURNAMENT.md describes every byte. The crate reads no arguments and prints nothing.

pub mod audit;
pub mod beacon;
pub mod boards;
pub mod bundle;
pub mod checkpoint;
pub mod compare;
pub mod cosign;
pub mod durable;
mod entries;
pub mod entry;
pub mod fault;
pub mod files;
pub mod forecast;
pub mod games;
pub mod growing;
pub mod kept;
pub mod key_file;
pub mod leaf;
pub mod log_file;
pub mod merkle;
pub mod names;
pub mod note;
pub mod openings;
pub mod owed;
pub mod paper;
pub mod policy;
pub mod promises;
pub mod proof;
pub mod publish;
pub mod reserve;
pub mod rest;
pub mod scores;
pub mod sheet;
pub mod sightings;
pub mod site;
pub mod text;
pub mod tiles;
pub mod timeline;
pub mod times;
pub mod watch;
pub mod witness;
