//! Rulings that let a position stand in which only what everyone sees is written down.

use super::{Line, forget, judged, play_ruled, public, transcribe};
use canasta_engine::log::finding::Verdict;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_tests::games::{Policy, Rng};
use std::sync::Arc;

/// Checks that play goes on from a position in which a judge wrote down only what everyone sees, at any moment of a game: all
/// later actions are legal as far as known, and the scores are those of the game with known cards. Refused is a position in
/// which a question is open, because whether it may be asked hangs on the hand, and one whose unknown feet would have to hold
/// threes that are laid at once.
#[test]
fn rulings_let_positions_stand_as_everyone_sees_them() {
    let (mut stood, mut not_judged, mut failures) = (0, Vec::new(), Vec::new());
    for preset in PRESETS {
        let rules = Arc::new(Rules::preset(preset).expect("a preset"));
        for (game, percent) in [(5, 0), (6, 100)] {
            let (mut lines, played) = play_ruled(&rules, game, Policy::ALL[game as usize % 5], 4);
            forget(&mut lines, &rules, percent, &mut Rng(game));
            let name = format!("{preset} game {game}");
            let log = match transcribe(&rules, &lines) {
                Ok(log) => log,
                Err((at, error)) => {
                    let hangs = error.contains("hangs on cards that nobody knows");
                    let refused = error.contains("RULING_EFFECT_NOT_APPLICABLE")
                        && matches!(&lines[at], Line::Stands(text) if text.contains("asked") || rules.set().foot_size > 0);
                    let list = if hangs || refused { &mut not_judged } else { &mut failures };
                    list.push(format!("{name}: line {at}: {error}"));
                    continue;
                }
            };
            stood += lines.iter().filter(|line| matches!(line, Line::Stands(_))).count();
            let report = judged(&log);
            if !report.findings.is_empty() || public(&log).1 != public(&played).1 {
                failures.push(format!("{name}: {:?}", report.findings.first()));
            }
            assert_eq!(report.verdict == Verdict::Conditional, !report.unknown.is_empty(), "{name}");
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(stood > 300 && not_judged.len() <= 8, "{stood} positions, {not_judged:#?}");
}
