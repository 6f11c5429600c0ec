//! The groups of an initial batch, their points, and the points that a group can lose.

use super::super::Lister;
use super::super::pick::Pick;
use crate::action::MeldKind;
use crate::card::{Card, Rank};
use crate::check::{self, InitialPart};
use crate::rules::{InitialCount, RuleSet, WildValue};
use crate::scoring;
use crate::sequence::Sequence;
use crate::table::grade;

/// A group of a batch: naturals of `rank`, a sequence, or wilds only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct InitialGroup {
    pub rank: Option<Rank>,
    pub sequence: Option<Sequence>,
    pub pick: Pick,
    /// The number of cards of the pile in the group: 1 for the top of a take, else 0.
    pub top: u8,
    pub value: i32,
}

impl InitialGroup {
    /// Returns the meld as it counts: with the top, unless only melds from the hand count.
    fn part(&self, set: &RuleSet) -> Option<InitialPart> {
        if is_bare(set, self.pick, self.top) {
            return None;
        }
        let top = if set.initial_count == InitialCount::HandMelds { 0 } else { self.top };
        let (kind, naturals, wilds) = match (self.rank, self.sequence) {
            (Some(_), _) => (MeldKind::Set, self.pick.naturals + top, self.pick.wilds()),
            (None, Some(_)) => (MeldKind::Sequence, self.pick.naturals, 0),
            (None, None) => (MeldKind::Wild, 0, self.pick.wilds() + top),
        };
        Some(InitialPart { kind, naturals, wilds })
    }

    /// Whether the batch has its content with this group.
    pub(super) fn is_content(&self, set: &RuleSet) -> bool {
        self.part(set).is_some_and(|part| part.is_content(set))
    }

    /// Whether the batch needs no points with this group.
    pub(super) fn is_splash(&self, set: &RuleSet) -> bool {
        self.part(set).is_some_and(|part| part.is_splash(set))
    }

    /// Returns a key: of two batches of one value, the batch whose first different group has the lower key comes first.
    pub(super) fn order(&self) -> impl Ord + use<> {
        let Pick { naturals, twos, jokers } = self.pick;
        let pool = self.rank.map_or(usize::MAX, Rank::index);
        (self.sequence, core::cmp::Reverse(pool), naturals, twos, jokers)
    }
}

/// A group that a batch may have. A batch worth `required` and `spare` points is minimal exactly if each group loses
/// more than `spare` with any card that it can give up, and if the group is left out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct InitialChoice {
    pub group: InitialGroup,
    pub is_content: bool,
    pub is_splash: bool,
    /// The minimum number of points that the group loses; `i32::MAX` if it can lose nothing.
    pub loss: i32,
    /// The same where no other group is content, so that the group cannot lose its own content.
    pub loss_alone: i32,
}

/// Whether a group is a meld by itself, with `top` cards of the pile. A group without a rank is of wilds only.
pub(super) fn is_meld(set: &RuleSet, rank: Option<Rank>, pick: Pick, top: u8) -> bool {
    if rank.is_some() {
        let takes_wilds = pick.wilds() == 0 || check::rank_takes_wilds(set, rank, 0, true);
        return takes_wilds && check::is_set(set, pick.naturals + top, pick.wilds());
    }
    let size = pick.wilds() + top;
    size >= set.meld_min
        && (set.wild_meld_max == 0 || size <= set.wild_meld_max)
        && check::surplus(set, 0, size) == 0
}

/// Whether cards with `top` cards of the pile count nothing without these.
fn is_bare(set: &RuleSet, pick: Pick, top: u8) -> bool {
    top > 0 && check::is_bare(set, pick.len().into())
}

/// The worth of the groups of a list.
#[derive(Clone, Copy)]
pub(super) struct InitialWorth<'l, 'a> {
    pub lister: &'l Lister<'a>,
}

