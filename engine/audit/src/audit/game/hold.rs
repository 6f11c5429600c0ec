//! The records of a game that wait for the end of their round.

use super::super::Tally;
use super::{GameAudit, Stage};
use crate::finding::FindingKind;
use crate::reader::Frame;
use crate::replay::Place;
use alloc::format;
use alloc::sync::Arc;
use canasta_log::limits::{ROUND_BYTES_MAX, ROUND_RECORDS_MAX};
use canasta_log::record::{ActionRecord, Record};
use canasta_rules::seat::Seat;

impl GameAudit {
    /// Takes a frequent action of the open round, which then needs no memory of its own. Returns `false` if the frame
    /// holds another record, or no round is open.
    pub(in super::super) fn take_frequent(
        &mut self,
        frame: &Frame<'_>,
        place: Place,
        tally: &mut Tally,
    ) -> bool {
        let Stage::Round(round) = &mut self.stage else { return false };
        let Some(actor) = ActionRecord::actor_of_frequent(frame.payload) else { return false };
        tally.report.actions += 1;
        let is_held = round.hold_frequent(frame.payload, place);
        self.count_action(actor, false, place, tally);
        if !is_held {
            self.too_long(place, tally);
        }
        true
    }

    /// Holds an action or a refusal until the end of its round.
    pub(super) fn hold(&mut self, record: Arc<Record>, frame: &Frame<'_>, place: Place, tally: &mut Tally) {
        let Stage::Round(round) = &mut self.stage else { return self.misplaced("an action", place, tally) };
        if !round.hold(record, frame.payload, place) {
            self.too_long(place, tally);
        }
    }

    fn too_long(&mut self, place: Place, tally: &mut Tally) {
        let detail =
            format!("expected at most {ROUND_RECORDS_MAX} records and {ROUND_BYTES_MAX} bytes in a round");
        tally.fault(place.finding(FindingKind::RoundTooLong, detail));
        self.lose();
    }

    /// Counts an action for the player on the actor's seat. Returns the seat if the game has it.
    pub(super) fn count_action(
        &self,
        actor: Option<Seat>,
        is_signed: bool,
        place: Place,
        tally: &mut Tally,
    ) -> Option<Seat> {
        tally.report.decided = place.n;
        let seat = actor.filter(|seat| seat.0 < self.table.set().seats)?;
        if let Some(signed) = tally.report.signed.get_mut(usize::from(self.table.player_on(seat))) {
            signed.actions += 1;
            signed.signed += u64::from(is_signed);
            if is_signed {
                signed.last = Some(place.n);
            }
        }
        Some(seat)
    }
}
