//! Rulings: decisions of officials (IR-100 to IR-113).

use super::{Action, CardList};
use crate::seat::{Seat, Side};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The authority that issued a ruling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Authority {
    /// The director of the event.
    #[default]
    Director,
    /// A jury.
    Jury,
    /// The table, by agreement.
    Table,
    /// The rules themselves: the engine applies a penalty that needs no judge.
    Auto,
}

/// The effect of a ruling besides its points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EffectKind {
    /// Points only.
    #[default]
    None,
    /// A warning, which changes nothing at the table.
    Warning,
    /// The side needs more points for its initial meld.
    RaiseMinimum,
    /// Cards of a hand lie face up and must be discarded first.
    PenaltyCards,
    /// A seat may not take the pile for some turns.
    ForfeitPile,
    /// An illegal action stands, and play goes on from the position that the ruling names.
    Stand,
    /// The round is void and is dealt again.
    Redeal,
    /// Play goes on from the position after an earlier action.
    Restore,
    /// A side loses a talon that was offered to it or lies before it.
    RevokeTalon,
    /// The scores of finished rounds change, of the ruling's side or of several sides.
    Adjust,
    /// A side loses the game.
    Forfeit,
    /// The clock of the event is stopped.
    StopClock,
}

/// The effect of a ruling, with the fields that its kind uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// The kind of the effect.
    pub kind: EffectKind,
    /// RaiseMinimum: points added to the minimum.
    pub by: Option<i32>,
    /// PenaltyCards, ForfeitPile: the seat concerned.
    pub seat: Option<Seat>,
    /// PenaltyCards: the cards.
    pub cards: CardList,
    /// ForfeitPile: the last turn concerned. The current turn is 0, the next turn 1.
    pub until: Option<u16>,
    /// RevokeTalon, Forfeit: the side concerned.
    pub side: Option<Side>,
    /// Forfeit: points awarded.
    pub award: Option<i32>,
    /// Restore: the action after which play resumes.
    pub to_seq: Option<u64>,
    /// Stand: the illegal action allowed to stand.
    pub action: Option<Box<Action>>,
    /// Stand: the resulting position, notation bytes, at most 8 KiB (masked until the reveal).
    pub position: Option<Vec<u8>>,
    /// Whether `position` is masked.
    pub masked: bool,
    /// Adjust: points by side, each a multiple of 5, besides the points of the ruling; an empty list changes nothing.
    pub points: Vec<i32>,
}

impl Effect {
    /// Returns an effect of this kind without fields.
    pub fn of(kind: EffectKind) -> Self {
        Self { kind, ..Self::default() }
    }
}

/// The rule by which a game is taken up from a position.
const TAKE_UP: &str = "IR-113";

/// A decision of a director, of a jury or of the table (IR-100 to IR-113).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ruling {
    /// The number of the ruling, from 1 within the game.
    pub id: u32,
    /// The authority that issued the ruling.
    pub by: Authority,
    /// The seat that offended.
    pub offender: Option<Seat>,
    /// The side whose score changes.
    pub side: Side,
    /// The rule applied, an id of at most 32 bytes.
    pub rule: String,
    /// Points, a multiple of 5.
    pub points: i32,
    /// The effect besides the points.
    pub effect: Effect,
    /// Free text, at most 1,024 bytes.
    pub reason: String,
    /// The number of the ruling that this one reverses.
    pub reverses: Option<u32>,
    /// The director's Ed25519 signature. It is kept, and not verified yet.
    pub signature: Option<[u8; 64]>,
}

impl Ruling {
    /// Returns the ruling that takes a game up from this position, in notation (IR-113).
    pub fn taking_up(position: String) -> Self {
        let effect = Effect { position: Some(position.into_bytes()), ..Effect::of(EffectKind::Stand) };
        Self { rule: String::from(TAKE_UP), effect, ..Self::default() }
    }

    /// Whether the ruling takes a game up from a position.
    pub fn takes_up(&self) -> bool {
        self.rule == TAKE_UP && self.effect.kind == EffectKind::Stand
    }
}
