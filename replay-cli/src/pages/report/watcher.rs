//! The scenes of a log, record by record.

use super::scene::{self, TableScene};
use super::words::Texts;
use crate::judging::ruling::notation;
use crate::shared::text::{NamedMeld, PlayerNames, melds_of};
use canasta_engine::legal;
use canasta_engine::log::outcome::Outcome;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Table};
use serde_json::{Map, Value};

/// The facts that the page shows beside the outcome of a record.
#[derive(Default)]
pub struct RecordScene {
    /// The differences between the table after this record and after the record before.
    pub patch: Map<String, Value>,
    /// The differences once the cards are gathered before the next round.
    pub gathered: Option<Map<String, Value>>,
    /// The steps that were possible instead of an action that broke a rule, in notation.
    pub possible: Vec<String>,
    pub lone: Option<Seat>,
    /// The melds on the table after the record.
    pub melds: Vec<NamedMeld>,
}

/// A maker of the scenes of records, in the order of the log.
#[derive(Default)]
pub struct SceneWatcher {
    texts: Texts,
    names: Option<(Option<Seat>, PlayerNames)>,
    last: TableScene,
}

impl SceneWatcher {
    pub fn next(&mut self, outcome: &Outcome) -> RecordScene {
        let Some(after) = outcome.after.as_ref().filter(|_| outcome.is_judged) else {
            return RecordScene::default();
        };
        let state = &after.table;
        let mut scene = RecordScene { lone: state.lone(), melds: melds_of(state), ..RecordScene::default() };
        if outcome.events.is_some() {
            let next = self.scene(state);
            scene.patch = self.go_to(next);
        } else if outcome.illegal.is_some() || outcome.refused.is_some() {
            scene.possible = notation(&legal::steps(state), state);
        } else if outcome.is_booked {
            self.book(state, &mut scene);
        }
        scene
    }

    /// Stores the end of a round: its last table has the new scores, and the next round begins with an empty
    /// table.
    fn book(&mut self, state: &Table, of: &mut RecordScene) {
        let empty = self.scene(state);
        let mut scored = self.last.clone();
        scored.take_scores(&empty);
        of.patch = self.go_to(scored);
        if state.phase() != Phase::GameOver {
            of.gathered = Some(self.go_to(empty));
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

    /// Returns the texts of the scenes.
    pub fn finish(self) -> Texts {
        self.texts
    }
}
