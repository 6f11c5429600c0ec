//! A round whose secret is not revealed yet, and the records that wait for it.

use super::super::finding::{Finding, FindingKind};
use super::super::replay::Place;
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::frame::{PREFIX, SUFFIX};
use canasta_log::limits::{ROUND_BYTES_MAX, ROUND_RECORDS_MAX};
use canasta_log::record::{ActionRecord, Record, Register};
use canasta_rules::action::Action;
use canasta_rules::seat::SEATS_MAX;

/// A round whose secret is not revealed yet.
pub(super) struct OpenRound {
    pub register: Register,
    pub place: Place,
    /// The seats whose commitment is signed with their key, by number.
    pub signed: [bool; SEATS_MAX],
    held: Vec<Held>,
    /// The payloads of the frequent actions that are held.
    payloads: Vec<u8>,
    /// Number of bytes of all frames of the round so far.
    bytes: u32,
    /// Whether records are missing or damaged, in a salvaging audit.
    pub lost: bool,
    /// Whether it is the first round of the game and yet no first round.
    is_later: bool,
}

/// A record that is held until the end of its round.
struct Held {
    place: Place,
    kept: HeldForm,
}

/// The form in which a record is held.
enum HeldForm {
    /// The payload of a frequent action, by its place among the payloads. To decode the payload again costs less
    /// than memory of its own for each action.
    Payload {
        at: u32,
        length: u32,
    },
    Shared(Arc<Record>),
}

/// A record of a round, when the round is judged.
pub(super) enum HeldRecord<'r> {
    /// The payload of a frequent action.
    Payload(&'r [u8]),
    Shared(&'r Arc<Record>),
}

impl HeldRecord<'_> {
    /// Hands the action to `receive`, if the record is one. An action is large, so it is not moved.
    pub(super) fn with_action<T>(&self, receive: impl FnOnce(&ActionRecord) -> T) -> Option<T> {
        match self {
            Self::Payload(payload) => {
                let action = ActionRecord::decode_frequent(payload);
                Some(receive(&action.expect("only payloads of frequent actions are held")))
            }
            Self::Shared(record) => action_of(record).map(receive),
        }
    }
}

impl OpenRound {
    pub(super) fn new(register: Register, place: Place, signed: [bool; SEATS_MAX], is_later: bool) -> Self {
        let (held, payloads) = (Vec::new(), Vec::new());
        Self { register, place, signed, held, payloads, bytes: 0, lost: false, is_later }
    }

    /// Whether the game is taken up from a position in this round (IR-113).
    pub(super) fn takes_up(&self) -> bool {
        let first = self.rare_actions().next();
        matches!(first, Some((_, ActionRecord { action: Action::Ruling(ruling), .. })) if ruling.takes_up())
    }

    /// Returns what is wrong if the game begins with a later round, and not with a position.
    pub(super) fn skipped(&self) -> Option<Finding> {
        let detail = "expected the first round, or a ruling that takes the game up from a position (IR-113)";
        let skips = self.is_later && !self.takes_up();
        skips.then(|| self.place.finding(FindingKind::Register, detail))
    }

    /// Holds a frequent action ([`ActionRecord::actor_of_frequent`]). Returns `false` if the round is too long.
    pub(super) fn hold_frequent(&mut self, payload: &[u8], place: Place) -> bool {
        let kept = HeldForm::Payload { at: self.payloads.len() as u32, length: payload.len() as u32 };
        let is_held = self.keep(kept, payload, place);
        if is_held && !self.lost {
            self.payloads.extend_from_slice(payload);
        }
        is_held
    }

    /// Holds an action or a refusal; no other record waits for the end of a round. Returns `false` if the round is too
    /// long.
    pub(super) fn hold(&mut self, record: Arc<Record>, payload: &[u8], place: Place) -> bool {
        debug_assert!(matches!(*record, Record::Action(_) | Record::Refusal(_)), "nothing else waits");
        self.keep(HeldForm::Shared(record), payload, place)
    }

    fn keep(&mut self, kept: HeldForm, payload: &[u8], place: Place) -> bool {
        if self.lost {
            return true;
        }
        self.bytes += (PREFIX + payload.len() + SUFFIX) as u32;
        if self.held.len() as u32 >= ROUND_RECORDS_MAX || self.bytes > ROUND_BYTES_MAX {
            return false;
        }
        self.held.push(Held { place, kept });
        true
    }

    /// Returns the records of the round, in order.
    pub(super) fn records(&self) -> impl Iterator<Item = (Place, HeldRecord<'_>)> {
        self.held.iter().map(|held| {
            let record = match &held.kept {
                HeldForm::Payload { at, length } => {
                    HeldRecord::Payload(&self.payloads[*at as usize..][..*length as usize])
                }
                HeldForm::Shared(record) => HeldRecord::Shared(record),
            };
            (held.place, record)
        })
    }

    /// Returns the actions of the round that are held as records, in order: deals and rulings are among them.
    pub(super) fn rare_actions(&self) -> impl Iterator<Item = (Place, &ActionRecord)> {
        self.held.iter().filter_map(|held| match &held.kept {
            HeldForm::Shared(record) => Some((held.place, action_of(record)?)),
            HeldForm::Payload { .. } => None,
        })
    }
}

fn action_of(record: &Record) -> Option<&ActionRecord> {
    match record {
        Record::Action(action) => Some(action),
        _ => None,
    }
}
