//! The text form of a log, `canasta-jsonl/1`: one JSON object per record.
//!
//! Export and import lose nothing that a log stores. What only follows from it (events, walls, totals) is not
//! computed here: export receives it as [`Derived`], import returns what it found, and whoever can execute
//! the log compares. Three values are counted here, since they need no rules: `seq`, `round` and `at_ms`.

mod coder;
mod event;
mod export;
mod import;
mod json;
mod lines;
mod proposal;
mod values;

pub use export::{ExportError, Exporter};
pub use import::{ForeignAction, ForeignLine, ImportError, Importer};
pub use proposal::TriedAction;

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_rules::action::Action;
use canasta_rules::card::Card;
use canasta_rules::event::Event;
use canasta_rules::seat::Seat;
use serde_json::Value;

/// The name of the form, which its first line has.
pub const FORMAT: &str = "canasta-jsonl/1";

/// Returns an event as it stands in a line.
pub fn event_value(event: &Event) -> Value {
    coder::Json::write(None, |f| event::event(f, &mut event.clone()))
}

/// Parses the `action` of a line.
pub fn action_of(value: &Value) -> Result<Action, String> {
    coder::Json::action(value.clone()).map_err(|fault| fault.within("action").to_string())
}

/// Parses a line as JSON, whatever it contains.
pub fn line_value(line: &str) -> Result<Value, String> {
    json::parse(line).map_err(|fault| fault.to_string())
}

/// The values of a line that are not in its record. `None`: absent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Derived {
    /// Actions: the number of the accepted action, from 1. Export counts this number itself.
    pub seq: Option<u64>,
    /// Actions and refusals: the round of the last register. Export counts this number itself.
    pub round: Option<u32>,
    /// Actions: the events that they caused.
    pub events: Option<Vec<Event>>,
    /// Refusals: the action behind the mask; import returns what it can parse of the action.
    pub attempt: Option<Action>,
    /// Rulings: the position behind the mask. Ignored by import.
    pub position: Option<String>,
    /// Round end: the seat whose action ended the round.
    pub seat: Option<Seat>,
    /// Round end: whether that seat went out concealed.
    pub concealed: Option<bool>,
    /// Round end: the dealer.
    pub dealer: Option<Seat>,
    /// Round end: the pack in dealing order, if the record does not hold it.
    pub wall: Option<Vec<Card>>,
    /// Round end: the scores before the round, by side (or seat).
    pub start_scores: Option<Vec<i32>>,
    /// Round end: the total of each side, in the order of the sides. Export adds up this total itself.
    pub totals: Option<Vec<i64>>,
    /// Round end and game end: sides (or seats) and their scores afterwards.
    pub cumulative: Option<Vec<(u8, i32)>>,
    /// Game end: the best score minus the second best.
    pub margin: Option<i32>,
}

/// The values that are counted from line to line, in both directions.
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
    /// Whether keys that only logs of this project have may be missing.
    foreign: bool,
}

impl Counters {
    /// Returns the key under which the owner of a score stands.
    fn unit(&self) -> &'static str {
        if self.by_seat { "seat" } else { "side" }
    }
}
