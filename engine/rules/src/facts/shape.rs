//! The cards that a meld can hold (ALG-08).

use crate::action::MeldKind;
use crate::card::{Cards, Rank};
use crate::rules::{BlackThreeMeld, CanastaAccepts, OppCanastaRank, RankWilds, RuleSet, WildCapScope};
use crate::seat::Side;
use crate::table::{MELDS_MAX, Meld, Table};

/// Returns the maximum number of wilds in a set of `size` cards, or `None` if there is no cap.
#[inline]
pub(crate) fn wild_cap(set: &RuleSet, size: u8) -> Option<u8> {
    if set.max_wilds == 0 {
        return None;
    }
    match set.wild_cap_scope {
        WildCapScope::Always => Some(set.max_wilds),
        WildCapScope::ToCanasta if size <= set.canasta_size => Some(set.max_wilds),
        // CV-007: beyond `canasta_size` cards, only the naturals that the canasta itself needs are required.
        WildCapScope::ToCanasta => Some(size - set.canasta_size.saturating_sub(set.max_wilds)),
    }
}

#[inline]
pub(crate) fn wilds_allowed(set: &RuleSet, size: u8, wilds: u8) -> bool {
    wild_cap(set, size).is_none_or(|cap| wilds <= cap)
}

/// Whether a side has laid black threes that must be its last meld, so that nothing else is melded (HN-033).
pub(crate) fn is_closed_by_threes(table: &Table, side: Side) -> bool {
    table.set().black_three_meld == BlackThreeMeld::GoingOutLast
        && table.melds_of(side).any(|meld| meld.kind == MeldKind::BlackThrees)
}

/// Whether a new set of this many naturals and wilds is a legal meld.
pub(crate) fn is_set(set: &RuleSet, naturals: u8, wilds: u8) -> bool {
    may_grow(set, (0, 0), (naturals, wilds))
}

/// Returns how many of `wilds` find no place in a meld of `size` cards: where canastas accept naturals only, a
/// meld is closed to wilds once it is a canasta. A batch has no order, so its wilds count as laid before its
/// naturals (clarification 2).
#[inline]
pub(crate) fn surplus(set: &RuleSet, size: u8, wilds: u8) -> u8 {
    match set.canasta_accepts {
        CanastaAccepts::All => 0,
        CanastaAccepts::Naturals => wilds.min((size + wilds).saturating_sub(set.canasta_size)),
    }
}

/// Returns the [`surplus`] of a meld on which `first` (naturals, wilds) are laid before all other cards. The
/// other cards follow in any order. `wilds` counts all wilds, those of `first` included.
pub(crate) fn surplus_after(set: &RuleSet, size: u8, first: (u8, u8), wilds: u8) -> u8 {
    surplus(set, size, first.1) + surplus(set, size + first.0 + first.1, wilds.saturating_sub(first.1))
}

/// Whether a set with `old` (naturals, wilds) may receive `added`.
#[inline]
pub fn may_grow(set: &RuleSet, old: (u8, u8), added: (u8, u8)) -> bool {
    let (size, wilds) = (old.0 + old.1 + added.0 + added.1, old.1 + added.1);
    may_overfill(set, old, added)
        && (set.meld_max == 0 || size <= set.meld_max)
        // A meld formed over its cap (AMB-39) may still grow by naturals.
        && (added.1 == 0 || wilds_allowed(set, size, wilds))
}

