//! The stored form of rulings and their effects.

use super::super::codes::{self, AUTHORITIES, EFFECTS};
use super::super::error::{DecodeError, FieldError, FieldErrorKind};
use super::super::wire::{self, List, Octets};
use super::{
    MASKED_POSITION_MAX, REASON_MAX, RULE_MAX, action_bytes, action_from_bytes, cards, cards_to_wire, choice,
    seat, seat_to_wire, side, side_to_wire, text,
};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_rules::action::{Action, ActionKind, Effect, EffectKind, Ruling};
use canasta_rules::notation::POSITION_BYTES_MAX;
use canasta_rules::seat::SEATS_MAX;
use canasta_rules::table::POINTS_MAX;

pub(super) fn ruling_to_wire(ruling: &Ruling) -> Result<wire::Ruling<'_>, FieldError> {
    Ok(wire::Ruling {
        id: ruling.id,
        by: codes::number(&AUTHORITIES, ruling.by),
        offender: ruling.offender.map(|s| seat_to_wire("offender", s)).transpose()?,
        side: side_to_wire("side", ruling.side)?,
        rule: text("rule", &ruling.rule, RULE_MAX)?,
        points: ruling.points,
        effect: effect_to_wire(&ruling.effect)?,
        reason: text("reason", &ruling.reason, REASON_MAX)?,
        reverses: ruling.reverses,
        signature: ruling.signature.map(Into::into),
    })
}

pub(super) fn ruling_from_wire(ruling: &wire::Ruling<'_>) -> Result<Ruling, FieldError> {
    Ok(Ruling {
        id: ruling.id,
        by: choice("by", &AUTHORITIES, ruling.by)?,
        offender: ruling.offender.map(|s| seat("offender", s)).transpose()?,
        side: side("side", ruling.side)?,
        rule: text("rule", ruling.rule, RULE_MAX)?.to_string(),
        points: ruling.points,
        effect: effect_from_wire(&ruling.effect)?,
        reason: text("reason", ruling.reason, REASON_MAX)?.to_string(),
        reverses: ruling.reverses,
        signature: ruling.signature.map(Into::into),
    })
}

fn effect_to_wire(effect: &Effect) -> Result<wire::Effect<'_>, FieldError> {
    Ok(wire::Effect {
        kind: codes::number(&EFFECTS, effect.kind),
        by: effect.by,
        seat: effect.seat.map(|s| seat_to_wire("effect.seat", s)).transpose()?,
        cards: cards_to_wire("effect.cards", &effect.cards)?,
        until: effect.until,
        side: effect.side.map(|s| side_to_wire("effect.side", s)).transpose()?,
        award: effect.award,
        to_seq: effect.to_seq,
        action: effect.action.as_deref().map(standing_to_wire).transpose()?,
        position: position_to_wire(effect.position.as_deref(), effect.masked)?,
        points: List(side_points(effect.kind, &effect.points)?.to_vec()),
    })
}

fn effect_from_wire(effect: &wire::Effect<'_>) -> Result<Effect, FieldError> {
    let (position, masked) = position_from_wire(effect.position.as_ref())?;
    let kind = choice("effect.type", &EFFECTS, effect.kind)?;
    Ok(Effect {
        kind,
        by: effect.by,
        seat: effect.seat.map(|s| seat("effect.seat", s)).transpose()?,
        cards: cards("effect.cards", &effect.cards)?,
        until: effect.until,
        side: effect.side.map(|s| side("effect.side", s)).transpose()?,
        award: effect.award,
        to_seq: effect.to_seq,
        action: effect.action.as_ref().map(standing_from_wire).transpose()?,
        position,
        masked,
        points: side_points(kind, &effect.points.0)?.to_vec(),
    })
}

/// Checks points by side: only `adjust` has them, and each is at most [`POINTS_MAX`] up or down.
fn side_points(kind: EffectKind, points: &[i32]) -> Result<&[i32], FieldError> {
    let field = "effect.points";
    FieldError::length(field, points.len(), SEATS_MAX)?;
    if kind != EffectKind::Adjust && !points.is_empty() {
        return Err(FieldError::misplaced(field, "only adjust changes points by side"));
    }
    for change in points {
        FieldError::range(field, change.unsigned_abs().into(), POINTS_MAX.unsigned_abs().into())?;
    }
    Ok(points)
}

const NESTED: &str = "a ruling cannot stand in a ruling";

fn standing_to_wire(action: &Action) -> Result<Octets<'static>, FieldError> {
    if action.kind() == ActionKind::Ruling {
        return Err(FieldError::misplaced("effect.action", NESTED));
    }
    Ok(Octets::Owned(action_bytes(action)?))
}

fn standing_from_wire(bytes: &Octets<'_>) -> Result<Box<Action>, FieldError> {
    if bytes.bytes().first() == Some(&(ActionKind::Ruling as u8)) {
        return Err(FieldError::misplaced("effect.action", NESTED));
    }
    match action_from_bytes(bytes.bytes()) {
        Ok(action) => Ok(Box::new(action)),
        Err(DecodeError::Field(error)) => Err(error),
        Err(_) => Err(FieldError::misplaced("effect.action", "not the bytes of an action")),
    }
}

fn position_to_wire(bytes: Option<&[u8]>, masked: bool) -> Result<Option<wire::Position<'_>>, FieldError> {
    let field = "effect.position";
    Ok(match (bytes, masked) {
        (None, false) => None,
        (None, true) => return Err(FieldError::misplaced(field, "masked, but there is no position")),
        (Some(bytes), true) => Some(wire::Position::Masked(Octets::Bytes(masked_position(bytes)?))),
        (Some(bytes), false) => {
            let plain = core::str::from_utf8(bytes);
            let plain = plain.map_err(|_| FieldError::new(field, FieldErrorKind::NotText))?;
            Some(wire::Position::Clear(text(field, plain, POSITION_BYTES_MAX)?))
        }
    })
}

fn position_from_wire(position: Option<&wire::Position<'_>>) -> Result<(Option<Vec<u8>>, bool), FieldError> {
    Ok(match position {
        None => (None, false),
        Some(wire::Position::Masked(bytes)) => (Some(masked_position(bytes.bytes())?.to_vec()), true),
        Some(wire::Position::Clear(plain)) => {
            (Some(text("effect.position", plain, POSITION_BYTES_MAX)?.as_bytes().to_vec()), false)
        }
    })
}

fn masked_position(bytes: &[u8]) -> Result<&[u8], FieldError> {
    masked("effect.masked", bytes, MASKED_POSITION_MAX)
}

/// Checks the size of masked bytes: 16, then a multiple of 64, at least 64; at most `max` in all.
pub(in super::super) fn masked<'a>(
    field: &'static str,
    bytes: &'a [u8],
    max: usize,
) -> Result<&'a [u8], FieldError> {
    FieldError::length(field, bytes.len(), max)?;
    if bytes.len() < 80 || !(bytes.len() - 16).is_multiple_of(64) {
        return Err(FieldError::misplaced(field, "masked bytes are 16 and a multiple of 64, at least 64"));
    }
    Ok(bytes)
}
