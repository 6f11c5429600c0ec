//! Positions, actions and whole games as text (docs/formats/NOTATION.md).
//!
//! Writing is strict: each value has exactly one spelling. Reading is lenient about case, spaces, order and
//! separators. Reading refuses everything else, reports the position of the error, and never panics.

use crate::card::{Card, Cards, Class};
use crate::rules::RuleSet;
use crate::seat::{Seat, Side};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use span::{Read, Span};
use suits::Suits;
use thiserror::Error;

pub mod action;
mod fill;
pub mod header;
mod miscount;
pub mod paper;
mod players;
mod position;
mod read;
pub mod rulings;
mod section;
pub mod span;
pub mod suits;
#[cfg(test)]
mod tests;
pub mod words;
mod write;

pub use action::Proposal;
pub use position::Position;
pub use section::section_names;

/// The maximum length of the text of a position, in bytes.
pub const POSITION_BYTES_MAX: usize = 8192;
/// The maximum length of the text of an action, in bytes. It is large because a ruling may contain a
/// position.
pub const ACTION_BYTES_MAX: usize = 1 << 16;

/// The reason why a text cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("byte {offset}: expected {expected}, found {found}")]
pub struct NotationError {
    /// The offset of the error, in bytes from the start of the text.
    pub offset: usize,
    /// A description of the text that was expected at the offset.
    pub expected: &'static str,
    /// The text that was found at the offset, shortened.
    pub found: String,
}

/// Checks that a text is at most `most` bytes long.
pub fn bounded(text: &str, most: usize) -> Result<(), NotationError> {
    if text.len() <= most {
        return Ok(());
    }
    let found = alloc::format!("{} bytes", text.len());
    let expected = if most == POSITION_BYTES_MAX { "at most 8192 bytes" } else { "at most 65536 bytes" };
    Err(NotationError { offset: most, expected, found })
}

/// The spelling of seats and sides: in games of four N E S W and NS EW, otherwise numbers. Players' names are read and
/// never written.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    seats: u8,
    sides: u8,
    players: &'a [String],
    /// Whether the text was written by a program: letters and numbers come before names.
    written: bool,
    /// The suits of cards that an action names by their rank alone.
    suits: Option<&'a Suits>,
}

/// The expectation where a word has two meanings.
const AMBIGUOUS: &str = "another word: this is a seat or side, and the name of a player elsewhere";

/// The expectation where a word is the name of two players.
const SHARED: &str = "the letter or the number of a seat, because two players have this name";

const SEATS: [&str; 4] = ["N", "E", "S", "W"];
const SIDES: [&str; 2] = ["NS", "EW"];

impl<'a> Names<'a> {
    /// Returns the names that a rule set gives its seats and sides.
    pub fn of(set: &RuleSet) -> Self {
        Self { seats: set.seats, sides: set.side_count, players: &[], written: false, suits: None }
    }

    /// Returns the same names, and the players' by seat.
    pub fn with_players(self, players: &'a [String]) -> Self {
        Self { players, ..self }
    }

    /// Returns the same names, for an action that may name cards by their rank alone.
    pub fn with_suits(self, suits: &'a Suits) -> Self {
        Self { suits: Some(suits), ..self }
    }

