//! Encoding of a table: facts first, then cards.

use super::bits::{BitWriter, zigzag};
use super::{NO_SEAT, SEAT_BITS, Widths, rulings, zones};
use crate::rules::{self, AskWhom, DiscardWilds, LastThree, SideChoice, SideFormation};
use crate::seat::Seat;
use crate::table::{Courtesy, Permission, Table};

/// Appends the bits of `table`. `between` appends the caller's own fields, which stand between the facts of
/// the round.
pub fn write(table: &Table, between: impl FnOnce(&mut BitWriter<'_>), writer: &mut BitWriter<'_>) {
    writer.number(table.step, 64);
    for &score in table.scores() {
        writer.number(u64::from(zigzag(score)), 32);
    }
    if table.set().side_choice == SideChoice::DrawnCards {
        for seat in table.seats() {
            writer.put(table.player_on(seat).into(), SEAT_BITS);
        }
    }
    write_round(table, between, writer);
    write_turn(table, writer);
    if let Some(rulings) = &table.rulings {
        rulings::write(table, rulings, writer);
    }
    let plain = zones::write_ids(table, writer);
    zones::write(table, plain, writer);
}

fn write_round(table: &Table, between: impl FnOnce(&mut BitWriter<'_>), writer: &mut BitWriter<'_>) {
    let (round, seats) = (&table.round, u32::from(table.set().seats));
    writer.number(round.number.into(), 16);
    writer.number(round.attempt.into(), 16);
    writer.put(round.dealer.0.into(), SEAT_BITS);
    writer.flag(round.over.is_some());
    if let Some(over) = round.over {
        let seat = over.seat.map_or(NO_SEAT, |seat| seat.0.into());
        let mark = over.concealed || zones::is_left_open(table);
        writer.put(over.reason as u64 | seat << 3 | u64::from(mark) << 6, 7);
    }
    between(writer);
    writer.put(round.has_melded.into(), seats);
    writer.put(round.asked.into(), seats);
    if table.set().side_formation == SideFormation::LoneTaker {
        writer.put(round.lone.map_or(NO_SEAT, |seat| seat.0.into()), SEAT_BITS);
    }
    if table.set().marks_turns() {
        writer.put(round.played.into(), seats);
    }
    if table.set().pays_cuts() {
        writer.flag(round.cut.hands);
        writer.flag(round.cut.feet);
    }
    if table.set().pile_restore {
        for side in table.sides() {
            writer.number(table.restores(side).into(), 16);
        }
    }
}

fn write_turn(table: &Table, writer: &mut BitWriter<'_>) {
    let turn = &table.turn;
    writer.put(turn.seat.0.into(), SEAT_BITS);
    let marks = u64::from(turn.melded_since_draw)
        | u64::from(turn.melded_before) << 1
        | u64::from(turn.touched_old) << 2;
    writer.put(turn.source as u64 | marks << 2, 5);
    match turn.permission {
        Permission::None => writer.put(0, 2),
        Permission::Pending { to } => writer.put(1 | u64::from(to.0) << 3, 6),
        Permission::Yes => writer.put(2, 2),
        Permission::No { by } => writer.put(3 | u64::from(by.0) << 2, 5),
    }
    if table.set().ask_whom == AskWhom::All && matches!(turn.permission, Permission::Pending { .. }) {
        writer.put(turn.answered.map_or(NO_SEAT, |answer| answer.by.0.into()), SEAT_BITS);
        if let Some(answer) = turn.answered {
            writer.flag(answer.yes);
        }
    }
    writer.put(turn.new_from.into(), 8);
    if table.set().last_three == LastThree::MeldNoDiscard {
        writer.flag(turn.no_discard);
    }
    if table.set().marks_fresh_threes() {
        zones::write_threes(&turn.fresh, Widths::of(&table.rules), writer);
    }
    write_choices(table, writer);
}

/// Appends facts that few rule sets have: the steps that the last discard still permits, and the special hand
/// that ended the round.
fn write_choices(table: &Table, writer: &mut BitWriter<'_>) {
    let (set, round) = (table.set(), &table.round);
    let seat = |seat: Option<Seat>| seat.map_or(NO_SEAT, |seat| seat.0.into());
    if set.offers_talons() {
        writer.put(seat(round.offered), SEAT_BITS);
    }
    if set.reveal {
        writer.put(seat(round.reveal), SEAT_BITS);
    }
    if !set.special_hands.is_empty() {
        writer.put(round.special.map_or(0, |hand| hand as u64 + 1), 2);
    }
    if set.discard_wilds == DiscardWilds::ForcedByDraw {
        writer.flag(table.turn.all_wild_draw);
    }
    if set.courtesy != rules::Courtesy::Off {
        match table.turn.courtesy {
            Courtesy::None => writer.put(0, 2),
            Courtesy::Asked(to) => writer.put(1 | u64::from(to.0) << 2, 5),
            Courtesy::Granted => writer.put(2, 2),
            Courtesy::Refused(by) => writer.put(3 | u64::from(by.0) << 2, 5),
        }
        writer.put(round.courteous.into(), set.seats.into());
    }
}
