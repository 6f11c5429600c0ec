//! `register`: what is fixed before a deal.

use super::dealer::{LeftToTable, dealer_before_cards, other_dealer, unnamed_dealer};
use super::{one, ruling};
use crate::action::As;
use crate::card::{Card, KINDS};
use crate::rejection::{Field, Violation};
use crate::rules::Rules;
use crate::seat::Seat;
use crate::state::{DealSource, Phase, State};
use crate::violations::Code;
use alloc::vec::Vec;

/// Whether the table may register the next deal, with the wall where it is given. Returns who deals: `given`
/// where nothing else decides it.
///
/// # Errors
/// All SETUP_* violations, or that it is not the time, or not for the actor to do.
pub(crate) fn register(
    state: &State,
    actor: As,
    wall: Option<&[Card]>,
    given: Option<Seat>,
) -> Result<Seat, Vec<Violation>> {
    match state.phase {
        Phase::GameOver => return Err(one(ruling::game_over(state.is_signed()))),
        _ if actor != As::Table => {
            return Err(one(Violation::new(Code::TurnNotYours, Field::Actor).fact("turn", "TABLE")));
        }
        Phase::Setup => {}
        phase => {
            let fault = Violation::new(Code::SetupWrongTime, Field::Action).fact("phase", phase.name());
            return Err(one(fault));
        }
    }
    let mut faults = Vec::new();
    faults.extend(wall.and_then(|wall| wrong_pack(&state.rules, wall)));
    let dealer = dealer(state, given).unwrap_or_else(|fault| {
        faults.push(fault);
        state.round.dealer
    });
    if faults.is_empty() { Ok(dealer) } else { Err(faults) }
}

/// Where the wall is given there is no secret that a random dealer could follow from, so the table names him.
fn dealer(state: &State, given: Option<Seat>) -> Result<Seat, Violation> {
    let by_hand = matches!(state.origin.source, DealSource::Wall { .. } | DealSource::Unknown);
    let is_free = by_hand && state.round.number > 1 && state.names_dealer();
    let (due, seats) = (state.due_dealer(), state.set().seats);
    match given {
        None if !is_free => Ok(due),
        Some(seat) if state.round.number == 0 && state.set().draws_dealer() => Err(dealer_before_cards(seat)),
        _ if is_free && given.is_none_or(|seat| seat.0 >= seats) => {
            Err(unnamed_dealer(given, seats, LeftToTable::ByWall))
        }
        None => Ok(due),
        Some(seat) if is_free || seat == due => Ok(seat),
        Some(seat) => Err(other_dealer(seat, due)),
    }
}

/// SETUP_DECK: a card that the wall holds more or less often than the pack.
pub(crate) fn wrong_pack(rules: &Rules, wall: &[Card]) -> Option<Violation> {
    let pack = rules.census();
    let mut found = [0u16; KINDS];
    for card in wall {
        found[card.index()] = found[card.index()].saturating_add(1);
    }
    let differs = |card: &Card| found[card.index()] != u16::from(pack.count(*card));
    let card = pack.kinds().map(|(card, _)| card).chain(wall.iter().copied()).find(differs)?;
    let fault = Violation::new(Code::SetupDeck, Field::Action).fact("card", card);
    Some(fault.fact("found", found[card.index()]).fact("required", pack.count(card)))
}
