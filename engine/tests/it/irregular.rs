//! Positions to which an irregularity has led: they are judged as they stand, without a panic, and each defect has its
//! law.

use canasta_engine::action::{Action, As};
use canasta_engine::card::{Card, Cards};
use canasta_engine::check::check;
use canasta_engine::invariant::{ALL, OF_PLAY};
use canasta_engine::legal;
use canasta_engine::notation::Position;
use canasta_engine::rulebook;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Permission, Phase, Setup};

/// Compares every defect of these positions with its laws: the nearest first. The laws are those of the book of irregularities.
#[test]
fn every_irregularity_has_its_law() {
    for (text, laws, judged) in [
        ("classic-4p; drew; hand N 3h 4c", &["IR-041 IR-040"][..], true),
        ("classic-4p; melds NS 7h7d", &["IR-022 IR-023"], true),
        (
            "classic-4p; drew; answered yes; hand N Kd 4c 5c; melds NS 7s7c7d7h7s7c7d",
            &["IR-050 IR-053"],
            true,
        ),
        ("classic-4p; drew; hand N 4c; melds NS 7s7c7d", &["IR-054 IR-022"], true),
        ("classic-4p; hand N 3h 4c; melds EW 8c8d", &["IR-041 IR-040", "IR-022 IR-023"], true),
        // Cards that are missing or too many, a red three that nobody laid, and melds that no rule allows.
        ("classic-4p; hand N 4c; hand E 11; hand S 11; hand W 11; stock 74; pile 9d", &["IR-008"], true),
        ("classic-4p; hand N 4c; hand E 1; hand S 1; hand W 1; stock 7; pile 9d", &["IR-008"], true),
        ("classic-4p; pile 6d 3d", &["IR-041 IR-032"], true),
        ("classic-4p; melds NS 2s2h2d", &["IR-022 IR-023"], true),
        // These positions only contradict themselves.
        ("classic-4p; hand N 4c; laid E 4d", &[""], false),
        ("classic-4p; hand N -; stock 50", &[""], false),
    ] {
        let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let (table, faults) = position.setup().as_it_stands();
        let found: Vec<String> = faults.iter().map(|fault| fault.laws.join(" ")).collect();
        assert_eq!(
            (found.iter().map(String::as_str).collect::<Vec<_>>(), table.is_some()),
            (laws.to_vec(), judged)
        );
    }
    for law in ALL.iter().chain(OF_PLAY).flat_map(|each| each.laws) {
        assert!(rulebook::rule(law).is_some(), "{law}");
    }
}

/// Checks numbers of cards in hands (IR-005 to IR-007): eleven are dealt in Classic, and a hand keeps them until its side melds.
#[test]
fn hands_of_a_wrong_size_are_named() {
    for (text, expected) in [
        ("classic-4p; hand E 12", "E has twelve cards; until its side melds it has eleven"),
        ("classic-4p; hand E 10", "E has ten cards; until its side melds it has eleven"),
        ("classic-4p; drew; hand N 11", "N has eleven cards; until its side melds it has twelve"),
        ("classic-4p; hand N Kd ?? ??", "N has three cards; until its side melds it has eleven"),
        // A few cards that are named say no number; a side that has melded has any.
        ("classic-4p; hand N Kd 4c", ""),
        ("classic-4p; drew; hand N 12; hand E 11", ""),
        ("classic-4p; hand N 4; melds NS 7s7c7d", ""),
        // Two cards are drawn for each one that is discarded.
        ("classic-2p; hand 0 19", ""),
    ] {
        let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found: Vec<String> = position.miscounts().iter().map(ToString::to_string).collect();
        assert_eq!(found.join("\n"), expected, "{text}");
    }
}

/// A way to make a position irregular.
type Change = fn(&mut Setup, u32);

const CHANGES: &[Change] = &[
    |setup, n| exchange(setup, n, |card| card.red_three()),
    |setup, n| exchange(setup, n, |card| card.is_wild()),
    |setup, n| {
        if let Some(meld) = setup.melds.get_mut(n as usize % 3) {
            let taken: Vec<Card> = meld.cards.iter().skip(2).collect();
            taken.into_iter().for_each(|card| {
                meld.cards.remove(card);
                setup.stock.push(card);
            });
        }
    },
    |setup, _| setup.permission = Permission::Yes,
    |setup, n| {
        // All but one card of the hand in turn go under the stock.
        let hand = &mut setup.hands[setup.turn.index()];
        let cards: Vec<Card> = hand.iter().skip(1 + n as usize % 3).collect();
        cards.into_iter().for_each(|card| {
            hand.remove(card);
            setup.stock.insert(0, card);
        });
    },
];

