//! The cards that a meld receives in a way out.

use super::super::MeldSlot;
use crate::facts::InitialPart;
use crate::rules::RuleSet;

/// The cards that one meld receives, by number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filling {
    pub spot: MeldSlot,
    pub naturals: u8,
    pub wilds: u8,
}

impl Filling {
    /// Returns the meld with these cards.
    pub(crate) fn grown(&self) -> MeldSlot {
        let MeldSlot { naturals, wilds, .. } = self.spot;
        MeldSlot { naturals: naturals + self.naturals, wilds: wilds + self.wilds, ..self.spot }
    }

    /// Returns the cards that are added, as they count for an initial batch; `None` if there are none.
    pub(super) fn part(&self) -> Option<InitialPart> {
        let part = InitialPart { kind: self.spot.kind, naturals: self.naturals, wilds: self.wilds };
        (self.naturals + self.wilds > 0).then_some(part)
    }

    /// Whether these cards, with loose ones that lie there, are content that an initial batch may have to have.
    pub(crate) fn is_content(&self, set: &RuleSet) -> bool {
        let (spot, mut part) = (&self.spot, (self.naturals, self.wilds));
        if spot.taken.is_none() {
            part = (part.0 + spot.naturals - spot.base.0, part.1 + spot.wilds - spot.base.1);
        }
        let (naturals, wilds) = part;
        naturals + wilds > 0 && InitialPart { kind: spot.kind, naturals, wilds }.is_content(set)
    }
}
