//! Signatures of seats and of the director, verified where the head before their record is known.

use super::super::{Place, Tally};
use super::GameAudit;
use crate::finding::{Finding, FindingKind};
use crate::reader::Frame;
use alloc::format;
use canasta_log::record::{ActionRecord, DealMode, Register};
use canasta_log::{Head, contribution_message, is_ruling_signed, is_signature, is_signed};
use canasta_rules::action::Action;
use canasta_rules::seat::{SEATS_MAX, Seat};

impl GameAudit {
    /// Counts the action for its player, and verifies the signature. After a break of the chain, signatures are not
    /// reported, because the heads that they cover are unknown.
    pub(super) fn signature(
        &self,
        action: &ActionRecord,
        frame: &Frame<'_>,
        place: Place,
        tally: &mut Tally,
    ) {
        self.director_signature(action, frame, place, tally);
        let seat = self.count_action(action.actor, action.signature.is_some(), place, tally);
        let Some(signature) = action.signature else { return };
        tally.report.signed_actions += 1;
        let player = seat.map(|seat| usize::from(self.table.player_on(seat)));
        let key = player.and_then(|player| self.genesis.players.get(player)?.key);
        let holds = key
            .zip(seat)
            .is_some_and(|(key, seat)| is_signed(&key, &frame.before, seat, &action.action, &signature));
        if !holds && !tally.unproven {
            self.find_forged("the seat's key over this action", seat, place, tally);
        }
    }

    /// Verifies the director's signature under a ruling. The signature covers a position in clear, so where the position
    /// is masked the signature is counted, and not verified.
    fn director_signature(&self, action: &ActionRecord, frame: &Frame<'_>, place: Place, tally: &mut Tally) {
        let Action::Ruling(ruling) = &action.action else { return };
        if ruling.signature.is_none() || tally.unproven {
            return;
        }
        if ruling.effect.masked {
            tally.report.unverified += 1;
            return;
        }
        if !self.genesis.director.is_some_and(|key| is_ruling_signed(&key, &frame.before, ruling)) {
            self.find_forged("the director's key over this ruling", None, place, tally);
        }
    }

    /// Verifies the signatures under the contributions of a register. Returns which seats have signed theirs. After a
    /// break of the chain no signature is verified, because the heads that they cover are unknown.
    pub(super) fn verify_entries(
        &self,
        register: &Register,
        before: &Head,
        place: Place,
        tally: &mut Tally,
    ) -> [bool; SEATS_MAX] {
        let mut signed = [false; SEATS_MAX];
        if tally.unproven || self.genesis.mode != DealMode::Committed {
            return signed;
        }
        for seat in self.table.seats() {
            let commitment = register.seats.get(seat.index()).copied().flatten();
            let signature = register.signatures.get(seat.index()).copied().flatten();
            let Some((commitment, signature)) = commitment.zip(signature) else { continue };
            let Register { round, attempt, .. } = *register;
            let message = contribution_message(before, round, attempt, seat, &commitment);
            let key = self.genesis.players.get(usize::from(self.table.player_on(seat)));
            let key = key.and_then(|player| player.key);
            let holds = key.is_some_and(|key| is_signature(&key, &message, &signature));
            signed[seat.index()] = holds;
            if !holds {
                self.find_forged("the seat's key over its contribution", Some(seat), place, tally);
            }
        }
        signed
    }

    /// Reports a signature that is not the one of a key over something.
    fn find_forged(&self, of: &str, seat: Option<Seat>, place: Place, tally: &mut Tally) {
        let detail = format!("the signature is not that of {of}");
        let finding = place.finding(FindingKind::Signature, detail);
        tally.find(Finding { round: Some(self.table.round_number()), seat, ..finding });
    }
}
