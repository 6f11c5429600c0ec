//! Repairs in words: the name and the facts of each, and its sentences.

use super::{Edit, Repair, RepairStep};
use crate::violations::template::{Filled, Language, Wording};
use crate::violations::{Fact, FactKind, FactRow};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

include!(concat!(env!("OUT_DIR"), "/repairs.rs"));

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
mod tests;
