//! Observers: the actors whose observations a request asks for, besides those of whoever acts.

use canasta_engine::action::As;
use canasta_engine::event::Events;
use canasta_engine::game::Game;
use canasta_engine::table::Table;
use canasta_engine::view::events;
use canasta_proto::v1 as pb;
use prost::Message;

use super::check_seat;
use crate::convert::field::{Read, at_most, each, fault, item, within};
use crate::convert::{event, identity, view};
use crate::fault::OrFault;
use crate::host::GameScope;
use crate::host::Host;
use crate::limits::{OBSERVED_BYTES_MAX, OBSERVERS_MAX};

/// The observers of a request, each of them once.
pub struct Observers(Vec<As>);

/// The events that have led to a state.
#[derive(Default)]
pub struct Happened {
    /// The events, in order.
    pub events: Events,
    /// The table at the end of the last round that ended, before its score was booked.
    pub last_table: Option<Box<Table>>,
}

impl Happened {
    /// Adds what happened afterwards.
    pub fn extend(&mut self, next: Self) {
        self.events.extend(next.events);
        self.last_table = next.last_table.or(self.last_table.take());
    }
}

impl Observers {
    /// Reads the field `observers`, and checks that the caller may act for each observer in `game`, and that a game
    /// with this number of seats has the observer.
    pub fn read(list: Vec<pb::Actor>, host: &dyn Host, game: GameScope, seats: u8) -> OrFault<Self> {
        let observers = read_all(list, seats).map_err(within("observers"))?;
        observers.iter().try_for_each(|&observer| host.entitle(observer, game))?;
        Ok(Self(observers))
    }

    /// Reads the observers of a request about an open state.
    pub fn of_state(list: Vec<pb::Actor>, host: &dyn Host, state: &Game) -> OrFault<Self> {
        Self::read(list, host, GameScope::Of(state.dealing.game_id), state.table.set().seats)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes what each observer sees of `happened`, and of the state after it, in the order of the request. `answer`
    /// is the rest of the answer, without its state.
    ///
    /// # Errors
    /// If the whole answer would be longer than [`OBSERVED_BYTES_MAX`]. No more than that is written.
    pub fn observe(
        &self,
        state: &Game,
        happened: &Happened,
        answer: &impl Message,
    ) -> Read<Vec<pb::Observation>> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let mut room = OBSERVED_BYTES_MAX.saturating_sub(answer.encoded_len());
        let mut observations = Vec::with_capacity(self.0.len());
        for &observer in &self.0 {
            let observation = pb::Observation {
                actor: Some(identity::write(observer)),
                events: events(&happened.events, observer).iter().map(event::write).collect(),
                view: Some(view::of_game(state, observer)),
                round_over: happened.last_table.as_ref().map(|last| view::of_table(state, last, observer)),
            };
            let too_long = || {
                within("observers")(fault(format!(
                    "the answer would have more than {OBSERVED_BYTES_MAX} bytes"
                )))
            };
            // The field's tag and length are the last few bytes.
            room = room.checked_sub(observation.encoded_len() + 8).ok_or_else(too_long)?;
            observations.push(observation);
        }
        Ok(observations)
    }
}

fn read_all(list: Vec<pb::Actor>, seats: u8) -> Read<Vec<As>> {
    at_most(&list, OBSERVERS_MAX)?;
    let observers: Vec<As> = each(list, |message| {
        let observer = identity::read_bare(message)?;
        check_seat(observer, seats)?;
        Ok(observer)
    })?;
    let is_again = |&index: &usize| observers[..index].contains(&observers[index]);
    match (0..observers.len()).find(is_again) {
        Some(index) => Err(item(index)(fault("is named twice"))),
        None => Ok(observers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::deal::{GameId, GameSecret};
    use canasta_engine::event::Event;
    use canasta_engine::game::{NewDeal, NewGame};
    use canasta_engine::rules::Rules;
    use canasta_engine::seat::Seat;
    use std::sync::Arc;

    /// Observes 4,000 passes, each of 5 bytes: they fit into one answer nine times, and not ten times.
    #[test]
    fn an_answer_that_would_be_too_long_is_refused() {
        let rules = Arc::new(Rules::preset("classic-4p").expect("the main game"));
        let new = NewGame::new(rules, GameId([1; 16]), NewDeal::Seeded(GameSecret([2; 64])));
        let state = Game::create(new).expect("a game").game;
        let events = vec![Event::Passed { seat: Seat(0) }; 4_000].into_iter().collect();
        let happened = Happened { events, last_table: None };
        let observe = |count: usize| {
            Observers(vec![As::Table; count]).observe(&state, &happened, &pb::Accepted::default())
        };
        let observations = observe(9).expect("fits");
        let answer = pb::Accepted { observations, ..Default::default() };
        assert!((180_000..OBSERVED_BYTES_MAX).contains(&answer.encoded_len()), "{}", answer.encoded_len());
        for count in [10, 16] {
            assert_eq!(observe(count).expect_err("too long").as_slice()[0].path, "observers");
        }
    }
}
