//! Decoding of cards, which are subtracted from the pack as they are read.

use super::held::HOLDERS_MAX;
use super::rest::{COPIES, Rest};
use super::{BLACK_THREES, CENTRE, GROUP, RED_THREES, USED, dealt, plain_ids, split, tentative};
use crate::card::{CARDS_MAX, Card, Cards, KINDS};
use crate::pack::bits::{BitReader, FIELD_MAX, width_of};
use crate::pack::{COUNT_BITS, KIND_BITS, SEAT_BITS, TokenError, TokenErrorKind, Widths};
use crate::seat::{SEATS_MAX, Seat};
use crate::table::{Table, Talon, TalonPlace};
use alloc::vec::Vec;
use melds::read_melds;

mod melds;

const NO_RED_THREE: TokenErrorKind =
    TokenErrorKind::Invariant("no hand holds a red three that is laid by itself");

/// Reads the fields that [`write_ids`](super::write_ids) wrote: each side's next id, `None` if ids are plain, and
/// whether cards are on the table.
pub(in crate::pack) fn read_ids(
    reader: &mut BitReader<'_>,
    table: &Table,
) -> Result<(Option<[u8; SEATS_MAX]>, bool), TokenError> {
    let sides = usize::from(table.set().side_count);
    let mut ids = None;
    if !reader.flag()? {
        let mut next = [0; SEATS_MAX];
        for id in &mut next[..sides] {
            *id = reader.bits(8)? as u8;
        }
        ids = Some(next);
    }
    let any = match dealt(table.phase, table.round.number) {
        Some(any) => any,
        None => reader.flag()?,
    };
    Ok((ids, any))
}

/// Reads all zones into `table`, which has no card yet.
pub(in crate::pack) fn read(
    table: &mut Table,
    ids: Option<[u8; SEATS_MAX]>,
    any: bool,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    let bit = reader.at();
    if any {
        read_cards(table, ids, reader)?;
    }
    if let Some(next) = ids {
        table.round.next_id = next;
        if plain_ids(table) {
            return Err(TokenErrorKind::NotCanonical { field: "ids" }.at(bit));
        }
    }
    Ok(())
}

fn read_cards(
    table: &mut Table,
    ids: Option<[u8; SEATS_MAX]>,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    let widths = Widths::of(&table.rules);
    let mut rest = Rest::of(table.set().packs, table.set().jokers);
    let (seats, deck) = (usize::from(table.set().seats), u64::from(table.rules.deck_size()));
    let stock = reader.below(deck + 1, COUNT_BITS, "stock")? as usize;
    let pile = reader.below(deck + 1, COUNT_BITS, "pile")? as usize;
    table.round.start_len = reader.number(COUNT_BITS, "start of the pile")? as u16;
    read_sequence(reader, stock, &mut table.stock, &mut rest)?;
    // The capacity has room for later discards.
    reader.need(pile * KIND_BITS as usize)?;
    table.pile.reserve_exact(deck as usize);
    read_sequence(reader, pile, &mut table.pile, &mut rest)?;
    read_hidden(table, &mut rest, reader)?;
    let bit = reader.at();
    for laid in &mut table.laid[..seats] {
        read_threes(widths, laid, reader)?;
        laid.kinds().for_each(|(card, copies)| rest.take(card.index(), copies));
    }
    rest.check(bit)?;
    read_melds(table, ids, widths, &mut rest, reader)?;
    if table.set().undo_meld {
        tentative::read(table, &mut rest, reader)?;
    }
    read_hands(table, &rest, reader)
}

/// Reads the talons, and the card that lies face down.
fn read_hidden(table: &mut Table, rest: &mut Rest, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let Table { rules, talons, face_down, .. } = table;
    let set = rules.set();
    for &size in &set.talons {
        let bit = reader.at();
        let found = reader.bits(SEAT_BITS)?;
        let place = match found {
            CENTRE => TalonPlace::Centre,
            USED => TalonPlace::Used,
            seat if seat < set.seats.into() => TalonPlace::Before(Seat(seat as u8)),
            _ => {
                return Err(TokenErrorKind::Field { field: "place of a talon", found }.at(bit));
            }
        };
        let count = if place == TalonPlace::Used { 0 } else { usize::from(size) };
        let mut cards = Vec::new();
        read_sequence(reader, count, &mut cards, rest)?;
        talons.push(Talon { place, cards });
    }
    if set.final_face_down && reader.flag()? {
        let mut cards = Vec::new();
        read_sequence(reader, 1, &mut cards, rest)?;
        *face_down = cards.pop();
    }
    Ok(())
}

/// Reads threes that [`write_threes`](super::write_threes) wrote into `threes`, which has none yet. The caller must
/// check that the pack has them.
#[inline(always)]
pub(in crate::pack) fn read_threes(
    widths: Widths,
    threes: &mut Cards,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    read_colour(widths, RED_THREES, threes, reader)?;
    if widths.both_colours { read_colour(widths, BLACK_THREES, threes, reader) } else { Ok(()) }
}

/// Reads the threes of one colour, of these two kinds.
#[inline(always)]
fn read_colour(
    widths: Widths,
    kinds: [usize; 2],
    threes: &mut Cards,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    let counts = reader.bits(2 * widths.copies)?;
    if counts > 0 {
        let [low, high] = kinds.map(|kind| card(kind as u8));
        threes.insert_copies(low, (counts & !u64::MAX.wrapping_shl(widths.copies)) as u8);
        threes.insert_copies(high, counts.wrapping_shr(widths.copies) as u8);
    }
    Ok(())
}

