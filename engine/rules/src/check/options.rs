//! Options: where the cards that a seat has picked may go, each place with its verdict. Made for drag and drop.

use super::{InitialPoints, aim, judge_play, repair, top_meld};
use crate::action::{Action, As, CardList, Group, Groups, MeldId, MeldKind, Onto, TakePile};
use crate::card::{Card, Class};
use crate::nodes::{Nodes, price};
use crate::rejection::{Rejection, Violation};
use crate::seat::Seat;
use crate::table::{Meld, Phase, Table};
use alloc::vec::Vec;
use core::cell::Cell;

/// The melds that a seat has chosen before, of which its next action consists so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Groups of a `meld`; none if nothing has been chosen.
    Melds(Groups),
    /// A take of the pile with the melds that go with it.
    Take(TakePile),
}

/// A place where cards may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    /// An own meld on the table.
    Meld(MeldId),
    /// A new meld of this kind.
    New(MeldKind),
    /// The top of the pile: in a new meld, or in an own meld on the table. While a top is taken tentatively, it is this
    /// card.
    Pile(Option<MeldId>),
    /// The discard.
    Discard,
}

/// A place with the action that puts the cards there.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayOption {
    /// The place.
    pub destination: Destination,
    /// The action: everything chosen before, and the picked cards at this place.
    pub action: Action,
    /// The verdict on the action, which is that of [`check`](super::check). All places share one limit of work, so that
    /// more repairs may be missing.
    pub verdict: Result<(), Rejection>,
    /// The points of the whole action, and of loose melds of the turn, towards the minimum. `None` if the side has
    /// opened, or if the judgement ended before the points were counted.
    pub initial: Option<InitialPoints>,
}

/// The places where picked cards may go.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayOptions {
    /// One entry per place, in the order of [`options`].
    pub list: Vec<PlayOption>,
    /// Whether all places are listed. If not, the judgements have used up their work ([`Nodes`]).
    pub complete: bool,
}

impl Default for Chosen {
    fn default() -> Self {
        Self::Melds(Groups::new())
    }
}

impl Chosen {
    /// Returns the melds that are chosen, without the meld of the top.
    pub fn groups(&self) -> &Groups {
        match self {
            Self::Melds(groups) => groups,
            Self::Take(take) => &take.also,
        }
    }

    fn with(&self, group: Group) -> Action {
        let mut chosen = self.clone();
        match &mut chosen {
            Self::Melds(groups) => groups.push(group),
            Self::Take(take) => take.also.push(group),
        }
        match chosen {
            Self::Melds(groups) => Action::Meld(groups),
            Self::Take(take) => Action::TakePile(take),
        }
    }

    /// Whether the top of the pile, or the tentatively taken one, may still be added.
    fn may_add_top(&self, table: &Table) -> bool {
        match self {
            Self::Take(_) => false,
            Self::Melds(groups) if table.phase() == Phase::Taking => {
                table.taken_top().is_some_and(|taken| taken.meld.is_none())
                    && !groups.iter().any(|group| group.top)
            }
            Self::Melds(_) => true,
        }
    }
}

/// Returns the places where `seat` may put the picked `cards`, legal or not, in this order:
///
/// 1. each own meld, by id;
/// 2. a new meld of each kind that the cards suggest: a set if a natural is among them, a wild meld if all are wild, a
///    sequence if a natural is among them and the rule set has sequences, black threes if one is among them;
/// 3. the top of the pile in a new meld, then in each own meld that the top could join, by id;
/// 4. the discard, for one card if nothing has been chosen.
///
/// Without cards only the pile is listed. With a chosen take the pile is not listed again, and the cards go to melds
/// that are laid at the same time.
///
/// The list depends on no card that the seat cannot see.
pub fn options(table: &Table, seat: Seat, chosen: &Chosen, cards: &CardList) -> PlayOptions {
    options_counted(table, seat, chosen, cards, &Nodes::default())
}

