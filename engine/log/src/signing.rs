//! The messages that seats and the director sign, and the verification of their signatures (Ed25519).

use super::action::action_bytes;
use super::frame::Head;
use alloc::vec::Vec;
use canasta_rules::action::{Action, Ruling};
use canasta_rules::seat::Seat;

/// Returns the message that a seat signs for the record after the one whose head is `before`:
/// `canasta-seat/1\0`, `before`, the seat and the action's bytes.
pub fn seat_message(before: &Head, seat: Seat, action_bytes: &[u8]) -> Vec<u8> {
    [&b"canasta-seat/1\0"[..], before, &[seat.0], action_bytes].concat()
}

/// Returns the message that a seat signs under its contribution C_k. `before` is the head of the record before the
/// register; it binds genesis, and so C_G and every commitment of the dealer.
pub fn contribution_message(
    before: &Head,
    round: u32,
    attempt: u32,
    seat: Seat,
    commitment: &[u8; 32],
) -> Vec<u8> {
    let place = [&round.to_be_bytes()[..], &attempt.to_be_bytes(), &[seat.0]].concat();
    [&b"canasta-contribution/1\0"[..], before, &place, commitment].concat()
}

/// Returns the message that the director signs for a ruling in the record after the one whose head is `before`: the
/// ruling's bytes with id 0, without a signature. `None` if a log cannot hold the ruling.
pub fn ruling_message(before: &Head, ruling: &Ruling) -> Option<Vec<u8>> {
    let bare = Ruling { id: 0, signature: None, ..ruling.clone() };
    let bytes = action_bytes(&Action::Ruling(bare.into())).ok()?;
    Some([&b"canasta-director/1\0"[..], before, &bytes].concat())
}

/// Whether `signature` is the signature by `key` of this seat and action, for the record after the one whose head is
/// `before`.
pub fn is_signed(key: &[u8; 32], before: &Head, seat: Seat, action: &Action, signature: &[u8; 64]) -> bool {
    action_bytes(action).is_ok_and(|bytes| is_signature(key, &seat_message(before, seat, &bytes), signature))
}

/// Whether a ruling has a signature by the director's `key`, for the record after the one whose head is `before`.
pub fn is_ruling_signed(key: &[u8; 32], before: &Head, ruling: &Ruling) -> bool {
    let signed = ruling.signature.zip(ruling_message(before, ruling));
    signed.is_some_and(|(signature, message)| is_signature(key, &message, &signature))
}

/// Whether `signature` is the Ed25519 signature by `key` over the message (strict verification).
pub fn is_signature(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let signature = ed25519_dalek::Signature::from_bytes(signature);
    ed25519_dalek::VerifyingKey::from_bytes(key)
        .is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}
