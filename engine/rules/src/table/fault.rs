//! The faults of a position: typed parts, which are put into words when they are shown.

use crate::card::{Card, Cards};
use crate::citation::{Books, cite_violation};
use crate::rejection::Violation;
use crate::rules::RuleSet;
use crate::seat::{Seat, Side};
use alloc::vec::Vec;
use core::fmt;

/// One thing that is wrong with a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupFault {
    /// The condition that should hold, as a phrase without a full stop.
    pub expected: &'static str,
    /// Ids of the broken rules; empty if the position only contradicts itself.
    pub rules: Vec<&'static str>,
    /// Ids of the laws on the irregularity of play that leads to such a position, the nearest first; empty if none does.
    pub laws: &'static [&'static str],
    parts: Vec<SentencePart>,
    names: NameForm,
}

impl SetupFault {
    pub(crate) fn new(expected: &'static str, sentence: Sentence, set: &RuleSet, books: &Books) -> Self {
        let Sentence { law, parts } = sentence;
        let rules = match law {
            Law::Row(row) => books.cite_row(row),
            Law::Broken(violation) => cite_violation(&violation, books),
        };
        Self { expected, rules, laws: &[], parts, names: NameForm::of(set) }
    }

    /// Returns the fault with the laws on it.
    pub(crate) fn under(self, laws: &'static [&'static str]) -> Self {
        Self { laws, ..self }
    }
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_parts(&self.parts, self.names, f)?;
        match self.rules.split_first() {
            Some((first, others)) => {
                write!(f, " [{first}")?;
                others.iter().try_for_each(|id| write!(f, " {id}"))?;
                f.write_str("]")
            }
            None => Ok(()),
        }
    }
}

impl core::error::Error for SetupFault {}

/// The faults that an invariant found, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found(pub(crate) Vec<Sentence>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, sentence) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { "; " } else { "" })?;
            write_parts(&sentence.parts, NameForm::Numbers, f)?;
        }
        Ok(())
    }
}

/// A fault in words, and the rules that it breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sentence {
    law: Law,
    parts: Vec<SentencePart>,
}

impl Sentence {
    pub(crate) fn new<const N: usize>(law: impl Into<Law>, parts: [SentencePart; N]) -> Self {
        Self { law: law.into(), parts: parts.into() }
    }
}

/// The source from which the broken rules of a fault are found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Law {
    /// The ids of the rules of all books, separated by spaces.
    Row(&'static str),
    /// The violation of an action that would lead to this position.
    Broken(Violation),
}

impl From<&'static str> for Law {
    fn from(row: &'static str) -> Self {
        Self::Row(row)
    }
}

impl From<Violation> for Law {
    fn from(violation: Violation) -> Self {
        Self::Broken(violation)
    }
}

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SentencePart {
    Text(&'static str),
    Number(i64),
    Seat(Seat),
    Side(Side),
    Cards(Cards),
}

macro_rules! part_from {
    ($($from:ty => $variant:ident),* $(,)?) => {
        $(impl From<$from> for SentencePart {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

part_from! {
    &'static str => Text, u8 => Number, u16 => Number, u32 => Number, i64 => Number, Seat => Seat, Side => Side, Cards => Cards,
}

impl From<usize> for SentencePart {
    fn from(number: usize) -> Self {
        Self::Number(number as i64)
    }
}

impl From<Card> for SentencePart {
    fn from(card: Card) -> Self {
        Self::Cards(core::iter::once(card).collect())
    }
}

/// Makes a sentence from its rules and its parts.
macro_rules! say {
    ($row:expr; $($part:expr),+ $(,)?) => {
        $crate::table::Sentence::new($row, [$($crate::table::SentencePart::from($part)),+])
    };
}
pub(crate) use say;

/// The form in which seats and sides are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NameForm {
    /// Names for four players in two sides of two: N E S W, NS and EW.
    Compass,
    Numbers,
}

impl NameForm {
    fn of(set: &RuleSet) -> Self {
        if set.seats == 4 && set.side_count == 2 { Self::Compass } else { Self::Numbers }
    }
}

/// The words for the numbers from 0 to 12.
const WORDS: [&str; 13] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Writes a sentence. In a text, `{one|other}` is a word after the number 1 and after other numbers: the number is the
/// last before the word.
fn write_parts(parts: &[SentencePart], names: NameForm, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut number = None;
    for part in parts {
        match part {
            SentencePart::Text(text) => {
                let mut rest = *text;
                while let Some((before, (forms, after))) =
                    rest.split_once('{').and_then(|(before, form)| Some((before, form.split_once('}')?)))
                {
                    let (one, other) = forms.split_once('|').unwrap_or((forms, forms));
                    write!(f, "{before}{}", if number == Some(1) { one } else { other })?;
                    rest = after;
                }
                f.write_str(rest)?;
            }
            SentencePart::Number(found) => {
                number = Some(*found);
                part.write(names, f)?;
            }
            SentencePart::Cards(cards) => {
                number = Some(cards.len().into());
                part.write(names, f)?;
            }
            _ => part.write(names, f)?,
        }
    }
    Ok(())
}

impl SentencePart {
    fn write(&self, names: NameForm, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, names) {
            (Self::Text(text), _) => f.write_str(text),
            (Self::Number(number), _) => match usize::try_from(*number).ok().and_then(|n| WORDS.get(n)) {
                Some(word) => f.write_str(word),
                None => write!(f, "{number}"),
            },
            (Self::Seat(seat), NameForm::Compass) if seat.0 < 4 => {
                f.write_str(["N", "E", "S", "W"][seat.index()])
            }
            (Self::Side(side), NameForm::Compass) if side.0 < 2 => f.write_str(["NS", "EW"][side.index()]),
            (Self::Seat(seat), _) => write!(f, "seat {seat}"),
            (Self::Side(side), _) => write!(f, "side {side}"),
            (Self::Cards(cards), _) if cards.is_empty() => f.write_str("no card"),
            (Self::Cards(cards), _) => {
                let all: Vec<Card> = cards.iter().collect();
                for (i, card) in all.iter().rev().enumerate() {
                    write!(f, "{}{card}", if i > 0 { " " } else { "" })?;
                }
                Ok(())
            }
        }
    }
}
