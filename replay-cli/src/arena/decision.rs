//! The decision of a seat, and the question about it.

use crate::shared::text::action_line;
use canasta_engine::action::{Action, As};
use canasta_engine::bot::RoundMemory;
use canasta_engine::card::Cards;
use canasta_engine::notation::Position;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use serde_json::{Value, json};

/// The decision of a seat.
pub struct SeatDecision<'a> {
    pub table: &'a Table,
    pub seat: Seat,
    pub memory: &'a RoundMemory,
    /// The actions of the round since the seat's last decision, as all hear them.
    pub since: &'a [(As, Action)],
    pub steps: &'a [Action],
}

impl SeatDecision<'_> {
    /// Returns the question to a program, without any card that the seat may not know.
    pub fn question(&self, clock_ms: u64) -> Value {
        let set = self.table.set();
        let held = self.memory.recall().held.iter().take(set.seats.into());
        let texts = |cards: &Cards| cards.iter().map(|card| card.to_string()).collect();
        let is_other = |(actor, _): &&(As, Action)| *actor != As::Seat(self.seat);
        let since = self.since.iter().filter(is_other);
        json!({
            "op": "choose",
            "clock_ms": clock_ms,
            "position": Position::seen_by(self.table, As::Seat(self.seat)).to_string(),
            "held": held.map(texts).collect::<Vec<Vec<String>>>(),
            "since": since.map(|(actor, action)| action_line(Some(*actor), action, set)).collect::<Value>(),
            "actions": self.steps.iter().map(|step| action_line(None, step, set)).collect::<Value>(),
        })
    }
}

/// Returns the action of a seat as the others hear it: the way out is for the referee.
pub fn heard(action: &Action) -> Action {
    match action {
        Action::Ask { about, to, .. } => Action::Ask { about: *about, to: *to, with: None },
        action => action.clone(),
    }
}
