//! Decoding of cards, which are subtracted from the pack as they are read.

use super::{BLACK_THREES, CENTRE, GROUP, JOKER, RED_THREES, USED, colours, dealt, plain_ids, tentative};
use crate::card::{CARDS_MAX, Card, Cards, KINDS};
use crate::pack::bits::{BitReader, FIELD_MAX, width_of};
use crate::pack::{COUNT_BITS, KIND_BITS, SEAT_BITS, TokenError, TokenErrorKind, Widths};
use crate::rules::RuleSet;
use crate::seat::{SEATS_MAX, Seat};
use crate::table::{Table, Talon, TalonPlace};
use alloc::vec::Vec;
use melds::read_melds;

mod melds;

const NO_RED_THREE: TokenErrorKind =
    TokenErrorKind::Invariant("no hand holds a red three that is laid by itself");

/// The number of copies of a kind that are listed at once.
const COPIES: usize = 4;

/// The cards of the pack that no zone has named yet. Kinds above 52 have no cards.
pub(super) struct Rest {
    /// Copies by kind. Taking too many wraps around to above 32,767. No token names so many cards that the number
    /// wraps back.
    left: [u16; 1 << KIND_BITS],
}

impl Rest {
    fn of(packs: u8, jokers: u8) -> Self {
        let mut left = [0; 1 << KIND_BITS];
        left[..JOKER].fill(packs.into());
        left[JOKER] = jokers.into();
        Self { left }
    }

    pub(super) fn take(&mut self, kind: usize, copies: u8) {
        self.left[kind] = self.left[kind].wrapping_sub(copies.into());
    }

    /// Returns the kinds that are left, ascending, each as often as it has copies. `kinds` is the buffer.
    fn list<'a>(&self, kinds: &'a mut [u8; CARDS_MAX + COPIES]) -> &'a [u8] {
        let mut count = 0;
        for (kind, &copies) in (0u8..).zip(&self.left[..KINDS]) {
            let copies = usize::from(copies);
            // Most kinds have at most `COPIES` copies, so one store of fixed size is enough for them.
            kinds[count..count + COPIES].fill(kind);
            if copies > COPIES {
                kinds[count..count + copies].fill(kind);
            }
            count += copies;
        }
        &kinds[..count]
    }

    /// Checks that no more cards were taken than the pack has. `bit` is the beginning of the list that took them.
    pub(super) fn check(&self, bit: usize) -> Result<(), TokenError> {
        let all = self.left.iter().fold(0, |all, left| all | left);
        if all >> 15 == 1 { Err(TokenError { bit, kind: TokenErrorKind::Pack }) } else { Ok(()) }
    }
}

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
            return Err(TokenError { bit, kind: TokenErrorKind::NotCanonical { field: "ids" } });
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
    table.stock = read_sequence(reader, stock, stock, &mut rest)?;
    // The capacity has room for later discards.
    table.pile = read_sequence(reader, pile, deck as usize, &mut rest)?;
    read_hidden(table, &mut rest, reader)?;
    let bit = reader.at();
    for laid in &mut table.laid[..seats] {
        read_threes(table.rules.set(), laid, reader)?;
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
    let rules = table.rules.clone();
    let set = rules.set();
    for &size in &set.talons {
        let bit = reader.at();
        let found = reader.bits(SEAT_BITS)?;
        let place = match found {
            CENTRE => TalonPlace::Centre,
            USED => TalonPlace::Used,
            seat if seat < set.seats.into() => TalonPlace::Before(Seat(seat as u8)),
            _ => {
                let kind = TokenErrorKind::Field { field: "place of a talon", found };
                return Err(TokenError { bit, kind });
            }
        };
        let count = if place == TalonPlace::Used { 0 } else { usize::from(size) };
        let cards = read_sequence(reader, count, count, rest)?;
        table.talons.push(Talon { place, cards });
    }
    if set.final_face_down && reader.flag()? {
        table.face_down = read_sequence(reader, 1, 1, rest)?.pop();
    }
    Ok(())
}

