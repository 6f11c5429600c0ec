//! Encoding and decoding of an action as decisions: its kind, then its fields, in contexts of the position.
//!
//! Usual values are asked for first, so that they cost little; every possible value can be encoded. An encoder
//! receives the action, a decoder returns it.

use super::error::Fault;
use super::model::{CodedColumn, Node, join};
use super::scene::{Scene, class, log2};
use alloc::vec::Vec;
use canasta_log::action::GROUPS_MAX;
use canasta_log::codes::{onto_from_number, onto_number};
use canasta_log::fields;
use canasta_rules::action::{
    About, Action, ActionKind, CardList, Group, Groups, MeldId, MeldKind, Onto, SpecialHand, TakePile,
};
use canasta_rules::card::{CARDS_MAX, Card, Cards, Rank};
use canasta_rules::seat::Seat;
use canasta_rules::table::Phase;

/// The first nodes of this module; kinds of action use 21 of them.
const KIND: Node = 0;
const DISCARD_RANK: Node = 21;
const SUIT: Node = 22;
const TARGET: Node = 23;
const NEW: Node = 24;
const SHAPE: Node = 25;
const NEW_RANK: Node = 26;
const CARD: Node = 27;
const END: Node = 28;
const MORE: Node = 29;
const TOP: Node = 30;
const MELD: Node = 31;
const SEAT: Node = 32;
/// Nodes of choices.
const ANY_KIND: Node = 0;
const ANY_CARD: Node = 1;
const ANY_SHAPE: Node = 2;
const ANSWER: Node = 3;
const ABOUT: Node = 4;
const ADDRESSED: Node = 5;
const HAND: Node = 6;

/// The encoder or decoder of actions in one position.
pub(super) struct ActionCoder<'s, 'c, 'a> {
    pub scene: &'s Scene<'s>,
    pub column: &'c mut CodedColumn<'a>,
    /// The kind of the action before.
    pub last: ActionKind,
}

/// The cards that are expected in a list, and their order.
#[derive(Clone, Copy)]
enum Hint {
    /// Naturals of a rank, then wilds.
    Rank(Rank),
    Wilds,
    /// Cards of a suit in order, then wilds.
    Suit(u8),
    Any,
}

/// Returns the usual kinds of a phase, in the order in which they are asked for. All other kinds are coded by number.
fn usual(phase: Phase) -> &'static [ActionKind] {
    use ActionKind as K;
    match phase {
        Phase::Start => &[K::DrawStock, K::TakePile, K::LayThrees, K::EndRound, K::TakeTop],
        Phase::Play => &[K::Discard, K::Meld, K::LayThrees, K::Ask, K::Pass],
        Phase::Asked => &[K::Answer],
        Phase::Taking => &[K::Meld, K::RestorePile, K::UndoMeld],
        _ => &[K::Deal, K::DrawCards],
    }
}

