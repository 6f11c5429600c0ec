//! ALG-15: the exact search for a way to go out now, within the [nodes](crate::nodes) of one question.
//!
//! Every card except the final discard must be laid. Naturals and black threes can only go to their own rank. So the
//! search is over the final discard and over the distribution of the wild cards; where there are sequences, also over
//! the cards that they take from the ranks.

use crate::action::{CardList, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::event::Grade;
use crate::facts::{self, picked_up_count};
use crate::rules::{
    BlackThreeMeld, DiscardThrees, FinalDiscard, InitialCount, MeldsPerRank, OppCanastaRank, RuleSet, Rules,
};
use crate::seat::Side;
use crate::sequence::Sequence;
use crate::table::{Loose, Meld, Table, grade};
use alloc::vec::Vec;
use smallvec::SmallVec;

mod bounds;
mod classes;
mod find;
mod prospects;
mod search;

pub(crate) use find::{WayOutAnswer, exists, is_ruled_out, search, ways, with_take};
pub(crate) use search::FoundWay;

/// A hand to be emptied, and the own melds that its cards can go to.
pub(crate) struct Reach<'a> {
    rules: &'a Rules,
    set: &'a RuleSet,
    hand: Cards,
    melds: SmallVec<[MeldSlot; 12]>,
    /// A bit for every rank in which no new meld may be begun.
    closed: u16,
    /// Whether going out is refused: by a mate, for a first hand still to be played, or for lack of a required discard.
    refused: bool,
    /// Whether no card may be left for a discard.
    lay_all: bool,
    /// The points that must be laid: the minimum if no exemption lifts it, else 0.
    required: i32,
    /// Whether the cards are the initial batch of the side.
    initial: bool,
}

/// An own meld, or one that the batch begins.
#[derive(Clone, Copy, Debug)]
struct MeldSlot {
    kind: MeldKind,
    rank: Option<Rank>,
    naturals: u8,
    wilds: u8,
    /// The numbers of naturals and wilds that lay there before the cards that are still to be judged together: those of
    /// the batch, or of the turn where laid cards may return (ALG-07).
    base: (u8, u8),
    /// The size with the top of a take and the cards that entitle to the pile, and the wilds among these. All other
    /// wilds are laid after them (clarification 29).
    taken: Option<(u8, u8)>,
    /// The number of jokers in a wild meld.
    jokers: u8,
    /// The sequence that lies there; `None` for other kinds.
    sequence: Option<Sequence>,
    /// Index into the state's melds; `None`: a new meld.
    at: Option<u8>,
}

/// One way to lay all cards except the final discard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WayOut {
    /// Index of the target (`None`: a new meld), kind and cards of each group.
    pub groups: Vec<(Option<u8>, MeldKind, CardList)>,
}

impl WayOut {
    /// Returns the groups as an action names them.
    pub(crate) fn groups(&self, table: &Table) -> Groups {
        let onto = |at: u8| Onto::Meld { side: None, id: table.melds[usize::from(at)].id };
        let group = |(target, kind, cards): &(Option<u8>, MeldKind, CardList)| {
            let onto = target.map_or(Onto::New, onto);
            Group { kind: *kind, onto, top: false, cards: cards.clone() }
        };
        self.groups.iter().map(group).collect()
    }
}

impl MeldSlot {
    fn of(at: usize, meld: &Meld) -> Self {
        let (naturals, wilds) = facts::content(&meld.cards);
        let sequence = Sequence::of_meld(meld);
        let (at, base, jokers) = (Some(at as u8), (naturals, wilds), meld.cards.count(Card::JOKER));
        Self { kind: meld.kind, rank: meld.rank, naturals, wilds, base, taken: None, jokers, sequence, at }
    }

    fn new(kind: MeldKind, rank: Option<Rank>) -> Self {
        let (naturals, wilds) = (0, 0);
        Self { kind, rank, naturals, wilds, base: (0, 0), taken: None, jokers: 0, sequence: None, at: None }
    }

    /// Whether cards lie there that are still to be judged: as it lies, the meld may not be legal.
    fn is_loose(&self) -> bool {
        self.at.is_some() && self.base != (self.naturals, self.wilds)
    }

    /// Whether nothing lay there before the cards that are still to be judged.
    fn is_new(&self) -> bool {
        self.base == (0, 0)
    }

    fn size(&self) -> u8 {
        self.naturals + self.wilds
    }

    fn is_full(&self, set: &RuleSet) -> bool {
        self.size() >= set.canasta_size
    }

    fn grade(&self, set: &RuleSet) -> Option<Grade> {
        grade(set, self.kind, self.size(), self.wilds)
    }

    /// Adds `cards` to the sequence that lies there, if there is one.
    fn lay_on_sequence(&mut self, cards: &[Card]) {
        let Some(sequence) = self.sequence else { return };
        let all = sequence.cards().chain(cards.iter().copied());
        self.sequence = Sequence::of(&all.collect());
        debug_assert_eq!(self.kind, MeldKind::Sequence);
    }
}

