//! The reasons why an archive, or a log in it, cannot be read.

use thiserror::Error;

/// The reasons why a block does not unpack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The first byte does not name a method of packing.
    #[error("packed in way {found}, expected 0 or 1")]
    Method {
        /// The method byte that was found.
        found: u8,
    },
    /// The block decodes to values that no log can have, or has bytes left.
    #[error("the packed bytes are malformed")]
    Malformed,
    /// The log becomes longer than the archive declares.
    #[error("the log becomes longer than the {expected} bytes that it should have")]
    TooLong {
        /// Length of the log in bytes, as declared.
        expected: u64,
    },
    /// The log ends too early.
    #[error("the log has {found} bytes, expected {expected}")]
    TooShort {
        /// Number of bytes that were unpacked.
        found: u64,
        /// Length of the log in bytes, as declared.
        expected: u64,
    },
    /// The log has another number of records or actions than the archive declares.
    #[error("the log has {found} {what}, expected {expected}")]
    Count {
        /// `records` or `actions`.
        what: &'static str,
        /// Number that was unpacked so far.
        found: u64,
        /// Number that the archive declares.
        expected: u64,
    },
    /// The block needs more decisions than logs of this size can: it is hostile.
    #[error("unpacking takes more than {most} decisions, the most for a block of this size")]
    TooMuchWork {
        /// Maximum number of decisions that was allowed.
        most: u64,
    },
}

/// A fault of an archive, with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("byte {offset}: {kind}")]
pub struct ArchiveError {
    /// Offset in bytes at which the faulty part begins in the file.
    pub offset: u64,
    /// The fault.
    pub kind: ArchiveErrorKind,
}

/// The faults that an archive can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ArchiveErrorKind {
    /// The file does not begin with the eight bytes of an archive, or is too short to be one.
    #[error("this is not an archive of logs: the first bytes are not 89 43 41 52 43 0d 0a 1a 02")]
    NotAnArchive,
    /// The archive has a version that this reader does not know.
    #[error("UNSUPPORTED_VERSION: an archive of version {found}, this program reads version 2")]
    UnsupportedVersion {
        /// The version byte.
        found: u8,
    },
    /// The footer contradicts the length of the file: the file was cut, or its end was changed.
    #[error("the end of the archive does not fit its length: it was cut or changed")]
    Footer,
    /// The index does not have the digest that the footer states.
    #[error("the index is damaged: its digest is not the one in the footer")]
    IndexDigest,
    /// The index has the right digest but is malformed: a name that is not allowed, or lengths that do not
    /// add up.
    #[error("the index is malformed")]
    Index,
    /// The block does not have the check that the index states.
    #[error("the block of this log is damaged: its check is not the one in the index")]
    BlockCheck,
    /// The block has the right check but does not unpack to logs.
    #[error(transparent)]
    Block(Fault),
    /// The block unpacks to other logs: the program that packed it replays in another way.
    #[error("the logs of this block come out with another digest than they were packed with")]
    LogDigest,
}

impl ArchiveErrorKind {
    /// Returns the fault with its place.
    pub(super) fn at(self, offset: u64) -> ArchiveError {
        ArchiveError { offset, kind: self }
    }
}
