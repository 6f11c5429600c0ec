//! Minimal initial batches: nothing can be removed from them without missing the minimum (DESIGN, two legal sets).

use super::pick::{Pick, Stack};
use super::{Lister, canonical, sequences};
use crate::action::{Action, CardList, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Rank};
use crate::check::{self, InitialPart};
use crate::nodes::Nodes;
use crate::rules::{Exempt, InitialCount, MeldsPerRank, RuleSet, WildValue};
use crate::scoring;
use crate::sequence::{Sequence, card_at};
use crate::table::{Phase, grade};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// Maximum number of listed batches.
const BATCHES_MAX: usize = 512;

/// A group of a batch: naturals of `rank`, a sequence, or wilds only.
#[derive(Clone, Copy, Debug)]
struct InitialGroup {
    rank: Option<Rank>,
    sequence: Option<Sequence>,
    pick: Pick,
    /// The number of cards of the pile in the group: 1 for the top of a take, else 0.
    top: u8,
    value: i32,
}

impl InitialGroup {
    /// Returns the meld as it counts: with the top, unless only melds from the hand count.
    fn part(&self, set: &RuleSet) -> InitialPart {
        let top = if set.initial_count == InitialCount::HandMelds { 0 } else { self.top };
        let (kind, naturals, wilds) = match (self.rank, self.sequence) {
            (Some(_), _) => (MeldKind::Set, self.pick.naturals + top, self.pick.wilds()),
            (None, Some(_)) => (MeldKind::Sequence, self.pick.naturals, 0),
            (None, None) => (MeldKind::Wild, 0, self.pick.wilds() + top),
        };
        InitialPart { kind, naturals, wilds }
    }
}

/// Whether a group is a meld by itself, with `top` cards of the pile. A group without a rank is of wilds only.
fn is_meld(set: &RuleSet, rank: Option<Rank>, pick: Pick, top: u8) -> bool {
    if rank.is_some() {
        let takes_wilds = pick.wilds() == 0 || check::rank_takes_wilds(set, rank, 0, true);
        return takes_wilds && check::is_set(set, pick.naturals + top, pick.wilds());
    }
    let size = pick.wilds() + top;
    size >= set.meld_min
        && (set.wild_meld_max == 0 || size <= set.wild_meld_max)
        && check::surplus(set, 0, size) == 0
}

type Choices = SmallVec<[InitialGroup; 6]>;

struct InitialSearch<'l, 'a> {
    lister: &'l Lister<'a>,
    nodes: &'l Nodes,
    /// The cards that no sequence has taken.
    hand: Cards,
    /// The number of these cards that sets have taken, by rank.
    used: [u8; 14],
    /// The sequences that the hand can begin.
    sequences: Vec<Sequence>,
    required: i32,
    chosen: Choices,
    found: Vec<(i32, Choices)>,
    /// For each place in the order of ranks, the most points that naturals from this place on can add.
    reach: [i32; 12],
    /// The most points that bonuses of canastas can add, where they count (HN-066).
    bonuses: i32,
    /// The most points that a two, and a joker, can add.
    wild_values: [i32; 2],
    /// Whether the hand has a canasta that lifts the minimum, so that points are no bound.
    may_splash: bool,
}

/// Lists the minimal batches of a side that has not opened.
pub(super) fn melds(lister: &mut Lister<'_>) {
    let found = search(lister, None);
    emit(lister, found, |lister, choices| Action::Meld(groups(lister, choices, None).1));
}