trait RedThree {
    fn red_three(&self) -> bool;
}

impl RedThree for Card {
    fn red_three(&self) -> bool {
        *self == Card::parse("3h").unwrap() || *self == Card::parse("3d").unwrap()
    }
}

/// Puts a card of the stock into the hand or a meld of the seat in turn, for another one.
fn exchange(setup: &mut Setup, n: u32, wanted: fn(&Card) -> bool) {
    let Some(at) = setup.stock.iter().position(wanted) else { return };
    let into: &mut Cards = match setup.melds.get_mut(n as usize % 4) {
        Some(meld) if n % 2 == 1 => &mut meld.cards,
        _ => &mut setup.hands[setup.turn.index()],
    };
    let Some(other) = into.iter().next() else { return };
    let card = core::mem::replace(&mut setup.stock[at], other);
    into.remove(other);
    into.insert(card);
}

/// Judges every step of random positions with one or two irregularities in all presets. No judgement panics.
#[test]
fn irregular_positions_are_judged() {
    let (mut judged, mut irregular) = (0, 0);
    for (number, preset) in (0..).zip(PRESETS) {
        let Some(rules) = Rules::preset(preset) else { continue };
        for (turn, state) in positions(rules, number) {
            for first in CHANGES {
                for second in CHANGES {
                    let mut setup = Setup::of(&state);
                    first(&mut setup, turn);
                    second(&mut setup, turn + 1);
                    let (Some(table), faults) = setup.as_it_stands() else { continue };
                    irregular += u32::from(!faults.is_empty());
                    let steps = legal::steps(&table);
                    for action in steps.actions.iter().take(20).chain(&[Action::DrawStock, Action::Pass]) {
                        let actor = table.to_act().map_or(As::Table, As::Seat);
                        let _ = check(&table, actor, action);
                        judged += 1;
                    }
                }
            }
        }
    }
    assert!(judged > 10_000 && irregular > 1_000, "{judged} judged, {irregular} irregular");
}

/// Returns positions of one random game.
fn positions(rules: Rules, seed: u32) -> Vec<(u32, canasta_engine::table::Table)> {
    let position = format!("{}; to move 0", rules.base().name());
    let mut state = Position::parse(&position).expect("a position").setup().into_table().expect("a table");
    let mut kept = Vec::new();
    let mut random = u64::from(seed) + 1;
    for turn in 0..160 {
        if !matches!(state.phase(), Phase::Start | Phase::Play | Phase::Asked | Phase::Taking) {
            break;
        }
        if turn % 12 == 11 {
            kept.push((turn, state.clone()));
        }
        let steps = legal::steps(&state);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let action = &steps.actions[(random >> 33) as usize % steps.actions.len()];
        let actor = state.to_act().map_or(As::Table, As::Seat);
        let legal = check(&state, actor, action).expect("a step is legal");
        canasta_engine::apply::apply(&mut state, legal);
    }
    kept
}

/// Checks that unknown cards are filled in with the numbers of cards that the position has.
#[test]
fn partial_tables_are_filled_in() {
    let text = "classic-4p; to move N; melds NS QsQhQd; hand N 7h ?? ??; hand E 12; pile ?? 2c 7d";
    let position = Position::parse(text).expect("a position");
    assert!(
        position.to_string().contains("hand N 7h ?? ??; hand E 12; melds NS QsQhQd; pile ?? 2c 7d"),
        "{position}"
    );
    assert_eq!(Position::parse(&position.to_string()).as_ref(), Ok(&position));
    assert_eq!((position.unknown_in_hand(Seat(0)), position.unknown_in_pile()), (2, 1));
    let card = |text: &str| Card::parse(text).expect("a card");
    let (table, faults) = position.filled(Seat(0), &[card("7s"), card("X")], &[card("Js")]).as_it_stands();
    let table = table.expect("a table");
    assert!(faults.is_empty());
    assert_eq!(table.pile(), [card("Js"), card("2c"), card("7d")]);
    assert_eq!(*table.hand(Seat(0)), [card("7h"), card("7s"), card("X")].into_iter().collect());
    assert_eq!((table.hand(Seat(1)).len(), table.hand(Seat(0)).len()), (12, 3));
    // 108 cards: 3 in the hand, 12, two hands of 11, 3 melded, 3 in the pile; the rest lies in the stock.
    assert_eq!(table.stock_len(), 108 - 3 - 12 - 22 - 3 - 3);
}
