//! Every pair of knob values that a game can have: each rule set of `data/rules/pairs.txt` is played, play is never
//! stuck, and the log audits clean. `tests/interop/pairs.sh` plays all of them with the released program.

use canasta_engine::action::As;
use canasta_engine::bot::suggest;
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal::{Steps, steps_into};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::rules::{FirstDealer, KNOBS, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::view::view;
use canasta_tests::games::{Rng, actor};
use canasta_tests::notation::show;
use canasta_tests::pairs::{Covered, Values, committed, remarked};
use canasta_tests::whole::MOST_AIMLESS;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

#[test]
fn every_pair_of_values_is_in_a_rule_set_or_refused() {
    let (values, rows) = committed();
    let today = Values::of_engine();
    for ((knob, found), expected) in KNOBS.iter().zip(&values.0).zip(&today.0) {
        assert_eq!(found, expected, "{}: cargo run -p canasta-tests --example pairs", knob.name);
    }
    let mut covered = Covered::none(values.count());
    for row in &rows {
        assert_eq!(row.set.validate(), Ok(()), "a rule set of {}", row.base.name());
        covered.add_set(&values, &row.set);
    }
    let of_one: usize = values.0.iter().map(|own| own.len() * (own.len() - 1) / 2).sum();
    let pairs = values.count() * (values.count() - 1) / 2 - of_one;
    let [all, held, refused, missing] = remarked();
    assert_eq!((all, held, missing), (pairs, covered.count(), 0));
    assert_eq!(held + refused, all);
}

/// Plays two rounds, and as many more as are needed to break a tie, with bots or random players. Returns the log, and
/// whether the game ended.
fn play(rules: &Arc<Rules>, seed: u64, bots: bool) -> (Vec<u8>, bool) {
    let secret = simulate::game_secret(seed, 0);
    let given = rules.set().first_dealer == FirstDealer::Given;
    let created = Game::create(NewGame {
        dealer: given.then_some(Seat((seed % u64::from(rules.set().seats)) as u8)),
        ..NewGame::new(rules.clone(), simulate::game_id(&secret), NewDeal::Seeded(secret))
    });
    let (mut state, mut log) = created.map(|created| (created.game, created.frames)).expect("a game");
    let (mut rng, mut steps, mut round, mut began) = (Rng(seed), Steps::default(), 0, 0);
    while state.table.phase() != Phase::GameOver && state.table.round_number() <= 4 {
        if state.table.round_number() != round {
            (round, began) = (state.table.round_number(), state.link.n);
        }
        steps_into(&state.table, &mut steps);
        if state.link.n - began > MOST_AIMLESS {
            steps.leave_out_ways_back();
        }
        assert!(!steps.actions.is_empty(), "stuck: {}", show(&state.table));
        let by = actor(&state);
        let action = match by {
            As::Seat(_) if bots => suggest(&view(&state.table, by), &steps.actions, seed),
            _ => steps.actions[rng.below(steps.actions.len())].clone(),
        };
        let acted = state.act(by, &action, Stamp::default());
        log.extend(acted.unwrap_or_else(|error| panic!("{error}\n{}", show(&state.table))).frames);
    }
    (log, state.table.phase() == Phase::GameOver)
}

#[test]
fn every_rule_set_is_played_and_its_log_is_clean() {
    let (_, rows) = committed();
    let mut faults = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let rules = Arc::new(Rules::house(row.base, row.short(), Some("pairs")).expect("it was validated"));
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let (log, ended) = play(&rules, number as u64, number % 2 == 0);
            let report = audit(&log, Expect { live: !ended, ..Expect::default() });
            assert_eq!(report.findings, []);
        }));
        if judged.is_err() {
            faults.push(format!("{number} {}", row.base.name()));
        }
    }
    assert!(faults.is_empty(), "{} of {}: {}", faults.len(), rows.len(), faults.join(", "));
}
