//! The cost of one list of actions: a bound in nodes holds in every position, and ordinary play needs little of it.

use canasta_engine::card::{Card, Cards, Class};
use canasta_engine::game::Game;
use canasta_engine::legal::{self, Steps};
use canasta_engine::nodes::{NODES_MAX, Nodes};
use canasta_engine::rules::{PRESETS, PresetId, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Setup, Source, Talon, TalonPlace};
use canasta_tests::games::{Policy, Rng, actor, after, at, is_on, new_game};
use canasta_tests::notation::{line, show};
use std::sync::Arc;

/// Maximum cost of a list, in nodes. A list ends after the nodes of two questions. Its last action may need three
/// further questions: must the pile be taken, does the batch leave a finish, does the batch keep a promise.
const MOST: u32 = (2 + 3) * NODES_MAX;

/// Maximum cost of one question in ordinary play, in nodes.
const ORDINARY: u32 = NODES_MAX / 2;

/// The knobs that house rules with the largest hands have in common.
const HANDS: [(&str, &str); 4] = [
    ("packs", "6"),
    ("jokers", "12"),
    ("hand_size", "55"),
    ("three_table", "[100,200,300,400,500,1000,1000,1000,1000,1000,1000,1000]"),
];

/// House rules with the largest hands: a preset, and further knobs that make searches long. The first are those of
/// PRF-14.
const LARGE: [(&str, &[(&str, &str)]); 9] = [
    ("bolivia-4p", &[]),
    ("samba-4p", &[]),
    ("samba-4p", &[("forced_take", "any_legal")]),
    ("classic-4p", &[("initial_bonus", "true")]),
    ("classic-4p", &[("forced_take", "any_legal")]),
    ("gr-4p", &[]),
    ("s3-4p", &[]),
    ("american-4p", &[("special_hands", "[]"), ("special_scores", "[0,0,0,0]"), ("pairs_wilds", "none")]),
    ("wahhi-4p", &[]),
];

fn large(preset: &str, knobs: &[(&str, &str)]) -> Arc<Rules> {
    let base = PresetId::from_name(preset).expect("a preset");
    let mut set = base.rule_set();
    for (knob, value) in HANDS.iter().chain(knobs) {
        let changed = set.change(knob, value).or_else(|_| set.change(knob, &format!("\"{value}\"")));
        changed.unwrap_or_else(|error| panic!("{knob} {value}: {error}"));
    }
    let rules = Rules::house(base, set, Some("large"));
    Arc::new(rules.unwrap_or_else(|error| panic!("{preset}, {knobs:?}: {error}")))
}

/// Returns the steps of a position, and their cost.
fn listed(state: &Game) -> (Steps, Nodes) {
    let (mut steps, nodes) = (Steps::default(), Nodes::default());
    legal::steps_counted(&state.table, &mut steps, &nodes);
    (steps, nodes)
}

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
                let (steps, nodes) = listed(&state);
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
    let (steps, nodes) = listed(state);
    assert!(nodes.spent() <= MOST, "{name}: {} nodes\n{}", nodes.spent(), show(&state.table));
    assert!(!steps.actions.is_empty(), "{name}: stuck\n{}", show(&state.table));
    for step in steps.actions.first().into_iter().chain(steps.actions.last()) {
        assert!(state.check(actor(state), step).is_ok(), "{name}: {}\n{}", line(step), show(&state.table));
    }
    if steps.truncated {
        let (again, cost) = listed(state);
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

/// Returns a position in which seat 0 holds `copies` of every card except red threes, before a take or after the
/// draw; `None` if that is not a position.
fn full_hand(rules: &Arc<Rules>, copies: u8, phase: Phase) -> Option<Game> {
    let set = rules.set();
    let mut setup = Setup::new(rules.clone(), Seat(0));
    let mut rest = Cards::EMPTY;
    for (card, count) in rules.census().kinds() {
        let held = if card.class() == Class::RedThree { 0 } else { copies.min(count) };
        (0..held).for_each(|_| setup.hands[0].insert(card));
        (held..count).for_each(|_| rest.insert(card));
    }
    for card in rest.iter().filter(|card| card.class() == Class::RedThree) {
        setup.laid[1].insert(card);
    }
    let mut rest: Vec<Card> = rest.iter().filter(|card| card.class() != Class::RedThree).collect();
    for hand in &mut setup.hands[1..usize::from(set.seats)] {
        hand.insert(rest.pop()?);
    }
    let top = rest.iter().position(|card| card.class() == Class::Natural)?;
    setup.pile = vec![rest.remove(top)];
    setup.stock = rest;
    setup.talons = set.talons.iter().map(|_| Talon { place: TalonPlace::Used, cards: Vec::new() }).collect();
    setup.phase = phase;
    setup.source = if phase == Phase::Play { Source::Stock } else { Source::None };
    setup.into_table().ok().map(at)
}

/// Lists actions in the positions that hill climbing found: a hand with every card once, twice or more often, and
/// nothing melded.
#[test]
fn no_list_of_a_hand_with_every_card_costs_more() {
    let presets = PRESETS.iter().map(|preset| Arc::new(Rules::preset(preset).expect("a preset")));
    let mut tried = 0;
    for rules in presets.chain(LARGE.map(|(preset, knobs)| large(preset, knobs))) {
        for (copies, phase) in (1..=4).flat_map(|copies| [(copies, Phase::Start), (copies, Phase::Play)]) {
            let Some(state) = full_hand(&rules, copies, phase) else { continue };
            is_bounded(rules.id(), &state);
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried} positions");
}
