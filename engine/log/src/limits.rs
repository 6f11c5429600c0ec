//! The maximum length of a round in the log. An audit keeps a round in memory until its cards are revealed,
//! so no round may grow without limit. If nothing else ends a long round, a ruling does.

use super::frame::{PAYLOAD_MAX, PREFIX, SUFFIX};
use canasta_rules::action::ActionKind;

/// Maximum number of records per round; its register and end, notes and checkpoints do not count.
pub const ROUND_RECORDS_MAX: u32 = 16_384;
/// Maximum number of bytes of the frames of those records, per round.
pub const ROUND_BYTES_MAX: u32 = 1 << 20;

/// Number of records at the end of a long round that only officials may use, to end the round.
const KEPT_RECORDS: u32 = 256;
/// Number of bytes at the end of a long round that only officials may use, to end the round.
const KEPT_BYTES: u32 = 128 * 1024;

/// Number of bytes of the longest frame.
const FRAME_MAX: u32 = (PREFIX + PAYLOAD_MAX + SUFFIX) as u32;

/// The length of a round in the log: its actions and refusals, without its register and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Length {
    /// Number of records.
    pub records: u16,
    /// Number of bytes of their frames.
    pub bytes: u32,
}

impl Length {
    /// Whether the log allows a round of this length.
    pub fn is_allowed(self) -> bool {
        u32::from(self.records) <= ROUND_RECORDS_MAX && self.bytes <= ROUND_BYTES_MAX
    }
}

/// Whether a round of this length has room for another action of this kind, or for its refusal, of any size.
pub fn has_room(length: Length, action: ActionKind) -> bool {
    let official = matches!(action, ActionKind::Ruling | ActionKind::Dispute | ActionKind::Sign);
    let (records, bytes) = if official { (0, 0) } else { (KEPT_RECORDS, KEPT_BYTES) };
    u32::from(length.records) + records < ROUND_RECORDS_MAX
        && length.bytes + bytes + FRAME_MAX <= ROUND_BYTES_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_for_rulings() {
        let at = |records, bytes| {
            let length = Length { records, bytes };
            (has_room(length, ActionKind::DrawStock), has_room(length, ActionKind::Ruling))
        };
        let most = ROUND_BYTES_MAX - FRAME_MAX;
        assert_eq!(at(16_127, most - KEPT_BYTES), (true, true));
        assert_eq!(at(16_128, 0), (false, true));
        assert_eq!(at(16_383, most), (false, true));
        assert_eq!(at(16_384, 0), (false, false));
        assert_eq!(at(0, most - KEPT_BYTES + 1), (false, true));
        assert_eq!(at(0, most + 1), (false, false));
    }
}
