//! Quick bounds on what a hand can reach.

use super::{MeldSlot, Reach};
use crate::action::MeldKind;
use crate::card::{Card, Cards, Rank};
use crate::facts;
use crate::rules::{MeldsPerRank, RuleSet};
use crate::sequence::{PLACES, SUIT_BITS, Sequence, card_at, kinds_at, places_of_kinds, runs_of};
use crate::table::Canastas;

impl Reach<'_> {
    /// Whether a quick bound rules out going out, as for most hands: going out is refused, or the hand cannot be laid.
    pub(super) fn hopeless(&self) -> bool {
        self.refused || self.has_twins() || self.cannot_lay(&self.hand, u8::from(!self.lay_all))
    }

    /// Whether the canastas that lie there suffice to go out. Sequences are counted where they are laid, and open melds
    /// where they are filled.
    pub(super) fn has_canastas(&self) -> bool {
        let set = self.set;
        let mut lying = Canastas::default();
        self.melds.iter().for_each(|spot| lying.count(set, spot.rank, spot.wilds, spot.grade(set)));
        facts::suffices(set, Canastas { sequence: set.go_out_sequence, barring: 0, ..lying })
    }

    /// Returns the kinds of naturals in `hand` that neither a set nor a sequence can take, as bits.
    pub(super) fn stranded(&self, hand: &Cards, bounds: &Bounds) -> u64 {
        let sets = hand.ranks_with(self.set.min_naturals.max(1)) & !self.closed | self.melded();
        hand.held() & Rank::kinds_of(Rank::NATURALS & !sets) & !bounds.usable
    }

    /// Returns a bit for each rank of an own meld.
    fn melded(&self) -> u16 {
        self.melds.iter().fold(0, |melded, spot| melded | spot.rank.map_or(0, |rank| 1 << rank.index()))
    }

    pub(super) fn bounds(&self, hand: &Cards) -> Bounds {
        if self.set.sequences { Bounds::of(self.set, hand, &self.melds) } else { Bounds::default() }
    }

    /// Whether a quick bound rules out that all of `hand` except `kept` cards, at most one, are laid: too many cards that
    /// can neither be laid nor kept, too few wilds for the pairs, or canastas out of reach. Without sequences, the search
    /// for one final discard is as quick.
    pub(super) fn cannot_lay(&self, hand: &Cards, kept: u8) -> bool {
        let set = self.set;
        let counts = hand.rank_counts();
        let wilds = counts[Rank::Two.index()] + counts[Rank::Joker.index()];
        let black = self.melds.iter().any(|spot| spot.kind == MeldKind::BlackThrees);
        let (melded, bounds) = (self.melded(), self.bounds(hand));
        let threes = hand.black_threes();
        let (mut stranded, mut wanted) = (if black || threes >= set.meld_min { 0 } else { threes }, 0);
        // A red three leaves the hand as the final discard or not at all.
        stranded += hand.red_threes();
        let useless = self.stranded(hand, &bounds);
        stranded += Card::of_kinds(useless).map(|card| hand.count(card)).sum::<u8>();
        // The ranks of which no sequence takes a card.
        let sets = hand.ranks_with(set.min_naturals.max(1)) & Rank::NATURALS & !melded & !self.closed;
        let bare = sets & !Rank::of_kinds(hand.held() & bounds.usable);
        // The wilds that the only card of a rank asks for: this card may be the final discard instead.
        let mut spared = 0;
        for held in set.min_naturals.max(1)..set.meld_min {
            let ranks = bare & hand.ranks_with(held) & !hand.ranks_with(held + 1);
            let short = set.meld_min - held;
            wanted += ranks.count_ones() as u8 * short;
            spared = spared.max(if held == 1 && ranks != 0 { short } else { 0 });
        }
        if stranded < kept {
            wanted -= spared;
        }
        if stranded > kept || wanted > wilds {
            return true;
        }
        let begun = if set.melds_per_rank == MeldsPerRank::One { melded } else { 0 };
        let Bounds { complete, .. } = bounds;
        let whole = Canastas { total: complete, clean: complete, sequence: complete, ..Canastas::default() };
        !may_suffice(set, whole, &self.melds, &counts, wilds, begun)
    }
}