/// A meld as a batch leaves it.
pub(crate) struct Laid<'l> {
    /// Index into the state's melds; `None`: a new meld.
    pub target: Option<u8>,
    pub kind: MeldKind,
    pub rank: Option<Rank>,
    pub naturals: u8,
    pub wilds: u8,
    /// The numbers of naturals and wilds that may not return to the hand.
    pub base: (u8, u8),
    /// The cards that the batch adds.
    pub cards: &'l [Card],
}

impl<'a> Reach<'a> {
    /// Returns the reach of the seat in turn as it stands.
    pub(crate) fn of(table: &'a Table) -> Self {
        Self::with(table, *table.hand(table.turn.seat)).opening(table, 0)
    }

    /// Returns the reach as that of a turn whose melds so far, loose ones and others of so many points, are tested with those to come:
    /// together they are the initial meld of a side that has none.
    pub(crate) fn opening(mut self, table: &Table, laid: i32) -> Self {
        let side = table.side_of(table.turn.seat);
        self.initial = !table.opened(side);
        if self.initial && !facts::exempts_going_out(table) {
            let loose: i32 = table.loose().iter().map(|loose| points_of_loose(table, side, loose)).sum();
            self.required = table.minimum(table.turn.seat) - loose - laid;
        }
        self
    }

    fn with(table: &'a Table, hand: Cards) -> Self {
        let (set, side) = (table.set(), table.side_of(table.turn.seat));
        let own = table.melds.iter().enumerate().filter(|(_, m)| m.side == side);
        let melds = own.map(|(at, m)| {
            let spot = MeldSlot::of(at, m);
            let loose = table.loose_of(m.id).map_or((0, 0), facts::content);
            MeldSlot { base: (spot.naturals - loose.0, spot.wilds - loose.1), ..spot }
        });
        let melds = melds.collect();
        let unfinished = table.turn.no_discard && set.final_discard == FinalDiscard::Required;
        let refused = unfinished
            || facts::refused_by(table).is_some()
            || facts::of_hands(table, table.turn.seat).missing() > 0;
        let closed = match set.opp_canasta_rank {
            OppCanastaRank::Allow => 0,
            OppCanastaRank::NoNewMeld => {
                let closed = Rank::NATURAL.into_iter().filter(|&rank| facts::is_closed(table, side, rank));
                closed.fold(0, |ranks, rank| ranks | 1 << rank.index())
            }
        };
        Self {
            rules: &table.rules,
            set,
            hand,
            melds,
            closed,
            refused,
            lay_all: table.turn.no_discard,
            required: 0,
            initial: false,
        }
    }

