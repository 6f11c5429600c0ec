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
    /// The whole pack in dealing order, as it is given. The cards are compared with the rule set's pack.
    Wall(Vec<Card>),
    /// The rule set's own pack in dealing order. The caller has shuffled the pack, so it is not compared again.
    Shuffled(Vec<Card>),
    /// No card is dealt: a seat withholds what it registered.
    Void,
    /// The action names the cards that are known.
    ByHand,
}

/// Judges `deal`. `dealt` supplies the cards; it is called only if the table may deal.
///
/// # Errors
/// The same as for [`check`](super::check), and the violations that `dealt` finds.
pub fn check_deal(
    table: &Table,
    actor: As,
    action: &Action,
    dealt: impl FnOnce(&Deal) -> Result<Dealt, Vec<Violation>>,
) -> Result<Legal, Rejection> {
    let Action::Deal(deal) = action else { unreachable!("only a deal is judged as one") };
    let verdict =
        gate(table, actor).and_then(|()| dealt(deal)).and_then(|dealt| judge_cards(table, deal, dealt));
    conclude(table, actor, action, verdict)
}

fn gate(table: &Table, actor: As) -> Result<(), Vec<Violation>> {
    table_gate(table, ActionKind::Deal)?;
    if actor == As::Table {
        return Ok(());
    }
    Err(one(Violation::new(Code::TurnNotYours, Field::Actor)))
}

/// Judges a deal that was written down by hand.
pub(super) fn judge(table: &Table, actor: As, deal: &Deal) -> Verdict {
    gate(table, actor)?;
    judge_cards(table, deal, Dealt::ByHand)
}

/// Judges the cards of a deal that passed its [`gate`].
fn judge_cards(table: &Table, deal: &Deal, dealt: Dealt) -> Verdict {
    let cuts = exact_cuts(table.set(), deal);
    let wall = match dealt {
        Dealt::Shuffled(wall) => {
            debug_assert_eq!(
                wrong_pack(&table.rules, &wall),
                None,
                "the caller shuffled the pack of the rules"
            );
            return Ok(Plan::Deal(wall, cuts));
        }
        Dealt::Wall(wall) => wall,
        Dealt::Void => return Ok(Plan::Void),
        Dealt::ByHand => by_hand(table, deal)?,
    };
    match wrong_pack(&table.rules, &wall) {
        Some(fault) => Err(one(fault)),
        None => Ok(Plan::Deal(wall, cuts)),
    }
}

impl Legal {
    /// Returns the wall that a deal uses, first card dealt first; `None` if the action deals no cards.
    pub fn wall(&self) -> Option<&[Card]> {
        match &self.plan {
            Plan::Deal(wall, _) => Some(wall),
            _ => None,
        }
    }
}

/// Returns a wall that fits the cards which a deal names.
fn by_hand(table: &Table, deal: &Deal) -> Result<Vec<Card>, Vec<Violation>> {
    let no_wall = || {
        let fault = Violation::new(Code::SetupDeal, Field::Action).fact("zone", "WALL");
        one(fault.fact("found", 0u16).fact("required", table.rules.deck_size()))
    };
    if !deal.names_cards() {
        return Err(no_wall());
    }
    let faults = transcribed::faults(table, deal);
    if !faults.is_empty() {
        return Err(faults);
    }
    transcribed::wall(table, deal, &[]).map_err(|_| no_wall())
}

/// Returns the cuts that took off exactly the cards dealt from them (WH-013, HF-025, HF-027, HF-114). Further upcards
/// and replaced threes are not counted (AMB-WH-02). A cut that the deal does not state pays nothing.
fn exact_cuts(set: &RuleSet, deal: &Deal) -> Cut {
    let cards = |size: u32| u32::from(set.seats) * size;
    let exact = |way, count| set.cut_ways.contains(way) && deal.lifted.map(u32::from) == Some(count);
    let hands = cards(set.hand_size.into());
    Cut {
        hands: exact(CutWay::Hands, hands)
            || exact(CutWay::HandsPlusOne, hands + 1)
            || exact(CutWay::HandAndFoot, u32::from(set.hand_size + set.foot_size)),
        feet: set.foot_cut_bonus > 0 && deal.foot_lifted.map(u32::from) == Some(cards(set.feet_size())),
    }
}

/// Returns SETUP_DECK for a card that the wall holds more or less often than the pack, or `None` if there is no
/// such card.
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
