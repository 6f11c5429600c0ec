//! A state to its token. Cannot fail: every state has a token.

use super::bits::{BitWriter, width_of};
use super::zones;
use super::{
    BEACON, BYTES_BITS, COMMITTED, COUNT_BITS, KEYED, KIND_BITS, MAGIC, NO_SEAT, RECORDS_BITS, RULED,
    SEAT_BITS, VERSION, Widths, house, rulings,
};
use crate::card::MAX_CARDS;
use crate::rules::{self, AskWhom, DiscardWilds, LastThree, SideChoice, SideFormation};
use crate::seat::Seat;
use crate::state::{Courtesy, DealSource, MAX_MELDS, Permission, Phase, Registration, State};
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
    let room = start + max_len(state) + size_of::<u64>();
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

/// A length that no token exceeds whose state has these rules, this source of deals (which of the four it is, not
/// what it holds, but for the length of a wall), as many keys, as many seats registered, and rulings or none: what
/// anyone sees in the log.
pub fn max_len(state: &State) -> usize {
    let (rules, set) = (&*state.rules, state.rules.set());
    let (seats, sides, units) =
        (u32::from(set.seats), u32::from(set.side_count), u32::from(set.unit_count()));
    let widths = Widths::of(rules);
    let source = match &state.origin.source {
        DealSource::Seeded(_) | DealSource::Round(_) => 64,
        DealSource::Wall { wall, .. } => {
            32 + (COUNT_BITS as usize + wall.len() * KIND_BITS as usize).div_ceil(8)
        }
        DealSource::Unknown => 0,
    };
    let house = if rules.is_house() { 2 + rules.canonical().len() * 2 + rules.id().len() } else { 0 };
    // Restores; a taken top; for each meld whether it is loose, for each of its cards too.
    let tentative = u32::from(set.pile_restore) * 21 * sides
        + u32::from(set.undo_meld) * (15 + 2 * MAX_MELDS as u32 + set.deck_size());
    let smallest = if set.undo_meld { 1 } else { u32::from(set.meld_min) };
    let lone = if set.side_formation == SideFormation::Fixed { 0 } else { SEAT_BITS };
    let threes = if set.lays_threes_by_choice() { seats + 4 * widths.copies } else { 0 };
    // What `write_choices` writes; talons, their cards charged as all others are; the card face down.
    let choices = 2 * SEAT_BITS + 3 + SEAT_BITS * set.talons.len() as u32 + 1;
    let seating = if set.side_choice == SideChoice::Given { 0 } else { seats * SEAT_BITS };
    let cut = if set.pays_cuts() { 2 } else { 0 };
    let answered = if set.ask_whom == AskWhom::All { SEAT_BITS + 1 } else { 0 };
    let by_rules = seating + lone + cut + answered;
    // n and seq; scores; round, attempt, records, bytes; dealer; over; melded and asked; turn; ids.
    let facts =
        2 * 70 + 18 + 25 + 38 * units + 2 * 20 + SEAT_BITS + 8 + 2 * seats + by_rules + 24 + 1 + 8 * sides;
    // A card in stock, pile or hand takes at most 6 bits, and 6 bits a card are charged for melds too:
    // what a meld can take beyond the charge of the smallest is added, and wild cards by themselves.
    let largest_meld = 8 + 7 + 4 * widths.copies;
    let beyond = largest_meld.saturating_sub(KIND_BITS * smallest);
    let melds = (set.deck_size() / smallest).min(MAX_MELDS as u32);
    let wilds = set.wild_count() * (4 * widths.copies + widths.jokers);
    let lengths = 1 + 2 * COUNT_BITS + 13 + sides * 11 + seats * 4 * widths.copies;
    let ruled = if state.has_rulings() { rulings::max_bits(set.deck_size()) } else { 0 };
    let facts = facts + threes + tentative + choices + ruled;
    let bits = facts + lengths + KIND_BITS * set.deck_size() + beyond * melds + wilds;
    let keys = 1 + 32 * state.keys.iter().flatten().count();
    let entries = state.entries().map_or(0, |entries| 1 + 32 * entries.seats.iter().flatten().count());
    4 + 16 + 32 + source + 8 + house + keys + entries + bits.div_ceil(8) as usize
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
    let ruled = if state.rulings.is_some() { RULED } else { 0 };
    let keyed = if state.keys.is_empty() { 0 } else { KEYED };
    let committed = if state.entries.is_some() { COMMITTED } else { 0 };
    out.extend_from_slice(&[MAGIC, VERSION, rules.base().number() | ruled | keyed | committed, flags]);
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
    if !state.keys.is_empty() {
        out.push(state.keys.iter().rev().fold(0, |bits, key| bits << 1 | u8::from(key.is_some())));
        state.keys.iter().flatten().for_each(|key| out.extend_from_slice(key));
    }
    if let Some(entries) = state.entries().filter(|_| state.phase == Phase::Deal) {
        let seats = entries.seats.iter().rev().fold(0, |bits, seat| bits << 1 | u8::from(seat.is_some()));
        out.push(seats | if entries.beacon { BEACON } else { 0 });
        entries.seats.iter().flatten().for_each(|seat| out.extend_from_slice(&seat.0));
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
    if state.set().side_choice == SideChoice::DrawnCards {
        for seat in state.seats() {
            writer.put(state.player_on(seat).into(), SEAT_BITS);
        }
    }
    write_round(state, writer);
    write_turn(state, writer);
    if let Some(rulings) = &state.rulings {
        rulings::write(state, rulings, writer);
    }
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
    writer.number(round.length.records.into(), RECORDS_BITS);
    writer.number(round.length.bytes.into(), BYTES_BITS);
    writer.put(round.has_melded.into(), seats);
    writer.put(round.asked.into(), seats);
    if state.set().side_formation == SideFormation::LoneTaker {
        writer.put(round.lone.map_or(NO_SEAT, |seat| seat.0.into()), SEAT_BITS);
    }
    if state.set().marks_turns() {
        writer.put(round.played.into(), seats);
    }
    if state.set().pays_cuts() {
        writer.flag(round.cut.hands);
        writer.flag(round.cut.feet);
    }
    if state.set().pile_restore {
        for side in state.sides() {
            writer.number(state.restores(side).into(), 16);
        }
    }
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
        Permission::Pending { to } => writer.put(1 | u64::from(to.0) << 3, 6),
        Permission::Yes => writer.put(2, 2),
        Permission::No { by } => writer.put(3 | u64::from(by.0) << 2, 5),
    }
    if state.set().ask_whom == AskWhom::All && matches!(turn.permission, Permission::Pending { .. }) {
        writer.put(turn.answered.map_or(NO_SEAT, |answer| answer.by.0.into()), SEAT_BITS);
        if let Some(answer) = turn.answered {
            writer.flag(answer.yes);
        }
    }
    writer.put(turn.new_from.into(), 8);
    if state.set().last_three == LastThree::MeldNoDiscard {
        writer.flag(turn.no_discard);
    }
    if state.set().marks_fresh_threes() {
        zones::write_threes(&turn.fresh, state.set(), writer);
    }
    write_choices(state, writer);
}

