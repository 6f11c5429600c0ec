//! A quick look that rules out going out, in front of the search.

use super::Lister;
use crate::action::MeldKind;
use crate::card::{Card, Cards, Rank};
use crate::rules::{MeldsPerRank, RuleSet};
use crate::sequence::{kinds_at, places_of_kinds, runs_of};
use crate::table::Meld;

impl Lister<'_> {
    /// Whether a quick look at the ranks rules out that the seat in turn goes out now, by a take with this top if there
    /// is one. The search rules out all of these, with more effort:
    ///
    /// - A second hand is still to be played.
    /// - Two cards can neither be laid nor both be discarded.
    /// - There are more pairs than wilds to make them sets.
    /// - The canastas are out of reach.
    pub(super) fn is_far_from_out(&self, top: Option<Card>) -> bool {
        let (set, hand) = (self.set, self.hand);
        if !self.table.foot(self.seat).is_empty() {
            return true;
        }
        if set.min_naturals < 2 {
            return false;
        }
        let (wilds, pairs) = (self.wilds.len(), hand.ranks_with(2));
        let lone = hand.ranks_with(1) & !pairs;
        let bit = |rank: Option<Rank>| rank.map_or(0, |rank| 1u16 << rank.index());
        let mut melded = bit(top.map(Card::rank));
        // The cards of which sequences could consist: those of the hand, and those of open sequences.
        let mut kinds = hand.held() | top.map_or(0, |top| 1 << top.kind());
        let mut lies_black = false;
        for meld in self.table.melds_of(self.side) {
            melded |= bit(meld.rank);
            lies_black |= meld.kind == MeldKind::BlackThrees;
            if meld.kind == MeldKind::Sequence && meld.len() < set.sequence_max.into() {
                kinds |= meld.cards.held();
            }
        }
        let (sequenced, is_long) = if set.sequences { sequenced(set, hand, kinds) } else { (0, false) };
        let unmelded = |ranks: u16| ranks & Rank::NATURALS & !melded & !sequenced;
        let threes = hand.black_threes();
        let threes = if threes >= set.meld_min || lies_black { 0 } else { threes } + hand.red_threes();
        if threes > 1 || has_more(unmelded(lone), 1 - threes) {
            return true;
        }
        if set.meld_min > 2 && has_more(unmelded(pairs & !hand.ranks_with(3)), wilds) {
            return true;
        }
        // The wilds, and the top, could all go to one meld.
        let spare = wilds + u8::from(top.is_some());
        let may_be_whole = |meld: &&Meld| match meld.kind {
            MeldKind::Set | MeldKind::Wild => {
                let held = meld.rank.map_or(0, |rank| self.held(rank));
                meld.len() as u8 + held + spare >= set.canasta_size
            }
            MeldKind::Sequence => meld.len() >= set.sequence_max.into(),
            MeldKind::BlackThrees => false,
        };
        let canastas = self.table.melds_of(self.side).filter(may_be_whole).count();
        let many =
            if set.melds_per_rank == MeldsPerRank::One { !melded | bit(top.map(Card::rank)) } else { !0 };
        let begins = is_long
            || hand.ranks_with(set.canasta_size.saturating_sub(spare).max(1)) & Rank::NATURALS & many != 0
            || spare >= set.canasta_size;
        !begins && canastas < set.go_out_total.into()
    }
}

/// Whether there are more ranks than `most`, which is mostly small. Many processors count bits only step by step.
fn has_more(mut ranks: u16, most: u8) -> bool {
    for _ in 0..most {
        if ranks == 0 {
            return false;
        }
        ranks &= ranks - 1;
    }
    ranks != 0
}

/// Returns the ranks of which a sequence of these kinds could take a card of the hand, as bits, and whether there is
/// a run as long as the longest sequence.
pub(super) fn sequenced(set: &RuleSet, hand: &Cards, kinds: u64) -> (u16, bool) {
    let runs = runs_of(places_of_kinds(kinds), set.meld_min);
    if runs == 0 {
        return (0, false);
    }
    (Rank::of_kinds(kinds_at(runs) & hand.held()), runs_of(runs, set.sequence_max) != 0)
}
