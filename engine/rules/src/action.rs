//! Actions: the proposals of seats, of the table and of directors (model section 3).
//!
//! An action is only a proposal: anything can be written down here, and [`crate::check`] judges it. Card lists keep
//! the order in which the cards were named.

pub mod choices;
mod ruling;

pub use ruling::{Authority, Effect, EffectKind, Ruling};

use crate::card::Card;
use crate::seat::{Seat, Side};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use smallvec::SmallVec;

/// Cards as named, in order. Lists of up to 22 cards need no allocation.
pub type CardList = SmallVec<[Card; 22]>;
/// The groups of one action, in the order named. One group needs no allocation: an action stays small, because most
/// actions are made by the dozen to be listed.
pub type Groups = SmallVec<[Group; 1]>;

/// The actor for whom something is requested (service: the field `actor`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum As {
    /// A player.
    Seat(Seat),
    /// The table, for register, deal and draw_cards. It sees what everyone sees.
    Table,
    /// A judge, who sees everything and does nothing.
    Judge,
    /// A director, who rules, closes disputes and signs.
    Director,
    /// A spectator, who sees what everyone sees and does nothing.
    Spectator,
}

/// The number of a meld: per side and round, in order of creation, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct MeldId(pub u8);

/// The target of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Onto {
    /// The own open meld of the rank, else a completed one if legal, else a new meld (AMB-54).
    #[default]
    Auto,
    /// A new meld.
    New,
    /// The meld with this id: of `side`, or of the actor's own side if no side is named.
    Meld {
        /// The side that has the meld; `None` stands for the actor's side.
        side: Option<Side>,
        /// The number of the meld.
        id: MeldId,
    },
}

/// The kind of a group or meld.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum MeldKind {
    /// Cards of one natural rank, wild cards substituting.
    #[default]
    Set,
    /// Twos and jokers only.
    Wild,
    /// Consecutive cards of one suit.
    Sequence,
    /// Black threes, laid when going out.
    BlackThrees,
}

impl MeldKind {
    /// Returns the word of the interchange format (`set`).
    pub fn name(self) -> &'static str {
        choices::word(&choices::MELD_KINDS, self)
    }
}

/// Cards named for one meld.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// The kind of meld that the group is meant to be.
    pub kind: MeldKind,
    /// The target of the group.
    pub onto: Onto,
    /// Whether the tentatively taken top is part of the group (`pile_steps` TWO only).
    pub top: bool,
    /// The cards from the hand.
    pub cards: CardList,
}

/// A take of the pile, whose top card is melded at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TakePile {
    /// Hand cards laid with the top card; may be empty.
    pub with: CardList,
    /// The target of the top card.
    pub onto: Onto,
    /// Other melds from the hand that are laid at the same time.
    pub also: Groups,
}

/// The subject of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// "May I go out?"
    GoOut,
    /// Melding after the own discard.
    Courtesy,
}

/// A way to go out, named in a question: everything that the seat would lay, and the card that it would discard.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NamedWay {
    /// The groups of one meld action; empty if only the discard is left.
    pub groups: Groups,
    /// The final discard; `None` if no card is left for one.
    pub discard: Option<Card>,
}

/// A special hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialHand {
    /// One card of each rank from ace to king, and a joker (MA-143).
    Straight,
    /// Seven pairs without jokers and threes (MA-144).
    Pairs,
    /// Sets without wild cards and threes (MA-147).
    Garbage,
}

impl SpecialHand {
    /// All special hands.
    pub const ALL: [Self; 3] = choices::values(&choices::SPECIAL_HANDS);

    /// Returns the model's name (`straight`).
    pub fn name(self) -> &'static str {
        choices::word(&choices::SPECIAL_HANDS, self)
    }
}

/// The table action `deal`, with fields that only some modes use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deal {
    /// Cards lifted at the cut of the hands, if the rule set pays for an exact cut.
    pub lifted: Option<u16>,
    /// Cards lifted at the cut of the feet.
    pub foot_lifted: Option<u16>,
    /// The contributions, by seat; `None` for a seat that gives none. The list is empty if no seat gives one.
    pub contributions: Vec<Option<[u8; 32]>>,
    /// The beacon's signature, at most 96 bytes.
    pub signature: Option<Vec<u8>>,
    /// Transcribed mode only: the known cards of each hand, `None` for an unknown card.
    pub hands: Vec<Vec<Option<Card>>>,
    /// Transcribed mode only: the upcards, bottom to top.
    pub upcards: Vec<Option<Card>>,
}

impl Action {
    /// Whether this is an action of officials, or of seats towards officials.
    pub fn is_official(&self) -> bool {
        matches!(self, Self::Ruling(_) | Self::Dispute { .. } | Self::Sign { .. })
    }

