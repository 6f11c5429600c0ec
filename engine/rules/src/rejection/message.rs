//! Messages for people: lower case, no full stop, what was expected and what was found. Every number
//! and name in the text is also a fact.

use super::{Field, Violation};
use crate::violations::Code;
use crate::violations::Fact;
use core::fmt;

/// Writes the sentence of the code's row, with each fact that it names in braces.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.sentence();
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, fact)| Some((before, fact.split_once('}')?)))
        {
            f.write_str(before)?;
            let fact = self.get(name);
            debug_assert!(fact.is_some(), "{} states {name}", self.code);
            fact.unwrap_or(&Fact::Word("?")).fmt(f)?;
            rest = after;
        }
        f.write_str(rest)
    }
}

impl Violation {
    /// Returns the sentence of the code's row, or another one where a code has several.
    fn sentence(&self) -> &'static str {
        let says = |name, value| self.get(name) == Some(&value);
        let has = |name| self.get(name).is_some();
        match self.code {
            Code::SetupDeal if matches!(self.field, Field::Contribution(_)) => {
                "the contribution is not what the seat registered"
            }
            Code::SetupDeal if self.field == Field::Signature && says("required", Fact::Int(0)) => {
                "expected no signature of a beacon, found a signature"
            }
            Code::SetupDeal if self.field == Field::Signature => {
                "expected a signature of a beacon, found no signature"
            }
            Code::SetupDeck if !has("card") => {
                "the wall must be the whole pack of {required} cards, found {found}"
            }
            Code::SetupDealer if has("required") => "seat {required} deals, not seat {seat}",
            Code::SetupDealer if says("decided_by", Fact::Word("CARDS")) => {
                "the cards that are drawn decide who deals, not the table: seat {seat} is named"
            }
            Code::SetupDealer if has("seat") => "there is no seat {seat}: give `dealer`, {allowed}",
            Code::SetupDealer if says("decided_by", Fact::Word("RULE_SET")) => {
                "this rule set leaves the first dealer to the table: give `dealer`, {allowed}"
            }
            Code::AskCannotGoOut if has("fault") => {
                "the way out that the question names does not go out ({fault})"
            }
            Code::AskCannotGoOut if has("search") => {
                "the search has found no way to go out from this hand, and cannot rule it out ({search})"
            }
            Code::GoOutBound if has("search") => {
                "after \"yes\" this turn must go out, and the search has found no way after this ({search})"
            }
            code => code.entry().message,
        }
    }
}

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
