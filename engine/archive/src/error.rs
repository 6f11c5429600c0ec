//! The reasons why an archive, or a game in it, cannot be read.

use thiserror::Error;

/// The reasons why a packed game does not unpack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The first byte does not name a method of packing.
    #[error("packed in way {found}, expected 0 or 1")]
    Method {
        /// The method byte that was found.
        found: u8,
    },
    /// The body decodes to values that no log can have.
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
    /// The body needs more decisions than a log of its size can: it is hostile, or not a log.
    #[error(
        "unpacking takes more than {most} decisions, the most for a log of this size packed to so little"
    )]
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
    #[error("this is not an archive of logs: the first bytes are not 89 43 41 52 43 0d 0a 1a 01")]
    NotAnArchive,
    /// The archive has a version that this reader does not know.
    #[error("archive version {found}, expected 1")]
    Version {
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
    Entry,
    /// The body does not have the check that the index states.
    #[error("the packed game is damaged: its check is not the one in the index")]
    BodyCheck,
    /// The body has the right check but does not unpack to a log.
    #[error(transparent)]
    Body(Fault),
    /// The body unpacks to another log: the program that packed it replays in another way.
    #[error("the log that comes out has another digest than the one that was packed")]
    LogDigest,
}

impl ArchiveErrorKind {
    /// Returns the fault with its place.
    pub(super) fn at(self, offset: u64) -> ArchiveError {
        ArchiveError { offset, kind: self }
    }
}
