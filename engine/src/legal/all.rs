//! The exact set of legal actions, one at a time.

use super::canonical::{self, Counts, KINDS, WILDS};
use crate::action::{About, Action, Deal, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::check::{self, check};
use crate::rules::{BlackThreeMeld, CanastaAccepts, Exempt, InitialCount, MeldsPerRank, WildCapScope};
use crate::seat::Side;
use crate::state::{Meld, Phase, State};
use smallvec::SmallVec;

/// Every legal action of whoever must act, in [canonical](super::canonical()) form, each once.
///
/// The order is that of [`steps`](super::steps) with all batches in the place of the few: `deal`; answers;
/// draw and end of round; takes of the pile by the top's meld (own ones by id, then a new one), then by
/// `with`, then by `also`; questions; batches of melds; discards by kind. Batches are in the order of
/// their groups: for each target in canonical order no group first, then groups in ascending order of
/// how many clubs, diamonds, hearts and spades of the rank they hold, how many twos of each suit, and
/// how many jokers.
///
/// The iterator holds one action at a time. There may be millions; never collect them.
pub struct All<'a> {
    state: &'a State,
    plain: smallvec::IntoIter<[Action; 3]>,
    batches: Option<Batches<'a>>,
    discards: Cards,
}

/// The exact set of legal actions of whoever must act; empty where nobody must.
pub fn all(state: &State) -> All<'_> {
    let hand = acting_hand(state);
    All {
        state,
        plain: plain(state).into_iter(),
        batches: Batches::new(state, hand, false),
        discards: if state.phase() == Phase::Play { hand } else { Cards::EMPTY },
    }
}

/// Of [`all`] those that name exactly these cards of the hand, each as often as it is given.
pub fn all_within<'a>(state: &'a State, cards: &Cards) -> All<'a> {
    let hand = acting_hand(state);
    let held = hand.contains(cards);
    let plain = if cards.is_empty() { plain(state) } else { SmallVec::new() };
    let discards =
        if held && cards.len() == 1 && state.phase() == Phase::Play { *cards } else { Cards::EMPTY };
    let batches = if held { Batches::new(state, *cards, true) } else { None };
    All { state, plain: plain.into_iter(), batches, discards }
}

fn acting_hand(state: &State) -> Cards {
    match state.phase() {
        Phase::Start | Phase::Play => *state.hand(state.turn.seat),
        _ => Cards::EMPTY,
    }
}

/// The candidates that name no cards.
fn plain(state: &State) -> SmallVec<[Action; 3]> {
    let mut actions = SmallVec::new();
    match state.phase() {
        Phase::Deal => actions.push(Action::Deal(Deal::default().into())),
        Phase::Asked => actions.extend([true, false].map(|yes| Action::Answer { yes })),
        Phase::Start => actions.extend([Action::DrawStock, Action::EndRound]),
        Phase::Play => {
            let about = About::GoOut;
            actions.extend(state.mates(state.turn.seat).map(|to| Action::Ask { about, to: Some(to) }));
        }
        Phase::Setup | Phase::RoundOver | Phase::GameOver => {}
    }
    actions
}

impl Iterator for All<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        loop {
            let action = self.candidate()?;
            if check(self.state, super::actor(self.state), &action).is_ok() {
                return Some(action);
            }
        }
    }
}

impl All<'_> {
    fn candidate(&mut self) -> Option<Action> {
        if let Some(action) = self.plain.next() {
            return Some(action);
        }
        if let Some(action) = self.batches.as_mut().and_then(Batches::next_batch) {
            return Some(action);
        }
        let (card, _) = self.discards.kinds().next()?;
        while self.discards.remove(card) {}
        Some(Action::Discard(card))
    }
}

/// A meld that a group may go to.
#[derive(Clone, Copy)]
struct Target {
    /// Index into the state's melds; `None` is a new one.
    at: Option<u8>,
    kind: MeldKind,
    rank: Option<Rank>,
    /// Naturals and wilds that lie there.
    old: (u8, u8),
    /// The top goes here: the group is `with`.
    top: bool,
    /// No later target takes the same naturals.
    last: bool,
    /// A batch may begin several melds of this kind and rank.
    repeats: bool,
}

