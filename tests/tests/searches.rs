//! The cost of one list of actions: a bound in nodes holds in every position, and ordinary play needs little of it.

use canasta_engine::game::Game;
use canasta_engine::legal::Steps;
use canasta_engine::nodes::{NODES_MAX, Nodes};
use canasta_engine::notation::Position;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::scoring;
use canasta_engine::table::Phase;
use canasta_tests::games::{Policy, Rng, actor, after, at, is_on, new_game};
use canasta_tests::notation::{line, show};
use canasta_tests::work::{LARGE, Listed, full_hand, large, listed};
use std::sync::Arc;

/// Maximum cost of a list, in nodes. A list ends after the nodes of two questions. Its last action may need three
/// further questions: must the pile be taken, does the batch leave a finish, does the batch keep a promise.
const MOST: u32 = (2 + 3) * NODES_MAX;

/// Maximum cost of one question in ordinary play, in nodes.
const ORDINARY: u32 = NODES_MAX / 2;

/// Plays rounds by these policies and passes every position with its list to `show`.
fn play(
    rules: &Arc<Rules>,
    policies: &[Policy],
    seed: u64,
    most: usize,
    show: &mut dyn FnMut(&Game, &Steps, &Nodes),
) {
    let mut state = new_game(rules, seed, 0);
    let mut rng = Rng(seed);
    for _ in 0..most {
        match state.table.phase() {
            Phase::Setup => state.register_due(),
            Phase::GameOver => return,
            _ if !is_on(&state) => _ = scoring::book(&mut state.table),
            _ => {
                let (steps, nodes) = listed(&state.table);
                show(&state, &steps, &nodes);
                let policy = policies[rng.below(policies.len())];
                state = after(&state, policy.choose(&state, &steps.actions, &mut rng));
            }
        }
    }
}

#[test]
fn ordinary_play_of_every_preset_stays_far_from_the_bound() {
    for preset in PRESETS {
        let rules = Arc::new(Rules::preset(preset).expect("a preset"));
        for seed in 1..=4 {
            let policies = [Policy::Random, Policy::Greedy, Policy::Late];
            play(&rules, &policies, seed, 800, &mut |state, _, nodes| {
                let (dearest, spent) = (nodes.of_dearest_question(), nodes.spent());
                assert!(
                    dearest <= ORDINARY && spent <= NODES_MAX,
                    "{preset}: {dearest} of {spent}\n{}",
                    show(&state.table)
                );
            });
        }
    }
}

/// Checks that a list is within its bound, has a step, and is the same each time. Returns whether it is cut short.
fn is_bounded(name: &str, state: &Game) -> bool {
    let (steps, nodes) = listed(&state.table);
    assert!(nodes.spent() <= MOST, "{name}: {} nodes\n{}", nodes.spent(), show(&state.table));
    assert!(!steps.actions.is_empty(), "{name}: stuck\n{}", show(&state.table));
    for step in steps.actions.first().into_iter().chain(steps.actions.last()) {
        assert!(state.check(actor(state), step).is_ok(), "{name}: {}\n{}", line(step), show(&state.table));
    }
    if steps.truncated {
        let (again, cost) = listed(&state.table);
        assert!(again == steps && cost.spent() == nodes.spent(), "{name}: not the same twice");
    }
    steps.truncated
}

/// Lists actions under rules with large hands (PRF-14: without the bound, one list of the first rules took 6 s).
#[test]
fn no_list_of_large_hands_costs_more_than_so_many_nodes() {
    let mut cut = 0;
    for (preset, knobs) in LARGE {
        let rules = large(preset, knobs);
        for (seed, policies) in [(1, &Policy::ALL[..]), (2, &[Policy::Random])] {
            play(&rules, policies, seed, 80, &mut |state, _, _| cut += u32::from(is_bounded(preset, state)));
        }
    }
    assert!(cut > 40, "{cut} lists come to the bound");
}

/// Lists actions in the positions that hill climbing found: a hand with every card once, twice or more often, and
/// nothing melded.
#[test]
fn no_list_of_a_hand_with_every_card_costs_more() {
    let presets = PRESETS.iter().map(|preset| Arc::new(Rules::preset(preset).expect("a preset")));
    let mut tried = 0;
    for rules in presets.chain(LARGE.map(|(preset, knobs)| large(preset, knobs))) {
        for (copies, phase) in (1..=4).flat_map(|copies| [(copies, Phase::Start), (copies, Phase::Play)]) {
            let Some(setup) = full_hand(&rules, copies, phase) else { continue };
            is_bounded(rules.id(), &at(setup.into_table().expect("a position")));
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried} positions");
}

/// Lists actions in the positions of `tests/data/climbed`, which hill climbing found to be the dearest ones (the example
/// `climb`). Their counts are fixed: a later version may decide more of them, never fewer. Where a side has opened, no
/// question about a hand of 30 cards stays open.
#[test]
fn climbed_positions_cost_what_they_did() {
    for line in include_str!("../data/climbed/lists.txt").lines() {
        let (listed, position) = line.split_once(" | ").expect("a list and a position");
        let setup = Position::parse(position).unwrap_or_else(|fault| panic!("{fault}: {position}")).setup();
        let table = setup.into_table().unwrap_or_else(|fault| panic!("{fault:?}: {position}"));
        let found = Listed::of(&table);
        let (side, hand) = (table.side_of(table.turn_seat()), table.hand(table.turn_seat()));
        let is_moderate = table.opened(side) && hand.len() <= 30;
        assert!(found.nodes <= MOST && (!is_moderate || found.dearest < NODES_MAX), "{found}: {position}");
        assert_eq!(found.to_string(), listed, "{position}");
    }
}
