//! A position, actions on it, and the position afterwards.

use super::game::accounts;
use super::{Answer, dealing, list, source, text};
use crate::judging::irregular::as_it_stands;
use crate::judging::ruling::facts_value;
use crate::shared::text::cannot_arise;
use canasta_engine::action::As;
use canasta_engine::card::Card;
use canasta_engine::event::{Event, FreezeCause};
use canasta_engine::game::Game;
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rejection::{Rejection, Violation};
use canasta_engine::rules::ScoreUnit;
use canasta_engine::scoring;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Meld, Phase, Table};
use canasta_engine::text::interchange::event_value;
use serde_json::{Map, Value, json};

/// Sets up the position, applies the actions as far as they are legal, and returns the position afterwards.
pub fn answer(question: &Value) -> Answer {
    let position = Position::parse(text(question, "position")?).map_err(|error| error.to_string())?;
    let source = source(question)?;
    let (table, faults) = as_it_stands(&position, Seat(0), &[], &[]);
    let table = table.filter(|_| faults.is_empty()).ok_or_else(|| cannot_arise(&faults))?;
    let mut state = Game::of(table, dealing(source));
    let (mut events, mut answer) = (Vec::new(), Map::new());
    for (at, action) in list(question, "do")?.iter().enumerate() {
        let action = action.as_str().ok_or_else(|| format!("do[{at}]: expected a string"))?;
        match act(&mut state, action).map_err(|reason| format!("do[{at}]: {reason}"))? {
            Ok(more) => events.extend(more),
            Err(rejection) => {
                answer.insert("at".into(), at.into());
                answer.insert("refused".into(), rejection.violations.iter().map(violation).collect());
                break;
            }
        }
    }
    answer.insert("events".into(), events.iter().map(event_value).collect());
    answer.insert("after".into(), after(&state.table));
    Ok(answer.into())
}

fn act(state: &mut Game, action: &str) -> Result<Result<Vec<Event>, Rejection>, String> {
    let proposal = Proposal::parse_at(action, &state.table).map_err(|error| error.to_string())?;
    let actor = proposal.actor.or_else(|| state.table.to_act().map(As::Seat)).unwrap_or(As::Table);
    Ok(state.play(actor, &proposal.action).map(|events| events.to_vec()))
}

fn violation(violation: &Violation) -> Value {
    json!({ "code": violation.code.name(), "facts": facts_value(violation) })
}

fn texts(cards: impl IntoIterator<Item = Card>) -> Value {
    cards.into_iter().map(|card| card.to_string()).collect()
}

fn after(state: &Table) -> Value {
    let mut value = json!({
        "phase": state.phase().name(),
        "hands": state.seats().map(|seat| texts(state.hand(seat).iter())).collect::<Value>(),
        "laid": state.seats().map(|seat| texts(state.laid(seat).iter())).collect::<Value>(),
        "melds": state.sides().map(|side| melds(state, side)).collect::<Value>(),
        "frozen": state.sides().map(|side| frozen(state, side)).collect::<Value>(),
        "pile": texts(state.pile().iter().copied()),
        "stock": texts(state.stock().iter().rev().copied()),
        "sides": state.seats().map(|seat| state.side_of(seat).0).collect::<Vec<_>>(),
        "seating": state.seating().iter().map(|player| player.0).collect::<Vec<_>>(),
        "cut": cut(state),
    });
    if let Some(seat) = state.to_act() {
        value["to_act"] = seat.0.into();
    }
    if let Some(over) = state.round_over() {
        value["over"] = json!({ "reason": over.reason.name(), "concealed": over.concealed });
        if let Some(seat) = over.seat {
            value["over"]["seat"] = seat.0.into();
        }
    }
    if state.phase() == Phase::RoundOver {
        value["score"] = accounts(&scoring::score(state).accounts, state.set().score_unit == ScoreUnit::Seat);
        let mut booked = state.clone();
        scoring::book(&mut booked);
        value["next_dealer"] = booked.dealer().0.into();
    }
    value
}

fn melds(state: &Table, side: Side) -> Value {
    let meld =
        |meld: &Meld| json!({ "id": meld.id.0, "kind": meld.kind.name(), "cards": texts(meld.cards.iter()) });
    state.melds_of(side).map(meld).collect()
}

fn frozen(state: &Table, side: Side) -> Value {
    state.frozen(side).iter().map(FreezeCause::name).collect()
}

fn cut(state: &Table) -> Value {
    let exact = [("hands", state.cut().hands), ("feet", state.cut().feet)];
    exact.into_iter().filter(|&(_, is)| is).map(|(name, _)| name).collect()
}