/// A target with the group that is tried on it.
#[derive(Clone, Copy)]
struct Choice {
    target: Target,
    counts: Counts,
    limits: Counts,
    /// Groups below this one are left out: equal targets take their groups in order.
    floor: Counts,
    /// The place of the next target.
    next: usize,
}

impl Choice {
    /// The size of the meld with the group.
    fn size(&self) -> u8 {
        self.target.old.0 + self.target.old.1 + u8::from(self.target.top) + self.counts.iter().sum::<u8>()
    }
}

/// Depth first over the targets: each takes every well-formed group of what the ones before it left.
struct Batches<'a> {
    state: &'a State,
    side: Side,
    /// What may still be named.
    left: Cards,
    /// All of it must be named.
    exact: bool,
    /// How many cards come to the hand besides.
    picked: u16,
    /// How many cards of the hand may not be named.
    kept: u16,
    /// Targets of the top that have not been tried.
    tops: SmallVec<[Target; 4]>,
    targets: SmallVec<[Target; 24]>,
    /// How many wilds the targets from each place on can take, at most.
    room: SmallVec<[u16; 24]>,
    choices: SmallVec<[Choice; 24]>,
    /// The points that a batch must be worth, 0 if none are asked.
    required: i32,
}

impl<'a> Batches<'a> {
    /// The batches of `within`, a part of the hand: all of it if `exact`.
    fn new(state: &'a State, within: Cards, exact: bool) -> Option<Self> {
        let taking = state.phase() == Phase::Start;
        if !taking && state.phase() != Phase::Play {
            return None;
        }
        let seat = state.turn.seat;
        let side = state.side_of(seat);
        let free = state.opened(side) || state.set().initial_exempt.contains(Exempt::Splash);
        let mut batches = Self {
            state,
            side,
            left: within,
            exact,
            picked: 0,
            kept: state.hand(seat).len() - within.len(),
            tops: SmallVec::new(),
            targets: targets(state, side, &within),
            room: SmallVec::new(),
            choices: SmallVec::new(),
            required: if free { 0 } else { state.minimum(side) },
        };
        batches.room = batches.rooms();
        if taking {
            let top = *state.pile.last().filter(|&&top| !check::is_barred(state, side, top))?;
            batches.picked = check::picked_up(state).len();
            batches.tops = top_targets(state, side, top.rank());
        } else if !batches.targets.is_empty() {
            batches.push(0);
        }
        Some(batches)
    }

    /// The suffix sums of what the targets can take.
    fn rooms(&self) -> SmallVec<[u16; 24]> {
        let set = self.state.set();
        let capped = set.max_wilds > 0 && set.wild_cap_scope == WildCapScope::Always;
        let mut sum = 0u16;
        let mut rooms: SmallVec<[u16; 24]> = core::iter::once(0).collect();
        for target in self.targets.iter().rev() {
            sum += match target.kind {
                MeldKind::Set if capped && !target.repeats => {
                    set.max_wilds.saturating_sub(target.old.1).into()
                }
                MeldKind::BlackThrees => 0,
                _ => u8::MAX.into(),
            };
            rooms.push(sum);
        }
        rooms.reverse();
        rooms
    }

    /// The next complete batch, well-formed group by group.
    fn next_batch(&mut self) -> Option<Action> {
        loop {
            let Some(&Choice { target, counts, next, .. }) = self.choices.last() else {
                if self.tops.is_empty() {
                    return None;
                }
                let target = self.tops.remove(0);
                self.begin(target, [0; KINDS], 0);
                continue;
            };
            if !self.is_in_reach(if target.repeats { next.saturating_sub(1) } else { next }) {
                self.advance();
            } else if target.repeats && counts != [0; KINDS] {
                self.begin(target, counts, next);
            } else if next < self.targets.len() {
                self.push(next);
            } else {
                let action = self.action();
                self.advance();
                if action.is_some() {
                    return action;
                }
            }
        }
    }

    /// Puts the target at this place on the stack, or the one after it if this is the top's.
    fn push(&mut self, at: usize) {
        let target = self.targets[at];
        let top = self.choices.first().map(|c| c.target).filter(|t| t.top);
        if top.is_some_and(|t| t.at == target.at && t.rank == target.rank && !target.repeats) {
            // Its group is `with`.
            self.choices.last_mut().expect("the top's choice comes first").next = at + 1;
            return;
        }
        self.begin(target, [0; KINDS], at + 1);
    }

