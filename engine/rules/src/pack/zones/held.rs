//! Encoding of the cards in hands and feet: for each card that no other zone names, its holder.

use crate::card::{Cards, KINDS};
use crate::pack::bits::{BitWriter, FIELD_MAX, width_of};
use crate::rules::FEET_MAX;
use crate::seat::SEATS_MAX;
use crate::table::Table;

/// For each width of a holder from 1 to 5: a word with a one at every multiple of the width.
const ONES: [u64; 6] = [
    0,
    0xffff_ffff_ffff_ffff,
    0x5555_5555_5555_5555,
    0x9249_2492_4924_9249,
    0x1111_1111_1111_1111,
    0x1084_2108_4210_8421,
];
/// The number of kinds of which shares are computed at once.
const LANES: usize = 16;
/// The first kinds of groups of [`LANES`] kinds that cover all kinds.
const LANE_STARTS: [usize; 4] = [0, 16, 32, KINDS - LANES];

/// The number of holders that a table may have, with three feet a seat.
pub(super) const HOLDERS_MAX: usize = (1 + FEET_MAX) * SEATS_MAX;

/// Appends the holder of each card in a hand or foot, by kind, copies by holder. Holders are the hands by seat, then
/// the feet in their order.
pub(super) fn write(table: &Table, writer: &mut BitWriter<'_>) {
    let seats = usize::from(table.set().seats);
    if table.feet.is_empty() {
        return write_held(&table.hands, seats, writer);
    }
    let (mut held, holders) = ([Cards::EMPTY; HOLDERS_MAX], seats + table.feet.len());
    held[..seats].copy_from_slice(&table.hands[..seats]);
    held[seats..holders].copy_from_slice(&table.feet);
    write_held(&held, holders, writer);
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
        // Holders that a table does not have hold nothing.
        9..=12 => write_held_by::<12>(held, writer),
        _ => write_held_by::<HOLDERS_MAX>(held, writer),
    }
}

fn write_held_by<const HOLDERS: usize>(held: &[Cards], writer: &mut BitWriter<'_>) {
    let hands: &[Cards; HOLDERS] = held.first_chunk().expect("as many were given");
    let all = hands.iter().fold(0, |kinds, hand| kinds | hand.held());
    let shares = shares(hands);
    // Kinds are gathered up to the width of a field. A kind has at most 12 copies of 4 or 5 bits.
    let (mut word, mut used) = (0u64, 0u32);
    each_bit(all, |kind| {
        let (mut holders, mut bits) = match &shares {
            Some(shares) => Shared::<HOLDERS>::of(shares[kind]),
            None => holders_of(hands, kind),
        };
        if used.wrapping_add(bits) > FIELD_MAX {
            writer.put(word, used);
            (word, used) = (0, 0);
        }
        if HOLDERS > 12 && bits > FIELD_MAX {
            writer.put(holders & u64::from(u32::MAX), u32::BITS);
            (holders, bits) = (holders >> u32::BITS, bits - u32::BITS);
        }
        word |= holders.wrapping_shl(used);
        used = used.wrapping_add(bits);
    });
    writer.put(word, used);
}

/// Returns the holders of a kind's copies in ascending order, and the number of bits that they take.
fn holders_of<const HOLDERS: usize>(hands: &[Cards; HOLDERS], kind: usize) -> (u64, u32) {
    let width = width_of(HOLDERS as u32 - 1);
    // A kind has at most 12 copies of 5 bits, so nothing here overflows, and no overflow is tested for.
    let copies = |hand: &Cards| u32::from(hand.counts()[kind]).wrapping_mul(width);
    let (first, others) = hands.split_first().expect("a table has seats");
    let (mut holders, mut used) = (0u64, copies(first));
    for hand in others {
        // Adds 1 to the holder of every copy from here on: copies of the first holder stay 0, those of the second
        // become 1, and so on. What lies beyond the last copy is cut off below.
        holders = holders.wrapping_add(ONES[width as usize].wrapping_shl(used));
        used = used.wrapping_add(copies(hand));
    }
    (holders & !u64::MAX.wrapping_shl(used), used)
}

/// Returns for each kind the numbers of copies in each hand, two bits per hand, the first hand lowest; `None` where
/// that has no room in a byte.
fn shares<const HOLDERS: usize>(hands: &[Cards; HOLDERS]) -> Option<[u8; KINDS]> {
    if HOLDERS > 4 {
        return None;
    }
    let (mut shares, mut most) = ([0; KINDS], [0u8; LANES]);
    for start in LANE_STARTS {
        let mut lanes = [0u8; LANES];
        for hand in hands.iter().rev() {
            let counts: &[u8; LANES] = hand.counts()[start..].first_chunk().expect("these kinds exist");
            for ((lane, most), &count) in lanes.iter_mut().zip(&mut most).zip(counts) {
                *lane = *lane << 2 | count;
                *most |= count;
            }
        }
        shares[start..start + LANES].copy_from_slice(&lanes);
    }
    (most.iter().fold(0, |all, most| all | most) < 4).then_some(shares)
}

/// The holders of copies that at most four holders share, at most three copies each.
struct Shared<const HOLDERS: usize>;

impl<const HOLDERS: usize> Shared<HOLDERS> {
    /// For each share of [`shares`]: the holders of the copies in ascending order, and in the highest byte the number
    /// of their bits.
    const HOLDERS_OF: [u32; 256] = {
        let (width, mut all, mut share) = (width_of(HOLDERS as u32 - 1), [0; 256], 0);
        while share < 256 && HOLDERS <= 4 {
            let (mut holders, mut used, mut holder) = (0, 0, 0);
            while holder < 4 {
                let mut copies = share >> (2 * holder) & 3;
                while copies > 0 {
                    holders |= holder << used;
                    used += width;
                    copies -= 1;
                }
                holder += 1;
            }
            all[share as usize] = holders | used << 24;
            share += 1;
        }
        all
    };

    #[inline(always)]
    fn of(share: u8) -> (u64, u32) {
        let shared = Self::HOLDERS_OF[usize::from(share)];
        (u64::from(shared & 0x00ff_ffff), shared >> 24)
    }
}

/// Calls `each` with the number of every bit below [`KINDS`] that is set, from the lowest.
#[inline(always)]
fn each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each((bits.trailing_zeros() as usize).min(KINDS - 1));
        bits &= bits.wrapping_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Card;

    /// Compares the table of shares with the general form, for every share of four holders.
    #[test]
    fn shares_give_the_same_holders() {
        for share in 0..=u8::MAX {
            let mut hands = [Cards::EMPTY; 4];
            for (seat, hand) in (0u32..).zip(&mut hands) {
                (0..share >> (2 * seat) & 3).for_each(|_| hand.insert(Card::JOKER));
            }
            let shares = shares(&hands).expect("no hand has more than three copies");
            assert_eq!(shares[52], share);
            assert_eq!(Shared::<4>::of(share), holders_of(&hands, 52), "{share:08b}");
        }
        let four = core::iter::repeat_n(Card::JOKER, 4).collect();
        assert_eq!(shares(&[Cards::EMPTY, four]), None);
    }
}
