//! Figures against counts by hand, a second count of all permutations, honest deals and chosen ones.

use super::figure::distribution;
use super::*;

const ACES: usize = 4;

/// Returns the sums of one group and sort, from the counts of hands by seat; the group is seat 0 and as many after it.
fn sums(deals: &[&[u8]], size: u8) -> MeasureSums {
    let mut sums = MeasureSums::default();
    for deal in deals {
        let found = deal[..usize::from(size)].iter().map(|&cards| u64::from(cards)).sum();
        sums.add(Part { size, found, base: 0, shape: sorted(deal.to_vec()), seats: bits(0..size) });
    }
    sums
}

/// Checks one deal of four hands with 3, 1, 0 and 0 cards, by hand: a seat has 1 on average, variance 10/4 - 1 = 1.5;
/// one seat of four is 2 or more from 1. A side of two has 2 on average; of the six pairs of hands
/// 4, 3, 3, 1, 1, 0 four are... 4 and 0 are 2 away: two of six.
#[test]
fn one_deal_is_counted_by_hand() {
    let seat = figure(&HandGroup::Seat(0), ACES, &sums(&[&[3, 1, 0, 0]], 1)).expect("a figure");
    assert_eq!((seat.found, seat.expected, seat.share), (3, 1.0, 0.25));
    assert!((seat.deviations - 2.0 / libm::sqrt(1.5)).abs() < 1e-12);
    let side = figure(&HandGroup::Side(0), ACES, &sums(&[&[3, 1, 0, 0]], 2)).expect("a figure");
    assert_eq!((side.found, side.expected), (4, 2.0));
    assert!((side.share - 2.0 / 6.0).abs() < 1e-12);
    assert_eq!(figure(&HandGroup::Seat(0), ACES, &sums(&[&[1, 1, 1, 1]], 1)), None);
}

/// Compares the exact shares of three deals with a count of all 4 x 4 x 4 permutations.
#[test]
fn the_distribution_is_that_of_all_permutations() {
    let deals: [&[u8]; 3] = [&[3, 1, 0, 0], &[2, 2, 1, 0], &[0, 0, 0, 4]];
    let mut counts = [0.0; 10];
    for (a, b, c) in (0..64).map(|i| (i / 16, i / 4 % 4, i % 4)) {
        counts[usize::from(deals[0][a] + deals[1][b] + deals[2][c])] += 1.0 / 64.0;
    }
    let ways = distribution(&sums(&deals, 1)).expect("three deals are few");
    for (sum, count) in counts.iter().enumerate() {
        assert!((ways.get(sum).copied().unwrap_or(0.0) - count).abs() < 1e-12, "{sum}");
    }
}

/// Compares the correction with Holm's for shares of 0.01, 0.02 and 0.9: times 3, times 2, times 1.
#[test]
fn shares_are_corrected_for_their_number() {
    let of = |share: f64| BalanceFigure {
        share,
        ..figure(&HandGroup::Seat(0), ACES, &sums(&[&[1, 0]], 1)).expect("a figure")
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
        let mut figures = vec![figure(&HandGroup::Side(0), 0, &sums(&deals, 2)).expect("one")];
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

/// Checks one deal whose rotations were worth 600, 100, -400 and -300 points to a side, by hand: in steps of 25 they are
/// 24, 4, -16 and -12, on average 0. One of four is as far from 0 as 24, so the share is a quarter.
#[test]
fn luck_is_held_against_the_rotations_of_the_deal() {
    let mut sums = MeasureSums::default();
    sums.add(Part::of_points([600, 100, -400, -300].into_iter(), 0, 0b0101));
    let luck = figure(&HandGroup::Side(0), LUCK, &sums).expect("a figure");
    assert_eq!(
        (luck.measure, luck.unit, luck.found, luck.expected, luck.share),
        ("luck", "points", 600, 0.0, 0.25)
    );
    // One deal counts at most 100 steps.
    let far = Part::of_points([9_000, -9_000].into_iter(), 0, 1);
    assert_eq!((far.found, far.base), (200, -100));
    assert_eq!((ahead(&[500, 200], 0), ahead(&[500, 200, 100], 1)), (300, -100));
}

/// Compares the normal law with the exact distribution for 300 deals, which are one shape and many.
#[test]
fn many_deals_are_counted_by_their_variance() {
    let exact = sums(&vec![&[2u8, 1, 1, 0][..]; 300], 1);
    let mut many = exact.clone();
    (many.has_too_many_shapes, many.found) = (true, exact.found);
    many.bound();
    let share = |sums: &MeasureSums| figure(&HandGroup::Seat(0), 0, sums).expect("a figure").share;
    // 600 cards of 300 expected are 24.5 deviations away; both are as good as 0.
    assert!(share(&exact) < 1e-60 && share(&many) < 1e-60);
    let some = |found| MeasureSums { found, ..many.clone() };
    let few = |found| MeasureSums { found, ..exact.clone() };
    assert!((share(&some(320)) - share(&few(320))).abs() < 0.02);
}

/// Checks that groups with the same hands have one figure: a side and its mirror, a player and the seat, a table and the
/// side, but not a player who changed the seat.
#[test]
fn groups_with_the_same_hands_have_one_figure() {
    let seats: [(HandGroup, Vec<u8>); 5] = [
        (HandGroup::Side(0), vec![0]),
        (HandGroup::Side(1), vec![1]),
        (HandGroup::Seat(0), vec![0]),
        (named("Ann"), vec![0]),
        (named("Bob"), vec![1]),
    ];
    let mut balance = HandBalance::default();
    for deal in 0..40u64 {
        let mut groups = DealGroups { key: mix(deal), seats: 2, groups: seats.to_vec(), units: vec![0, 1] };
        groups.groups.push((named("Cleo"), vec![u8::from(deal < 20)]));
        balance.scored(&groups, &[100 * (deal as i32 % 3), 150]);
    }
    let found: Vec<HandGroup> = balance.scores().into_iter().map(|figure| figure.group).collect();
    assert_eq!(sorted(found), [HandGroup::Side(0), named("Cleo")]);
}

fn named(name: &str) -> HandGroup {
    HandGroup::Named { players: vec![name.into()], others: Vec::new() }
}
