//! Decoding of a table from any bits.

use super::bits::{BitReader, unzigzag};
use super::{TokenError, TokenErrorKind, Widths, read_maybe_seat, read_seat, rulings, zones};
use crate::action::SpecialHand;
use crate::invariant;
use crate::rules::{
    self, AskWhom, DiscardWilds, ForcedTake, LastThree, RuleSet, Rules, SideChoice, SideFormation,
};
use crate::seat::SEATS_MAX;
use crate::table::{
    AS_GIVEN, Answer, Courtesy, Cut, EndReason, Permission, Phase, Round, RoundOver, Source, Table, Turn,
};
use alloc::sync::Arc;

/// Reads the facts and the cards of a table into a [blank](Table::blank) or [`reset`] one, up to the end of the bytes;
/// with rulings if `ruled`. `between` reads the caller's own fields, which stand between the facts of the round. Returns
/// the index of the bit after the table.
///
/// # Errors
/// The first fault in the order in which fields are read; a broken invariant of the table comes last. The table
/// is then not to be used: nothing is known of it.
#[inline(always)]
pub fn read(
    table: &mut Table,
    ruled: bool,
    between: impl FnOnce(&mut BitReader<'_>) -> Result<(), TokenError>,
    mut reader: BitReader<'_>,
) -> Result<usize, TokenError> {
    read_facts(table, between, &mut reader)?;
    if ruled {
        table.rulings = Some(rulings::read(table, &mut reader)?);
    }
    let (ids, any) = zones::read_ids(&mut reader, table)?;
    zones::read(table, ids, any, &mut reader)?;
    let end = reader.at();
    reader.finish()?;
    table.freeze = table.causes_of_pile();
    invariant::check_unpacked(table).map_err(|(sentence, _)| TokenErrorKind::Invariant(sentence).at(end))?;
    debug_assert_eq!(invariant::check_without_search(table), Ok(()), "what is read is a table");
    Ok(end)
}

/// Makes the table what [`Table::blank`] returns, but keeps the memory of its lists.
#[inline(always)]
pub fn reset(table: &mut Table, rules: &Arc<Rules>, phase: Phase) {
    if !Arc::ptr_eq(&table.rules, rules) {
        table.feet = Table::no_feet(rules);
        table.rules = rules.clone();
    }
    table.gather();
    (table.round, table.turn) = (Round::default(), Turn::default());
    (table.step, table.seating, table.scores, table.phase) = (0, AS_GIVEN, [0; SEATS_MAX], phase);
    table.rulings = None;
}

fn read_facts(
    table: &mut Table,
    between: impl FnOnce(&mut BitReader<'_>) -> Result<(), TokenError>,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    table.step = reader.number(64, "seq")?;
    let set = table.rules.set();
    for score in &mut table.scores[..usize::from(set.unit_count())] {
        *score = unzigzag(reader.number(32, "score")? as u32);
    }
    if set.side_choice == SideChoice::DrawnCards {
        for player in &mut table.seating[..usize::from(set.seats)] {
            *player = read_seat(reader, set.seats, "player")?;
        }
    }
    read_round(&mut table.round, set, between, reader)?;
    read_turn(&mut table.turn, set, reader)?;
    if set.last_three == LastThree::MeldNoDiscard {
        table.turn.no_discard = reader.flag()?;
    }
    if set.marks_fresh_threes() {
        zones::read_threes(Widths::of(&table.rules), &mut table.turn.fresh, reader)?;
    }
    read_choices(table, reader)?;
    Ok(())
}

/// Reads facts that few rule sets have: the steps that the last discard still permits, and the special hand
/// that ended the round.
fn read_choices(table: &mut Table, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let (set, round) = (table.rules.set(), &mut table.round);
    if set.offers_talons() {
        round.offered = read_maybe_seat(reader, set.seats, "seat with a talon to take")?;
    }
    if set.reveal {
        round.reveal = read_maybe_seat(reader, set.seats, "seat to show its hand")?;
    }
    if !set.special_hands.is_empty() {
        round.special = match reader.bits(2)? {
            0 => None,
            number => Some(SpecialHand::ALL[number as usize - 1]),
        };
    }
    if set.discard_wilds == DiscardWilds::ForcedByDraw {
        table.turn.all_wild_draw = reader.flag()?;
    }
    if set.courtesy != rules::Courtesy::Off {
        table.turn.courtesy = match reader.bits(2)? {
            0 => Courtesy::None,
            1 => Courtesy::Asked(read_seat(reader, set.seats, "seat that is asked for courtesy")?),
            2 => Courtesy::Granted,
            _ => Courtesy::Refused(read_seat(reader, set.seats, "seat that refused courtesy")?),
        };
        round.courteous = reader.bits(set.seats.into())? as u8;
    }
    Ok(())
}

fn read_round(
    round: &mut Round,
    set: &RuleSet,
    between: impl FnOnce(&mut BitReader<'_>) -> Result<(), TokenError>,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    let seats = set.seats;
    round.number = reader.number(16, "round")? as u16;
    round.attempt = reader.number(16, "attempt")? as u16;
    round.dealer = read_seat(reader, seats, "dealer")?;
    if reader.flag()? {
        let reason = reader.below(EndReason::ALL.len() as u64, 3, "reason")?;
        let seat = read_maybe_seat(reader, seats, "seat that ended the round")?;
        let concealed = reader.flag()?;
        round.over = Some(RoundOver { reason: EndReason::ALL[reason as usize], seat, concealed });
    }
    between(reader)?;
    round.has_melded = reader.bits(seats.into())? as u8;
    round.asked = reader.bits(seats.into())? as u8;
    if set.side_formation == SideFormation::LoneTaker {
        round.lone = read_maybe_seat(reader, seats, "seat that plays alone")?;
    }
    if set.marks_turns() {
        round.played = reader.bits(seats.into())? as u8;
    }
    if set.pays_cuts() {
        round.cut = Cut { hands: reader.flag()?, feet: reader.flag()? };
    }
    if set.pile_restore {
        for restores in &mut round.restores[..usize::from(set.side_count)] {
            *restores = reader.number(16, "restores")? as u16;
        }
    }
    Ok(())
}

fn read_turn(turn: &mut Turn, set: &RuleSet, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let (seats, top_only) = (set.seats, set.forced_take == ForcedTake::OwnMeldTopOnly);
    turn.seat = read_seat(reader, seats, "turn")?;
    let source = reader.below(if top_only { 4 } else { 3 }, 2, "source")?;
    turn.source = [Source::None, Source::Stock, Source::Pile, Source::TopOnly][source as usize];
    turn.melded_since_draw = reader.flag()?;
    turn.melded_before = reader.flag()?;
    turn.touched_old = reader.flag()?;
    turn.permission = match reader.bits(2)? {
        0 => Permission::None,
        1 => {
            reader.below(1, 1, "subject of a question")?;
            Permission::Pending { to: read_seat(reader, seats, "seat that is asked")? }
        }
        2 => Permission::Yes,
        _ => Permission::No { by: read_seat(reader, seats, "seat that refused")? },
    };
    let is_open = matches!(turn.permission, Permission::Pending { .. });
    if set.ask_whom == AskWhom::All
        && is_open
        && let Some(by) = read_maybe_seat(reader, seats, "seat that answered")?
    {
        turn.answered = Some(Answer { by, yes: reader.flag()? });
    }
    turn.new_from = reader.bits(8)? as u8;
    Ok(())
}
