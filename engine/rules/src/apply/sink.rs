//! The receiver of the events of an action.

use crate::event::{Event, Events};

/// A receiver of events: [`Events`], a list of them, or `()` for a caller who does not want any. An event is made only
/// for a receiver that keeps it.
pub trait Sink {
    /// Adds an event.
    fn add(&mut self, event: impl FnOnce() -> Event);
    /// Returns the place of the next event.
    fn place(&self) -> usize;
    /// Adds an event at a place, before those that came later.
    fn insert_at(&mut self, place: usize, event: impl FnOnce() -> Event);
}

impl Sink for Events {
    fn add(&mut self, event: impl FnOnce() -> Event) {
        self.push(event());
    }

    fn place(&self) -> usize {
        self.len()
    }

    fn insert_at(&mut self, place: usize, event: impl FnOnce() -> Event) {
        self.insert(place, event());
    }
}

impl Sink for () {
    fn add(&mut self, _event: impl FnOnce() -> Event) {}

    fn place(&self) -> usize {
        0
    }

    fn insert_at(&mut self, _place: usize, _event: impl FnOnce() -> Event) {}
}
