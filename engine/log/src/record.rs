//! The records of a log, as the rest of the program sees them.
//!
//! Anything can be written down here; [`Record::encode`] and [`Record::decode`] enforce the caps
//! and forms that each field's comment states. They do not judge play: the audit does.

pub use crate::dealing::DealMode;
use crate::dealing::Registration;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_rules::action::{Action, ActionKind};
use canasta_rules::card::Card;
pub use canasta_rules::scoring::Item as ScoreItem;
use canasta_rules::seat::{MAX_SEATS, Seat};
pub use canasta_rules::table::EndReason;
use sha2::{Digest, Sha256};

/// The most bytes of a name, a rule set's id or a base preset's name.
pub const NAME_MAX: usize = 64;
/// The most bytes of a canonical rule set.
pub const RULE_SET_MAX: usize = 8192;
/// The most bytes of the engine's version.
pub const ENGINE_MAX: usize = 32;
/// The most bytes of a note's text.
pub const NOTE_MAX: usize = 4096;
/// The most bytes of a signed checkpoint.
pub const CHECKPOINT_MAX: usize = 8192;
/// The most codes of a refusal, and the most bytes of each.
pub const CODES_MAX: (usize, usize) = (128, 48);
/// The most sides (or seats) in a score: one a seat.
pub const SCORES_MAX: usize = MAX_SEATS;
/// The most lines of one side's score.
pub const LINES_MAX: usize = 32;

/// One record. Its number `n` is its place; it is not stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// Always record 0, and only there.
    Genesis(Box<Genesis>),
    /// Stands before every deal.
    Register(Box<Register>),
    /// An accepted action.
    Action(Box<ActionRecord>),
    /// The end of a round or of a voided deal.
    RoundEnd(Box<RoundEnd>),
    /// The end of the game.
    GameEnd(GameEnd),
    /// A refused action, where the caller asked to record it.
    Refusal(Box<Refusal>),
    /// A remark; changes nothing.
    Note(Note),
    /// A signed note over an earlier record, at most [`CHECKPOINT_MAX`] bytes.
    Checkpoint(String),
}

/// What the game is played with, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Genesis {
    /// The game's id.
    pub game_id: [u8; 16],
    /// The rule set's id, a name (see [`Player::name`]).
    pub rule_set_id: String,
    /// The preset it is based on; equal to `rule_set_id` unless a knob differs.
    pub base: String,
    /// The canonical rule set (model 5.5), at most [`RULE_SET_MAX`] bytes of UTF-8.
    pub rule_set: Vec<u8>,
    /// 1 to 6 players, in the order given. Their sides follow from the rule set.
    pub players: Vec<Player>,
    /// Where the cards come from.
    pub mode: DealMode,
    /// Who writes the registers.
    pub registration: Registration,
    /// C_G; `None` in explicit and transcribed modes.
    pub commitment: Option<[u8; 32]>,
    /// The engine's version, at most [`ENGINE_MAX`] bytes, else as a name.
    pub engine: String,
    /// Start in milliseconds since 1970, in the years 0000 to 9999.
    pub started_at_ms: Option<i64>,
    /// The record of another game that this one continues from.
    pub fork_of: Option<Fork>,
}

/// A player as the log knows one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// 1 to 64 bytes of UTF-8 without control or bidirectional characters.
    pub name: String,
    /// The Ed25519 key that the player's actions may be signed with.
    pub key: Option<[u8; 32]>,
}

/// A place in another log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fork {
    /// That game's id.
    pub game_id: [u8; 16],
    /// The record's number.
    pub n: u64,
    /// The record's head.
    pub head: [u8; 32],
}

/// What is fixed before a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// The round, from 1; 0 is the draw for seats.
    pub round: u32,
    /// 1, and one more for each voided deal of the round.
    pub attempt: u32,
    /// Who deals; `None` in round 0.
    pub dealer: Option<Seat>,
    /// C_d, or C_w in explicit mode; `None` in transcribed mode.
    pub commitment: Option<[u8; 32]>,
    /// C_k by seat, at most 6; empty where no seat registered.
    pub seats: Vec<Option<[u8; 32]>>,
    /// The beacon whose signature will count.
    pub beacon: Option<Beacon>,
}

