//! Knowledge and memory of a seat, and the tables that it cannot tell apart.

use super::{list, set};
use crate::{Draws, Estimate, Knowledge, Level, RoundMemory};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_rules::action::{Action, As, MeldKind};
use canasta_rules::card::{Card, Class};
use canasta_rules::check::{check, legal};
use canasta_rules::rules::Rules;
use canasta_rules::seat::{Seat, Side};
use canasta_rules::table::{Phase, Setup, Source, Table};
use canasta_rules::view::events;

const OWN: Seat = Seat(0);

/// Returns a position of classic-2p at the end of a round: of the other hand and the stock, two cards each, seat 0 knows
/// nothing. `unknown`: the four cards, hand first.
fn last_cards(unknown: [&str; 4]) -> Setup {
    let rules = Arc::new(Rules::preset("classic-2p").expect("a preset"));
    let mut setup = Setup::new(rules, OWN);
    (setup.phase, setup.source) = (Phase::Play, Source::Stock);
    let card = |at: usize| Card::parse(unknown[at]).expect("a card");
    setup.hands[1] = [card(0), card(1)].into_iter().collect();
    setup.stock = alloc::vec![card(2), card(3)];
    setup.laid[1] = set("3d");
    setup.hands[0] = set("Kd Qh 9s");
    setup.has_melded = alloc::vec![OWN];
    setup.meld(Side(0), MeldKind::Set, set("As Ah Ac As Ah Ac Ad"));
    let rest: Vec<Card> = setup.missing();
    setup.laid[0] = rest.iter().copied().filter(|card| card.class() == Class::RedThree).collect();
    setup.pile = rest.into_iter().filter(|card| card.class() != Class::RedThree).collect();
    setup
}

fn hidden(table: &Table) -> String {
    format!("{:?} {:?}", table.hand(Seat(1)).iter().collect::<Vec<_>>(), table.stock())
}

/// Checks that every deal of four unknown cards that the rules allow is drawn equally often: a red three lies in the stock, since the
/// other seat has played and would have laid it (CL-081), so that there are 3 hands of two and 2 orders of the stock for each.
#[test]
fn samples_are_uniform_over_what_the_seat_cannot_tell_apart() {
    let unknown = ["4c", "5d", "7s", "3h"];
    let table = last_cards(unknown).into_table().expect("a position");
    let position = Knowledge::of(&table, OWN, &RoundMemory::of_pile(&table));
    let mut all = BTreeMap::new();
    for a in 0..4 {
        for b in 0..4 {
            for c in 0..4 {
                let d = 6_usize.wrapping_sub(a + b + c);
                if a < b && c != a && c != b && d < 4 && ![a, b, c].contains(&d) {
                    let order = [a, b, c, d].map(|at| unknown[at]);
                    if let Ok(table) = last_cards(order).into_table() {
                        all.insert(hidden(&table), 0);
                    }
                }
            }
        }
    }
    assert_eq!(all.len(), 6);
    let mut random = Draws(3);
    for _ in 0..6000 {
        let table = position.sample(&mut random).expect("a table");
        *all.get_mut(&hidden(&table)).expect("one of the deals that were counted") += 1;
    }
    // 1,000 each, and five standard deviations of 29.
    assert!(all.values().all(|&count| (855..=1145).contains(&count)), "{all:?}");
}

/// Checks that tables which a seat cannot tell apart give it the same choice at every level, whatever lies hidden in them.
#[test]
fn hidden_cards_change_no_choice() {
    let choose = |unknown| {
        let table = last_cards(unknown).into_table().expect("a position");
        let (memory, steps) = (RoundMemory::of_pile(&table), legal::steps(&table).actions);
        Level::ALL.map(|level| level.choose(&table, OWN, &memory, &steps, 5))
    };
    let choices = choose(["4c", "5d", "7s", "3h"]);
    assert_eq!(choices, choose(["7s", "4c", "3h", "5d"]));
    assert_eq!(choices, choose(["5d", "4c", "3h", "7s"]));
    assert!(choices[..3].iter().all(|choice| choice.estimates.is_empty()), "{choices:?}");
    assert!(choices[3..].iter().all(|choice| choice.estimates.len() > 1), "{choices:?}");
}

