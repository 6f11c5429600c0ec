//! `deal`: the wall of the registered round.

use super::register::wrong_pack;
use super::{Plan, Verdict, one, transcribed};
use crate::action::{Action, As, Deal};
use crate::card::Card;
use crate::deal::{self, Commitment, Context, Contribution, DealError, RoundSecret, beacon_value};
use crate::rejection::{Field, Violation};
use crate::rules::{CutWay, RuleSet};
use crate::seat::Seat;
use crate::state::{Cut, DealSource, Entries, State};
use crate::violations::Code;
use alloc::vec::Vec;

pub(super) fn check(state: &State, actor: As, action: &Action) -> Verdict {
    let Action::Deal(deal) = action else { unreachable!("only a deal is judged as one") };
    if actor != As::Table {
        let fault = Violation::new(Code::TurnNotYours, Field::Actor).fact("turn", "TABLE");
        return Err(one(fault));
    }
    let fault = |fault: Violation| {
        let fault = fault.fact("found", 0u16).fact("required", state.rules.deck_size());
        Err(one(fault))
    };
    if let Some(misfit) = misfit(state, deal) {
        return Err(one(misfit));
    }
    if is_void(state, deal) {
        return Ok(Plan::Void);
    }
    if names_cards(deal) {
        let faults = transcribed::faults(state, deal);
        if !faults.is_empty() {
            return Err(faults);
        }
    }
    let wall = match wall(state, deal) {
        Ok(Some(wall)) => wall,
        Ok(None) => return fault(Violation::new(Code::SetupDeal, Field::Action).fact("zone", "WALL")),
        Err(_) => return fault(Violation::new(Code::SetupDeck, Field::Action)),
    };
    if let Some(fault) = wrong_pack(&state.rules, &wall) {
        return Err(one(fault));
    }
    Ok(Plan::Deal(wall, exact_cuts(state.set(), deal)))
}

/// WH-013, HF-025, HF-027: the cuts that took off exactly what is dealt from them. Further upcards and
/// replaced threes are not counted (AMB-WH-02); what is not said is not paid.
fn exact_cuts(set: &RuleSet, deal: &Deal) -> Cut {
    let cards = |size: u8| u16::from(set.seats) * u16::from(size);
    let exact = |way, count| set.cut_ways.contains(way) && deal.lifted == Some(count);
    let hands = cards(set.hand_size);
    Cut {
        hands: exact(CutWay::Hands, hands) || exact(CutWay::HandsPlusOne, hands + 1),
        feet: set.foot_cut_bonus > 0 && deal.foot_lifted == Some(cards(set.foot_size)),
    }
}

/// The first thing in a deal that its register does not provide for.
pub(crate) fn misfit(state: &State, deal: &Deal) -> Option<Violation> {
    let id = state.deal_id();
    let registered = |seat: Seat| state.entries()?.seats.get(seat.index()).copied().flatten();
    let fits = |(seat, value): (Seat, &Option<[u8; 32]>)| match value {
        Some(value) => registered(seat) == Some(Commitment::seat(&id, seat, value)),
        None => true,
    };
    let fault = |field, zone: &'static str, found: usize, required: usize| {
        let fault = Violation::new(Code::SetupDeal, field).fact("zone", zone);
        Some(fault.fact("found", found as u16).fact("required", required as u16))
    };
    if let Some((seat, _)) = (0..).map(Seat).zip(&deal.contributions).find(|&entry| !fits(entry)) {
        let required = usize::from(registered(seat).is_some());
        return fault(Field::Contribution(seat), "CONTRIBUTIONS", 1, required);
    }
    let (found, required) = (deal.signature.is_some(), state.entries().is_some_and(|entries| entries.beacon));
    if found != required {
        return fault(Field::Signature, "SIGNATURE", found.into(), required.into());
    }
    let known = deal.hands.len() + deal.upcards.len();
    if names_cards(deal) && !matches!(state.origin.source, DealSource::Unknown) {
        return fault(Field::Action, "HANDS", known, 0);
    }
    None
}

/// Whether a seat keeps back what it registered, and no beacon makes that harmless: it could otherwise choose
/// between two walls.
pub(crate) fn is_void(state: &State, deal: &Deal) -> bool {
    let silent = |entries: &Entries| {
        let revealed = |seat: usize| deal.contributions.get(seat).is_some_and(Option::is_some);
        (0..).zip(entries.seats).any(|(seat, registered)| registered.is_some() && !revealed(seat))
    };
    state.entries().is_some_and(|entries| !entries.beacon && silent(entries))
}

/// Whether the deal was written down by hand.
fn names_cards(deal: &Deal) -> bool {
    !deal.hands.is_empty() || !deal.upcards.is_empty()
}

/// The wall of this round with what was contributed, first card dealt first; `None` where nothing is known of it.
/// Of a deal that was written down by hand it is one that fits what is known.
pub(crate) fn wall(state: &State, deal: &Deal) -> Result<Option<Vec<Card>>, DealError> {
    let secret = match &state.origin.source {
        DealSource::Seeded(game) => game.round(state.round.number.into(), state.round.attempt.into()),
        DealSource::Round(secret) => secret.clone(),
        DealSource::Wall { wall, .. } => return Ok(Some(wall.clone())),
        DealSource::Unknown if names_cards(deal) => return Ok(transcribed::wall(state, deal, &[]).ok()),
        DealSource::Unknown => return Ok(None),
    };
    from_secret(state, &secret, deal).map(Some)
}

fn from_secret(state: &State, secret: &RoundSecret, deal: &Deal) -> Result<Vec<Card>, DealError> {
    let (set, id) = (state.set(), state.deal_id());
    let dealer = Commitment::dealer(&id, secret);
    let (digest, cards) = (state.rules.digest_text(), state.rules.deck_size());
    let context = match state.entries() {
        None => Context::seeded(&id, &digest, cards, dealer)?,
        Some(entries) => {
            let contribution = |seat: Seat| Contribution {
                commitment: entries.seats[seat.index()],
                value: deal.contributions.get(seat.index()).copied().flatten(),
            };
            let seats: Vec<_> = state.seats().map(contribution).collect();
            let beacon = deal.signature.as_deref().map(beacon_value);
            Context::committed(&id, &digest, cards, dealer, &seats, beacon.as_ref())?
        }
    };
    deal::wall(secret, &context, set.packs, set.jokers)
}
