//! The packed codec of a table, which encodes every fact and every card in as few bits as the rules allow.
//!
//! A table has exactly one encoding, and the decoder accepts nothing else. The encoding is part of a game's
//! token; docs/formats/TOKEN.md lists every field and its width.
//!
//! | part | where |
//! |---|---|
//! | fields of any width | [`bits`] |
//! | facts first, then cards | [`write()`], [`read()`] |
//! | decisions of officials | `pack::rulings` |
//! | cards, in the order of the page | `pack::zones` |

pub mod bits;
mod error;
mod read;
mod rulings;
mod write;
mod zones;

pub use error::{TokenError, TokenErrorKind};
pub use read::{read, reset};
pub use write::write;
pub use zones::{read_wall, write_wall};

use crate::card::{CARDS_MAX, Class};
use crate::rules::{AskWhom, Rules, SideChoice, SideFormation};
use crate::seat::Seat;
use crate::table::{MELDS_MAX, Table};
use bits::{BitReader, width_of};

/// The version of a token that is written. No other version is read.
pub const VERSION: u8 = 2;

/// Width of a number of cards, in bits.
pub const COUNT_BITS: u32 = width_of(CARDS_MAX as u32);
/// Width of a card's kind, in bits.
pub const KIND_BITS: u32 = 6;
/// Width of a seat or [`NO_SEAT`], in bits.
const SEAT_BITS: u32 = 3;
/// The value in place of a seat if no seat is named.
const NO_SEAT: u64 = 7;

const _: () = assert!(width_of(NO_SEAT as u32) == SEAT_BITS);

#[inline(always)]
fn read_seat(reader: &mut BitReader<'_>, seats: u8, field: &'static str) -> Result<Seat, TokenError> {
    Ok(Seat(reader.below(seats.into(), SEAT_BITS, field)? as u8))
}

/// Reads a seat or [`NO_SEAT`].
#[inline]
fn read_maybe_seat(
    reader: &mut BitReader<'_>,
    seats: u8,
    field: &'static str,
) -> Result<Option<Seat>, TokenError> {
    if reader.clone().bits(SEAT_BITS)? == NO_SEAT {
        reader.take(SEAT_BITS);
        return Ok(None);
    }
    read_seat(reader, seats, field).map(Some)
}

/// The widths that depend on the rules, in bits.
#[derive(Clone, Copy)]
struct Widths {
    /// Width of a number of copies of a suited card.
    copies: u32,
    /// Width of a number of jokers.
    jokers: u32,
    /// Whether black threes are laid too.
    both_colours: bool,
}

impl Widths {
    fn of(rules: &Rules) -> Self {
        let set = rules.set();
        Self {
            copies: width_of(u32::from(set.packs)),
            jokers: width_of(u32::from(set.jokers)),
            both_colours: set.lies_laid(Class::BlackThree),
        }
    }

    /// Returns the width of the wild cards of a meld.
    fn wilds(self) -> u32 {
        4 * self.copies + self.jokers
    }
}

/// Returns the maximum number of bits of a table with these rules, and with rulings if `table` has rulings.
/// The result depends only on facts that everyone can see in the log. It includes the numbers that a token
/// writes before the table and between the facts of the round.
pub fn max_bits(table: &Table) -> u32 {
    let (rules, set) = (&*table.rules, table.rules.set());
    let (seats, sides, units) =
        (u32::from(set.seats), u32::from(set.side_count), u32::from(set.unit_count()));
    let widths = Widths::of(rules);
    // Restores; a taken top; for each meld and for each of its cards, whether it is loose.
    let tentative = u32::from(set.pile_restore) * 21 * sides
        + u32::from(set.undo_meld) * (15 + 2 * MELDS_MAX as u32 + set.deck_size());
    let smallest = if set.undo_meld { 1 } else { u32::from(set.meld_min) };
    let lone = if set.side_formation == SideFormation::Fixed { 0 } else { SEAT_BITS };
    let threes = if set.lays_threes_by_choice() { seats + 4 * widths.copies } else { 0 };
    // The facts that `write_choices` writes; talons, whose cards are charged as all others are; the card face
    // down.
    let choices = 2 * SEAT_BITS + 3 + SEAT_BITS * set.talons.len() as u32 + 1;
    let seating = if set.side_choice == SideChoice::Given { 0 } else { seats * SEAT_BITS };
    let cut = if set.pays_cuts() { 2 } else { 0 };
    let answered = if set.ask_whom == AskWhom::All { SEAT_BITS + 1 } else { 0 };
    let by_rules = seating + lone + cut + answered;
    // The fields: n and seq; scores; round, attempt, records, bytes; dealer; over; melded and asked; turn;
    // ids.
    let facts =
        2 * 70 + 18 + 25 + 38 * units + 2 * 20 + SEAT_BITS + 8 + 2 * seats + by_rules + 24 + 1 + 8 * sides;
    // A card in stock, pile or hand takes at most 6 bits. Cards in melds are charged 6 bits each too. Added
    // are the bits by which a meld can exceed the charge of the smallest meld, and the wild cards on their
    // own.
    let largest_meld = 8 + 7 + 4 * widths.copies;
    let beyond = largest_meld.saturating_sub(KIND_BITS * smallest);
    let melds = (set.deck_size() / smallest).min(MELDS_MAX as u32);
    let wilds = set.wild_count() * (4 * widths.copies + widths.jokers);
    let lengths = 1 + 2 * COUNT_BITS + 13 + sides * 11 + seats * 4 * widths.copies;
    let ruled = if table.has_rulings() { rulings::max_bits(set.deck_size()) } else { 0 };
    let facts = facts + threes + tentative + choices + ruled;
    facts + lengths + KIND_BITS * set.deck_size() + beyond * melds + wilds
}