/// Reads threes that [`write_threes`](super::write_threes) wrote into `threes`, which has none yet. The caller must
/// check that the pack has them.
pub(in crate::pack) fn read_threes(
    set: &RuleSet,
    threes: &mut Cards,
    reader: &mut BitReader<'_>,
) -> Result<(), TokenError> {
    let copies = width_of(set.packs.into());
    for kinds in [RED_THREES, BLACK_THREES].into_iter().take(colours(set)) {
        let counts = reader.bits(2 * copies)?;
        if counts > 0 {
            for (place, kind) in (0..).zip(kinds) {
                threes.insert_copies(card(kind), (counts >> (place * copies)) as u8 & ((1 << copies) - 1));
            }
        }
    }
    Ok(())
}

/// Reads `count` cards in order, and takes them from `rest`. The result has room for `capacity` cards.
fn read_sequence(
    reader: &mut BitReader<'_>,
    count: usize,
    capacity: usize,
    rest: &mut Rest,
) -> Result<Vec<Card>, TokenError> {
    let start = reader.at();
    let mut cards = Vec::new();
    read_kinds(reader, count, capacity, &mut cards, |kind| rest.take(kind, 1))?;
    rest.check(start)?;
    Ok(cards)
}

/// Reads a wall that is written out. It need not be a pack: the deal judges that.
pub fn read_wall(reader: &mut BitReader<'_>) -> Result<Vec<Card>, TokenError> {
    let count = reader.below(CARDS_MAX as u64 + 1, COUNT_BITS, "wall")? as usize;
    let (start, mut strange) = (reader.at(), None);
    let mut wall = Vec::new();
    read_kinds(reader, count, count, &mut wall, |kind| {
        if kind >= KINDS {
            strange = Some(kind as u64);
        }
    })?;
    match strange {
        Some(found) => Err(TokenError { bit: start, kind: TokenErrorKind::Field { field: "card", found } }),
        None => Ok(wall),
    }
}

/// Reads `count` kinds of cards. Calls `each` with every kind, including invalid kinds above 52.
fn read_kinds(
    reader: &mut BitReader<'_>,
    count: usize,
    capacity: usize,
    cards: &mut Vec<Card>,
    mut each: impl FnMut(usize),
) -> Result<(), TokenError> {
    reader.need(count * KIND_BITS as usize)?;
    cards.reserve_exact(capacity.max(count));
    let mut read_group = |group: &mut [Card]| {
        let mut kinds = reader.take(group.len() as u32 * KIND_BITS);
        for place in group {
            let kind = kinds as usize % (1 << KIND_BITS);
            kinds >>= KIND_BITS;
            each(kind);
            *place = card(kind);
        }
    };
    let mut group = [Card::JOKER; GROUP];
    for _ in 0..count / GROUP {
        read_group(&mut group);
        cards.extend_from_slice(&group);
    }
    let last = &mut group[..count % GROUP];
    read_group(last);
    cards.extend_from_slice(last);
    Ok(())
}

/// Returns the card of this kind. An invalid kind gives any card; the caller has already noted the fault.
fn card(kind: usize) -> Card {
    Card::from_kind(kind as u8).unwrap_or(Card::JOKER)
}

fn read_hands(table: &mut Table, rest: &Rest, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let seats = usize::from(table.set().seats);
    let by_choice = table.set().lays_threes_by_choice();
    if table.feet.is_empty() {
        if !by_choice && RED_THREES.iter().any(|&kind| rest.left[kind] > 0) {
            return reader.error(NO_RED_THREE);
        }
        return read_held(&mut table.hands, seats, rest, reader);
    }
    let mut held = [Cards::EMPTY; 2 * SEATS_MAX];
    read_held(&mut held, 2 * seats, rest, reader)?;
    if !by_choice && held[..seats].iter().any(|hand| hand.red_threes() > 0) {
        return reader.error(NO_RED_THREE);
    }
    table.hands[..seats].copy_from_slice(&held[..seats]);
    table.feet.copy_from_slice(&held[seats..2 * seats]);
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
        _ => read_held_by::<12>(held, rest, reader),
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
            held[holder.min(HOLDERS - 1)].insert_copy(card(kind.into()));
        }
    }
    if wrong {
        return Err(TokenError { bit: start, kind: TokenErrorKind::NotCanonical { field: "hands" } });
    }
    Ok(())
}
