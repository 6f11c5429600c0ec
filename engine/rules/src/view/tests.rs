//! Tests that a view shows what it must show, and nothing else.

use super::*;
use crate::action::{Action, TakePile};
use crate::apply::act;
use crate::event::FreezeCause;
use crate::rules::Rules;
use crate::table::Setup;
use alloc::vec;
use positions::dealt;

mod interference;
mod positions;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| Card::parse(card).expect("a card")).collect()
}

/// Builds a position in which side 0 has opened with kings, the pile has a two under the 9 on top, and seat 0
/// is to play.
fn example() -> Table {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let mut setup = Setup::new(rules, Seat(0));
    setup.scores = vec![1500, -20];
    setup.meld(Side(0), crate::action::MeldKind::Set, cards("Ks Kh Kd 2c").into_iter().collect());
    setup.pile = cards("4c 2d 9s");
    setup.laid[1] = cards("3h").into_iter().collect();
    setup.hands[0] = cards("9h 9d 5c 6c").into_iter().collect();
    setup.hands[1] = cards("Qs Qh").into_iter().collect();
    setup.hands[2] = cards("7s 7h 7d").into_iter().collect();
    setup.hands[3] = cards("As").into_iter().collect();
    setup.stock = setup.missing();
    setup.into_table().expect("the example is a position")
}

/// Checks what a seat sees (ALG-28): own hand; top and size of the pile; frozen flag; melds; laid threes;
/// counts.
#[test]
fn a_seat_sees_its_hand_and_the_table() {
    let state = example();
    let View { table, insight } = view(&state, As::Seat(Seat(0)));
    let own: Cards = cards("9h 9d 5c 6c").into_iter().collect();
    assert_eq!(insight, Insight::Hand { seat: Seat(0), cards: own });
    assert_eq!((table.pile.size, table.pile.top), (3, Card::parse("9s")));
    assert_eq!(table.pile.frozen.iter().collect::<Vec<_>>(), [FreezeCause::Wild]);
    // 108 less 13 in hand and meld of side 0, 3 in the pile, 1 three, 2 + 3 + 1 in the other hands.
    assert_eq!(table.stock, 108 - 4 - 4 - 3 - 1 - 2 - 3 - 1);
    assert_eq!(table.seats.iter().map(|seat| seat.hand).collect::<Vec<_>>(), [4, 2, 3, 1]);
    assert_eq!(table.seats[1].laid, cards("3h").into_iter().collect());
    assert_eq!((table.turn, table.to_act, table.over), (Some(Seat(0)), Some(Seat(0)), None));
    assert_eq!(table.melds.iter().map(|m| m.meld.len()).collect::<Vec<_>>(), [4]);
    // CL-058: below 0 needs 15, 1500 to 2995 needs 90; CL-052: not opened is frozen.
    assert_eq!(table.sides.iter().map(|side| side.minimum).collect::<Vec<_>>(), [Some(90), Some(15)]);
    assert_eq!(table.sides.iter().map(|side| side.opened).collect::<Vec<_>>(), [true, false]);
    let causes: Vec<_> = table.sides[1].frozen.iter().collect();
    assert_eq!(causes, [FreezeCause::Wild, FreezeCause::NotOpened]);
}

/// Checks that players look as far into the pile as the club allows (IR-014).
#[test]
fn a_club_may_let_players_look_under_the_top() {
    for (look, under) in [("\"three\"", "2d 4c 8h"), ("\"all\"", "2d 4c 8h Td"), ("\"none\"", "")] {
        let base = crate::rules::PresetId::from_name("classic-4p").expect("a preset");
        let mut set = base.rule_set();
        set.change("pile_look", look).expect("a value");
        let rules = Arc::new(Rules::house(base, set, None).expect("played"));
        let mut setup = Setup::of(&example());
        setup.rules = rules;
        setup.pile = cards("Td 8h 4c 2d 9s");
        setup.stock.clear();
        setup.stock = setup.missing();
        let state = setup.into_table().expect("a position");
        for viewer in [As::Table, As::Seat(Seat(1)), As::Judge] {
            assert_eq!(view(&state, viewer).table.pile.under, cards(under), "{look}");
        }
    }
}

#[test]
fn the_table_and_unknown_seats_see_no_hand() {
    let state = example();
    assert_eq!(view(&state, As::Table).insight, Insight::None);
    assert_eq!(view(&state, As::Seat(Seat(4))), view(&state, As::Table));
    assert_eq!(view(&state, As::Table).table, view(&state, As::Seat(Seat(2))).table);
}

#[test]
fn judge_and_director_see_every_card() {
    let state = example();
    let judged = view(&state, As::Judge);
    assert_eq!(judged, view(&state, As::Director));
    let Insight::All(all) = judged.insight else { panic!("a judge sees all") };
    assert_eq!((&all.pile[..], &all.stock[..]), (state.pile(), state.stock()));
    assert_eq!(all.hands, state.seats().map(|seat| *state.hand(seat)).collect::<Vec<_>>());
}

/// Checks that the taker sees the cards under the top, and that the others see their number (AMB-36).
#[test]
fn a_taken_pile_goes_to_the_hand_unseen() {
    let mut state = example();
    let take = TakePile { with: cards("9h 9d").into_iter().collect(), ..Default::default() };
    let happened = act(&mut state, As::Seat(Seat(0)), &Action::TakePile(take)).expect("a pair takes");
    let taken = |viewer| {
        events(&happened, viewer).into_iter().find_map(|event| match event {
            EventView::TookPile { cards, .. } => Some(cards),
            _ => None,
        })
    };
    let all = Some(Seen::Cards(cards("4c 2d").into_iter().collect()));
    assert_eq!([taken(As::Seat(Seat(0))), taken(As::Judge)], [all.clone(), all]);
    for viewer in [As::Table, As::Seat(Seat(1)), As::Seat(Seat(2))] {
        assert_eq!(taken(viewer), Some(Seen::Count(2)));
    }
}

#[test]
fn a_deal_shows_each_seat_its_own_hand() {
    let (state, happened) = dealt(3, 0);
    for viewer in state.seats() {
        let events = events(&happened, As::Seat(viewer));
        let EventView::Dealt { hands, .. } = &events[0] else { panic!("a deal begins with the hands") };
        let shown: Vec<bool> = hands.iter().map(|hand| matches!(hand, Seen::Cards(_))).collect();
        assert_eq!(shown, state.seats().map(|seat| seat == viewer).collect::<Vec<_>>());
        assert!(hands.iter().all(|hand| hand.len() == 11));
    }
}

#[test]
fn nothing_lies_on_the_table_between_rounds() {
    let (mut state, _) = dealt(3, 0);
    positions::play_on(&mut state, &mut positions::Rng(5), |_| {});
    let over = state.round_over();
    crate::scoring::book(&mut state);
    for viewer in [As::Table, As::Seat(Seat(0)), As::Judge] {
        let View { table, insight } = view(&state, viewer);
        assert_eq!((table.round, table.over, table.turn), (2, over, None));
        match insight {
            Insight::None => {}
            Insight::Hand { cards, .. } => assert!(cards.is_empty()),
            Insight::All(all) => assert!(all.stock.is_empty() && all.hands.iter().all(Cards::is_empty)),
        }
        assert!(table.melds.is_empty() && table.pile.top.is_none() && table.stock == 0);
        assert!(table.seats.iter().all(|seat| seat.hand == 0 && seat.laid.is_empty()));
    }
}
