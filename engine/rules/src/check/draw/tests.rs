//! Draws by hand, with the seats and the dealer that the rulebook's vectors give.

use super::*;
use crate::action::Action;
use crate::apply::act;
use crate::check;
use crate::event::Event;
use crate::notation::{Position, Proposal};
use crate::scoring;
use crate::table::Phase;
use alloc::string::String;

fn position(rules: &str) -> Table {
    let position = Position::parse(&alloc::format!("{rules}; round 0; to deal")).expect("a position");
    position.setup().into_table().expect("a state")
}

/// Returns the players by seat and the dealer that a draw decides, or the first code that refuses the draw,
/// with its seats.
fn drawn(rules: &str, picks: &str) -> Result<(Vec<u8>, u8), String> {
    let mut table = position(rules);
    let action = Proposal::parse(&alloc::format!("draw_cards {picks}"), table.set()).expect("an action");
    let events = act(&mut table, As::Table, &action.action).map_err(|rejection| {
        let first = &rejection.violations[0];
        let seats = first.get("seats").map_or(String::new(), |seats| alloc::format!(" {seats}"));
        alloc::format!("{}{seats}", first.code.name())
    })?;
    let [Event::Drawn { seating, dealer, .. }] = &events[..] else { panic!("{events:?}") };
    assert_eq!((seating, *dealer), (&table.seating().to_vec(), table.dealer()));
    assert!(scoring::book(&mut table).0.accounts.is_empty());
    assert_eq!((table.phase(), table.round_number(), table.dealer()), (Phase::Setup, 1, *dealer));
    Ok((seating.iter().map(|player| player.0).collect(), dealer.0))
}

const BY_POINTS: &str = "classic-4p side_choice=drawn_cards first_dealer=high_card_deals draw_ranking=points";

/// Checks V-092 (HF-021): the order is 1 0 2 3, so players 0 and 1 are a side and player 1 deals.
#[test]
fn a_tie_at_the_top_is_picked_again() {
    assert_eq!(drawn(BY_POINTS, "Kd Kd 9s 4h"), Err("SETUP_DRAW_TIED 0 1".into()));
    assert_eq!(drawn(BY_POINTS, "Kd5c KdAh 9s 4h"), Ok(([1, 2, 0, 3].into(), 0)));
}

/// Checks V-093 (HF-021): the order is 0 2 1 3, so players 0 and 2 play against 1 and 3.
#[test]
fn a_tie_across_the_middle_is_picked_again() {
    assert_eq!(drawn(BY_POINTS, "As Kd Kd 4h"), Err("SETUP_DRAW_TIED 1 2".into()));
    assert_eq!(drawn(BY_POINTS, "As Kd7h KdQc 4h"), Ok(([0, 1, 2, 3].into(), 0)));
    // AMB-HF-03: a tie at the bottom decides nothing, and nobody picks more than needed.
    assert_eq!(drawn(BY_POINTS, "As Ks 4h 4h"), Ok(([0, 2, 1, 3].into(), 0)));
    assert_eq!(drawn(BY_POINTS, "As Ks 4h4c 4h4d"), Err("SETUP_DEAL".into()));
}

/// Checks the order of HF-018: 3h 3d X 2s 2h 2d 2c As ... 4c 3s 3c. Jokers tie (AMB-HF-02).
#[test]
fn cards_by_points() {
    const ORDER: [&str; 18] = [
        "3h", "3d", "X", "2s", "2h", "2d", "2c", "As", "Ah", "Ad", "Ac", "Ks", "8c", "7s", "4h", "4c", "3s",
        "3c",
    ];
    let worths = ORDER.map(|card| worth(DrawRanking::Points, Card::parse(card).expect("a card")));
    assert!(worths.is_sorted_by(|a, b| a > b), "{worths:?}");
    assert_eq!(drawn(BY_POINTS, "X X 9s 4h"), Err("SETUP_DRAW_TIED 0 1".into()));
}

/// Checks GR-003 and AMB-GR-14: ace high, two low, suits s h d c, the joker is replaced; sides stay as given.
#[test]
fn the_highest_card_deals() {
    let rules = "classic-4p first_dealer=high_card_deals draw_ranking=ace_high";
    assert_eq!(drawn(rules, "2s 3h Kd 4c"), Ok(([0, 1, 2, 3].into(), 2)));
    assert_eq!(drawn(rules, "Ah As Kd 4c"), Ok(([0, 1, 2, 3].into(), 1)));
    assert_eq!(drawn(rules, "X As Kd 4c"), Err("SETUP_DRAW_TIED 0".into()));
    assert_eq!(drawn(rules, "X3c As Kd 4c"), Ok(([0, 1, 2, 3].into(), 1)));
}

/// Checks SA-009: the player with the highest card starts, so the player on the right of that player deals.
#[test]
fn the_highest_card_leads() {
    let rules = "classic-4p first_dealer=high_card_leads draw_ranking=ace_high";
    assert_eq!(drawn(rules, "As 3h Kd 4c"), Ok(([0, 1, 2, 3].into(), 3)));
}

#[test]
fn a_draw_is_of_the_pack_and_by_the_table_and_before_the_deal() {
    let rules = "classic-4p first_dealer=high_card_deals draw_ranking=ace_high";
    assert_eq!(drawn(rules, "As As As 4c"), Err("SETUP_DECK".into()));
    assert_eq!(drawn(rules, "As Ks Qs"), Err("SETUP_DEAL".into()));
    let table = position(rules);
    let codes = |actor, action| check::check(&table, actor, &action).expect_err("refused").codes();
    assert_eq!(codes(As::Table, Action::Deal(Default::default())), [Code::SetupWrongTime]);
    assert_eq!(codes(As::Seat(Seat(0)), Action::DrawCards(Vec::new())), [Code::TurnNotYours]);
    let dealt = Position::parse("classic-4p").expect("a position").setup().into_table().expect("a state");
    let refused = check::check(&dealt, As::Table, &Action::DrawCards(Vec::new())).expect_err("refused");
    assert_eq!(refused.codes(), [Code::SetupWrongTime]);
}