/// A round of a public randomness beacon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beacon {
    /// Hash of the beacon's chain.
    pub chain: [u8; 32],
    /// Number of its round.
    pub round: u64,
    /// When contributions close, in milliseconds since 1970.
    pub close_ms: i64,
}

/// An accepted action. Its `seq` is not stored: it is one more than the last action's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionRecord {
    /// Who acted; `None` for the table and for officials.
    pub actor: Option<Seat>,
    /// What was done.
    pub action: Action,
    /// Claimed milliseconds since the last record that has a time, the first since the start.
    pub elapsed_ms: Option<u64>,
    /// Transcribed mode only: what the actor received, at most 324 cards, `None` for an unknown one.
    pub cards: Option<Vec<Option<Card>>>,
    /// The seat's signature (see [`super::seat_message`]).
    pub signature: Option<[u8; 64]>,
    /// First 8 bytes of the public digest after the action.
    pub digest: [u8; 8],
}

/// The end of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundEnd {
    /// The round, as its register says.
    pub round: u32,
    /// The attempt, as its register says.
    pub attempt: u32,
    /// Why it ended.
    pub reason: EndReason,
    /// What the wall follows from.
    pub reveal: Reveal,
    /// Scores, at most 6; empty where the round is not scored (drawn, voided).
    pub scores: Vec<Score>,
    /// The full digest of the final state.
    pub digest: [u8; 32],
}

/// What the wall of a round follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reveal {
    /// Nothing is revealed: transcribed mode.
    None,
    /// The round's secret S: seeded and committed modes.
    Secret([u8; 64]),
    /// Explicit mode.
    Wall {
        /// The whole pack in dealing order, at most 324 cards.
        cards: Vec<Card>,
        /// The salt of its commitment.
        salt: [u8; 32],
    },
}

/// One side's score in a round; one seat's where scores are kept by seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// Number of the side or seat, 0 to 5.
    pub unit: u8,
    /// At most [`LINES_MAX`]; they add up to the round's total.
    pub lines: Vec<ScoreLine>,
}

/// One line of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreLine {
    /// What it is for.
    pub item: ScoreItem,
    /// How many, where the item is counted.
    pub count: Option<u16>,
    /// Signed points.
    pub points: i32,
}

/// The end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The side (or seat) that won, 0 to 5; `None` for a drawn game.
    pub winner: Option<u8>,
    /// G; `None` in explicit and transcribed modes.
    pub secret: Option<[u8; 64]>,
}

/// A refused action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Who tried; `None` for the table and for officials.
    pub actor: Option<Seat>,
    /// As in [`ActionRecord::elapsed_ms`].
    pub elapsed_ms: Option<u64>,
    /// The violations' codes in order: 1 to 128, each 1 to 48 of `A-Z 0-9 _`.
    pub codes: Vec<String>,
    /// What was tried.
    pub attempt: Attempt,
}

/// A refused action, in clear or masked until the reveal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// The action itself.
    Clear(Action),
    /// Its type alone, and what opens after the reveal (dealing scheme, "Refusals").
    Masked {
        /// The action's type.
        kind: ActionKind,
        /// 16 bytes and a multiple of 64, at least 64.
        bytes: Vec<u8>,
    },
}

/// A remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Who made it.
    pub by: Author,
    /// As in [`ActionRecord::elapsed_ms`].
    pub elapsed_ms: Option<u64>,
    /// At most [`NOTE_MAX`] bytes.
    pub text: String,
}

/// Who made a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Author {
    Seat(Seat),
    Table,
    Director,
}

impl Genesis {
    /// The digest of the rule set: SHA-256 of `canasta-ruleset/1\0` and its canonical bytes.
    pub fn rule_set_digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"canasta-ruleset/1\0");
        hash.update(&self.rule_set);
        hash.finalize().into()
    }
}
