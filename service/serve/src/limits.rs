//! The fixed limits that several modules share. A limit of one module stands in that module; a limit that
//! operators may change is a setting ([`crate::config`]).

/// Maximum length of a request, in bytes; the server answers a longer one with OUT_OF_RANGE.
pub const REQUEST_BYTES_MAX: usize = 256 * 1024;

/// Maximum length of a state, in bytes; states with house rules and walls of six packs are far shorter.
pub const STATE_BYTES_MAX: usize = 64 * 1024;

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

/// Number of bytes of the making of an answer that the place of its request covers.
pub const ANSWER_BYTES_FREE: usize = 16 * 1024;

/// Number of bytes that are charged for a page of records while it is made, without views and with them: several times what
/// is sent.
pub const PAGE_BYTES: [usize; 2] = [256 * 1024, 2 * 1024 * 1024];

/// Number of bytes that are charged for a page of the catalogue while it is made.
pub const CATALOGUE_BYTES: usize = 512 * 1024;

/// Number of bytes that are charged for the answer to a question while it is made.
pub const QUESTION_BYTES: usize = 32 * 1024;

/// Returns the number of bytes that the answer to a batch takes while it is made: for each action, what its own caller and
/// each of the observers are told.
pub fn batch_bytes(actions: usize, observers: usize) -> usize {
    1024 * actions * (1 + observers)
}