/// Lists the takes of a side that has not opened.
pub(super) fn takes(lister: &mut Lister<'_>, top: Card) {
    let (table, rank) = (lister.table, top.rank());
    let (kind, meld_rank) = check::top_meld(top);
    let held = if kind == MeldKind::Wild { 0 } else { lister.held(rank) };
    if held < 2 && !table.frozen(lister.side).is_empty() {
        return;
    }
    let naturals = meld_rank.map_or_else(Stack::default, |rank| Stack::of(lister.hand, rank));
    let mut found = Vec::new();
    let picked = check::picked_up_count(table);
    for pick in lister.wilds.picks(0, held) {
        if !check::entitles(table, lister.side, None, rank, pick.naturals, pick.wilds())
            || !is_meld(lister.set, meld_rank, pick, 1)
        {
            continue;
        }
        if lister.is_cut() {
            break;
        }
        found.append(&mut search(lister, Some((meld_rank, pick))));
        if picked <= 1 && table.phase() == Phase::Start {
            let with = pick.cards(&naturals, &lister.wilds);
            lister.take_and_go_out(&TakePile { with, onto: Onto::New, also: Groups::new() }, top);
        }
    }
    emit(lister, found, |lister, choices| {
        let (first, rest) = choices.split_first().expect("a take begins with its top");
        let (with, mut also) = groups(lister, rest, Some((meld_rank, first.pick)));
        if table.phase() == Phase::Taking {
            also.insert(0, Group { kind, onto: Onto::New, top: true, cards: with });
            return Action::Meld(also);
        }
        Action::TakePile(TakePile { with, onto: Onto::New, also })
    });
}

/// Returns the minimal batches, each with its value. With `top`, they contain this group of the top.
fn search(lister: &mut Lister<'_>, top: Option<(Option<Rank>, Pick)>) -> Vec<(i32, Choices)> {
    let (found, is_whole) = lister.nodes.search(|nodes| {
        let mut search = InitialSearch::new(lister, nodes);
        let (mut twos, mut jokers, mut value) = (lister.wilds.twos(), lister.wilds.jokers(), 0);
        if let Some((rank, pick)) = top {
            (twos, jokers, value) = (twos - pick.twos, jokers - pick.jokers, search.worth(rank, pick, 1));
            search.chosen.push(InitialGroup { rank, sequence: None, pick, top: 1, value });
            rank.into_iter().for_each(|rank| search.used[rank.index()] = pick.naturals);
        }
        if top.is_some() || search.may_splash || search.is_in_reach(0, twos, jokers, 0) {
            search.begin(0, twos, jokers, value);
        }
        search.found
    });
    lister.steps.truncated |= !is_whole;
    found
}

