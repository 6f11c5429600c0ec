//! Numbers behind a judgement, for those who ask why.

use crate::action::{Action, As};
use crate::check::check;
use crate::rejection::Fact;
use crate::state::{Kept, MAX_POINTS, Standing, State};
use crate::violations::Code;

/// What an initial meld is worth, and what it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitialCount {
    /// Points that count towards the minimum.
    pub count: i32,
    /// Points that are needed, with what rulings and the pile's top add.
    pub required: i32,
}

/// What `action` counts towards the initial minimum of the side of `actor`, whether it is enough or not; `None` where
/// no minimum is asked for: the side has opened, the action melds nothing, goes out, or opens without one.
///
/// The points are counted where they are judged: a minimum that nobody reaches makes the check say what it counted.
pub fn initial_count(state: &State, actor: As, action: &Action) -> Option<InitialCount> {
    let As::Seat(seat) = actor else { return None };
    let side = state.side_of(seat);
    if seat.0 >= state.set().seats || state.opened(side) {
        return None;
    }
    let mut raised = state.clone();
    let standing = Standing::Surcharge(MAX_POINTS);
    let ruling = Kept { id: 0, side, offender: None, points: 0, reversed: false, standing };
    raised.rulings.get_or_insert_default().kept.push(ruling);
    let rejection = check(&raised, actor, action).err()?;
    let short = rejection.violations.iter().find(|violation| violation.code == Code::InitialBelowMinimum)?;
    let (Some(&Fact::Int(count)), Some(&Fact::Int(required))) = (short.get("count"), short.get("required"))
    else {
        return None;
    };
    Some(InitialCount { count: count as i32, required: (required - i64::from(MAX_POINTS)) as i32 })
}
