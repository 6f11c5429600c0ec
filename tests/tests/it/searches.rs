//! The cost of one list of actions: a bound in nodes holds in every position, and ordinary play needs little of it.

use canasta_engine::action::{
    About, Action, As, Authority, Effect, EffectKind, Group, MeldKind, Onto, Ruling,
};
use canasta_engine::card::Rank;
use canasta_engine::check::check_counted;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::game::{Created, Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal::Steps;
use canasta_engine::log::audit::{Auditor, Expect, IsOver};
use canasta_engine::log::replay::Step;
use canasta_engine::nodes::{MODERATE_HAND, NODES_MAX, Nodes, WORK_MAX, WORK_MODERATE};
use canasta_engine::notation::Position;
use canasta_engine::rejection::{Repair, RepairStep, Violation};
use canasta_engine::rules::{Ask, AskCheck, PRESETS, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Side;
use canasta_engine::table::{Permission, Phase, Setup, Source};
use canasta_engine::violations::{Code, Fact};
use canasta_tests::data;
use canasta_tests::games::{Policy, Rng, actor, after, at, is_on, new_game};
use canasta_tests::notation::{line, show};
use canasta_tests::request::Request;
use canasta_tests::work::{LARGE, Listed, full_hand, large, listed};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

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

/// Returns the positions of `tests/data/climbed`, which hill climbing found to be the dearest ones (the example `climb`), each with
/// its list in numbers. Those of `undecided.txt` are from an earlier climb: their questions end undecided.
fn climbed() -> impl Iterator<Item = (&'static str, &'static str, Setup)> {
    positions(include_str!("../../data/climbed/lists.txt"))
        .chain(positions(include_str!("../../data/climbed/undecided.txt")))
}

fn positions(text: &str) -> impl Iterator<Item = (&str, &str, Setup)> {
    text.lines().map(|line| {
        let (listed, position) = line.split_once(" | ").expect("a list and a position");
        let setup = Position::parse(position).unwrap_or_else(|fault| panic!("{fault}: {position}")).setup();
        (listed, position, setup)
    })
}

/// Lists actions in the climbed positions. Their counts are fixed: a later version may decide more of them, never fewer.
/// Where a side has opened, no question about a hand of 30 cards stays open. `UPDATE_CLIMBED=1` writes the counts of another
/// search: a whole list must stay whole, with as many steps.
#[test]
#[allow(clippy::disallowed_methods, reason = "the environment asks for an update")]
fn climbed_positions_cost_what_they_did() {
    let is_update = std::env::var("UPDATE_CLIMBED").is_ok();
    for file in ["lists.txt", "undecided.txt"] {
        let path = data("climbed").join(file);
        let (text, mut counts) = (fs::read_to_string(&path).expect("the positions"), String::new());
        for (listed, position, setup) in positions(&text) {
            let found = counted(position, setup);
            if !is_update {
                assert_eq!(found.to_string(), listed, "{position}");
            }
            assert_decides_no_less(found, listed, position);
            counts += &format!("{found} | {position}\n");
        }
        if is_update {
            fs::write(&path, counts).expect("the file can be written");
        }
    }
}

/// Lists the actions of a position, and checks the bounds of its list.
fn counted(position: &str, setup: Setup) -> Listed {
    let table = setup.into_table().unwrap_or_else(|fault| panic!("{fault:?}: {position}"));
    let found = Listed::of(&table);
    let (side, hand) = (table.side_of(table.turn_seat()), table.hand(table.turn_seat()));
    let is_moderate = table.opened(side) && hand.len() <= 30;
    assert!(found.nodes <= MOST && (!is_moderate || found.dearest < NODES_MAX), "{found}: {position}");
    found
}

/// Asserts that a list is as whole as an earlier one, which is given by its numbers.
fn assert_decides_no_less(found: Listed, before: &str, position: &str) {
    let [_, _, steps, end] = before.split(' ').collect::<Vec<_>>()[..] else {
        panic!("four words, found {before}");
    };
    let is_kept = !found.truncated && found.steps.to_string() == steps;
    assert!(end == "cut" || is_kept, "{found} after {before}: {position}");
}

/// Returns the climbed positions of sides that have opened, as after a draw, in which a question may be asked.
fn climbed_questions(permission: Permission) -> impl Iterator<Item = Game> {
    climbed().filter_map(move |(_, _, setup)| {
        let drawn = Setup { phase: Phase::Play, source: Source::Stock, permission, ..setup };
        let table = drawn.into_table().ok()?;
        let asks = table.set().ask != Ask::Off && table.set().ask_check == AskCheck::Strict;
        (asks && table.opened(table.side_of(table.turn_seat()))).then(|| at(table))
    })
}

/// Returns the violation of a code that a search without an end has caused.
fn undecided(state: &Game, action: &Action, code: Code) -> Option<Violation> {
    let violations = state.check(actor(state), action).err()?.violations;
    violations.into_iter().find(|fault| fault.code == code && fault.get("search").is_some())
}

/// Checks that a question is refused with the right reason if its search ends undecided, and that this needs a hand of
/// more than 30 cards.
#[test]
fn an_undecided_question_asks_for_the_way() {
    let mut count = 0;
    for state in climbed_questions(Permission::None) {
        let ask = Action::Ask { about: About::GoOut, to: None, with: None };
        let Some(fault) = undecided(&state, &ask, Code::AskCannotGoOut) else { continue };
        assert_eq!(fault.get("search"), Some(&Fact::Word("UNDECIDED")));
        assert_eq!(fault.repair, Some(Repair::Step(RepairStep::NameWay)));
        assert!(state.table.hand(state.table.turn_seat()).len() > 30, "{}", show(&state.table));
        count += 1;
    }
    assert!(count > 0, "no climbed question is undecided");
}

/// Checks that a seat that must go out may not lay a part of its hand if the search does not decide the rest.
#[test]
fn an_undecided_rest_is_refused_after_a_yes() {
    let mut count = 0;
    for state in climbed_questions(Permission::Yes) {
        let hand = *state.table.hand(state.table.turn_seat());
        for rank in Rank::NATURAL {
            let cards = hand.iter().filter(|card| card.rank() == rank).take(3).collect();
            let group = Group { kind: MeldKind::Set, onto: Onto::New, top: false, cards };
            let lay = Action::Meld([group].into_iter().collect());
            let Some(fault) = undecided(&state, &lay, Code::GoOutBound) else { continue };
            assert_eq!(fault.get("search"), Some(&Fact::Word("UNDECIDED")));
            assert!(hand.len() > 33, "{}", show(&state.table));
            count += 1;
        }
    }
    assert!(count > 0, "no climbed rest is undecided");
}

/// Answers the dearest requests that were found by climbing on CPU time (the example `climb`). Their repairs and lists once
/// took up to 34 ms and 250,000 units of work.
#[test]
fn climbed_requests_keep_within_their_work() {
    let mut cut = 0;
    for line in include_str!("../../data/climbed/requests.txt").lines() {
        let request = Request::parse(line);
        let (table, nodes) = (&request.table, Nodes::default());
        let seat = table.turn_seat();
        let most = if table.hand(seat).len() <= MODERATE_HAND { WORK_MODERATE } else { WORK_MAX };
        // The last action is judged to its end.
        assert!(request.answer() <= most + 1_000, "{} units: {line}", request.answer());
        if !request.method.names_action() {
            continue;
        }
        let Err(rejection) = check_counted(table, None, As::Seat(seat), &request.action, &nodes) else {
            continue;
        };
        cut += usize::from(rejection.repairs_cut);
        assert_eq!(rejection.repairs_cut, nodes.work() >= most, "{line}");
        // Without work, no repair is tried, and the verdict is the same.
        let none = Nodes::without_work();
        let bare = check_counted(table, None, As::Seat(seat), &request.action, &none).expect_err("refused");
        assert_eq!(rejection.codes(), bare.codes(), "{line}");
        assert!(bare.repairs_cut && bare.violations.iter().all(|one| one.repair.is_none()), "{line}");
    }
    assert!(cut > 0, "no repair is left out");
}

/// Lists actions of whole decks under the rule sets with the widest tables of wilds: there are as many classes of progress
/// as can be, and the shortest melds. Such a table would cost millions of nodes, so it is cut.
#[test]
fn no_table_of_wilds_costs_more() {
    let widest = [
        ("canasta_size", "2"),
        ("meld_min", "2"),
        ("max_wilds", "0"),
        ("go_out_total", "14"),
        ("go_out_clean", "14"),
        ("go_out_wild", "14"),
        ("wild_melds", "true"),
        ("initial_content", "triple_or_wild"),
    ];
    let ranks = "[\"A\",\"K\",\"Q\",\"J\",\"T\",\"9\",\"8\",\"7\",\"6\",\"5\",\"4\"]";
    let by_rank = [("go_out_mixed", "14"), ("go_out_ranks", ranks)];
    for (kept, more) in
        ["many", "one_open"].into_iter().flat_map(|kept| [(kept, &by_rank[..0]), (kept, &by_rank)])
    {
        let rules = large("classic-4p", &[&widest[..], &[("melds_per_rank", kept)], more].concat());
        for (copies, phase) in (1..=6).flat_map(|copies| [(copies, Phase::Start), (copies, Phase::Play)]) {
            let Some(setup) = full_hand(&rules, copies, phase) else { continue };
            is_bounded(rules.id(), &at(setup.into_table().expect("a position")));
        }
    }
}

/// Audits a round in which a seat has proposed the same groups again and again. If somebody watches, each refusal is judged
/// with its repairs, and the caller is asked after each. Otherwise no repair is looked for.
#[test]
fn an_audit_asks_its_caller_by_work_and_not_by_records() {
    const REFUSALS: u32 = 60;
    let new = NewGame::new(large("bolivia-4p", &[]), GameId([1; 16]), NewDeal::Seeded(GameSecret([2; 64])));
    let Created { mut game, frames: mut log } = Game::create(new).expect("a game");
    for action in [Action::Deal(Box::default()), Action::DrawStock] {
        log.extend(game.act(actor(&game), &action, Stamp::default()).expect("legal").frames);
    }
    let who = actor(&game);
    let hand: Vec<_> = game.table.hand(game.table.turn_seat()).iter().collect();
    let group = |cards: &[_]| Group {
        kind: MeldKind::Set,
        onto: Onto::New,
        top: false,
        cards: cards.iter().copied().collect(),
    };
    let meld = Action::Meld(hand.chunks(2).map(group).collect());
    let rejection = game.check(who, &meld).expect_err("two cards are no meld");
    for _ in 0..REFUSALS {
        log.extend(game.refuse(who, &meld, &rejection, Stamp::default()).expect("a log can hold the action"));
    }
    let redeal = Ruling {
        id: 0,
        by: Authority::Director,
        offender: None,
        side: Side(0),
        rule: "house:redeal".into(),
        points: 0,
        effect: Effect::of(EffectKind::Redeal),
        reason: String::new(),
        reverses: None,
        signature: None,
    };
    let ended = game.act(As::Director, &Action::Ruling(Box::new(redeal)), Stamp::default()).expect("legal");
    log.extend(ended.frames);
    let asked = |is_watched| {
        let count = Arc::new(AtomicU32::new(0));
        let asked = Arc::clone(&count);
        let is_over: IsOver = Arc::new(move || asked.fetch_add(1, Ordering::Relaxed) == u32::MAX);
        let mut auditor = Auditor::new(Expect { live: true, ..Expect::default() }).until(is_over);
        match is_watched {
            true => auditor.feed_watched(&log, &mut |_: &Step<'_>| ()),
            false => auditor.feed(&log),
        };
        let report = auditor.finish();
        assert_eq!((report.refusals, report.findings), (u64::from(REFUSALS), vec![]));
        count.load(Ordering::Relaxed)
    };
    let (alone, watched) = (asked(false), asked(true));
    assert!(alone <= 1 && watched >= REFUSALS, "{alone} and {watched}");
}
