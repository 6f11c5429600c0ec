//! The keys of simulated players, and what they sign.

use canasta_engine::action::{Action, As};
use canasta_engine::deal::simulate::seat_key;
use canasta_engine::game::{Game, Stamp};
use canasta_engine::hex::hex;
use canasta_engine::log::record::Player;
use canasta_engine::log::{action_bytes, contribution_message, seat_message};
use canasta_engine::seat::Seat;
use canasta_tournament::note::sign_message;
use std::fmt::Write;

/// The keys of the players of a simulation with this seed; `None`: players without keys.
#[derive(Clone, Copy)]
pub struct SeatKeys(pub Option<u64>);

/// Returns the keys of all players in the form in which a policy registers them.
pub fn register(seed: u64, names: impl Iterator<Item = String>) -> String {
    let mut text = "[players]\n".to_owned();
    for player in SeatKeys(Some(seed)).players(names) {
        let key = player.key.map(|key| hex(&key)).unwrap_or_default();
        writeln!(text, "{} = [{key:?}]", toml::Value::from(player.name)).expect("a string takes everything");
    }
    text
}

impl SeatKeys {
    pub fn players(self, names: impl Iterator<Item = String>) -> Vec<Player> {
        let key = |player: u8| self.0.map(|seed| sign_message(&seat_key(seed, Seat(player)), &[]).0);
        (0..).zip(names).map(|(player, name)| Player { name, key: key(player) }).collect()
    }

    /// Returns the secret key of the player on a seat.
    fn key(self, state: &Game, seat: Seat) -> Option<[u8; 32]> {
        Some(seat_key(self.0?, Seat(state.table.player_on(seat))))
    }

    /// Returns the signature of an action by its seat, if the actor is a seat with a key.
    pub fn stamp(self, state: &Game, actor: As, action: &Action) -> Stamp {
        let signed = || {
            let seat = actor.seat()?;
            let bytes = action_bytes(action).ok()?;
            Some(sign_message(&self.key(state, seat)?, &seat_message(&state.link.head, seat, &bytes)).1)
        };
        Stamp { signature: signed(), ..Stamp::default() }
    }

    /// Returns the signature of every seat under its commitment in the next register.
    pub fn signatures(self, state: &Game, commitments: &[Option<[u8; 32]>]) -> Vec<Option<[u8; 64]>> {
        let (round, attempt) = (state.table.round_number().into(), state.table.attempt().into());
        let signature = |(seat, commitment): (Seat, &Option<[u8; 32]>)| {
            let message = contribution_message(&state.link.head, round, attempt, seat, commitment.as_ref()?);
            Some(sign_message(&self.key(state, seat)?, &message).1)
        };
        (0..).map(Seat).zip(commitments).map(signature).collect()
    }
}
