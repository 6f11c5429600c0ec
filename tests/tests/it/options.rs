//! Options: each place has the verdict of `check` on its action, and what the list of legal actions offers for some
//! cards is found by selecting these cards.

use canasta_engine::action::{Action, As, CardList, Group, MeldId, MeldKind};
use canasta_engine::check::InitialPoints;
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::notation::Position;
use canasta_engine::options::{Chosen, Destination, PlayOption, PlayOptions, options};
use canasta_engine::rules::{MeldCheck, PresetId, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::violations::{Code, Fact};
use canasta_tests::games::{Policy, Rng, after, at, is_on, new_game};
use canasta_tests::notation::{line, show};
use std::sync::Arc;

/// Positions per preset in which legal actions are looked for.
const POSITIONS: usize = 150;

#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    options: usize,
    legal: usize,
    counted: usize,
    /// Counts of melds that the discard tests.
    deferred: usize,
    /// Legal actions that were found, by kind.
    melds: usize,
    batches: usize,
    takes: usize,
    discards: usize,
}

#[test]
fn each_place_has_the_verdict_of_check_and_no_legal_action_is_missing() {
    for id in PresetId::all() {
        let rules = Arc::new(Rules::preset(id.name()).expect("a preset"));
        let (mut seen, mut rng) = (Seen::default(), Rng(23));
        for game in 0.. {
            if seen.positions >= POSITIONS {
                break;
            }
            play(&rules, game, Policy::ALL[game as usize % Policy::ALL.len()], &mut rng, &mut seen);
        }
        println!("{}: {seen:?}", id.name());
        let Seen { legal, counted, melds, takes, discards, .. } = seen;
        assert!([legal, counted, melds, takes, discards].into_iter().all(|count| count > 0), "{seen:?}");
        assert_eq!(seen.deferred > 0, rules.set().meld_check == MeldCheck::AtDiscard, "{seen:?}");
        assert!(legal * 2 < seen.options, "most places are refused: {seen:?}");
    }
}

/// Asks for hands that need much searching: a list may be cut, but what it says is what `check` says.
#[test]
fn large_hands_have_the_verdicts_of_check() {
    let (mut judged, mut cut) = (0, 0);
    for row in include_str!("../../data/climbed/lists.txt").lines().take(10) {
        let (_, position) = row.split_once(" | ").expect("counts and a position");
        let table = Position::parse(position).expect("a position").setup().into_table().expect("a table");
        let (seat, state) = (table.to_act().expect("a seat"), at(table));
        let hand: CardList = state.table.hand(seat).iter().collect();
        for cards in [&hand[..], &hand[1..], &hand[..3], &hand[hand.len() - 1..]] {
            let found = options(&state.table, seat, &Chosen::default(), &cards.into());
            assert!(!found.list.is_empty(), "a place is judged before the limit is looked at");
            for option in &found.list {
                let mut checked = state.check(As::Seat(seat), &option.action).map(|_| ());
                // All places share one limit of work, so a place may lack repairs that `check` names.
                if let (Err(found), Err(checked)) = (&option.verdict, &mut checked)
                    && found.repairs_cut
                {
                    cut += 1;
                    checked.repairs_cut = true;
                    for (found, checked) in found.violations.iter().zip(&mut checked.violations) {
                        checked.repair = checked.repair.take().filter(|_| found.repair.is_some());
                    }
                }
                assert_eq!(option.verdict, checked, "{}\n{position}", line(&option.action));
                judged += 1;
            }
        }
    }
    println!("{cut} of {judged} lack repairs");
    assert!(cut * 2 < judged, "{cut} of {judged} verdicts lack repairs");
}