fn emit(
    lister: &mut Lister<'_>,
    mut found: Vec<(i32, Choices)>,
    action: impl Fn(&Lister<'_>, &[InitialGroup]) -> Action,
) {
    found.sort_by_key(|&(value, _)| value);
    lister.steps.truncated |= found.len() > BATCHES_MAX;
    found.truncate(BATCHES_MAX);
    let before = lister.steps.actions.len();
    for (_, choices) in found {
        let named: u8 = choices.iter().map(|choice| choice.pick.len()).sum();
        let action = action(lister, &choices);
        // A take that goes out may be in the list already.
        if !lister.steps.actions[..before].contains(&action) {
            lister.offer(action, lister.hand.len() - u16::from(named));
        }
    }
}

/// Returns the cards laid with the top, if there is one, and the groups of a batch.
fn groups(
    lister: &Lister<'_>,
    choices: &[InitialGroup],
    top: Option<(Option<Rank>, Pick)>,
) -> (CardList, Groups) {
    let mut groups = Groups::new();
    let mut rest = *lister.hand;
    // Sequences come first: they need certain cards, sets take any cards of their rank.
    for sequence in choices.iter().filter_map(|choice| choice.sequence) {
        take_out(&mut rest, sequence.cards());
        groups.push(sequences::group(sequence));
    }
    let has_sequences = !groups.is_empty();
    let mut named = |rank: Option<Rank>, pick: Pick| {
        let naturals = rank.map_or_else(Stack::default, |rank| Stack::of(&rest, rank));
        let cards = pick.cards(&naturals, &Stack::wilds(&rest));
        take_out(&mut rest, cards.iter().copied());
        cards
    };
    let with = top.map_or_else(CardList::new, |(rank, pick)| named(rank, pick));
    for choice in choices.iter().filter(|choice| choice.sequence.is_none()) {
        let kind = if choice.rank.is_some() { MeldKind::Set } else { MeldKind::Wild };
        let cards = named(choice.rank, choice.pick);
        groups.push(Group { kind, onto: Onto::New, top: false, cards });
    }
    // Of two sets of one rank, the set with the lower cards comes later.
    if has_sequences || choices.windows(2).any(|pair| pair[0].rank == pair[1].rank) {
        canonical::sort(&mut groups);
    }
    (with, groups)
}

fn take_out(rest: &mut Cards, cards: impl Iterator<Item = Card>) {
    for card in cards {
        let held = rest.remove(card);
        debug_assert!(held, "a batch names every card once");
    }
}

impl<'l, 'a> InitialSearch<'l, 'a> {
    fn new(lister: &'l Lister<'a>, nodes: &'l Nodes) -> Self {
        let sequences = lister
            .set
            .sequences
            .then(|| sequences::begun(lister.set, lister.hand))
            .into_iter()
            .flatten()
            .collect();
        let mut search = Self {
            lister,
            nodes,
            hand: *lister.hand,
            used: [0; 14],
            sequences,
            required: lister.table.minimum(lister.seat),
            chosen: SmallVec::new(),
            found: Vec::new(),
            reach: [0; 12],
            bonuses: most_bonuses(lister),
            wild_values: wild_values(lister),
            may_splash: lister.set.initial_exempt.contains(Exempt::Splash)
                && lister.counts.iter().chain([&lister.wilds.len()]).any(|&c| c >= lister.set.canasta_size),
        };
        for (i, rank) in Rank::NATURAL.into_iter().enumerate().rev() {
            let held = lister.held(rank);
            let counts = held >= lister.set.min_naturals || lister.set.sequences;
            let pick = Pick { naturals: if counts { held } else { 0 }, twos: 0, jokers: 0 };
            search.reach[i] = search.reach[i + 1] + search.value(Some(rank), pick);
        }
        search
    }

    fn value(&self, rank: Option<Rank>, pick: Pick) -> i32 {
        let points = |rank: Rank, count: u8| i32::from(count) * self.lister.table.rules.rank_points(rank);
        if let Some(rank) = rank.filter(|_| self.lister.set.wild_value == WildValue::Substituted) {
            return points(rank, pick.len());
        }
        rank.map_or(0, |rank| points(rank, pick.naturals))
            + points(Rank::Two, pick.twos)
            + points(Rank::Joker, pick.jokers)
    }

    /// Whether all naturals from place `i` on, with these wilds, could reach the minimum.
    fn is_in_reach(&self, i: usize, twos: u8, jokers: u8, value: i32) -> bool {
        let [two, joker] = self.wild_values;
        let wilds = i32::from(twos) * two + i32::from(jokers) * joker;
        value + self.reach[i] + wilds + self.bonuses >= self.required
    }

    /// Adds groups of ranks; or first sequences from index `from` of the list on, then groups of ranks.
    fn begin(&mut self, from: usize, twos: u8, jokers: u8, value: i32) {
        self.extend(0, twos, jokers, value);
        let reached = self.meets(value, self.chosen.iter().copied());
        if reached || self.nodes.are_used_up() {
            return;
        }
        for at in from..self.sequences.len() {
            if !self.nodes.visit() {
                return;
            }
            let sequence = self.sequences[at];
            if !sequence.cards().all(|card| self.hand.count(card) > 0 && self.free(card.rank()) > 0) {
                continue;
            }
            sequence.cards().for_each(|card| _ = self.hand.remove(card));
            let points: i32 = sequence.cards().map(|card| self.lister.table.rules.card_points(card)).sum();
            let worth = points + self.sequence_bonus(sequence);
            let pick = Pick { naturals: sequence.len, twos: 0, jokers: 0 };
            self.chosen.push(InitialGroup {
                rank: None,
                sequence: Some(sequence),
                pick,
                top: 0,
                value: worth,
            });
            self.begin(at, twos, jokers, value + worth);
            self.chosen.pop();
            sequence.cards().for_each(|card| self.hand.insert(card));
        }
    }

    /// Returns the number of naturals of a rank that are left for sets.
    fn free(&self, rank: Rank) -> u8 {
        self.hand.rank_count(rank) - self.used[rank.index()]
    }

    /// Adds groups of the ranks from place `i` on, then a group of wilds only, until the minimum is reached.
    fn extend(&mut self, i: usize, twos: u8, jokers: u8, value: i32) {
        if !self.nodes.visit() {
            return;
        }
        if self.meets(value, self.chosen.iter().copied()) {
            self.record(value);
            return;
        }
        let in_reach = self.may_splash || self.is_in_reach(i, twos, jokers, value);
        if !in_reach {
            return;
        }
        let Some(&rank) = Rank::NATURAL.get(i) else {
            self.extend_wild(twos, jokers, value);
            return;
        };
        self.extend(i + 1, twos, jokers, value);
        let set = self.lister.set;
        let last = self.chosen.iter().rfind(|c| c.rank == Some(rank));
        if last.is_some() && set.melds_per_rank != MeldsPerRank::Many {
            return;
        }
        // Several sets of one rank are chosen in order.
        let counts = |pick: Pick| (pick.naturals, pick.twos, pick.jokers);
        let floor = last.filter(|c| c.top == 0).map(|c| counts(c.pick));
        for naturals in set.min_naturals..=self.free(rank) {
            for t in 0..=twos {
                for j in 0..=jokers {
                    if !self.nodes.visit() {
                        return;
                    }
                    let pick = Pick { naturals, twos: t, jokers: j };
                    if !is_meld(set, Some(rank), pick, 0) || floor.is_some_and(|floor| counts(pick) < floor) {
                        continue;
                    }
                    let worth = self.worth(Some(rank), pick, 0);
                    self.chosen.push(InitialGroup {
                        rank: Some(rank),
                        sequence: None,
                        pick,
                        top: 0,
                        value: worth,
                    });
                    self.used[rank.index()] += naturals;
                    let next = if set.melds_per_rank == MeldsPerRank::Many { i } else { i + 1 };
                    self.extend(next, twos - t, jokers - j, value + worth);
                    self.used[rank.index()] -= naturals;
                    self.chosen.pop();
                }
            }
        }
    }

    /// Adds a wild meld, if the rule set has wild melds and the batch has none.
    fn extend_wild(&mut self, twos: u8, jokers: u8, value: i32) {
        let set = self.lister.set;
        if !set.wild_melds || self.chosen.iter().any(|c| c.rank.is_none() && c.sequence.is_none()) {
            return;
        }
        for t in 0..=twos {
            for j in 0..=jokers {
                if !self.nodes.visit() {
                    return;
                }
                let pick = Pick { naturals: 0, twos: t, jokers: j };
                let worth = self.worth(None, pick, 0);
                if !is_meld(set, None, pick, 0) {
                    continue;
                }
                self.chosen.push(InitialGroup { rank: None, sequence: None, pick, top: 0, value: worth });
                if self.meets(value + worth, self.chosen.iter().copied()) {
                    self.record(value + worth);
                }
                self.chosen.pop();
            }
        }
    }

    /// Whether these groups, worth `value`, are an initial batch.
    fn meets(&self, value: i32, mut choices: impl Iterator<Item = InitialGroup> + Clone) -> bool {
        let set = self.lister.set;
        let enough = value >= self.required || choices.clone().any(|c| c.part(set).is_splash(set));
        enough && choices.any(|c| c.part(set).is_content(set))
    }

    fn record(&mut self, value: i32) {
        if self.is_minimal(value) {
            self.found.push((value, self.chosen.clone()));
        }
    }

    /// Whether no card can be left out, and no group except the top's.
    fn is_minimal(&self, value: i32) -> bool {
        (0..self.chosen.len()).all(|at| {
            let choice = &self.chosen[at];
            let others = || self.chosen.iter().enumerate().filter(move |&(i, _)| i != at).map(|(_, &c)| c);
            let rest = value - choice.value;
            let needed = |less: InitialGroup| !self.meets(rest + less.value, others().chain([less]));
            let kept = match choice.sequence {
                Some(sequence) => self.shorter(choice, sequence).all(needed),
                None => self.smaller(choice).all(|pick| {
                    needed(InitialGroup { pick, value: self.worth(choice.rank, pick, choice.top), ..*choice })
                }),
            };
            kept && (choice.top > 0 || !self.meets(rest, others()))
        })
    }

    /// Returns the choices without the card at either end of a sequence, if the sequence can spare one.
    fn shorter(&self, choice: &InitialGroup, sequence: Sequence) -> impl Iterator<Item = InitialGroup> {
        let Sequence { suit, low, len } = sequence;
        let ends = [low, sequence.end() - 1].into_iter().filter(move |_| len > self.lister.set.meld_min);
        let choice = InitialGroup { value: choice.value - self.sequence_bonus(sequence), ..*choice };
        ends.map(move |place| {
            let pick = Pick { naturals: len - 1, ..choice.pick };
            let worth = self.lister.table.rules.card_points(card_at(suit, place));
            InitialGroup { pick, value: choice.value - worth, ..choice }
        })
    }

    /// Returns the points of a group towards the minimum; `top` cards of the group come from the pile.
    fn worth(&self, rank: Option<Rank>, pick: Pick, top: u8) -> i32 {
        let (set, table, value) = (self.lister.set, self.lister.table, self.value(rank, pick));
        let card = table.taken_top.map(|taken| taken.card).or(table.pile.last().copied());
        let card = card.filter(|_| top > 0);
        let points = match set.initial_count {
            InitialCount::WithTop => value + card.map_or(0, |card| table.rules.card_points(card)),
            InitialCount::HandMelds if top > 0 && pick.len() < set.meld_min => 0,
            _ => value,
        };
        points + self.bonus(rank, pick, card)
    }

    /// Returns the bonus of a set or wild meld that is a canasta; 0 where bonuses do not count (HN-066).
    fn bonus(&self, rank: Option<Rank>, pick: Pick, top: Option<Card>) -> i32 {
        let set = self.lister.set;
        if !set.initial_bonus {
            return 0;
        }
        let kind = if rank.is_some() { MeldKind::Set } else { MeldKind::Wild };
        let grade = grade(set, kind, pick.len() + u8::from(top.is_some()), pick.wilds());
        let jokers = pick.jokers + u8::from(top == Some(Card::JOKER));
        grade.map_or(0, |grade| scoring::bonus_of(set, rank, grade, jokers))
    }

    fn sequence_bonus(&self, sequence: Sequence) -> i32 {
        let set = self.lister.set;
        if set.initial_bonus && sequence.len >= set.sequence_max { set.bonus_sequence } else { 0 }
    }

    /// Returns the legal groups with one card less.
    fn smaller(&self, choice: &InitialGroup) -> impl Iterator<Item = Pick> + use<'_, 'l, 'a> {
        let lister = self.lister;
        let InitialGroup { rank, pick, top, .. } = *choice;
        [
            pick.naturals.checked_sub(1).map(|naturals| Pick { naturals, ..pick }),
            pick.twos.checked_sub(1).map(|twos| Pick { twos, ..pick }),
            pick.jokers.checked_sub(1).map(|jokers| Pick { jokers, ..pick }),
        ]
        .into_iter()
        .flatten()
        .filter(move |p| match rank {
            None => is_meld(lister.set, None, *p, top) && (top == 0 || p.wilds() >= 2),
            Some(rank) => {
                is_meld(lister.set, Some(rank), *p, top)
                    && (top == 0
                        || check::entitles(lister.table, lister.side, None, rank, p.naturals, p.wilds()))
            }
        })
    }
}

