//! The codec of rulings, which only the tokens of games with rulings contain.

use super::bits::{BitReader, BitWriter, unzigzag, zigzag};
use super::{
    COUNT_BITS, KIND_BITS, NO_SEAT, SEAT_BITS, TokenError, TokenErrorKind, read_maybe_seat, read_seat,
};
use crate::card::{Card, Cards, KINDS};
use crate::seat::{SEATS_MAX, Side};
use crate::table::{KEPT_MAX, Kept, Rulings, Standing, Table};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The field that an error at a seat names.
const SEAT: &str = "seat of a ruling";
/// Width of the number of remembered rulings, in bits.
const KEPT_BITS: u32 = super::width_of(KEPT_MAX as u32);

/// Returns the maximum number of bits that [`write`] needs: the single fields, the fields of each ruling, and
/// every card of the pack as a penalty card.
pub(super) fn max_bits(deck: u32) -> u32 {
    let once = 38 + 1 + 71 + 2 * 6 + 6 * 38 + KEPT_BITS;
    let each = 38 + 2 * SEAT_BITS + 38 + 1 + 3 + SEATS_MAX as u32 * 38;
    once + KEPT_MAX as u32 * each + deck * KIND_BITS
}

pub(super) fn write(table: &Table, rulings: &Rulings, writer: &mut BitWriter<'_>) {
    let sides = u32::from(table.set().side_count);
    writer.number(rulings.last.into(), 32);
    writer.flag(rulings.dispute.is_some());
    if let Some(seq) = rulings.dispute {
        writer.number(seq, 64);
    }
    writer.put(rulings.signed.into(), sides);
    writer.put(rulings.forfeited.into(), table.set().unit_count().into());
    for &points in &rulings.adjustments[..usize::from(table.set().unit_count())] {
        writer.number(zigzag(points).into(), 32);
    }
    writer.put(rulings.kept.len() as u64, KEPT_BITS);
    for kept in &rulings.kept {
        write_kept(kept, table.set().side_count, writer);
    }
}

fn write_kept(kept: &Kept, sides: u8, writer: &mut BitWriter<'_>) {
    writer.number(kept.id.into(), 32);
    writer.put(kept.side.0.into(), SEAT_BITS);
    writer.put(kept.offender.map_or(NO_SEAT, |seat| seat.0.into()), SEAT_BITS);
    writer.number(zigzag(kept.points).into(), 32);
    writer.flag(kept.reversed);
    match &kept.standing {
        Standing::None => writer.put(0, 3),
        Standing::Surcharge(by) => {
            writer.put(1, 3);
            writer.number(zigzag(*by).into(), 32);
        }
        Standing::Penalty(seat, cards) => {
            writer.put(2 | u64::from(seat.0) << 3, 3 + SEAT_BITS);
            writer.number(cards.len().into(), COUNT_BITS);
            cards.iter().for_each(|card| writer.put(card.kind().into(), KIND_BITS));
        }
        Standing::Forfeit(seat, turns) => {
            writer.put(3 | u64::from(seat.0) << 3, 3 + SEAT_BITS);
            writer.number((*turns).into(), 16);
        }
        Standing::Talon(seat, number) => {
            writer.put(5 | u64::from(seat.0) << 3 | u64::from(*number) << (3 + SEAT_BITS), 6 + SEAT_BITS);
        }
        Standing::Lost(award) => {
            writer.put(4, 3);
            writer.number(zigzag(*award).into(), 32);
        }
        Standing::Adjusted(points) => {
            writer.put(6, 3);
            points[..usize::from(sides)].iter().for_each(|&points| writer.number(zigzag(points).into(), 32));
        }
    }
}

/// Reads rulings that [`write`] wrote. The invariants judge the meaning of the numbers.
pub(super) fn read(table: &Table, reader: &mut BitReader<'_>) -> Result<Box<Rulings>, TokenError> {
    let (seats, sides) = (table.set().seats, table.set().side_count);
    let mut rulings = Box::new(Rulings { last: reader.number(32, "rulings")? as u32, ..Rulings::default() });
    if reader.flag()? {
        rulings.dispute = Some(reader.number(64, "dispute")?);
    }
    rulings.signed = reader.bits(sides.into())? as u8;
    rulings.forfeited = reader.bits(table.set().unit_count().into())? as u8;
    for points in &mut rulings.adjustments[..usize::from(table.set().unit_count())] {
        *points = unzigzag(reader.number(32, "adjustments")? as u32);
    }
    let count = reader.below(KEPT_MAX as u64 + 1, KEPT_BITS, "rulings")?;
    rulings.kept = Vec::with_capacity(count as usize);
    for _ in 0..count {
        rulings.kept.push(read_kept(seats, sides, reader)?);
    }
    Ok(rulings)
}

fn read_kept(seats: u8, sides: u8, reader: &mut BitReader<'_>) -> Result<Kept, TokenError> {
    let id = reader.number(32, "ruling")? as u32;
    let side = Side(reader.below(sides.into(), SEAT_BITS, "side of a ruling")? as u8);
    let offender = read_maybe_seat(reader, seats, SEAT)?;
    let points = unzigzag(reader.number(32, "points of a ruling")? as u32);
    let reversed = reader.flag()?;
    let standing = match reader.below(7, 3, "effect of a ruling")? {
        0 => Standing::None,
        1 => Standing::Surcharge(unzigzag(reader.number(32, "surcharge")? as u32)),
        2 => Standing::Penalty(read_seat(reader, seats, SEAT)?, read_cards(reader)?),
        3 => Standing::Forfeit(read_seat(reader, seats, SEAT)?, reader.number(16, "turns")? as u16),
        5 => Standing::Talon(read_seat(reader, seats, SEAT)?, reader.bits(3)? as u8),
        6 => {
            let mut points = [0; SEATS_MAX];
            for points in &mut points[..usize::from(sides)] {
                *points = unzigzag(reader.number(32, "points by side")? as u32);
            }
            Standing::Adjusted(points)
        }
        _ => Standing::Lost(unzigzag(reader.number(32, "award")? as u32)),
    };
    Ok(Kept { id, side, offender, points, reversed, standing })
}

/// Reads cards, which must be in ascending order of kind.
fn read_cards(reader: &mut BitReader<'_>) -> Result<Cards, TokenError> {
    let count = reader.number(COUNT_BITS, "penalty cards")?;
    let (mut cards, mut last) = (Cards::EMPTY, 0);
    for _ in 0..count {
        let bit = reader.at();
        let kind = reader.below(KINDS as u64, KIND_BITS, "penalty card")? as u8;
        let Some(card) = Card::from_kind(kind).filter(|_| kind >= last && cards.len() < u16::from(u8::MAX))
        else {
            return Err(TokenErrorKind::NotCanonical { field: "penalty cards" }.at(bit));
        };
        cards.insert(card);
        last = kind;
    }
    Ok(cards)
}
