//! Walls from fixed seeds, compared with exact expectations: no order may be favoured.
//!
//! Expectations and variances are the exact ones of a uniform order, computed below. Every tolerance is 5 standard
//! deviations, within which a fair shuffle stays 9,999,994 times in 10,000,000 per statistic (normal distribution).
//! Seeds are fixed, so a test that passes once passes always.

use canasta_engine::card::{Card, Cards, Rank};
use canasta_engine::deal::{self, Commitment, Context, DealId, simulate};

const DEALS: u32 = 4096;
const SIGMAS: f64 = 5.0;
/// SHA-256 of "canasta uniformity test": any 64 hex digits would do.
const RULE_SET: &str = "021faea66ba03a39ae5efdf092fe3f8eb5e1acec1171907f3ffc6388414c1aab";

/// Returns secret and context of round 1 of simulated game `game`.
fn deal_of(seed: u64, game: u32, cards: u16) -> (deal::RoundSecret, Context) {
    let game_secret = simulate::game_secret(seed, game);
    let deal = DealId::new(simulate::game_id(&game_secret), 1, 1);
    let secret = game_secret.round(1, 1);
    let dealer = Commitment::dealer(&deal, &secret);
    let context = Context::seeded(&deal, RULE_SET, cards, dealer).expect("a context");
    (secret, context)
}

fn walls(seed: u64, packs: u8, jokers: u8) -> impl Iterator<Item = Vec<Card>> {
    let cards = deal::card_count(packs, jokers).expect("a pack");
    (0..DEALS).map(move |game| {
        let (secret, context) = deal_of(seed, game, cards);
        deal::wall(&secret, &context, packs, jokers).expect("a wall")
    })
}

fn assert_within(what: &str, found: f64, expected: f64, deviation: f64) {
    let off = (found - expected) / deviation;
    println!("{what}: found {found}, expected {expected:.2}, off by {off:.2} standard deviations");
    assert!(
        off.abs() <= SIGMAS,
        "{what}: found {found}, expected {expected:.2} +- {SIGMAS} x {deviation:.2}"
    );
}

/// Returns the leader's hand of `size` cards, dealt one at a time to 4 seats.
fn leader_hand(wall: &[Card], size: usize) -> Cards {
    wall.iter().step_by(4).take(size).copied().collect()
}

/// Returns the number of ways to choose `k` of `n`, exactly if all products are below 2^128, which holds here.
fn choose(n: u64, k: u64) -> u128 {
    (0..k.min(n)).fold(u128::from(n >= k), |ways, i| ways * u128::from(n - i) / u128::from(i + 1))
}

/// Compares the counts of cards by position with a uniform order: with N deals of n cards, X = sum of (count - N/n)^2
/// / (N/n) over the n x n cells.
///
/// For uniform orders (n-1)/n * X has mean (n-1)^2 exactly and variance 2 (n-1)^2 (1 - 1/N): a permutation matrix
/// less 1/n everywhere has constant length sqrt(n-1) and covariance (I - J/n) x (I - J/n) / (n-1), whose square has
/// trace 1. (The variance is not that of n(n-1) independent cells.)
fn check_positions(cards: u16, seed: u64) {
    let n = usize::from(cards);
    let mut counts = vec![0u32; n * n];
    for game in 0..DEALS {
        let (secret, context) = deal_of(seed, game, cards);
        let mut ids: Vec<u16> = (0..cards).collect();
        deal::shuffle(&mut ids, deal::stream(&secret, &context).words()).expect("enough words");
        for (position, &id) in ids.iter().enumerate() {
            counts[position * n + usize::from(id)] += 1;
        }
    }
    let expected = f64::from(DEALS) / f64::from(cards);
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let freedom = f64::from(cards - 1);
    let deviation = freedom * (2.0 * (1.0 - 1.0 / f64::from(DEALS))).sqrt();
    let scaled = chi_square * freedom / f64::from(cards);
    assert_within(&format!("position x card, {cards} cards"), scaled, freedom * freedom, deviation);
}

#[test]
fn every_card_is_as_likely_in_every_position_of_108() {
    check_positions(108, 1);
}

#[test]
fn every_card_is_as_likely_in_every_position_of_324() {
    check_positions(324, 2);
}

