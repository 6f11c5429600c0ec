//! The origin of the deals: the values that went into each, and the signatures under them.

use super::super::held::OpenRound;
use super::super::{DealOrigins, Place, Tally};
use super::GameAudit;
use crate::finding::{Finding, FindingKind};
use alloc::string::String;
use canasta_log::record::{DealMode, Register};
use canasta_log::{Head, contribution_message, is_signature};
use canasta_rules::action::Action;
use canasta_rules::seat::SEATS_MAX;

/// The values that went into one deal.
pub(super) struct DealOrigin {
    round: u32,
    /// Number of seats' values, and number of those whose commitment is signed.
    values: u32,
    signed: u32,
    chain: Option<[u8; 32]>,
}

impl OpenRound {
    /// Returns the origin of the round's deal.
    pub(super) fn origin(&self) -> DealOrigin {
        let deal = self.rare_actions().find_map(|(_, record)| match &record.action {
            Action::Deal(deal) => Some(deal),
            _ => None,
        });
        let values = deal.map_or(&[][..], |deal| &deal.contributions);
        let given = values.iter().zip(self.signed).filter(|(value, _)| value.is_some());
        let (values, signed) = given
            .fold((0, 0), |(values, signed), (_, is_signed)| (values + 1, signed + u32::from(is_signed)));
        let chain = self.register.beacon.map(|beacon| beacon.chain);
        DealOrigin { round: self.register.round, values, signed, chain }
    }
}

impl GameAudit {
    /// Counts a deal that was dealt as registered.
    pub(super) fn count_origin(&mut self, origin: DealOrigin) {
        let origins = &mut self.origins;
        if origin.round == 0 {
            origins.drawn = true;
            return;
        }
        origins.deals += 1;
        origins.alone += u32::from(origin.values == 0 && origin.chain.is_none());
        origins.complete += u32::from(origin.values == u32::from(self.table.set().seats));
        origins.values += origin.values;
        origins.signed += origin.signed;
        origins.beacons += u32::from(origin.chain.is_some());
        origins.by_beacon += u32::from(origin.values == 0 && origin.chain.is_some());
        origins.chains.extend(origin.chain.filter(|chain| !origins.chains.contains(chain)));
    }

    /// Returns the origin of the deals, and leaves none.
    pub(in super::super) fn origins(&mut self) -> DealOrigins {
        core::mem::take(&mut self.origins)
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
                let detail =
                    String::from("the signature is not that of the seat's key over its contribution");
                let finding = place.finding(FindingKind::Signature, detail);
                let round = Some(self.table.round_number());
                tally.find(Finding { round, seat: Some(seat), ..finding });
            }
        }
        signed
    }
}
