//! The codec of loose cards and of a tentatively taken top, which only some rule sets have (ALG-07).

use super::rest::Rest;
use crate::card::{Card, Cards};
use crate::invariant;
use crate::pack::bits::{BitReader, BitWriter, width_of};
use crate::pack::{KIND_BITS, TokenError, TokenErrorKind};
use crate::table::{Loose, Phase, Table, TakenTop, are_all_loose};
use alloc::vec::Vec;

/// Whether cards may be loose: in a turn that goes on, or was left open.
pub(super) fn may_be_loose(table: &Table) -> bool {
    let goes_on = matches!(table.phase, Phase::Play | Phase::Taking | Phase::Asked);
    table.set().undo_meld && (goes_on || is_left_open(table))
}

/// Whether a ruling ended the round while cards were loose or a top was taken. The token says so with the bit which says
/// of other ends that a seat went out concealed; it is set in a table whose cards are still to be read.
pub(in crate::pack) fn is_left_open(table: &Table) -> bool {
    let is_marked = || table.round.over.is_some_and(|over| over.concealed);
    table.is_cut_off() && (table.taken_top.is_some() || !table.turn.loose.is_empty() || is_marked())
}

/// Appends the taken top, and before it, in a turn that was left open, whether there is one. Then, for each meld of the
/// side in turn, appends whether any card of the meld is loose, whether all are, and, if only some are, the loose
/// copies of each kind.
pub(super) fn write(table: &Table, writer: &mut BitWriter<'_>) {
    if is_left_open(table) {
        writer.flag(table.taken_top.is_some());
    }
    if let Some(TakenTop { card, meld }) = table.taken_top {
        writer.put(u64::from(card.kind()) | u64::from(meld.is_some()) << KIND_BITS, KIND_BITS + 1);
        if let Some(id) = meld {
            writer.put(id.0.into(), 8);
        }
    }
    if !may_be_loose(table) {
        return;
    }
    for meld in table.melds_of(table.side_of(table.turn.seat)) {
        let loose = table.loose_of(meld.id);
        writer.flag(loose.is_some());
        let Some(loose) = loose else { continue };
        writer.flag(*loose == meld.cards);
        if *loose != meld.cards {
            for (card, count) in meld.cards.kinds() {
                writer.put(loose.count(card).into(), width_of(count.into()));
            }
        }
    }
}

/// Reads the fields that [`write`] wrote. All melds must have been read before.
pub(super) fn read(table: &mut Table, rest: &mut Rest, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let (bit, left) = (reader.at(), is_left_open(table));
    let is_taken = if left { reader.flag()? } else { table.phase == Phase::Taking };
    if is_taken {
        let bit = reader.at();
        let kind = reader.bits(KIND_BITS)?;
        let Some(card) = Card::from_kind(kind as u8) else {
            return Err(TokenErrorKind::Field { field: "taken top", found: kind }.at(bit));
        };
        let mut meld = None;
        if reader.flag()? {
            meld = Some(crate::action::MeldId(reader.bits(8)? as u8));
        } else {
            rest.take(usize::from(card.kind()), 1);
            rest.check(bit)?;
        }
        table.taken_top = Some(TakenTop { card, meld });
    }
    if !may_be_loose(table) {
        return Ok(());
    }
    let (start, side) = (reader.at(), table.side_of(table.turn.seat));
    let mut loose = Vec::new();
    for meld in table.melds_of(side) {
        if reader.flag()? {
            let cards = if reader.flag()? { meld.cards } else { read_part(&meld.cards, reader)? };
            loose.push(Loose { meld: meld.id, cards });
        }
    }
    if are_all_loose(&table.melds, &loose, side) {
        table.round.opened &= !(1 << side.0);
    }
    table.turn.loose = loose;
    if left {
        table.round.over.iter_mut().for_each(|over| over.concealed = false);
        if !is_left_open(table) {
            return Err(TokenErrorKind::NotCanonical { field: "loose cards" }.at(bit));
        }
    }
    // The shape of melds was not checked when they were read.
    match invariant::melds_shaped(table) {
        Ok(()) => Ok(()),
        Err(_) => Err(TokenErrorKind::Invariant("every meld has the shape of its kind").at(start)),
    }
}

/// Reads some of the cards in `all`: neither none nor all of them.
fn read_part(all: &Cards, reader: &mut BitReader<'_>) -> Result<Cards, TokenError> {
    let start = reader.at();
    let mut part = Cards::EMPTY;
    for (card, count) in all.kinds() {
        let copies = reader.below(u64::from(count) + 1, width_of(count.into()), "loose cards")?;
        part.insert_copies(card, copies as u8);
    }
    if part.is_empty() || part == *all {
        return Err(TokenErrorKind::NotCanonical { field: "loose cards" }.at(start));
    }
    Ok(part)
}
