//! Records as a text gives them: fields that follow from the rest may be missing.

use super::form::GameError;
use super::head::Head;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::ROUND_RECORDS_MAX;
use canasta_log::record::{
    ActionRecord, Attempt, EndReason, Record, Refusal, Register, Reveal, RoundEnd, Score,
};
use canasta_rules::action::{Action, ActionKind};
use canasta_rules::card::Card;
use canasta_rules::known::{from_hand, holder};
use canasta_rules::notation::paper;
use canasta_rules::seat::Seat;

/// The facts from the rest of the text that are needed now.
pub(super) struct TextContext<'a> {
    /// The function that returns the reveal that the end of the round states.
    pub reveal: &'a dyn Fn() -> Option<&'a Reveal>,
    /// The function that returns the cards that a seat names from its hand in the rest of the round.
    pub later: &'a dyn Fn(Seat) -> Vec<Card>,
    /// Whether the next action takes the game up from a position.
    pub takes_up: bool,
}

impl TextContext<'_> {
    /// The facts of a record that the text does not have.
    pub const ALONE: Self = Self { reveal: &|| None, later: &|_| Vec::new(), takes_up: false };
}

/// A parsed text.
pub(super) struct Text {
    pub head: Head,
    pub entries: Vec<GivenRecord>,
    /// Whether the log stops here although more records would follow.
    pub cut: bool,
    /// SHA-256 of the text, from which a game without id gets its id.
    pub digest: [u8; 32],
}

/// One record, with its place in the text.
pub(super) struct GivenRecord {
    pub line: u32,
    pub column: u32,
    pub given: Given,
    /// For the end of a round: the places of its scores.
    pub score_lines: Vec<ScorePlace>,
}

/// The place of a score in the text.
pub(super) struct ScorePlace {
    pub line: u32,
    /// The total, if no items stand behind it.
    pub alone: Option<i64>,
}

impl GivenRecord {
    /// Checks that no total stands alone: a game needs the items of its scores.
    pub(super) fn has_items(&self) -> Result<(), GameError> {
        let Some(at) = self.score_lines.iter().find(|at| at.alone.is_some()) else { return Ok(()) };
        let reason =
            "expected a colon and the items of the score: a total stands alone on a score sheet only";
        Err(GameError::of_line(at.line, reason))
    }
}

#[derive(Clone)]
pub(super) enum Given {
    Register(Box<GivenRegister>),
    Action(Box<GivenAction>),
    Refusal(Box<GivenRefusal>),
    RoundEnd(Box<GivenEnd>),
    /// The end of the game; the outer `None` is a missing winner, the inner `None` says that nobody won.
    GameEnd {
        winner: Option<Option<u8>>,
        secret: Option<[u8; 64]>,
    },
    /// A record of which all fields are given.
    Whole(Record),
}

#[derive(Clone, Default)]
pub(super) struct GivenRegister {
    pub round: Option<u32>,
    pub attempt: Option<u32>,
    /// The other fields.
    pub rest: Register,
}

/// The text of an action.
#[derive(Clone)]
pub(super) struct TypedAction {
    pub body: String,
    pub gets: Option<String>,
}

/// The actor of an action as given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Actor {
    /// The text names no actor: the seat that must act.
    Unsaid,
    /// The table or an official.
    Nobody,
    Seat(Seat),
}

#[derive(Clone)]
pub(super) struct GivenAction {
    pub actor: Actor,
    /// The action. A position of a ruling that is given in clear is recorded as the game records it: masked
    /// while cards are hidden.
    pub action: Action,
    /// Cards that came to the hand. They are recorded only in a transcript; otherwise they follow, and are
    /// compared.
    pub received: Option<Vec<Option<Card>>>,
    /// The action and what it brought out, as typed, if they name cards by their rank alone: until the game is followed
    /// to this place, such cards are clubs.
    pub typed: Option<TypedAction>,
    pub elapsed_ms: Option<u64>,
    pub signature: Option<[u8; 64]>,
    pub digest: Option<[u8; 8]>,
}

#[derive(Clone)]
pub(super) struct GivenRefusal {
    pub actor: Actor,
    pub tried: Tried,
    pub codes: Option<Vec<String>>,
    pub elapsed_ms: Option<u64>,
}

#[derive(Clone)]
pub(super) enum Tried {
    /// The action in clear; recorded as the game records it: masked while cards are hidden.
    Action(Action),
    /// The action in clear, which is also recorded in clear.
    Clear(Action),
    Masked(ActionKind, Vec<u8>),
}

#[derive(Clone, Default)]
pub(super) struct GivenEnd {
    pub round: Option<u32>,
    pub attempt: Option<u32>,
    pub reason: Option<EndReason>,
    pub reveal: Option<Reveal>,
    pub scores: Option<Vec<Score>>,
    pub digest: Option<[u8; 32]>,
}

impl Actor {
    pub(super) fn of(seat: Option<Seat>) -> Self {
        seat.map_or(Self::Nobody, Self::Seat)
    }
}

