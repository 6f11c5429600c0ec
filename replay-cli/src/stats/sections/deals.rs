//! The hands as dealt, compared with an honest shuffle.

use super::super::RuleSetGames;
use super::super::chance::Hypergeometric;
use super::super::tally::Sort;
use super::{Block, mean, percent};
use crate::shared::table::TextTable;
use crate::shared::text::number;
use num_bigint::BigUint;

const MEANING: &str = "Expected numbers are exact (hypergeometric). The hands compared are one of each deal, by turns, \
    so that they do not depend on each other. The last figure of a sort says how often an honest shuffle is at least as \
    far from what is expected: among a hundred such figures about one is below 1 %, so a small one is a reason to look, \
    not a proof. A large one proves nothing either: who knows the cards needs no odd ones. That deals are as committed \
    beforehand is proven log by log (canasta-replay audit, verify-deal).";

/// Returns tables by sort of card, and by place in the order of dealing.
pub fn blocks(group: &RuleSetGames) -> Vec<Block> {
    let tally = &group.tally;
    if tally.deals == 0 {
        return Vec::new();
    }
    let set = group.rules.set();
    let mut blocks = vec![Block::Note(MEANING.into())];
    let mut places = TextTable::new(["mean a hand, by place", "expected"]);
    places.head.extend((1..=set.seats).map(|place| format!("number {place}")));
    places.head.push("furthest".into());
    for (name, law, sort) in group.sorts() {
        let name = name.replace('_', " ");
        blocks.push(Block::Table(hands(&name, law, sort)));
        blocks.push(Block::Note(verdict(&name, law, sort)));
        places.rows.push(place_row(name, law, sort, tally.deals));
    }
    blocks.push(Block::Table(places));
    blocks.push(Block::Note(
        "All hands of all deals, by place in the order of dealing and play. Furthest: the place that is furthest from what \
         is expected, in standard deviations; beyond 3 once in some 370 honest figures."
            .into(),
    ));
    blocks
}

/// Returns how many hands have how many cards of the sort.
fn hands(name: &str, law: Hypergeometric, sort: &Sort) -> TextTable {
    let mut table = TextTable::new(["", "hands", "share", "expected"]);
    table.head[0] = format!("{name} in a hand");
    let (all, hands) = (law.all(), sort.hands.iter().sum::<u64>());
    // Rows without a hand and with a negligible expectation are omitted.
    let shown = |count: &u32| found(sort, *count) > 0 || law.ways(*count) * hands * 20u32 >= all;
    for count in (0..=law.most()).filter(shown) {
        let found = found(sort, count);
        let expected = ratio(law.ways(count) * hands, &all);
        table.row([count.to_string(), number(found), percent(found, hands), expected]);
    }
    table
}

fn found(sort: &Sort, count: u32) -> u64 {
    sort.hands.get(count as usize).copied().unwrap_or(0)
}

/// Returns the distance of the hands from the expectation, in words.
fn verdict(name: &str, law: Hypergeometric, sort: &Sort) -> String {
    match law.distance(&sort.hands) {
        None => format!("{name}: too few deals to compare."),
        Some(distance) => {
            let square = mean((distance.millionths / 1000) as i64, 1000, 2);
            let tail = share(distance.tail());
            format!(
                "{name}: chi square {square} with {} degrees of freedom; an honest shuffle is as far away {tail}.",
                distance.freedom
            )
        }
    }
}

/// Returns a share in words: `in 37.1 % of samples`, `in 1 of 123,456 samples`.
fn share(tail: f64) -> String {
    if tail >= 0.001 {
        return format!("in {:.1} % of samples", tail * 100.0);
    }
    let one_in = (1.0 / tail.max(1e-18)).round();
    format!("in 1 of {} samples", number(one_in as i128))
}

fn place_row(name: String, law: Hypergeometric, sort: &Sort, deals: u64) -> Vec<String> {
    let expected = ratio(BigUint::from(law.hand) * law.sort, &BigUint::from(law.pack));
    let means = sort.by_place.iter().map(|&cards| mean(cards as i64, deals, 3));
    let away = sort.by_place.iter().map(|&cards| law.deviation(cards, deals));
    let furthest = away.fold(0.0, |most: f64, away| if away.abs() > most.abs() { away } else { most });
    [name, expected].into_iter().chain(means).chain([format!("{furthest:+.1}")]).collect()
}

/// Returns a fraction with three decimals, rounded down.
fn ratio(part: BigUint, of: &BigUint) -> String {
    let thousandths = u128::try_from(part * 1000u32 / of).unwrap_or(u128::MAX);
    format!("{}.{:03}", number((thousandths / 1000) as i128), thousandths % 1000)
}
