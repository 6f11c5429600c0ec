//! What a refused action is answered with: every broken rule that can be judged, in order.

use crate::action::{ActionKind, CardList, MeldId};
use crate::card::{Card, Rank};
use crate::seat::{Seat, Side};
use crate::violations::Code;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

mod message;
mod repair;
mod setup;

pub use repair::{Edit, Repair, Step};
pub use setup::of_rule_set;

/// The answer to a refused action. The first violation is *the* violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The type of the action refused.
    pub action: ActionKind,
    /// Never empty; in the order of checks (model 4.3).
    pub violations: Vec<Violation>,
}

impl Rejection {
    /// The code of the first violation.
    pub fn code(&self) -> Code {
        self.violations[0].code
    }

    /// The violation, if this is a deal that brings what its register does not provide for: no proposal at all, and
    /// not to be recorded.
    pub fn misfit(&self) -> Option<&Violation> {
        self.violations.first().filter(|v| matches!(v.field, Field::Contribution(_) | Field::Signature))
    }

    /// All codes in order.
    pub fn codes(&self) -> Vec<Code> {
        self.violations.iter().map(|v| v.code).collect()
    }
}

/// One broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which.
    pub code: Code,
    /// Its facts, by name, in the catalogue's order.
    pub facts: Vec<(&'static str, Fact)>,
    /// The part of the action it concerns.
    pub field: Field,
    /// A true repair, where one is known.
    pub repair: Option<Repair>,
    /// What it came of besides the facts: which of the code's rules it breaks ([`crate::violations::cite_violation`]).
    pub(crate) circumstances: Circumstances,
}

/// Something about a refused action, or the position it was refused in, that decides which rule it breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Circumstance {
    /// Cards are to be laid.
    Melding,
    /// The pile is to be taken.
    Taking,
    /// The meld concerned lies on the table.
    OldMeld,
    /// The meld concerned is a canasta before the action, or the initial batch holds one.
    Canasta,
    /// The side has not melded.
    Unopened,
    /// A talon lies before the seat.
    Talon,
}

/// A set of [`Circumstance`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Circumstances(u8);

impl Circumstances {
    pub(crate) fn has(self, circumstance: Circumstance) -> bool {
        self.0 & 1 << circumstance as u8 != 0
    }
}

impl Violation {
    pub(crate) fn new(code: Code, field: Field) -> Self {
        Self { code, facts: Vec::new(), field, repair: None, circumstances: Circumstances::default() }
    }

    pub(crate) fn with(mut self, circumstance: Circumstance, holds: bool) -> Self {
        self.circumstances.0 |= u8::from(holds) << circumstance as u8;
        self
    }

    pub(crate) fn fact(mut self, name: &'static str, value: impl Into<Fact>) -> Self {
        self.facts.push((name, value.into()));
        self
    }

    /// The fact called `name`.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|(n, _)| *n == name).map(|(_, fact)| fact)
    }
}

/// A fact's value.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Fact {
    Int(i64),
    Card(Card),
    Cards(CardList),
    Rank(Rank),
    Seat(Seat),
    Side(Side),
    Meld(MeldId),
    /// A word of the model, in capitals (`ROUND_OVER`).
    Word(&'static str),
    Words(Vec<&'static str>),
    Seats(Vec<Seat>),
    /// A word that the action itself said, or a range.
    Text(String),
    Codes(Vec<Code>),
}

macro_rules! fact_from {
    ($($from:ty => $variant:ident),* $(,)?) => {
        $(impl From<$from> for Fact {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

fact_from! {
    u8 => Int, u16 => Int, i32 => Int, i64 => Int, Card => Card, CardList => Cards, Rank => Rank, Seat => Seat,
    Side => Side, MeldId => Meld, &'static str => Word, Vec<&'static str> => Words, Vec<Code> => Codes,
    Vec<Seat> => Seats, String => Text,
}

/// The part of an action that a violation concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Field {
    /// The action as a whole.
    Action,
    /// Whoever acts.
    Actor,
    /// `take_pile.with`.
    With,
    /// `take_pile.onto`.
    TopOnto,
    /// `take_pile.also[i]` or `meld.groups[i]`.
    Group(u8),
    /// `onto` of that group.
    GroupOnto(u8),
    /// `cards` of that group.
    GroupCards(u8),
    /// `discard.card`.
    Card,
    /// `ask.to`.
    To,
    /// `lay_threes.cards`.
    Cards,
    /// `deal.contributions[seat]`.
    Contribution(Seat),
    /// `deal.signature`.
    Signature,
    /// This field of a ruling.
    Ruling(&'static str),
}

impl Field {
    /// The path of the field in an action of this kind (`action.take_pile.with`).
    pub fn path(self, kind: ActionKind) -> String {
        use alloc::format;
        let groups = if kind == ActionKind::TakePile { "also" } else { "groups" };
        match self {
            Self::Action => format!("action.{kind}"),
            Self::Actor => String::from("as"),
            Self::With => format!("action.{kind}.with"),
            Self::TopOnto => format!("action.{kind}.onto"),
            Self::Group(i) => format!("action.{kind}.{groups}[{i}]"),
            Self::GroupOnto(i) => format!("action.{kind}.{groups}[{i}].onto"),
            Self::GroupCards(i) => format!("action.{kind}.{groups}[{i}].cards"),
            Self::Card => format!("action.{kind}.card"),
            Self::To => format!("action.{kind}.to"),
            Self::Cards => format!("action.{kind}.cards"),
            Self::Contribution(seat) => format!("action.{kind}.contributions[{}]", seat.0),
            Self::Signature => format!("action.{kind}.signature"),
            Self::Ruling(field) => format!("action.{kind}.{field}"),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.violations.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{violation}")?;
        }
        Ok(())
    }
}
