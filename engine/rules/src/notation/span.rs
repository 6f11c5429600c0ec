//! A part of a text, with its offset in the whole text.

use super::NotationError;
use super::suits::Suits;
use crate::action::MeldId;
use crate::card::{Card, Rank};
use crate::rules::Word;
use alloc::string::String;
use alloc::vec::Vec;

/// A part of the text that is parsed.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    /// The text of the span.
    pub text: &'a str,
    /// The offset of the span: the number of bytes before it.
    pub at: usize,
    /// The suits of cards that are named by their rank alone; without them such cards are refused.
    pub suits: Option<&'a Suits>,
}

/// The notation of an unknown card.
pub const UNKNOWN: &str = "??";
/// The expectation where a card should be.
const CARD: &str = "a card such as Ks or Th, or X for a joker";

/// The result of reading a span.
pub type Read<T> = Result<T, NotationError>;

impl<'a> Span<'a> {
    /// Returns the span of a whole text.
    pub fn of(text: &'a str) -> Self {
        Self { text, at: 0, suits: None }
    }

    /// Returns the span whose cards may be named by their rank alone.
    pub fn with_suits(self, suits: &'a Suits) -> Self {
        Self { suits: Some(suits), ..self }
    }

    /// Returns the part from byte `from` to byte `to`, both at character boundaries.
    pub fn part(self, from: usize, to: usize) -> Self {
        Self { text: &self.text[from..to], at: self.at + from, ..self }
    }

    /// Whether the span has no text.
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns the span without blanks at its ends.
    pub fn trim(self) -> Self {
        let from = self.text.len() - self.text.trim_start().len();
        let to = from + self.text.trim().len();
        self.part(from, to)
    }

    /// Splits the span at `separators`. Returns the parts, trimmed.
    pub fn split(self, separators: &'static [char]) -> impl Iterator<Item = Self> {
        self.split_at(1, move |text| text.find(separators)).map(Self::trim)
    }

