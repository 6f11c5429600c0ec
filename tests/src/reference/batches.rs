//! Every batch of groups, one at a time.

use super::counts::{Counts, KINDS, WILDS};
use super::facts;
use super::targets::{Target, targets, top_targets};
use canasta_engine::action::{Action, CardList, Group, Groups, MeldKind, Onto, TakePile};
use canasta_engine::card::{Card, Cards, Rank};
use canasta_engine::legal::internals as check;
use canasta_engine::nodes::Nodes;
use canasta_engine::rules::{Exempt, InitialContent, InitialCount, MeldCheck, WildCapScope};
use canasta_engine::seat::Side;
use canasta_engine::table::{Loose, Phase, Table};

mod shape;

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
pub struct Batches<'a> {
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
    tops: Vec<Target>,
    targets: Vec<Target>,
    /// The most wilds that the targets from each place on can take.
    room: Vec<u16>,
    /// A bit for every kind, except wilds, that the targets from each place on can take.
    later: Vec<u64>,
    choices: Vec<TargetChoice>,
    /// The points that a batch must be worth; 0 if there is no minimum.
    required: i32,
    /// Whether a batch that goes out needs no points.
    exempts: bool,
    /// Whether the batch must hold a certain meld (MA-095, HF-066).
    wants_content: bool,
    /// Whether groups may be unfinished, because they are tested only at the end of the turn (AMB-HN-07).
    defers: bool,
    /// The number of steps that the search may still take.
    pub budget: u64,
}

impl<'a> Batches<'a> {
    /// Returns a search for batches of cards in `within`, all of them if `exact`; `None` if no batch can be legal.
    pub fn new(table: &'a Table, within: Cards, exact: bool) -> Option<Self> {
        let taking = match table.phase() {
            // No meld is laid before these threes.
            _ if !check::must_lay(table).is_empty() => return None,
            // The duty to take the top alone has one form, which names no card.
            Phase::Start if check::yields_top_only(table, &Nodes::default()) => return None,
            Phase::Start if table.rulings().forfeits_pile(table.turn_seat()).is_some() => return None,
            Phase::Start => true,
            Phase::Play | Phase::Taking => false,
            _ => return None,
        };
        let set = table.set();
        let defers = !taking && set.meld_check == MeldCheck::AtDiscard;
        let seat = table.turn_seat();
        let side = table.side_of(seat);
        // While a take is pending, a batch that is no initial meld yet only leaves it pending.
        let is_judged = !table.opened(side) && !defers && table.phase() != Phase::Taking;
        let top = table.pile().last().copied().filter(|_| taking);
        let mut batches = Self {
            table,
            side,
            left: within,
            exact,
            picked: 0,
            kept: table.hand(seat).len() - within.len(),
            tops: Vec::new(),
            targets: targets(table, side, &within, defers, top),
            room: Vec::new(),
            later: Vec::new(),
            choices: Vec::new(),
            required: if is_judged { required(table, side, &within) } else { 0 },
            exempts: !set.initial_exempt.is_empty(),
            wants_content: is_judged
                && table.loose().is_empty()
                && set.initial_content != InitialContent::None,
            defers,
            budget: u64::MAX,
        };
        batches.room = batches.rooms();
        batches.later = std::iter::repeat_n(0, batches.targets.len() + 1).collect();
        for (i, target) in batches.targets.iter().enumerate().rev() {
            let kinds = target.kinds(&within, set) | target.with(top).map_or(0, |t| t.kinds(&within, set));
            batches.later[i] = batches.later[i + 1] | kinds;
        }
        if taking {
            let top = top.filter(|&top| !check::is_barred(table, side, top))?;
            batches.picked = check::picked_up_count(table);
            batches.tops = top_targets(table, side, top);
        } else {
            if let Some(top) = table.taken_top().filter(|top| top.meld.is_none()) {
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
    fn rooms(&self) -> Vec<u16> {
        let set = self.table.set();
        let capped = set.max_wilds > 0 && set.wild_cap_scope == WildCapScope::Always && !set.overfill_out;
        let mut sum = 0u16;
        let mut rooms: Vec<u16> = std::iter::once(0).collect();
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
    pub fn next_batch(&mut self) -> Option<Action> {
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
        alone && top.at.is_some() && top.kind == MeldKind::Set && facts::splits(self.table)
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
            let onto = target.at.map_or(Onto::New, |at| Onto::Meld {
                side: None,
                id: self.table.melds()[usize::from(at)].id,
            });
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
        let rules = self.table.rules();
        // MA-102: where only melds from the hand count, a pair for the top is worth nothing.
        let bare = self.table.set().initial_count == InitialCount::HandMelds;
        let named = |choice: &TargetChoice| -> i32 {
            let cards: CardList = choice.cards().collect();
            if bare && choice.target.top && cards.len() < usize::from(self.table.set().meld_min) {
                return 0;
            }
            let rank = choice.target.rank.filter(|_| choice.target.kind == MeldKind::Set);
            check::points(self.table, rank, &cards)
        };
        let top = self.choices.first().is_some_and(|c| c.target.top)
            && self.table.set().initial_count == InitialCount::WithTop;
        let top = self.table.pile().last().filter(|_| top).map_or(0, |&card| rules.card_points(card));
        self.choices.iter().map(named).sum::<i32>() + top
    }
}

/// Returns the points that a batch of `hand` must be worth; 0 if it may have a canasta that needs none or counts its
/// bonus, which `check` judges.
fn required(table: &Table, side: Side, hand: &Cards) -> i32 {
    let set = table.set();
    let most = Rank::NATURAL.iter().map(|&rank| hand.rank_count(rank)).max().unwrap_or(0);
    let splash = most.max(hand.wilds()) + 1 >= set.canasta_size;
    let bonus = !table.loose().is_empty() || set.sequences || most + hand.wilds() + 1 >= set.canasta_size;
    if (set.initial_exempt.contains(Exempt::Splash) && splash) || (set.initial_bonus && bonus) {
        return 0;
    }
    // Loose cards count too.
    let of_loose = |loose: &Loose| {
        let cards: CardList = loose.cards.iter().collect();
        check::points(table, table.meld(side, loose.meld).and_then(|meld| meld.rank), &cards)
    };
    table.minimum(table.turn_seat()) - table.loose().iter().map(of_loose).sum::<i32>()
}