impl GivenAction {
    /// Returns the seat of whose hand the action names cards; `None` if the text names no actor.
    fn holder(&self) -> Option<Seat> {
        let actor = match self.actor {
            Actor::Seat(seat) => Some(seat),
            Actor::Unsaid | Actor::Nobody => None,
        };
        holder(actor, &self.action)
    }
}

impl Given {
    /// Returns all fields of a record; `None` for genesis.
    pub(super) fn of(record: &Record) -> Option<Self> {
        Some(match record {
            Record::Genesis(_) => return None,
            Record::Register(register) => Self::Register(Box::new(GivenRegister {
                round: Some(register.round),
                attempt: Some(register.attempt),
                rest: (**register).clone(),
            })),
            Record::Action(record) => {
                let ActionRecord { actor, action, elapsed_ms, cards, signature, digest } = &**record;
                Self::Action(Box::new(GivenAction {
                    actor: Actor::of(*actor),
                    action: action.clone(),
                    received: cards.clone(),
                    typed: None,
                    elapsed_ms: *elapsed_ms,
                    signature: *signature,
                    digest: Some(*digest),
                }))
            }
            Record::Refusal(record) => {
                let Refusal { actor, elapsed_ms, codes, attempt } = &**record;
                let tried = match attempt {
                    Attempt::Clear(action) => Tried::Clear(action.clone()),
                    Attempt::Masked { kind, bytes } => Tried::Masked(*kind, bytes.clone()),
                };
                let (actor, elapsed_ms) = (Actor::of(*actor), *elapsed_ms);
                Self::Refusal(Box::new(GivenRefusal { actor, tried, codes: Some(codes.clone()), elapsed_ms }))
            }
            Record::RoundEnd(end) => {
                let RoundEnd { round, attempt, reason, reveal, scores, digest } = &**end;
                Self::RoundEnd(Box::new(GivenEnd {
                    round: Some(*round),
                    attempt: Some(*attempt),
                    reason: Some(*reason),
                    reveal: Some(reveal.clone()),
                    scores: Some(scores.clone()),
                    digest: Some(*digest),
                }))
            }
            Record::GameEnd(end) => Self::GameEnd { winner: Some(end.winner), secret: end.secret },
            whole => Self::Whole(whole.clone()),
        })
    }

    /// Removes the fields that may follow from the rest. The secret of a round follows if the secret of the
    /// game is known.
    pub(super) fn bare(mut self, knows_secret: bool) -> Self {
        match &mut self {
            Self::Register(register) => {
                register.rest.commitment = None;
                register.attempt = register.attempt.filter(|attempt| *attempt != 1);
            }
            Self::Action(action) => action.digest = None,
            Self::RoundEnd(end) => {
                (end.round, end.attempt, end.digest) = (None, None, None);
                let follows = |reveal: &Reveal| match reveal {
                    Reveal::None => true,
                    Reveal::Secret(_) => knows_secret,
                    Reveal::Wall { .. } => false,
                };
                end.reveal = end.reveal.take().filter(|reveal| !follows(reveal));
                // A round that is not scored needs no scores.
                end.scores = end.scores.take().filter(|scores| !scores.is_empty());
            }
            Self::Refusal(_) | Self::GameEnd { .. } | Self::Whole(_) => {}
        }
        self
    }

    /// Returns the reveal that this end of a round states.
    pub(super) fn reveal(&self) -> Option<&Reveal> {
        match self {
            Self::RoundEnd(end) => end.reveal.as_ref(),
            _ => None,
        }
    }

    /// Returns the `seq` of the action that a ruling restores.
    pub(super) fn restores(&self) -> Option<u64> {
        match self {
            Self::Action(given) => given.action.restored_seq(),
            _ => None,
        }
    }
}

/// Returns the reveal at the end of the round of the first of these records.
pub(super) fn reveal_in<'a>(mut givens: impl Iterator<Item = &'a Given>) -> Option<&'a Reveal> {
    let end = givens.find(|given| matches!(given, Given::RoundEnd(_) | Given::Register(_)));
    end.and_then(Given::reveal)
}

/// Returns the cards that a seat names from its hand in these records, up to the end of the round.
pub(super) fn names_of<'a>(seat: Seat, givens: impl Iterator<Item = &'a Given>) -> Vec<Card> {
    let mut cards = Vec::new();
    for given in givens.take(ROUND_RECORDS_MAX as usize) {
        match given {
            Given::Action(given) if given.holder() == Some(seat) => match &given.typed {
                None => cards.extend(from_hand(&given.action)),
                Some(typed) => cards.extend(paper::named(&typed.body)),
            },
            Given::RoundEnd(_) | Given::Register(_) => break,
            _ => {}
        }
    }
    cards
}

/// Whether the first action of these records takes the game up from a position.
pub(super) fn takes_up<'a>(mut givens: impl Iterator<Item = &'a Given>) -> bool {
    let first =
        givens.find(|given| matches!(given, Given::Action(_) | Given::RoundEnd(_) | Given::Register(_)));
    match first {
        Some(Given::Action(given)) => matches!(&given.action, Action::Ruling(ruling) if ruling.takes_up()),
        _ => false,
    }
}
