//! The typed values that a violation states.

use super::Code;
use crate::action::{CardList, MeldId};
use crate::card::{Card, Rank};
use crate::seat::{Seat, Side};
use alloc::string::String;
use alloc::vec::Vec;

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