    /// Puts a target on the stack with its first well-formed group, or goes on where it has none.
    fn begin(&mut self, target: Target, floor: Counts, next: usize) {
        let limits = limits(target.kind, target.rank, &self.left);
        let mut counts = [0; KINDS];
        if self.exact && target.last {
            // No later target takes these naturals.
            counts[..WILDS].copy_from_slice(&limits[..WILDS]);
            let rank = canonical::rank_of(target.kind, target.rank);
            for card in canonical::cards(&counts, rank) {
                self.left.remove(card);
            }
        }
        self.choices.push(Choice { target, counts, limits, floor, next });
        if !self.fits() {
            self.advance();
        }
    }

    /// Goes on to the next well-formed group of the last target, or of the one before it.
    fn advance(&mut self) {
        while let Some(choice) = self.choices.last_mut() {
            let rank = canonical::rank_of(choice.target.kind, choice.target.rank);
            let mut stepped = false;
            let forced = if self.exact && choice.target.last { WILDS } else { 0 };
            for place in (forced..KINDS).rev() {
                let count = choice.counts[place];
                if choice.limits[place] == 0 {
                    continue;
                }
                let card = canonical::card_at(place, rank).expect("a kind with a limit is a card");
                if count < choice.limits[place] {
                    choice.counts[place] += 1;
                    self.left.remove(card);
                    stepped = true;
                    break;
                }
                choice.counts[place] = 0;
                (0..count).for_each(|_| self.left.insert(card));
            }
            if !stepped {
                for card in canonical::cards(&choice.counts, rank) {
                    self.left.insert(card);
                }
                self.choices.pop();
            } else if self.fits() {
                return;
            }
        }
    }

    /// Whether the last choice is well formed. What it leaves out, `check` judges at the end.
    fn fits(&self) -> bool {
        let Some(choice) = self.choices.last() else { return true };
        let (set, target) = (self.state.set(), &choice.target);
        let naturals: u8 = choice.counts[..WILDS].iter().sum();
        let wilds: u8 = choice.counts[WILDS..].iter().sum();
        let room = if target.repeats { u16::MAX } else { self.room[choice.next] };
        if self.exact && u16::from(self.left.wilds()) > room {
            return false;
        }
        if !self.may_stand(choice) {
            return false;
        }
        if naturals + wilds == 0 && !target.top {
            return !(self.exact && target.repeats && self.strands(target));
        }
        if choice.counts < choice.floor {
            return false;
        }
        let well_formed = match target.kind {
            MeldKind::Set if target.top => {
                self.entitles(target, naturals, wilds)
                    && check::may_grow(set, target.old, (naturals + 1, wilds))
            }
            MeldKind::Set => {
                (naturals > 0 || target.at.is_some()) && check::may_grow(set, target.old, (naturals, wilds))
            }
            MeldKind::Wild => {
                let size = target.old.1 + wilds;
                let closed =
                    target.old.1 >= set.canasta_size && set.canasta_accepts == CanastaAccepts::Naturals;
                !closed && size >= set.meld_min && (set.wild_meld_max == 0 || size <= set.wild_meld_max)
            }
            // They go only with the last cards, and no target comes after a new meld of them.
            MeldKind::BlackThrees => target.at.is_some() || self.hand_after() <= 1,
            MeldKind::Sequence => false,
        };
        well_formed && self.keeps_lock(target, wilds)
    }

    fn entitles(&self, target: &Target, naturals: u8, wilds: u8) -> bool {
        let meld = target.at.map(|at| &self.state.melds[usize::from(at)]);
        let rank = target.rank.expect("a top has a rank");
        check::entitles(self.state, self.side, meld, rank, naturals, wilds)
    }

