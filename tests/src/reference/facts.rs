//! Facts that keep the search for batches short. They leave out only what `check` refuses.

use canasta_engine::action::MeldKind;
use canasta_engine::card::{Card, Cards, Class, Rank};
use canasta_engine::rules::{
    CanastaAccepts, InitialContent, OppCanastaRank, RankWilds, RuleSet, TakeLayoff, WildRatio,
};
use canasta_engine::seat::Side;
use canasta_engine::sequence::{PLACES, Sequence, card_at};
use canasta_engine::table::{MELDS_MAX, Meld, Phase, Table};

/// Returns a bit for each kind of a class.
pub fn kinds_of(class: Class) -> u64 {
    Card::all().filter(|card| card.class() == class).fold(0, |kinds, card| kinds | 1 << card.kind())
}

/// Whether `side` may begin no meld of `rank`, because opponents own a canasta of this rank (MV-005).
pub fn is_closed(table: &Table, side: Side, rank: Rank) -> bool {
    let set = table.set();
    let theirs = |m: &Meld| m.side != side && m.rank == Some(rank) && m.grade(set).is_some();
    set.opp_canasta_rank != OppCanastaRank::Allow && table.melds().iter().any(theirs)
}

/// Whether `side` may begin `begun` more melds.
pub fn has_ids(table: &Table, side: Side, begun: usize) -> bool {
    let next = usize::from(table.round().next_id[side.index()]);
    next.max(table.melds().len()) + begun <= MELDS_MAX
}

/// Returns how many of `wilds` find no place in a meld of `size` cards.
pub fn surplus(set: &RuleSet, size: u8, wilds: u8) -> u8 {
    match set.canasta_accepts {
        CanastaAccepts::All => 0,
        CanastaAccepts::Naturals => wilds.min((size + wilds).saturating_sub(set.canasta_size)),
    }
}

/// Whether a set with `old` (naturals, wilds) may receive `added` in a batch that goes out (US-003).
pub fn may_overfill(set: &RuleSet, old: (u8, u8), added: (u8, u8)) -> bool {
    let closed = surplus(set, old.0 + old.1, added.1) > 0;
    let (naturals, wilds) = (old.0 + added.0, old.1 + added.1);
    !closed
        && naturals + wilds >= set.meld_min
        && naturals >= set.min_naturals
        && match set.wild_ratio {
            WildRatio::Off => true,
            WildRatio::NotAboveNaturals => wilds <= naturals,
            WildRatio::BelowNaturals => wilds < naturals,
        }
}

/// Whether a set of `rank` may receive wilds (ALG-11).
pub fn rank_takes_wilds(set: &RuleSet, rank: Option<Rank>, old_wilds: u8, begins_initial: bool) -> bool {
    match rank.and_then(|rank| set.rank_wilds.get(rank)) {
        None => true,
        Some(RankWilds::Never) => false,
        Some(RankWilds::InitialOnly) => old_wilds > 0 || begins_initial,
    }
}

/// Whether a meld is one that the initial batch must contain (MA-095, HF-066).
pub fn is_content(set: &RuleSet, kind: MeldKind, naturals: u8, wilds: u8) -> bool {
    match set.initial_content {
        InitialContent::None => true,
        _ if kind == MeldKind::Wild => wilds >= set.meld_min,
        InitialContent::TripleOrWild => kind == MeldKind::Set && naturals >= 3,
        InitialContent::CleanOrWild => wilds == 0,
    }
}

/// Whether it can matter if further cards for the meld that receives the top alone stand in `with` or in a group of
/// their own.
pub fn splits(table: &Table) -> bool {
    let set = table.set();
    let limited =
        set.take_result_max > 0 || set.meld_max > 0 || set.canasta_accepts == CanastaAccepts::Naturals;
    limited && set.take_layoff != TakeLayoff::Never && table.phase() == Phase::Start
}

/// Returns kind and rank of the meld that a top goes to.
pub fn top_meld(top: Card) -> (MeldKind, Option<Rank>) {
    if top.is_wild() { (MeldKind::Wild, None) } else { (MeldKind::Set, Some(top.rank())) }
}

/// Whether the meld is a sequence that the top alone may lengthen (SA-043).
pub fn receives(table: &Table, meld: &Meld, top: Card) -> bool {
    let set = table.set();
    let may = table.frozen(meld.side).is_empty() && set.take_layoff != TakeLayoff::Never;
    let fits = |sequence: Sequence| sequence.len < set.sequence_max && sequence.with(top).is_some();
    may && Sequence::of_meld(meld).is_some_and(fits)
}

/// Returns the place above the highest card of a sequence.
pub fn end(sequence: Sequence) -> u8 {
    sequence.low + sequence.len
}

/// Returns how many consecutive cards of `suit` are held from place `from` upwards.
pub fn held_up(hand: &Cards, suit: u8, from: u8) -> u8 {
    (from..PLACES).take_while(|&place| hand.count(card_at(suit, place)) > 0).count() as u8
}

/// Returns how many consecutive cards of `suit` are held downwards, from the place just below `below`.
pub fn held_down(hand: &Cards, suit: u8, below: u8) -> u8 {
    (0..below).rev().take_while(|&place| hand.count(card_at(suit, place)) > 0).count() as u8
}
