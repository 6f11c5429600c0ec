//! Tests of sequences.

use super::*;
use alloc::string::ToString;
use alloc::vec::Vec;

fn sequence(text: &str) -> Option<Sequence> {
    Sequence::of(&text.split(' ').map(|t| Card::parse(t).expect("a card")).collect())
}

/// Checks which cards form a sequence (SA-030 to SA-033).
#[test]
fn cards_of_one_suit_in_order_are_a_sequence() {
    let found = sequence("Qh Kh Ah").expect("aces are high");
    assert_eq!((found.low, found.len), (8, 3));
    assert_eq!(found.cards().map(|c| c.to_string()).collect::<Vec<_>>(), ["Qh", "Kh", "Ah"]);
    for none in ["Kh Ah 4h", "4h 5h 7h", "4h 5h 5h 6h", "4h 5h 6s", "4h 5h X", "3s 4s 5s", "2h"] {
        assert_eq!(sequence(none), None, "{none}");
    }
}

#[test]
fn places_and_ranks_stand_for_the_same_cards() {
    for card in Card::all() {
        let places = |suit| places_in(1 << card.kind(), suit);
        let expected = |suit| if card.suit() == Some(suit) { place(card).map_or(0, |at| 1 << at) } else { 0 };
        assert!((0..4).all(|suit| places(suit) == expected(suit)), "{card}");
    }
    assert!((0..PLACES).all(|place| ranks_at(1 << place) == 1 << rank_at(place).index()));
    assert_eq!(runs_of(0b110_1101_1111, 3), 0b001_1111, "a run of two is too short");
    assert!(
        Card::all().filter_map(|card| place(card).map(|_| 1 << card.kind())).all(|kind| {
            places_of_kinds(kind).count_ones() == 1 && kinds_at(places_of_kinds(kind)) == kind
        })
    );
    // In each two suits one after the other, the highest places and the lowest ones are no run of more than four.
    let ends = (0..4).fold(0, |all, suit| all | 0b111_1000_1111 << (SUIT_BITS * suit));
    assert_eq!((runs_of(ends, 4), runs_of(ends, 5)), (ends, 0));
}

#[test]
fn a_card_fits_at_either_end_and_nowhere_else() {
    let six_to_eight = sequence("6h 7h 8h").expect("a sequence");
    for card in Card::all() {
        let grown = six_to_eight.with(card);
        let fits = ["5h", "9h"].contains(&card.to_string().as_str());
        assert_eq!(grown.is_some(), fits, "{card}");
        assert!(grown.is_none_or(|s| s.len == 4 && s.cards().any(|c| c == card)));
    }
    assert_eq!(sequence("Kh Ah").and_then(|s| s.with(Card::parse("4h").expect("a card"))), None);
}
