//! Cards and numbers as people name them.

use super::spoken::{SUITS, SpokenWord};
use canasta_engine::card::{Card, Rank};

const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
    sixteen seventeen eighteen nineteen twenty";

/// Cards as people name them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NamedCards {
    /// Their number; 0 if it is not said.
    pub count: usize,
    pub rank: Option<Rank>,
    pub suit: Option<u8>,
    pub is_red: Option<bool>,
    pub is_wild: Option<bool>,
}

impl NamedCards {
    /// One card, whatever it is.
    pub const ANY_ONE: Self = Self { count: 1, rank: None, suit: None, is_red: None, is_wild: None };

    pub fn fits(&self, card: Card) -> bool {
        self.rank.is_none_or(|rank| rank == card.rank())
            && self.suit.is_none_or(|suit| Some(suit) == card.suit())
            && self
                .is_red
                .is_none_or(|is_red| card.suit().is_some_and(|suit| (suit == 1 || suit == 2) == is_red))
            && self.is_wild.is_none_or(|is_wild| is_wild == card.is_wild())
    }

    pub fn is_any(&self) -> bool {
        *self == Self { count: self.count, ..Self::default() }
    }

    pub fn of(card: Card) -> Self {
        Self { count: 1, rank: Some(card.rank()), suit: card.suit(), ..Self::default() }
    }
}

pub fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

pub fn suit_of(word: &str) -> Option<u8> {
    SUITS.iter().position(|suit| *suit == word).map(|suit| suit as u8)
}

/// Returns the suit behind a row of ranks that begins here: `five, six and seven of hearts`. Behind an article, a row has three.
pub fn suit_ahead(words: &[SpokenWord<'_>], has_article: bool) -> Option<u8> {
    let is_rank = |word: &&SpokenWord<'_>| rank_of(&word.is).is_some();
    let row = words.iter().position(|word| !is_rank(&word) && !is_in(", and", &word.is))?;
    let ranks = words[..row].iter().filter(is_rank).count();
    let suit = suit_of(&words.get(row + 1)?.is).filter(|_| is_in("of to", &words[row].is));
    suit.filter(|_| ranks >= if has_article { 3 } else { 2 })
}

pub fn one_at_least(cards: &NamedCards) -> NamedCards {
    NamedCards { count: cards.count.max(1), ..*cards }
}

pub fn number_of(word: &str) -> Option<usize> {
    NUMBERS.split_whitespace().position(|number| number == word).or_else(|| word.parse().ok())
}

/// Returns the number of cards of which words speak, if it is near to the number that is dealt: a small one says how many
/// are too many.
pub fn count_near(said: &str, dealt: usize) -> Option<usize> {
    let words = said.split(|c: char| !c.is_alphanumeric()).filter_map(|word| number_of(&word.to_lowercase()));
    let is_near = |number: &usize| *number != dealt && (dealt.div_ceil(2)..=2 * dealt).contains(number);
    words.into_iter().find(is_near)
}

/// Returns the rank that a word names (`None` in it for a bare `one`), and whether it names several cards.
pub fn rank_of(word: &str) -> Option<(Option<Rank>, bool)> {
    const NAMES: [(&str, Rank); 5] = [
        ("ace", Rank::Ace),
        ("jack", Rank::Jack),
        ("queen", Rank::Queen),
        ("king", Rank::King),
        ("joker", Rank::Joker),
    ];
    let single = |word: &str| {
        let named = NAMES.iter().find(|(name, _)| *name == word).map(|(_, rank)| Some(*rank));
        let number = number_of(word);
        let number = number.filter(|number| (1..=10).contains(number));
        named.or_else(|| number.map(|number| Rank::from_index(number as u8 - 1).filter(|_| number > 1)))
    };
    let plural = ["s", "es"].iter().filter_map(|end| word.strip_suffix(end)).find_map(single);
    single(word).map(|rank| (rank, false)).or_else(|| plural.map(|rank| (rank, true)))
}

/// Whether the words go on with cards, so that a number before them counts.
pub fn names_cards(words: &[SpokenWord<'_>]) -> bool {
    let mut words =
        words.iter().map(|word| word.is.as_str()).skip_while(|word| is_in("black red natural more", word));
    words.next().is_some_and(|word| is_in("card cards wild", word) || rank_of(word).is_some())
}

/// Returns the cards of a word in notation: `Kd`, `7s7c7dX`.
pub fn run(word: &str) -> Option<Vec<Card>> {
    let ten = word.replace("10", "T");
    let (mut cards, mut rest) = (Vec::new(), ten.as_str());
    // These are words too.
    if rest.is_empty() || is_in("as ah ad", rest) {
        return None;
    }
    while !rest.is_empty() {
        let length = if rest.starts_with(['X', 'x']) { 1 } else { 2 };
        let (card, after) = rest.split_at_checked(length)?;
        let (rank, suit) = card.split_at_checked(1)?;
        cards.push(Card::parse(&(rank.to_uppercase() + &suit.to_lowercase()))?);
        rest = after;
    }
    Some(cards)
}
