//! One form for all actions that do the same.

use crate::action::{About, Action, CardList, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::check::{self, Legal, Placement, Placements, Plan, permits};
use crate::rules::LastThree;
use crate::sequence::Sequence;
use crate::table::Table;
use smallvec::SmallVec;

/// How many kinds of card a group can hold: four suits of its rank, four twos, the joker.
pub(super) const KINDS: usize = 9;
/// The place of the first wild among them.
pub(super) const WILDS: usize = 4;
/// Copies of each kind in a group: its rank by suit, the twos by suit, jokers.
pub(super) type Counts = [u8; KINDS];

/// `action` in its canonical form, if whoever must act may do it, and else as it is.
///
/// Groups that go to one meld are one group, in `with` if that is the top's meld. Groups stand in the
/// order of their targets: own melds by id, then new melds: sets by rank, wilds, sequences by suit and low
/// end, black threes; new melds of one kind and rank by their counts of each kind. `onto` is an id or NEW,
/// never AUTO, and `to` is named. The cards of a group stand in ascending order, naturals first. Wilds that are
/// left over when a canasta closes stand in the new meld's group, but for the pair that takes a wild top. A top
/// that goes onto a sequence goes there alone: what else goes there is a group of its own. So does one that goes onto a
/// set together with cards that, named with it, would not take the pile.
///
/// It is canonical already if it comes from [`all`](super::all()) or [`steps`](super::steps). It leads to
/// the same state up to the ids of melds begun in it.
pub fn canonical(state: &Table, action: &Action) -> Action {
    match permits(state, super::actor(state), action) {
        Some(legal) => form(state, action, legal),
        None => action.clone(),
    }
}

/// The canonical form of an action that `legal` allows.
pub(super) fn form(state: &Table, action: &Action, legal: Legal) -> Action {
    match legal.plan {
        Plan::Meld(placements) => Action::Meld(groups(state, placements)),
        Plan::Place { placements, top, .. } => Action::Meld(placed(state, placements, top)),
        Plan::Undo { meld, mut cards, .. } => {
            cards.sort_unstable_by_key(|card| (card.is_wild(), *card));
            Action::UndoMeld { meld, cards }
        }
        Plan::Take(mut placements) | Plan::TakeOnlyTop(mut placements) => {
            let mut first = placements.remove(0);
            let top = *state.pile.last().expect("a take has a top");
            let at = first.cards.iter().position(|&card| card == top).expect("the top is laid");
            first.cards.remove(at);
            pair_up(&mut first, &mut placements);
            let is_whole = !is_laid_off(state, &first);
            let own = group(state, first);
            if is_whole {
                let also = groups(state, placements);
                return Action::TakePile(TakePile { with: own.cards, onto: own.onto, also });
            }
            // The top goes there alone; what else goes there is laid after it (clarifications 14 and 29).
            let mut also = groups(state, placements);
            let onto = own.onto;
            if !own.cards.is_empty() {
                also.push(own);
                sort(&mut also);
            }
            Action::TakePile(TakePile { with: CardList::new(), onto, also })
        }
        Plan::Merge { a, b } => {
            let id = |at: u8| state.melds[usize::from(at)].id;
            Action::MergeMelds { a: id(a.min(b)), b: id(a.max(b)) }
        }
        Plan::Ask { about: About::Courtesy, .. } => Action::Ask { about: About::Courtesy, to: None },
        Plan::Ask { about, to } => Action::Ask { about, to: Some(to) },
        Plan::TakeTalon | Plan::Reveal(_) | Plan::SpecialHand(_) => action.clone(),
        Plan::LayThrees(cards) => Action::LayThrees(threes(state, cards)),
        _ => action.clone(),
    }
}

/// Whether the top goes alone to a meld that `first` adds these other cards to: to a sequence, and to a set where they
/// do not take the pile with it.
fn is_laid_off(state: &Table, first: &Placement) -> bool {
    let (MeldKind::Set, Some(rank), Some(at)) = (first.kind, first.rank, first.target) else {
        return first.kind == MeldKind::Sequence;
    };
    let wilds = first.cards.iter().filter(|card| card.is_wild()).count() as u8;
    let (naturals, meld) = (first.cards.len() as u8 - wilds, &state.melds[usize::from(at)]);
    check::splits(state) && !check::entitles(state, meld.side, Some(meld), rank, naturals, wilds)
}

/// A wild top and its two wilds may close one canasta and begin another (AMB-HF-13): both wilds stand in
/// `with` all the same, taken from the highest of the new meld.
fn pair_up(first: &mut Placement, others: &mut Placements) {
    if first.kind != MeldKind::Wild {
        return;
    }
    let begun = |placement: &Placement| placement.kind == MeldKind::Wild && placement.target.is_none();
    while let Some(at) = others.iter().position(begun).filter(|_| first.cards.len() < 2) {
        let cards = &mut others[at].cards;
        cards.sort_unstable();
        first.cards.extend(cards.pop());
        if cards.is_empty() {
            others.remove(at);
        }
    }
}

/// The threes that are really laid: those after one that ends the round are not. Late ones come first, which
/// take nothing from the stock.
pub(super) fn threes(state: &Table, named: CardList) -> CardList {
    let set = state.set();
    let mut late: Cards = check::held_threes(state);
    late.subtract(&state.turn.fresh);
    let mut stock = state.stock.len();
    let mut keyed: SmallVec<[(bool, Card); 22]> = SmallVec::new();
    for card in named {
        let replaced = set.late_three_replaced || !late.remove(card);
        keyed.push((replaced, card));
        if replaced && stock == 0 && set.last_three == LastThree::EndRound {
            break;
        }
        stock = stock.saturating_sub(usize::from(replaced));
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, card)| card).collect()
}

