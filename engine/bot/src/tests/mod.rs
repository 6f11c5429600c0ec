//! Tests of single decisions, each with the reason why the decision is sensible.

use super::*;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_rules::action::{As, MeldKind};
use canasta_rules::card::{Card, Cards, Rank};
use canasta_rules::check::legal;
use canasta_rules::rules::{PresetId, RankMap, RuleSet, Rules};
use canasta_rules::seat::{Seat, Side};
use canasta_rules::table::{Permission, Phase, Setup, Source, Table};
use canasta_rules::view::view;

mod reviews;
mod samples;

fn list(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| Card::parse(card).expect("a card")).collect()
}

fn set(text: &str) -> Cards {
    list(text).into_iter().collect()
}

/// Returns a position of classic-4p with seat 0 in turn. Each hand that `place` leaves empty gets ten cards;
/// the other cards that `place` does not name are in the stock.
fn position(place: impl FnOnce(&mut Setup)) -> Table {
    position_by(|_| {}, place)
}

/// Returns such a position with `change` made to the rule set.
fn position_by(change: impl FnOnce(&mut RuleSet), place: impl FnOnce(&mut Setup)) -> Table {
    let base = PresetId::from_name("classic-4p").expect("classic-4p is played");
    let mut set = base.rule_set();
    change(&mut set);
    let rules = Arc::new(Rules::house(base, set, None).expect("a rule set"));
    let mut setup = Setup::new(rules, Seat(0));
    place(&mut setup);
    let (mut rest, threes): (Vec<Card>, Vec<Card>) =
        setup.missing().into_iter().partition(|card| card.rank() != Rank::Three);
    for hand in setup.hands.iter_mut().filter(|hand| hand.is_empty()) {
        *hand = (0..10).filter_map(|_| rest.pop()).collect();
    }
    setup.stock = threes.into_iter().chain(rest).collect();
    setup.into_table().expect("a position")
}

fn played(state: &Table, seed: u64) -> Action {
    let seat = state.to_act().expect("somebody must act");
    suggest(&view(state, As::Seat(seat)), &legal::steps(state).actions, seed)
}

/// Returns the reason for what is played.
fn reason_of(state: &Table) -> Reason {
    let seat = state.to_act().expect("somebody must act");
    reason(&view(state, As::Seat(seat)), &played(state, 1)).expect("a seat has reasons")
}

fn discarded(state: &Table) -> String {
    match played(state, 1) {
        Action::Discard(card) => card.to_string(),
        other => panic!("{other:?}"),
    }
}

fn in_play(setup: &mut Setup) {
    (setup.phase, setup.source) = (Phase::Play, Source::Stock);
}

/// Checks that the bot keeps a king: opponents who meld kings would take a pile of six with a king on top for
/// sure.
#[test]
fn discards_nothing_that_opponents_meld() {
    let state = position(|setup| {
        in_play(setup);
        setup.hands[0] = set("Kd 5h 6s 8c 9d Jh");
        setup.pile = list("4c 5d 6h 7s 8d 9c");
        setup.meld(Side(1), MeldKind::Set, set("Ks Kh Kc"));
    });
    assert_ne!(discarded(&state), "Kd");
}

/// Checks that a black three is discarded: the next player cannot take it (CL-073).
#[test]
fn stops_a_rich_pile_with_a_black_three() {
    let state = position(|setup| {
        in_play(setup);
        setup.hands[0] = set("3s 5h 6s 8c 9d Jh");
        setup.pile = list("4c 5d 6h 7s 8d 9c Td Tc 4d 4h");
        setup.meld(Side(1), MeldKind::Set, set("Ks Kh Kc"));
        setup.meld(Side(1), MeldKind::Set, set("5c 5s 5c 5d"));
    });
    assert_eq!(discarded(&state), "3s");
    assert_eq!(reason_of(&state), Reason::BlackThree);
}

