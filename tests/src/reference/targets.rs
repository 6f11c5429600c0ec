//! The melds that the groups of a batch may go to.

use super::counts::{self, Counts, KINDS};
use super::facts;
use canasta_engine::action::MeldKind;
use canasta_engine::card::{Card, Cards, Class, Rank};
use canasta_engine::rules::{BlackThreeMeld, MeldsPerRank, RuleSet};
use canasta_engine::seat::Side;
use canasta_engine::sequence::{PLACES, Sequence, card_at};
use canasta_engine::table::{Meld, Table};

/// A meld that a group may go to.
#[derive(Clone, Copy)]
pub struct Target {
    /// Index into the state's melds; `None`: a new meld.
    pub at: Option<u8>,
    pub kind: MeldKind,
    pub rank: Option<Rank>,
    /// The numbers of naturals and wilds that lie there.
    pub old: (u8, u8),
    /// The sequence that lies there; for a new sequence, one of length 0 at its low end.
    pub sequence: Option<Sequence>,
    /// Whether the top goes here, so that the group is `with`.
    pub top: bool,
    /// Whether a batch may begin several melds of this kind and rank.
    pub repeats: bool,
}

/// The indices of the counts of a sequence: cards above those that lie there, and cards below.
pub const ABOVE: usize = 0;
pub const BELOW: usize = 1;

impl Target {
    pub fn meld(kind: MeldKind, rank: Option<Rank>, repeats: bool) -> Self {
        Self { at: None, kind, rank, old: (0, 0), sequence: None, top: false, repeats }
    }

    /// Returns the target with the top at one end of its sequence, or `None` if the top does not go there.
    pub fn with(self, top: Option<Card>) -> Option<Self> {
        let sequence = self.sequence.filter(|sequence| sequence.len > 0)?.with(top?)?;
        Some(Self { sequence: Some(sequence), ..self })
    }

    /// Returns the card that a group holds as number `n`, from 0, of the kind at `place`.
    pub fn card(&self, place: usize, n: u8) -> Option<Card> {
        match (self.sequence, place) {
            (None, _) => counts::card_at(place, counts::rank_of(self.kind, self.rank)),
            (Some(sequence), ABOVE) => Some(card_at(sequence.suit, facts::end(sequence) + n)),
            (Some(sequence), BELOW) => Some(card_at(sequence.suit, sequence.low - 1 - n)),
            _ => None,
        }
    }

    /// Returns the cards of a group with these counts.
    pub fn cards<'c>(self, counts: &'c Counts) -> impl Iterator<Item = Card> + 'c {
        let of_place = move |(place, &count)| (0..count).filter_map(move |n| self.card(place, n));
        counts.iter().enumerate().flat_map(of_place)
    }

    /// Returns the maximum count of each kind in a group of cards from `hand`.
    pub fn limits(&self, hand: &Cards, set: &RuleSet) -> Counts {
        let Some(sequence) = self.sequence else { return limits(self.kind, self.rank, hand) };
        let mut limits = [0; KINDS];
        if !self.top {
            let Sequence { suit, low, len } = sequence;
            let room = set.sequence_max.saturating_sub(len);
            limits[ABOVE] = facts::held_up(hand, suit, facts::end(sequence)).min(room);
            limits[BELOW] = if len == 0 { 0 } else { facts::held_down(hand, suit, low).min(room) };
        }
        limits
    }

    /// Returns a bit for every kind, except wilds, that a group of cards from `hand` could hold.
    pub fn kinds(&self, hand: &Cards, set: &RuleSet) -> u64 {
        let limits = self.limits(hand, set);
        let cards = self.cards(&limits).filter(|card| !card.is_wild());
        cards.fold(0, |kinds, card| kinds | 1 << card.kind())
    }
}

