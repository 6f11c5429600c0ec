//! A token to its state, whatever the bytes.

use super::bits::BitReader;
use super::{Catalogue, MAGIC, NO_SEAT, SEAT_BITS, TokenError, TokenErrorKind, VERSION, house, zones};
use crate::action::About;
use crate::card::Cards;
use crate::deal::{GameId, GameSecret, RoundSecret, WallSalt};
use crate::invariant;
use crate::rules::{PresetId, Rules};
use crate::seat::{MAX_SEATS, Seat};
use crate::state::{
    Causes, DealSource, EndReason, Link, Origin, Permission, Phase, Registration, Round, RoundOver, Source,
    State, Turn,
};
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
    let (rules, origin, head, phase) = read_bytes(&mut reader, catalogue)?;
    let mut state = blank(rules, origin, Link { n: 0, seq: 0, head }, phase);
    if let DealSource::Wall { wall, .. } = &mut state.origin.source {
        *wall = zones::read_wall(&mut reader)?;
    }
    read_facts(&mut state, &mut reader)?;
    let sides = usize::from(state.set().side_count);
    let (ids, any) = zones::read_ids(&mut reader, state.phase, sides)?;
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

type Bytes = (Arc<Rules>, Origin, [u8; 32], Phase);

/// What stands in whole bytes.
fn read_bytes(reader: &mut BitReader<'_>, catalogue: &Catalogue) -> Result<Bytes, TokenError> {
    let [magic, version, base, flags] = reader.bytes()?;
    let error = |byte: usize, kind| Err(TokenError { bit: byte * 8, kind });
    if magic != MAGIC {
        return error(0, TokenErrorKind::Magic);
    }
    if version != VERSION {
        return error(1, TokenErrorKind::Version { found: version });
    }
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
    Ok((rules, origin, head, phase))
}

#[inline(always)]
fn blank(rules: Arc<Rules>, origin: Origin, link: Link, phase: Phase) -> State {
    State {
        rules,
        origin,
        link,
        scores: [0; MAX_SEATS],
        phase,
        round: Round::new(0, 0, Seat(0)),
        turn: Turn::of(Seat(0), false, 0),
        stock: Vec::new(),
        pile: Vec::new(),
        hands: [Cards::EMPTY; MAX_SEATS],
        freeze: Causes::default(),
        laid: [Cards::EMPTY; MAX_SEATS],
        melds: Vec::new(),
    }
}

fn read_facts(state: &mut State, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    state.link.n = reader.number(64, "n")?;
    state.link.seq = reader.number(64, "seq")?;
    let sides = usize::from(state.set().side_count);
    for score in &mut state.scores[..sides] {
        *score = unzigzag(reader.number(32, "score")? as u32);
    }
    let seats = state.set().seats;
    read_round(&mut state.round, seats, reader)?;
    read_turn(&mut state.turn, seats, reader)
}

fn read_round(round: &mut Round, seats: u8, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    round.number = reader.number(16, "round")? as u16;
    round.attempt = reader.number(16, "attempt")? as u16;
    round.dealer = read_seat(reader, seats, "dealer")?;
    if reader.flag()? {
        let reason = reader.below(EndReason::ALL.len() as u64, 3, "reason")?;
        let seat = match reader.clone().bits(SEAT_BITS)? {
            NO_SEAT => {
                reader.take(SEAT_BITS);
                None
            }
            _ => Some(read_seat(reader, seats, "seat that ended the round")?),
        };
        let concealed = reader.flag()?;
        round.over = Some(RoundOver { reason: EndReason::ALL[reason as usize], seat, concealed });
    }
    round.has_melded = reader.bits(seats.into())? as u8;
    round.asked = reader.bits(seats.into())? as u8;
    Ok(())
}

fn read_turn(turn: &mut Turn, seats: u8, reader: &mut BitReader<'_>) -> Result<(), TokenError> {
    turn.seat = read_seat(reader, seats, "turn")?;
    let source = reader.below(3, 2, "source")?;
    turn.source = [Source::None, Source::Stock, Source::Pile][source as usize];
    turn.melded_since_draw = reader.flag()?;
    turn.melded_before = reader.flag()?;
    turn.touched_old = reader.flag()?;
    turn.permission = match reader.bits(2)? {
        0 => Permission::None,
        1 => {
            let about = if reader.flag()? { About::Courtesy } else { About::GoOut };
            Permission::Pending { about, to: read_seat(reader, seats, "seat that is asked")? }
        }
        2 => Permission::Yes,
        _ => Permission::No { by: read_seat(reader, seats, "seat that refused")? },
    };
    turn.new_from = reader.bits(8)? as u8;
    Ok(())
}

fn read_seat(reader: &mut BitReader<'_>, seats: u8, field: &'static str) -> Result<Seat, TokenError> {
    Ok(Seat(reader.below(seats.into(), SEAT_BITS, field)? as u8))
}

/// 0, 1, 2, 3, 4 ... to 0, -1, 1, -2, 2 ...
fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}
