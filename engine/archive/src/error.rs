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
    /// The log has another number of records or actions than the archive says.
    #[error("the log has {found} {what}, expected {expected}")]
    Count {
        /// `records` or `actions`.
        what: &'static str,
        /// How many were unpacked until then.
        found: u64,
        /// How many the archive says.
        expected: u64,
    },
    /// The body asks for more decisions than a log of its size takes: hostile, or no log at all.
    #[error(
        "unpacking takes more than {most} decisions, the most for a log of this size packed to so little"
    )]
    TooMuchWork {
        /// The most decisions that were allowed.
        most: u64,
    },
}

/// What is wrong with an archive, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("byte {offset}: {kind}")]
pub struct ArchiveError {
    /// Byte of the file at which the part that is concerned begins.
    pub offset: u64,
    /// What is wrong there.
    pub kind: ArchiveErrorKind,
}

/// What can be wrong with an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ArchiveErrorKind {
    /// The file does not begin with the eight bytes of an archive, or is too short to be one.
    #[error("this is not an archive of logs: the first bytes are not 89 43 41 52 43 0d 0a 1a 01")]
    NotAnArchive,
    /// An archive of a version that this reader does not know.
    #[error("archive version {found}, expected 1")]
    Version {
        /// The version byte.
        found: u8,
    },
    /// The footer names an index that cannot be: the file was cut, or its end changed.
    #[error("the end of the archive does not fit its length: it was cut or changed")]
    Footer,
    /// The index is not the one whose digest stands in the footer.
    #[error("the index is damaged: its digest is not the one in the footer")]
    IndexDigest,
    /// The index has its digest but is no index: a name that is not allowed, or lengths that do not add up.
    #[error("the index is malformed")]
    Entry,
    /// The body is not the one whose check stands in the index.
    #[error("the packed game is damaged: its check is not the one in the index")]
    BodyCheck,
    /// The body has its check but gives no log.
    #[error(transparent)]
    Body(Fault),
    /// The body gives another log: it was packed by a program that replays otherwise.
    #[error("the log that comes out has another digest than the one that was packed")]
    LogDigest,
}

impl ArchiveErrorKind {
    /// With its place.
    pub(super) fn at(self, offset: u64) -> ArchiveError {
        ArchiveError { offset, kind: self }
    }
}
