#![doc = include_str!("../README.md")]
#![no_std]
#![deny(missing_docs)]

#[cfg(feature = "archive")]
pub use canasta_archive as archive;
#[cfg(feature = "bot")]
pub use canasta_bot as bot;
pub use canasta_game as game;
pub use canasta_game::LoggedGame;
pub use canasta_game::token;
pub use canasta_log::{deal, dealing};
pub use canasta_rules::{
    action, apply, card, check, check::legal, check::options, citation, event, explain, explanation, hex,
    invariant, irregularity, known, nodes, notation, pack, rejection, rulebook, rules, scoring, seat,
    sequence, table, view, violations,
};
#[cfg(feature = "text")]
pub use canasta_text as text;

/// The log: its format, and its audit.
pub mod log {
    pub use canasta_audit::{
        Frame, Reader, Salvager, audit, finding, follow, outcome, reader, replay, tally,
    };
    pub use canasta_log::{
        Chain, DecodeError, FieldError, FieldErrorKind, Foreign, HEAD_START, HEADER, Head, Length, LogError,
        LogErrorKind, ROUND_BYTES_MAX, ROUND_RECORDS_MAX, Record, action, action_bytes, action_from_bytes,
        check_time, checkpoint, codes, contribution_message, derive, digest, error, frame, is_ruling_signed,
        is_signature, is_signed, record, ruling_message, seat_message,
    };
}