    /// ONE_OPEN: beside a new meld all others of its kind and rank are complete, or it is.
    fn may_stand(&self, choice: &Choice) -> bool {
        let target = &choice.target;
        if self.state.set().melds_per_rank != MeldsPerRank::OneOpen {
            return true;
        }
        let full = self.state.set().canasta_size;
        let alike = |t: &Target| t.kind == target.kind && t.rank == target.rank;
        let (before, _) = self.choices.split_at(self.choices.len() - 1);
        if target.at.is_some() {
            let beside =
                before.first().is_some_and(|c| c.target.top && c.target.at.is_none() && alike(&c.target));
            return !beside || choice.size() >= full;
        }
        if choice.counts == [0; KINDS] && !target.top {
            return true;
        }
        let begun = before.iter().filter(|c| c.target.at.is_none() && alike(&c.target));
        let open =
            begun.filter(|c| c.counts != [0; KINDS] || c.target.top).filter(|c| c.size() < full).count();
        let own = self.state.melds.iter().enumerate().filter(|(_, m)| m.side == self.side);
        let mut own = own.filter(|(_, m)| m.kind == target.kind && m.rank == target.rank);
        let grown = |(at, meld): (usize, &Meld)| {
            let at = Some(at as u8);
            match before.iter().find(|c| c.target.at == at) {
                Some(choice) => choice.size(),
                // The top's target comes first: its own melds may still be completed.
                None if target.top => {
                    meld.len() as u8 + target.rank.map_or(0, |r| self.left.rank_count(r)) + self.left.wilds()
                }
                None => meld.len() as u8,
            }
        };
        own.all(|meld| grown(meld) >= full) && (open == 0 || (open == 1 && choice.size() >= full))
    }

    /// ALG-10: whether an open wild meld can still be completed if wilds go elsewhere.
    fn keeps_lock(&self, target: &Target, wilds: u8) -> bool {
        if !self.state.set().wild_lock || wilds == 0 || target.kind == MeldKind::Wild {
            return true;
        }
        let mut locked = self.state.melds_of(self.side).filter(|m| m.kind == MeldKind::Wild);
        let full = u16::from(self.state.set().canasta_size);
        let named = self.choices.iter().filter(|c| c.target.kind == MeldKind::Wild).map(|c| c.size()).max();
        locked.all(|m| {
            let now = m.len().max(named.unwrap_or(0).into());
            m.len() >= full || now + u16::from(self.left.wilds()) >= full
        })
    }

    /// Whether the batch can still be worth the minimum, or go out and be exempt from it.
    fn is_in_reach(&self, next: usize) -> bool {
        if self.required == 0 || self.hand_after() <= 1 {
            return true;
        }
        let points = |rank: Rank| self.state.rules.rank_points(rank) * i32::from(self.left.rank_count(rank));
        let later: i32 = self.targets[next..].iter().filter_map(|t| t.rank).map(points).sum();
        let reach = self.points() + later + points(Rank::Two) + points(Rank::Joker) + points(Rank::Three);
        reach >= self.required || self.may_go_out(next)
    }

    /// Whether the targets from `next` on could take all but one card.
    fn may_go_out(&self, next: usize) -> bool {
        let held = |rank: Rank| u16::from(self.left.rank_count(rank));
        let later: u16 = self.targets[next..].iter().filter_map(|t| t.rank).map(held).sum();
        let placed = later + u16::from(self.left.wilds() + self.left.black_threes());
        self.hand_after() <= placed + 1
    }

    /// Whether naturals are left that no target after this one takes.
    fn strands(&self, target: &Target) -> bool {
        target.rank.is_some_and(|rank| self.left.rank_count(rank) > 0)
    }

    fn hand_after(&self) -> u16 {
        self.left.len() + self.kept + self.picked
    }

    /// The batch on the stack; `None` if it is empty, leaves cards that it must name, or misses the
    /// minimum.
    fn action(&self) -> Option<Action> {
        if self.exact && !self.left.is_empty() {
            return None;
        }
        if self.hand_after() > 1 && self.required > 0 && self.points() < self.required {
            return None;
        }
        let mut groups = Groups::new();
        let mut take = None;
        for choice in &self.choices {
            if choice.counts == [0; KINDS] && !choice.target.top {
                continue;
            }
            let target = &choice.target;
            let onto = target
                .at
                .map_or(Onto::New, |at| Onto::Meld { side: None, id: self.state.melds[usize::from(at)].id });
            let cards = canonical::cards(&choice.counts, canonical::rank_of(target.kind, target.rank));
            if target.top {
                take = Some((cards, onto));
            } else {
                groups.push(Group { kind: target.kind, onto, top: false, cards });
            }
        }
        match take {
            Some((with, onto)) => Some(Action::TakePile(TakePile { with, onto, also: groups })),
            None if groups.is_empty() => None,
            None => Some(Action::Meld(groups)),
        }
    }

