//! Rejections: the answer to a refused action, with every broken rule that can be judged, in order.

use crate::action::ActionKind;
use crate::seat::Seat;
use crate::violations::{Code, Fact};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

mod message;
mod repair;
mod setup;

pub use repair::{Edit, REPAIRS, Repair, RepairStep};
pub use setup::of_rule_set;

/// The answer to a refused action. The first violation is *the* violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The kind of the refused action.
    pub action: ActionKind,
    /// The broken rules: at least one, in the order of checks (model 4.3).
    pub violations: Vec<Violation>,
    /// Whether repairs may be missing, because the trials of repairs have used up the work of the request
    /// ([`Nodes`](crate::nodes::Nodes)).
    pub repairs_cut: bool,
}

impl Rejection {
    /// Returns the code of the first violation.
    pub fn code(&self) -> Code {
        self.violations[0].code
    }

    /// Returns the violation of a deal with a contribution or signature for which its register does not
    /// provide. Such a deal is not a proposal, and its refusal must not be recorded.
    pub fn misfit(&self) -> Option<&Violation> {
        self.violations.first().filter(|v| matches!(v.field, Field::Contribution(_) | Field::Signature))
    }

    /// Returns all codes, in order.
    pub fn codes(&self) -> Vec<Code> {
        self.violations.iter().map(|v| v.code).collect()
    }
}

/// One broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The code of the violation.
    pub code: Code,
    /// The facts by name: those of the code's row, in its order.
    pub facts: Vec<(&'static str, Fact)>,
    /// The part of the action that the violation concerns.
    pub field: Field,
    /// A repair that works, if one is known.
    pub repair: Option<Repair>,
    /// The circumstances that decide, besides the facts, which of the code's rules are broken
    /// ([`crate::citation::cite_violation`]).
    pub(crate) circumstances: Circumstances,
}

/// A property of a refused action, or of the position, that decides which rule the action breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Circumstance {
    /// The action lays cards.
    Melding,
    /// The action takes the pile.
    Taking,
    /// The meld concerned lies on the table.
    OldMeld,
    /// The meld concerned is a canasta before the action, or the initial batch holds one.
    Canasta,
    /// The side has not melded.
    Unopened,
    /// A talon lies before the seat.
    Talon,
    /// The seat has had no turn in this round, and the rules ask for it.
    FirstTurn,
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
    /// Returns a violation without facts.
    pub fn new(code: Code, field: Field) -> Self {
        Self { code, facts: Vec::new(), field, repair: None, circumstances: Circumstances::default() }
    }

    /// Records whether the circumstance is given.
    pub(crate) fn with(mut self, circumstance: Circumstance, holds: bool) -> Self {
        self.circumstances.0 |= u8::from(holds) << circumstance as u8;
        self
    }

    /// Adds a fact of the code's row. Facts must be added in the order of the row.
    pub fn fact(mut self, name: &'static str, value: impl Into<Fact>) -> Self {
        let value = value.into();
        debug_assert!(self.admits(name, &value), "{} has no fact `{name}` here that is {value:?}", self.code);
        self.facts.push((name, value));
        self
    }

    /// Adds a fact that may be absent, as [`Self::fact`] does.
    pub(crate) fn maybe_fact(self, name: &'static str, value: Option<impl Into<Fact>>) -> Self {
        match value {
            Some(value) => self.fact(name, value),
            None => self,
        }
    }

    /// Whether the code's row has the fact, with the type of `value`, after the last fact stated so far.
    fn admits(&self, name: &str, value: &Fact) -> bool {
        let mut rows = self.code.entry().facts.iter();
        let follows = self.facts.last().is_none_or(|(last, _)| rows.any(|row| row.name == *last));
        follows && rows.any(|row| row.name == name && row.kind == value.kind())
    }

    /// Whether the violation states all facts of the code's row that are never absent.
    pub(crate) fn is_complete(&self) -> bool {
        self.code.entry().facts.iter().all(|row| row.absent.is_some() || self.get(row.name).is_some())
    }

    /// Returns the fact called `name`.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|(n, _)| *n == name).map(|(_, fact)| fact)
    }
}

/// The part of an action that a violation concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The action as a whole.
    Action,
    /// The actor.
    Actor,
    /// `take_pile.with`.
    With,
    /// `take_pile.onto`.
    TopOnto,
    /// `take_pile.also[i]` or `meld.groups[i]`.
    Group(u8),
    /// `onto` of the group with this index.
    GroupOnto(u8),
    /// `cards` of the group with this index.
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
    /// The named field of a ruling.
    Ruling(&'static str),
}

impl Field {
    /// Returns the path of the field in an action of this kind (`action.take_pile.with`).
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

impl core::error::Error for Rejection {}

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
