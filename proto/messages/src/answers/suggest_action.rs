//! Method SuggestAction.

use canasta_engine::action::As;
use canasta_engine::bot::{BotChoice, Estimate, Level, RoundMemory};
use canasta_engine::game::Game;
use canasta_engine::text::words::REASONS;
use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use canasta_proto::v1 as pb;
use canasta_proto::v1::{SuggestActionRequest, SuggestActionResponse};

use super::open_state;
use crate::convert::action_out;
use crate::convert::field::{Read, fault, within};
use crate::fault::RequestFault;
use crate::host::Host;
use crate::steps;

/// The level of a bot for which none is named.
pub const USUAL_LEVEL: u32 = 3;

/// A suggestion in the messages of the proto.
#[derive(Default)]
pub struct Suggestion {
    /// The action; `None` if the seat or role has nothing to do.
    pub action: Option<pb::Action>,
    /// The name of the reason; empty if there is none.
    pub reason: String,
    /// The results of playing on after the steps that were compared.
    pub estimates: Vec<pb::Estimate>,
}

/// Answers the bot's choice for the seat or role that the caller acts for.
pub fn answer(host: &dyn Host, request: SuggestActionRequest) -> Result<SuggestActionResponse, RequestFault> {
    let level = read_level(request.level)?;
    let (state, who) = open_state(host, &request.state, request.actor)?;
    let Suggestion { action, reason, estimates } =
        suggest(&state, who, level, &RoundMemory::default(), request.seed);
    Ok(SuggestActionResponse { action, reason, estimates })
}

/// Reads the strength of a bot, 0 for the usual one.
pub fn read_level(number: u32) -> Read<Level> {
    let number = if number == 0 { USUAL_LEVEL } else { number };
    let problem = || fault(format!("expected 1 to {}, or none, found {number}", Level::ALL.len()));
    Level::new(number).ok_or_else(problem).map_err(within("level"))
}

/// Returns the bot's choice for a seat or role in a state. `memory`: what the seat remembers of the round.
pub fn suggest(state: &Game, who: As, level: Level, memory: &RoundMemory, seed: u64) -> Suggestion {
    let table = &state.table;
    let (action, reason, estimates) = match who {
        _ if steps::is_to_act(table, who) => match choose(state, level, memory, seed) {
            Some(BotChoice { action, reason, estimates }) => (Some(action), reason, estimates),
            None => return Suggestion::default(),
        },
        As::Seat(seat) => {
            let view = view(table, who);
            let action = bot::suggest_aside(&view, &legal::aside(table, seat).actions, seed);
            let reason = action.as_ref().and_then(|action| bot::reason(&view, action));
            (action, reason, Vec::new())
        }
        As::Table | As::Judge | As::Director | As::Spectator => return Suggestion::default(),
    };
    Suggestion {
        action: action.as_ref().map(action_out::write),
        reason: reason.map_or("", |reason| REASONS[reason as usize].name).into(),
        estimates: estimates.iter().map(write).collect(),
    }
}

/// Returns the choice of a bot for whoever must act; `None` if nothing is found, in a position that no game comes to.
pub fn choose(state: &Game, level: Level, memory: &RoundMemory, seed: u64) -> Option<BotChoice> {
    let mut actions = legal::steps(&state.table).actions;
    let mut choice = None;
    let action = legal::choose(&state.table, &mut actions, |steps| {
        let chosen = match legal::actor(&state.table) {
            As::Seat(seat) => level.choose(&state.table, seat, memory, steps, seed),
            _ => BotChoice { action: steps[0].clone(), reason: None, estimates: Vec::new() },
        };
        choice.insert(chosen).action.clone()
    })?;
    choice.filter(|choice| choice.action == action)
}

fn write(estimate: &Estimate) -> pb::Estimate {
    let (gain, error) = estimate.gain();
    pb::Estimate {
        action: Some(action_out::write(&estimate.action)),
        tables: estimate.tables,
        points: estimate.points() as i32,
        gain: gain as i32,
        error: error as u32,
    }
}
