//! The typed values that a violation states.

use super::Code;
use crate::action::{CardList, MeldId};
use crate::card::{Card, Rank};
use crate::seat::{Seat, Side};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A fact's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A count, points, or the number of a ruling.
    Int(i64),
    /// A card.
    Card(Card),
    /// Cards, in order.
    Cards(CardList),
    /// A rank.
    Rank(Rank),
    /// A seat.
    Seat(Seat),
    /// A side.
    Side(Side),
    /// A meld of the side concerned.
    Meld(MeldId),
    /// A word of the model, in capitals (`ROUND_OVER`), or the name of an action or a knob.
    Word(&'static str),
    /// Words of the model.
    Words(Vec<&'static str>),
    /// Seats, in order.
    Seats(Vec<Seat>),
    /// A word of the action itself, or a range.
    Text(String),
    /// Codes of other violations.
    Codes(Vec<Code>),
}

/// The type of a fact, as readers of messages know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of the facts")]
pub enum FactKind {
    Int,
    Card,
    Cards,
    Rank,
    Seat,
    Side,
    Meld,
    /// [`Fact::Word`] and [`Fact::Text`].
    Word,
    /// [`Fact::Words`] and [`Fact::Codes`].
    Words,
    Seats,
}

/// A fact of a message.
#[derive(Clone, Copy, Debug)]
pub struct FactRow {
    /// The fact's name. Facts with one name have one type, in all messages.
    pub name: &'static str,
    /// The fact's type.
    pub kind: FactKind,
    /// The case in which a message does not state the fact; `None` if it always does.
    pub absent: Option<&'static str>,
}

impl FactRow {
    /// Returns a fact that is always stated.
    pub const fn new(name: &'static str, kind: FactKind) -> Self {
        Self { name, kind, absent: None }
    }

    /// Returns the fact, which is absent in this case.
    pub const fn unless(self, absent: &'static str) -> Self {
        Self { absent: Some(absent), ..self }
    }
}

impl Fact {
    /// Returns the type of the fact.
    pub fn kind(&self) -> FactKind {
        match self {
            Self::Int(_) => FactKind::Int,
            Self::Card(_) => FactKind::Card,
            Self::Cards(_) => FactKind::Cards,
            Self::Rank(_) => FactKind::Rank,
            Self::Seat(_) => FactKind::Seat,
            Self::Side(_) => FactKind::Side,
            Self::Meld(_) => FactKind::Meld,
            Self::Word(_) | Self::Text(_) => FactKind::Word,
            Self::Words(_) | Self::Codes(_) => FactKind::Words,
            Self::Seats(_) => FactKind::Seats,
        }
    }
}

/// Writes the bare value: a number without a noun, lists with spaces.
impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Card(card) => card.fmt(f),
            Self::Cards(cards) => listed(f, cards),
            Self::Rank(rank) => rank.letter().fmt(f),
            Self::Seat(seat) => seat.fmt(f),
            Self::Side(side) => side.fmt(f),
            Self::Meld(id) => id.0.fmt(f),
            Self::Word(word) => f.write_str(word),
            Self::Words(words) => listed(f, words),
            Self::Seats(seats) => listed(f, seats),
            Self::Text(text) => f.write_str(text),
            Self::Codes(codes) => listed(f, codes.iter().map(|code| code.name())),
        }
    }
}

fn listed<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: impl IntoIterator<Item = T>) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if i > 0 { " " } else { "" })?;
    }
    Ok(())
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