impl InitialWorth<'_, '_> {
    /// Returns a group with its value; `top` cards of it come from the pile.
    pub(super) fn group(&self, rank: Option<Rank>, pick: Pick, top: u8) -> InitialGroup {
        InitialGroup { rank, sequence: None, pick, top, value: self.worth(rank, pick, top) }
    }

    pub(super) fn sequence(&self, sequence: Sequence) -> InitialGroup {
        let set = self.lister.set;
        let points: i32 = sequence.cards().map(|card| self.lister.table.rules.card_points(card)).sum();
        let is_whole = set.initial_bonus && sequence.len >= set.sequence_max;
        let pick = Pick { naturals: sequence.len, twos: 0, jokers: 0 };
        let value = points + if is_whole { set.bonus_sequence } else { 0 };
        InitialGroup { rank: None, sequence: Some(sequence), pick, top: 0, value }
    }

    /// Returns what a batch loses with a group.
    pub(super) fn choice(&self, group: InitialGroup) -> InitialChoice {
        let set = self.lister.set;
        let whole = if group.top > 0 { i32::MAX } else { group.value };
        let is_content = group.is_content(set);
        let is_splash = group.is_splash(set);
        let mut choice = InitialChoice { group, is_content, is_splash, loss: whole, loss_alone: i32::MAX };
        self.each_smaller(&group, |less| {
            let lost = group.value - less.value;
            choice.loss = choice.loss.min(lost);
            if less.is_content(set) {
                choice.loss_alone = choice.loss_alone.min(lost);
            }
        });
        choice
    }

    /// Returns what [`Self::choice`] does for cards of the hand, where bonuses do not count. `points` are those of
    /// [`Self::points`], and `melds` the numbers of wilds that are a meld with one natural less, and with as many
    /// naturals, as bits.
    #[inline]
    pub(super) fn choice_of_cards(
        &self,
        rank: Option<Rank>,
        pick: Pick,
        points: [i32; 3],
        [fewer, same]: [u64; 2],
    ) -> InitialChoice {
        let (set, Pick { naturals, twos, jokers }, [natural, two, joker]) = (self.lister.set, pick, points);
        let value = pick.points(points);
        let group = InitialGroup { rank, sequence: None, pick, top: 0, value };
        let without_wild = same >> pick.wilds().saturating_sub(1) & 1 != 0;
        let (mut loss, mut loss_alone) = (value, i32::MAX);
        let mut lose = |points: i32, pick: Pick| {
            loss = loss.min(points);
            if (InitialGroup { pick, ..group }).is_content(set) {
                loss_alone = loss_alone.min(points);
            }
        };
        if naturals > 0 && fewer >> pick.wilds() & 1 != 0 {
            lose(natural, Pick { naturals: naturals - 1, ..pick });
        }
        if twos > 0 && without_wild {
            lose(two, Pick { twos: twos - 1, ..pick });
        }
        if jokers > 0 && without_wild {
            lose(joker, Pick { jokers: jokers - 1, ..pick });
        }
        let (is_content, is_splash) = (group.is_content(set), group.is_splash(set));
        let choice = InitialChoice { group, is_content, is_splash, loss, loss_alone };
        debug_assert_eq!(choice, self.choice(self.group(rank, pick, 0)));
        choice
    }

    /// Passes on each legal group that a group becomes without one of its cards.
    pub(super) fn each_smaller(&self, group: &InitialGroup, mut then: impl FnMut(InitialGroup)) {
        let InitialGroup { rank, sequence, pick, top, .. } = *group;
        if let Some(Sequence { suit, low, len }) = sequence {
            if len > self.lister.set.meld_min {
                for low in [low + 1, low] {
                    then(self.sequence(Sequence { suit, low, len: len - 1 }));
                }
            }
            return;
        }
        let smaller = [
            pick.naturals.checked_sub(1).map(|naturals| Pick { naturals, ..pick }),
            pick.twos.checked_sub(1).map(|twos| Pick { twos, ..pick }),
            pick.jokers.checked_sub(1).map(|jokers| Pick { jokers, ..pick }),
        ];
        for pick in smaller.into_iter().flatten().filter(|&pick| self.is_legal(rank, pick, top)) {
            then(self.group(rank, pick, top));
        }
    }

