//! A state to its token. Cannot fail: every state has a token.

use super::bits::{BitWriter, width_of};
use super::zones;
use super::{COUNT_BITS, KIND_BITS, MAGIC, NO_SEAT, SEAT_BITS, VERSION, Widths, house};
use crate::action::About;
use crate::card::MAX_CARDS;
use crate::rules::Rules;
use crate::state::{DealSource, MAX_MELDS, Permission, Registration, State};
use alloc::vec::Vec;

/// The token of `state`, in one allocation unless a house rule is played.
pub fn encode(state: &State) -> Vec<u8> {
    let mut out = Vec::new();
    encode_into(state, &mut out);
    out
}

/// Appends the token of `state` to `out`.
///
/// # Panics
/// If an explicit wall has more than 324 cards: no pack has.
pub fn encode_into(state: &State, out: &mut Vec<u8>) {
    let start = out.len();
    // The writer of bits stores whole words.
    let room = start + max_len(&state.rules, &state.origin.source) + size_of::<u64>();
    out.reserve_exact(room - start);
    write_bytes(state, out);
    let bytes = out.len();
    out.resize(room, 0);
    let mut writer = BitWriter::new(&mut out[bytes..]);
    write_facts(state, &mut writer);
    let plain = zones::write_ids(state, &mut writer);
    zones::write(state, plain, &mut writer);
    let len = bytes + writer.finish();
    out.truncate(len);
}

/// A length that no token with these rules and this source of deals exceeds, whatever the state. Which
/// of the four sources it is matters, not what it holds, but for the length of a wall.
pub fn max_len(rules: &Rules, source: &DealSource) -> usize {
    let set = rules.set();
    let (seats, sides) = (u32::from(set.seats), u32::from(set.side_count));
    let widths = Widths::of(rules);
    let source = match source {
        DealSource::Seeded(_) | DealSource::Round(_) => 64,
        DealSource::Wall { wall, .. } => {
            32 + (COUNT_BITS as usize + wall.len() * KIND_BITS as usize).div_ceil(8)
        }
        DealSource::Unknown => 0,
    };
    let house = if rules.is_house() { 2 + rules.canonical().len() * 2 + rules.id().len() } else { 0 };
    // n and seq; scores; round and attempt; dealer; over; melded and asked; turn; ids.
    let facts = 2 * 70 + 38 * sides + 2 * 20 + SEAT_BITS + 8 + 2 * seats + 23 + 1 + 8 * sides;
    // A card in stock, pile or hand takes at most 6 bits, and 6 bits a card are charged for melds too:
    // what a meld can take beyond the charge of the smallest is added, and wild cards by themselves.
    let largest_meld = 8 + 7 + 4 * widths.copies;
    let beyond = largest_meld.saturating_sub(KIND_BITS * u32::from(set.meld_min));
    let melds = (set.deck_size() / u32::from(set.meld_min)).min(MAX_MELDS as u32);
    let wilds = set.wild_count() * (4 * widths.copies + widths.jokers);
    let lengths = 1 + 2 * COUNT_BITS + 13 + sides * 11 + seats * 2 * widths.copies;
    let bits = facts + lengths + KIND_BITS * set.deck_size() + beyond * melds + wilds;
    4 + 16 + 32 + source + 8 + house + bits.div_ceil(8) as usize
}

/// What stands in whole bytes.
fn write_bytes(state: &State, out: &mut Vec<u8>) {
    let (origin, rules) = (&state.origin, &*state.rules);
    let source = match origin.source {
        DealSource::Seeded(_) => 0,
        DealSource::Round(_) => 1,
        DealSource::Wall { .. } => 2,
        DealSource::Unknown => 3,
    };
    let flags = u8::from(rules.is_house())
        | u8::from(origin.registration == Registration::ByTable) << 1
        | source << 2
        | u8::from(origin.expires_at.is_some()) << 4
        | (state.phase as u8) << 5;
    out.extend_from_slice(&[MAGIC, VERSION, rules.base().number(), flags]);
    out.extend_from_slice(&origin.game_id.0);
    out.extend_from_slice(&state.link.head);
    match &origin.source {
        DealSource::Seeded(secret) => out.extend_from_slice(&secret.0),
        DealSource::Round(secret) => out.extend_from_slice(&secret.0),
        DealSource::Wall { salt, .. } => out.extend_from_slice(&salt.0),
        DealSource::Unknown => {}
    }
    if let Some(expires_at) = origin.expires_at {
        out.extend_from_slice(&expires_at.to_le_bytes());
    }
    if rules.is_house() {
        house::write(rules, out);
    }
}

/// Everything that is no card, and the wall.
fn write_facts(state: &State, writer: &mut BitWriter<'_>) {
    if let DealSource::Wall { wall, .. } = &state.origin.source {
        assert!(wall.len() <= MAX_CARDS, "a wall is no longer than the largest pack");
        writer.put(wall.len() as u64, COUNT_BITS);
        zones::write_sequence(wall, writer);
    }
    writer.number(state.link.n, 64);
    writer.number(state.link.seq, 64);
    for &score in state.scores() {
        writer.number(u64::from(zigzag(score)), 32);
    }
    write_round(state, writer);
    write_turn(state, writer);
}

fn write_round(state: &State, writer: &mut BitWriter<'_>) {
    let (round, seats) = (&state.round, u32::from(state.set().seats));
    writer.number(round.number.into(), 16);
    writer.number(round.attempt.into(), 16);
    writer.put(round.dealer.0.into(), SEAT_BITS);
    writer.flag(round.over.is_some());
    if let Some(over) = round.over {
        let seat = over.seat.map_or(NO_SEAT, |seat| seat.0.into());
        writer.put(over.reason as u64 | seat << 3 | u64::from(over.concealed) << 6, 7);
    }
    writer.put(round.has_melded.into(), seats);
    writer.put(round.asked.into(), seats);
}

fn write_turn(state: &State, writer: &mut BitWriter<'_>) {
    let turn = &state.turn;
    writer.put(turn.seat.0.into(), SEAT_BITS);
    let marks = u64::from(turn.melded_since_draw)
        | u64::from(turn.melded_before) << 1
        | u64::from(turn.touched_old) << 2;
    writer.put(turn.source as u64 | marks << 2, 5);
    match turn.permission {
        Permission::None => writer.put(0, 2),
        Permission::Pending { about, to } => {
            writer.put(1 | u64::from(about == About::Courtesy) << 2 | u64::from(to.0) << 3, 6);
        }
        Permission::Yes => writer.put(2, 2),
        Permission::No { by } => writer.put(3 | u64::from(by.0) << 2, 5),
    }
    writer.put(turn.new_from.into(), 8);
}

/// 0, -1, 1, -2, 2 ... to 0, 1, 2, 3, 4 ...
pub(super) fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

const _: () = assert!(width_of(NO_SEAT as u32) == SEAT_BITS);