/// Checks that a review knows no more than the seat did: it is the same for every deal of the four unknown cards.
#[test]
fn twins_are_reviewed_alike() {
    let review = |unknown| {
        let table = last_cards(unknown).into_table().expect("a position");
        let steps: Vec<Action> = legal::steps(&table).actions;
        let level = Level::new(4).expect("a level");
        let played = |step: &Action| level.review(&table, OWN, &RoundMemory::default(), (&steps, step), 3);
        steps.iter().map(played).collect::<Vec<_>>()
    };
    let reviews = review(["4c", "5d", "7s", "3h"]);
    assert_eq!(reviews, review(["7s", "4c", "3h", "5d"]));
    assert!(reviews.len() > 2 && reviews.iter().all(Option::is_some), "{reviews:?}");
}

/// Checks that without a memory the cards under the top of the pile are unknown too: they are drawn with the others.
#[test]
fn who_remembers_nothing_does_not_know_the_pile() {
    let table = last_cards(["4c", "5d", "7s", "3h"]).into_table().expect("a position");
    let position = Knowledge::of(&table, OWN, &RoundMemory::default());
    let mut random = Draws(1);
    let sampled: Vec<Table> = (0..20).filter_map(|_| position.sample(&mut random)).collect();
    assert!(!sampled.is_empty());
    assert!(sampled.iter().all(|other| other.pile().last() == table.pile().last()));
    assert!(sampled.iter().any(|other| other.pile() != table.pile()));
}

/// Checks that the nine and the ten under the top are known to be in the hand of the seat that took them, until it discards
/// one of them.
#[test]
fn cards_taken_in_sight_are_remembered() {
    let mut setup = Setup::new(Arc::new(Rules::preset("hoyle-2p").expect("a preset")), OWN);
    setup.hands[0] = set("8c 8d As Ah Ac Kd");
    setup.hands[1] = set("5c 5d");
    setup.meld(Side(0), MeldKind::Set, set("Js Jh Jc"));
    setup.pile = list("9h Tc 8s");
    let threes: Vec<Card>;
    (threes, setup.stock) = setup.missing().into_iter().partition(|card| card.class() == Class::RedThree);
    setup.stock.splice(0..0, threes);
    let mut table = setup.into_table().expect("a position");
    let mut memory = RoundMemory { pile: list("9h Tc 8s"), ..RoundMemory::default() };
    let mut act = |is_wanted: &dyn Fn(&Action) -> bool| {
        let action = legal::steps(&table).actions.into_iter().find(is_wanted).expect("such a step");
        let legal = check(&table, As::Seat(OWN), &action).expect("a legal step");
        memory.see(As::Seat(OWN), &events(&canasta_rules::apply::apply(&mut table, legal), As::Spectator));
        memory.clone()
    };
    let taken = act(&|step| matches!(step, Action::TakePile(take) if take.with.len() == 2));
    assert_eq!((taken.pile.len(), taken.held[0]), (0, set("9h Tc")));
    let discard = Card::parse("9h").expect("a card");
    let after = act(&|step| *step == Action::Discard(discard));
    assert_eq!((after.pile, after.held[0]), (list("9h"), set("Tc")));
}

/// Checks means and errors by hand: differences 10, 20, 30, 40, 50, 60 have the mean 35, the deviation 18.7 and so the error 7.6.
#[test]
fn an_estimate_states_its_error() {
    let found = Estimate { action: Action::Pass, tables: 6, sum: 600, more: 210, squares: 9100 };
    assert_eq!(found.gain(), (35, 7));
    assert!(found.is_better());
    // Differences 60 and five of 0: 10 more on average, with an error of 10.
    let one = Estimate { more: 60, squares: 3600, ..found };
    assert_eq!(one.gain(), (10, 10));
    assert!(!one.is_better());
}

/// Checks that whoever saw the next player take two kings throws no king under its eyes, and no five if it took fives.
#[test]
fn what_the_next_player_took_is_not_thrown_to_it() {
    let table = super::position(|setup| {
        super::in_play(setup);
        setup.hands[0] = set("Kd 5h 9c");
        setup.pile = list("4c 6d 7h 8s Td Jc 4d 6h");
        setup.meld(Side(0), MeldKind::Set, set("9s 9h 9d"));
        setup.meld(Side(1), MeldKind::Set, set("Qs Qh Qc"));
    });
    let steps: Vec<Action> = legal::steps(&table).actions;
    let discards: Vec<Action> = steps.into_iter().filter(|step| matches!(step, Action::Discard(_))).collect();
    let chosen = |held: &str| {
        let mut memory = RoundMemory::of_pile(&table);
        memory.held[1] = set(held);
        match Level::ALL[2].choose(&table, OWN, &memory, &discards, 1).action {
            Action::Discard(card) => format!("{card}"),
            other => panic!("{other:?}"),
        }
    };
    assert_ne!(chosen("Ks Kh"), "Kd");
    assert_ne!(chosen("5s 5c"), "5h");
}
