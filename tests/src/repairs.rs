//! A check that the repairs of a refused action are true.

use crate::games::{actor, after};
use crate::notation::{line, show};
use canasta_engine::action::{About, Action, As};
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::rejection::{Edit, Rejection, Repair, RepairStep, Violation};
use canasta_engine::table::Phase;
use canasta_engine::violations::Code;

/// Returns a text for each untrue repair of `action`, which is refused in this state.
pub fn untrue(state: &Game, who: As, action: &Action, rejection: &Rejection) -> Vec<String> {
    let told = |violation: &&Violation| {
        let repair = violation.repair.as_ref()?;
        let true_one = match repair {
            Repair::Edit(edit) => mends(state, who, action, rejection, violation, edit),
            Repair::Step(step) => is_open(state, who, *step),
        };
        let place = || {
            format!("{}: {repair}\n{who:?} {}\n{}", violation.code.name(), line(action), show(&state.table))
        };
        (!true_one).then(place)
    };
    rejection.violations.iter().filter_map(|violation| told(&violation)).collect()
}

/// Whether some way of the edit leaves fewer violations of the code and no new code, and a smaller edit does not.
fn mends(
    state: &Game,
    who: As,
    action: &Action,
    rejection: &Rejection,
    violation: &Violation,
    edit: &Edit,
) -> bool {
    let works = |edit: &Edit| {
        edit.ways(action, violation.field).iter().any(|edited| {
            let left = state.check(who, edited).err().map_or(Vec::new(), |left| left.codes());
            let count = |codes: &[Code]| codes.iter().filter(|code| **code == violation.code).count();
            let gates = [Code::TurnCardNotInHand, Code::PileBuriedCard];
            let of_cards = gates.contains(&violation.code);
            let known = |code: &Code| rejection.codes().contains(code);
            // The gate on cards hides later violations, so other codes may appear behind it.
            let all_known = left.iter().all(known) || of_cards && !left.contains(&Code::TurnEmptyAction);
            count(&left) < count(&rejection.codes()) && all_known
        })
    };
    let smaller = match edit {
        Edit::FewerWilds(count) if *count > 1 => Some(Edit::FewerWilds(count - 1)),
        Edit::KeepMore(count) if *count > 1 => Some(Edit::KeepMore(count - 1)),
        _ => None,
    };
    works(edit) && !smaller.is_some_and(|edit| works(&edit))
}

/// Whether a step is open to `who`; for a step that waits, whether the seat or the table must act.
fn is_open(state: &Game, who: As, step: RepairStep) -> bool {
    let steps = legal::steps(&state.table);
    let has = |fits: &dyn Fn(&Action) -> bool| who == actor(state) && steps.actions.iter().any(fits);
    match step {
        RepairStep::DrawFromStock => has(&|action| *action == Action::DrawStock),
        RepairStep::TakePile => has(&|action| matches!(action, Action::TakePile(_))),
        RepairStep::EndRound => has(&|action| *action == Action::EndRound),
        // Discards are at the end of the list, so a long list may lack them.
        RepairStep::MeldOrDiscard => has(&|action| matches!(action, Action::Discard(_) | Action::Meld(_))),
        RepairStep::Pass => has(&|action| *action == Action::Pass),
        RepairStep::Ask => has(&|action| matches!(action, Action::Ask { about: About::GoOut, .. })),
        // The list has no way to name: the search has found none.
        RepairStep::NameWay => state.table.to_act().map(As::Seat) == Some(who),
        RepairStep::RestorePile => has(&|action| *action == Action::RestorePile),
        RepairStep::LayThrees => has(&|action| matches!(action, Action::LayThrees(_))),
        RepairStep::TakeBack(id) => {
            has(&|action| matches!(action, Action::UndoMeld { meld, .. } if *meld == id))
        }
        RepairStep::GoOut => has(&|action| goes_out(state, action)),
        RepairStep::WaitFor(seat) => who != As::Seat(seat) && state.table.to_act() == Some(seat),
        RepairStep::WaitForAnswer(seat) => {
            state.table.phase() == Phase::Asked && state.table.to_act() == Some(seat)
        }
        RepairStep::WaitForTable => {
            state.table.to_act().is_none() && matches!(state.table.phase(), Phase::Setup | Phase::Deal)
        }
        // Only creations and registers have these repairs, and these are not actions.
        RepairStep::NameDealer { .. } | RepairStep::NoDealer => false,
    }
}

/// Whether the round ends with this step, or with one further step of the same turn.
fn goes_out(state: &Game, step: &Action) -> bool {
    let ended = |state: &Game| state.table.phase() == Phase::RoundOver;
    let next = after(state, step);
    let same_turn = next.table.phase() == Phase::Play && next.table.turn_seat() == state.table.turn_seat();
    ended(&next)
        || same_turn && legal::steps(&next.table).actions.iter().any(|last| ended(&after(&next, last)))
}
