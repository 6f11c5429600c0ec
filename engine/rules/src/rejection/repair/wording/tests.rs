//! Tests of repairs in words.

use super::*;
use crate::action::{CardList, MeldId};
use crate::card::Card;
use crate::seat::Seat;
use alloc::string::ToString;

/// Checks every repair: it has a message, states exactly its facts, and two have no message in common.
#[test]
fn every_repair_has_a_message_of_its_own() {
    let (cards, meld): (CardList, _) = ([Card::JOKER].into_iter().collect(), MeldId(3));
    let edits = [
        Edit::LeaveOut(cards.clone()),
        Edit::Add(cards.clone()),
        Edit::LayMore { points: 15, with: cards },
        Edit::KeepMore(2),
        Edit::FewerWilds(1),
        Edit::Onto(meld),
        Edit::WildsOnto(meld),
    ];
    let steps = [
        RepairStep::DrawFromStock,
        RepairStep::TakePile,
        RepairStep::EndRound,
        RepairStep::MeldOrDiscard,
        RepairStep::Pass,
        RepairStep::Ask,
        RepairStep::NameWay,
        RepairStep::RestorePile,
        RepairStep::LayThrees,
        RepairStep::TakeBack(meld),
        RepairStep::GoOut,
        RepairStep::WaitFor(Seat(1)),
        RepairStep::WaitForAnswer(Seat(2)),
        RepairStep::WaitForTable,
        RepairStep::NameDealer { last: Seat(3) },
        RepairStep::NoDealer,
    ];
    let repairs: Vec<Repair> = edits.into_iter().map(Repair::from).chain(steps.map(Repair::from)).collect();
    assert_eq!(repairs.len() + 1, REPAIRS.len(), "change_rules is no repair of an action");
    for (repair, row) in repairs.iter().zip(&REPAIRS) {
        let (said, facts) = repair.wording();
        assert_eq!(said.name, row.name);
        let stated = facts.iter().map(|(name, fact)| (*name, fact.kind()));
        assert!(stated.eq(row.facts.iter().map(|fact| (fact.name, fact.kind))), "{}", row.name);
    }
    assert_eq!(repairs[2].to_string(), "lay 15 more points, for example X");
    assert_eq!(repairs[9 + 7].to_string(), "take cards back from meld 3");
}
