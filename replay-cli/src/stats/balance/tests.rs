//! Figures against counts by hand, a second count of all permutations, honest deals and chosen ones.

use super::*;

/// Returns the sums of one group and sort, from the counts of hands by seat; the group is seat 0 and as many after it.
fn sums(deals: &[&[u8]], size: u8) -> SortSums {
    let mut sums = SortSums::default();
    for deal in deals {
        sums.cards += deal[..usize::from(size)].iter().map(|&cards| u64::from(cards)).sum::<u64>();
        let mut shape = deal.to_vec();
        shape.sort_unstable();
        *sums.shapes.entry((size, shape)).or_default() += 1;
    }
    sums
}

/// Checks one deal of four hands with 3, 1, 0 and 0 cards, by hand: a seat has 1 on average, variance 10/4 - 1 = 1.5;
/// one seat of four is 2 or more from 1. A side of two has 2 on average; of the six pairs of hands
/// 4, 3, 3, 1, 1, 0 four are... 4 and 0 are 2 away: two of six.
#[test]
fn one_deal_is_counted_by_hand() {
    let seat = figure(&HandGroup::Seat(0), "aces", 1, &sums(&[&[3, 1, 0, 0]], 1)).expect("a figure");
    assert_eq!((seat.cards, seat.expected, seat.share), (3, 1.0, 0.25));
    assert!((seat.deviations - 2.0 / libm::sqrt(1.5)).abs() < 1e-12);
    let side = figure(&HandGroup::Side(0), "aces", 1, &sums(&[&[3, 1, 0, 0]], 2)).expect("a figure");
    assert_eq!((side.cards, side.expected), (4, 2.0));
    assert!((side.share - 2.0 / 6.0).abs() < 1e-12);
    assert_eq!(figure(&HandGroup::Seat(0), "aces", 1, &sums(&[&[1, 1, 1, 1]], 1)), None);
}

/// Compares the exact shares of three deals with a count of all 4 x 4 x 4 permutations.
#[test]
fn the_distribution_is_that_of_all_permutations() {
    let deals: [&[u8]; 3] = [&[3, 1, 0, 0], &[2, 2, 1, 0], &[0, 0, 0, 4]];
    let mut counts = [0.0; 10];
    for (a, b, c) in (0..64).map(|i| (i / 16, i / 4 % 4, i % 4)) {
        counts[usize::from(deals[0][a] + deals[1][b] + deals[2][c])] += 1.0 / 64.0;
    }
    let ways = distribution(&sums(&deals, 1));
    for (sum, count) in counts.iter().enumerate() {
        assert!((ways.get(sum).copied().unwrap_or(0.0) - count).abs() < 1e-12, "{sum}");
    }
}

/// Compares the correction with Holm's for shares of 0.01, 0.02 and 0.9: times 3, times 2, times 1.
#[test]
fn shares_are_corrected_for_their_number() {
    let of = |share: f64| BalanceFigure {
        share,
        ..figure(&HandGroup::Seat(0), "aces", 1, &sums(&[&[1, 0]], 1)).expect("a figure")
    };
    let mut figures = [0.01, 0.02, 0.9].map(of);
    correct(&mut figures);
    assert_eq!(figures.map(|figure| (figure.corrected * 100.0).round()), [3.0, 4.0, 90.0]);
}

/// Plays the part of the shuffle: four hands with wild cards, one after another from a pack in which twelve of 108
/// cards are wild. The numbers come from a generator whose constants are Knuth's (MMIX).
fn wild_cards(state: &mut u64) -> [u8; 4] {
    let mut left = (12u64, 108u64);
    [(); 4].map(|()| {
        let mut found = 0;
        for _ in 0..11 {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let is_wild = (*state >> 33) % left.1 < left.0;
            left = (left.0 - u64::from(is_wild), left.1 - 1);
            found += u8::from(is_wild);
        }
        found
    })
}

/// Deals 1,000 games of seven deals, honestly; then the 200 of them are taken in which seats 0 and 2 have the most wild
/// cards beyond those of the others. The chosen ones must be to look at, the honest ones must not be.
#[test]
fn deals_that_were_chosen_for_a_side_are_found() {
    let mut state = 7;
    let mut games: Vec<Vec<[u8; 4]>> = Vec::new();
    for _ in 0..1000 {
        // Sides first, as `sums` takes them: seats 0 and 2, then 1 and 3.
        games.push((0..7).map(|_| wild_cards(&mut state)).collect());
    }
    let side = |games: &[Vec<[u8; 4]>]| {
        let deals: Vec<&[u8]> = games.iter().flatten().map(|deal| &deal[..]).collect();
        let count = deals.len() as u64;
        let mut figures =
            vec![figure(&HandGroup::Side(0), "wild_cards", count, &sums(&deals, 2)).expect("one")];
        correct(&mut figures);
        figures.remove(0)
    };
    assert!(!side(&games).is_to_look_at(), "{:?}", side(&games));
    let lead = |game: &Vec<[u8; 4]>| -> i32 {
        game.iter().map(|[a, b, c, d]| i32::from(*a) + i32::from(*b) - i32::from(*c) - i32::from(*d)).sum()
    };
    games.sort_by_key(|game| std::cmp::Reverse(lead(game)));
    let chosen = side(&games[..200]);
    assert!(chosen.is_to_look_at() && chosen.deviations > 10.0, "{chosen:?}");
}
