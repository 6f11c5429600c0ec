//! The codec of the cards. Every card is in exactly one zone. Only stock, pile and talons have an order.
//!
//! All cards of the pack that no other zone names are in the hands and feet, so cards are conserved by
//! construction.

use super::bits::{BitWriter, FIELD_MAX, width_of};
use super::{COUNT_BITS, KIND_BITS, SEAT_BITS, Widths};
use crate::action::MeldKind;
use crate::card::{CARDS_MAX, Card, Cards, KINDS, Rank};
use crate::rules::{LaidThrees, RuleSet};
use crate::seat::SEATS_MAX;
use crate::sequence::Sequence;
use crate::table::{Meld, Phase, Table, Talon, TalonPlace};

mod read;
mod tentative;

pub use read::read_wall;
pub(super) use read::{read, read_ids, read_threes};

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
/// The number of kinds that fit in one field.
const GROUP: usize = (FIELD_MAX / KIND_BITS) as usize;
/// For each width of a holder from 1 to 4: a word with a one at every multiple of the width.
const ONES: [u64; 5] =
    [0, 0xffff_ffff_ffff_ffff, 0x5555_5555_5555_5555, 0x9249_2492_4924_9249, 0x1111_1111_1111_1111];

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

/// Whether any zone has a card.
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
        write_threes(table.laid(seat), table.set(), writer);
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
    write_hands(table, writer);
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
pub(super) fn write_threes(threes: &Cards, set: &RuleSet, writer: &mut BitWriter<'_>) {
    let copies = width_of(set.packs.into());
    for kinds in [RED_THREES, BLACK_THREES].into_iter().take(colours(set)) {
        let [low, high] = kinds.map(|kind| u64::from(threes.counts()[kind]));
        writer.put(low | high << copies, 2 * copies);
    }
}

/// Returns the number of colours of threes that are laid.
fn colours(set: &RuleSet) -> usize {
    if set.laid_threes == LaidThrees::Both { 2 } else { 1 }
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
        writer.put(kinds_of(group), KIND_BITS * GROUP as u32);
    }
    writer.put(kinds_of(last), KIND_BITS * last.len() as u32);
}

/// Returns at most [`GROUP`] kinds as one field.
#[inline(always)]
fn kinds_of(cards: &[Card]) -> u64 {
    cards.iter().rev().fold(0, |kinds, card| kinds << KIND_BITS | u64::from(card.kind()))
}

fn write_meld(meld: &Meld, widths: Widths, writer: &mut BitWriter<'_>) {
    let (counts, copies) = (meld.cards.counts(), widths.copies);
    let suits = |rank: Rank| {
        let count = |suit: usize| u64::from(counts[suit * SUIT + rank.index()]) << (suit as u32 * copies);
        count(0) | count(1) | count(2) | count(3)
    };
    let wilds = suits(Rank::Two) | u64::from(counts[JOKER]) << (4 * copies);
    let wild_bits = 4 * copies + widths.jokers;
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

fn write_hands(table: &Table, writer: &mut BitWriter<'_>) {
    let seats = usize::from(table.set().seats);
    if table.feet.is_empty() {
        return write_held(&table.hands, seats, writer);
    }
    let mut held = [Cards::EMPTY; 2 * SEATS_MAX];
    held[..seats].copy_from_slice(&table.hands[..seats]);
    held[seats..2 * seats].copy_from_slice(&table.feet);
    write_held(&held, 2 * seats, writer);
}

fn write_held(held: &[Cards], holders: usize, writer: &mut BitWriter<'_>) {
    match holders {
        2 => write_held_by::<2>(held, writer),
        3 => write_held_by::<3>(held, writer),
        4 => write_held_by::<4>(held, writer),
        5 => write_held_by::<5>(held, writer),
        6 => write_held_by::<6>(held, writer),
        8 => write_held_by::<8>(held, writer),
        10 => write_held_by::<10>(held, writer),
        _ => write_held_by::<12>(held, writer),
    }
}

/// Appends the holder of each card in a hand or foot, by kind, copies by holder. Holders are the hands by
/// seat, then the feet by seat.
fn write_held_by<const HOLDERS: usize>(held: &[Cards], writer: &mut BitWriter<'_>) {
    let width = width_of(HOLDERS as u32 - 1);
    let hands: &[Cards; HOLDERS] = held.first_chunk().expect("as many were given");
    let all = hands.iter().fold(0, |kinds, hand| kinds | hand.held());
    // A kind has at most 12 copies of 4 bits, so nothing here overflows, and no overflow is tested for.
    each_bit(all, |kind| {
        let copies = |hand: &Cards| u32::from(hand.counts()[kind.min(KINDS - 1)]).wrapping_mul(width);
        let (first, others) = hands.split_first().expect("a table has seats");
        let (mut holders, mut used) = (0u64, copies(first));
        for hand in others {
            // Adds 1 to the holder of every copy from here on: copies of the first holder stay 0, those of the
            // second become 1, and so on. What lies beyond the last copy is cut off below.
            holders = holders.wrapping_add(ONES[width as usize].wrapping_shl(used));
            used = used.wrapping_add(copies(hand));
        }
        writer.put(holders & !u64::MAX.wrapping_shl(used), used);
    });
}

/// Calls `each` with the number of every bit that is set, from the lowest.
#[inline(always)]
fn each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize % 64);
        bits &= bits.wrapping_sub(1);
    }
}
