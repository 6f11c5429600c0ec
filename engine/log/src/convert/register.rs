//! The stored form of a register.

use super::super::action::{seat, seat_to_wire};
use super::super::error::FieldError;
use super::super::record::{Beacon, Register};
use super::super::wire::{self, List};
use super::time;
use canasta_rules::seat::SEATS_MAX;

pub(super) fn register_to_wire(register: &Register) -> Result<wire::Register, FieldError> {
    FieldError::length("seats", register.seats.len(), SEATS_MAX)?;
    let beacon = |Beacon { chain, round, close_ms }| {
        Ok(wire::Beacon { chain, round, close_ms: time("beacon.close_ms", close_ms)? })
    };
    Ok(wire::Register {
        round: register.round,
        attempt: register.attempt,
        dealer: register.dealer.map(|s| seat_to_wire("dealer", s)).transpose()?,
        commitment: register.commitment,
        seats: List(register.seats.clone()),
        beacon: register.beacon.map(beacon).transpose()?,
        signatures: List(signatures(register)?.iter().map(|one| one.map(Into::into)).collect()),
    })
}

pub(super) fn register_from_wire(register: &wire::Register) -> Result<Register, FieldError> {
    let beacon = |beacon: &wire::Beacon| {
        let close_ms = time("beacon.close_ms", beacon.close_ms)?;
        Ok(Beacon { chain: beacon.chain, round: beacon.round, close_ms })
    };
    let register = Register {
        round: register.round,
        attempt: register.attempt,
        dealer: register.dealer.map(|s| seat("dealer", s)).transpose()?,
        commitment: register.commitment,
        seats: register.seats.0.clone(),
        beacon: register.beacon.as_ref().map(beacon).transpose()?,
        signatures: register.signatures.0.iter().map(|one| one.map(Into::into)).collect(),
    };
    signatures(&register)?;
    Ok(register)
}

/// Checks that only seats that registered something signed, and that no list of signatures is without one.
fn signatures(register: &Register) -> Result<&[Option<[u8; 64]>], FieldError> {
    let signatures = &register.signatures;
    FieldError::length("signatures", signatures.len(), SEATS_MAX)?;
    let registered = |seat: usize| register.seats.get(seat).is_some_and(Option::is_some);
    if (0..signatures.len()).any(|seat| signatures[seat].is_some() && !registered(seat)) {
        return Err(FieldError::misplaced("signatures", "a seat that registers nothing signs nothing"));
    }
    if !signatures.is_empty() && signatures.iter().all(Option::is_none) {
        return Err(FieldError::misplaced("signatures", "a list without a signature must be empty"));
    }
    Ok(signatures)
}