/// Facts that few rule sets have: what may still be done about the last discard, and how a hand has ended.
fn write_choices(state: &State, writer: &mut BitWriter<'_>) {
    let (set, round) = (state.set(), &state.round);
    let seat = |seat: Option<Seat>| seat.map_or(NO_SEAT, |seat| seat.0.into());
    if set.offers_talons() {
        writer.put(seat(round.offered), SEAT_BITS);
    }
    if set.reveal {
        writer.put(seat(round.reveal), SEAT_BITS);
    }
    if !set.special_hands.is_empty() {
        writer.put(round.special.map_or(0, |hand| hand as u64 + 1), 2);
    }
    if set.discard_wilds == DiscardWilds::ForcedByDraw {
        writer.flag(state.turn.all_wild_draw);
    }
    if set.courtesy != rules::Courtesy::Off {
        match state.turn.courtesy {
            Courtesy::None => writer.put(0, 2),
            Courtesy::Asked(to) => writer.put(1 | u64::from(to.0) << 2, 5),
            Courtesy::Granted => writer.put(2, 2),
            Courtesy::Refused(by) => writer.put(3 | u64::from(by.0) << 2, 5),
        }
        writer.put(round.courteous.into(), set.seats.into());
    }
}

/// 0, -1, 1, -2, 2 ... to 0, 1, 2, 3, 4 ...
pub(super) fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

const _: () = assert!(width_of(NO_SEAT as u32) == SEAT_BITS);
