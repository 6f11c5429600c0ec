//! A token to its state, whatever the bytes.

use super::bits::BitReader;
use super::{
    BEACON, BYTES_BITS, COMMITTED, Catalogue, KEYED, MAGIC, NO_SEAT, RECORDS_BITS, RULED, SEAT_BITS,
    TokenError, TokenErrorKind, VERSION, house, rulings, zones,
};
use crate::action::SpecialHand;
use crate::card::Cards;
use crate::deal::{Commitment, GameId, GameSecret, RoundSecret, WallSalt};
use crate::invariant;
use crate::rules::{
    self, AskWhom, DiscardWilds, ForcedTake, LastThree, PresetId, RuleSet, Rules, SideChoice, SideFormation,
};
use crate::seat::{MAX_SEATS, Seat};
use crate::state::{
    AS_GIVEN, Answer, Causes, Courtesy, Cut, DealSource, EndReason, Entries, Link, Origin, Permission, Phase,
    Registration, Round, RoundOver, Source, State, Turn,
};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The state whose token is `bytes`. The rules of a preset come from `catalogue`; those of a house rule
/// are made here.
///
/// Every state that comes out is valid, and its token is `bytes` again. Nothing is allocated before it
/// is known that the bytes for it are there; for a preset that is at most a few KiB in all.
///
/// # Errors
/// What is wrong first, in the order in which fields are read.
pub fn decode(bytes: &[u8], catalogue: &Catalogue) -> Result<State, TokenError> {
    let mut reader = BitReader::new(bytes);
    let Bytes { rules, origin, head, phase, ruled, keys, entries } = read_bytes(&mut reader, catalogue)?;
    let mut state = blank(rules, origin, Link { n: 0, seq: 0, head }, phase);
    state.keys = keys;
    state.entries = entries;
    if let DealSource::Wall { wall, .. } = &mut state.origin.source {
        *wall = zones::read_wall(&mut reader)?;
    }
    read_facts(&mut state, &mut reader)?;
    if ruled {
        state.rulings = Some(rulings::read(&state, &mut reader)?);
    }
    let (ids, any) = zones::read_ids(&mut reader, &state)?;
    zones::read(&mut state, ids, any, &mut reader)?;
    let end = reader.at();
    reader.finish()?;
    state.freeze = state.causes_of_pile();
    for (name, test) in invariant::OF_FACTS {
        if test(&state).is_err() {
            return Err(TokenError { bit: end, kind: TokenErrorKind::Invariant(name) });
        }
    }
    debug_assert_eq!(invariant::check_all(&state), Ok(()), "a token that is read is a state's");
    Ok(state)
}

/// What stands in whole bytes.
struct Bytes {
    rules: Arc<Rules>,
    origin: Origin,
    head: [u8; 32],
    phase: Phase,
    ruled: bool,
    keys: Vec<Option<[u8; 32]>>,
    entries: Option<Box<Entries>>,
}

fn read_bytes(reader: &mut BitReader<'_>, catalogue: &Catalogue) -> Result<Bytes, TokenError> {
    let [magic, version, base, flags] = reader.bytes()?;
    let error = |byte: usize, kind| Err(TokenError { bit: byte * 8, kind });
    if magic != MAGIC {
        return error(0, TokenErrorKind::Magic);
    }
    if version != VERSION {
        return error(1, TokenErrorKind::Version { found: version });
    }
    let (ruled, keyed, committed) = (base & RULED != 0, base & KEYED != 0, base & COMMITTED != 0);
    let base = base & !(RULED | KEYED | COMMITTED);
    let Some(base) = PresetId::from_number(base) else {
        return error(2, TokenErrorKind::Preset { number: base });
    };
    let Some(&phase) = Phase::ALL.get(usize::from(flags >> 5)) else {
        let kind = TokenErrorKind::Field { field: "phase", found: u64::from(flags >> 5) };
        return error(3, kind);
    };
    let game_id = GameId(reader.bytes()?);
    let head = reader.bytes()?;
    let source = match flags >> 2 & 3 {
        0 => DealSource::Seeded(GameSecret(reader.bytes()?)),
        1 => DealSource::Round(RoundSecret(reader.bytes()?)),
        2 => DealSource::Wall { wall: Vec::new(), salt: WallSalt(reader.bytes()?) },
        _ => DealSource::Unknown,
    };
    let registration = if flags & 2 == 0 { Registration::Auto } else { Registration::ByTable };
    let expires_at = if flags & 16 == 0 { None } else { Some(i64::from_le_bytes(reader.bytes()?)) };
    let rules = match (flags & 1, catalogue.get(base)) {
        (0, Some(rules)) => rules.clone(),
        (0, None) => return error(2, TokenErrorKind::Preset { number: base.number() }),
        _ => house::read(reader, base)?,
    };
    let origin = Origin { game_id, registration, source, expires_at };
    let keys = if keyed { read_keys(reader, rules.set().seats)? } else { Vec::new() };
    if committed && matches!(origin.source, DealSource::Wall { .. }) {
        return error(3, TokenErrorKind::Field { field: "source", found: 2 });
    }
    let entries = match (committed, phase) {
        (false, _) => None,
        (true, Phase::Deal) => Some(Box::new(read_entries(reader, rules.set().seats)?)),
        _ => Some(Box::default()),
    };
    Ok(Bytes { rules, origin, head, phase, ruled, keys, entries })
}