/// Checks that a two is discarded: opponents who meld the ranks of the hand would take any of these naturals,
/// while after a two the own four pairs may take the pile.
#[test]
fn freezes_a_rich_pile_with_its_cheapest_wild() {
    let state = position(|setup| {
        in_play(setup);
        setup.hands[0] = set("2s X Kh Kd Qh Qd Jh Jd Th Td");
        setup.pile = list("4c 5d 6h 7s 8d 9c 4d 5c 6d 7h 8c 9d 4h 5h 6s 7c 8h 9h 4s");
        setup.meld(Side(0), MeldKind::Set, set("As Ac Ac"));
        setup.meld(Side(1), MeldKind::Set, set("Ks Kc Kc"));
        setup.meld(Side(1), MeldKind::Set, set("Qs Qc Qc"));
        setup.meld(Side(1), MeldKind::Set, set("Js Jc Jc"));
        setup.meld(Side(1), MeldKind::Set, set("Ts Tc Tc"));
    });
    assert_eq!(discarded(&state), "2s");
    assert_eq!(reason_of(&state), Reason::Freeze);
}

#[test]
fn takes_a_rich_pile_and_lets_a_poor_one_lie() {
    let rich = position(|setup| {
        setup.hands[0] = set("9h 9d 5c 6c 8s Jh Qh 4s");
        setup.pile = list("4c 5d 6h 7s 8d 9c");
        setup.meld(Side(0), MeldKind::Set, set("Ks Kh Kc"));
    });
    assert!(matches!(played(&rich, 1), Action::TakePile(_)));
    assert_eq!(reason_of(&rich), Reason::Pile);
    let poor = position(|setup| {
        setup.hands[0] = set("9h 2d 5c");
        setup.pile = list("9c");
        setup.meld(Side(0), MeldKind::Set, set("Ks Kh Kc"));
    });
    assert_eq!(played(&poor, 1), Action::DrawStock);
}

/// Checks that the seventh king is laid to six kings: a natural canasta is worth 500 points.
#[test]
fn completes_a_canasta() {
    let state = position(|setup| {
        in_play(setup);
        setup.hands[0] = set("Kd 2h 5h 6s 8c 9d");
        setup.meld(Side(0), MeldKind::Set, set("Ks Kh Kc Ks Kh Kc"));
    });
    let Action::Meld(groups) = played(&state, 1) else { panic!("melds") };
    assert_eq!(groups[0].cards[..], list("Kd")[..]);
    assert_eq!(reason_of(&state), Reason::CompleteCanasta);
}

/// Checks that the last two cards are played: a canasta is laid, and an opponent may soon go out.
#[test]
fn goes_out_when_it_can() {
    let state = position(|setup| {
        in_play(setup);
        setup.hands[0] = set("Kd 9d");
        setup.hands[1] = set("7c 7d");
        setup.hands[2] = set("8c");
        setup.meld(Side(0), MeldKind::Set, set("Ks Kh Kc Ks Kh Kc Kd"));
        setup.meld(Side(1), MeldKind::Set, set("Qs Qh Qc Qs Qh Qc Qd"));
    });
    assert!(matches!(played(&state, 1), Action::Meld(_)));
    assert_eq!(reason_of(&state), Reason::GoOut);
}

fn asked_with(hand: &str) -> Action {
    asked_by(|_| {}, hand)
}

fn asked_by(change: impl FnOnce(&mut RuleSet), hand: &str) -> Action {
    let state = position_by(change, |setup| {
        (setup.phase, setup.source) = (Phase::Asked, Source::Stock);
        setup.permission = Permission::Pending { to: Seat(2) };
        setup.asked = [Seat(0)].into();
        setup.hands[0] = set("Kd 9d");
        setup.hands[2] = set(hand);
        setup.meld(Side(0), MeldKind::Set, set("Ks Kh Kc Ks Kh Kc Kd"));
    });
    played(&state, 1)
}

/// Checks the answers of a hand that costs 20 and of a hand that costs 380.
#[test]
fn answers_by_the_cost_of_its_hand() {
    assert_eq!(asked_with("5h 6h 7h 4h"), Action::Answer { yes: true });
    assert_eq!(asked_with("X X X X 2d 2c As Ad Ac Th Td Jh Jd Qh Qd Qc Qs"), Action::Answer { yes: false });
}

/// Sets the penalty for three sevens held at the end (MA-163).
fn sevens_cost(set: &mut RuleSet) {
    set.penalty_held_trio = RankMap::NONE.with(Rank::Seven, 1500);
}

/// Checks the answers of a hand that costs 15, and of the same hand if its sevens cost 1500 more.
#[test]
fn refuses_while_a_trio_would_cost() {
    assert_eq!(asked_with("7h 7s 7d"), Action::Answer { yes: true });
    assert_eq!(asked_by(sevens_cost, "7h 7s 7d"), Action::Answer { yes: false });
}

