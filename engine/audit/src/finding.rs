//! What an audit finds.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::Foreign;
use canasta_log::error::{LogError, LogErrorKind};
use canasta_rules::notation::Position;
use canasta_rules::seat::Seat;
use canasta_rules::violations::Code;

/// Something wrong in a log.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// What kind of fault.
    pub kind: FindingKind,
    /// Number of the record, from 0.
    pub record: u64,
    /// Byte of the file at which its frame begins.
    pub offset: u64,
    /// Round, where one is played.
    pub round: Option<u16>,
    /// The seat concerned.
    pub seat: Option<Seat>,
    /// Codes of the violations of an illegal action, in order.
    pub codes: Vec<Code>,
    /// What was expected and what was found.
    pub detail: String,
    /// The position that was judged, where the cards are known: for an action that breaks the
    /// rules the one before it.
    pub position: Option<Box<Position>>,
    /// Whether it was found behind a fault that a salvaging audit went past: what is behind proves nothing.
    pub unproven: bool,
}

/// The kinds of findings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum FindingKind {
    /// The file ends inside a frame whose length check holds.
    Torn,
    /// A byte of header, length, check or chain is wrong.
    Corrupt,
    /// A payload is no record.
    Malformed,
    /// A record stands where it may not.
    Order,
    /// The rule set is not what genesis says, or cannot be played.
    RuleSet,
    /// A commitment does not fit what was revealed.
    Commitment,
    /// Dealer, round or attempt of a register are not what the rules say.
    Register,
    /// The wall cannot be derived, or is not the pack.
    Deal,
    /// An action breaks the rules.
    Illegal,
    /// A digest is not that of the state.
    Digest,
    /// Declared score lines are not those of the round.
    Score,
    /// The second count of the table gives other points.
    Tally,
    /// The declared end of round or game is not the one that was played.
    Result,
    /// A refusal does not say what was refused, or the action was legal.
    Refusal,
    /// A seat's signature does not verify.
    Signature,
    /// The log has no game end.
    Incomplete,
    /// The head is not the one that was expected.
    Head,
    /// A checkpoint is not over the record before it.
    Checkpoint,
    /// A round has more records or bytes than a round may have.
    RoundTooLong,
    /// Something this version does not judge: it is said, never skipped silently.
    NotJudged,
    /// Something that a strict audit wants proven is not.
    Unproven,
    /// The file is no log: it does not begin as one.
    NotALog,
    /// A log of a version that this program does not read.
    UnsupportedVersion,
}

impl FindingKind {
    /// All kinds, by number.
    pub const ALL: [Self; 23] = [
        Self::Torn,
        Self::Corrupt,
        Self::Malformed,
        Self::Order,
        Self::RuleSet,
        Self::Commitment,
        Self::Register,
        Self::Deal,
        Self::Illegal,
        Self::Digest,
        Self::Score,
        Self::Tally,
        Self::Result,
        Self::Refusal,
        Self::Signature,
        Self::Incomplete,
        Self::Head,
        Self::Checkpoint,
        Self::RoundTooLong,
        Self::NotJudged,
        Self::Unproven,
        Self::NotALog,
        Self::UnsupportedVersion,
    ];

    /// The kind's name (`ILLEGAL`).
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 23] = [
            "TORN",
            "CORRUPT",
            "MALFORMED",
            "ORDER",
            "RULE_SET",
            "COMMITMENT",
            "REGISTER",
            "DEAL",
            "ILLEGAL",
            "DIGEST",
            "SCORE",
            "TALLY",
            "RESULT",
            "REFUSAL",
            "SIGNATURE",
            "INCOMPLETE",
            "HEAD",
            "CHECKPOINT",
            "ROUND_TOO_LONG",
            "NOT_JUDGED",
            "UNPROVEN",
            "NOT_A_LOG",
            "UNSUPPORTED_VERSION",
        ];
        NAMES[self as usize]
    }
}

/// What a log turned out to be, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// It is no log. Nothing is said of a game.
    NotALog,
    /// It is a log of a version that this program does not read. Nothing is said of its game.
    UnsupportedVersion,
    /// Bytes, commitments or declared values are not what was played.
    Altered,
    /// An action broke the rules.
    Illegal,
    /// The log stops before the game's end, perhaps inside a frame.
    Incomplete,
    /// Nothing is wrong with what could be judged; the rest rests on what the log does not say, or not yet.
    Conditional,
    /// Everything holds, with what officials ruled.
    Ruled,
    /// Everything holds.
    Clean,
}

impl Verdict {
    /// The verdict's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotALog => "NOT_A_LOG",
            Self::UnsupportedVersion => "UNSUPPORTED_VERSION",
            Self::Altered => "ALTERED",
            Self::Illegal => "ILLEGAL",
            Self::Incomplete => "INCOMPLETE",
            Self::Conditional => "CONDITIONAL",
            Self::Ruled => "CLEAN_WITH_RULINGS",
            Self::Clean => "CLEAN",
        }
    }

    /// The best that can be said of a log with such a finding.
    pub fn of(kind: FindingKind) -> Self {
        match kind {
            FindingKind::NotALog => Self::NotALog,
            FindingKind::UnsupportedVersion => Self::UnsupportedVersion,
            FindingKind::Illegal => Self::Illegal,
            FindingKind::Incomplete | FindingKind::Torn => Self::Incomplete,
            FindingKind::NotJudged | FindingKind::Unproven => Self::Conditional,
            _ => Self::Altered,
        }
    }
}

/// What became of the deals of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DealVerdict {
    /// A commitment does not fit, or a wall cannot be derived.
    Failed,
    /// Something that was committed to is not revealed, or nothing was committed to.
    NotChecked,
    /// Every card was dealt as it was committed to before the first.
    AsCommitted,
}

impl DealVerdict {
    /// The verdict's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Failed => "FAILED",
            Self::NotChecked => "NOT_CHECKED",
            Self::AsCommitted => "AS_COMMITTED",
        }
    }
}

impl Finding {
    /// A finding without a seat, codes or a position.
    pub fn new(kind: FindingKind, record: u64, offset: u64, detail: String) -> Self {
        let codes = Vec::new();
        Self { kind, record, offset, round: None, seat: None, codes, detail, position: None, unproven: false }
    }

    /// The finding of a fault in framing, chain or coding.
    pub(super) fn of_error(error: &LogError) -> Self {
        let kind = match &error.kind {
            kind if kind.is_torn() => FindingKind::Torn,
            LogErrorKind::Record(_) => FindingKind::Malformed,
            // Most of the signature is there: a log that was damaged.
            LogErrorKind::NotALog { found: Foreign::DamagedHeader } => FindingKind::Corrupt,
            LogErrorKind::NotALog { .. } => FindingKind::NotALog,
            LogErrorKind::Version { .. } => FindingKind::UnsupportedVersion,
            _ => FindingKind::Corrupt,
        };
        Self::new(kind, error.record, error.offset, alloc::format!("{error}"))
    }
}
