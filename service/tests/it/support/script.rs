//! Whole games that the bot plays in this process: their actions and their logs.

use canasta_engine::action::{Action, As};
use canasta_engine::game::{Game, Stamp};
use canasta_engine::table::Phase;
use canasta_engine::token::{Catalogue, decode};
use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use canasta_messages::convert::{action_out, identity};
use canasta_proto::v1 as pb;

use super::game::{Client, created, new_game};

/// A game, action by action.
pub struct PlayedScript {
    /// The token and the beginning of the log that CreateGame gave.
    pub state: Vec<u8>,
    pub created: Vec<u8>,
    pub moves: Vec<Move>,
}

/// An action, and the engine's result of it.
pub struct Move {
    pub who: As,
    pub action: Action,
    pub before: Game,
    pub after: Game,
    pub frames: Vec<u8>,
}

impl Move {
    pub fn who(&self) -> Option<pb::Actor> {
        Some(identity::write(self.who))
    }

    pub fn action(&self) -> Option<pb::Action> {
        Some(action_out::write(&self.action))
    }
}

impl PlayedScript {
    /// Plays a game of Classic, up to `rounds` rounds or its end.
    pub async fn play(client: &mut Client, rounds: u32) -> Self {
        let game = created(client, new_game()).await;
        let mut state = decode(&game.state, &Catalogue::new()).expect("an open token");
        let (mut moves, mut ended) = (Vec::new(), 0);
        while state.table.phase() != Phase::GameOver && ended < rounds {
            let who = state.table.to_act().map_or(As::Table, As::Seat);
            let seed = moves.len() as u64;
            let action = bot::suggest(&view(&state.table, who), &legal::steps(&state.table).actions, seed);
            let before = state.clone();
            let acted = state.act(who, &action, Stamp::default()).expect("a suggestion is legal");
            ended += u32::from(acted.round.is_some());
            moves.push(Move { who, action, before, after: state.clone(), frames: acted.frames });
        }
        Self { state: game.state, created: game.frames, moves }
    }

    /// Returns the log after this number of actions.
    pub fn log(&self, moves: usize) -> Vec<u8> {
        let mut log = self.created.clone();
        self.moves[..moves].iter().for_each(|made| log.extend(&made.frames));
        log
    }
}