    /// Splits the span at each separator of `length` bytes that `find` finds.
    fn split_at(self, length: usize, find: impl Fn(&str) -> Option<usize>) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        core::iter::from_fn(move || {
            let whole = rest?;
            let at = find(whole.text);
            rest = at.map(|at| whole.part(at + length, whole.text.len()));
            Some(whole.part(0, at.unwrap_or(whole.text.len())))
        })
    }

    /// Returns the words, separated by white space.
    pub fn words(self) -> impl Iterator<Item = Self> {
        let mut rest = self;
        core::iter::from_fn(move || {
            let (word, next) = rest.word();
            rest = next;
            (!word.is_empty()).then_some(word)
        })
    }

    /// Splits off the first word. Returns the word and the rest.
    pub fn word(self) -> (Self, Self) {
        let all = self.trim();
        let end = all.text.find(char::is_whitespace).unwrap_or(all.text.len());
        (all.part(0, end), all.part(end, all.text.len()).trim())
    }

    /// Returns the rest after `prefix`, which is compared without case and must end at the end of a word;
    /// `None` if the span does not begin with `prefix`.
    pub fn after(self, prefix: &str) -> Option<Self> {
        let rest = self.text.get(prefix.len()..)?;
        let same = self.text.get(..prefix.len())?.eq_ignore_ascii_case(prefix);
        let ended = rest.is_empty() || rest.starts_with(char::is_whitespace);
        (same && ended).then(|| self.part(prefix.len(), self.text.len()).trim())
    }

    /// Splits the span at the first `separator`. Returns the parts before and after it; `None` without a
    /// separator.
    pub fn cut(self, separator: char) -> Option<(Self, Self)> {
        let at = self.text.find(separator)?;
        Some((self.part(0, at), self.part(at + separator.len_utf8(), self.text.len())))
    }

    /// Whether the span is this word, in upper or lower case.
    pub fn is(self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// Returns the error for this span. `expected` describes the text that should be here.
    pub fn error(self, expected: &'static str) -> NotationError {
        let mut found: String = self.text.chars().take(24).collect();
        if found.is_empty() {
            found.push_str("nothing");
        }
        NotationError { offset: self.at, expected, found }
    }

    /// Fails if the span is not empty.
    pub fn finish(self, expected: &'static str) -> Read<()> {
        if self.is_empty() { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Parses a number in its shortest spelling.
    pub fn number(self, expected: &'static str) -> Read<u16> {
        super::number(self.text).ok_or_else(|| self.error(expected))
    }

    /// Parses the number of a meld.
    pub fn meld(self) -> Read<MeldId> {
        let number = super::number(self.text).and_then(|number| u8::try_from(number).ok());
        number.map(MeldId).ok_or_else(|| self.error("the number of a meld"))
    }

    /// Parses cards of which some are unknown ([`UNKNOWN`]); `cards` parses those between.
    pub fn some_cards(self, mut cards: impl FnMut(Self) -> Read<Vec<Card>>) -> Read<Vec<Option<Card>>> {
        let mut all = Vec::new();
        for (i, part) in self.split_at(UNKNOWN.len(), |text| text.find(UNKNOWN)).enumerate() {
            if i > 0 {
                all.push(None);
            }
            all.extend(cards(part)?.into_iter().map(Some));
        }
        Ok(all)
    }

    /// Parses cards as [`Self::cards`] does, without their spans.
    pub fn card_list<L: FromIterator<Card>>(self) -> Read<L> {
        Ok(self.cards()?.into_iter().map(|(card, _)| card).collect())
    }

    /// Parses cards, with or without spaces between them. Returns each card with its span. `-` stands for no
    /// card. A card named by its rank alone has the suit that [`Suits`] give it.
    pub fn cards(self) -> Read<Vec<(Card, Self)>> {
        let mut cards = Vec::new();
        let mut rest = self.trim();
        if rest.text == "-" {
            return Ok(cards);
        }
        while !rest.is_empty() {
            let (typed, len) = first_card(rest.text).ok_or_else(|| rest.error(CARD))?;
            let place = rest.part(0, len);
            let card = match (typed, self.suits) {
                (TypedCard::Whole(card), _) => card,
                (TypedCard::Rank(rank), Some(suits)) => {
                    suits.give(rank, place.at).map_err(|expected| rest.error(expected))?
                }
                (TypedCard::Rank(_), None) => {
                    return Err(rest.error(CARD));
                }
            };
            cards.push((card, place));
            rest = rest.part(len, rest.text.len()).trim();
        }
        Ok(cards)
    }

    /// Returns the cards of a word that is cards and nothing else; those without a suit are left out.
    pub(super) fn whole_cards(self) -> Option<Vec<Card>> {
        let (mut cards, mut rest) = (Vec::new(), self.text);
        while !rest.is_empty() {
            let (typed, len) = first_card(rest)?;
            if let TypedCard::Whole(card) = typed {
                cards.push(card);
            }
            rest = &rest[len..];
        }
        Some(cards)
    }
}

/// A card as it is typed.
enum TypedCard {
    /// A joker, or rank and suit.
    Whole(Card),
    /// A rank, as in `K?` and `KKK`.
    Rank(Rank),
}

/// Names of the joker besides `X`. `JK` is a jack and a king.
const JOKERS: [&str; 6] = ["joker", "Joker", "JOKER", "Jk", "jk", "*"];

/// Parses the card at the beginning of `text`. Returns the card and its length in bytes. Letters may have any
/// case, `10` stands for T, and suit symbols are accepted; a rank that no suit follows, or `?`, is a rank alone.
fn first_card(text: &str) -> Option<(TypedCard, usize)> {
    let joker = JOKERS.iter().chain(&["\u{1f0cf}"]).find(|name| text.starts_with(**name));
    if let Some(name) = joker {
        return Some((TypedCard::Whole(Card::JOKER), name.len()));
    }
    let mut chars = text.chars();
    let first = chars.next()?;
    let (rank, is_small) = (first.to_ascii_uppercase(), first.is_ascii_lowercase());
    if rank == 'X' {
        return Some((TypedCard::Whole(Card::JOKER), 1));
    }
    let (rank, rank_len) = match rank {
        '1' if chars.next()? == '0' => ('T', 2),
        rank => (rank, rank.len_utf8()),
    };
    let sign = chars.next();
    let suit = match sign {
        Some('♠') => 's',
        Some('♥') => 'h',
        Some('♦') => 'd',
        Some('♣') => 'c',
        sign => sign.unwrap_or('?').to_ascii_lowercase(),
    };
    let mut spelling = [0; 8];
    let len = rank.encode_utf8(&mut spelling).len();
    let whole = len + suit.encode_utf8(&mut spelling[len..]).len();
    let spelled = |len: usize| core::str::from_utf8(&spelling[..len]).ok();
    if let Some(card) = spelled(whole).and_then(Card::parse) {
        return Some((TypedCard::Whole(card), rank_len + sign.map_or(0, char::len_utf8)));
    }
    // A letter that is neither a suit nor the next card, in the same case, is a slip of the pen.
    let is_next = |sign: char| "AKQJTX".contains(sign) || is_small && "akqjtx".contains(sign);
    if sign.is_some_and(|sign| sign.is_alphabetic() && !is_next(sign)) {
        return None;
    }
    let rank = Rank::from_word(spelled(len)?).filter(|&rank| rank != Rank::Joker)?;
    Some((TypedCard::Rank(rank), rank_len + usize::from(sign == Some('?'))))
}
