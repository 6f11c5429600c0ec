//! The fixed limits that several modules share. A limit of one module stands in that module; a limit that
//! operators may change is a setting ([`crate::config`]).

/// Maximum length of a request, in bytes; the server answers a longer one with OUT_OF_RANGE.
pub const REQUEST_BYTES_MAX: usize = 256 * 1024;

/// Maximum length of an answer, in bytes.
pub const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// Maximum length of a state, in bytes; states with house rules and walls of six packs are far shorter.
pub const STATE_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of observers of a request.
pub const OBSERVERS_MAX: usize = 16;

/// Maximum number of actions in a batch.
pub const ACTIONS_MAX: usize = 256;

/// Maximum length of a log, in bytes.
pub const LOG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Maximum number of chunks of a log.
pub const CHUNKS_MAX: u64 = 100_000;

/// Maximum number of records of a log.
pub const RECORDS_MAX: u64 = 100_000;

/// Maximum length of one chunk of a log, in bytes.
pub const CHUNK_BYTES_MAX: usize = 64 * 1024;

/// Maximum length of a message that holds a chunk of a log, in bytes: the chunk and its field's header.
pub const CHUNK_MESSAGE_BYTES_MAX: usize = CHUNK_BYTES_MAX + 64;

/// Maximum length of the id of a rule set, rule, code or variation, in bytes.
pub const ID_BYTES_MAX: usize = 64;