    /// Whether a group is a meld, and with a top takes the pile.
    fn is_legal(&self, rank: Option<Rank>, pick: Pick, top: u8) -> bool {
        let Lister { set, table, side, .. } = *self.lister;
        let takes = || match rank {
            None => pick.wilds() >= 2,
            Some(rank) => check::entitles(table, side, None, rank, pick.naturals, pick.wilds()),
        };
        is_meld(set, rank, pick, top) && (top == 0 || takes())
    }

    /// Returns the points of a group towards the minimum; `top` cards of the group come from the pile.
    fn worth(&self, rank: Option<Rank>, pick: Pick, top: u8) -> i32 {
        let (set, table, value) = (self.lister.set, self.lister.table, self.value(rank, pick));
        let card = || table.taken_top.map(|taken| taken.card).or(table.pile.last().copied());
        let card = (top > 0).then(card).flatten();
        let points = match set.initial_count {
            InitialCount::WithTop => value + card.map_or(0, |card| table.rules.card_points(card)),
            _ if is_bare(set, pick, top) => 0,
            _ => value,
        };
        points + self.bonus(rank, pick, card)
    }

    fn value(&self, rank: Option<Rank>, pick: Pick) -> i32 {
        pick.points(self.points(rank))
    }

    /// Returns the points of a natural, a two and a joker in a set of `rank`, or in a wild meld.
    pub(super) fn points(&self, rank: Option<Rank>) -> [i32; 3] {
        let rules = &self.lister.table.rules;
        let natural = rank.map_or(0, |rank| rules.rank_points(rank));
        match rank {
            Some(_) if self.lister.set.wild_value == WildValue::Substituted => [natural; 3],
            _ => [natural, rules.rank_points(Rank::Two), rules.rank_points(Rank::Joker)],
        }
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

    /// Returns an upper bound of the bonuses of canastas of the hand, with a top, in a batch.
    pub(super) fn most_bonuses(&self) -> i32 {
        let (lister, set) = (self.lister, self.lister.set);
        let most = lister.counts.iter().copied().max().unwrap_or(0);
        let full = most + lister.wilds.len() + 1 >= set.canasta_size;
        if !set.initial_bonus || !(full || set.sequences) {
            return 0;
        }
        let ranks = set.bonus_rank.values().chain(set.bonus_rank_mixed.values());
        let all = [set.bonus_natural, set.bonus_mixed, set.bonus_sequence, set.bonus_wild];
        let all = all.into_iter().chain([set.bonus_wild_twos, set.bonus_wild_jokers]).chain(ranks);
        let smallest = set.canasta_size.min(if set.sequences { set.sequence_max } else { u8::MAX }).max(1);
        i32::from((lister.hand.len() + 1) / u16::from(smallest)) * all.max().unwrap_or(0)
    }

    pub(super) fn required(&self) -> i32 {
        self.lister.table.minimum(self.lister.seat)
    }

    /// Returns the points of one natural of each rank; 0 for threes and wilds.
    pub(super) fn natural_points(&self) -> [i32; 14] {
        let mut points = [0; 14];
        for rank in Rank::NATURAL {
            points[rank.index()] = self.lister.table.rules.rank_points(rank);
        }
        points
    }

    /// Returns the most points that a two, and a joker, can add, wherever they lie.
    pub(super) fn wild_values(&self) -> [i32; 2] {
        let rules = &self.lister.table.rules;
        let substituted = self.lister.set.wild_value == WildValue::Substituted;
        let held = Rank::NATURAL.into_iter().filter(|_| substituted).map(|rank| rules.rank_points(rank));
        let most = held.max().unwrap_or(i32::MIN);
        [Rank::Two, Rank::Joker].map(|rank| rules.rank_points(rank).max(most))
    }
}
