//! Every repair that a refusal names is true: an edit mends the action, a step is legal, and the seat that is waited
//! for must act.

use canasta_engine::action::{Action, As};
use canasta_engine::check::Legal;
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::rejection::{Edit, Repair, RepairStep};
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::scoring;
use canasta_engine::table::Phase;
use canasta_tests::games::{Policy, Rng, actor, is_on, new_game};
use canasta_tests::probes::{altered, probe};
use canasta_tests::repairs::untrue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of refusals tried in each rule set, unless `CANASTA_REFUSALS` sets another number.
const REFUSALS: usize = 8_000;

/// A preset, and knobs that differ from it.
type Changed = (&'static str, &'static [(&'static str, &'static str)]);

/// Rule sets besides the presets: with melds laid loosely in one step and in two, and with further rules that forbid
/// a meld.
const CHANGED: &[Changed] = &[
    ("classic-4p", &[("undo_meld", "true")]),
    ("classic-4p", &[("undo_meld", "true"), ("meld_check", "\"at_discard\"")]),
    ("hoyle-2p", &[("meld_check", "\"immediate\"")]),
    ("samba-4p", &[("undo_meld", "true")]),
    ("classic-4p", &[("ask", "\"required\"")]),
];

#[derive(Default)]
struct Seen {
    refusals: usize,
    /// Violations by repair.
    repairs: BTreeMap<&'static str, usize>,
    /// Violations without a repair, by code.
    none: BTreeMap<&'static str, usize>,
    untrue: Vec<String>,
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the environment says how many refusals")]
fn every_repair_of_random_actions_is_true() {
    let wanted = std::env::var("CANASTA_REFUSALS").ok().and_then(|n| n.parse().ok()).unwrap_or(REFUSALS);
    let mut seen = Seen::default();
    let presets = PresetId::all().map(|id| (id.name(), &[][..]));
    for (number, (base, knobs)) in presets.chain(CHANGED.iter().copied()).enumerate() {
        let (rules, mut rng) = (rules(base, knobs), Rng(number as u64));
        let until = seen.refusals + wanted;
        for game in 0.. {
            if seen.refusals >= until {
                break;
            }
            play(&rules, game, until, &mut rng, &mut seen);
        }
    }
    println!("{} refusals: {:#?}, none: {:#?}", seen.refusals, seen.repairs, seen.none);
    let untrue = seen.untrue.len();
    assert!(
        untrue == 0,
        "{untrue} untrue:\n{}",
        seen.untrue.into_iter().take(10).collect::<Vec<_>>().join("\n\n")
    );
    let missing: Vec<_> = KINDS.iter().filter(|kind| !seen.repairs.contains_key(*kind)).collect();
    assert!(missing.is_empty(), "never named: {missing:?}");
}

fn rules(base: &str, knobs: &[(&str, &str)]) -> Arc<Rules> {
    let id = PresetId::from_name(base).expect("a preset");
    let mut set = id.rule_set();
    for &(name, value) in knobs {
        set.change(name, value).expect("a value of a knob");
    }
    Arc::new(Rules::house(id, set, None).expect("played"))
}

fn play(rules: &Arc<Rules>, game: u32, until: usize, rng: &mut Rng, seen: &mut Seen) {
    let policy = Policy::ALL[game as usize % Policy::ALL.len()];
    let mut state = new_game(rules, 23, game);
    for _ in 0..3 {
        state.register_due();
        while is_on(&state) && seen.refusals < until {
            let steps = legal::steps(&state.table).actions;
            let strange = if rng.chance(30) { propose(&state, &steps, rng, seen) } else { None };
            // An accepted action that is not a step is played too, so that melds that cannot stand occur.
            let step = policy.choose(&state, &steps, rng);
            let legal = strange.or_else(|| state.check(actor(&state), step).ok());
            state.apply(legal.expect("a step is legal"));
        }
        if state.table.phase() != Phase::RoundOver {
            return;
        }
        scoring::book(&mut state.table);
        if state.table.phase() != Phase::Setup {
            return;
        }
    }
}

/// Tries some actions, most of which are refused. Returns the last accepted action.
fn propose(state: &Game, steps: &[Action], rng: &mut Rng, seen: &mut Seen) -> Option<Legal> {
    let mut accepted = None;
    for _ in 0..6 {
        let seats: Vec<As> = state.table.seats().map(As::Seat).collect();
        let who = if rng.chance(85) { actor(state) } else { seats[rng.below(seats.len())] };
        let step = &steps[rng.below(steps.len())];
        let action = if rng.chance(60) { altered(state, step, who, rng) } else { probe(state, who, rng) };
        let rejection = match state.check(who, &action) {
            Ok(legal) => {
                accepted = Some(legal);
                continue;
            }
            Err(rejection) => rejection,
        };
        seen.refusals += 1;
        for violation in &rejection.violations {
            let known = match &violation.repair {
                Some(repair) => seen.repairs.entry(kind(repair)),
                None => seen.none.entry(violation.code.name()),
            };
            *known.or_default() += 1;
        }
        seen.untrue.extend(untrue(state, who, &action, &rejection));
    }
    accepted
}

/// The kinds that random play must reach.
const KINDS: [&str; 18] = [
    "leave out",
    "add",
    "lay more",
    "keep more",
    "fewer wilds",
    "onto",
    "draw",
    "take",
    "end round",
    "meld or discard",
    "pass",
    "restore",
    "lay threes",
    "take back",
    "go out",
    "wait",
    "wait for answer",
    "wait for table",
];

fn kind(repair: &Repair) -> &'static str {
    match repair {
        Repair::Edit(Edit::LeaveOut(_)) => "leave out",
        Repair::Edit(Edit::Add(_)) => "add",
        Repair::Edit(Edit::LayMore { .. }) => "lay more",
        Repair::Edit(Edit::KeepMore(_)) => "keep more",
        Repair::Edit(Edit::FewerWilds(_)) => "fewer wilds",
        Repair::Edit(Edit::Onto(_)) => "onto",
        Repair::Edit(Edit::WildsOnto(_)) => "wilds onto",
        Repair::Step(RepairStep::DrawFromStock) => "draw",
        Repair::Step(RepairStep::TakePile) => "take",
        Repair::Step(RepairStep::EndRound) => "end round",
        Repair::Step(RepairStep::MeldOrDiscard) => "meld or discard",
        Repair::Step(RepairStep::Pass) => "pass",
        Repair::Step(RepairStep::Ask) => "ask",
        Repair::Step(RepairStep::NameWay) => "name way",
        Repair::Step(RepairStep::RestorePile) => "restore",
        Repair::Step(RepairStep::LayThrees) => "lay threes",
        Repair::Step(RepairStep::TakeBack(_)) => "take back",
        Repair::Step(RepairStep::GoOut) => "go out",
        Repair::Step(RepairStep::WaitFor(_)) => "wait",
        Repair::Step(RepairStep::WaitForAnswer(_)) => "wait for answer",
        Repair::Step(RepairStep::WaitForTable) => "wait for table",
        Repair::Step(RepairStep::NameDealer { .. } | RepairStep::NoDealer) => "dealer",
    }
}