    /// Returns the span whose cards have the suits of these names, if they have some.
    pub fn suited<'t>(self, span: Span<'t>) -> Span<'t>
    where
        'a: 't,
    {
        Span { suits: self.suits, ..span }
    }

    /// Returns the same names for a text that a program wrote. A seat has its letter or number there, whatever players are
    /// called; a name of one word is read too, if it is neither.
    pub fn as_written(self) -> Self {
        Self { written: true, ..self }
    }

    /// Splits off the first word, as [`Span::word`] does, where a seat or a side may stand: a player's name of several words
    /// counts as one.
    pub fn word<'t>(self, span: Span<'t>) -> (Span<'t>, Span<'t>) {
        let all = span.trim();
        let names = self.players.iter().filter(|name| !self.written && name.contains(char::is_whitespace));
        let long = names.filter_map(|name| beginning(all.text, name)).max().unwrap_or(0);
        let end = all.text[long..].find(char::is_whitespace).map_or(all.text.len(), |at| long + at);
        (all.part(0, end), all.part(end, all.text.len()).trim())
    }

    /// Returns the words, as [`Span::words`] does; a player's name of several words counts as one.
    pub fn words<'t>(self, span: Span<'t>) -> impl Iterator<Item = Span<'t>> + use<'a, 't> {
        let mut rest = span;
        core::iter::from_fn(move || {
            let (word, next) = self.word(rest);
            rest = next;
            (!word.is_empty()).then_some(word)
        })
    }

    /// Parses a seat: a number, in games of four a letter or an English name, or the name of the only player who has it.
    ///
    /// # Errors
    /// If the word is none of these, or is a seat and the name of the player on another.
    pub fn seat(self, word: Span<'_>) -> Read<Seat> {
        self.seat_or_none(word)?.ok_or_else(|| word.error("a seat"))
    }

    /// Parses a seat as [`Names::seat`] does; `None` for any other word.
    ///
    /// # Errors
    /// If the word is a seat and the name of the player on another.
    pub fn seat_or_none(self, word: Span<'_>) -> Read<Option<Seat>> {
        self.one_of(self.spelled(word.text), self.player(word.text), word)
    }

    /// Parses a side: a number, or in games of four with two sides NS or EW, or the name of a player of the side.
    ///
    /// # Errors
    /// If the word is none of these, or is a side and the name of a player of another.
    pub fn side(self, word: Span<'_>) -> Read<Side> {
        self.side_or_none(word)?.ok_or_else(|| word.error("a side"))
    }

    /// Parses a side as [`Names::side`] does; `None` for any other word.
    ///
    /// # Errors
    /// If the word is a side and the name of a player of another.
    pub fn side_or_none(self, word: Span<'_>) -> Read<Option<Side>> {
        let pairs = self.seats == 4 && self.sides == 2;
        let of_player = self.player(word.text).filter(|_| pairs).map(|seat| Side(seat.0 % 2));
        let compass = SIDES.iter().position(|name| name.eq_ignore_ascii_case(word.text)).filter(|_| pairs);
        let number = compass.map_or_else(|| number(word.text).map(usize::from), Some);
        let spelled = number.filter(|&number| number < usize::from(self.sides));
        self.one_of(spelled.map(|number| Side(number as u8)), of_player, word)
    }

    /// Returns the one meaning of a word.
    fn one_of<T: PartialEq>(self, spelled: Option<T>, named: Option<T>, word: Span<'_>) -> Read<Option<T>> {
        match (spelled, named) {
            (Some(spelled), Some(named)) if spelled != named && !self.written => Err(word.error(AMBIGUOUS)),
            (None, None) if self.named(word.text).count() > 1 => Err(word.error(SHARED)),
            (spelled, named) => Ok(spelled.or(named)),
        }
    }

    fn player(self, word: &str) -> Option<Seat> {
        let mut named = self.named(word);
        named.next().filter(|_| named.next().is_none())
    }

    /// Returns the seats of all players with this name.
    fn named(self, word: &str) -> impl Iterator<Item = Seat> {
        let is_named = |(_, name): &(u8, &String)| name.to_lowercase() == word.to_lowercase();
        (0..self.seats).zip(self.players).filter(is_named).map(|(seat, _)| Seat(seat))
    }

    fn spelled(self, word: &str) -> Option<Seat> {
        let is = |names: [&str; 4]| names.iter().position(|name| name.eq_ignore_ascii_case(word));
        let compass =
            is(SEATS).or_else(|| is(["North", "East", "South", "West"])).filter(|_| self.seats == 4);
        let number = compass.map_or_else(|| number(word).map(usize::from), Some)?;
        (number < usize::from(self.seats)).then_some(Seat(number as u8))
    }

    /// Parses one line as [`Proposal::parse`] does, with these names.
    ///
    /// # Errors
    /// As [`Proposal::parse`].
    pub fn proposal(self, text: &str) -> Result<Proposal, NotationError> {
        bounded(text, ACTION_BYTES_MAX)?;
        let all = self.suited(Span::of(text)).trim();
        let (first, rest) = self.word(all);
        let (actor, body) = match first.text.strip_suffix(':') {
            Some(name) => (Some(action::actor(Span { text: name, ..first }, self)?), rest),
            None => (None, all),
        };
        Ok(Proposal { actor, action: action::action(body, self)? })
    }

    /// Returns the spelling of a seat.
    pub fn seat_name(self, seat: Seat) -> String {
        match SEATS.get(seat.index()) {
            Some(&name) if self.seats == 4 => String::from(name),
            _ => alloc::format!("{seat}"),
        }
    }

    /// Returns the spelling of a side.
    pub fn side_name(self, side: Side) -> String {
        match SIDES.get(side.index()) {
            Some(&name) if self.seats == 4 && self.sides == 2 => String::from(name),
            _ => alloc::format!("{side}"),
        }
    }
}

