//! The exact set of legal actions, one at a time.

use super::batches::Batches;
use super::canonical;
use super::tentative::{self, Undos};
use crate::action::{About, Action, CardList};
use crate::card::{Card, Cards};
use crate::check::{self, permits};
use crate::nodes::Nodes;
use crate::rules::{Merge, PileSteps, WildTop};
use crate::table::{Phase, Table};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// Every legal action of whoever must act, in [canonical](super::canonical()) form, each once.
///
/// The order is that of [`steps`](super::steps) with all batches in the place of the few: `deal`; answers;
/// choices of threes to be laid; draw and end of round; the first step of a take, and the way back; `pass`;
/// parts of loose melds back to the hand; takes of the pile by the top's meld (own ones by id, then a new one), then by
/// `with`, then by `also`; questions; batches of melds; discards by kind. Batches are in the order of
/// their groups: for each target in canonical order no group first, then groups in ascending order of
/// how many clubs, diamonds, hearts and spades of the rank they hold, how many twos of each suit, and
/// how many jokers; of a sequence, how many cards above what lies there, and below. Merges stand between
/// batches and discards.
///
/// The iterator holds one action at a time. There may be millions; never collect them.
pub struct All<'a> {
    state: &'a Table,
    plain: smallvec::IntoIter<[Action; 3]>,
    undos: Option<Undos<'a>>,
    threes: Threes<'a>,
    batches: Option<Batches<'a>>,
    merges: alloc::vec::IntoIter<Action>,
    discards: Cards,
}

/// The exact set of legal actions of whoever must act; empty where nobody must.
pub fn all(state: &Table) -> All<'_> {
    let hand = acting_hand(state);
    All {
        state,
        plain: plain(state).into_iter(),
        undos: (!state.is_suspended()).then(|| Undos::new(state)),
        threes: Threes::new(state, &hand, false),
        batches: if state.is_suspended() { None } else { Batches::new(state, hand, false) },
        merges: merges(state).into_iter(),
        discards: if state.phase() == Phase::Play { hand } else { Cards::EMPTY },
    }
}

/// Of [`all`] those that name exactly these cards of the hand, each as often as it is given.
pub fn all_within<'a>(state: &'a Table, cards: &Cards) -> All<'a> {
    let hand = acting_hand(state);
    let held = hand.contains(cards);
    let plain = if cards.is_empty() { plain(state) } else { SmallVec::new() };
    let discards =
        if held && cards.len() == 1 && state.phase() == Phase::Play { *cards } else { Cards::EMPTY };
    let batches = if held { Batches::new(state, *cards, true) } else { None };
    let merges = if cards.is_empty() { merges(state) } else { Vec::new() };
    let threes = Threes::new(state, if held { cards } else { &Cards::EMPTY }, true);
    // What is taken back lies on the table.
    let undos = (cards.is_empty() && !state.is_suspended()).then(|| Undos::new(state));
    All { state, plain: plain.into_iter(), undos, threes, batches, merges: merges.into_iter(), discards }
}

fn acting_hand(state: &Table) -> Cards {
    match state.phase() {
        _ if state.is_suspended() => Cards::EMPTY,
        Phase::Start | Phase::Play | Phase::Taking => *state.hand(state.turn.seat),
        _ => Cards::EMPTY,
    }
}

/// The candidates that name no cards.
fn plain(state: &Table) -> SmallVec<[Action; 3]> {
    let mut actions: SmallVec<[Action; 3]> = SmallVec::new();
    match state.phase() {
        _ if state.is_suspended() => actions.push(super::closing()),
        Phase::Deal => actions.push(super::of_table(state)),
        Phase::Asked => actions.extend([true, false].map(|yes| Action::Answer { yes })),
        Phase::Start => {
            actions.extend(state.round.reveal.map(|of| Action::CallReveal { of }));
            actions.extend([Action::DrawStock, Action::EndRound]);
            if state.set().pile_steps == PileSteps::Two {
                actions.push(Action::TakeTop);
            }
            actions.extend(tentative::duties(state));
        }
        Phase::Taking => actions.push(Action::RestorePile),
        Phase::Play => {
            if state.turn.no_discard {
                actions.push(Action::EndRound);
            } else if check::may_pass(state, &Nodes::default()) {
                actions.push(Action::Pass);
            }
            let about = About::GoOut;
            let asked = check::addressees(state, state.turn.seat);
            actions.extend(asked.into_iter().map(|to| Action::Ask { about, to: Some(to) }));
            if check::may_ask_courtesy(state) {
                actions.push(Action::Ask { about: About::Courtesy, to: None });
            }
            actions.extend(check::declarable(state).map(Action::SpecialHand));
        }
        Phase::Setup | Phase::RoundOver | Phase::GameOver => {}
    }
    actions
}

