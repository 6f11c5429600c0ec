//! Conversion of cards to text and back.

use canasta_engine::action::CardList;
use canasta_engine::card::{CARDS_MAX, Card, Cards};
use canasta_engine::view::Seen;
use canasta_proto::v1::CardList as CardListMessage;

use super::field::{Read, at_most, each, fault, missing};

/// Reads a card: `Ks`, `2c`, `X`.
pub fn read(text: &str) -> Read<Card> {
    if text.is_empty() {
        return Err(missing());
    }
    Card::parse(text)
        .ok_or_else(|| fault(format!("{text:?} is not a card (rank AKQJT98765432 + suit shdc, or X)")))
}

/// Reads a list of cards, in order.
pub fn read_list(texts: &[String]) -> Read<CardList> {
    at_most(texts, CARDS_MAX)?;
    each(texts, |text| read(text))
}

/// Writes a list of cards, in order.
pub fn write_list(cards: &[Card]) -> Vec<String> {
    cards.iter().map(|card| card.text().into()).collect()
}

/// Writes a multiset of cards, in ascending order of kind.
pub fn write_set(cards: &Cards) -> Vec<String> {
    cards.iter().map(|card| card.text().into()).collect()
}

pub fn write_lists(lists: &[CardList]) -> Vec<CardListMessage> {
    lists.iter().map(|cards| CardListMessage { cards: write_list(cards) }).collect()
}

/// The text of a card that the viewer does not see.
const UNKNOWN: &str = "??";

/// Writes cards that may be hidden from the viewer.
pub fn write_seen(cards: &Seen) -> Vec<String> {
    match cards {
        Seen::Cards(cards) => write_list(cards),
        Seen::Count(count) => vec![UNKNOWN.into(); usize::from(*count)],
    }
}

/// Reads cards that may be hidden from the viewer: then none of them is known.
pub fn read_seen(texts: &[String]) -> Read<Seen> {
    at_most(texts, CARDS_MAX)?;
    let is_hidden = texts.iter().any(|text| text == UNKNOWN);
    if is_hidden { Ok(Seen::Count(texts.len() as u16)) } else { read_list(texts).map(Seen::Cards) }
}

/// Writes a card that may be hidden from the viewer.
pub fn write_known(card: Option<Card>) -> String {
    card.map_or_else(|| UNKNOWN.into(), |card| card.text().into())
}