impl ActionCoder<'_, '_, '_> {
    /// Encodes or decodes an action; actions of officials are errors.
    pub(super) fn action(&mut self, wanted: Option<&Action>) -> Result<Action, Fault> {
        let kind = self.kind(wanted.map(Action::kind))?;
        // A decoder ignores the fields that are wanted.
        let blank = fields::blank(kind);
        let mut hand = self.scene.hand;
        Ok(match wanted.unwrap_or(&blank) {
            Action::TakePile(take) => Action::TakePile(self.take(take)?),
            Action::LayThrees(cards) => {
                Action::LayThrees(self.cards(Hint::Rank(Rank::Three), &mut hand, 0, cards)?)
            }
            Action::Meld(groups) => Action::Meld(self.groups(&mut hand, groups, 1)?),
            Action::MergeMelds { a, b } => Action::MergeMelds { a: self.meld_id(*a), b: self.meld_id(*b) },
            Action::UndoMeld { meld, cards } => {
                let meld = self.meld_id(*meld);
                let mut loose = self.scene.table.loose_of(meld).copied().unwrap_or(Cards::EMPTY);
                Action::UndoMeld { meld, cards: self.cards(Hint::Any, &mut loose, 0, cards)? }
            }
            Action::Ask { about, to, .. } => {
                let courtesy = self.column.flag(ABOUT, *about == About::Courtesy);
                let to = to.map_or(7, |to| to.0.into());
                let to = self.column.choice(ADDRESSED, 3, self.scene.seat.0.into(), to);
                Action::Ask {
                    about: if courtesy { About::Courtesy } else { About::GoOut },
                    to: (to < 7).then_some(Seat(to as u8)),
                    // A question that names a way out is stored as a literal record.
                    with: None,
                }
            }
            Action::Answer { yes } => {
                let context = join(&[self.scene.threat, u32::from(self.scene.hand.len()) / 4]);
                Action::Answer { yes: self.column.choice(ANSWER, 1, context, (*yes).into()) == 1 }
            }
            Action::SpecialHand(hand) => {
                let hand = self.column.choice(HAND, 2, 0, *hand as u32);
                Action::SpecialHand(*SpecialHand::ALL.get(hand as usize).ok_or(Fault::Malformed)?)
            }
            Action::Discard(card) => Action::Discard(self.discard(*card)?),
            Action::CallReveal { of } => {
                let context = self.scene.seat.0.into();
                Action::CallReveal { of: Seat(self.column.choice(SEAT, 3, context, of.0.into()) as u8) }
            }
            Action::Ruling(_) | Action::Dispute { .. } | Action::Sign { .. } => return Err(Fault::Malformed),
            // Actions of the table with more content than their kind are stored as literal records.
            _ => blank,
        })
    }

    fn kind(&mut self, wanted: Option<ActionKind>) -> Result<ActionKind, Fault> {
        let scene = self.scene;
        let phase = scene.table.phase();
        let [class, held, own] = scene.of_top();
        let (fits, size) = (u32::from(scene.fitting.min(4)), log2(scene.hand.len().into()));
        let facts = [u32::from(scene.opened), u32::from(scene.frozen)];
        let position = phase as u32 + 8 * facts[0] + 16 * facts[1];
        let melded = u32::from(scene.table.turn().melded_since_draw) + 2 * self.last as u32;
        let contexts = [
            join(&[position, melded]),
            join(&[position, fits, scene.trios.min(3).into(), scene.wilds.min(3).into(), scene.reach()]),
            join(&[position, class, held, own, scene.wilds.min(2).into()]),
            join(&[position, scene.reach(), melded, scene.pairs.min(3).into()]),
            join(&[position, size, scene.canastas.min(3).into(), fits, scene.stock, scene.threat]),
            join(&[position, scene.pile, class, held, own, fits.min(1)]),
        ];
        let usual = usual(phase);
        for (at, &kind) in (0..).zip(usual) {
            let of = contexts.map(|context| join(&[context, u32::from(at)]));
            if self.column.bit(KIND + at, &of, wanted == Some(kind)) {
                return Ok(kind);
            }
        }
        let number = self.column.choice(ANY_KIND, 5, phase as u32, wanted.map_or(0, |kind| kind as u32));
        ActionKind::ALL.get(number as usize).copied().ok_or(Fault::Malformed)
    }

    /// Encodes or decodes a card of the hand: its rank (ranks of little use first), then its suit.
    fn discard(&mut self, wanted: Card) -> Result<Card, Fault> {
        let scene = self.scene;
        let mut ranks: Vec<Rank> =
            Rank::ALL.into_iter().filter(|rank| scene.held[rank.index()] > 0).collect();
        ranks.sort_by_key(|rank| (self.use_of(*rank), rank.index()));
        let last = *ranks.last().ok_or(Fault::Malformed)?;
        let mut chosen = last;
        for (at, rank) in (1u32..).zip(ranks.iter().copied()) {
            if rank != last && self.is_discarded(rank, ranks.len() as u32 - at, wanted) {
                chosen = rank;
                break;
            }
        }
        let kinds: Vec<(Card, u8)> = scene.hand.kinds().filter(|(card, _)| card.rank() == chosen).collect();
        for (at, &(card, count)) in (1..).zip(&kinds) {
            let left = (kinds.len() - at) as u32;
            let contexts = [left, join(&[left, at as u32, count.into()])];
            if left == 0 || self.column.bit(SUIT, &contexts, wanted == card) {
                return Ok(card);
            }
        }
        Err(Fault::Malformed)
    }

    /// Returns the approximate use of a rank in the hand. The result only decides the order of the questions.
    fn use_of(&self, rank: Rank) -> u32 {
        let (scene, at) = (self.scene, rank.index());
        match rank {
            Rank::Joker => 90,
            Rank::Two => 80,
            Rank::Three => 6,
            _ => {
                let group = [0, 0, 12, 20][usize::from(scene.held[at].min(3))];
                let own = [0, 30, 15][usize::from(scene.own[at])];
                let theirs = if scene.frozen { 4 } else { [0, 25, 20][usize::from(scene.theirs[at])] };
                group + own + theirs
            }
        }
    }

    fn is_discarded(&mut self, rank: Rank, left: u32, wanted: Card) -> bool {
        let (scene, at) = (self.scene, rank.index());
        let count = u32::from(scene.held[at].min(4));
        let (own, theirs) = (u32::from(scene.own[at]), u32::from(scene.theirs[at]));
        let kind = match rank {
            Rank::Joker => 2,
            Rank::Two => 1,
            Rank::Three => 3,
            _ => 0,
        };
        let facts = join(&[kind, count, own, theirs, scene.frozen.into()]);
        let open = u32::from(scene.open[at].min(9));
        let late = join(&[scene.stock, scene.threat]);
        let number = at as u32;
        let contexts = [
            join(&[facts, left.min(7)]),
            join(&[facts, open, left.min(4)]),
            join(&[number, count, left.min(5), own, theirs]),
            join(&[facts, scene.pile, late]),
            join(&[number, theirs, open, count, scene.pile / 2]),
            join(&[facts, number, left.min(3), scene.opened.into(), late]),
        ];
        self.column.bit(DISCARD_RANK, &contexts, wanted.rank() == rank)
    }

    fn take(&mut self, wanted: &TakePile) -> Result<TakePile, Fault> {
        let top = self.scene.top.ok_or(Fault::Malformed)?;
        let onto = self.onto(0, Some(top.rank()), wanted.onto)?;
        let mut hand = self.scene.hand;
        let hint = if top.is_wild() { Hint::Wilds } else { Hint::Rank(top.rank()) };
        let melds = u32::from(onto == Onto::New);
        let with = self.cards(hint, &mut hand, 1 + melds, &wanted.with)?;
        let also = self.groups(&mut hand, &wanted.also, 0)?;
        Ok(TakePile { with, onto, also })
    }

    /// Encodes or decodes groups of the cards that are left in the hand; the first `sure` groups need no question.
    fn groups(&mut self, hand: &mut Cards, wanted: &Groups, sure: usize) -> Result<Groups, Fault> {
        let mut groups = Groups::new();
        let mut worth = 0;
        // After a group on an own meld comes one on a later meld, after a new set one of a higher rank.
        let (mut from, mut rank_from) = (0, 0);
        loop {
            let at = groups.len();
            let next = wanted.get(at);
            let reached = u32::from(worth >= self.scene.minimum);
            let trios = hand.rank_counts().iter().filter(|&&count| count >= 3).count() as u32;
            let contexts = [
                join(&[(at as u32).min(3), sure as u32, reached, self.scene.opened.into()]),
                join(&[trios.min(3), reached, sure as u32, self.scene.opened.into()]),
                join(&[log2(hand.len().into()), (at as u32).min(3), reached, sure as u32]),
            ];
            // An empty meld breaks the rules, so its question is omitted.
            if at == 0 && sure == 1 {
                debug_assert!(next.is_some() || !self.column.coder.is_writer(), "no empty meld is encoded");
            } else if !self.column.bit(MORE, &contexts, next.is_some()) {
                return Ok(groups);
            }
            if at == GROUPS_MAX {
                return Err(Fault::Malformed);
            }
            self.column.work.check()?;
            let group = self.group(hand, &mut from, &mut rank_from, next.unwrap_or(&Group::default()))?;
            let rules = self.scene.table.rules();
            worth += group.cards.iter().map(|&card| (rules.card_points(card).max(0) / 5) as u32).sum::<u32>();
            groups.push(group);
        }
    }

    fn group(
        &mut self,
        hand: &mut Cards,
        from: &mut usize,
        rank_from: &mut usize,
        wanted: &Group,
    ) -> Result<Group, Fault> {
        let onto = self.onto(*from, None, wanted.onto)?;
        let state = self.scene.table;
        let target = match onto {
            Onto::Meld { side: None, id } => {
                let place = state.melds_of(self.scene.side).position(|meld| meld.id == id);
                *from = place.map_or(*from, |place| place + 1);
                state.meld(self.scene.side, id)
            }
            _ => {
                *from = usize::MAX;
                None
            }
        };
        let expected = target.map_or(MeldKind::Set, |meld| meld.kind);
        let kind = self.shape(expected, wanted.kind)?;
        let taking = u32::from(state.taken_top().is_some());
        let top = self.column.bit(TOP, &[taking], wanted.top);
        let hint = match (kind, target.and_then(|meld| meld.rank)) {
            (MeldKind::BlackThrees, _) => Hint::Rank(Rank::Three),
            (MeldKind::Wild, _) => Hint::Wilds,
            (MeldKind::Set, Some(rank)) => Hint::Rank(rank),
            (MeldKind::Set, None) => self.new_rank(hand, rank_from, wanted),
            (MeldKind::Sequence, _) => {
                let first = target.and_then(|meld| meld.cards.iter().find(|card| !card.is_wild()));
                first.and_then(Card::suit).map_or(Hint::Any, Hint::Suit)
            }
        };
        let size = target.map_or(0, |meld| u32::from(meld.len()).min(7) + 8 * u32::from(meld.wilds().min(4)));
        let cards = self.cards(hint, hand, 3 + size, &wanted.cards)?;
        Ok(Group { kind, onto, top, cards })
    }

    /// Encodes or decodes a target: an own meld from place `from` on, a new meld, or any other target.
    fn onto(&mut self, from: usize, top: Option<Rank>, wanted: Onto) -> Result<Onto, Fault> {
        let scene = self.scene;
        for meld in scene.table.melds_of(scene.side).skip(from) {
            let rank = meld.rank.map_or(14, |rank| rank.index() as u32);
            let held = meld.rank.map_or(0, |rank| scene.held[rank.index()].min(3));
            let of_top = top.map_or(2, |top| u32::from(meld.rank == Some(top)));
            let grade = u32::from(meld.grade(scene.table.set()).is_some());
            let facts = join(&[meld.kind as u32, held.into(), of_top, grade]);
            let contexts = [
                facts,
                join(&[facts, scene.wilds.min(2).into(), meld.len().min(8).into()]),
                join(&[facts, rank, meld.wilds().min(3).into()]),
                join(&[facts, log2(scene.hand.len().into()), scene.canastas.min(2).into()]),
            ];
            let onto = Onto::Meld { side: None, id: meld.id };
            if self.column.bit(TARGET, &contexts, wanted == onto) {
                return Ok(onto);
            }
        }
        if self.column.bit(NEW, &[u32::from(top.is_some())], wanted == Onto::New) {
            return Ok(Onto::New);
        }
        let number = onto_number(wanted).map_err(|_| Fault::Malformed)?;
        let number = self.column.number(1, number.into());
        u16::try_from(number).ok().and_then(|number| onto_from_number(number).ok()).ok_or(Fault::Malformed)
    }

    fn shape(&mut self, expected: MeldKind, wanted: MeldKind) -> Result<MeldKind, Fault> {
        let contexts = [expected as u32, join(&[expected as u32, self.scene.wilds.min(4).into()])];
        if self.column.bit(SHAPE, &contexts, wanted == expected) {
            return Ok(expected);
        }
        let number = self.column.choice(ANY_SHAPE, 2, 0, wanted as u32);
        Ok([MeldKind::Set, MeldKind::Wild, MeldKind::Sequence, MeldKind::BlackThrees][number as usize])
    }

    /// Encodes or decodes the rank of a new set, from rank `from` on. `Any` if it is none of the ranks held.
    fn new_rank(&mut self, hand: &Cards, from: &mut usize, wanted: &Group) -> Hint {
        let of = wanted.cards.iter().find(|card| !card.is_wild()).map(|card| card.rank());
        let held = hand.rank_counts();
        for rank in Rank::NATURAL.into_iter().filter(|rank| rank.index() >= *from) {
            let (at, count) = (rank.index(), held[rank.index()]);
            if count == 0 {
                continue;
            }
            let count = u32::from(count.min(5));
            let (own, wilds) = (u32::from(self.scene.own[at]), u32::from(self.scene.wilds.min(2)));
            let contexts = [
                join(&[count, own]),
                join(&[count, own, wilds, self.scene.opened.into(), self.scene.trios.min(2).into()]),
                join(&[count, own, at as u32]),
                join(&[count, own, self.scene.frozen.into(), self.scene.reach()]),
            ];
            if self.column.bit(NEW_RANK, &contexts, of == Some(rank)) {
                *from = at + 1;
                return Hint::Rank(rank);
            }
        }
        Hint::Any
    }

    /// Encodes or decodes a list of cards from `hand`: cards in the hint's order, then the end or any card, in turn.
    fn cards(
        &mut self,
        hint: Hint,
        hand: &mut Cards,
        purpose: u32,
        wanted: &CardList,
    ) -> Result<CardList, Fault> {
        let mut cards = CardList::new();
        loop {
            self.column.work.check()?;
            for (card, count) in order(hint, hand) {
                for left in (1..=count).rev() {
                    let next = wanted.get(cards.len());
                    if !self.is_next(card, left, purpose, hint, &cards, next) {
                        break;
                    }
                    hand.remove(card);
                    cards.push(card);
                }
            }
            if cards.len() > CARDS_MAX {
                return Err(Fault::Malformed);
            }
            let next = wanted.get(cards.len());
            let contexts = [u32::from(matches!(hint, Hint::Any)), join(&[cards.len() as u32, purpose])];
            if self.column.bit(END, &contexts, next.is_none()) {
                return Ok(cards);
            }
            let kind = self.column.choice(ANY_CARD, 6, 0, next.map_or(0, |card| card.kind().into()));
            let card = Card::from_kind(kind as u8).ok_or(Fault::Malformed)?;
            hand.remove(card);
            cards.push(card);
        }
    }

    fn is_next(
        &mut self,
        card: Card,
        left: u8,
        purpose: u32,
        hint: Hint,
        cards: &CardList,
        wanted: Option<&Card>,
    ) -> bool {
        let what = class(card) + 4 * u32::from(card == Card::JOKER);
        let group = match hint {
            Hint::Rank(_) => 0,
            Hint::Wilds => 1,
            Hint::Suit(_) => 2,
            Hint::Any => 3,
        };
        let size = (cards.len() as u32).min(7);
        let wilds = cards.iter().filter(|card| card.is_wild()).count() as u32;
        let same = cards.last().is_some_and(|last| last.rank() == card.rank());
        let facts = join(&[what, group, purpose.min(3), same.into()]);
        let contexts = [
            join(&[facts, size]),
            join(&[facts, purpose, size, wilds]),
            join(&[facts, left.into(), size, wilds, self.scene.opened.into()]),
            join(&[facts, size, self.scene.reach(), self.scene.wilds.min(4).into()]),
        ];
        self.column.bit(CARD, &contexts, wanted == Some(&card))
    }

    /// Encodes or decodes the id of an own meld.
    fn meld_id(&mut self, wanted: MeldId) -> MeldId {
        for meld in self.scene.table.melds_of(self.scene.side) {
            let grade = u32::from(meld.grade(self.scene.table.set()).is_some());
            let contexts = [meld.kind as u32, join(&[meld.kind as u32, grade, meld.len().into()])];
            if self.column.bit(MELD, &contexts, wanted == meld.id) {
                return meld.id;
            }
        }
        MeldId(self.column.choice(MELD, 8, 0, wanted.0.into()) as u8)
    }
}

/// Returns the cards of a hand in the order in which a list is expected to name them.
fn order(hint: Hint, hand: &Cards) -> Vec<(Card, u8)> {
    let kinds = || hand.kinds();
    let wilds = kinds().filter(|(card, _)| card.is_wild());
    match hint {
        Hint::Rank(rank) => kinds().filter(|(card, _)| card.rank() == rank).chain(wilds).collect(),
        Hint::Wilds => wilds.collect(),
        Hint::Suit(suit) => {
            let of = |card: &Card| !card.is_wild() && card.suit() == Some(suit);
            kinds().filter(|(card, _)| of(card)).chain(wilds).collect()
        }
        Hint::Any => kinds().collect(),
    }
}

/// Whether this action can be encoded; an action of the table only if it has no content besides its kind.
pub(super) fn can_say(action: &Action) -> bool {
    match action {
        Action::Deal(deal) => **deal == canasta_rules::action::Deal::default(),
        Action::DrawCards(picks) => picks.is_empty(),
        Action::Ruling(_) | Action::Dispute { .. } | Action::Sign { .. } => false,
        Action::Meld(groups) => !groups.is_empty(),
        Action::Ask { with, .. } => with.is_none(),
        _ => true,
    }
}