    /// Returns the actor, if a log names this seat or nobody.
    pub fn actor(&self, seat: Option<Seat>) -> As {
        seat.map_or(if self.is_official() { As::Director } else { As::Table }, As::Seat)
    }

    /// Returns the `seq` of the action that a ruling restores; `None` for any other action.
    pub fn restored_seq(&self) -> Option<u64> {
        match self {
            Self::Ruling(ruling) if ruling.effect.kind == EffectKind::Restore => ruling.effect.to_seq,
            _ => None,
        }
    }

    /// Returns the groups that a meld or a take lays from the hand.
    pub(crate) fn groups(&self) -> Option<&Groups> {
        match self {
            Self::Meld(groups) => Some(groups),
            Self::TakePile(take) => Some(&take.also),
            _ => None,
        }
    }

    /// Returns the groups as [`Self::groups`] does.
    pub(crate) fn groups_mut(&mut self) -> Option<&mut Groups> {
        match self {
            Self::Meld(groups) => Some(groups),
            Self::TakePile(take) => Some(&mut take.also),
            _ => None,
        }
    }

    /// Returns the list of cards from the hand that is not in a group: what goes with the top of the pile, or threes.
    pub(crate) fn ungrouped(&self) -> Option<&CardList> {
        match self {
            Self::TakePile(take) => Some(&take.with),
            Self::LayThrees(cards) => Some(cards),
            _ => None,
        }
    }

    /// Returns the cards that a meld, a take or a laying of threes names from the hand.
    pub(crate) fn laid(&self) -> impl Iterator<Item = Card> {
        let groups = self.groups().into_iter().flatten();
        self.ungrouped().into_iter().chain(groups.map(|group| &group.cards)).flatten().copied()
    }
}

impl As {
    /// Returns the seat if the actor is a seat.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            _ => None,
        }
    }
}

impl Deal {
    /// Whether the deal was written down by hand, so that it names cards.
    pub fn names_cards(&self) -> bool {
        !self.hands.is_empty() || !self.upcards.is_empty()
    }
}

/// An action that can be proposed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Action {
    /// The table deals the cards of a round.
    Deal(Box<Deal>),
    /// Cards picked by each seat (explicit and transcribed modes; empty otherwise).
    DrawCards(Vec<CardList>),
    /// The seat in turn draws from the stock.
    DrawStock,
    /// The seat in turn takes the whole pile.
    TakePile(TakePile),
    /// The seat in turn takes only the top of the pile for now.
    TakeTop,
    /// The seat in turn puts a tentatively taken top back.
    RestorePile,
    /// A seat lays threes by choice, or late.
    LayThrees(CardList),
    /// A seat takes the talon that it has earned.
    TakeTalon,
    /// The seat in turn lays melds or adds to melds.
    Meld(Groups),
    /// The seat in turn joins two melds of its side.
    MergeMelds {
        /// The first meld.
        a: MeldId,
        /// The second meld.
        b: MeldId,
    },
    /// The seat in turn takes cards of this turn back from a meld.
    UndoMeld {
        /// The meld.
        meld: MeldId,
        /// The cards to take back.
        cards: CardList,
    },
    /// A seat asks a question.
    Ask {
        /// The subject of the question.
        about: About,
        /// The seat that is asked, if the asking seat must choose one.
        to: Option<Seat>,
        /// GoOut only: the way in which the seat would go out. It spares the search for one, and binds nobody.
        with: Option<Box<NamedWay>>,
    },
    /// The seat that was asked answers.
    Answer {
        /// Whether the answer is yes.
        yes: bool,
    },
    /// The seat in turn shows a special hand and ends the round.
    SpecialHand(SpecialHand),
    /// The seat in turn discards and ends its turn.
    Discard(Card),
    /// The seat in turn ends its turn without a discard.
    #[default]
    Pass,
    /// The seat in turn declines to play on from an empty stock, which ends the round.
    EndRound,
    /// An opponent calls upon a seat to show its hand.
    CallReveal {
        /// The seat that must show its hand.
        of: Seat,
    },
    /// An official decides.
    Ruling(Box<Ruling>),
    /// A seat opens a dispute, or an official closes it.
    Dispute {
        /// Whether the dispute is opened.
        open: bool,
        /// Free text, at most 1,024 bytes.
        reason: String,
    },
    /// A side, or the director for it, signs the result.
    Sign {
        /// The side.
        side: Side,
    },
}

/// The type of an action without its fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of the actions")]
#[repr(u8)]
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
    pub const ALL: [Self; 21] = choices::values(&choices::ACTION_KINDS);

    /// Returns the model's name (`take_pile`).
    pub fn name(self) -> &'static str {
        choices::word(&choices::ACTION_KINDS, self)
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        choices::from_word(&choices::ACTION_KINDS, name)
    }
}

impl Action {
    /// Returns the kind of the action.
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