    /// Returns the reach after a batch that leaves `rest` in the hand and whose melds then lie as `laid` says.
    pub(crate) fn after<'l>(table: &'a Table, rest: &Cards, laid: impl Iterator<Item = Laid<'l>>) -> Self {
        let mut reach = Self::with(table, *rest);
        for Laid { target, kind, rank, naturals, wilds, base, cards } in laid {
            match reach.melds.iter_mut().find(|s| s.at.is_some() && s.at == target) {
                Some(spot) => {
                    (spot.naturals, spot.wilds, spot.base) = (naturals, wilds, base);
                    // Cards that may still return to the hand lie on the sequence already.
                    let lies = |card: &Card| spot.sequence.is_some_and(|s| s.cards().any(|one| one == *card));
                    let new: CardList = cards.iter().copied().filter(|card| !lies(card)).collect();
                    spot.lay_on_sequence(&new);
                }
                None => {
                    let is_sequence = kind == MeldKind::Sequence;
                    let sequence =
                        is_sequence.then(|| Sequence::of(&cards.iter().copied().collect())).flatten();
                    reach.melds.push(MeldSlot {
                        naturals,
                        wilds,
                        base,
                        sequence,
                        ..MeldSlot::new(kind, rank)
                    });
                }
            }
        }
        reach
    }

    /// Returns the reach for a take of the top alone onto the meld at `at`, which lays the rest of the hand too.
    pub(crate) fn after_top(table: &'a Table, at: u8) -> Self {
        let mut reach = Self::of(table);
        if let Some(spot) = reach.melds.iter_mut().find(|s| s.at == Some(at)) {
            spot.naturals += 1;
            spot.taken = (spot.kind == MeldKind::Set).then(|| (spot.size(), 0));
            spot.lay_on_sequence(&table.pile[table.pile.len() - 1..]);
        }
        reach.lay_all = true;
        reach
    }

    /// Returns the reach for a take, `onto` an id or NEW, whose other groups empty the hand as far as the pile's cards
    /// allow; `None` if two or more cards come to the hand, since no group of the take can name them.
    fn after_take(table: &'a Table, take: &TakePile, top: Card) -> Option<Self> {
        let picked = picked_up_count(table);
        if picked >= 2 {
            return None;
        }
        let mut reach = Self::of(table);
        let (side, (kind, rank)) = (table.side_of(table.turn.seat), facts::top_meld(top));
        for &card in &take.with {
            reach.hand.remove(card);
        }
        let at = match take.onto {
            Onto::Meld { id, .. } => table.melds.iter().position(|m| m.side == side && m.id == id),
            _ => None,
        };
        let spot = at.and_then(|at| reach.melds.iter_mut().find(|s| s.at == Some(at as u8)));
        let named = || take.with.iter().chain([&top]);
        let wilds = named().filter(|c| c.is_wild()).count() as u8;
        let naturals = take.with.len() as u8 + 1 - wilds;
        let jokers = named().filter(|&&c| c == Card::JOKER).count() as u8;
        if reach.required > 0 {
            let bare = facts::is_bare(table.set(), take.with.len());
            let with = if bare { 0 } else { facts::points(table, rank, &take.with) };
            let counts_top = table.set().initial_count == InitialCount::WithTop;
            reach.required -= with + if counts_top { table.rules.card_points(top) } else { 0 };
        }
        let meld = at.map(|at| &table.melds[at]).filter(|meld| meld.kind == kind);
        let taken = kind == MeldKind::Set;
        let taken = taken.then(|| facts::first_laid(table, side, meld, naturals.saturating_sub(1), wilds));
        let size = meld.map_or(0, |meld| meld.len() as u8);
        let taken = taken.map(|first| (size + first.0 + first.1, first.1));
        match spot {
            Some(spot) => {
                spot.naturals += naturals;
                spot.wilds += wilds;
                spot.jokers += jokers;
                spot.taken = taken.filter(|_| spot.kind == kind);
                spot.lay_on_sequence(&[top]);
            }
            None => {
                reach.melds.push(MeldSlot { naturals, wilds, taken, jokers, ..MeldSlot::new(kind, rank) });
            }
        }
        reach.lay_all = picked == 1;
        Some(reach)
    }

    /// Returns the cards that may be kept for the final discard: one per rank (with sequences each card), one per
    /// colour of threes, and `None` for going out without a discard. If a natural can be laid nowhere, no other card is
    /// kept.
    fn discards(&self) -> SmallVec<[Option<Card>; 16]> {
        let mut discards = SmallVec::new();
        if self.lay_all || self.set.final_discard == FinalDiscard::Optional {
            discards.push(None);
        }
        if !self.lay_all {
            let by_suit = |rank: Rank| self.set.sequences && rank.is_natural();
            for rank in Rank::ALL {
                if rank == Rank::Three {
                    discards.extend(self.hand.lowest_of(Class::BlackThree).map(Some));
                    if matches!(self.set.discard_threes, DiscardThrees::Any | DiscardThrees::FinalOnly) {
                        discards.extend(self.hand.lowest_of(Class::RedThree).map(Some));
                    }
                } else if by_suit(rank) {
                    let of_rank = self.hand.held() & Rank::kinds_of(1 << rank.index());
                    discards.extend(Card::of_kinds(of_rank).map(Some));
                } else if let Some(card) = self.hand.lowest(rank) {
                    discards.push(Some(card));
                }
            }
        }
        let stranded = self.stranded(&self.hand, &self.bounds(&self.hand));
        if stranded != 0 {
            discards.retain(|discard: &mut Option<Card>| {
                discard.is_some_and(|card| stranded >> card.kind() & 1 != 0)
            });
        }
        discards
    }

    /// Whether only taking back helps: a second loose meld of a rank lies there, or one of wilds where there are none.
    fn has_twins(&self) -> bool {
        let single = |kind| match kind {
            MeldKind::Sequence => false,
            MeldKind::BlackThrees => true,
            MeldKind::Set | MeldKind::Wild => self.set.melds_per_rank == MeldsPerRank::One,
        };
        let alike = |a: &MeldSlot, b: &MeldSlot| single(a.kind) && a.kind == b.kind && a.rank == b.rank;
        let bad = |(i, spot): (usize, &MeldSlot)| {
            let twin = self.melds[..i].iter().any(|other| alike(other, spot));
            spot.is_loose() && (twin || spot.kind == MeldKind::Wild && !self.set.wild_melds)
        };
        self.melds.iter().enumerate().any(bad)
    }

    /// Whether black threes lie there already, so that nothing else is melded (HN-033).
    fn is_closed_by_threes(&self) -> bool {
        let last = self.set.black_three_meld == BlackThreeMeld::GoingOutLast;
        last && self.melds.iter().any(|s| s.kind == MeldKind::BlackThrees)
    }
}

/// Returns the points of the loose cards of a meld of `side` towards the minimum.
pub(crate) fn points_of_loose(table: &Table, side: Side, loose: &Loose) -> i32 {
    let cards: CardList = loose.cards.iter().collect();
    facts::points(table, table.meld(side, loose.meld).and_then(|meld| meld.rank), &cards)
}