/// Returns every meld that a group of cards from `hand` may go to, in canonical order. If the shape of melds is
/// tested later, any number of melds may be begun.
pub fn targets(table: &Table, side: Side, hand: &Cards, defers: bool, top: Option<Card>) -> Vec<Target> {
    let set = table.set();
    let single = set.melds_per_rank == MeldsPerRank::One && !defers;
    let own = |kind, rank| table.melds_of(side).any(|m| m.kind == kind && m.rank == rank);
    let mut targets: Vec<Target> = Vec::new();
    for (at, meld) in table.melds().iter().enumerate().filter(|(_, m)| m.side == side) {
        targets.push(onto(meld, at));
    }
    for rank in Rank::NATURAL {
        let closed = !defers && facts::is_closed(table, side, rank);
        if !(closed || single && own(MeldKind::Set, Some(rank))) {
            targets.push(Target::meld(MeldKind::Set, Some(rank), !single));
        }
    }
    if (set.wild_melds || defers) && !(single && own(MeldKind::Wild, None)) {
        targets.push(Target::meld(MeldKind::Wild, None, !single));
    }
    if set.sequences {
        let ends = (0..4).flat_map(|suit| (0..PLACES).map(move |low| Sequence { suit, low, len: 0 }));
        let begun = |end| Target { sequence: Some(end), ..Target::meld(MeldKind::Sequence, None, true) };
        targets.extend(ends.map(begun));
    }
    if set.black_three_meld != BlackThreeMeld::Never && (defers || !own(MeldKind::BlackThrees, None)) {
        targets.push(Target::meld(MeldKind::BlackThrees, None, defers));
    }
    let least = if defers { 1 } else { set.min_naturals.max(1) };
    let begins = |rank: Rank| hand.rank_count(rank) >= least;
    // HN-033: nothing else is melded once black threes lie there.
    let last = set.black_three_meld == BlackThreeMeld::GoingOutLast && own(MeldKind::BlackThrees, None);
    targets.retain(|t| !last || t.kind == MeldKind::BlackThrees);
    targets.retain(|t| match (t.rank.filter(|_| t.at.is_none()), t.at, t.sequence) {
        (Some(rank), ..) => begins(rank),
        (None, None, Some(_)) => t.limits(hand, set)[ABOVE] >= if defers { 1 } else { set.meld_min },
        // The top may lengthen the sequence so that cards of the hand fit.
        _ => t.limits(hand, set) != [0; KINDS] || t.with(top).is_some(),
    });
    targets
}

fn onto(meld: &Meld, at: usize) -> Target {
    let wilds = meld.wilds();
    let old = (meld.len() as u8 - wilds, wilds);
    let sequence = Sequence::of_meld(meld);
    Target { at: Some(at as u8), old, sequence, ..Target::meld(meld.kind, meld.rank, false) }
}

/// Returns the melds that the top may go to, in canonical order. A sequence already includes the top.
pub fn top_targets(table: &Table, side: Side, top: Card) -> Vec<Target> {
    let single = table.set().melds_per_rank == MeldsPerRank::One;
    let (kind, rank) = facts::top_meld(top);
    let mut targets: Vec<Target> = Vec::new();
    for (at, meld) in table.melds().iter().enumerate().filter(|(_, m)| m.side == side) {
        let target = Target { top: true, ..onto(meld, at) };
        if meld.kind == kind && meld.rank == rank {
            targets.push(target);
        } else if facts::receives(table, meld, top) {
            let (naturals, _) = target.old;
            let sequence = target.sequence.and_then(|sequence| sequence.with(top));
            targets.push(Target { sequence, old: (naturals + 1, 0), ..target });
        }
    }
    let has_own = targets.iter().any(|t| t.kind == kind);
    if (!has_own || !single) && !rank.is_some_and(|rank| facts::is_closed(table, side, rank)) {
        targets.push(Target { top: true, ..Target::meld(kind, rank, false) });
    }
    targets
}

/// Returns the maximum count of each kind in a group of this kind and rank.
fn limits(kind: MeldKind, rank: Option<Rank>, hand: &Cards) -> Counts {
    let rank = counts::rank_of(kind, rank);
    let fits = |card: Card| match kind {
        MeldKind::Set => card.class() != Class::RedThree,
        MeldKind::Wild => card.is_wild(),
        MeldKind::BlackThrees => card.class() == Class::BlackThree,
        MeldKind::Sequence => false,
    };
    std::array::from_fn(|place| {
        counts::card_at(place, rank).filter(|&card| fits(card)).map_or(0, |card| hand.count(card))
    })
}
