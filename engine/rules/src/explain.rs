//! Numbers behind a judgement, for those who ask why.

use crate::action::{Action, As, Group, Groups, Onto};
use crate::check::{self, Requirement, check};
use crate::citation::cite_violation;
use crate::event::FreezeCause;
use crate::rejection::{Circumstance, Field, Violation};
use crate::seat::Seat;
use crate::table::{Kept, MAX_POINTS, Standing, Table};
use crate::violations::Code;
use crate::violations::Fact;
use alloc::vec::Vec;

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
pub fn initial_count(state: &Table, actor: As, action: &Action) -> Option<InitialCount> {
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

/// Returns what going out needs of the side of `seat`, in the order of the checks, with the canastas that `action`
/// lays if it lays cards: the requirements by which [`check`] decides. Those that the rule set does not ask for are
/// left out.
pub fn going_out(state: &Table, seat: Seat, action: &Action) -> Vec<Requirement> {
    check::requirements(state, seat, &laid(state, seat, action))
}

/// The groups that an action lays, that with the top of a take first.
fn laid(state: &Table, seat: Seat, action: &Action) -> Groups {
    match (action, state.pile().last()) {
        (Action::Meld(groups), _) => groups.clone(),
        (Action::TakePile(take), Some(&top)) => {
            let kind = match take.onto {
                Onto::Meld { id, .. } => state.meld(state.side_of(seat), id).map(|meld| meld.kind),
                _ => None,
            };
            let cards = take.with.iter().copied().chain([top]).collect();
            let kind = kind.unwrap_or(check::top_meld(top).0);
            let first = Group { kind, onto: take.onto, top: false, cards };
            core::iter::once(first).chain(take.also.iter().cloned()).collect()
        }
        _ => Groups::new(),
    }
}

/// Returns the ids of the rules that freeze the pile against `seat`; none where it is open.
pub fn freezing_rules(state: &Table, seat: Seat) -> Vec<&'static str> {
    let causes: Vec<&'static str> = state.frozen(state.side_of(seat)).iter().map(FreezeCause::name).collect();
    if causes.is_empty() {
        return Vec::new();
    }
    let frozen = Violation::new(Code::PileFrozenNeedsPair, Field::Action).fact("causes", causes);
    cite_violation(&frozen, &state.rules().books())
}

/// Returns the ids of the rules that set the initial minimum of `seat` and say what of `action` counts towards it.
pub fn minimum_rules(state: &Table, seat: Seat, action: &Action) -> Vec<&'static str> {
    let short = Violation::new(Code::InitialBelowMinimum, Field::Action)
        .fact("required", state.minimum(seat))
        .fact("key", state.initial_key(seat))
        .fact("surcharge", state.rulings().surcharge(state.side_of(seat)))
        .with(Circumstance::Taking, matches!(action, Action::TakePile(_)));
    cite_violation(&short, &state.rules().books())
}

/// Returns the ids of the rules that a requirement for going out comes from.
pub fn requirement_rules(state: &Table, requirement: &Requirement) -> Vec<&'static str> {
    cite_violation(&requirement.violation(Field::Action), &state.rules().books())
}
