//! The cost of lists of actions: rule sets with the largest hands, hands with every card, and lists in numbers, as the
//! files of `tests/data/climbed` have them.

use canasta_engine::card::{Card, Cards, Class};
use canasta_engine::legal::{Steps, steps_counted};
use canasta_engine::nodes::Nodes;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Setup, Source, Table, Talon, TalonPlace};
use std::fmt;
use std::sync::Arc;

/// The knobs that house rules with the largest hands have in common.
pub const HANDS: [(&str, &str); 4] = [
    ("packs", "6"),
    ("jokers", "12"),
    ("hand_size", "55"),
    ("three_table", "[100,200,300,400,500,1000,1000,1000,1000,1000,1000,1000]"),
];

/// House rules with the largest hands: a preset, and further knobs that make searches long. The first are those of
/// PRF-14.
pub const LARGE: [(&str, &[(&str, &str)]); 9] = [
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

/// Returns such a rule set.
///
/// # Panics
/// If the knobs are refused.
pub fn large(preset: &str, knobs: &[(&str, &str)]) -> Arc<Rules> {
    let base = PresetId::from_name(preset).expect("a preset");
    let mut set = base.rule_set();
    for (knob, value) in HANDS.iter().chain(knobs) {
        let changed = set.change(knob, value).or_else(|_| set.change(knob, &format!("\"{value}\"")));
        changed.unwrap_or_else(|error| panic!("{knob} {value}: {error}"));
    }
    let rules = Rules::house(base, set, Some("large"));
    Arc::new(rules.unwrap_or_else(|error| panic!("{preset}, {knobs:?}: {error}")))
}

/// Returns the steps of a table, and the nodes that their list has visited.
pub fn listed(table: &Table) -> (Steps, Nodes) {
    let (mut steps, nodes) = (Steps::default(), Nodes::default());
    steps_counted(table, &mut steps, &nodes);
    (steps, nodes)
}

/// A list of actions in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The number of search nodes.
    pub nodes: u32,
    /// The number of nodes of the dearest question.
    pub dearest: u32,
    /// The number of actions.
    pub steps: usize,
    /// Whether the list is cut short.
    pub truncated: bool,
}

impl Listed {
    /// Lists the actions of a table.
    pub fn of(table: &Table) -> Self {
        let (steps, nodes) = listed(table);
        Self {
            nodes: nodes.spent(),
            dearest: nodes.of_dearest_question(),
            steps: steps.actions.len(),
            truncated: steps.truncated,
        }
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, dearest, steps, truncated } = self;
        write!(f, "{nodes} {dearest} {steps} {}", if *truncated { "cut" } else { "whole" })
    }
}

/// Returns a position in which seat 0 holds `copies` of every card except red threes, before a take or after the
/// draw; `None` if that is not a position.
pub fn full_hand(rules: &Arc<Rules>, copies: u8, phase: Phase) -> Option<Setup> {
    let deck = rules.census();
    let kinds = deck.kinds().filter(|(card, _)| card.class() != Class::RedThree);
    let hand = kinds.flat_map(|(card, count)| std::iter::repeat_n(card, copies.min(count).into())).collect();
    with_hand(rules, hand, phase)
}

/// Returns a position in which seat 0 holds this hand, and each other seat one card, before a take or after the draw;
/// `None` if that is not a position.
pub fn with_hand(rules: &Arc<Rules>, hand: Cards, phase: Phase) -> Option<Setup> {
    let set = rules.set();
    let mut setup = Setup::new(rules.clone(), Seat(0));
    let mut rest = rules.census();
    rest.subtract(&hand);
    setup.hands[0] = hand;
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
    setup.clone().into_table().ok().map(|_| setup)
}
