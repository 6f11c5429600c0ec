//! Repairs: edits of a refused action, and steps to take instead.

use super::Field;
use crate::action::{Action, CardList, Group, MeldId, MeldKind, Onto};
use crate::card::{Card, Class, Rank};
use crate::seat::Seat;
use alloc::vec::Vec;

mod wording;

pub use wording::REPAIRS;

/// A way out of a refusal, which has been tried and works.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Repair {
    /// An edit of the refused action. The edited action no longer has the violation, and breaks only rules that the
    /// refused action broke too. (Rules that are judged only once the cards are held are not compared.)
    Edit(Edit),
    /// An action that is legal in the same position, or the seat that acts first; or what the action must name.
    Step(RepairStep),
}

/// An edit of a refused action. Each count is the smallest that helps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Leave these cards out of the action.
    LeaveOut(CardList),
    /// Add these cards of the hand to the meld.
    Add(CardList),
    /// Lay more points.
    LayMore {
        /// The points that are missing.
        points: i32,
        /// Cards of the hand with these points, added to one meld or laid as a new meld.
        with: CardList,
    },
    /// Keep this many of the named cards in the hand.
    KeepMore(u8),
    /// Leave this many wild cards out of the meld.
    FewerWilds(u8),
    /// Name this meld as the target.
    Onto(MeldId),
    /// Put the wild cards onto this meld.
    WildsOnto(MeldId),
}

/// A step in place of a refused action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepairStep {
    /// Draw from the stock.
    DrawFromStock,
    /// Take the pile.
    TakePile,
    /// End the round.
    EndRound,
    /// Meld or discard.
    MeldOrDiscard,
    /// End the turn without a discard.
    Pass,
    /// Ask whether to go out.
    Ask,
    /// Ask again and name the way out, which the search has neither found nor ruled out.
    NameWay,
    /// Put the top of the pile back.
    RestorePile,
    /// Lay the threes of the hand.
    LayThrees,
    /// Take cards back that lie on this meld and may still return to the hand.
    TakeBack(MeldId),
    /// Go out in this turn, as the "yes" requires: there is a way.
    GoOut,
    /// Wait until this seat has acted.
    WaitFor(Seat),
    /// Wait until this seat has answered.
    WaitForAnswer(Seat),
    /// Wait until the table has acted.
    WaitForTable,
    /// Create or register with one of the seats up to `last` as the dealer.
    NameDealer {
        /// The last seat.
        last: Seat,
    },
    /// Create or register without a dealer: the dealer is already decided.
    NoDealer,
}

impl Edit {
    /// Returns the actions that result from the edit of `action`; `field` is the field of the violation. The list is
    /// empty if nothing of the action would be left.
    pub fn ways(&self, action: &Action, field: Field) -> Vec<Action> {
        let places = Places::of(action, field);
        let ways = match self {
            Self::LeaveOut(cards) => places.without(&places.all, |left| take_out(left, cards)),
            Self::FewerWilds(count) => places.without(places.of_meld(), |left| take_wilds(left, *count)),
            Self::KeepMore(count) => places.keep(usize::from(*count)),
            Self::Add(cards) => {
                places.all.first().and_then(|&at| places.with(at, cards)).into_iter().collect()
            }
            Self::LayMore { with, .. } => {
                let joined = places.all.iter().filter_map(|&at| places.with(at, with));
                joined.chain(places.with_new(MeldKind::Set, Onto::New, with)).collect()
            }
            Self::Onto(id) => places.onto(*id).into_iter().collect(),
            Self::WildsOnto(id) => places.wilds_onto(*id).into_iter().collect(),
        };
        ways.into_iter().filter_map(tidy).collect()
    }
}

/// A list of cards in an action: 0 is `with` of a take, or the threes that are laid; then come the groups.
type Place = usize;

/// The lists of an action: first the one that a violation names, then those of the same rank, then all others.
struct Places<'a> {
    action: &'a Action,
    all: Vec<Place>,
    /// The number of lists that belong to the meld: the named list and those of its rank.
    of_meld: usize,
}

impl<'a> Places<'a> {
    fn of(action: &'a Action, field: Field) -> Self {
        // An edit is tried where the violation lies, then in groups that become one meld with it, then elsewhere: the
        // repair that is nearest to the violation is found first.
        let named = match field {
            Field::Group(i) | Field::GroupOnto(i) | Field::GroupCards(i) => usize::from(i) + 1,
            Field::With | Field::TopOnto | Field::Cards => 0,
            _ => Place::MAX,
        };
        let rank = list(action, named).and_then(rank_of);
        let count = 1 + action.groups().map_or(0, |groups| groups.len());
        let mut all: Vec<Place> = (0..count).filter(|&at| list(action, at).is_some()).collect();
        let alike = |at: Place| rank.is_some() && list(action, at).and_then(rank_of) == rank;
        all.sort_by_key(|&at| (at != named, !alike(at)));
        let of_meld = all.iter().filter(|&&at| at == named || alike(at)).count();
        Self { action, all, of_meld }
    }

    /// Returns the places of the named list and of the lists of its rank.
    fn of_meld(&self) -> &[Place] {
        &self.all[..self.of_meld]
    }

