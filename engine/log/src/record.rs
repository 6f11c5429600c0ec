//! The records of a log, as the rest of the program sees them.
//!
//! These types can hold values that no log can hold. [`Record::encode`] and [`Record::decode`] enforce the
//! limits and forms that the comment of each field states. They do not judge play: the audit does.

pub use crate::dealing::DealMode;
use crate::dealing::Registration;
pub use crate::remark::{Author, CHECKPOINT_MAX, NOTE_MAX, Remark, RemarkForm, RemarkKind};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_rules::action::{Action, ActionKind};
use canasta_rules::card::Card;
use canasta_rules::hex::hex;
use canasta_rules::rules::{PresetId, RuleSet, Rules};
pub use canasta_rules::scoring::{Item as ScoreItem, Line as ScoreLine};
use canasta_rules::seat::{SEATS_MAX, Seat};
pub use canasta_rules::table::EndReason;
use core::fmt;
use sha2::{Digest, Sha256};

/// Maximum number of bytes of a name, a rule set's id or a base preset's name.
pub const NAME_MAX: usize = 64;
/// Maximum number of bytes of the engine's version.
pub const ENGINE_MAX: usize = 32;
/// Maximum number of codes per refusal, and maximum number of bytes per code.
pub const CODES_MAX: (usize, usize) = (128, 48);
/// Maximum number of scores per round: one per side, or one per seat.
pub const SCORES_MAX: usize = SEATS_MAX;
/// Maximum number of lines per score.
pub const LINES_MAX: usize = 32;

/// One record. Its number `n` is its place in the log and is not stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// The first record: always record 0, and only there.
    Genesis(Box<Genesis>),
    /// The facts fixed before a deal; stands before every deal.
    Register(Box<Register>),
    /// An accepted action.
    Action(Box<ActionRecord>),
    /// The end of a round or of a voided deal.
    RoundEnd(Box<RoundEnd>),
    /// The end of the game.
    GameEnd(GameEnd),
    /// A refused action, if the caller asked to record it.
    Refusal(Box<Refusal>),
    /// A note, a checkpoint, or another remark.
    Remark(Remark),
}

/// The rule set, the players and the source of cards of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Genesis {
    /// The game's id.
    pub game_id: [u8; 16],
    /// The rule set's id, a name (see [`Player::name`]).
    pub rule_set_id: String,
    /// The preset that the rule set is based on; equal to `rule_set_id` unless a knob differs.
    pub base: String,
    /// The canonical rule set (model 5.5), at most [`CANONICAL_BYTES_MAX`](canasta_rules::rules::CANONICAL_BYTES_MAX) bytes of UTF-8.
    pub rule_set: Vec<u8>,
    /// 1 to 6 players, in the order given. Their sides follow from the rule set.
    pub players: Vec<Player>,
    /// The source of the cards.
    pub mode: DealMode,
    /// The writer of the registers: the engine or the table.
    pub registration: Registration,
    /// C_G; `None` in explicit and transcribed modes.
    pub commitment: Option<[u8; 32]>,
    /// The engine's version: at most [`ENGINE_MAX`] bytes, otherwise in the form of a name.
    pub engine: String,
    /// Time of the start, in milliseconds since 1970, in the years 0000 to 9999.
    pub started_at_ms: Option<i64>,
    /// The record of another game that this one continues from.
    pub fork_of: Option<Fork>,
    /// The director's Ed25519 key, for signatures under rulings.
    pub director: Option<[u8; 32]>,
    /// The version of the table of penalties that rulings are judged by; `None` stands for
    /// [`PENALTIES_VERSION`](canasta_rules::rulebook::penalties::PENALTIES_VERSION) of this engine. Not 0.
    pub penalties: Option<u16>,
}

/// A player of the game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// Name: 1 to 64 bytes of UTF-8 without control or bidirectional characters.
    pub name: String,
    /// The Ed25519 key that the player's actions may be signed with.
    pub key: Option<[u8; 32]>,
}

/// A record of another log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fork {
    /// The other game's id.
    pub game_id: [u8; 16],
    /// The record's number.
    pub n: u64,
    /// The record's head.
    pub head: [u8; 32],
}

/// Names a log that goes on from such a record: it has the id of the game, and is not the game.
impl fmt::Display for Fork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game_id, n, .. } = self;
        write!(f, "a branch: played on from record {n} of game {}, and not that game", hex(game_id))
    }
}

/// The facts that are fixed before a deal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Register {
    /// The round, from 1; 0 is the draw for seats.
    pub round: u32,
    /// The attempt at the round: 1, and one more for each voided deal of the round.
    pub attempt: u32,
    /// The dealer; `None` in round 0 if the drawn cards decide the dealer.
    pub dealer: Option<Seat>,
    /// C_d, or C_w in explicit mode; `None` in transcribed mode and in round 0 of explicit mode.
    pub commitment: Option<[u8; 32]>,
    /// C_k by seat, at most 6; an empty list if no seat registered.
    pub seats: Vec<Option<[u8; 32]>>,
    /// The beacon whose signature will count.
    pub beacon: Option<Beacon>,
    /// Each seat's signature under its C_k, at most 6; an empty list if no seat signed. A seat without C_k has no
    /// signature. [`contribution_message`](crate::contribution_message) is what the seat signs.
    pub signatures: Vec<Option<[u8; 64]>>,
}

