//! Quick bounds on what a hand can reach.

use super::{MeldSlot, Reach};
use crate::action::MeldKind;
use crate::card::{Cards, Rank};
use crate::facts;
use crate::rules::{MeldsPerRank, RuleSet};
use crate::sequence::{PLACES, Sequence, card_at, place_of, places_in, runs_of};
use crate::table::Canastas;

impl Reach<'_> {
    /// Whether a quick bound rules out going out, as for most hands: going out is refused, or the hand cannot be laid.
    pub(super) fn hopeless(&self) -> bool {
        self.refused || self.has_twins() || self.cannot_lay(&self.hand, u8::from(!self.lay_all))
    }

    /// Whether a quick bound rules out that all of `hand` except `kept` cards, at most one, are laid: too many cards that
    /// can neither be laid nor kept, too few wilds for the pairs, or canastas out of reach. Without sequences, the search
    /// for one final discard is as quick.
    pub(super) fn cannot_lay(&self, hand: &Cards, kept: u8) -> bool {
        let set = self.set;
        let counts = hand.rank_counts();
        let wilds = counts[Rank::Two.index()] + counts[Rank::Joker.index()];
        let melded = self.melds.iter().filter_map(|spot| spot.rank);
        let melded = melded.fold(0u16, |melded, rank| melded | 1 << rank.index());
        let black = self.melds.iter().any(|spot| spot.kind == MeldKind::BlackThrees);
        let bounds = set.sequences.then(|| Bounds::of(set, hand, &self.melds));
        let threes = hand.black_threes();
        let (mut stranded, mut wanted) = (if black || threes >= set.meld_min { 0 } else { threes }, 0);
        // The wilds that the only card of a rank asks for: this card may be the final discard instead.
        let mut spared = 0;
        // A red three leaves the hand as the final discard or not at all.
        stranded += hand.red_threes();
        let mut ranks = hand.ranks_with(1) & Rank::NATURALS & !melded;
        while let Some(rank) = Rank::from_index(ranks.trailing_zeros() as u8) {
            ranks &= ranks - 1;
            let held = counts[rank.index()];
            let lone = held < set.min_naturals || self.closed & (1 << rank.index()) != 0;
            let bare = bounds.as_ref().map_or(held, |bounds| bounds.unusable(hand, rank));
            if lone {
                stranded += bare;
            } else if bare == held {
                // No sequence takes a card of this rank.
                let short = set.meld_min.saturating_sub(held);
                wanted += short;
                spared = spared.max(if held == 1 { short } else { 0 });
            }
        }
        let begun = if set.melds_per_rank == MeldsPerRank::One { melded } else { 0 };
        let mut reachable = canastas_in_reach(set, &self.melds, &counts, wilds, begun);
        let sequences = bounds.map_or(0, |bounds| bounds.complete);
        reachable.sequence = sequences;
        reachable.total = reachable.total.saturating_add(sequences);
        reachable.clean += sequences;
        if stranded < kept {
            wanted -= spared;
        }
        stranded > kept || wanted > wilds || !facts::suffices(set, reachable)
    }
}

/// Returns an upper bound of the canastas of sets and wilds that these melds and new ones can become. `held` are the
/// naturals by rank. `begun` has a bit for each rank in which no meld may be begun.
pub(super) fn canastas_in_reach<'m>(
    set: &RuleSet,
    melds: impl IntoIterator<Item = &'m MeldSlot>,
    held: &[u8; 14],
    wilds: u8,
    begun: u16,
) -> Canastas {
    let mut reach = Canastas::default();
    for meld in melds {
        let naturals = meld.rank.map_or(0, |rank| held[rank.index()]);
        let is_wild = meld.kind == MeldKind::Wild;
        let full = |added: u8| {
            matches!(meld.kind, MeldKind::Set | MeldKind::Wild) && meld.size() + added >= set.canasta_size
        };
        reach.total += u8::from(full(naturals + wilds));
        reach.clean += u8::from(!is_wild && meld.wilds == 0 && full(naturals));
        reach.wild += u8::from(is_wild && full(wilds));
    }
    for rank in Rank::NATURAL {
        let naturals = held[rank.index()];
        if naturals > 0 && begun & (1 << rank.index()) == 0 {
            // Of very short canastas a whole deck holds more than 255.
            reach.total = reach.total.saturating_add((naturals + wilds) / set.canasta_size);
            reach.clean += naturals / set.canasta_size;
        }
    }
    if set.wild_melds {
        reach.total = reach.total.saturating_add(wilds / set.canasta_size);
        reach.wild += wilds / set.canasta_size;
    }
    reach
}

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
        let mut places: [u16; 4] = core::array::from_fn(|suit| places_in(hand.held(), suit as u8));
        let own = || melds.iter().filter_map(|spot| spot.sequence);
        for open in own().filter(|own| own.len < set.sequence_max) {
            places[usize::from(open.suit)] |= ((1 << open.len) - 1) << open.low;
        }
        let long = places.map(|places| runs_of(places, set.sequence_max));
        let is_long = |own: &Sequence| long[usize::from(own.suit)] & 1 << own.low != 0;
        let whole = |own: &Sequence| own.len >= set.sequence_max || is_long(own);
        let mut complete = own().filter(whole).count() as u8;
        for (suit, _) in (0..4).zip(long).filter(|&(_, long)| long != 0) {
            let cards: u8 = (0..PLACES).map(|place| hand.count(card_at(suit, place))).sum();
            complete += cards / set.sequence_max;
        }
        Self { usable: places.map(|places| runs_of(places, set.meld_min)), complete }
    }

    /// Returns how many cards of a rank in this hand no sequence can use.
    pub(super) fn unusable(&self, hand: &Cards, rank: Rank) -> u8 {
        let place = place_of(rank);
        let bare = |suit: &u8| self.usable[usize::from(*suit)] & 1 << place == 0;
        (0..4).filter(bare).map(|suit| hand.count(card_at(suit, place))).sum()
    }
}