/// Returns the places as [`options`] does, and counts the work.
pub fn options_counted(
    table: &Table,
    seat: Seat,
    chosen: &Chosen,
    cards: &CardList,
    nodes: &Nodes,
) -> PlayOptions {
    nodes.limit_work(table.hand(seat).len());
    let (actor, mut complete) = (As::Seat(seat), true);
    // All places are judged before the first repair is tried.
    let mut judged = Vec::new();
    for destination in destinations(table, seat, chosen, cards) {
        if nodes.are_used_up() {
            complete = false;
            break;
        }
        let (action, initial) = (action(table, seat, chosen, cards, destination), Cell::new(None));
        nodes.charge(price(&action, table.melds.len()));
        let verdict = judge_play(table, actor, &action, nodes, Some(&initial));
        judged.push((destination, action, verdict.map(|_| ()), initial.get()));
    }
    let reject = |(destination, action, verdict, initial): (_, _, Result<(), Vec<Violation>>, _)| {
        let verdict = verdict.map_err(|violations| repair::reject(table, actor, &action, violations, nodes));
        PlayOption { destination, action, verdict, initial }
    };
    PlayOptions { list: judged.into_iter().map(reject).collect(), complete }
}

fn destinations(table: &Table, seat: Seat, chosen: &Chosen, cards: &[Card]) -> Vec<Destination> {
    let mut all = Vec::new();
    let own = || table.melds_of(table.side_of(seat));
    if !cards.is_empty() {
        all.extend(own().map(|meld| Destination::Meld(meld.id)));
        all.extend(kinds(table, cards).map(Destination::New));
    }
    if chosen.may_add_top(table) {
        all.push(Destination::Pile(None));
        let joined = own().filter(|meld| top(table).is_some_and(|top| could_join(meld, top)));
        all.extend(joined.map(|meld| Destination::Pile(Some(meld.id))));
    }
    if cards.len() == 1 && *chosen == Chosen::default() {
        all.push(Destination::Discard);
    }
    all
}

/// Returns the kinds of new melds that the cards suggest.
fn kinds(table: &Table, cards: &[Card]) -> impl Iterator<Item = MeldKind> {
    let natural = cards.iter().any(|card| card.class() == Class::Natural);
    let wild = cards.iter().all(|card| card.is_wild());
    let black = cards.iter().any(|card| card.class() == Class::BlackThree);
    let kinds = [
        (MeldKind::Set, natural),
        (MeldKind::Wild, wild),
        (MeldKind::Sequence, natural && table.set().sequences),
        (MeldKind::BlackThrees, black),
    ];
    kinds.into_iter().filter_map(|(kind, suggested)| suggested.then_some(kind))
}

/// Whether the top of the pile could lie in a meld of this kind and rank.
fn could_join(meld: &Meld, top: Card) -> bool {
    match meld.kind {
        MeldKind::Set => meld.rank == Some(top.rank()),
        MeldKind::Wild => top.is_wild(),
        MeldKind::Sequence => meld.cards.iter().any(|card| card.suit() == top.suit()),
        MeldKind::BlackThrees => false,
    }
}

/// Returns the top that a turn may lay: the tentatively taken one, or that of the pile.
fn top(table: &Table) -> Option<Card> {
    table.taken_top().map(|taken| taken.card).or_else(|| table.pile().last().copied())
}

/// Returns the action that puts the cards at this place.
fn action(table: &Table, seat: Seat, chosen: &Chosen, cards: &CardList, destination: Destination) -> Action {
    let onto = |id| Onto::Meld { side: None, id };
    let kind_of = |id| table.meld(table.side_of(seat), id).map(|meld| meld.kind);
    let group = |kind, onto, top| Group { kind, onto, top, cards: cards.clone() };
    match destination {
        Destination::Meld(id) => chosen.with(group(kind_of(id).unwrap_or(MeldKind::Set), onto(id), false)),
        Destination::New(kind) => chosen.with(group(kind, Onto::New, false)),
        Destination::Discard => Action::Discard(cards[0]),
        // A tentatively taken top lies no longer in the pile: a group names it.
        Destination::Pile(meld) if table.phase() == Phase::Taking => {
            let kind = meld.and_then(kind_of).unwrap_or_else(|| kind_with_top(table, cards));
            chosen.with(group(kind, meld.map_or(Onto::New, onto), true))
        }
        Destination::Pile(meld) => Action::TakePile(TakePile {
            with: cards.clone(),
            onto: meld.map_or(Onto::New, onto),
            also: chosen.groups().clone(),
        }),
    }
}

/// Returns the kind of a new meld of the cards and the tentatively taken top.
fn kind_with_top(table: &Table, cards: &CardList) -> MeldKind {
    let Some(top) = top(table) else { return MeldKind::Set };
    let begins = || aim::begins(&TakePile { with: cards.clone(), ..TakePile::default() }, top);
    if table.set().sequences && begins() { MeldKind::Sequence } else { top_meld(top).0 }
}