fn read_keys(reader: &mut BitReader<'_>, seats: u8) -> Result<Vec<Option<[u8; 32]>>, TokenError> {
    let start = reader.at();
    let [who] = reader.bytes()?;
    if who == 0 || who >> seats != 0 {
        return Err(TokenError {
            bit: start,
            kind: TokenErrorKind::Field { field: "keys", found: who.into() },
        });
    }
    (0..seats).map(|seat| if who >> seat & 1 == 1 { reader.bytes().map(Some) } else { Ok(None) }).collect()
}

fn read_entries(reader: &mut BitReader<'_>, seats: u8) -> Result<Entries, TokenError> {
    let start = reader.at();
    let [who] = reader.bytes()?;
    let mut entries = Entries { beacon: who & BEACON != 0, ..Entries::default() };
    let who = who & !BEACON;
    if who >> seats != 0 {
        let kind = TokenErrorKind::Field { field: "registered seats", found: who.into() };
        return Err(TokenError { bit: start, kind });
    }
    for (seat, entry) in entries.seats.iter_mut().enumerate() {
        if who >> seat & 1 == 1 {
            *entry = Some(Commitment(reader.bytes()?));
        }
    }
    Ok(entries)
}

#[inline(always)]
fn blank(rules: Arc<Rules>, origin: Origin, link: Link, phase: Phase) -> State {
    State {
        feet: State::no_feet(&rules),
        rules,
        origin,
        link,
        seating: AS_GIVEN,
        scores: [0; MAX_SEATS],
        phase,
        round: Round::new(0, 0, Seat(0)),
        turn: Turn::of(Seat(0), false, 0),
        stock: Vec::new(),
        pile: Vec::new(),
        taken_top: None,
        hands: [Cards::EMPTY; MAX_SEATS],
        freeze: Causes::default(),
        laid: [Cards::EMPTY; MAX_SEATS],
        melds: Vec::new(),
        keys: Vec::new(),
        talons: Vec::new(),
        face_down: None,
        rulings: None,
        entries: None,
    }
}

fn read_facts(state: &mut State, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    state.link.n = reader.number(64, "n")?;
    state.link.seq = reader.number(64, "seq")?;
    let set = state.rules.set();
    for score in &mut state.scores[..usize::from(set.unit_count())] {
        *score = unzigzag(reader.number(32, "score")? as u32);
    }
    if set.side_choice == SideChoice::DrawnCards {
        for player in &mut state.seating[..usize::from(set.seats)] {
            *player = read_seat(reader, set.seats, "player")?;
        }
    }
    read_round(&mut state.round, set, reader)?;
    read_turn(&mut state.turn, set, reader)?;
    if set.last_three == LastThree::MeldNoDiscard {
        state.turn.no_discard = reader.flag()?;
    }
    if set.marks_fresh_threes() {
        state.turn.fresh = zones::read_threes(set, reader)?;
    }
    read_choices(state, reader)?;
    Ok(())
}

