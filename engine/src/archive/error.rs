//! Why an archive, or a game of it, cannot be read.

use thiserror::Error;

/// Why a packed game does not unpack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The first byte names no way of packing.
    #[error("packed in way {found}, expected 0 or 1")]
    Method {
        /// The byte.
        found: u8,
    },
    /// The body says something that no log can say.
    #[error("the packed bytes are malformed")]
    Malformed,
    /// The log becomes longer than the archive says it is.
    #[error("the log becomes longer than the {expected} bytes that it should have")]
    TooLong {
        /// Bytes of the log as declared.
        expected: u64,
    },
    /// The log ends too early.
    #[error("the log has {found} bytes, expected {expected}")]
    TooShort {
        /// Bytes that were unpacked.
        found: u64,
        /// Bytes of the log as declared.
        expected: u64,
    },
}