#[test]
fn gives_up_a_trio_that_would_cost() {
    let place = |setup: &mut Setup| {
        in_play(setup);
        setup.hands[0] = set("7h 7s 7d Kh Jd 9s 5c 4d 8h Th");
        setup.pile = list("6c");
    };
    assert_eq!(discarded(&position_by(sevens_cost, place))[..1], *"7");
    assert_ne!(discarded(&position(place))[..1], *"7");
}

fn wild_canastas_pay(set: &mut RuleSet) {
    (set.wild_melds, set.bonus_wild) = (true, 2000);
}

fn with_wilds(setup: &mut Setup) {
    in_play(setup);
    setup.hands[0] = set("2s 2h 2c X Kd 5h 6s 8c 9d Jh");
    setup.meld(Side(0), MeldKind::Set, set("Ks Kh Kc"));
}

/// Checks that four wilds are laid if the side needs a wild canasta. Without that need they serve sets later.
#[test]
fn begins_the_wild_canasta_that_is_needed() {
    let lays_wilds = |change: fn(&mut RuleSet)| {
        let Action::Meld(groups) = played(&position_by(change, with_wilds), 1) else { return false };
        groups.iter().any(|group| group.kind == MeldKind::Wild)
    };
    assert!(lays_wilds(|set| {
        wild_canastas_pay(set);
        set.go_out_wild = 1;
    }));
    assert!(!lays_wilds(|set| {
        wild_canastas_pay(set);
        set.penalty_incomplete = RankMap::NONE.with_wild(2000);
    }));
}

/// Checks when a joker is added to six naturals, which makes 300 points now. If clean canastas are required,
/// and six packs hold 18 more naturals of the rank, waiting for the seventh is worth more.
#[test]
fn keeps_a_meld_clean_that_must_be() {
    let spoils = |clean: u8| {
        let state = position_by(
            |set| {
                (set.packs, set.jokers, set.go_out_total, set.go_out_clean) = (6, 12, 0, clean);
                set.three_table = (1..=12).map(|threes| 100 * threes).collect();
            },
            |setup| {
                in_play(setup);
                setup.hands[0] = set("X Qd 5h 6s 8c 9d Jh 4s");
                setup.meld(Side(0), MeldKind::Set, set("Ks Kh Kc Kd Ks Kh"));
            },
        );
        matches!(played(&state, 1), Action::Meld(_))
    };
    assert!(spoils(0));
    assert!(!spoils(3));
}

#[test]
fn the_seed_decides_between_equals_and_nothing_else_does() {
    let state = position(|setup| {
        in_play(setup);
        setup.hands[0] = set("4s 4h 4c 4d Jh Jd");
        setup.pile = list("9c");
    });
    assert_eq!(played(&state, 7), played(&state, 7));
    let view = view(&state, As::Seat(Seat(0)));
    let steps: Vec<Action> = legal::steps(&state).actions;
    let mut turned = steps.clone();
    turned.reverse();
    let merit_of = |action| {
        let merit = merit(&Situation::of(&view, &PLAIN, Recall::NONE).expect("a seat's view"), &action);
        (merit.tier, merit.value)
    };
    for seed in 0..20 {
        assert_eq!(merit_of(suggest(&view, &steps, seed)), merit_of(suggest(&view, &turned, seed)));
    }
}

/// Checks the reasons where nothing else is tested.
#[test]
fn each_choice_has_the_reason_that_decided() {
    // No seven is in the hand.
    let draws = position(|setup| {
        setup.hands[0] = set("4s 5h 9c Jd");
        setup.pile = list("7c");
    });
    assert_eq!(reason_of(&draws), Reason::Draw);
    assert_eq!(reason(&view(&draws, As::Spectator), &Action::DrawStock), None);
    // Three aces reach the minimum of 50.
    let opens = position(|setup| {
        in_play(setup);
        setup.hands[0] = set("As Ah Ad 4c 9d Jd Qc Kd 6s 7s 8s");
    });
    assert_eq!(reason_of(&opens), Reason::Open);
    let spares = position(|setup| {
        in_play(setup);
        setup.hands[0] = set("4h 4c 7d 7h 9s 9d Jc");
    });
    assert_eq!(reason_of(&spares), Reason::SpareDiscard);
}
