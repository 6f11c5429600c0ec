//! Method SuggestAction.

use canasta_engine::action::{Action, As};
use canasta_engine::bot::{BotChoice, Estimate, Level, Reason, Review, ReviewSlip, RoundMemory};
use canasta_engine::check::check;
use canasta_engine::game::Game;
use canasta_engine::seat::Seat;
use canasta_engine::text::words::REASONS;
use canasta_engine::view::{EventView, view};
use canasta_engine::{bot, legal};
use canasta_proto::v1 as pb;
use canasta_proto::v1::{SuggestActionRequest, SuggestActionResponse};

use super::open_state;
use crate::convert::action_out;
use crate::convert::field::{Read, all, at_most, each, fault, within};
use crate::convert::{action, event, identity};
use crate::fault::OrFault;
use crate::host::Host;
use crate::steps;

/// Maximum number of actions of a history: a round has some hundred.
const HISTORY_MAX: usize = 1024;

/// The level of a bot for which none is named.
pub const USUAL_LEVEL: u32 = 3;

/// Answers the bot's choice for the seat or role that the caller acts for, and what it says of a step that was played.
pub fn answer(host: &dyn Host, request: SuggestActionRequest) -> OrFault<SuggestActionResponse> {
    let played = request.played.map(|played| action::read(Some(played))).transpose();
    let (level, memory, played) = all((read_level(request.level), remembered(request.history), played))?;
    let (state, who) = open_state(host, &request.state, request.actor)?;
    let memory = match (memory, who) {
        (Some(memory), As::Seat(seat)) => Some(fitting(&memory, &state, seat)?),
        _ => None,
    };
    let from_view = memory.is_none() || level.forgets();
    let (memory, seed) = (memory.unwrap_or_default(), request.seed);
    let review = match played {
        Some(played) => review(&state, who, level, &memory, &played, seed).map_err(within("played"))?,
        None => None,
    };
    let answer = match &review {
        Some(of @ Review { best, reason, estimates, lost, error, tables }) => {
            let slip = of.slip().map_or("", ReviewSlip::name).into();
            let compared = pb::Review { lost: *lost as i32, error: *error as u32, tables: *tables, slip };
            SuggestActionResponse { review: Some(compared), ..written(Some(best), *reason, estimates) }
        }
        None => suggest(&state, who, level, &memory, seed),
    };
    Ok(SuggestActionResponse { from_view, ..answer })
}

/// Returns the review of a step that a seat has played; `None` if it had no choice.
fn review(
    state: &Game,
    who: As,
    level: Level,
    memory: &RoundMemory,
    played: &Action,
    seed: u64,
) -> Read<Option<Review>> {
    let table = &state.table;
    let As::Seat(seat) = who else { return Err(fault("expected a seat as the actor of a played step")) };
    if level.playouts() == 0 {
        return Err(fault(format!("expected a level of 4 to 6 beside it, found {}", level.number())));
    }
    if !steps::is_to_act(table, who) || check(table, who, played).is_err() {
        return Err(fault("expected a step that is legal in this state, for the seat that is to act"));
    }
    Ok(level.review(table, seat, memory, (&legal::steps(table).actions, played), seed))
}

/// Reads what a seat remembers from its history of the round; `None` if it has none.
fn remembered(history: Vec<pb::SeenAction>) -> Read<Option<RoundMemory>> {
    let read = |seen: pb::SeenAction| {
        let actor = identity::read(seen.actor);
        let events = each(seen.events, event::read).map_err(within("events"));
        all((actor, events))
    };
    at_most(&history, HISTORY_MAX).map_err(within("history"))?;
    let history: Vec<(As, Vec<Option<EventView>>)> = each(history, read).map_err(within("history"))?;
    let mut memory = (!history.is_empty()).then(RoundMemory::default);
    for (actor, events) in history {
        let events: Vec<EventView> = events.into_iter().flatten().collect();
        memory.iter_mut().for_each(|memory| memory.see(actor, &events));
    }
    Ok(memory)
}

/// Returns the part of a memory that fits what the seat sees.
fn fitting(memory: &RoundMemory, state: &Game, seat: Seat) -> Read<RoundMemory> {
    let problem = || {
        let (told, lies) = (memory.recall().pile.len(), state.table.pile().len());
        let expected = "expected all that happened since the deal of this round, up to the state";
        fault(format!("{expected}; it leads to a pile of {told} cards, where {lies} lie, or to another top"))
    };
    memory.fitting(&state.table, seat).ok_or_else(problem).map_err(within("history"))
}

/// Reads the strength of a bot, 0 for the usual one.
pub fn read_level(number: u32) -> Read<Level> {
    let number = if number == 0 { USUAL_LEVEL } else { number };
    let problem = || fault(format!("expected 1 to {}, or none, found {number}", Level::ALL.len()));
    Level::new(number).ok_or_else(problem).map_err(within("level"))
}

/// Returns the bot's choice for a seat or role in a state, without a review. `memory`: what the seat remembers of the round.
pub fn suggest(
    state: &Game,
    who: As,
    level: Level,
    memory: &RoundMemory,
    seed: u64,
) -> SuggestActionResponse {
    let table = &state.table;
    let (action, reason, estimates) = match who {
        _ if steps::is_to_act(table, who) => match choose(state, level, memory, seed) {
            Some(BotChoice { action, reason, estimates }) => (Some(action), reason, estimates),
            None => return SuggestActionResponse::default(),
        },
        As::Seat(seat) => {
            let view = view(table, who);
            let action = bot::suggest_aside(&view, &legal::aside(table, seat).actions, seed);
            let reason = action.as_ref().and_then(|action| bot::reason(&view, action));
            (action, reason, Vec::new())
        }
        As::Table | As::Judge | As::Director | As::Spectator => return SuggestActionResponse::default(),
    };
    written(action.as_ref(), reason, &estimates)
}

fn written(action: Option<&Action>, reason: Option<Reason>, estimates: &[Estimate]) -> SuggestActionResponse {
    SuggestActionResponse {
        action: action.map(action_out::write),
        reason: reason.map_or("", |reason| REASONS[reason as usize].name).into(),
        estimates: estimates.iter().map(write).collect(),
        ..Default::default()
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