/// Compares hands with the hypergeometric law: 11 of 108 cards have k of K special cards with probability C(K,k)
/// C(108-K,11-k) / C(108,11).
#[test]
fn red_threes_and_wild_cards_fall_as_hypergeometric() {
    let hands: Vec<Cards> = walls(3, 2, 4).map(|wall| leader_hand(&wall, 11)).collect();
    let red_threes: Vec<u8> = hands.iter().map(Cards::red_threes).collect();
    let wilds: Vec<u8> = hands.iter().map(Cards::wilds).collect();
    // 2 packs hold 2 x 2 red threes, and 2 x 4 twos with 4 jokers.
    check_hypergeometric("red threes", &red_threes, 4);
    check_hypergeometric("wild cards", &wilds, 12);
}

fn check_hypergeometric(what: &str, found: &[u8], special: u64) {
    let probability =
        |k: u64| (choose(special, k) * choose(108 - special, 11 - k)) as f64 / choose(108, 11) as f64;
    let hands = found.len() as f64;
    let check = |what: &str, count: usize, p: f64| {
        assert_within(what, count as f64, hands * p, (hands * p * (1.0 - p)).sqrt());
    };
    // The last class is open upwards, and begins where it is still common enough for a normal tolerance.
    let or_more = |k: u64| (k..=special.min(11)).map(probability).sum::<f64>();
    let last = (0..=special).take_while(|&k| hands * or_more(k) >= 20.0).last().expect("a common class");
    for k in 0..last {
        let count = found.iter().filter(|&&of| u64::from(of) == k).count();
        assert!(hands * probability(k) >= 20.0);
        check(&format!("hands with {k} {what}"), count, probability(k));
    }
    let count = found.iter().filter(|&&of| u64::from(of) >= last).count();
    check(&format!("hands with {last} or more {what}"), count, or_more(last));

    let total: u32 = found.iter().map(|&of| u32::from(of)).sum();
    let share = special as f64 / 108.0;
    let variance = 11.0 * share * (1.0 - share) * (108.0 - 11.0) / 107.0;
    assert_within(
        &format!("{what} in all"),
        f64::from(total),
        hands * 11.0 * share,
        (hands * variance).sqrt(),
    );
}

/// Counts the hands of 24 cards from six packs that are dealt a natural canasta (seven or more cards of one natural
/// rank). Exactly, the coefficient of x^24 in (sum of C(24,k) x^k for k < 7)^11 (1 + x)^60 is the number of hands
/// without one.
#[test]
fn natural_canastas_are_dealt_as_often_as_counted() {
    const HAND: usize = 24;
    let dealt = walls(4, 6, 12)
        .map(|wall| leader_hand(&wall, HAND))
        .filter(|hand| Rank::NATURAL.iter().any(|&rank| hand.rank_count(rank) >= 7))
        .count();

    let mut without: Vec<u128> = (0..=HAND as u64).map(|k| choose(324 - 11 * 24, k)).collect();
    for _rank in Rank::NATURAL {
        without = (0..=HAND)
            .map(|total| (0..=total.min(6)).map(|k| choose(24, k as u64) * without[total - k]).sum())
            .collect();
    }
    let p = 1.0 - without[HAND] as f64 / choose(324, HAND as u64) as f64;
    let deals = f64::from(DEALS);
    assert!(deals * p >= 20.0, "common enough for a normal tolerance");
    assert_within("natural canastas dealt", dealt as f64, deals * p, (deals * p * (1.0 - p)).sqrt());
}

/// Checks that a random dealer is each of 2 to 6 seats equally often.
#[test]
fn random_dealers_are_spread_evenly() {
    let games: Vec<_> = (0..DEALS)
        .map(|game| {
            let secret = simulate::game_secret(5, game);
            (simulate::game_id(&secret), secret.round(1, 1))
        })
        .collect();
    for seats in 2..=6u8 {
        let mut counts = vec![0u32; usize::from(seats)];
        for (id, first) in &games {
            let dealer = deal::random_dealer(first, *id, 1, seats).expect("a dealer");
            counts[dealer.index()] += 1;
        }
        let p = 1.0 / f64::from(seats);
        let deals = f64::from(DEALS);
        for (seat, count) in counts.into_iter().enumerate() {
            let what = format!("seat {seat} of {seats} deals");
            assert_within(&what, f64::from(count), deals * p, (deals * p * (1.0 - p)).sqrt());
        }
    }
}
