//! Actions: what a seat, the table or a director proposes (model section 3).
//!
//! An action is only a proposal: anything can be written down here, [`crate::check`] judges it.
//! Card lists keep the order in which the cards were named.

pub mod choices;

use crate::card::Card;
use crate::seat::{Seat, Side};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use smallvec::SmallVec;

/// Cards as named, in order. Lists of up to 22 cards need no allocation.
pub type CardList = SmallVec<[Card; 22]>;
/// The groups of one action, in the order named. One needs no allocation: an action stays small, as most are
/// made by the dozen to be listed.
pub type Groups = SmallVec<[Group; 1]>;

/// On whose behalf something is asked for (service: the field `as`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum As {
    /// A player.
    Seat(Seat),
    /// The table: register, deal, draw_cards; sees what everyone sees.
    Table,
    /// A judge looks at everything and does nothing.
    Judge,
    /// A director rules, closes disputes and signs.
    Director,
}

/// A meld's number: per side and round, in order of creation, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MeldId(pub u8);

/// Where a group goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Onto {
    /// The own open meld of the rank, else a completed one if legal, else a new meld (AMB-54).
    #[default]
    Auto,
    /// A new meld.
    New,
    /// The meld with this id: of `side`, or of the actor's own side when none is named.
    Meld {
        /// The side whose meld is meant; `None` is the actor's.
        side: Option<Side>,
        /// The meld's number.
        id: MeldId,
    },
}

/// What a group or a meld is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MeldKind {
    /// Cards of one natural rank, wild cards substituting.
    Set,
    /// Twos and jokers only.
    Wild,
    /// Consecutive cards of one suit.
    Sequence,
    /// Black threes, laid when going out.
    BlackThrees,
}

/// Cards named for one meld.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// What the group is meant to be.
    pub kind: MeldKind,
    /// Where it goes.
    pub onto: Onto,
    /// Whether the tentatively taken top is part of it (`pile_steps` TWO only).
    pub top: bool,
    /// The cards from the hand.
    pub cards: CardList,
}

/// Taking the pile with its top card melded at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TakePile {
    /// Hand cards laid with the top card; may be empty.
    pub with: CardList,
    /// The meld the top card goes to.
    pub onto: Onto,
    /// Other melds from the hand laid at the same time.
    pub also: Groups,
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// "May I go out?"
    GoOut,
    /// Melding after the own discard.
    Courtesy,
}

/// A special hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SpecialHand {
    Straight,
    Pairs,
    Garbage,
}

impl SpecialHand {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Straight, Self::Pairs, Self::Garbage];

    /// The model's name (`straight`).
    pub fn name(self) -> &'static str {
        ["straight", "pairs", "garbage"][self as usize]
    }
}

/// The table action `deal` with what only some modes give.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deal {
    /// Cards lifted at the cut of the hands, where the rule set pays for an exact cut.
    pub lifted: Option<u16>,
    /// Cards lifted at the cut of the feet.
    pub foot_lifted: Option<u16>,
    /// Seats' contributions, by seat; `None` where a seat gives nothing. Empty: none at all.
    pub contributions: Vec<Option<[u8; 32]>>,
    /// The beacon's signature, at most 96 bytes.
    pub signature: Option<Vec<u8>>,
    /// Transcribed mode only: the known cards of each hand, `None` for an unknown card.
    pub hands: Vec<Vec<Option<Card>>>,
    /// Transcribed mode only: the upcards, bottom to top.
    pub upcards: Vec<Option<Card>>,
}

/// Who issued a ruling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Authority {
    Director,
    Jury,
    Table,
    Auto,
}

/// What a ruling does besides its points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum EffectKind {
    None,
    Warning,
    RaiseMinimum,
    PenaltyCards,
    ForfeitPile,
    Stand,
    Redeal,
    Restore,
    RevokeTalon,
    Adjust,
    Forfeit,
    StopClock,
}

/// A ruling's effect with the fields that its kind uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effect {
    /// What kind of effect.
    pub kind: EffectKind,
    /// RaiseMinimum: points added to the minimum.
    pub by: Option<i32>,
    /// PenaltyCards, ForfeitPile: the seat concerned.
    pub seat: Option<Seat>,
    /// PenaltyCards: the cards.
    pub cards: CardList,
    /// ForfeitPile: the last turn concerned, counted from this one (0).
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
}

impl Effect {
    /// An effect of this kind without fields.
    pub fn of(kind: EffectKind) -> Self {
        Self {
            kind,
            by: None,
            seat: None,
            cards: CardList::new(),
            until: None,
            side: None,
            award: None,
            to_seq: None,
            action: None,
            position: None,
            masked: false,
        }
    }
}

impl Action {
    /// Whether officials do this, seats only towards them.
    pub fn is_official(&self) -> bool {
        matches!(self, Self::Ruling(_) | Self::Dispute { .. } | Self::Sign { .. })
    }
}

