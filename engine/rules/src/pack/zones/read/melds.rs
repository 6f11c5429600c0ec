//! Decoding of melds.

use super::{Rest, card};
use crate::action::{MeldId, MeldKind};
use crate::card::{Card, Cards, Rank};
use crate::pack::bits::BitReader;
use crate::pack::zones::{BLACK_THREES, JOKER, PLACE_BITS, SEQUENCE_BITS, SUIT, tentative};
use crate::pack::{TokenError, TokenErrorKind, Widths};
use crate::seat::{SEATS_MAX, Side};
use crate::sequence::{PLACES, Sequence};
use crate::table::{MELDS_MAX, Meld, Table};

/// Reads the number of melds of each side, then the melds.
pub(super) fn read_melds(
    table: &mut Table,
    ids: Option<[u8; SEATS_MAX]>,
    widths: Widths,
    rest: &mut Rest,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    let (start, sides) = (reader.at(), usize::from(table.set().side_count));
    let mut counts = [0; SEATS_MAX];
    for count in &mut counts[..sides] {
        *count = reader.number(8, "melds")?;
    }
    let total: u64 = counts.iter().sum();
    // Tentative melds may have any size, so their size is judged later.
    let smallest = if table.set().undo_meld { 1 } else { table.set().meld_min };
    let most = u64::from(table.rules.deck_size()) / u64::from(smallest);
    if total > most.min(MELDS_MAX as u64) {
        return Err(TokenErrorKind::Field { field: "melds", found: total }.at(start));
    }
    reader.need(total as usize * (2 + 2 * widths.copies as usize))?;
    let judged = !tentative::may_be_loose(table);
    let (meld_min, min_naturals) = (u16::from(table.set().meld_min), u16::from(table.set().min_naturals));
    let sequence_max = table.set().sequence_max;
    // The capacity has room for later melds.
    table.melds.reserve_exact(total as usize + 4);
    for side in 0..sides {
        let mut next = 0;
        for _ in 0..counts[side] {
            let bit = reader.at();
            let id = if ids.is_some() { reader.bits(8)? as u8 } else { next };
            if id < next || ids.is_some_and(|ids| id >= ids[side]) {
                return Err(TokenErrorKind::Field { field: "id", found: id.into() }.at(bit));
            }
            next = id + 1;
            let (side, id) = (Side(side as u8), MeldId(id));
            // The meld is filled in place, because melds are expensive to move.
            table.melds.push(Meld { side, id, kind: MeldKind::Set, rank: None, cards: Cards::EMPTY });
            let meld = table.melds.last_mut().expect("one was pushed");
            read_meld(meld, sequence_max, widths, rest, reader)?;
            let naturals = meld.len() - u16::from(meld.wilds());
            if judged && (meld.len() < meld_min || meld.kind == MeldKind::Set && naturals < min_naturals) {
                return Err(TokenErrorKind::Invariant("every meld has the shape of its kind").at(bit));
            }
            table.round.opened |= 1 << side.0;
        }
        table.round.next_id[side] = next;
    }
    rest.check(start)
}

/// Reads kind, rank and cards into `meld`, which has none yet. `sequence_max` is 0 if there are no sequences.
#[inline(always)]
fn read_meld(
    meld: &mut Meld,
    sequence_max: u8,
    widths: Widths,
    rest: &mut Rest,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    // A meld takes at most 38 bits, so all its bits are in one word.
    let (bit, word, copies) = (reader.at(), reader.peek(), widths.copies);
    // Nearly all melds are sets.
    if word & 3 != 0 {
        return read_other(meld, sequence_max, widths, rest, reader);
    }
    let (own, wild) = (7 + 4 * copies, word >> (6 + 4 * copies) & 1 == 1);
    reader.skip(if wild { own + widths.wilds() } else { own })?;
    let number = word >> 2 & 15;
    let Some(rank) = Rank::from_index(number as u8).filter(|rank| rank.is_natural()) else {
        return Err(TokenErrorKind::Field { field: "rank", found: number }.at(bit + 2));
    };
    meld.rank = Some(rank);
    take_suits(rest, &mut meld.cards, rank, suits_at(word >> 6, copies));
    if wild { read_wilds(&mut meld.cards, word >> own, widths, rest, bit + own as usize) } else { Ok(()) }
}

