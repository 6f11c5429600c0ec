//! Searching in a game.

use canasta_engine::action::Action;
use canasta_engine::event::Event;
use canasta_engine::log::Record;
use canasta_engine::log::outcome::Outcome;

/// A kind of record to search for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// An action that was refused, or recorded as done against the rules.
    Refusal,
    PileTake,
    Canasta,
    Deal,
}

impl Mark {
    pub fn name(self) -> &'static str {
        match self {
            Self::Refusal => "refusal",
            Self::PileTake => "take of the pile",
            Self::Canasta => "canasta",
            Self::Deal => "deal",
        }
    }

    /// Returns whether the record is of this kind.
    pub fn is_at(self, entry: &Outcome) -> bool {
        let action = match &*entry.record {
            Record::Action(record) => Some(&record.action),
            _ => None,
        };
        match self {
            Self::Refusal => matches!(*entry.record, Record::Refusal(_)) || entry.illegal.is_some(),
            Self::PileTake => matches!(action, Some(Action::TakePile(_) | Action::TakeTop)),
            Self::Canasta => {
                entry.events.iter().flatten().any(|event| matches!(event, Event::Canasta { .. }))
            }
            Self::Deal => matches!(action, Some(Action::Deal(_))),
        }
    }
}

/// Returns the nearest number on one side of `from`, up to `last`, for which `is` returns `true`.
pub fn nearest(from: u64, last: u64, forward: bool, is: impl Fn(u64) -> bool) -> Option<u64> {
    if forward { (from + 1..=last).find(|n| is(*n)) } else { (0..from).rev().find(|n| is(*n)) }
}
