//! The properties that the movements promise.

use super::*;
use std::collections::BTreeMap;

/// Counts how often each pair of entries meets, by what `pairs` makes of a table. No entry has two tables in a round.
fn meetings(
    rounds: &[Vec<MovementTable>],
    pairs: impl Fn(&[usize]) -> Vec<[usize; 2]>,
) -> BTreeMap<[usize; 2], u32> {
    let mut met = BTreeMap::new();
    for round in rounds {
        let mut seated: Vec<usize> = round.iter().flat_map(|table| table.entries.clone()).collect();
        let count = seated.len();
        seated.sort_unstable();
        seated.dedup();
        assert_eq!(seated.len(), count, "{round:?}");
        for mut pair in round.iter().flat_map(|table| pairs(&table.entries)) {
            pair.sort_unstable();
            *met.entry(pair).or_default() += 1;
        }
    }
    met
}

/// Checks that all pairs of entries meet so often, and no others.
fn all_meet(met: &BTreeMap<[usize; 2], u32>, entries: usize, often: u32) {
    let pairs = (1..=entries).flat_map(|one| (one + 1..=entries).map(move |other| [one, other]));
    assert_eq!(*met, pairs.map(|pair| (pair, often)).collect(), "{entries}");
}

fn sides(entries: &[usize]) -> Vec<[usize; 2]> {
    vec![entries.try_into().expect("two sides")]
}

/// Checks that everybody meets everybody once, in the fewest rounds, and that nobody has one side more than twice as often
/// again as the other.
#[test]
fn in_a_round_robin_everybody_meets_once() {
    for entries in 3..=16 {
        let rounds = Movement::RoundRobin.rounds(entries).expect("a round robin");
        assert_eq!(rounds.len(), entries.next_multiple_of(2) - 1);
        all_meet(&meetings(&rounds, sides), entries, 1);
        for entry in 1..=entries {
            let north = rounds.iter().flatten().filter(|table| table.entries[0] == entry).count() as i64;
            let east = rounds.iter().flatten().filter(|table| table.entries[1] == entry).count() as i64;
            assert!(
                (north - east).abs() <= 1,
                "{entries}: {entry} sits North-South {north} times, {east} East-West"
            );
        }
    }
    assert_eq!([2, 17].map(|entries| Movement::RoundRobin.rounds(entries)), [None, None]);
}

/// Checks the table of the rulebook (TF-006) for four tables: N1 to N4 are 1 to 4, E1 to E4 are 5 to 8.
#[test]
fn the_second_half_moves_up_as_in_the_rulebook() {
    let rounds = Movement::EastWestUp.rounds(8).expect("an even number");
    let east: Vec<Vec<usize>> =
        rounds.iter().map(|round| round.iter().map(|table| table.entries[1] - 4).collect()).collect();
    assert_eq!(east[..3], [[1, 2, 3, 4], [4, 1, 2, 3], [3, 4, 1, 2]]);
    assert!(rounds.iter().all(|round| round.iter().map(|table| table.entries[0]).eq(1..=4)));
    // Each table of the first half meets each pair of the second half once.
    for tables in 2..=8 {
        let rounds = Movement::EastWestUp.rounds(2 * tables).expect("an even number");
        let pairs =
            (1..=tables).flat_map(|north| (tables + 1..=2 * tables).map(move |east| ([north, east], 1)));
        assert_eq!(meetings(&rounds, sides), pairs.collect());
    }
}

/// Checks that each pair meets each other once and plays each board once, and that a board is at one table at a time.
#[test]
fn in_a_howell_movement_pairs_and_boards_meet_once() {
    let sizes: Vec<usize> = (1..40).filter(|&pairs| Movement::Howell.rounds(pairs).is_some()).collect();
    assert_eq!(sizes, [8, 10, 12, 14, 16]);
    for pairs in sizes {
        let rounds = Movement::Howell.rounds(pairs).expect("a movement");
        all_meet(&meetings(&rounds, sides), pairs, 1);
        let mut played = BTreeMap::new();
        for round in &rounds {
            let mut boards: Vec<u32> = round.iter().map(|table| table.board).collect();
            boards.sort_unstable();
            boards.dedup();
            assert_eq!(boards.len(), pairs / 2, "{round:?}");
            for table in round {
                table.entries.iter().for_each(|&pair| *played.entry((pair, table.board)).or_insert(0) += 1);
            }
        }
        let all = (1..=pairs).flat_map(|pair| (1..pairs as u32).map(move |board| ((pair, board), 1)));
        assert_eq!(played, all.collect(), "{pairs}");
    }
}

/// Checks that each player plays once with each other, and twice against each other. The seats are North East South West.
#[test]
fn in_a_whist_movement_everybody_is_partner_once_and_opponent_twice() {
    let sizes: Vec<usize> = (1..40).filter(|&players| Movement::Whist.rounds(players).is_some()).collect();
    assert_eq!(sizes, [4, 5, 8, 9, 12, 13, 16]);
    for players in sizes {
        let rounds = Movement::Whist.rounds(players).expect("a movement");
        let four = |seats: &[usize]| <[usize; 4]>::try_from(seats).expect("four seats");
        let partners = |seats: &[usize]| {
            let [north, east, south, west] = four(seats);
            vec![[north, south], [east, west]]
        };
        let opponents = |seats: &[usize]| {
            let [north, east, south, west] = four(seats);
            vec![[north, east], [north, west], [south, east], [south, west]]
        };
        all_meet(&meetings(&rounds, partners), players, 1);
        all_meet(&meetings(&rounds, opponents), players, 2);
    }
}