/// Facts that few rule sets have: what may still be done about the last discard, and how a hand has ended.
fn read_choices(state: &mut State, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let (set, round) = (state.rules.set(), &mut state.round);
    if set.offers_talons() {
        round.offered = read_maybe_seat(reader, set.seats, "seat with a talon to take")?;
    }
    if set.reveal {
        round.reveal = read_maybe_seat(reader, set.seats, "seat to show its hand")?;
    }
    if !set.special_hands.is_empty() {
        round.special = match reader.bits(2)? {
            0 => None,
            number => Some(SpecialHand::ALL[number as usize - 1]),
        };
    }
    if set.discard_wilds == DiscardWilds::ForcedByDraw {
        state.turn.all_wild_draw = reader.flag()?;
    }
    if set.courtesy != rules::Courtesy::Off {
        state.turn.courtesy = match reader.bits(2)? {
            0 => Courtesy::None,
            1 => Courtesy::Asked(read_seat(reader, set.seats, "seat that is asked for courtesy")?),
            2 => Courtesy::Granted,
            _ => Courtesy::Refused(read_seat(reader, set.seats, "seat that refused courtesy")?),
        };
        round.courteous = reader.bits(set.seats.into())? as u8;
    }
    Ok(())
}

fn read_round(round: &mut Round, set: &RuleSet, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let seats = set.seats;
    round.number = reader.number(16, "round")? as u16;
    round.attempt = reader.number(16, "attempt")? as u16;
    round.dealer = read_seat(reader, seats, "dealer")?;
    if reader.flag()? {
        let reason = reader.below(EndReason::ALL.len() as u64, 3, "reason")?;
        let seat = read_maybe_seat(reader, seats, "seat that ended the round")?;
        let concealed = reader.flag()?;
        round.over = Some(RoundOver { reason: EndReason::ALL[reason as usize], seat, concealed });
    }
    round.length.records = reader.number(RECORDS_BITS, "records")? as u16;
    round.length.bytes = reader.number(BYTES_BITS, "bytes")? as u32;
    round.has_melded = reader.bits(seats.into())? as u8;
    round.asked = reader.bits(seats.into())? as u8;
    if set.side_formation == SideFormation::LoneTaker {
        round.lone = read_maybe_seat(reader, seats, "seat that plays alone")?;
    }
    if set.marks_turns() {
        round.played = reader.bits(seats.into())? as u8;
    }
    if set.pays_cuts() {
        round.cut = Cut { hands: reader.flag()?, feet: reader.flag()? };
    }
    if set.pile_restore {
        for restores in &mut round.restores[..usize::from(set.side_count)] {
            *restores = reader.number(16, "restores")? as u16;
        }
    }
    Ok(())
}

fn read_turn(turn: &mut Turn, set: &RuleSet, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    let (seats, top_only) = (set.seats, set.forced_take == ForcedTake::OwnMeldTopOnly);
    turn.seat = read_seat(reader, seats, "turn")?;
    let source = reader.below(if top_only { 4 } else { 3 }, 2, "source")?;
    turn.source = [Source::None, Source::Stock, Source::Pile, Source::TopOnly][source as usize];
    turn.melded_since_draw = reader.flag()?;
    turn.melded_before = reader.flag()?;
    turn.touched_old = reader.flag()?;
    turn.permission = match reader.bits(2)? {
        0 => Permission::None,
        1 => {
            reader.below(1, 1, "subject of a question")?;
            Permission::Pending { to: read_seat(reader, seats, "seat that is asked")? }
        }
        2 => Permission::Yes,
        _ => Permission::No { by: read_seat(reader, seats, "seat that refused")? },
    };
    let is_open = matches!(turn.permission, Permission::Pending { .. });
    if set.ask_whom == AskWhom::All
        && is_open
        && let Some(by) = read_maybe_seat(reader, seats, "seat that answered")?
    {
        turn.answered = Some(Answer { by, yes: reader.flag()? });
    }
    turn.new_from = reader.bits(8)? as u8;
    Ok(())
}

fn read_seat(reader: &mut BitReader<'_>, seats: u8, field: &'static str) -> Result<Seat, TokenError> {
    Ok(Seat(reader.below(seats.into(), SEAT_BITS, field)? as u8))
}

/// A seat, or none.
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

/// 0, 1, 2, 3, 4 ... to 0, -1, 1, -2, 2 ...
pub(super) fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}
