//! The results of executing a log, record by record.

use super::scene::{self, TableScene};
use super::words::Texts;
use crate::ruling::{notation, steps};
use crate::text::{NamedMeld, PlayerNames, melds_of};
use canasta_engine::action::Action;
use canasta_engine::event::Event;
use canasta_engine::log::replay::{Step, What};
use canasta_engine::rejection::Rejection;
use canasta_engine::scoring::RoundScore;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Table};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The consequences of one record.
#[derive(Default)]
pub struct Happened {
    /// Whether the record was executed.
    pub executed: bool,
    pub events: Vec<Event>,
    /// The differences between the table after this record and after the record before.
    pub patch: Map<String, Value>,
    /// The differences once the cards are gathered before the next round.
    pub gathered: Option<Map<String, Value>>,
    /// The action that was refused.
    pub refused: Option<Action>,
    pub rejection: Option<Rejection>,
    /// The steps that were possible instead of an action that broke a rule, in notation.
    pub possible: Vec<String>,
    pub score: Option<RoundScore>,
    pub lone: Option<Seat>,
    /// The melds on the table after the record.
    pub melds: Vec<NamedMeld>,
}

/// A collector of the steps of an audit.
#[derive(Default)]
pub struct SceneWatcher {
    texts: Texts,
    names: Option<(Option<Seat>, PlayerNames)>,
    last: TableScene,
    found: BTreeMap<u64, Happened>,
}

impl SceneWatcher {
    /// Stores what a step says.
    pub fn watch(&mut self, step: &Step<'_>) {
        let state = step.table;
        // Cards of a transcript may only stand for unknown cards, so the page shows none of them.
        if step.known.is_some() || matches!(step.what, What::Checkpoint { .. } | What::Stood { .. }) {
            return;
        }
        let mut happened = self.found.remove(&step.n).unwrap_or_default();
        (happened.lone, happened.melds) = (state.lone(), melds_of(state));
        match step.what {
            What::Acted(events) => {
                happened.executed = true;
                happened.events = events.to_vec();
                let next = self.scene(state);
                happened.patch = self.go_to(next);
            }
            What::Illegal(rejection) => {
                happened.rejection = Some(rejection.clone());
                happened.possible = notation(&steps(state), state);
            }
            What::Refused { action, rejection } => {
                happened.executed = true;
                happened.refused = Some(action.clone());
                happened.rejection = rejection.cloned();
                happened.possible = notation(&steps(state), state);
            }
            What::Booked { score, .. } => {
                happened.executed = true;
                happened.score = score.cloned();
                self.book(state, &mut happened);
            }
            What::RoundEnd { .. } | What::GameEnd(_) | What::Checkpoint { .. } | What::Stood { .. } => {}
        }
        self.found.insert(step.n, happened);
    }

    /// Stores the end of a round: its last table has the new scores, and the next round begins with an empty
    /// table.
    fn book(&mut self, state: &Table, happened: &mut Happened) {
        let empty = self.scene(state);
        let mut scored = self.last.clone();
        scored.take_scores(&empty);
        happened.patch = self.go_to(scored);
        if state.phase() != Phase::GameOver {
            happened.gathered = Some(self.go_to(empty));
        }
    }

    fn go_to(&mut self, next: TableScene) -> Map<String, Value> {
        let patch = next.since(&self.last);
        self.last = next;
        patch
    }

    fn scene(&mut self, state: &Table) -> TableScene {
        let lone = state.lone();
        if self.names.as_ref().is_none_or(|(of, _)| *of != lone) {
            self.names = Some((lone, PlayerNames::placeholders(state.set(), lone)));
        }
        let (_, names) = self.names.as_ref().expect("set above");
        scene::of(state, names, &mut self.texts)
    }

    /// Returns the texts, and the consequences by record.
    pub fn finish(self) -> (Texts, BTreeMap<u64, Happened>) {
        (self.texts, self.found)
    }
}