    /// What the batch counts at most: the cards it names, and the top where it counts.
    fn points(&self) -> i32 {
        let rules = &self.state.rules;
        let named = |choice: &Choice| -> i32 {
            let rank = canonical::rank_of(choice.target.kind, choice.target.rank);
            canonical::cards(&choice.counts, rank).iter().map(|&card| rules.card_points(card)).sum()
        };
        let top = self.choices.first().is_some_and(|c| c.target.top)
            && self.state.set().initial_count == InitialCount::WithTop;
        let top = self.state.pile.last().filter(|_| top).map_or(0, |&card| rules.card_points(card));
        self.choices.iter().map(named).sum::<i32>() + top
    }
}

/// Everything that a group of cards from `hand` may go to, in canonical order.
fn targets(state: &State, side: Side, hand: &Cards) -> SmallVec<[Target; 24]> {
    let set = state.set();
    let single = set.melds_per_rank == MeldsPerRank::One;
    let own = |kind, rank| state.melds_of(side).any(|m| m.kind == kind && m.rank == rank);
    let mut targets: SmallVec<[Target; 24]> = SmallVec::new();
    for (at, meld) in state.melds.iter().enumerate().filter(|(_, m)| m.side == side) {
        targets.push(onto(state, at, single || meld.kind == MeldKind::BlackThrees));
    }
    let fresh = |kind, rank, repeats: bool| Target {
        at: None,
        kind,
        rank,
        old: (0, 0),
        top: false,
        last: !repeats,
        repeats,
    };
    for rank in Rank::NATURAL {
        if !(single && own(MeldKind::Set, Some(rank))) {
            targets.push(fresh(MeldKind::Set, Some(rank), !single));
        }
    }
    if set.wild_melds && !(single && own(MeldKind::Wild, None)) {
        targets.push(fresh(MeldKind::Wild, None, !single));
    }
    if set.black_three_meld != BlackThreeMeld::Never && !own(MeldKind::BlackThrees, None) {
        targets.push(fresh(MeldKind::BlackThrees, None, false));
    }
    let begins = |rank: Rank| hand.rank_count(rank) >= set.min_naturals.max(1);
    targets.retain(|t| match t.rank.filter(|_| t.at.is_none()) {
        Some(rank) => begins(rank),
        None => limits(t.kind, t.rank, hand) != [0; KINDS],
    });
    targets
}

fn onto(state: &State, at: usize, last: bool) -> Target {
    let meld = &state.melds[at];
    let wilds = meld.wilds();
    let old = (meld.len() as u8 - wilds, wilds);
    Target { at: Some(at as u8), kind: meld.kind, rank: meld.rank, old, top: false, last, repeats: false }
}

/// The melds that a top of this rank may go to, in canonical order.
fn top_targets(state: &State, side: Side, rank: Rank) -> SmallVec<[Target; 4]> {
    let single = state.set().melds_per_rank == MeldsPerRank::One;
    let own = state.melds.iter().enumerate().filter(|(_, m)| m.side == side && m.rank == Some(rank));
    let mut targets: SmallVec<[Target; 4]> =
        own.map(|(at, _)| Target { top: true, ..onto(state, at, single) }).collect();
    if targets.is_empty() || !single {
        let rank = Some(rank);
        let (kind, old) = (MeldKind::Set, (0, 0));
        targets.push(Target { at: None, kind, rank, old, top: true, last: single, repeats: false });
    }
    targets
}

/// How many of each kind a group of this kind and rank could hold.
fn limits(kind: MeldKind, rank: Option<Rank>, hand: &Cards) -> Counts {
    let rank = canonical::rank_of(kind, rank);
    let fits = |card: Card| match kind {
        MeldKind::Set => card.class() != Class::RedThree,
        MeldKind::Wild => card.is_wild(),
        MeldKind::BlackThrees => card.class() == Class::BlackThree,
        MeldKind::Sequence => false,
    };
    core::array::from_fn(|place| {
        canonical::card_at(place, rank).filter(|&card| fits(card)).map_or(0, |card| hand.count(card))
    })
}
