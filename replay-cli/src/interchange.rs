//! The text form of a log, `canasta-jsonl/1`: one JSON object a record.
//!
//! What a log stores comes out and goes back in without loss. What only follows from it (events,
//! walls, totals) is not computed here: export is handed it as [`Derived`], import hands back what
//! it found, and whoever can execute the log compares. Three things are counted on the way, since
//! they need no rules: `seq`, `round` and `at_ms`.

mod action;
mod event;
mod export;
mod import;
mod json;
mod proposal;
mod values;

pub use export::{ExportError, Exporter};
pub use import::{ForeignAction, ForeignLine, ImportError, Importer};
pub use proposal::TriedAction;

use canasta_engine::action::Action;
use canasta_engine::card::Card;
use canasta_engine::event::Event;
use canasta_engine::seat::Seat;
use serde_json::Value;

/// The name of the form, in its first line.
pub const FORMAT: &str = "canasta-jsonl/1";

/// An event as it stands in a line.
pub(crate) fn event_value(event: &Event) -> Value {
    event::to_value(event)
}

/// The action that a line's `action` is.
pub(crate) fn action_of(value: &Value) -> Result<Action, String> {
    action::from_value(value).map_err(|fault| fault.within("action").to_string())
}

/// A line as JSON, whatever stands in it.
pub(crate) fn line_value(line: &str) -> Result<Value, String> {
    json::parse(line).map_err(|fault| fault.to_string())
}

/// What stands in a line but not in the record. `None`: absent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Derived {
    /// Actions: the number of the accepted action, from 1. Export counts it itself.
    pub seq: Option<u64>,
    /// Actions and refusals: the round of the last register. Export counts it itself.
    pub round: Option<u32>,
    /// Actions: what they caused.
    pub events: Option<Vec<Event>>,
    /// Refusals: the action behind the mask; import hands back what it can read of it.
    pub attempt: Option<Action>,
    /// Rulings: the position behind the mask. Ignored by import.
    pub position: Option<String>,
    /// Round end: whose action ended it.
    pub seat: Option<Seat>,
    /// Round end: whether that seat went out concealed.
    pub concealed: Option<bool>,
    /// Round end: who dealt.
    pub dealer: Option<Seat>,
    /// Round end: the pack in dealing order, where the record does not hold it.
    pub wall: Option<Vec<Card>>,
    /// Round end: the scores before it, by side (or seat).
    pub start_scores: Option<Vec<i32>>,
    /// Round end: each side's total, in the order of the sides. Export adds it up itself.
    pub totals: Option<Vec<i64>>,
    /// Round end and game end: sides (or seats) and their scores after it.
    pub cumulative: Option<Vec<(u8, i32)>>,
    /// Game end: best minus second best.
    pub margin: Option<i32>,
}

/// What is counted from line to line, in both directions.
#[derive(Debug, Default)]
struct Counters {
    /// Number of the last accepted action.
    seq: u64,
    /// The round of the last register.
    round: Option<u32>,
    /// Sum of the claimed times.
    at_ms: u64,
    /// Whether scores are kept by seat.
    by_seat: bool,
}

impl Counters {
    /// The key under which a score's owner stands.
    fn unit(&self) -> &'static str {
        if self.by_seat { "seat" } else { "side" }
    }
}
