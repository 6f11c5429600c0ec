//! The viewers who see a difference between a position and its twin.

use super::after::seat;
use super::{Case, Outcome, act, set_up};
use canasta_engine::action::As;
use canasta_engine::game::Game;
use canasta_engine::view::view;

/// Checks, after the same actions, that the viewers in `alike` see the same of both states, and that those in
/// `differs` do not.
pub fn twin(case: &Case, state: &Game) -> Outcome {
    let Some(text) = &case.twin else { return Ok(()) };
    let mut other = set_up(case, text)?.map_err(|faults| format!("twin: {faults:?}"))?;
    for action in &case.r#do {
        act(&mut other, action)?.map_err(|_| format!("twin: {action} is refused"))?;
    }
    let sees = |name: &str| view(&state.table, viewer(name)) != view(&other.table, viewer(name));
    let (alike, differs) = (viewers(&case.alike), viewers(&case.differs));
    match (alike.iter().find(|name| sees(name)), differs.iter().find(|name| !sees(name))) {
        (Some(name), _) => Err(format!("{name} sees a difference to the twin")),
        (_, Some(name)) => Err(format!("{name} sees no difference to the twin")),
        (None, None) => Ok(()),
    }
}

fn viewers(list: &Option<String>) -> Vec<&str> {
    list.iter().flat_map(|names| names.split_whitespace()).collect()
}

fn viewer(name: &str) -> As {
    match name {
        "table" => As::Table,
        "judge" => As::Judge,
        name => As::Seat(seat(name)),
    }
}
