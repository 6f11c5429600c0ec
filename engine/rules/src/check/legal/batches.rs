//! Every batch of groups, one at a time.

use super::canonical::{Counts, KINDS, WILDS};
use super::targets::{Target, targets, top_targets};
use super::tentative;
use crate::action::{Action, CardList, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::check::{self, InitialPart};
use crate::nodes::Nodes;
use crate::rules::{Exempt, InitialContent, InitialCount, MeldCheck, MeldsPerRank, WildCapScope};
use crate::seat::Side;
use crate::table::{Meld, Phase, Table};
use crate::way_out;
use smallvec::SmallVec;

/// A target with the group that is tried on it.
#[derive(Clone, Copy)]
struct TargetChoice {
    target: Target,
    counts: Counts,
    limits: Counts,
    /// A bit for every kind of which the group takes all cards.
    forced: u16,
    /// The lowest group to be tried: equal targets take their groups in ascending order.
    floor: Counts,
    /// The place of the next target.
    next: usize,
}

impl TargetChoice {
    fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.target.cards(&self.counts)
    }

    /// Returns the size of the meld with the group.
    fn size(&self) -> u8 {
        self.target.old.0 + self.target.old.1 + u8::from(self.target.top) + self.counts.iter().sum::<u8>()
    }
}

/// A depth-first search over the targets: each takes every well-formed group of the cards that earlier ones left.
pub(super) struct Batches<'a> {
    table: &'a Table,
    side: Side,
    /// The cards that may still be named.
    left: Cards,
    /// Whether all these cards must be named.
    exact: bool,
    /// The number of cards that come to the hand from the pile.
    picked: u16,
    /// The number of cards of the hand that may not be named.
    kept: u16,
    /// The targets of the top that have not been tried.
    tops: SmallVec<[Target; 4]>,
    targets: SmallVec<[Target; 24]>,
    /// The most wilds that the targets from each place on can take.
    room: SmallVec<[u16; 24]>,
    /// A bit for every kind, except wilds, that the targets from each place on can take.
    later: SmallVec<[u64; 24]>,
    choices: SmallVec<[TargetChoice; 24]>,
    /// The points that a batch must be worth; 0 if there is no minimum.
    required: i32,
    /// Whether a batch that goes out needs no points.
    exempts: bool,
    /// Whether the batch must hold a certain meld (MA-095, HF-066).
    wants_content: bool,
    /// Whether groups need not be well formed (AMB-HN-07).
    defers: bool,
    /// The number of steps that the search may still take.
    pub(super) budget: u64,
}

impl<'a> Batches<'a> {
    /// Returns a search for batches of cards in `within`, all of them if `exact`; `None` if no batch can be legal.
    pub(super) fn new(table: &'a Table, within: Cards, exact: bool) -> Option<Self> {
        let taking = match table.phase() {
            // No meld is laid before these threes.
            _ if !check::must_lay(table).is_empty() => return None,
            // The duty to take the top alone has one form, which names no card.
            Phase::Start if check::yields_top_only(table, &Nodes::default()) => return None,
            Phase::Start if table.rulings().forfeits_pile(table.turn.seat).is_some() => return None,
            Phase::Start => true,
            Phase::Play | Phase::Taking => false,
            _ => return None,
        };
        let set = table.set();
        let defers = !taking && set.meld_check == MeldCheck::AtDiscard;
        let seat = table.turn.seat;
        let side = table.side_of(seat);
        // While a take is pending, a batch that is no initial meld yet only leaves it pending.
        let is_judged = !table.opened(side) && !defers && table.phase != Phase::Taking;
        let top = table.pile.last().copied().filter(|_| taking);
        let mut batches = Self {
            table,
            side,
            left: within,
            exact,
            picked: 0,
            kept: table.hand(seat).len() - within.len(),
            tops: SmallVec::new(),
            targets: targets(table, side, &within, defers, top),
            room: SmallVec::new(),
            later: SmallVec::new(),
            choices: SmallVec::new(),
            required: if is_judged { required(table, side, &within) } else { 0 },
            exempts: check::exempts_going_out(table) && !check::must_ask(table),
            wants_content: is_judged
                && table.loose().is_empty()
                && set.initial_content != InitialContent::None,
            defers,
            budget: u64::MAX,
        };
        batches.room = batches.rooms();
        batches.later = core::iter::repeat_n(0, batches.targets.len() + 1).collect();
        for (i, target) in batches.targets.iter().enumerate().rev() {
            let kinds = target.kinds(&within, set) | target.with(top).map_or(0, |t| t.kinds(&within, set));
            batches.later[i] = batches.later[i + 1] | kinds;
        }
        if taking {
            let top = top.filter(|&top| !check::is_barred(table, side, top))?;
            batches.picked = check::picked_up_count(table);
            batches.tops = top_targets(table, side, top);
        } else {
            if let Some(top) = table.taken_top.filter(|top| top.meld.is_none()) {
                batches.tops = top_targets(table, side, top.card);
                if defers && !batches.tops.iter().any(|target| target.at.is_none()) {
                    let target =
                        Target { top: true, ..Target::meld(MeldKind::Set, Some(top.card.rank()), false) };
                    batches.tops.push(target);
                }
            }
            if !batches.targets.is_empty() {
                batches.push(0);
            }
        }
        Some(batches)
    }

