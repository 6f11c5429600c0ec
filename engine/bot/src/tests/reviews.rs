//! Reviews of decisions whose worth is counted by hand.

use super::set;
use crate::{Level, Review, ReviewSlip, RoundMemory};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_rules::action::{Action, Group, MeldKind, Onto};
use canasta_rules::card::{Card, Class};
use canasta_rules::check::legal;
use canasta_rules::rules::Rules;
use canasta_rules::seat::{Seat, Side};
use canasta_rules::table::{Phase, Setup, Source, Table};

const OWN: Seat = Seat(0);

/// Returns the last turn of a round of classic-2p: the stock is empty, seat 0 has one canasta of the two that going out needs,
/// and holds three kings, a black three and a nine. `other`: the other hand.
fn last_turn(other: &str) -> Table {
    let rules = Arc::new(Rules::preset("classic-2p").expect("a preset"));
    let mut setup = Setup::new(rules, OWN);
    (setup.phase, setup.source) = (Phase::Play, Source::Stock);
    setup.hands =
        [set("Ks Kh Kd 3c 9s"), set(other)].into_iter().chain(setup.hands.into_iter().skip(2)).collect();
    setup.has_melded = alloc::vec![OWN];
    setup.meld(Side(0), MeldKind::Set, set("As Ah Ac As Ah Ac Ad"));
    let (threes, pile): (Vec<Card>, Vec<Card>) =
        setup.missing().into_iter().partition(|card| card.class() == Class::RedThree);
    (setup.laid[0], setup.pile) = (threes.into_iter().collect(), pile);
    setup.into_table().expect("a position")
}

fn review(table: &Table, played: &Action) -> Option<Review> {
    let level = Level::new(4).expect("a level");
    level.review(table, OWN, &RoundMemory::of_pile(table), (&legal::steps(table).actions, played), 7)
}

fn discard(card: &str) -> Action {
    Action::Discard(Card::parse(card).expect("a card"))
}

/// Checks a mistake of 65 points: the other hand takes neither a three (CL-073) nor a nine, so that the round ends with the
/// discard. Three kings are worth +30 melded and -30 held, and of the last two cards the nine costs 10, the three 5.
#[test]
fn three_kings_and_a_nine_that_stay_in_the_hand_cost_sixty_five_points() {
    let table = last_turn("4c 5d 7s 8h");
    let found = review(&table, &discard("3c")).expect("there is a choice");
    assert_eq!((found.lost, found.error, found.slip()), (65, 0, Some(ReviewSlip::Mistake)), "{found:?}");
    assert!(matches!(&found.best, Action::Meld(groups) if groups[0].cards.len() == 3), "{found:?}");
    assert_eq!(found.tables, 240);
}

#[test]
fn the_steps_of_the_level_lose_nothing() {
    let table = last_turn("4c 5d 7s 8h");
    let kings = Group {
        kind: MeldKind::Set,
        onto: Onto::New,
        top: false,
        cards: super::list("Kd Ks Kh").into_iter().collect(),
    };
    // The same three kings in another order are no step of the list, and no worse than the one that is.
    let found = review(&table, &Action::Meld([kings].into_iter().collect())).expect("there is a choice");
    assert_eq!((found.lost, found.slip()), (0, None), "{found:?}");
    let best = found.best;
    let found = review(&table, &best).expect("there is a choice");
    assert_eq!((found.lost, found.tables, found.slip()), (0, 0, None), "{found:?}");
}

#[test]
fn a_single_step_is_no_decision() {
    let table = last_turn("4c 5d 7s 8h");
    let (level, steps) = (Level::new(4).expect("a level"), [discard("3c")]);
    assert_eq!(level.review(&table, OWN, &RoundMemory::of_pile(&table), (&steps, &steps[0]), 7), None);
}

/// Checks that a loss counts from three standard errors on, and its size by the points of the table in docs/play/BOT.md.
#[test]
fn a_loss_has_a_name_from_three_errors_on() {
    let table = last_turn("4c 5d 7s 8h");
    let review = review(&table, &discard("3c")).expect("there is a choice");
    let named = |lost, error| Review { lost, error, ..review.clone() }.slip();
    let rows = [
        (0, 0, None),
        (-90, 10, None),
        (29, 10, None),
        (30, 10, Some(ReviewSlip::Inaccuracy)),
        (49, 1, Some(ReviewSlip::Inaccuracy)),
    ];
    let more = [
        (50, 16, Some(ReviewSlip::Mistake)),
        (199, 66, Some(ReviewSlip::Mistake)),
        (200, 66, Some(ReviewSlip::Blunder)),
        (200, 67, None),
    ];
    for (lost, error, slip) in rows.into_iter().chain(more) {
        assert_eq!(named(lost, error), slip, "{lost} {error}");
    }
}
