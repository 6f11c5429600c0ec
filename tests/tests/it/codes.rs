//! Steps as codes: each stands for the action of the list of steps, and its proof is the one that `check` gives.

use canasta_engine::legal::{StepCodes, Steps, codes_into, steps_into};
use canasta_engine::rules::{KNOBS, PresetId, Rules};
use canasta_engine::scoring;
use canasta_engine::table::Phase;
use canasta_tests::games::{Policy, Rng, actor, new_game};
use canasta_tests::pairs::Values;
use std::sync::Arc;

/// Number of games per preset, of sets of house rules, and of positions of a game.
const GAMES: u32 = 4;
const HOUSES: u64 = 150;
const POSITIONS: usize = 300;

/// Compares the codes with the list of steps in every position of a game, and the proof of each with that of `check`.
/// Events that go nowhere change nothing: a game that wants none stays equal.
fn compare(rules: &Arc<Rules>, number: u32) {
    let (mut game, mut rng) = (new_game(rules, 1, number), Rng(u64::from(number)));
    let (mut steps, mut codes) = (Steps::default(), StepCodes::default());
    for _ in 0..POSITIONS {
        match game.table.phase() {
            Phase::GameOver => return,
            Phase::Setup => game.register_due(),
            Phase::RoundOver => drop(scoring::book(&mut game.table)),
            _ => {
                steps_into(&game.table, &mut steps);
                codes_into(&game.table, &mut codes);
                let listed: Vec<_> = (0..codes.len()).map(|at| codes.action(at, &game.table)).collect();
                assert_eq!((&listed, codes.is_truncated()), (&steps.actions, steps.truncated));
                for (at, action) in listed.iter().enumerate() {
                    let legal = game.check(actor(&game), action);
                    assert_eq!(game.legal_step(&codes, at), legal, "{action:?}");
                }
                let action = Policy::ALL[rng.below(Policy::ALL.len())].choose(&game, &listed, &mut rng);
                let at = listed.iter().position(|listed| listed == action).expect("a step is chosen");
                let mut silent = game.clone();
                silent.apply_into(game.legal_step(&codes, at).expect("a step is legal"), &mut ());
                game.play(actor(&game), action).expect("a step is legal");
                assert_eq!(silent.table, game.table, "{action:?}");
            }
        }
    }
}

#[test]
fn a_code_stands_for_the_step_and_its_proof_in_every_preset() {
    for preset in PresetId::all() {
        let rules = Arc::new(Rules::preset(preset.name()).expect("the preset is played"));
        (0..GAMES).for_each(|number| compare(&rules, number));
    }
}

#[test]
fn a_code_stands_for_the_step_and_its_proof_in_house_rules() {
    let (values, presets) = (Values::of_engine(), PresetId::all().collect::<Vec<_>>());
    for house in 0..HOUSES {
        let mut rng = Rng(house);
        let base = presets[rng.below(presets.len())];
        let mut set = base.rule_set();
        for _ in 0..1 + rng.below(8) {
            let knob = rng.below(KNOBS.len());
            values.set(&mut set, knob, rng.below(values.0[knob].len()));
        }
        if let Ok(rules) = Rules::house(base, set, Some("codes")) {
            compare(&Arc::new(rules), house as u32);
        }
    }
}