/// Returns the numbers of wilds, from 0 to `all`, that a set with `old` (naturals, wilds) may receive together with
/// `naturals`: a bit for each number, of which there are fewer than 64.
#[inline(always)]
pub(crate) fn fitting(set: &RuleSet, old: (u8, u8), naturals: u8, all: u8) -> u64 {
    let (size, own) = (old.0 + old.1 + naturals, old.0 + naturals);
    let least = set.meld_min.saturating_sub(size);
    let ratio = set.wild_ratio.most_wilds(own);
    let mut most = all.min(ratio.saturating_sub(old.1));
    if set.canasta_accepts == CanastaAccepts::Naturals {
        most = most.min(set.canasta_size.saturating_sub(old.0 + old.1));
    }
    if set.meld_max > 0 {
        most = most.min(set.meld_max.saturating_sub(size));
    }
    let is_over = set.meld_max > 0 && size > set.meld_max || old.1 > ratio;
    let fitting = match own < set.min_naturals || is_over || least > most {
        true => 0,
        false if most == 0 => 1,
        false => up_to(most) & (!0 << least) & (1 | within_cap(set, size, old.1)),
    };
    debug_assert!(
        (0..=all).all(|wilds| fitting >> wilds & 1 == u64::from(may_grow(set, old, (naturals, wilds)))),
        "{old:?} {naturals} {fitting:b}"
    );
    fitting
}

/// Returns the numbers of wilds that the cap lets a set of `size` cards, `wilds` of them wild, receive, as bits.
fn within_cap(set: &RuleSet, size: u8, wilds: u8) -> u64 {
    if set.max_wilds == 0 {
        return !0;
    }
    let few = set.max_wilds.checked_sub(wilds).map_or(0, up_to);
    if set.wild_cap_scope == WildCapScope::Always {
        return few;
    }
    // CV-007: the naturals that the canasta needs decide about all numbers of wilds that make the set longer than it.
    let short = set.canasta_size.checked_sub(size).map_or(0, up_to);
    let is_free = size >= wilds + set.canasta_size.saturating_sub(set.max_wilds);
    few & short | if is_free { !short } else { 0 }
}

/// Returns a bit for each number up to this one.
pub(crate) fn up_to(number: u8) -> u64 {
    !0 >> (63 - number.min(63))
}

/// Whether a set with `old` (naturals, wilds) may receive `added` in a batch that goes out free of the limits
/// on size and wilds (US-003).
#[inline]
pub(crate) fn may_overfill(set: &RuleSet, old: (u8, u8), added: (u8, u8)) -> bool {
    let closed = surplus(set, old.0 + old.1, added.1) > 0;
    let (naturals, wilds) = (old.0 + added.0, old.1 + added.1);
    !closed
        && naturals + wilds >= set.meld_min
        && naturals >= set.min_naturals
        && wilds <= set.wild_ratio.most_wilds(naturals)
}

/// Whether a set of `rank` may receive wilds (ALG-11). A rank that takes wilds only from the beginning takes
/// the first ones in the initial batch alone; a set that has wilds already was begun mixed.
pub(crate) fn rank_takes_wilds(
    set: &RuleSet,
    rank: Option<Rank>,
    old_wilds: u8,
    begins_initial: bool,
) -> bool {
    match rank.and_then(|rank| set.rank_wilds.get(rank)) {
        None => true,
        Some(RankWilds::Never) => false,
        Some(RankWilds::InitialOnly) => old_wilds > 0 || begins_initial,
    }
}

/// Whether `side` may begin no meld of `rank`, because opponents own a canasta of this rank (MV-005).
pub(crate) fn is_closed(table: &Table, side: Side, rank: Rank) -> bool {
    let set = table.set();
    let theirs = |m: &Meld| m.side != side && m.rank == Some(rank) && m.grade(set).is_some();
    set.opp_canasta_rank != OppCanastaRank::Allow && table.melds.iter().any(theirs)
}

/// Whether `side` may begin `begun` more melds. A table has at most [`MELDS_MAX`] melds. Ids end at 127 and are not
/// used again, so that a seat cannot lay and take back cards forever.
pub(crate) fn has_ids(table: &Table, side: Side, begun: usize) -> bool {
    let next = usize::from(table.round.next_id[side.index()]);
    next.max(table.melds.len()) + begun <= MELDS_MAX
}

/// Returns the number of naturals (or black threes) and of wilds.
pub(crate) fn content(cards: &Cards) -> (u8, u8) {
    let wilds = cards.wilds();
    (cards.len() as u8 - wilds, wilds)
}