    /// Returns, for each place, the most wilds that the targets from this place on can take (suffix sums).
    fn rooms(&self) -> SmallVec<[u16; 24]> {
        let set = self.table.set();
        let capped = set.max_wilds > 0 && set.wild_cap_scope == WildCapScope::Always && !set.overfill_out;
        let mut sum = 0u16;
        let mut rooms: SmallVec<[u16; 24]> = core::iter::once(0).collect();
        for target in self.targets.iter().rev() {
            sum += match target.kind {
                _ if self.defers && target.kind != MeldKind::BlackThrees => u8::MAX.into(),
                MeldKind::Set if capped && !target.repeats => {
                    set.max_wilds.saturating_sub(target.old.1).into()
                }
                MeldKind::BlackThrees | MeldKind::Sequence => 0,
                _ => u8::MAX.into(),
            };
            rooms.push(sum);
        }
        rooms.reverse();
        rooms
    }

    /// Returns the next complete batch in which each group is well formed.
    pub(super) fn next_batch(&mut self) -> Option<Action> {
        while self.budget > 0 {
            self.budget -= 1;
            let Some(&TargetChoice { target, counts, next, .. }) = self.choices.last() else {
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
        None
    }

    /// Puts the target at this place on the stack, except a target whose group is the top's.
    fn push(&mut self, at: usize) {
        let target = self.targets[at];
        let top = self.choices.first().map(|c| c.target).filter(|t| t.top);
        match top.filter(|t| t.at == target.at && t.kind == target.kind && t.rank == target.rank) {
            // Other cards for a sequence are laid after the top.
            Some(top) if top.kind == MeldKind::Sequence => {
                self.begin(Target { top: false, ..top }, [0; KINDS], at + 1);
            }
            Some(top) if self.splits(&top) => {
                let old = (top.old.0 + 1, top.old.1);
                self.begin(Target { top: false, old, ..top }, [0; KINDS], at + 1);
            }
            // Its group is `with`, which is on the stack already.
            Some(_) if !target.repeats => {
                self.choices.last_mut().expect("the top's choice comes first").next = at + 1;
            }
            _ => self.begin(target, [0; KINDS], at + 1),
        }
    }

    /// Whether the top goes alone to an own set, and other cards for this set may have to be a group of their own.
    fn splits(&self, top: &Target) -> bool {
        let alone = self.choices.first().is_some_and(|choice| choice.counts == [0; KINDS]);
        alone && top.at.is_some() && top.kind == MeldKind::Set && check::splits(self.table)
    }

    /// Puts a target on the stack with its first well-formed group, or advances the search where the target has none.
    fn begin(&mut self, target: Target, floor: Counts, next: usize) {
        let limits = target.limits(&self.left, self.table.set());
        let (mut counts, mut forced) = ([0; KINDS], 0);
        for place in (0..WILDS).filter(|&place| self.is_forced(&target, place, next)) {
            counts[place] = limits[place];
            forced |= 1 << place;
        }
        for card in target.cards(&counts) {
            self.left.remove(card);
        }
        self.choices.push(TargetChoice { target, counts, limits, forced, floor, next });
        if !self.fits() {
            self.advance();
        }
    }

    /// Whether a group must take all of a kind: all cards must be named and no later target takes this kind.
    fn is_forced(&self, target: &Target, place: usize, next: usize) -> bool {
        if !self.exact || target.sequence.is_some() || target.repeats {
            return false;
        }
        target.card(place, 0).is_some_and(|card| self.later[next] & 1 << card.kind() == 0)
    }

    /// Advances to the next well-formed group of the last target, or of the one before it.
    fn advance(&mut self) {
        while let Some(&choice) = self.choices.last().filter(|_| self.budget > 0) {
            self.budget -= 1;
            let stepped = (0..KINDS).rev().any(|place| self.step(&choice, place));
            if !stepped {
                let counts = self.choices.pop().expect("there is a last choice").counts;
                choice.target.cards(&counts).for_each(|card| self.left.insert(card));
            } else if self.fits() {
                return;
            }
        }
    }

    /// Adds a card of a kind to the last choice or, at the limit, gives all of them back. Returns true if it added.
    fn step(&mut self, choice: &TargetChoice, place: usize) -> bool {
        let (count, limit) = (choice.counts[place], choice.limits[place]);
        if limit == 0 || choice.forced & 1 << place != 0 {
            return false;
        }
        let next = if count < limit { count + 1 } else { 0 };
        let moved = if count < limit { count..count + 1 } else { 0..count };
        for card in moved.filter_map(|n| choice.target.card(place, n)) {
            if count < limit {
                self.left.remove(card);
            } else {
                self.left.insert(card);
            }
        }
        self.choices.last_mut().expect("there is a last choice").counts[place] = next;
        count < limit
    }

    /// Whether the last choice is well formed. `check` judges the rest at the end.
    fn fits(&self) -> bool {
        let Some(choice) = self.choices.last() else { return true };
        let (set, target) = (self.table.set(), &choice.target);
        let naturals: u8 = choice.counts[..WILDS].iter().sum();
        let wilds: u8 = choice.counts[WILDS..].iter().sum();
        let room = if target.repeats { u16::MAX } else { self.room[choice.next] };
        if self.exact && u16::from(self.left.wilds()) > room {
            return false;
        }
        if !self.may_stand(choice)
            || !self.keeps_lock()
            || self.strands(choice)
            || !self.may_place_rest(choice)
        {
            return false;
        }
        if naturals + wilds == 0 && !target.top {
            return true;
        }
        if choice.counts < choice.floor || (set.undo_meld && !self.has_number()) {
            return false;
        }
        if self.defers {
            let is_new = target.at.is_none();
            return tentative::may_place(target.kind, is_new, target.top, naturals, wilds);
        }
        let grows = if set.overfill_out { check::may_overfill } else { check::may_grow };
        let grows = |old: (u8, u8), added: (u8, u8)| {
            let begins = target.at.is_none() && !self.table.opened(self.side);
            let wild = added.1 > 0 && !check::rank_takes_wilds(set, target.rank, old.1, begins);
            !wild && grows(set, old, added)
        };
        let taking = self.table.phase() == Phase::Taking;
        match target.kind {
            MeldKind::Set if target.top => {
                (taking || self.entitles(target, naturals, wilds)) && grows(target.old, (naturals + 1, wilds))
            }
            MeldKind::Set => (naturals > 0 || target.at.is_some()) && grows(target.old, (naturals, wilds)),
            MeldKind::Wild => {
                let size = target.old.1 + wilds + u8::from(target.top);
                let over = check::surplus(set, target.old.1, size - target.old.1);
                let joined = if target.at.is_none() && !target.top { self.top_surplus() } else { 0 };
                (if target.top { (taking || wilds >= 2) && over <= 2 } else { over == 0 })
                    && size + joined >= set.meld_min
                    && (set.wild_meld_max == 0 || size <= set.wild_meld_max || set.overfill_out)
            }
            // Black threes go only with the last cards, and no target comes after a new meld of them.
            MeldKind::BlackThrees => target.at.is_some() || taking || self.hand_after() <= 1,
            MeldKind::Sequence if target.top => true,
            MeldKind::Sequence => (set.meld_min..=set.sequence_max).contains(&choice.size()),
        }
    }

    /// Whether an id is left for every meld that is begun. Ids are not used again.
    fn has_number(&self) -> bool {
        let begins = |c: &&TargetChoice| c.target.at.is_none() && (c.target.top || c.counts != [0; KINDS]);
        check::has_ids(self.table, self.side, self.choices.iter().filter(begins).count())
    }

    /// Returns the number of wilds of the top's group that join a new wild meld.
    fn top_surplus(&self) -> u8 {
        let top = self.choices.first().filter(|c| c.target.top && c.target.kind == MeldKind::Wild);
        top.map_or(0, |c| {
            let old = c.target.old.1;
            check::surplus(self.table.set(), old, c.size() - old)
        })
    }

    fn entitles(&self, target: &Target, naturals: u8, wilds: u8) -> bool {
        let meld = target.at.map(|at| &self.table.melds[usize::from(at)]);
        let rank = target.rank.expect("a top has a rank");
        check::entitles(self.table, self.side, meld, rank, naturals, wilds)
    }

    /// Whether the choice keeps to ONE_OPEN: if a meld is new, all own melds of its kind and rank that lie there are
    /// complete, and at most one new meld of them is open.
    fn may_stand(&self, choice: &TargetChoice) -> bool {
        let target = &choice.target;
        let several = self.table.set().melds_per_rank != MeldsPerRank::OneOpen;
        if several || self.defers || target.kind == MeldKind::Sequence {
            return true;
        }
        let full = self.table.set().canasta_size;
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
        let own = self.table.melds.iter().enumerate().filter(|(_, m)| m.side == self.side);
        let mut own = own.filter(|(_, m)| m.kind == target.kind && m.rank == target.rank);
        let grown = |(at, meld): (usize, &Meld)| {
            let at = Some(at as u8);
            match before.iter().rev().find(|c| c.target.at == at) {
                Some(choice) => choice.size(),
                // The top's target comes first: later choices may still complete this meld.
                None if target.top => {
                    meld.len() as u8 + target.rank.map_or(0, |r| self.left.rank_count(r)) + self.left.wilds()
                }
                None => meld.len() as u8,
            }
        };
        own.all(|meld| grown(meld) >= full) && (open == 0 || (open == 1 && choice.size() >= full))
    }

    /// Whether the naturals that this choice leaves have a place, if all cards must be named. Without this look ahead
    /// every meld of a long run is tried with every part of what it must take.
    fn may_place_rest(&self, choice: &TargetChoice) -> bool {
        let (set, target) = (self.table.set(), &choice.target);
        // A sequence may take cards that are too few for a set.
        let Some(rank) = target.rank.filter(|_| self.exact && !set.sequences) else { return true };
        let left = self.left.rank_count(rank);
        if left == 0 {
            return true;
        }
        let from = if target.repeats { choice.next - 1 } else { choice.next };
        let mut later = self.targets[from..].iter().filter(|t| t.rank == Some(rank));
        // A new meld comes last, and may stand only beside complete ones.
        let is_open =
            set.melds_per_rank == MeldsPerRank::OneOpen && !self.defers && choice.size() < set.canasta_size;
        let least = if self.defers { 1 } else { set.min_naturals };
        let may_begin = left >= least && !(target.at.is_some() && is_open);
        later.any(|t| t.at.is_some() || may_begin)
    }

    /// Whether the lock on wilds can hold (ALG-10): if wilds go elsewhere, each open wild meld can still be completed.
    fn keeps_lock(&self) -> bool {
        let outside =
            |c: &TargetChoice| c.target.kind != MeldKind::Wild && c.counts[WILDS..] != [0; KINDS - WILDS];
        if !self.table.set().wild_lock || self.defers || !self.choices.iter().any(outside) {
            return true;
        }
        let full = u16::from(self.table.set().canasta_size);
        let own = self.table.melds.iter().enumerate().filter(|(_, m)| m.side == self.side);
        let mut open = own.filter(|(_, m)| m.kind == MeldKind::Wild && m.len() < full);
        open.all(|(at, meld)| match self.choices.iter().find(|c| c.target.at == Some(at as u8)) {
            Some(choice) => u16::from(choice.size()) >= full,
            None => meld.len() + u16::from(self.left.wilds()) >= full,
        })
    }

    /// Whether the batch can still be an initial meld.
    fn is_in_reach(&self, next: usize) -> bool {
        (!self.wants_content || self.may_hold_content(next)) && self.may_reach_minimum(next)
    }

    /// Whether the batch holds the meld that it must hold, or the targets from `next` on could still make it.
    fn may_hold_content(&self, next: usize) -> bool {
        let set = self.table.set();
        let holds = |choice: &TargetChoice| {
            let top = u8::from(choice.target.top && set.initial_count != InitialCount::HandMelds);
            let named = |from: core::ops::Range<usize>| choice.counts[from].iter().sum::<u8>();
            let (naturals, wilds) = (named(0..WILDS), named(WILDS..KINDS));
            let is_wild = choice.target.kind == MeldKind::Wild;
            let (naturals, wilds) = if is_wild { (naturals, wilds + top) } else { (naturals + top, wilds) };
            naturals + wilds > 0 && InitialPart { kind: choice.target.kind, naturals, wilds }.is_content(set)
        };
        let (mut ranks, least) = ([0u8; 14], set.meld_min);
        for (card, count) in self.left.kinds().filter(|(card, _)| self.later[next] & 1 << card.kind() != 0) {
            ranks[card.rank().index()] += count;
        }
        let wild = self.left.wilds() >= least;
        wild || set.sequences
            || ranks.iter().any(|&count| count >= least.min(3))
            || self.choices.iter().any(holds)
    }

    /// Whether the batch can still be worth the minimum, or go out and be exempt from it.
    fn may_reach_minimum(&self, next: usize) -> bool {
        if self.required == 0 || self.hand_after() <= 1 {
            return true;
        }
        let named = |card: &Card| card.class() == Class::Natural && self.later[next] & 1 << card.kind() != 0;
        let useful = |card: &Card| named(card) || matches!(card.class(), Class::Wild | Class::BlackThree);
        let points = |(card, count)| i32::from(count) * self.table.rules.card_points(card);
        let later: i32 = self.left.kinds().filter(|(card, _)| useful(card)).map(points).sum();
        self.points() + later >= self.required || (self.exempts && self.may_go_out(next))
    }

    /// Whether the targets from `next` on could take all cards except one.
    fn may_go_out(&self, next: usize) -> bool {
        let later = self.left.kinds().filter(|(card, _)| self.later[next] & 1 << card.kind() != 0);
        let placed = later.map(|(_, count)| u16::from(count)).sum::<u16>() + u16::from(self.left.wilds());
        self.hand_after() <= placed + 1
    }

    /// Whether cards that must be named are left which no later target takes.
    fn strands(&self, choice: &TargetChoice) -> bool {
        if !self.exact {
            return false;
        }
        let again = choice.target.repeats && choice.counts != [0; KINDS];
        let own = if again { choice.target.kinds(&self.left, self.table.set()) } else { 0 };
        let takers = self.later[choice.next] | own | Class::Wild.kinds();
        self.left.kinds().any(|(card, _)| takers & 1 << card.kind() == 0)
    }

    fn hand_after(&self) -> u16 {
        self.left.len() + self.kept + self.picked
    }

    /// Returns the batch on the stack, or `None` if it is empty, leaves cards that it must name, or misses the minimum.
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
                .map_or(Onto::New, |at| Onto::Meld { side: None, id: self.table.melds[usize::from(at)].id });
            let mut cards: CardList = choice.cards().collect();
            if target.sequence.is_some() {
                cards.sort_unstable();
            }
            if target.top {
                take = Some((cards, onto));
            } else {
                groups.push(Group { kind: target.kind, onto, top: false, cards });
            }
        }
        let top_kind = self.choices.first().map_or(MeldKind::Set, |choice| choice.target.kind);
        match take {
            Some((cards, onto)) if self.table.phase() == Phase::Taking => {
                groups.insert(0, Group { kind: top_kind, onto, top: true, cards });
                Some(Action::Meld(groups))
            }
            Some((with, onto)) => Some(Action::TakePile(TakePile { with, onto, also: groups })),
            None if groups.is_empty() => None,
            None => Some(Action::Meld(groups)),
        }
    }

