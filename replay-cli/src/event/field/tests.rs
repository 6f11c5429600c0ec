//! The scale of IMPs, and the table from which it comes.

use super::*;
use canasta_engine::rules::{PRESETS, PresetId};

/// Returns the rules of a preset as a board: so many rounds from zero.
fn board(preset: &str, rounds: u8) -> Rules {
    let base = PresetId::from_name(preset).unwrap();
    let mut set = base.rule_set();
    (set.rounds, set.target) = (rounds, 0);
    Rules::house(base, set, Some("board")).unwrap()
}

/// Checks that the table has one row for a round of every preset, from at least 1,000 boards, and that four rounds have twice
/// the spread of one.
#[test]
fn every_preset_has_a_deviation() {
    for preset in PRESETS {
        let rows = DEVIATIONS.lines().filter(|line| line.split(' ').next() == Some(preset));
        let rows: Vec<&str> = rows.filter(|line| line.split(' ').nth(1) == Some("1")).collect();
        let [row] = rows[..] else { panic!("{preset}: {rows:?}") };
        let numbers: Vec<i64> = row.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
        let [1, boards, _, of_round] = numbers[..] else { panic!("{row}") };
        assert!(boards >= 1_000, "{row}");
        assert_eq!(deviation(&board(preset, 1)), Some(of_round));
        assert_eq!(deviation(&board(preset, 4)), Some(2 * of_round));
    }
}

/// Checks that the table is silent about what it does not know: other knobs, a game to a target, a game without end.
#[test]
fn other_rules_have_no_deviation() {
    let base = PresetId::from_name("classic-4p").unwrap();
    let house = |change: fn(&mut canasta_engine::rules::RuleSet)| {
        let mut set = board("classic-4p", 2).set().clone();
        change(&mut set);
        deviation(&Rules::house(base, set, Some("other")).unwrap())
    };
    assert!(house(|_| {}).is_some());
    assert_eq!(house(|set| set.bonus_out = 200), None);
    assert_eq!(house(|set| set.target = 5_000), None);
    assert_eq!(house(|set| (set.rounds, set.target) = (0, 5_000)), None);
}

/// Compares the scale with bridge's: at 430 points it is that of bridge, rounded to five; at 1,000, one is worth from 45 points
/// on (20 * 1000 / 430 = 46.5), ten from 1,000 and 24 from 9,300 (9302).
#[test]
fn ten_imps_are_one_standard_deviation() {
    assert_eq!(thresholds(430), BRIDGE);
    let wide = thresholds(1_000);
    assert_eq!((wide[0], wide[9], wide[23]), (45, 1_000, 9_300));
    for deviation in [100, 333, 2_345] {
        assert!(thresholds(deviation).is_sorted_by(|less, more| less < more), "{deviation}");
    }
}

/// Rounds halves away from zero, so that what one side wins the other loses.
#[test]
fn means_are_rounded_alike_for_both_sides() {
    for (sum, count, expected) in [(1, 2, 1), (-1, 2, -1), (200, 3, 67), (-200, 3, -67), (0, 5, 0), (7, 7, 1)]
    {
        assert_eq!(mean(sum, count), expected, "{sum} / {count}");
    }
}