/// Reads `count` cards in order into `cards`, which has none yet, and takes them from `rest`.
fn read_sequence(
    reader: &mut BitReader<'_>,
    count: usize,
    cards: &mut Vec<Card>,
    rest: &mut Rest,
) -> Result<(), TokenError> {
    let start = reader.at();
    read_kinds(reader, count, cards, |kind| rest.take(kind, 1))?;
    rest.check(start)
}

/// Reads a wall that is written out. It need not be a pack: the deal judges that.
pub fn read_wall(reader: &mut BitReader<'_>) -> Result<Vec<Card>, TokenError> {
    let count = reader.below(CARDS_MAX as u64 + 1, COUNT_BITS, "wall")? as usize;
    let (start, mut strange) = (reader.at(), None);
    let mut wall = Vec::new();
    read_kinds(reader, count, &mut wall, |kind| {
        if kind >= KINDS {
            strange = Some(kind as u64);
        }
    })?;
    match strange {
        Some(found) => Err(TokenErrorKind::Field { field: "card", found }.at(start)),
        None => Ok(wall),
    }
}

/// Reads `count` kinds of cards. Calls `each` with every kind, including invalid kinds above 52.
fn read_kinds(
    reader: &mut BitReader<'_>,
    count: usize,
    cards: &mut Vec<Card>,
    mut each: impl FnMut(usize),
) -> Result<(), TokenError> {
    reader.need(count * KIND_BITS as usize)?;
    cards.reserve_exact(count);
    for _ in 0..count / GROUP {
        let kinds = split(reader.take(GROUP as u32 * KIND_BITS));
        kinds.iter().for_each(|&kind| each(usize::from(kind) % (1 << KIND_BITS)));
        cards.extend_from_slice(&Card::from_kinds(kinds).unwrap_or_else(|| kinds.map(card)));
    }
    let left = count % GROUP;
    let kinds = split(reader.take(left as u32 * KIND_BITS));
    for &kind in kinds.iter().take(left) {
        each(usize::from(kind) % (1 << KIND_BITS));
        cards.push(card(kind));
    }
    Ok(())
}

/// Returns the card of this kind. An invalid kind gives any card; the caller has already noted the fault.
#[inline(always)]
fn card(kind: u8) -> Card {
    Card::from_kind(kind).unwrap_or(Card::JOKER)
}

fn read_hands(table: &mut Table, rest: &Rest, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let seats = usize::from(table.set().seats);
    let may_hold = table.set().holds_red_threes();
    if table.feet.is_empty() {
        if !may_hold && RED_THREES.iter().any(|&kind| rest.left[kind] > 0) {
            return reader.error(NO_RED_THREE);
        }
        return read_held(&mut table.hands, seats, rest, reader);
    }
    let (mut held, holders) = ([Cards::EMPTY; HOLDERS_MAX], seats + table.feet.len());
    read_held(&mut held, holders, rest, reader)?;
    if held[holders..].iter().any(|cards| !cards.is_empty()) {
        return reader.error(TokenErrorKind::NotCanonical { field: "hands" });
    }
    if !may_hold && held[..seats].iter().any(|hand| hand.red_threes() > 0) {
        return reader.error(NO_RED_THREE);
    }
    table.hands[..seats].copy_from_slice(&held[..seats]);
    table.feet.copy_from_slice(&held[seats..holders]);
    Ok(())
}

fn read_held(
    held: &mut [Cards],
    holders: usize,
    rest: &Rest,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    match holders {
        2 => read_held_by::<2>(held, rest, reader),
        3 => read_held_by::<3>(held, rest, reader),
        4 => read_held_by::<4>(held, rest, reader),
        5 => read_held_by::<5>(held, rest, reader),
        6 => read_held_by::<6>(held, rest, reader),
        8 => read_held_by::<8>(held, rest, reader),
        10 => read_held_by::<10>(held, rest, reader),
        9..=12 => read_held_by::<12>(held, rest, reader),
        _ => read_held_by::<HOLDERS_MAX>(held, rest, reader),
    }
}

fn read_held_by<const HOLDERS: usize>(
    held: &mut [Cards],
    rest: &Rest,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    let held: &mut [Cards; HOLDERS] = held.first_chunk_mut().expect("as many were given");
    let (start, width) = (reader.at(), width_of(HOLDERS as u32 - 1));
    let mut kinds = [0; CARDS_MAX + COPIES];
    let kinds = rest.list(&mut kinds);
    reader.need(kinds.len() * width as usize)?;
    // Kinds ascend, and the copies of a kind by holder: so does the number that has the kind above the holder.
    let (mut last, mut wrong) = (0, false);
    for group in kinds.chunks((FIELD_MAX / width) as usize) {
        let mut holders = reader.take(group.len() as u32 * width);
        for &kind in group {
            let holder = holders as usize % (1 << width);
            holders >>= width;
            let place = usize::from(kind) << width | holder;
            wrong |= (holder >= HOLDERS) | (place < last);
            last = place;
            held[holder.min(HOLDERS - 1)].insert_copy(card(kind));
        }
    }
    if wrong {
        return Err(TokenErrorKind::NotCanonical { field: "hands" }.at(start));
    }
    Ok(())
}
