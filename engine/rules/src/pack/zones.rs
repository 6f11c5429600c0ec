//! The codec of the cards. Every card is in exactly one zone. Only stock, pile and talons have an order.
//!
//! All cards of the pack that no other zone names are in the hands and feet, so cards are conserved by
//! construction.

use super::bits::{BitWriter, FIELD_MAX};
use super::{COUNT_BITS, KIND_BITS, SEAT_BITS, Widths};
use crate::action::MeldKind;
use crate::card::{CARDS_MAX, Card, Cards, Rank};
use crate::seat::SEATS_MAX;
use crate::sequence::Sequence;
use crate::table::{Meld, Phase, Table, Talon, TalonPlace};

mod held;
mod read;
mod rest;
mod tentative;

pub use read::read_wall;
pub(super) use read::{read, read_ids, read_threes};
pub(super) use tentative::is_left_open;

/// Width of a place in a suit, and of the length of a sequence, in bits.
const PLACE_BITS: u32 = 4;
/// Width of a sequence, in bits: kind, suit, place of its lowest card, length.
const SEQUENCE_BITS: u32 = 4 + 2 * PLACE_BITS;
/// The kinds of the red threes: diamonds, then hearts.
const RED_THREES: [usize; 2] = [15, 28];
/// The kinds of the black threes: clubs, then spades.
const BLACK_THREES: [usize; 2] = [2, 41];
const JOKER: usize = 52;
/// The value in place of a seat for a talon in the centre.
const CENTRE: u64 = 6;
/// The value in place of a seat for a used talon.
const USED: u64 = 7;
const SUIT: usize = 13;
/// The number of kinds in a group, which is read and written as one field.
const GROUP: usize = 8;

const _: () = assert!(GROUP as u32 * KIND_BITS <= FIELD_MAX);

/// Returns whether cards are on the table; `None` if the phase does not determine this.
pub(super) fn dealt(phase: Phase, round: u16) -> Option<bool> {
    match phase {
        Phase::Setup | Phase::Deal => Some(false),
        // The draw for seats deals no cards.
        Phase::RoundOver if round == 0 => Some(false),
        Phase::Start | Phase::Play | Phase::Asked | Phase::Taking | Phase::RoundOver => Some(true),
        Phase::GameOver => None,
    }
}

fn any_card(table: &Table) -> bool {
    let sequences = !table.stock.is_empty() || !table.pile.is_empty() || !table.melds.is_empty();
    let sequences = sequences || !table.talons.is_empty() || table.face_down.is_some();
    sequences || table.hands.iter().chain(&table.feet).chain(&table.laid).any(|cards| !cards.is_empty())
}

/// Whether the melds of each side are numbered from 0 without a gap, and the next id is the number after the
/// last.
fn plain_ids(table: &Table) -> bool {
    let mut next = [0u8; SEATS_MAX];
    let in_order = table.melds.iter().all(|meld| {
        let expected = &mut next[meld.side.index()];
        let fits = meld.id.0 == *expected;
        *expected = expected.wrapping_add(1);
        fits
    });
    in_order && next == table.round.next_id
}

/// Appends whether ids are plain, the next id of each side if they are not, and, if the phase does not
/// determine it, whether any card is on the table. Returns whether ids are plain.
pub(super) fn write_ids(table: &Table, writer: &mut BitWriter<'_>) -> bool {
    let plain = plain_ids(table);
    writer.flag(plain);
    if !plain {
        for side in table.sides() {
            writer.put(table.round.next_id[side.index()].into(), 8);
        }
    }
    if dealt(table.phase, table.round.number).is_none() {
        writer.flag(any_card(table));
    }
    plain
}

/// Appends all zones if any card is on the table.
pub(super) fn write(table: &Table, plain: bool, writer: &mut BitWriter<'_>) {
    if !dealt(table.phase, table.round.number).unwrap_or_else(|| any_card(table)) {
        return;
    }
    let widths = Widths::of(&table.rules);
    writer.put(table.stock.len() as u64 | (table.pile.len() as u64) << COUNT_BITS, 2 * COUNT_BITS);
    writer.number(table.round.start_len.into(), COUNT_BITS);
    write_sequence(&table.stock, writer);
    write_sequence(&table.pile, writer);
    for talon in &table.talons {
        write_talon(talon, writer);
    }
    if table.set().final_face_down {
        writer.flag(table.face_down.is_some());
        write_sequence(table.face_down.as_slice(), writer);
    }
    for seat in table.seats() {
        write_threes(table.laid(seat), widths, writer);
    }
    for side in table.sides() {
        writer.number(table.melds_of(side).count() as u64, 8);
    }
    for meld in &table.melds {
        if !plain {
            writer.put(meld.id.0.into(), 8);
        }
        write_meld(meld, widths, writer);
    }
    if table.set().undo_meld {
        tentative::write(table, writer);
    }
    held::write(table, writer);
}

