//! The findings of an audit, and its verdicts.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::Foreign;
use canasta_log::codes::{values, word};
use canasta_log::error::{LogError, LogErrorKind};
use canasta_log::record::DealMode;
use canasta_rules::notation::Position;
use canasta_rules::seat::Seat;
use canasta_rules::violations::Code;

/// A fault in a log, or a fact that an audit cannot judge.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The kind of the finding.
    pub kind: FindingKind,
    /// Number of the record, from 0.
    pub record: u64,
    /// Offset in bytes at which its frame begins in the file.
    pub offset: u64,
    /// Number of the round, if one is being played.
    pub round: Option<u16>,
    /// The seat concerned.
    pub seat: Option<Seat>,
    /// Codes of the violations of an illegal action, in order.
    pub codes: Vec<Code>,
    /// Text: what was expected and what was found.
    pub detail: String,
    /// The position that was judged, if the cards are known. For an action that breaks the rules this is the
    /// position before the action.
    pub position: Option<Box<Position>>,
    /// Whether the finding comes after a fault that a salvaging audit passed: findings there prove nothing.
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
    /// A payload is not a record.
    Malformed,
    /// A record is not allowed at this place.
    Order,
    /// The rule set contradicts genesis, or cannot be played.
    RuleSet,
    /// A commitment does not match the revealed value.
    Commitment,
    /// Dealer, round or attempt of a register contradict the rules.
    Register,
    /// The wall cannot be derived, or is not the whole pack.
    Deal,
    /// An action breaks the rules.
    Illegal,
    /// A digest differs from that of the state.
    Digest,
    /// The declared score lines are not those of the round.
    Score,
    /// The second count of the table gives other points than declared.
    Tally,
    /// The declared end of a round or of the game is not the one that was played.
    Result,
    /// A refusal does not truly say what was refused or why, or the action was legal.
    Refusal,
    /// A seat's signature does not verify.
    Signature,
    /// The log has no game end.
    Incomplete,
    /// The head differs from the expected head.
    Head,
    /// A checkpoint is not about the record before it.
    Checkpoint,
    /// A round has more records or bytes than allowed.
    RoundTooLong,
    /// A part of the log that this version cannot judge; it is reported and never skipped silently.
    NotJudged,
    /// A fact that a strict audit requires to be proven is not proven.
    Unproven,
    /// The file is not a log: its first bytes are others.
    NotALog,
    /// The log has a version that this program does not read.
    UnsupportedVersion,
    /// A score, an end, a winner or a refusal of a transcript is written otherwise than its cards give it: a slip of the
    /// pen.
    Clerical,
}

/// The kinds of findings with their names.
const FINDINGS: [(FindingKind, &str); 24] = [
    (FindingKind::Torn, "TORN"),
    (FindingKind::Corrupt, "CORRUPT"),
    (FindingKind::Malformed, "MALFORMED"),
    (FindingKind::Order, "ORDER"),
    (FindingKind::RuleSet, "RULE_SET"),
    (FindingKind::Commitment, "COMMITMENT"),
    (FindingKind::Register, "REGISTER"),
    (FindingKind::Deal, "DEAL"),
    (FindingKind::Illegal, "ILLEGAL"),
    (FindingKind::Digest, "DIGEST"),
    (FindingKind::Score, "SCORE"),
    (FindingKind::Tally, "TALLY"),
    (FindingKind::Result, "RESULT"),
    (FindingKind::Refusal, "REFUSAL"),
    (FindingKind::Signature, "SIGNATURE"),
    (FindingKind::Incomplete, "INCOMPLETE"),
    (FindingKind::Head, "HEAD"),
    (FindingKind::Checkpoint, "CHECKPOINT"),
    (FindingKind::RoundTooLong, "ROUND_TOO_LONG"),
    (FindingKind::NotJudged, "NOT_JUDGED"),
    (FindingKind::Unproven, "UNPROVEN"),
    (FindingKind::NotALog, "NOT_A_LOG"),
    (FindingKind::UnsupportedVersion, "UNSUPPORTED_VERSION"),
    (FindingKind::Clerical, "CLERICAL"),
];

impl FindingKind {
    /// All kinds, by number.
    pub const ALL: [Self; 24] = values(&FINDINGS);

