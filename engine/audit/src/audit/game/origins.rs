//! The origin of the deals: the values that went into each, and whether seats signed them.

use super::super::Tally;
use super::super::held::OpenRound;
use super::GameAudit;
use canasta_rules::action::{Action, Deal};

/// The values that went into one deal.
pub(super) struct DealtValues {
    round: u32,
    /// Number of seats' values, and number of those whose commitment is signed.
    values: u32,
    signed: u32,
    chain: Option<[u8; 32]>,
}

impl OpenRound {
    fn deal(&self) -> Option<&Deal> {
        self.rare_actions().find_map(|(_, record)| match &record.action {
            Action::Deal(deal) => Some(&**deal),
            _ => None,
        })
    }

    /// Returns the origin of the round's deal.
    pub(super) fn origin(&self) -> DealtValues {
        let values = self.deal().map_or(&[][..], |deal| &deal.contributions);
        let given = values.iter().zip(self.signed).filter(|(value, _)| value.is_some());
        let (values, signed) = given
            .fold((0, 0), |(values, signed), (_, is_signed)| (values + 1, signed + u32::from(is_signed)));
        let chain = self.register.beacon.map(|beacon| beacon.chain);
        DealtValues { round: self.register.round, values, signed, chain }
    }
}

impl GameAudit {
    /// Counts a deal that was dealt as registered.
    pub(super) fn count_origin(&self, origin: DealtValues, tally: &mut Tally) {
        let origins = &mut tally.report.origins;
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

    /// Counts the values that seats committed to in a register, and those that the deal lacks.
    pub(super) fn count_owed(&self, round: &OpenRound, tally: &mut Tally) {
        let Some(deal) = round.deal().filter(|_| round.register.round > 0) else { return };
        for seat in self.table.seats() {
            let of = |values: &[Option<[u8; 32]>]| values.get(seat.index()).is_some_and(Option::is_some);
            let owed = tally.report.origins.owed.get_mut(usize::from(self.table.player_on(seat)));
            if let (Some(owed), true) = (owed, of(&round.register.seats)) {
                owed.values += 1;
                owed.kept_back += u32::from(!of(&deal.contributions));
            }
        }
    }
}