    /// Returns the most points that the batch can count: its cards, and the top where the top counts.
    fn points(&self) -> i32 {
        let rules = &self.table.rules;
        let named = |choice: &TargetChoice| -> i32 {
            let cards: CardList = choice.cards().collect();
            if choice.target.top && check::is_bare(self.table.set(), cards.len()) {
                return 0;
            }
            match choice.target.rank.filter(|_| choice.target.kind == MeldKind::Set) {
                Some(rank) => rules.points_in_set(rank, &cards),
                None => cards.iter().map(|&card| rules.card_points(card)).sum(),
            }
        };
        let top = self.choices.first().is_some_and(|c| c.target.top)
            && self.table.set().initial_count == InitialCount::WithTop;
        let top = self.table.pile.last().filter(|_| top).map_or(0, |&card| rules.card_points(card));
        self.choices.iter().map(named).sum::<i32>() + top
    }
}

/// Returns the points that a batch of `hand` must be worth; 0 if it may have a canasta that needs none or counts its
/// bonus, which `check` judges.
fn required(table: &Table, side: Side, hand: &Cards) -> i32 {
    let set = table.set();
    let most = Rank::NATURAL.iter().map(|&rank| hand.rank_count(rank)).max().unwrap_or(0);
    let splash = most.max(hand.wilds()) + 1 >= set.canasta_size;
    let bonus = !table.turn.loose.is_empty() || set.sequences || most + hand.wilds() + 1 >= set.canasta_size;
    if (set.initial_exempt.contains(Exempt::Splash) && splash) || (set.initial_bonus && bonus) {
        return 0;
    }
    // Loose cards count too.
    let of_loose = |loose| way_out::points_of_loose(table, side, loose);
    table.minimum(table.turn.seat) - table.turn.loose.iter().map(of_loose).sum::<i32>()
}