impl As {
    /// Returns the seat, if the actor is one.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            _ => None,
        }
    }
}

impl Deal {
    /// Whether the deal was written down by hand: it names cards.
    pub fn names_cards(&self) -> bool {
        !self.hands.is_empty() || !self.upcards.is_empty()
    }
}

/// A director's, jury's or table's decision (IR-100 to IR-112).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// Number of the ruling, from 1 within the game.
    pub id: u32,
    /// Who issued it.
    pub by: Authority,
    /// The seat that offended.
    pub offender: Option<Seat>,
    /// The side whose score moves.
    pub side: Side,
    /// The rule applied, an id of at most 32 bytes.
    pub rule: String,
    /// Points, a multiple of 5.
    pub points: i32,
    /// What else it does.
    pub effect: Effect,
    /// Free text, at most 1,024 bytes.
    pub reason: String,
    /// The ruling this one reverses.
    pub reverses: Option<u32>,
}

/// Everything that can be proposed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Action {
    Deal(Box<Deal>),
    /// Cards picked by each seat (explicit and transcribed modes; empty otherwise).
    DrawCards(Vec<CardList>),
    DrawStock,
    TakePile(TakePile),
    TakeTop,
    RestorePile,
    LayThrees(CardList),
    TakeTalon,
    Meld(Groups),
    MergeMelds {
        a: MeldId,
        b: MeldId,
    },
    UndoMeld {
        meld: MeldId,
        cards: CardList,
    },
    Ask {
        about: About,
        to: Option<Seat>,
    },
    Answer {
        yes: bool,
    },
    SpecialHand(SpecialHand),
    Discard(Card),
    Pass,
    EndRound,
    CallReveal {
        of: Seat,
    },
    Ruling(Box<Ruling>),
    Dispute {
        open: bool,
        reason: String,
    },
    Sign {
        side: Side,
    },
}

/// The type of an action without its fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum ActionKind {
    Deal,
    DrawCards,
    DrawStock,
    TakePile,
    TakeTop,
    RestorePile,
    LayThrees,
    TakeTalon,
    Meld,
    MergeMelds,
    UndoMeld,
    Ask,
    Answer,
    SpecialHand,
    Discard,
    Pass,
    EndRound,
    CallReveal,
    Ruling,
    Dispute,
    Sign,
}

impl ActionKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Self; 21] = [
        Self::Deal,
        Self::DrawCards,
        Self::DrawStock,
        Self::TakePile,
        Self::TakeTop,
        Self::RestorePile,
        Self::LayThrees,
        Self::TakeTalon,
        Self::Meld,
        Self::MergeMelds,
        Self::UndoMeld,
        Self::Ask,
        Self::Answer,
        Self::SpecialHand,
        Self::Discard,
        Self::Pass,
        Self::EndRound,
        Self::CallReveal,
        Self::Ruling,
        Self::Dispute,
        Self::Sign,
    ];

    /// The model's name (`take_pile`).
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 21] = [
            "deal",
            "draw_cards",
            "draw_stock",
            "take_pile",
            "take_top",
            "restore_pile",
            "lay_threes",
            "take_talon",
            "meld",
            "merge_melds",
            "undo_meld",
            "ask",
            "answer",
            "special_hand",
            "discard",
            "pass",
            "end_round",
            "call_reveal",
            "ruling",
            "dispute",
            "sign",
        ];
        NAMES[self as usize]
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Action {
    /// The action's type.
    pub fn kind(&self) -> ActionKind {
        match self {
            Self::Deal(_) => ActionKind::Deal,
            Self::DrawCards(_) => ActionKind::DrawCards,
            Self::DrawStock => ActionKind::DrawStock,
            Self::TakePile(_) => ActionKind::TakePile,
            Self::TakeTop => ActionKind::TakeTop,
            Self::RestorePile => ActionKind::RestorePile,
            Self::LayThrees(_) => ActionKind::LayThrees,
            Self::TakeTalon => ActionKind::TakeTalon,
            Self::Meld(_) => ActionKind::Meld,
            Self::MergeMelds { .. } => ActionKind::MergeMelds,
            Self::UndoMeld { .. } => ActionKind::UndoMeld,
            Self::Ask { .. } => ActionKind::Ask,
            Self::Answer { .. } => ActionKind::Answer,
            Self::SpecialHand(_) => ActionKind::SpecialHand,
            Self::Discard(_) => ActionKind::Discard,
            Self::Pass => ActionKind::Pass,
            Self::EndRound => ActionKind::EndRound,
            Self::CallReveal { .. } => ActionKind::CallReveal,
            Self::Ruling(_) => ActionKind::Ruling,
            Self::Dispute { .. } => ActionKind::Dispute,
            Self::Sign { .. } => ActionKind::Sign,
        }
    }
}

impl fmt::Display for ActionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
