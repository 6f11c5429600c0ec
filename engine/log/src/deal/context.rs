//! The context of a wall: everything that the wall depends on, except the secret.

use super::commit::length;
use super::id::check_text;
use super::{Commitment, DealError, DealId};
use alloc::vec::Vec;
use canasta_rules::seat::{SEATS_MAX, Seat};
use sha2::{Digest, Sha256};

/// The contribution of one seat to a committed deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contribution {
    /// C_k, registered before the deal; `None` if the seat registered nothing.
    pub commitment: Option<Commitment>,
    /// V_k, revealed with the deal; `None` if the seat revealed nothing.
    pub value: Option<[u8; 32]>,
}

/// The context of a wall: deal, rule set, number of cards, commitments, contributions, beacon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    bytes: Vec<u8>,
    cards: u16,
    input_bits: u16,
}

impl Context {
    /// Returns the context of a seeded deal, to which nobody contributes. `rule_set` is the rule set's digest
    /// as 64 lower-case hex digits, `cards` the number of cards in the pack, `dealer` C_d.
    ///
    /// # Errors
    /// [`DealError::Text`] unless `rule_set` is ASCII of 1 to 255 bytes.
    pub fn seeded(deal: &DealId, rule_set: &str, cards: u16, dealer: Commitment) -> Result<Self, DealError> {
        Self::build(deal, rule_set, cards, dealer, &[], None)
    }

    /// Returns the context of a committed deal: `seats` has an entry for every seat of the table, in order,
    /// and `beacon` is B, see [`beacon_value`]. The other arguments are as in [`Context::seeded`].
    ///
    /// A value that was registered but not revealed counts as empty. Whether such a value voids the deal is
    /// not decided here.
    ///
    /// # Errors
    /// [`DealError::Text`] as for [`Context::seeded`]; [`DealError::SeatCount`] outside 2 to 6 seats;
    /// [`DealError::Unregistered`] or [`DealError::Mismatch`] for the first seat whose value has no
    /// commitment or does not match its commitment.
    pub fn committed(
        deal: &DealId,
        rule_set: &str,
        cards: u16,
        dealer: Commitment,
        seats: &[Contribution],
        beacon: Option<&[u8; 32]>,
    ) -> Result<Self, DealError> {
        if !(2..=SEATS_MAX).contains(&seats.len()) {
            return Err(DealError::SeatCount { found: seats.len() });
        }
        for (seat, contribution) in (0..).map(Seat).zip(seats) {
            check_contribution(deal, seat, contribution)?;
        }
        Self::build(deal, rule_set, cards, dealer, seats, beacon)
    }

    fn build(
        deal: &DealId,
        rule_set: &str,
        cards: u16,
        dealer: Commitment,
        seats: &[Contribution],
        beacon: Option<&[u8; 32]>,
    ) -> Result<Self, DealError> {
        check_text(rule_set)?;
        let seat_count = seats.len() as u8;
        let mut bytes = Vec::with_capacity(128 + rule_set.len() + 68 * seats.len());
        put(&mut bytes, deal.as_str().as_bytes());
        put(&mut bytes, rule_set.as_bytes());
        bytes.extend_from_slice(&cards.to_be_bytes());
        bytes.push(1 + seat_count);
        put(&mut bytes, &dealer.0);
        for seat in seats {
            put(&mut bytes, seat.commitment.as_ref().map_or(&[], |c| &c.0));
        }
        bytes.push(seat_count);
        for seat in seats {
            put(&mut bytes, seat.value.as_ref().map_or(&[], |value| value));
        }
        put(&mut bytes, beacon.map_or(&[], |beacon| beacon));

        let values = seats.iter().filter(|seat| seat.value.is_some()).count() as u16;
        let input_bits = 512 + 256 * (values + u16::from(beacon.is_some()));
        Ok(Self { bytes, cards, input_bits })
    }

    /// Returns the bytes of the context, as they are hashed.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the number of cards in the pack.
    pub fn cards(&self) -> u16 {
        self.cards
    }

    /// Returns the number of bits of secret, contributions and beacon together: 512 to 2,304. If this number
    /// is at least log2 of the number of orders of the pack, every order is possible.
    pub fn input_bits(&self) -> u16 {
        self.input_bits
    }
}

/// Returns B of a beacon: SHA-256 of its signature. This function does not verify the signature.
pub fn beacon_value(signature: &[u8]) -> [u8; 32] {
    Sha256::digest(signature).into()
}

fn check_contribution(deal: &DealId, seat: Seat, contribution: &Contribution) -> Result<(), DealError> {
    let Some(value) = &contribution.value else { return Ok(()) };
    let Some(registered) = contribution.commitment else { return Err(DealError::Unregistered { seat }) };
    if Commitment::seat(deal, seat, value) != registered {
        return Err(DealError::Mismatch { seat });
    }
    Ok(())
}

fn put(bytes: &mut Vec<u8>, field: &[u8]) {
    bytes.extend_from_slice(&length(field));
    bytes.extend_from_slice(field);
}
