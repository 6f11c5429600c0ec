//! Repairs in words: the name and the facts of each, and its sentences.

use super::{Edit, Repair, RepairStep};
use crate::violations::template::{Filled, Language, Wording};
use crate::violations::{Fact, FactKind, FactRow};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

const CARDS: FactRow = FactRow::new("cards", FactKind::Cards);
const COUNT: FactRow = FactRow::new("count", FactKind::Int);
const MELD: FactRow = FactRow::new("meld", FactKind::Meld);
const POINTS: FactRow = FactRow::new("points", FactKind::Int);
const RANGE: FactRow = FactRow::new("range", FactKind::Word);
const REMEDY: FactRow = FactRow::new("remedy", FactKind::Word);
const SEAT: FactRow = FactRow::new("seat", FactKind::Seat);

/// The messages of repairs. The last one is not a [`Repair`]: it holds for rules that contradict each other.
pub const REPAIRS: [Wording; 24] = [
    Wording::new("leave_out", &[CARDS], "leave {cards} out", "{cards} weglassen"),
    Wording::new("add", &[CARDS], "add {cards} to the meld", "{cards} zur Meldung dazulegen"),
    Wording::new(
        "lay_more",
        &[POINTS, CARDS],
        "lay {points} more points, for example {cards}",
        "noch {points} Punkte auslegen, zum Beispiel {cards}",
    ),
    Wording::new(
        "keep_more",
        &[COUNT],
        "keep {count} more in the hand",
        "{count, plural, one {noch eine Karte} other {noch {count} Karten}} auf der Hand behalten",
    ),
    Wording::new(
        "fewer_wilds",
        &[COUNT],
        "leave {count} wild out",
        "{count, plural, one {eine wilde Karte} other {{count} wilde Karten}} weglassen",
    ),
    Wording::new("onto", &[MELD], "name {meld} as the target", "{meld} als Ziel nennen"),
    Wording::new("wilds_onto", &[MELD], "put the wilds onto {meld}", "die wilden Karten an {meld} anlegen"),
    Wording::new("draw_from_stock", &[], "draw from the stock", "vom Talon ziehen"),
    Wording::new("take_pile", &[], "take the pile", "den Ablagestapel nehmen"),
    Wording::new("end_round", &[], "end the round", "die Runde beenden"),
    Wording::new("meld_or_discard", &[], "meld or discard", "melden oder abwerfen"),
    Wording::new("pass", &[], "pass", "ohne Abwurf beenden"),
    Wording::new("ask", &[], "ask first", "zuerst fragen"),
    Wording::new(
        "name_way",
        &[],
        "name the way out in the question",
        "in der Frage den Weg zum Ausmachen nennen",
    ),
    Wording::new("restore_pile", &[], "put the top back", "die oberste Karte zurücklegen"),
    Wording::new("lay_threes", &[], "lay the threes", "die Dreien auslegen"),
    Wording::new("take_back", &[MELD], "take cards back from {meld}", "Karten von {meld} zurücknehmen"),
    Wording::new("go_out", &[], "go out in this turn", "in diesem Zug ausmachen"),
    Wording::new("wait_for", &[SEAT], "wait for {seat}", "auf {seat} warten"),
    Wording::new(
        "wait_for_answer",
        &[SEAT],
        "wait for the answer of {seat}",
        "auf die Antwort von {seat} warten",
    ),
    Wording::new("wait_for_table", &[], "wait for the table", "auf die Spielleitung warten"),
    Wording::new(
        "name_dealer",
        &[RANGE],
        "choose the dealer: give `dealer`, {range}",
        "den Geber bestimmen: `dealer` angeben, {range}",
    ),
    Wording::new("no_dealer", &[], "leave `dealer` out", "`dealer` weglassen"),
    Wording::new("change_rules", &[REMEDY], "{remedy}", "die Regeln ändern: {remedy}"),
];

impl Repair {
    /// Returns the message of the repair and the facts that it states.
    ///
    /// # Panics
    /// If [`REPAIRS`] lacks the repair. This cannot happen: a test tries every repair.
    pub fn wording(&self) -> (&'static Wording, Vec<(&'static str, Fact)>) {
        let (name, facts) = match self {
            Self::Edit(edit) => edit.said(),
            Self::Step(step) => step.said(),
        };
        let row = REPAIRS.iter().find(|row| row.name == name);
        (row.expect("every repair has a message"), facts)
    }
}

impl Edit {
    fn said(&self) -> (&'static str, Vec<(&'static str, Fact)>) {
        let cards = |cards: &super::CardList| ("cards", cards.clone().into());
        match self {
            Self::LeaveOut(left_out) => ("leave_out", vec![cards(left_out)]),
            Self::Add(added) => ("add", vec![cards(added)]),
            Self::LayMore { points, with } => ("lay_more", vec![("points", (*points).into()), cards(with)]),
            Self::KeepMore(count) => ("keep_more", vec![("count", (*count).into())]),
            Self::FewerWilds(count) => ("fewer_wilds", vec![("count", (*count).into())]),
            Self::Onto(id) => ("onto", vec![("meld", (*id).into())]),
            Self::WildsOnto(id) => ("wilds_onto", vec![("meld", (*id).into())]),
        }
    }
}

impl RepairStep {
    fn said(&self) -> (&'static str, Vec<(&'static str, Fact)>) {
        let bare = |name| (name, Vec::new());
        match self {
            Self::DrawFromStock => bare("draw_from_stock"),
            Self::TakePile => bare("take_pile"),
            Self::EndRound => bare("end_round"),
            Self::MeldOrDiscard => bare("meld_or_discard"),
            Self::Pass => bare("pass"),
            Self::Ask => bare("ask"),
            Self::NameWay => bare("name_way"),
            Self::RestorePile => bare("restore_pile"),
            Self::LayThrees => bare("lay_threes"),
            Self::TakeBack(id) => ("take_back", vec![("meld", (*id).into())]),
            Self::GoOut => bare("go_out"),
            Self::WaitFor(seat) => ("wait_for", vec![("seat", (*seat).into())]),
            Self::WaitForAnswer(seat) => ("wait_for_answer", vec![("seat", (*seat).into())]),
            Self::WaitForTable => bare("wait_for_table"),
            Self::NameDealer { last } => ("name_dealer", vec![("range", format!("0 to {last}").into())]),
            Self::NoDealer => bare("no_dealer"),
        }
    }
}

/// Writes the English sentence.
impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, facts) = self.wording();
        let language = Language::English;
        Filled { language, template: row.template(language), facts: &facts }.fmt(f)
    }
}

#[cfg(test)]
mod tests {
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
        let repairs: Vec<Repair> =
            edits.into_iter().map(Repair::from).chain(steps.map(Repair::from)).collect();
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
}