/// Returns an upper bound of the bonuses of canastas of the hand, with a top, in a batch.
fn most_bonuses(lister: &Lister<'_>) -> i32 {
    let set = lister.set;
    let most = lister.counts.iter().copied().max().unwrap_or(0);
    let full = most + lister.wilds.len() + 1 >= set.canasta_size;
    if !set.initial_bonus || !(full || set.sequences) {
        return 0;
    }
    let ranks = set.bonus_rank.iter().map(|(_, points)| points);
    let all = [set.bonus_natural, set.bonus_mixed, set.bonus_sequence, set.bonus_wild];
    let all = all.into_iter().chain([set.bonus_wild_twos, set.bonus_wild_jokers]).chain(ranks);
    let smallest = set.canasta_size.min(if set.sequences { set.sequence_max } else { u8::MAX }).max(1);
    i32::from((lister.hand.len() + 1) / u16::from(smallest)) * all.max().unwrap_or(0)
}

/// Returns the most points that a two, and a joker, can add, wherever they lie.
fn wild_values(lister: &Lister<'_>) -> [i32; 2] {
    let rules = &lister.table.rules;
    let substituted = lister.set.wild_value == WildValue::Substituted;
    let held = Rank::NATURAL.into_iter().filter(|_| substituted).map(|rank| rules.rank_points(rank));
    let most = held.max().unwrap_or(i32::MIN);
    [Rank::Two, Rank::Joker].map(|rank| rules.rank_points(rank).max(most))
}
