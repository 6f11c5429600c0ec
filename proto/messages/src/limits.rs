//! The limits of messages that all hosts share. A limit of one module stands in that module.

/// Maximum length of an answer, in bytes.
pub const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// Maximum length of an answer with observations, without its state, in bytes: they take about 17 ns per byte.
pub const OBSERVED_BYTES_MAX: usize = 192 * 1024;

/// Maximum number of observers of a request.
pub const OBSERVERS_MAX: usize = 16;

/// Maximum number of actions in a batch.
pub const ACTIONS_MAX: usize = 256;

/// Maximum length of the id of a rule set, rule, code or variation, in bytes.
pub const ID_BYTES_MAX: usize = 64;

/// Maximum length of the records of a page in bytes, without views and with them, if there are two or more. A view takes
/// ten times its length while it is made.
pub const RECORDS_BYTES_MAX: [usize; 2] = [512 * 1024, 128 * 1024];
