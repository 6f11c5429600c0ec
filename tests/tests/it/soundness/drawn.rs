//! The legal sets under rule sets that are drawn at random: three knobs and more that differ from a preset, most of them
//! of the family of the initial meld, and what must change with them.
//!
//! `CANASTA_RULE_SETS` sets the number of rule sets, `CANASTA_SEED` the seed of the first. The next one has the next seed,
//! so a run of one rule set with the seed that a failure names fails again. `CANASTA_POSITIONS` sets the number of
//! positions under each.

use super::{Depth, Tally, examine, number_from, proposals, sample};
use canasta_engine::action::Action;
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::notation::Position;
use canasta_engine::rules::{KNOBS, Knob, PresetId, RuleSet, Rules};
use canasta_engine::scoring;
use canasta_engine::table::{Phase, Table};
use canasta_tests::games::{Policy, Rng, actor, after, is_on, new_game};
use canasta_tests::pairs::{RuleSetSearch, Values};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The knobs of the initial meld, and those that decide what it may be.
const INITIAL: [&str; 14] = [
    "initial_key",
    "initial_bands",
    "initial_count",
    "initial_bonus",
    "initial_content",
    "initial_exempt",
    "meld_min",
    "min_naturals",
    "wild_melds",
    "wild_value",
    "pile_unopened",
    "pile_steps",
    "meld_check",
    "undo_meld",
];

/// Minimums that no preset has: no points due, and few.
const BANDS: [&str; 3] = [r#"[{"minimum":0}]"#, r#"[{"minimum":15}]"#, "[0,0,0,0]"];

/// Points of black threes of a taken pile, for as many as there may be.
const TABLE: &str = "[5,10,15,100,105,110,115,120,125,130,135,140]";

/// Number of rule sets of a default run, and of positions under each.
const DEFAULT: (u64, u64) = (400, 60);

/// Returns a rule set that can be played; `None` if the values that were drawn contradict each other.
fn draw(values: &Values, rng: &mut Rng) -> Option<Rules> {
    let presets: Vec<PresetId> = PresetId::all().collect();
    let base = presets[rng.below(presets.len())];
    let mut set = base.rule_set();
    let (mut locked, share) = (Vec::new(), 60 + rng.below(16));
    let number = |name: &str| KNOBS.iter().position(|knob| knob.name == name).expect("a knob");
    for _ in 0..3 + rng.below(6) {
        let knob = match rng.chance(share) {
            true => number(INITIAL[rng.below(INITIAL.len())]),
            false => rng.below(KNOBS.len()),
        };
        match KNOBS[knob].name {
            "initial_bands" if rng.chance(60) => {
                set.change("initial_bands", BANDS[rng.below(BANDS.len())]).expect("minimums");
            }
            _ => values.set(&mut set, knob, rng.below(values.0[knob].len())),
        }
        locked.push(knob);
    }
    // Few presets have feet, and much is decided otherwise while one waits.
    if rng.chance(25) {
        set.change("foot_size", ["3", "7", "11"][rng.below(3)]).expect("a size");
    }
    // Few of the knobs that are drawn are these, on which much depends.
    let seldom = [
        ("laid_threes", "\"none\""),
        ("wild_ratio", "\"below_naturals\""),
        ("more_feet", "[4]"),
        ("black_three_table", TABLE),
    ];
    for (name, word) in seldom {
        if rng.chance(8) {
            set.change(name, word).expect("a word");
            locked.push(number(name));
        }
    }
    set.rounds = 2;
    let set = RuleSetSearch { values, budget: 2_000, dead: BTreeMap::new() }.solve(set, &locked)?;
    let differ = differing(base, &set).filter(|knob| knob.name != "rounds").count();
    Rules::house(base, set, Some("drawn")).ok().filter(|_| differ >= 3)
}

fn differing(base: PresetId, set: &RuleSet) -> impl Iterator<Item = &'static Knob> {
    let preset = base.rule_set();
    KNOBS.iter().filter(move |knob| knob.value(set) != knob.value(&preset))
}

/// Plays rounds of listed steps and of accepted proposals, and examines each position and some that are constructed.
fn play(rules: &Arc<Rules>, seed: u64, most: u64, tally: &mut Tally, seen: &mut Option<Table>) {
    let depth = Depth { actions: 20, trials: 1_000, every: 41, batches: 14, within: 2_000 };
    let (mut rng, mut number) = (Rng(seed), 0);
    let mut look = |state: &Game, rng: &mut Rng, tally: &mut Tally| {
        number += 1;
        tally.count("positions", 1);
        examine(state, rng, &depth, number, tally);
        number < most
    };
    for game in 0.. {
        let mut state = new_game(rules, seed, game);
        state.register_due();
        let policy = Policy::ALL[rng.below(2)];
        for _ in 0..400 {
            if !is_on(&state) {
                break;
            }
            *seen = Some(state.table.clone());
            // Most positions of a round resemble the one before.
            if rng.chance(40) && !look(&state, &mut rng, tally) {
                return;
            }
            let action = next(&state, policy, &mut rng);
            state = after(&state, &action);
        }
        for _ in 0..20 {
            let Some(built) = sample::construct(rules, &mut rng) else { continue };
            *seen = Some(built.table.clone());
            if !look(&built, &mut rng, tally) {
                return;
            }
        }
        if state.table.phase() == Phase::RoundOver {
            scoring::book(&mut state.table);
        }
    }
}

/// Returns a listed step, or a proposal that is accepted, listed or not.
fn next(state: &Game, policy: Policy, rng: &mut Rng) -> Action {
    let of_seat = matches!(state.table.phase(), Phase::Start | Phase::Play | Phase::Taking);
    if of_seat && rng.chance(30) {
        let mut tries = (0..10).filter_map(|_| proposals::proposal(state, rng));
        if let Some(action) = tries.find(|action| state.check(actor(state), action).is_ok()) {
            return action;
        }
    }
    policy.choose(state, &legal::steps(&state.table).actions, rng).clone()
}

#[test]
fn the_legal_sets_hold_under_drawn_rule_sets() {
    let count = number_from("CANASTA_RULE_SETS").unwrap_or(DEFAULT.0);
    let most = number_from("CANASTA_POSITIONS").unwrap_or(DEFAULT.1);
    let first = number_from("CANASTA_SEED").unwrap_or(1);
    let (values, mut tally, mut faults, mut played) = (Values::of_engine(), Tally::default(), Vec::new(), 0);
    for seed in first.. {
        if played == count {
            break;
        }
        let Some(rules) = draw(&values, &mut Rng(seed)).map(Arc::new) else { continue };
        played += 1;
        let mut seen = None;
        let run = || play(&rules, seed, most, &mut tally, &mut seen);
        if catch_unwind(AssertUnwindSafe(run)).is_err() {
            let position = seen.map(|table| Position::of(&table).to_string());
            faults.push(format!("CANASTA_SEED={seed}: {}", position.unwrap_or_default()));
            println!("{}", faults[faults.len() - 1]);
        }
    }
    println!("{played} rule sets from seed {first}");
    tally.print();
    assert!(faults.is_empty(), "{} of {played} rule sets:\n{}", faults.len(), faults.join("\n"));
}
