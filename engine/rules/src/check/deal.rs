//! `deal`: the wall of the registered round.

use super::{Legal, Plan, Verdict, conclude, one, table_gate, transcribed};
use crate::action::{Action, ActionKind, As, Deal};
use crate::card::{Card, KINDS};
use crate::rejection::{Field, Rejection, Violation};
use crate::rules::{CutWay, RuleSet, Rules};
use crate::table::{Cut, Table};
use crate::violations::Code;
use alloc::vec::Vec;

/// The cards of a deal, as far as they do not follow from the action.
pub enum Dealt {
    /// The whole pack in dealing order.
    Wall(Vec<Card>),
    /// No card is dealt: a seat keeps back what it registered.
    Void,
    /// The action names the cards that are known.
    ByHand,
}

/// Judges `deal`. `dealt` is called once the table may deal.
///
/// # Errors
/// As [`check`](super::check), and the violations that `dealt` finds.
pub fn check_deal(
    state: &Table,
    actor: As,
    action: &Action,
    dealt: impl FnOnce(&Deal) -> Result<Dealt, Vec<Violation>>,
) -> Result<Legal, Rejection> {
    let Action::Deal(deal) = action else { unreachable!("only a deal is judged as one") };
    let verdict =
        gate(state, actor).and_then(|()| dealt(deal)).and_then(|dealt| judge_cards(state, deal, dealt));
    conclude(state, actor, action, verdict)
}

fn gate(state: &Table, actor: As) -> Result<(), Vec<Violation>> {
    table_gate(state, ActionKind::Deal)?;
    if actor == As::Table {
        return Ok(());
    }
    Err(one(Violation::new(Code::TurnNotYours, Field::Actor).fact("turn", "TABLE")))
}

/// Judges a deal that was written down by hand.
pub(super) fn judge(state: &Table, actor: As, deal: &Deal) -> Verdict {
    gate(state, actor)?;
    judge_cards(state, deal, Dealt::ByHand)
}

/// Judges the cards of a deal that passed its [`gate`].
fn judge_cards(state: &Table, deal: &Deal, dealt: Dealt) -> Verdict {
    let wall = match dealt {
        Dealt::Wall(wall) => wall,
        Dealt::Void => return Ok(Plan::Void),
        Dealt::ByHand => by_hand(state, deal)?,
    };
    if let Some(fault) = wrong_pack(&state.rules, &wall) {
        return Err(one(fault));
    }
    Ok(Plan::Deal(wall, exact_cuts(state.set(), deal)))
}

/// Returns a wall that fits the cards which a deal names.
fn by_hand(state: &Table, deal: &Deal) -> Result<Vec<Card>, Vec<Violation>> {
    let no_wall = || {
        let fault = Violation::new(Code::SetupDeal, Field::Action).fact("zone", "WALL");
        one(fault.fact("found", 0u16).fact("required", state.rules.deck_size()))
    };
    if !deal.names_cards() {
        return Err(no_wall());
    }
    let faults = transcribed::faults(state, deal);
    if !faults.is_empty() {
        return Err(faults);
    }
    transcribed::wall(state, deal, &[]).map_err(|_| no_wall())
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

/// SETUP_DECK: a card that the wall holds more or less often than the pack.
pub fn wrong_pack(rules: &Rules, wall: &[Card]) -> Option<Violation> {
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
