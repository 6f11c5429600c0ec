//! The standings of the rulebook's examples.

use super::*;
use Criterion::{Best, Difference, MatchPoints};

/// Returns the results of one game of two sides.
fn game([(a, of_a), (b, of_b)]: [(&str, i64); 2]) -> [TeamResult; 2] {
    [(a, of_a, of_b), (b, of_b, of_a)].map(|(team, points, others)| {
        let outcome = match points.cmp(&others) {
            std::cmp::Ordering::Greater => TeamOutcome::Won,
            std::cmp::Ordering::Equal => TeamOutcome::Drawn,
            std::cmp::Ordering::Less => TeamOutcome::Lost,
        };
        let result = SideResult { points, difference: points - others, outcome };
        TeamResult { team: vec![team.into()], result }
    })
}

fn rank_teams(results: &[TeamResult], ranking: Ranking) -> Vec<TeamStanding> {
    let mut teams = TeamTable::default();
    results.iter().for_each(|result| teams.add(result.clone()));
    teams.rank(ranking)
}

fn ranks(lines: &[TeamStanding]) -> Vec<(u64, String)> {
    lines.iter().map(|line| (line.rank, line.team.join(" & "))).collect()
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
    let lines = rank_teams(&games, Ranking::TotalPoints);
    assert_eq!(ranks(&lines[..2]), [(1, "E3".into()), (2, "N1".into())]);
    assert_eq!((lines[0].totals.points, lines[1].totals.points), (7310, 7285));
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
    let lines = rank_teams(&games, Ranking::TotalPoints);
    assert_eq!(ranks(&lines[..3]), [(1, "A".into()), (1, "C".into()), (3, "B".into())]);
}

/// Computes the standing of the rulebook's example (Finland): 5340-4100 gives 2 match points and +1240 to the
/// winner, 0 and -1240 to the loser; a draw 5100-5100 gives 1 match point and 0 to both.
#[test]
fn match_points_as_in_the_rulebook() {
    let games = [game([("A", 5340), ("B", 4100)]), game([("C", 5100), ("D", 5100)])].concat();
    let lines = rank_teams(&games, Ranking::MatchPoints);
    let found: Vec<_> = lines
        .iter()
        .map(|line| (line.rank, line.team.join(" & "), line.totals.match_points, line.totals.difference))
        .collect();
    let expected = [(1, "A", 2, 1240), (2, "C", 1, 0), (2, "D", 1, 0), (4, "B", 0, -1240)];
    assert_eq!(found, expected.map(|(rank, name, mp, diff)| (rank, name.to_owned(), mp, diff)));
}

/// The figures of five entries: match points, difference, best game.
const FIGURES: [[i64; 3]; 5] =
    [[4, 980, 5000], [6, -20, 5100], [4, 1340, 4900], [4, 980, 5200], [4, 980, 5000]];

fn ranks_by(criteria: &[Criterion]) -> Ranks {
    let column = |criterion| [MatchPoints, Difference, Best].iter().position(|of| *of == criterion).unwrap();
    rank((0..5).collect(), criteria, &|entry, criterion, _| FIGURES[entry][column(criterion)])
}

/// Ranks entry 1, which has 6 match points, first; of those with 4, entry 2 has the difference 1340, then of those with 980 entry 3 the best game
/// of 5200, and nothing separates 0 and 4.
#[test]
fn ties_are_broken_one_after_another() {
    let ranks = ranks_by(&[MatchPoints, Difference, Best]);
    assert_eq!(ranks.places, [(1, 1), (2, 2), (3, 3), (4, 0), (4, 4)]);
    type Explained = (Option<Criterion>, Vec<(usize, i64)>, Vec<(Criterion, i64)>);
    let ties: Vec<Explained> = ranks.ties.into_iter().map(|tie| (tie.by, tie.entries, tie.equal)).collect();
    let expected = [
        (Some(Difference), vec![(2, 1340), (0, 980), (3, 980), (4, 980)], vec![(MatchPoints, 4)]),
        (Some(Best), vec![(3, 5200), (0, 5000), (4, 5000)], vec![(MatchPoints, 4), (Difference, 980)]),
        (None, vec![(0, 0), (4, 0)], vec![(MatchPoints, 4), (Difference, 980), (Best, 5000)]),
    ];
    assert_eq!(ties, expected);
}

/// Checks that without tie-breaks the four with 4 match points share rank 2.
#[test]
fn without_tie_breaks_ranks_are_shared() {
    let ranks = ranks_by(&[MatchPoints]);
    assert_eq!(ranks.places, [(1, 1), (2, 0), (2, 2), (2, 3), (2, 4)]);
    assert_eq!(ranks.ties.len(), 1);
}

/// Checks that a figure among equals is asked of those who are equal so far, and of nobody else.
#[test]
fn figures_among_equals_are_of_the_group() {
    let figure = |entry: usize, criterion, group: &[usize]| match criterion {
        MatchPoints => FIGURES[entry][0],
        _ => {
            assert_eq!(group, [0, 2, 3, 4]);
            entry as i64
        }
    };
    let ranks = rank((0..5).collect(), &[MatchPoints, Criterion::Direct], &figure);
    assert_eq!(ranks.places, [(1, 1), (2, 4), (3, 3), (4, 2), (5, 0)]);
}