/// Returns the length of `name` at the beginning of a text, in any case; `None` if the text does not begin with it.
fn beginning(text: &str, name: &str) -> Option<usize> {
    let mut rest = text.chars();
    let is_next = |c: char| rest.next().is_some_and(|other| other.to_lowercase().eq(c.to_lowercase()));
    let begins = name.chars().all(is_next);
    let ends = rest.as_str().chars().next().is_none_or(|next| !next.is_alphanumeric());
    (begins && ends).then(|| text.len() - rest.as_str().len())
}

/// Parses a number in its shortest spelling; `None` for any other text and for numbers above 65,535.
pub fn number(word: &str) -> Option<u16> {
    let shortest = word.bytes().all(|b| b.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    shortest.then(|| word.parse().ok()).flatten()
}

/// Returns the sort key by which cards of one zone are written: A K Q J T 9 ... 4, threes, twos, jokers;
/// within a rank s h d c.
fn writing_order(card: Card) -> (u8, u8) {
    let rank = card.rank();
    let place = match rank.letter() {
        'A' => 0,
        'X' => 14,
        _ => 14 - rank.index() as u8,
    };
    (place, 3 - card.suit().unwrap_or(3))
}

/// Returns the sort key by which unnamed cards are distributed: naturals, black threes, wilds, red threes.
fn filling_order(card: Card) -> (u8, usize, u8) {
    let class = match card.class() {
        Class::Natural => 0,
        Class::BlackThree => 1,
        Class::Wild => 2,
        Class::RedThree => 3,
    };
    (class, card.rank().index(), card.suit().unwrap_or(0))
}

/// Returns the cards in the order in which they are written.
pub fn sorted(cards: &Cards) -> Vec<Card> {
    let mut cards: Vec<Card> = cards.iter().collect();
    cards.sort_by_key(|&card| writing_order(card));
    cards
}

/// Appends cards, with `separator` between them.
pub fn write_cards(out: &mut String, cards: impl IntoIterator<Item = Card>, separator: &str) {
    for (i, card) in cards.into_iter().enumerate() {
        let separator = if i > 0 { separator } else { "" };
        write!(out, "{separator}{card}").expect("a string takes all text");
    }
}

impl Position {
    /// Parses a position. Whether the position can arise is checked by [`Setup::into_table`](crate::table::Setup::into_table) only.
    ///
    /// # Errors
    /// If `text` is no position, or names cards that the pack lacks; the error has the offset of the first fault.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        read::position(text, "")
    }

    /// Parses a position as [`Position::parse`] does. Cards that the position names by their rank alone are those that `action`
    /// names, as far as it names some.
    ///
    /// # Errors
    /// As [`Position::parse`].
    pub fn parse_beside(text: &str, action: &str) -> Result<Self, NotationError> {
        read::position(text, action)
    }
}