/// Whether the canastas `reach`, together with those of sets and wilds that these melds and new ones can become, may
/// suffice to go out. `held` are the naturals by rank. `begun` has a bit for each rank in which no meld may be begun.
pub(super) fn may_suffice<'m>(
    set: &RuleSet,
    mut reach: Canastas,
    melds: impl IntoIterator<Item = &'m MeldSlot>,
    held: &[u8; 14],
    wilds: u8,
    begun: u16,
) -> bool {
    for meld in melds {
        let naturals = meld.rank.map_or(0, |rank| held[rank.index()]);
        let is_wild = meld.kind == MeldKind::Wild;
        let full = |added: u8| {
            matches!(meld.kind, MeldKind::Set | MeldKind::Wild) && meld.size() + added >= set.canasta_size
        };
        reach.total = reach.total.saturating_add(u8::from(full(naturals + wilds)));
        reach.clean += u8::from(!is_wild && meld.wilds == 0 && full(naturals));
        reach.wild += u8::from(is_wild && full(wilds));
        let may_be_mixed = meld.kind == MeldKind::Set && meld.wilds + wilds > 0;
        reach.mixed = reach.mixed.saturating_add(u8::from(may_be_mixed && full(naturals + wilds)));
        let rank = meld.rank.filter(|_| full(naturals + wilds));
        reach.ranks |= rank.map_or(0, |rank| 1 << rank.index());
    }
    if facts::suffices(set, reach) {
        return true;
    }
    for rank in Rank::NATURAL {
        let naturals = held[rank.index()];
        let may_be_full = naturals > 0 && naturals + wilds >= set.canasta_size;
        if may_be_full && begun & (1 << rank.index()) == 0 {
            // Of very short canastas a whole deck holds more than 255.
            let most = (naturals + wilds) / set.canasta_size;
            reach.total = reach.total.saturating_add(most);
            reach.mixed = reach.mixed.saturating_add(most.min(wilds));
            reach.ranks |= 1 << rank.index();
            reach.clean += naturals / set.canasta_size;
        }
    }
    if set.wild_melds {
        reach.total = reach.total.saturating_add(wilds / set.canasta_size);
        reach.wild += wilds / set.canasta_size;
    }
    facts::suffices(set, reach)
}

/// The cards that sequences can use at most; none where the rule set has no sequences.
#[derive(Default)]
pub(super) struct Bounds {
    /// A bit for every kind that a sequence could use: kinds that are held, or laid in an own open sequence, and lie in a
    /// run of at least `meld_min`.
    usable: u64,
    /// The maximum number of complete sequences.
    complete: u8,
}

impl Bounds {
    fn of(set: &RuleSet, hand: &Cards, melds: &[MeldSlot]) -> Self {
        let mut places = places_of_kinds(hand.held());
        let own = || melds.iter().filter_map(|spot| spot.sequence);
        let bit = |own: &Sequence| 1u64 << (SUIT_BITS * own.suit + own.low);
        for open in own().filter(|own| own.len < set.sequence_max) {
            places |= ((1 << open.len) - 1) * bit(&open);
        }
        let runs = runs_of(places, set.meld_min);
        let long = runs_of(runs, set.sequence_max);
        let whole = |own: &Sequence| own.len >= set.sequence_max || long & bit(own) != 0;
        let mut complete = own().filter(whole).count() as u8;
        for suit in (0..4).filter(|suit| long >> (SUIT_BITS * suit) & u64::from(u16::MAX) != 0) {
            let cards: u8 = (0..PLACES).map(|place| hand.count(card_at(suit, place))).sum();
            complete += cards / set.sequence_max;
        }
        let usable = kinds_at(runs);
        Self { usable, complete }
    }
}