fn groups(state: &Table, placements: impl IntoIterator<Item = Placement>) -> Groups {
    let mut groups: Groups = placements.into_iter().map(|placement| group(state, placement)).collect();
    sort(&mut groups);
    groups
}

/// The groups of a meld of which one may lay the taken top, which then names it by `top`.
fn placed(state: &Table, placements: impl IntoIterator<Item = Placement>, top: Option<u8>) -> Groups {
    let mut groups: Groups = placements.into_iter().map(|placement| group(state, placement)).collect();
    if let Some((group, taken)) = top.map(|at| &mut groups[usize::from(at)]).zip(state.taken_top) {
        let at = group.cards.iter().position(|&card| card == taken.card).expect("the top is laid");
        group.cards.remove(at);
        group.top = true;
        // To a sequence the top goes alone.
        if group.kind == MeldKind::Sequence && !group.cards.is_empty() {
            let others = Group { top: false, ..group.clone() };
            group.cards.clear();
            groups.push(others);
        }
    }
    sort(&mut groups);
    groups
}

fn group(state: &Table, placement: Placement) -> Group {
    let onto = placement
        .target
        .map_or(Onto::New, |at| Onto::Meld { side: None, id: state.melds[usize::from(at)].id });
    let mut cards = placement.cards;
    cards.sort_unstable_by_key(|card| (card.is_wild(), *card));
    Group { kind: placement.kind, onto, top: false, cards }
}

/// Puts groups of one batch, each with its own target and sorted cards, in canonical order.
pub(super) fn sort(groups: &mut Groups) {
    let key = |group: &Group| {
        let id = match group.onto {
            Onto::Meld { id, .. } => Some(id),
            _ => None,
        };
        let is_new_set = id.is_none() && group.kind == MeldKind::Set;
        let rank = group.cards.first().filter(|_| is_new_set).map(|card| card.rank());
        let kind = (id.is_none()).then_some(group.kind);
        let is_new_sequence = id.is_none() && group.kind == MeldKind::Sequence;
        let sequence = is_new_sequence.then(|| Sequence::of(&group.cards.iter().copied().collect()));
        let counts = if id.is_none() && !is_new_sequence { counts(&group.cards) } else { [0; KINDS] };
        (!group.top, id.is_none(), id, kind, rank, counts, sequence)
    };
    groups.sort_by_cached_key(key);
}

/// How many of each kind there are in the cards of one group.
pub(super) fn counts(cards: &[Card]) -> Counts {
    let mut counts = [0; KINDS];
    for &card in cards {
        counts[place(card)] += 1;
    }
    counts
}

/// The place of a card in [`Counts`].
fn place(card: Card) -> usize {
    match (card.suit(), card.class()) {
        (None, _) => 8,
        (Some(suit), Class::Wild) => 4 + usize::from(suit),
        (Some(suit), _) => usize::from(suit),
    }
}

/// The card at a place in [`Counts`] of a group of `rank`; a wild meld has no rank.
pub(super) fn card_at(place: usize, rank: Option<Rank>) -> Option<Card> {
    match place {
        0..4 => Some(Card::suited(place as u8, rank?)),
        4..8 => Some(Card::suited(place as u8 - 4, Rank::Two)),
        _ => Some(Card::JOKER),
    }
}

/// The cards of a group, naturals first.
pub(super) fn cards(counts: &Counts, rank: Option<Rank>) -> CardList {
    let mut cards = CardList::new();
    for (place, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let card = card_at(place, rank).expect("only kinds that exist are counted");
        cards.extend(core::iter::repeat_n(card, usize::from(count)));
    }
    cards
}

/// The rank of the non-wild cards of a group of this kind.
pub(super) fn rank_of(kind: MeldKind, rank: Option<Rank>) -> Option<Rank> {
    if kind == MeldKind::BlackThrees { Some(Rank::Three) } else { rank }
}