    /// Returns the kind's name (`ILLEGAL`).
    pub fn name(self) -> &'static str {
        word(&FINDINGS, self)
    }

    /// Returns the kind of a finding about a value that a program writes in most logs: in a transcript a person wrote it
    /// down.
    pub(super) fn as_written(self, mode: DealMode) -> Self {
        if mode == DealMode::Transcribed { Self::Clerical } else { self }
    }
}

/// The verdict on a log, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Verdict {
    /// The file is not a log. The verdict says nothing about a game.
    NotALog,
    /// The log has a version that this program does not read. The verdict says nothing about its game.
    UnsupportedVersion,
    /// Bytes, commitments or declared values contradict the play.
    Altered,
    /// An action broke the rules.
    Illegal,
    /// The chain is sound, and what somebody wrote down of a game with cards of its own does not follow from these cards.
    Clerical,
    /// The log stops before the game's end, perhaps inside a frame.
    Incomplete,
    /// Nothing is wrong in the parts that could be judged; other parts depend on facts that the log does not
    /// state, or not yet.
    Conditional,
    /// Everything is correct, and officials have made rulings.
    Ruled,
    /// Everything is correct, without rulings.
    #[default]
    Clean,
}

/// The verdicts with their names.
const VERDICTS: [(Verdict, &str); 9] = [
    (Verdict::NotALog, "NOT_A_LOG"),
    (Verdict::UnsupportedVersion, "UNSUPPORTED_VERSION"),
    (Verdict::Altered, "ALTERED"),
    (Verdict::Illegal, "ILLEGAL"),
    (Verdict::Clerical, "CLERICAL"),
    (Verdict::Incomplete, "INCOMPLETE"),
    (Verdict::Conditional, "CONDITIONAL"),
    (Verdict::Ruled, "CLEAN_WITH_RULINGS"),
    (Verdict::Clean, "CLEAN"),
];

impl Verdict {
    /// All verdicts, worst first.
    pub const ALL: [Self; 9] = values(&VERDICTS);

    /// Returns whether everything is correct, with rulings or without.
    pub fn is_clean(self) -> bool {
        matches!(self, Self::Clean | Self::Ruled)
    }

    /// Returns the verdict's name.
    pub fn name(self) -> &'static str {
        word(&VERDICTS, self)
    }

    /// Returns the best possible verdict on a log with such a finding.
    pub fn of(kind: FindingKind) -> Self {
        match kind {
            FindingKind::NotALog => Self::NotALog,
            FindingKind::UnsupportedVersion => Self::UnsupportedVersion,
            FindingKind::Illegal => Self::Illegal,
            FindingKind::Clerical => Self::Clerical,
            FindingKind::Incomplete | FindingKind::Torn => Self::Incomplete,
            FindingKind::NotJudged | FindingKind::Unproven => Self::Conditional,
            _ => Self::Altered,
        }
    }
}

/// The verdict on the deals of a game, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum DealVerdict {
    /// A commitment does not match, or a wall cannot be derived.
    Failed,
    /// A committed value is not revealed, or nothing was committed to.
    #[default]
    NotChecked,
    /// Every card was dealt as committed to before the first card.
    AsCommitted,
}

impl DealVerdict {
    /// All verdicts, worst first.
    pub const ALL: [Self; 3] = [Self::Failed, Self::NotChecked, Self::AsCommitted];

    /// Returns the verdict's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Failed => "FAILED",
            Self::NotChecked => "NOT_CHECKED",
            Self::AsCommitted => "AS_COMMITTED",
        }
    }
}

impl Finding {
    /// Returns a finding without a seat, codes or a position.
    pub fn new(kind: FindingKind, record: u64, offset: u64, detail: impl Into<String>) -> Self {
        let (codes, detail) = (Vec::new(), detail.into());
        Self { kind, record, offset, round: None, seat: None, codes, detail, position: None, unproven: false }
    }

    /// Returns the finding for a fault in framing, chain or encoding.
    pub(super) fn of_error(error: &LogError) -> Self {
        let kind = match &error.kind {
            kind if kind.is_torn() => FindingKind::Torn,
            LogErrorKind::Record(_) => FindingKind::Malformed,
            // Most bytes of the signature are there: a log that was damaged.
            LogErrorKind::NotALog { found: Foreign::DamagedHeader } => FindingKind::Corrupt,
            LogErrorKind::NotALog { .. } => FindingKind::NotALog,
            LogErrorKind::Version { .. } => FindingKind::UnsupportedVersion,
            _ => FindingKind::Corrupt,
        };
        Self::new(kind, error.record, error.offset, alloc::format!("{error}"))
    }
}
