//! A deal that was written down by hand: its faults, and a wall that fits the known cards.

use crate::action::Deal;
use crate::card::{Card, Cards};
use crate::rejection::{Field, Violation};
use crate::rules::{RuleSet, StartCard};
use crate::seat::Seat;
use crate::table::Table;
use crate::violations::Code;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// The names of the hands in SETUP_DEAL, by seat.
const HANDS: [&str; 6] = ["HAND_0", "HAND_1", "HAND_2", "HAND_3", "HAND_4", "HAND_5"];

/// Returns all faults of the cards that a deal names, in the order of checks.
pub(super) fn faults(table: &Table, deal: &Deal) -> Vec<Violation> {
    let set = table.set();
    let mut faults = Vec::new();
    let named: Cards = deal.hands.iter().flatten().chain(&deal.upcards).filter_map(|card| *card).collect();
    let pack = table.rules.census();
    if let Some((card, found)) = named.kinds().find(|&(card, found)| found > pack.count(card)) {
        let fault = Violation::new(Code::SetupDeck, Field::Action).fact("card", card);
        faults.push(fault.fact("found", found).fact("required", pack.count(card)));
    }
    let mut wrong_size = |zone: &'static str, found: usize, required: usize| {
        if found != required {
            let fault = Violation::new(Code::SetupDeal, Field::Action).fact("zone", zone);
            faults.push(fault.fact("found", found as u16).fact("required", required as u16));
        }
    };
    if !deal.hands.is_empty() {
        wrong_size("HANDS", deal.hands.len(), set.seats.into());
    }
    for (hand, zone) in deal.hands.iter().zip(HANDS) {
        wrong_size(zone, hand.len(), set.hand_size.into());
    }
    let known: Vec<Card> = deal.upcards.iter().filter_map(|card| *card).collect();
    // An upcard lies open, so a deal that has one names it.
    let expected = if set.start_card == StartCard::One { deal.upcards.len() } else { 0 };
    let found = if expected == 0 { deal.upcards.len() } else { known.len() };
    wrong_size("UPCARDS", found, expected);
    if set.start_card == StartCard::One && known.len() == deal.upcards.len() {
        let card = misplaced(set, &known);
        faults
            .extend(card.map(|card| Violation::new(Code::SetupStartCard, Field::Action).fact("card", card)));
    }
    faults
}

/// Returns the upcard that should have been covered, or the one that was turned although no cover was due
/// (CL-012); `None` if the upcards are correct.
fn misplaced(set: &RuleSet, upcards: &[Card]) -> Option<Card> {
    let covered = |card: &Card| set.start_cover.contains(card.class());
    match upcards.iter().position(|card| !covered(card)) {
        Some(at) => upcards.get(at + 1).copied(),
        None => upcards.last().copied(),
    }
}

/// Returns a wall that fits the known cards, first card dealt first. `drawn` lists the cards that replaced
/// dealt threes. The unknown cards are taken from those that are left; threes that are laid come last.
///
/// # Errors
/// The card that the deal names more often than the pack has it.
pub(crate) fn wall(table: &Table, deal: &Deal, drawn: &[Option<Card>]) -> Result<Vec<Card>, Card> {
    let set = table.set();
    let seats = usize::from(set.seats);
    let mut wall: Vec<Option<Card>> = alloc::vec![None; usize::from(table.rules.deck_size())];
    let leader = table.round.dealer.left(set.seats);
    for (seat, hand) in (0..set.seats).map(Seat).zip(&deal.hands) {
        let first = (seat.index() + seats - leader.index()) % seats;
        wall.iter_mut().skip(first).step_by(seats).zip(hand).for_each(|(place, card)| *place = *card);
    }
    let dealt = set.cards_dealt() as usize;
    let starts = set.start_card == StartCard::One;
    // An unknown upcard is one that needs no cover.
    let turned = deal.upcards.len().max(usize::from(starts));
    let open = deal.upcards.iter().chain(core::iter::repeat_n(&None, turned - deal.upcards.len()));
    wall.iter_mut().skip(dealt).zip(open.chain(drawn)).for_each(|(place, card)| *place = *card);

    let mut left = table.rules.census();
    for card in wall.iter().flatten() {
        if !left.remove(*card) {
            return Err(*card);
        }
    }
    let mut rest = spread(set, &left);
    if starts && deal.upcards.is_empty() {
        let plain = rest.iter().position(|card| !set.start_cover.contains(card.class()));
        wall[dealt] = plain.and_then(|at| rest.remove(at));
    }
    // There are as many unnamed places as cards left.
    let mut fill = |card: Option<Card>| card.or_else(|| rest.pop_front()).unwrap_or(Card::JOKER);
    Ok(wall.into_iter().map(&mut fill).collect())
}

/// Returns one card of each kind, then a second one, and so on. The threes that are laid come last, since they
/// are seldom unknown.
fn spread(set: &RuleSet, left: &Cards) -> VecDeque<Card> {
    let most = left.kinds().map(|(_, count)| count).max().unwrap_or(0);
    let round = |copy: u8| left.kinds().filter(move |&(_, count)| count > copy).map(|(card, _)| card);
    let all: Vec<Card> = (0..most).flat_map(round).collect();
    let (threes, others): (Vec<Card>, Vec<Card>) = all.into_iter().partition(|card| set.lays(card.class()));
    others.into_iter().chain(threes).collect()
}