/// Appends the place of a talon and its cards in order. The number of cards follows from the rule set.
fn write_talon(talon: &Talon, writer: &mut BitWriter<'_>) {
    let place = match talon.place {
        TalonPlace::Before(seat) => seat.0.into(),
        TalonPlace::Centre => CENTRE,
        TalonPlace::Used => USED,
    };
    writer.put(place, SEAT_BITS);
    write_sequence(&talon.cards, writer);
}

/// Appends the number of each kind of three that is laid: red threes, then black threes if the rule set lays
/// those.
#[inline(always)]
pub(super) fn write_threes(threes: &Cards, widths: Widths, writer: &mut BitWriter<'_>) {
    let colour = |[low, high]: [usize; 2]| {
        u64::from(threes.counts()[low]) | u64::from(threes.counts()[high]) << widths.copies
    };
    writer.put(colour(RED_THREES), 2 * widths.copies);
    if widths.both_colours {
        writer.put(colour(BLACK_THREES), 2 * widths.copies);
    }
}

/// Appends a wall: the number of cards, then their kinds.
///
/// # Panics
/// If the wall has more than 324 cards, which is the size of the largest pack.
pub fn write_wall(wall: &[Card], writer: &mut BitWriter<'_>) {
    assert!(wall.len() <= CARDS_MAX, "a wall is no longer than the largest pack");
    writer.put(wall.len() as u64, COUNT_BITS);
    write_sequence(wall, writer);
}

fn write_sequence(cards: &[Card], writer: &mut BitWriter<'_>) {
    let (groups, last) = cards.as_chunks::<GROUP>();
    for group in groups {
        writer.put(join(group.map(Card::kind)), KIND_BITS * GROUP as u32);
    }
    let kinds = last.iter().rev().fold(0, |kinds, card| kinds << KIND_BITS | u64::from(card.kind()));
    writer.put(kinds, KIND_BITS * last.len() as u32);
}

/// Returns the kinds of a group as one field: six bits of each byte, first kind lowest.
#[inline(always)]
fn join(kinds: [u8; GROUP]) -> u64 {
    // Each step closes the gaps between neighbours, first of kinds, then of pairs of kinds, then of fours.
    let kinds = u64::from_le_bytes(kinds);
    let pairs = kinds & 0x003f_003f_003f_003f | (kinds & 0x3f00_3f00_3f00_3f00) >> 2;
    let fours = pairs & 0x0000_0fff_0000_0fff | (pairs & 0x0fff_0000_0fff_0000) >> 4;
    fours & 0x00ff_ffff | (fours & 0x00ff_ffff_0000_0000) >> 8
}

/// Returns the kinds of a field that [`join`] made.
#[inline(always)]
fn split(field: u64) -> [u8; GROUP] {
    let fours = field & 0x00ff_ffff | (field & 0xffff_ff00_0000) << 8;
    let pairs = fours & 0x0000_0fff_0000_0fff | (fours & 0x00ff_f000_00ff_f000) << 4;
    let kinds = pairs & 0x003f_003f_003f_003f | (pairs & 0x0fc0_0fc0_0fc0_0fc0) << 2;
    kinds.to_le_bytes()
}

fn write_meld(meld: &Meld, widths: Widths, writer: &mut BitWriter<'_>) {
    let (counts, copies) = (meld.cards.counts(), widths.copies);
    let suits = |rank: Rank| {
        let count = |suit: usize| u64::from(counts[suit * SUIT + rank.index()]) << (suit as u32 * copies);
        count(0) | count(1) | count(2) | count(3)
    };
    let wilds = suits(Rank::Two) | u64::from(counts[JOKER]) << (4 * copies);
    let wild_bits = widths.wilds();
    match (meld.kind, meld.rank) {
        (MeldKind::Set, Some(rank)) => {
            let any = u64::from(wilds > 0);
            writer.put((rank as u64) << 2 | suits(rank) << 6 | any << (6 + 4 * copies), 7 + 4 * copies);
            if any > 0 {
                writer.put(wilds, wild_bits);
            }
        }
        (MeldKind::Wild, _) => writer.put(1 | wilds << 2, 2 + wild_bits),
        (MeldKind::BlackThrees, _) => {
            let [clubs, spades] = BLACK_THREES.map(|kind| u64::from(counts[kind]));
            writer.put(3 | clubs << 2 | spades << (2 + copies), 2 + 2 * copies);
        }
        (MeldKind::Sequence, _) => {
            let Sequence { suit, low, len } =
                Sequence::of(&meld.cards).expect("invariant: melds have the shape of their kind");
            let ends = u64::from(suit) << 2 | u64::from(low) << 4 | u64::from(len) << (4 + PLACE_BITS);
            writer.put(2 | ends, SEQUENCE_BITS);
        }
        (MeldKind::Set, None) => unreachable!("invariant: melds have the shape of their kind"),
    }
}