fn play(rules: &Arc<Rules>, game: u32, policy: Policy, rng: &mut Rng, seen: &mut Seen) {
    let mut state = new_game(rules, 31, game);
    for _ in 0..2 {
        state.register_due();
        while is_on(&state) && seen.positions < POSITIONS {
            let mut steps = legal::steps(&state.table);
            steps.leave_out_ways_back();
            if let (Some(seat), true) = (state.table.to_act(), rng.chance(40)) {
                seen.positions += 1;
                select_at_random(&state, rng, seen);
                for step in &steps.actions {
                    find(&state, seat, step, rng, seen);
                }
            }
            state = after(&state, policy.choose(&state, &steps.actions, rng));
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

/// Asks for the options of each seat and some of its cards, in two steps.
fn select_at_random(state: &Game, rng: &mut Rng, seen: &mut Seen) {
    for seat in state.table.seats() {
        let mut hand: Vec<_> = state.table.hand(seat).iter().collect();
        rng.shuffle(&mut hand);
        let mut pick = || -> CardList { hand.drain(..hand.len().min(rng.below(4))).collect() };
        let (first, second) = (pick(), pick());
        let found = judged(state, seat, &Chosen::default(), &first, seen);
        if let Some(option) = found.list.get(rng.below(found.list.len().max(1)))
            && let Some(chosen) = chosen(&option.action)
        {
            judged(state, seat, &chosen, &second, seen);
        }
    }
}

fn chosen(action: &Action) -> Option<Chosen> {
    match action {
        Action::Meld(groups) => Some(Chosen::Melds(groups.clone())),
        Action::TakePile(take) => Some(Chosen::Take(take.clone())),
        _ => None,
    }
}

/// Returns the place of a destination in the order of the documentation.
fn place(destination: Destination) -> (u8, Option<MeldId>) {
    match destination {
        Destination::Meld(id) => (0, Some(id)),
        Destination::New(MeldKind::Set) => (1, None),
        Destination::New(MeldKind::Wild) => (2, None),
        Destination::New(MeldKind::Sequence) => (3, None),
        Destination::New(MeldKind::BlackThrees) => (4, None),
        Destination::Pile(meld) => (5, meld),
        Destination::Discard => (6, None),
    }
}

/// Returns the options, and checks each against `check` and the facts of its refusal.
fn judged(state: &Game, seat: Seat, chosen: &Chosen, cards: &CardList, seen: &mut Seen) -> PlayOptions {
    let found = options(&state.table, seat, chosen, cards);
    let told = || format!("{chosen:?} {cards:?}\n{}", show(&state.table));
    assert!(found.complete, "ordinary hands: {}", told());
    assert!(found.list.is_sorted_by_key(|option| place(option.destination)), "{:?} {}", found.list, told());
    for (at, PlayOption { destination, action, verdict, initial }) in found.list.iter().enumerate() {
        seen.options += 1;
        seen.legal += usize::from(verdict.is_ok());
        seen.counted += usize::from(initial.is_some());
        let checked = state.check(As::Seat(seat), action).map(|_| ());
        assert_eq!(*verdict, checked, "{}\n{}", line(action), told());
        let twice =
            found.list[..at].iter().any(|other| other.destination == *destination || other.action == *action);
        assert!(!twice, "each place once: {destination:?} {}", told());
        let below = verdict.as_ref().err().and_then(|rejection| {
            rejection.violations.iter().find(|violation| violation.code == Code::InitialBelowMinimum)
        });
        if let Some(below) = below {
            let points = initial.unwrap_or_else(|| panic!("counted: {}", told()));
            let facts = [points.found, points.required].map(|points| Some(Fact::Int(points.into())));
            assert_eq!([below.get("found").cloned(), below.get("required").cloned()], facts, "{}", told());
        }
        if let Some(points) = initial {
            assert!(!state.table.opened(state.table.side_of(seat)), "{}", told());
            if state.table.set().meld_check == MeldCheck::AtDiscard && verdict.is_ok() {
                seen.deferred += usize::from(count_at_discard(state, seat, action, *points));
            }
        }
    }
    found
}

/// Whether the turn can end after a legal meld that is tested then. The points must be those of that test.
fn count_at_discard(state: &Game, seat: Seat, meld: &Action, points: InitialPoints) -> bool {
    let next = after(state, meld);
    let Some(card) = next.table.hand(seat).iter().next().filter(|_| next.table.phase() == Phase::Play) else {
        return false;
    };
    let found = options(&next.table, seat, &Chosen::default(), &[card].into_iter().collect());
    let discard = found.list.last().expect("a card can be discarded, or not");
    assert_eq!(discard.action, Action::Discard(card));
    if !matches!(meld, Action::Meld(_)) || next.table.opened(next.table.side_of(seat)) {
        return false;
    }
    assert_eq!(discard.initial, Some(points), "{}\n{}", line(meld), show(&state.table));
    true
}

/// Selects the cards of a legal action, the last group last, and checks that the action is among the options.
fn find(state: &Game, seat: Seat, step: &Action, rng: &mut Rng, seen: &mut Seen) {
    let last = |groups: &[Group]| {
        let (last, before) = groups.split_last().expect("a group");
        // The top comes with the pile, and is chosen before or now.
        (Chosen::Melds(before.iter().cloned().collect()), last.cards.clone())
    };
    let (chosen, mut cards, count) = match step {
        Action::Meld(groups) if groups.len() == 1 => {
            let (chosen, cards) = last(groups);
            (chosen, cards, &mut seen.melds)
        }
        Action::Meld(groups) => {
            let (chosen, cards) = last(groups);
            (chosen, cards, &mut seen.batches)
        }
        Action::TakePile(take) => (Chosen::Melds(take.also.clone()), take.with.clone(), &mut seen.takes),
        Action::Discard(card) => (Chosen::default(), [*card].into_iter().collect(), &mut seen.discards),
        _ => return,
    };
    *count += 1;
    rng.shuffle(&mut cards);
    let found = judged(state, seat, &chosen, &cards, seen);
    let goal = after(state, step);
    let reached = found
        .list
        .iter()
        .any(|option| option.verdict.is_ok() && after(state, &option.action).table == goal.table);
    assert!(reached, "{}\n{:?}\n{}", line(step), found.list, show(&state.table));
}