    /// Returns the action with the cards that `cut` leaves at `places`; empty if `cut` does not find all its cards.
    fn without(&self, places: &[Place], mut cut: impl FnMut(&mut [&mut CardList]) -> bool) -> Vec<Action> {
        let mut edited = self.action.clone();
        let mut lists: Vec<CardList> =
            places.iter().filter_map(|&at| list(self.action, at).cloned()).collect();
        if !cut(&mut lists.iter_mut().collect::<Vec<_>>()) {
            return Vec::new();
        }
        for (&at, left) in places.iter().zip(lists) {
            *list_mut(&mut edited, at).expect("a place of the action") = left;
        }
        alloc::vec![edited]
    }

    /// Returns the action without `count` cards, which are the last or the first of some list and the lists after it.
    fn keep(&self, count: usize) -> Vec<Action> {
        let from = |first: usize| self.all.iter().cycle().skip(first).take(self.all.len()).copied();
        let ends = (0..self.all.len()).flat_map(|first| [(first, true), (first, false)]);
        ends.flat_map(|(first, last)| {
            let order: Vec<Place> = from(first).collect();
            self.without(&order, |lists| {
                let mut left = count;
                for cards in lists.iter_mut() {
                    while left > 0 && !cards.is_empty() {
                        cards.remove(if last { cards.len() - 1 } else { 0 });
                        left -= 1;
                    }
                }
                left == 0
            })
        })
        .collect()
    }

    /// Returns the action with `cards` added at a place.
    fn with(&self, at: Place, cards: &[Card]) -> Option<Action> {
        let mut edited = self.action.clone();
        list_mut(&mut edited, at)?.extend_from_slice(cards);
        Some(edited)
    }

    fn with_new(&self, kind: MeldKind, onto: Onto, cards: &[Card]) -> Option<Action> {
        let mut edited = self.action.clone();
        let cards = cards.iter().copied().collect();
        edited.groups_mut()?.push(Group { kind, onto, top: false, cards });
        Some(edited)
    }

    /// Returns the action with this meld as the target of the first place.
    fn onto(&self, id: MeldId) -> Option<Action> {
        let mut edited = self.action.clone();
        let target = match (&mut edited, *self.all.first()?) {
            (Action::TakePile(take), 0) => &mut take.onto,
            (edited, at) => &mut edited.groups_mut()?.get_mut(at.checked_sub(1)?)?.onto,
        };
        *target = Onto::Meld { side: None, id };
        Some(edited)
    }

    /// Returns the action with the wild cards of the meld in a group of their own, which goes to this meld.
    fn wilds_onto(&self, id: MeldId) -> Option<Action> {
        let mut moved = CardList::new();
        let left = self.without(self.of_meld(), |lists| {
            for cards in lists.iter_mut() {
                moved.extend(cards.iter().copied().filter(|card| card.is_wild()));
                cards.retain(|card| !card.is_wild());
            }
            true
        });
        let places = Places { action: left.first()?, all: Vec::new(), of_meld: 0 };
        places.with_new(MeldKind::Wild, Onto::Meld { side: None, id }, &moved)
    }
}

fn list(action: &Action, at: Place) -> Option<&CardList> {
    match at.checked_sub(1) {
        Some(group) => action.groups()?.get(group).map(|group| &group.cards),
        None => action.ungrouped(),
    }
}

fn list_mut(action: &mut Action, at: Place) -> Option<&mut CardList> {
    match (action, at) {
        (Action::TakePile(take), 0) => Some(&mut take.with),
        (Action::LayThrees(cards), 0) => Some(cards),
        (action, at) => action.groups_mut()?.get_mut(at.checked_sub(1)?).map(|group| &mut group.cards),
    }
}

fn rank_of(cards: &CardList) -> Option<Rank> {
    cards.iter().find(|card| card.class() == Class::Natural).map(|card| card.rank())
}

/// Takes each of `cards` out of the first list that has it. Returns whether all were found.
fn take_out(lists: &mut [&mut CardList], cards: &[Card]) -> bool {
    cards.iter().all(|card| {
        lists.iter_mut().any(|list| list.iter().rposition(|c| c == card).map(|at| list.remove(at)).is_some())
    })
}

/// Takes `count` wild cards out of the lists. Returns whether all were found.
fn take_wilds(lists: &mut [&mut CardList], count: u8) -> bool {
    (0..count).all(|_| {
        lists
            .iter_mut()
            .any(|list| list.iter().rposition(|c| c.is_wild()).map(|at| list.remove(at)).is_some())
    })
}

/// Removes the groups that name no card; returns `None` if nothing is left of the action.
fn tidy(mut action: Action) -> Option<Action> {
    if let Some(groups) = action.groups_mut() {
        groups.retain(|group| group.top || !group.cards.is_empty());
    }
    let empty = match &action {
        Action::Meld(groups) => groups.is_empty(),
        Action::LayThrees(cards) => cards.is_empty(),
        _ => false,
    };
    (!empty).then_some(action)
}

impl From<Edit> for Repair {
    fn from(edit: Edit) -> Self {
        Self::Edit(edit)
    }
}

impl From<RepairStep> for Repair {
    fn from(step: RepairStep) -> Self {
        Self::Step(step)
    }
}