/// Reads a meld that is no set.
#[inline(never)]
fn read_other(
    meld: &mut Meld,
    sequence_max: u8,
    widths: Widths,
    rest: &mut Rest,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    let (bit, word, copies) = (reader.at(), reader.peek(), widths.copies);
    let cards = &mut meld.cards;
    match word & 3 {
        1 => {
            reader.skip(2 + widths.wilds())?;
            meld.kind = MeldKind::Wild;
            read_wilds(cards, word >> 2, widths, rest, bit + 2)?;
        }
        2 if sequence_max > 0 => {
            reader.skip(SEQUENCE_BITS)?;
            meld.kind = MeldKind::Sequence;
            let (suit, low) = (word >> 2 & 3, word >> 4 & 15);
            let len = word >> (4 + PLACE_BITS) & 15;
            if low + len > u64::from(PLACES) || len > sequence_max.into() {
                return Err(TokenErrorKind::Field { field: "sequence", found: low | len << 4 }.at(bit + 4));
            }
            let sequence = Sequence { suit: suit as u8, low: low as u8, len: len as u8 };
            for card in sequence.cards() {
                cards.insert_copy(card);
                rest.take(card.index(), 1);
            }
        }
        3 => {
            reader.skip(2 + 2 * copies)?;
            meld.kind = MeldKind::BlackThrees;
            let [clubs, spades, ..] = suits_at(word >> 2, copies);
            for (kind, copies) in BLACK_THREES.into_iter().zip([clubs, spades]) {
                cards.insert_copies(card(kind as u8), copies);
                rest.take(kind, copies);
            }
        }
        kind => {
            return Err(TokenErrorKind::Field { field: "kind of meld", found: kind }.at(bit));
        }
    }
    Ok(())
}

/// Reads the wild cards of a meld, with which `word` begins. `bit` is their place in the token.
#[inline(always)]
fn read_wilds(
    cards: &mut Cards,
    word: u64,
    widths: Widths,
    rest: &mut Rest,
    bit: usize,
) -> Result<(), TokenError> {
    let jokers = (word >> (4 * widths.copies)) as u8 & ((1u8 << widths.jokers) - 1);
    take_suits(rest, cards, Rank::Two, suits_at(word, widths.copies));
    cards.insert_copies(Card::JOKER, jokers);
    rest.take(JOKER, jokers);
    if cards.wilds() == 0 {
        return Err(TokenErrorKind::NotCanonical { field: "wild cards" }.at(bit));
    }
    Ok(())
}

/// Returns four numbers of copies, of `width` bits each, with which `word` begins.
#[inline(always)]
fn suits_at(word: u64, width: u32) -> [u8; 4] {
    // The numbers are moved to one byte each in two steps: pairs of them first.
    let (pair, one) = (!u32::MAX.wrapping_shl(2 * width), !u32::MAX.wrapping_shl(width));
    let low = word as u32;
    let pairs = low & pair | (low.wrapping_shr(2 * width) & pair) << 16;
    let one = one | one << 16;
    (pairs & one | (pairs.wrapping_shr(width) & one) << 8).to_le_bytes()
}

/// Moves copies of `rank` by suit, in the order of suits, from the rest of the pack to `cards`, which have none of this
/// rank yet.
#[inline(always)]
fn take_suits(rest: &mut Rest, cards: &mut Cards, rank: Rank, copies: [u8; 4]) {
    cards.insert_suits(rank, copies);
    (0..4).zip(copies).for_each(|(suit, copies)| rest.take(suit * SUIT + rank.index(), copies));
}
