//! The numbers and rules behind a judgement, for users who ask why.

use crate::action::{Action, ActionKind, As, Group, Groups, Onto};
use crate::apply::apply;
use crate::check::{self, InitialPoints, Requirement, check};
use crate::citation::cite_violation;
use crate::event::FreezeCause;
use crate::facts;
use crate::nodes::Nodes;
use crate::rejection::{Circumstance, Field, Rejection, Violation};
use crate::seat::{Seat, Side};
use crate::table::{Kept, POINTS_MAX, Phase, Standing, Table};
use crate::violations::Code;
use crate::violations::Fact;
use alloc::vec::Vec;

/// Returns the points of `action` that count towards the initial minimum of the side of `actor`, and the minimum. The
/// points are returned even if they do not reach the minimum. Returns `None` if no minimum applies: the side has
/// opened, or the action melds nothing, goes out, or may open without a minimum.
///
/// The points are counted by `check` itself: it judges `action` under a minimum that nobody can reach, and its
/// refusal says what it counted.
pub fn initial_count(table: &Table, actor: As, action: &Action) -> Option<InitialPoints> {
    let As::Seat(seat) = actor else { return None };
    let side = table.side_of(seat);
    if seat.0 >= table.set().seats || table.opened(side) {
        return None;
    }
    let mut raised = table.clone();
    let standing = Standing::Surcharge(POINTS_MAX);
    let ruling = Kept { id: 0, side, offender: None, points: 0, reversed: false, standing };
    raised.rulings.get_or_insert_default().kept.push(ruling);
    let violations = check::faults(&raised, actor, action);
    let short = violations.iter().find(|violation| violation.code == Code::InitialBelowMinimum)?;
    let (Some(&Fact::Int(found)), Some(&Fact::Int(required))) = (short.get("found"), short.get("required"))
    else {
        return None;
    };
    Some(InitialPoints { found: found as i32, required: (required - i64::from(POINTS_MAX)) as i32 })
}

/// Returns what is tested only at the end of the turn (HN-015) and would be refused then, if `action` were the last before
/// the discard; `None` if nothing would, or the action is not legal.
pub fn refused_later(table: &Table, actor: As, action: &Action) -> Option<Rejection> {
    if !matches!(action, Action::Meld(_)) {
        return None;
    }
    let mut after = table.clone();
    apply(&mut after, check(table, actor, action).ok()?);
    let violations = check::faults_of_turn(&after, &Nodes::default());
    (!violations.is_empty() && after.phase == Phase::Play).then_some(Rejection {
        action: ActionKind::Discard,
        violations,
        repairs_cut: false,
    })
}

/// Returns the requirements by which [`check()`] decides whether the side of `seat` may go out, in the order of the
/// checks. If `action` lays cards, the side's canastas are counted as they would be after `action`. Requirements that
/// the rule set does not have are left out.
pub fn going_out(table: &Table, seat: Seat, action: &Action) -> Vec<Requirement> {
    check::requirements(table, seat, &laid(table, seat, action))
}

/// Returns what the melds of `side` lack for going out. All melds are public.
pub fn lacking(table: &Table, side: Side) -> Vec<Requirement> {
    facts::lacking(table.set(), table.canastas(side)).collect()
}

/// Returns the groups that an action lays. If the action is a take, the group with the top card comes first.
fn laid(table: &Table, seat: Seat, action: &Action) -> Groups {
    match (action, table.pile().last()) {
        (Action::Meld(groups), _) => groups.clone(),
        (Action::TakePile(take), Some(&top)) => {
            let kind = match take.onto {
                Onto::Meld { id, .. } => table.meld(table.side_of(seat), id).map(|meld| meld.kind),
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

/// Returns the ids of the rules that freeze the pile against `seat`; empty if the pile is open.
pub fn freezing_rules(table: &Table, seat: Seat) -> Vec<&'static str> {
    let causes: Vec<&'static str> = table.frozen(table.side_of(seat)).iter().map(FreezeCause::name).collect();
    if causes.is_empty() {
        return Vec::new();
    }
    let frozen = Violation::new(Code::PileFrozenNeedsPair, Field::Action).fact("causes", causes);
    cite_violation(&frozen, &table.rules().books())
}

/// Returns the ids of the rules that set the initial minimum of `seat`, and of those that say what part of `action`
/// counts towards it.
pub fn minimum_rules(table: &Table, seat: Seat, action: &Action) -> Vec<&'static str> {
    let short = Violation::new(Code::InitialBelowMinimum, Field::Action)
        .fact("required", table.minimum(seat))
        .fact("key", table.initial_key(seat))
        .fact("surcharge", table.rulings().surcharge(table.side_of(seat)))
        .with(Circumstance::Taking, matches!(action, Action::TakePile(_)));
    cite_violation(&short, &table.rules().books())
}

/// Returns the ids of the rules from which a requirement for going out comes.
pub fn requirement_rules(table: &Table, requirement: &Requirement) -> Vec<&'static str> {
    cite_violation(&requirement.violation(Field::Action), &table.rules().books())
}
