//! The execution of rulings, disputes and signatures (ALG-29).

use super::Sink;
use crate::check::{Course, DecidedRuling};
use crate::event::Event;
use crate::rulebook::penalties::penalty;
use crate::seat::{SEATS_MAX, Seat, Side};
use crate::table::{
    EndReason, Kept, POINTS_MAX, Phase, RULINGS_MAX, RoundOver, Rulings, Standing, Table, TalonPlace,
};
use alloc::vec::Vec;

/// The limit of totals: a total stops there, so that nothing can overflow.
const TOTAL_MAX: i32 = 1_000 * POINTS_MAX;

pub(super) fn rule(table: &mut Table, decision: DecidedRuling, events: &mut impl Sink) {
    let DecidedRuling { kept, reverses, course } = decision;
    let id = kept.id;
    let (side, offender, points) = (kept.side, kept.offender, kept.points);
    let course = match course {
        Course::Resume(position) => {
            let step = table.step;
            *table = *position;
            table.step = step;
            Course::On
        }
        course => course,
    };
    let in_round = table.is_dealt() || table.phase == Phase::RoundOver;
    if let Standing::Talon(_, number) = kept.standing {
        table.talons[usize::from(number)].place = TalonPlace::Centre;
    }
    let by_side = match kept.standing {
        Standing::Adjusted(points) => Some(points),
        _ => None,
    };
    table.rulings_mut().last = id;
    table.rulings_mut().keep(kept);
    if let Some(reversed) = reverses {
        reverse(table, reversed, in_round);
    }
    adjust(table, side, offender, points, in_round);
    adjust_sides(table, by_side.unwrap_or_default(), in_round);
    let sides = usize::from(table.set().side_count);
    let points = by_side.map_or_else(Vec::new, |points| points[..sides].to_vec());
    events.add(|| Event::Ruled { id, points });
    match course {
        Course::On | Course::Resume(_) => {}
        Course::Withdraw => table.round.offered = None,
        Course::Redeal => end(table, EndReason::Voided),
        Course::Forfeit { side, award } => {
            let units = table.units_of(side);
            table.rulings_mut().forfeited |= units;
            award_others(table, side, award, in_round);
            end(table, EndReason::Ruled);
        }
    }
    if table.phase == Phase::RoundOver && table.round.over.is_some_and(|o| o.reason != EndReason::Voided) {
        events.add(|| Event::Scored);
    }
}

/// Issues the ruling for a turn that ends without going out although the mate said yes (IR-050, IR-053). The
/// rules themselves issue this ruling (IR-111).
pub(super) fn broke_word(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let (points, _) = penalty("IR-050").expect("a rule of the penalty table").points;
    let (id, side) = (table.rulings().last + 1, table.side_of(seat));
    if id > RULINGS_MAX {
        return;
    }
    let kept = Kept { id, side, offender: Some(seat), points, reversed: false, standing: Standing::None };
    rule(table, DecidedRuling { kept, reverses: None, course: Course::On }, events);
}

pub(super) fn dispute(table: &mut Table, open: bool, events: &mut impl Sink) {
    let step = table.step;
    let rulings = table.rulings_mut();
    rulings.dispute = open.then_some(step);
    if *rulings == Rulings::default() {
        table.rulings = None;
    }
    events.add(|| Event::Disputed { open });
}

pub(super) fn sign(table: &mut Table, side: Side, events: &mut impl Sink) {
    table.rulings_mut().signed |= 1 << side.0;
    events.add(|| Event::Signed { side });
}

/// Marks a ruling as reversed and lifts its effect (IR-106). The points of the reversing ruling cancel
/// those of the reversed ruling.
fn reverse(table: &mut Table, id: u32, in_round: bool) {
    let kept = table.rulings_mut().kept.iter_mut().find(|kept| kept.id == id);
    let kept = kept.expect("a ruling that is reversed is remembered");
    kept.reversed = true;
    let (side, standing) = (kept.side, core::mem::replace(&mut kept.standing, Standing::None));
    match standing {
        Standing::Lost(award) => {
            let units = table.units_of(side);
            table.rulings_mut().forfeited &= !units;
            award_others(table, side, -award, false);
        }
        Standing::Talon(seat, number) => {
            table.talons[usize::from(number)].place = TalonPlace::Before(seat);
        }
        Standing::Adjusted(points) => adjust_sides(table, points.map(|points| -points), in_round),
        _ => {}
    }
}

/// Adds points to the accounts of a side (IR-108): to the round in progress, which books them later, or,
/// between rounds and after the last round, to the totals.
fn adjust(table: &mut Table, side: Side, offender: Option<Seat>, points: i32, in_round: bool) {
    if points == 0 {
        return;
    }
    for unit in table.score_units(side, offender) {
        let account = if in_round {
            &mut table.rulings_mut().adjustments[usize::from(unit)]
        } else {
            &mut table.scores[usize::from(unit)]
        };
        *account = account.saturating_add(points).clamp(-TOTAL_MAX, TOTAL_MAX);
    }
}

/// Adds points by side, each to the accounts of its side.
fn adjust_sides(table: &mut Table, points: [i32; SEATS_MAX], in_round: bool) {
    for side in table.sides() {
        adjust(table, side, None, points[side.index()], in_round);
    }
}

fn award_others(table: &mut Table, side: Side, award: i32, in_round: bool) {
    for other in table.sides().filter(|other| *other != side) {
        adjust(table, other, None, award, in_round);
    }
}

fn end(table: &mut Table, reason: EndReason) {
    table.round.over = Some(RoundOver::without_seat(reason));
    table.phase = Phase::RoundOver;
}