/// A round of a public randomness beacon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Beacon {
    /// Hash of the beacon's chain.
    pub chain: [u8; 32],
    /// Number of the beacon's round.
    pub round: u64,
    /// Time at which contributions close, in milliseconds since 1970.
    pub close_ms: i64,
}

/// An accepted action. Its `seq` is not stored: the `seq` of an action is one more than that of the last
/// action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionRecord {
    /// The seat that acted; `None` for the table and for officials.
    pub actor: Option<Seat>,
    /// The action.
    pub action: Action,
    /// Claimed time since the last record that has a time, in milliseconds; in the first such record since
    /// the start.
    pub elapsed_ms: Option<u64>,
    /// Cards that the actor received, in transcribed mode only: at most 324, `None` for an unknown card.
    pub cards: Option<Vec<Option<Card>>>,
    /// The seat's signature (see [`super::seat_message`]).
    pub signature: Option<[u8; 64]>,
    /// First 8 bytes of the public digest after the action.
    pub digest: [u8; 8],
}

/// The end of a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundEnd {
    /// The round, as its register says.
    pub round: u32,
    /// The attempt, as its register says.
    pub attempt: u32,
    /// The reason of the end.
    pub reason: EndReason,
    /// The values that the wall follows from.
    pub reveal: Reveal,
    /// Scores, at most 6; an empty list if the round is not scored (drawn, voided).
    pub scores: Vec<Score>,
    /// The full digest of the final state.
    pub digest: [u8; 32],
}

/// The values that the wall of a round follows from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Reveal {
    /// Nothing is revealed: transcribed mode, and round 0 of explicit mode.
    #[default]
    None,
    /// The round's secret S: seeded and committed modes.
    Secret([u8; 64]),
    /// The wall as given: explicit mode.
    Wall {
        /// The whole pack in dealing order, at most 324 cards.
        cards: Vec<Card>,
        /// The salt of the wall's commitment.
        salt: [u8; 32],
    },
}

/// The score of one side in a round, or of one seat if scores are kept by seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Number of the side or seat, 0 to 5.
    pub unit: u8,
    /// At most [`LINES_MAX`] lines, whose points add up to the unit's total for the round.
    pub lines: Vec<ScoreLine>,
}

impl Score {
    /// Returns the unit's total for the round.
    pub fn total(&self) -> i64 {
        ScoreLine::sum(&self.lines)
    }
}

/// The end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameEnd {
    /// The side (or seat) that won, 0 to 5; `None` for a drawn game.
    pub winner: Option<u8>,
    /// G; `None` in explicit and transcribed modes.
    pub secret: Option<[u8; 64]>,
}

/// A refused action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refusal {
    /// The seat that tried; `None` for the table and for officials.
    pub actor: Option<Seat>,
    /// Claimed time in milliseconds, as in [`ActionRecord::elapsed_ms`].
    pub elapsed_ms: Option<u64>,
    /// Codes of the violations, in order: 1 to 128, each 1 to 48 of `A-Z 0-9 _`.
    pub codes: Vec<String>,
    /// The action that was tried.
    pub attempt: Attempt,
}

/// A refused action, in clear or masked until the reveal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// The action itself.
    Clear(Action),
    /// The type of the action, and bytes that open after the reveal (docs/DEALING.md, "Refusals").
    Masked {
        /// The action's type.
        kind: ActionKind,
        /// 16 bytes, then a multiple of 64, at least 64.
        bytes: Vec<u8>,
    },
}

impl Default for Attempt {
    fn default() -> Self {
        Self::Clear(Action::default())
    }
}

impl Record {
    /// Returns the time that the record claims since the last record with a time, in milliseconds.
    pub fn elapsed_ms(&self) -> Option<u64> {
        match self {
            Self::Action(record) => record.elapsed_ms,
            Self::Refusal(refusal) => refusal.elapsed_ms,
            Self::Remark(remark) => remark.elapsed_ms,
            _ => None,
        }
    }

    /// Returns the signed text of a checkpoint.
    pub fn checkpoint(&self) -> Option<&str> {
        match self {
            Self::Remark(Remark { kind: RemarkKind::Checkpoint, text, .. }) => Some(text),
            _ => None,
        }
    }
}

impl Genesis {
    /// Returns the rules of the game.
    ///
    /// # Errors
    /// The reason why they cannot be played.
    pub fn rules(&self) -> Result<Rules, String> {
        let base = PresetId::from_name(&self.base).ok_or_else(|| format!("unknown preset {}", self.base))?;
        let set = RuleSet::from_canonical(&self.rule_set)
            .map_err(|error| format!("canonical rule set: {error}"))?;
        let name = self.rule_set_id.split_once('+').map(|(_, name)| name);
        Rules::house(base, set, name).map_err(|error| error.to_string())
    }

    /// Returns the digest of the rule set: SHA-256 of `canasta-ruleset/1\0` and its canonical bytes.
    pub fn rule_set_digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"canasta-ruleset/1\0");
        hash.update(&self.rule_set);
        hash.finalize().into()
    }
}