/// The candidates that unite two own melds.
fn merges(state: &Table) -> Vec<Action> {
    let mut merges = Vec::new();
    if state.set().merge == Merge::None || state.phase() != Phase::Play {
        return merges;
    }
    let own = || state.melds_of(state.side_of(state.turn.seat));
    for first in own() {
        let later = own().filter(|m| m.id > first.id && m.kind == first.kind && m.rank == first.rank);
        merges.extend(later.map(|second| Action::MergeMelds { a: first.id, b: second.id }));
    }
    merges
}

impl Iterator for All<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        loop {
            let action = self.candidate()?;
            // The cards of a deal come from beside the table; what is dealt is judged with them.
            if self.state.phase() == Phase::Deal && !self.state.is_suspended() {
                return Some(action);
            }
            let Some(legal) = permits(self.state, super::actor(self.state), &action) else { continue };
            // Of the ways to name wilds that overflow, and what follows a top, only one is canonical.
            let several = self.state.set().wild_top == WildTop::WildPair || check::splits(self.state);
            let several = several && matches!(action, Action::TakePile(_));
            if !several || canonical::form(self.state, &action, legal) == action {
                return Some(action);
            }
        }
    }
}

impl All<'_> {
    /// The same, but it gives up after so many steps of the search: a bound where hands are large, since between two
    /// legal batches there may be millions that are not.
    #[must_use]
    pub fn within_steps(mut self, steps: u64) -> Self {
        if let Some(batches) = &mut self.batches {
            batches.budget = steps;
        }
        self
    }

    /// Whether it gave up: batches are missing.
    pub fn is_cut_short(&self) -> bool {
        self.batches.as_ref().is_some_and(|batches| batches.budget == 0)
    }

    fn candidate(&mut self) -> Option<Action> {
        if let Some(action) = self.threes.next().or_else(|| self.plain.next()) {
            return Some(action);
        }
        if let Some(action) = self.undos.as_mut().and_then(Undos::next) {
            return Some(action);
        }
        if let Some(action) = self.batches.as_mut().and_then(Batches::next_batch) {
            return Some(action);
        }
        if let Some(merge) = self.merges.next() {
            return Some(merge);
        }
        let (card, _) = self.discards.kinds().next()?;
        while self.discards.remove(card) {}
        Some(Action::Discard(card))
    }
}

/// Every choice of threes that may be laid by choice, as a canonical action.
struct Threes<'a> {
    state: &'a Table,
    /// The kinds, with how many of each may be named and are.
    kinds: SmallVec<[(Card, u8, u8); 4]>,
    done: bool,
}

impl<'a> Threes<'a> {
    /// Those of `within`; all of it if `exact`.
    fn new(state: &'a Table, within: &Cards, exact: bool) -> Self {
        let playing = matches!(state.phase(), Phase::Start | Phase::Play);
        let mut kinds = SmallVec::new();
        if playing && state.set().lays_threes_by_choice() {
            let layable = check::layable_threes(state);
            let named = layable.kinds().map(|(card, count)| (card, count.min(within.count(card))));
            kinds = named.filter(|&(_, count)| count > 0).map(|(card, count)| (card, count, 0)).collect();
        }
        let all = kinds.iter().map(|&(_, count, _)| u16::from(count)).sum::<u16>() == within.len();
        if exact {
            // One step from the end: the next choice is all of them.
            let mut places = kinds.iter_mut();
            if let Some((_, most, named)) = places.next_back() {
                *named = *most - 1;
            }
            places.for_each(|(_, most, named)| *named = *most);
        }
        Self { state, done: kinds.is_empty() || (exact && !all), kinds }
    }
}

impl Iterator for Threes<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        while !self.done {
            let Some(place) = self.kinds.iter().rposition(|&(_, most, named)| named < most) else {
                self.done = true;
                break;
            };
            self.kinds[place].2 += 1;
            self.kinds[place + 1..].iter_mut().for_each(|(.., named)| *named = 0);
            let of_kind = |&(card, _, named): &(Card, u8, u8)| core::iter::repeat_n(card, named.into());
            let named: CardList = self.kinds.iter().flat_map(of_kind).collect();
            let laid = canonical::threes(self.state, named.clone());
            if laid.len() == named.len() {
                return Some(Action::LayThrees(laid));
            }
        }
        None
    }
}
