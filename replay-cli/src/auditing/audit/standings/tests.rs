//! The standings of the rulebook's examples.

use super::*;

/// Returns the results of one game of two sides.
fn game([(a, of_a), (b, of_b)]: [(&str, i64); 2]) -> [TeamResult; 2] {
    [(a, of_a, of_b), (b, of_b, of_a)].map(|(team, points, others)| TeamResult {
        team: vec![team.into()],
        points,
        difference: points - others,
        outcome: match points.cmp(&others) {
            std::cmp::Ordering::Greater => TeamOutcome::Won,
            std::cmp::Ordering::Equal => TeamOutcome::Drawn,
            std::cmp::Ordering::Less => TeamOutcome::Lost,
        },
    })
}

/// Ranks the results, with memory for a few of them and for all.
fn rank(results: &[TeamResult], ranking: Ranking) -> Vec<TeamStanding> {
    let [few, all] = [100, 1 << 20].map(|limit| {
        let mut teams = TeamTable::new(limit);
        results.iter().for_each(|result| teams.add(result).expect("a temporary file"));
        let mut standings = teams.rank(ranking).expect("a temporary file");
        standings.lines().expect("readable").map(|line| line.expect("readable")).collect::<Vec<_>>()
    });
    assert_eq!(few, all);
    all
}

fn ranks(lines: &[TeamStanding]) -> Vec<(u64, String)> {
    lines.iter().map(|line| (line.rank, line.name())).collect()
}

/// Computes the standing of the rulebook's example (NVSO): N1 +2345, -180, +5120 = 7285; E3 +3010, +2400, +1900 =
/// 7310.
#[test]
fn total_points_as_in_the_rulebook() {
    let games = [
        game([("N1", 2345), ("E1", 0)]),
        game([("N1", -180), ("E2", 0)]),
        game([("N1", 5120), ("E4", 0)]),
        game([("E3", 3010), ("N2", 0)]),
        game([("E3", 2400), ("N3", 0)]),
        game([("E3", 1900), ("N4", 0)]),
    ]
    .concat();
    let lines = rank(&games, Ranking::TotalPoints);
    assert_eq!(ranks(&lines[..2]), [(1, "E3".into()), (2, "N1".into())]);
    assert_eq!((lines[0].points, lines[1].points), (7310, 7285));
}

/// Checks that of equal totals the one with the higher best game ranks first, and that nothing else separates
/// them (lots are drawn).
#[test]
fn equal_totals_go_to_the_better_best_game() {
    let games = [
        game([("A", 100), ("X", 0)]),
        game([("A", 300), ("X", 0)]),
        game([("B", 150), ("Y", 0)]),
        game([("B", 250), ("Y", 0)]),
        game([("C", 300), ("Z", 0)]),
        game([("C", 100), ("Z", 0)]),
    ]
    .concat();
    let lines = rank(&games, Ranking::TotalPoints);
    assert_eq!(ranks(&lines[..3]), [(1, "A".into()), (1, "C".into()), (3, "B".into())]);
}

/// Computes the standing of the rulebook's example (Finland): 5340-4100 gives 2 match points and +1240 to the
/// winner, 0 and -1240 to the loser; a draw 5100-5100 gives 1 match point and 0 to both.
#[test]
fn match_points_as_in_the_rulebook() {
    let games = [game([("A", 5340), ("B", 4100)]), game([("C", 5100), ("D", 5100)])].concat();
    let lines = rank(&games, Ranking::MatchPoints);
    let found: Vec<_> =
        lines.iter().map(|line| (line.rank, line.name(), line.match_points, line.difference)).collect();
    let expected = [(1, "A", 2, 1240), (2, "C", 1, 0), (2, "D", 1, 0), (4, "B", 0, -1240)];
    assert_eq!(found, expected.map(|(rank, name, mp, diff)| (rank, name.to_owned(), mp, diff)));
}
