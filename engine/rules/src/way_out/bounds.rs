//! Quick bounds on what sequences can do for a hand.

use super::MeldSlot;
use crate::card::{Cards, Rank};
use crate::rules::RuleSet;
use crate::sequence::{PLACES, Sequence, card_at, place_of, places_in, runs_of};

/// The cards that sequences can use at most.
pub(super) struct Bounds {
    /// By suit, a bit for every place that a sequence could use: places that are held, or laid in an own open
    /// sequence, and lie in a run of at least `meld_min`.
    usable: [u16; 4],
    /// The maximum number of complete sequences.
    pub complete: u8,
}

impl Bounds {
    pub(super) fn of(set: &RuleSet, hand: &Cards, melds: &[MeldSlot]) -> Self {
        let mut bounds = Self { usable: [0; 4], complete: 0 };
        for suit in 0..4 {
            let mut places = places_in(hand.held(), suit);
            let own = || melds.iter().filter_map(|spot| spot.sequence).filter(|s| s.suit == suit);
            let open = own().filter(|s| s.len < set.sequence_max);
            places = open.fold(places, |places, s| places | ((1 << s.len) - 1) << s.low);
            bounds.usable[usize::from(suit)] = runs_of(places, set.meld_min);
            let long = runs_of(places, set.sequence_max);
            let whole = |s: &Sequence| s.len >= set.sequence_max || long & 1 << s.low != 0;
            bounds.complete += own().filter(whole).count() as u8;
            if long != 0 {
                let cards: u8 = (0..PLACES).map(|place| hand.count(card_at(suit, place))).sum();
                bounds.complete += cards / set.sequence_max;
            }
        }
        bounds
    }

    /// Returns how many cards of a rank in this hand no sequence can use.
    pub(super) fn unusable(&self, hand: &Cards, rank: Rank) -> u8 {
        let place = place_of(rank);
        let bare = |suit: &u8| self.usable[usize::from(*suit)] & 1 << place == 0;
        (0..4).filter(bare).map(|suit| hand.count(card_at(suit, place))).sum()
    }
}
