//! Tests of cards and multisets of cards.

use super::*;
use alloc::string::ToString;

#[test]
fn every_kind_prints_and_reads_back() {
    for card in Card::all() {
        assert_eq!(Card::parse(&card.to_string()), Some(card));
    }
    for bad in ["", "1z", "Xs", "ks", "K", "Ksx", "3x"] {
        assert_eq!(Card::parse(bad), None, "{bad:?}");
    }
}

/// Checks the classes of all kinds (CL-003 to CL-005): 11 natural ranks, 5 wild kinds, 2 red and 2 black threes.
#[test]
fn classes_partition_the_kinds() {
    let of = |class| Card::all().filter(|c| c.class() == class).count();
    assert_eq!(of(Class::Natural), 44);
    assert_eq!(of(Class::Wild), 5);
    assert_eq!(of(Class::RedThree), 2);
    assert_eq!(of(Class::BlackThree), 2);
    let threes: Cards = ["3h", "3d", "3s", "3s"].iter().filter_map(|t| Card::parse(t)).collect();
    assert_eq!((threes.red_threes(), threes.black_threes()), (2, 2));
}

#[test]
fn every_kind_is_counted_once() {
    for card in Card::all() {
        let two: Cards = [card, card].into_iter().collect();
        assert_eq!(two.kinds().collect::<alloc::vec::Vec<_>>(), [(card, 2)]);
        let counts: [u8; 14] = core::array::from_fn(|rank| 2 * u8::from(rank == card.rank().index()));
        assert_eq!(two.rank_counts(), counts);
    }
    let all: Cards = Card::all().collect();
    assert!(all.iter().eq(Card::all()));
}

/// Compares what a multiset keeps besides its counts with what follows from the counts, after every one of 20,000
/// random changes.
#[test]
fn what_is_kept_follows_from_the_counts() {
    let mut seed = 1u64;
    let mut below = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    let mut cards = Cards::EMPTY;
    for _ in 0..20_000 {
        let part: Cards = (0..below(4)).filter_map(|_| Card::from_kind(below(53) as u8)).collect();
        match below(5) {
            0 => cards.add(&part),
            1 if cards.contains(&part) => cards.subtract(&part),
            2 | 3 => part.iter().for_each(|card| _ = cards.remove(card)),
            // Many copies, and then as many as are kept.
            4 => (0..below(60)).for_each(|_| part.iter().for_each(|card| cards.insert(card))),
            _ => cards = Cards::EMPTY,
        }
        let of_rank =
            |rank: Rank| Card::all().filter(|c| c.rank() == rank).map(|c| cards.count(c)).sum::<u8>();
        let counts = Rank::ALL.map(of_rank);
        assert_eq!(cards.rank_counts(), counts);
        assert!(Rank::ALL.iter().all(|&rank| cards.rank_count(rank) == counts[rank.index()]));
        for least in [1, 2, 3, 7, 127] {
            let ranks = (0..14).fold(0, |ranks, at| ranks | u16::from(counts[at] >= least) << at);
            assert_eq!(cards.ranks_with(least), ranks);
        }
        assert!(cards.kinds().eq(Card::all().map(|c| (c, cards.count(c))).filter(|(_, count)| *count > 0)));
        assert_eq!(usize::from(cards.len()), cards.iter().count());
        let again: Cards = cards.iter().collect();
        assert_eq!(again, cards);
    }
    let naturals = Rank::NATURAL.iter().fold(0, |ranks, rank| ranks | 1 << rank.index());
    assert_eq!(naturals, Rank::NATURALS);
}

#[test]
fn multisets_add_and_subtract() {
    let parse = |texts: &[&str]| -> Cards { texts.iter().filter_map(|t| Card::parse(t)).collect() };
    let hand = parse(&["Ks", "Ks", "2c", "X"]);
    assert_eq!((hand.len(), hand.rank_count(Rank::King), hand.wilds()), (4, 2, 2));
    assert!(hand.contains(&parse(&["Ks", "Ks"])));
    assert!(!hand.contains(&parse(&["Ks", "Ks", "Ks"])));
    assert_eq!(hand.rank_counts()[..4], [0, 1, 0, 0]);
    assert_eq!(hand.rank_counts()[12..], [2, 1]);
    let mut rest = hand;
    rest.subtract(&parse(&["Ks", "X"]));
    assert_eq!(rest, parse(&["2c", "Ks"]));
}
