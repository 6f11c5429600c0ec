//! Rulings, disputes and signatures carried out (ALG-29).

use crate::check::{Course, Decision};
use crate::event::{Event, Events};
use crate::rulebook::penalties::penalty;
use crate::seat::{Seat, Side};
use crate::table::{
    EndReason, Kept, MAX_POINTS, MAX_RULINGS, Phase, RoundOver, Rulings, Standing, Table, TalonPlace,
};

/// Where totals stop, so that nothing can overflow.
const MAX_TOTAL: i32 = 1_000 * MAX_POINTS;

pub(super) fn rule(state: &mut Table, decision: Decision, events: &mut Events) {
    let Decision { kept, reverses, course } = decision;
    let id = kept.id;
    let (side, offender, points) = (kept.side, kept.offender, kept.points);
    let course = match course {
        Course::Resume(position) => {
            let step = state.step;
            *state = *position;
            state.step = step;
            Course::On
        }
        course => course,
    };
    let in_round = state.is_dealt() || state.phase == Phase::RoundOver;
    if let Standing::Talon(_, number) = kept.standing {
        state.talons[usize::from(number)].place = TalonPlace::Centre;
    }
    state.rulings_mut().last = id;
    state.rulings_mut().keep(kept);
    if let Some(reversed) = reverses {
        reverse(state, reversed);
    }
    adjust(state, side, offender, points, in_round);
    events.push(Event::Ruled { id });
    match course {
        Course::On | Course::Resume(_) => {}
        Course::Withdraw => state.round.offered = None,
        Course::Redeal => end(state, EndReason::Voided),
        Course::Forfeit { side, award } => {
            let units = state.units_of(side);
            state.rulings_mut().forfeited |= units;
            award_others(state, side, award, in_round);
            end(state, EndReason::Ruled);
        }
    }
    if state.phase == Phase::RoundOver && state.round.over.is_some_and(|o| o.reason != EndReason::Voided) {
        events.push(Event::Scored);
    }
}

/// IR-050, IR-053: the turn ends without going out, although the mate said yes. The rules themselves rule so
/// (IR-111).
pub(super) fn broke_word(state: &mut Table, seat: Seat, events: &mut Events) {
    let (points, _) = penalty("IR-050").expect("a rule of the penalty table").points;
    let (id, side) = (state.rulings().last + 1, state.side_of(seat));
    if id > MAX_RULINGS {
        return;
    }
    let kept = Kept { id, side, offender: Some(seat), points, reversed: false, standing: Standing::None };
    rule(state, Decision { kept, reverses: None, course: Course::On }, events);
}

pub(super) fn dispute(state: &mut Table, open: bool, events: &mut Events) {
    let step = state.step;
    let rulings = state.rulings_mut();
    rulings.dispute = open.then_some(step);
    if *rulings == Rulings::default() {
        state.rulings = None;
    }
    events.push(Event::Disputed { open });
}

pub(super) fn sign(state: &mut Table, side: Side, events: &mut Events) {
    state.rulings_mut().signed |= 1 << side.0;
    events.push(Event::Signed { side });
}

/// IR-106: the points of the reversed ruling come back by those of the reversing one; its effect is lifted.
fn reverse(state: &mut Table, id: u32) {
    let kept = state.rulings_mut().kept.iter_mut().find(|kept| kept.id == id);
    let kept = kept.expect("a ruling that is reversed is remembered");
    kept.reversed = true;
    let (side, standing) = (kept.side, core::mem::replace(&mut kept.standing, Standing::None));
    match standing {
        Standing::Lost(award) => {
            let units = state.units_of(side);
            state.rulings_mut().forfeited &= !units;
            award_others(state, side, -award, false);
        }
        Standing::Talon(seat, number) => {
            state.talons[usize::from(number)].place = TalonPlace::Before(seat);
        }
        _ => {}
    }
}

/// IR-108: to the round in progress, which books them; between rounds and after the last one, to the totals.
fn adjust(state: &mut Table, side: Side, offender: Option<Seat>, points: i32, in_round: bool) {
    if points == 0 {
        return;
    }
    for unit in state.score_units(side, offender) {
        let account = if in_round {
            &mut state.rulings_mut().adjustments[usize::from(unit)]
        } else {
            &mut state.scores[usize::from(unit)]
        };
        *account = account.saturating_add(points).clamp(-MAX_TOTAL, MAX_TOTAL);
    }
}

fn award_others(state: &mut Table, side: Side, award: i32, in_round: bool) {
    for other in state.sides().filter(|other| *other != side) {
        adjust(state, other, None, award, in_round);
    }
}

fn end(state: &mut Table, reason: EndReason) {
    state.round.over = Some(RoundOver { reason, seat: None, concealed: false });
    state.phase = Phase::RoundOver;
}
