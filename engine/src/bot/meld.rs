//! What a meld or a take is worth.

use super::situation::{Situation, Spot};
use super::{Merit, Tier, weights};
use crate::action::{Group, Groups, MeldId, MeldKind, TakePile};
use crate::card::{Card, Class, Rank};
use crate::rules::RuleSet;
use crate::state::grade;

/// The cards that go to one meld.
#[derive(Default)]
struct Lay {
    naturals: u8,
    twos: u8,
    jokers: u8,
    points: i32,
    /// The rank of its naturals.
    rank: Option<Rank>,
}

impl Lay {
    fn of(situation: &Situation<'_>, cards: impl Iterator<Item = Card>) -> Self {
        let mut lay = Self::default();
        for card in cards {
            lay.points += situation.points(card);
            match card.rank() {
                Rank::Two => lay.twos += 1,
                Rank::Joker => lay.jokers += 1,
                rank => {
                    lay.naturals += 1;
                    lay.rank = Some(rank);
                }
            }
        }
        lay
    }

    fn wilds(&self) -> u8 {
        self.twos + self.jokers
    }

    fn len(&self) -> u8 {
        self.naturals + self.wilds()
    }
}

pub(super) fn of_meld(situation: &Situation<'_>, groups: &Groups) -> Merit {
    let used: usize = groups.iter().map(|group| group.cards.len()).sum();
    let stays = i32::from(situation.hand.len()) - used as i32;
    let mut value: i32 = groups.iter().map(|group| of_group(situation, group)).sum();
    if stays < 2 {
        return finish(situation, value);
    }
    if !situation.opened {
        value += opening(situation);
    }
    Merit::gain(value - shrink(situation, stays))
}

pub(super) fn of_take(situation: &Situation<'_>, take: &TakePile) -> Merit {
    let Some(top) = situation.table.pile.top else { return Merit::new(Tier::LastResort, 0) };
    let rank = Some(top.rank());
    let spot = situation.target(take.onto, MeldKind::Set, rank);
    let kind = spot.map_or(MeldKind::Set, |spot| spot.kind);
    let lay = Lay::of(situation, take.with.iter().copied().chain([top]));
    let mut value = of_lay(situation, spot, kind, &lay);
    value += take.also.iter().map(|group| of_group(situation, group)).sum::<i32>();
    let used: usize = take.with.len() + take.also.iter().map(|group| group.cards.len()).sum::<usize>();
    let picked = i32::from(situation.table.pile.size) - 1;
    let stays = i32::from(situation.hand.len()) - used as i32 + picked;
    if stays < 2 {
        return finish(situation, value);
    }
    if !situation.opened {
        value += opening(situation);
    }
    value += weights::PILE_CARD * picked - shrink(situation, stays);
    Merit::new(Tier::Due, value)
}

/// Cards that leave at most the final discard.
fn finish(situation: &Situation<'_>, value: i32) -> Merit {
    Merit::new(if situation.wants_out { Tier::Finish } else { Tier::LastResort }, value)
}

fn of_group(situation: &Situation<'_>, group: &Group) -> i32 {
    let natural = group.cards.iter().find(|card| card.class() == Class::Natural);
    let rank = natural.filter(|_| group.kind == MeldKind::Set).map(|card| card.rank());
    let spot = situation.target(group.onto, group.kind, rank);
    of_lay(situation, spot, group.kind, &Lay::of(situation, group.cards.iter().copied()))
}

fn of_lay(situation: &Situation<'_>, spot: Option<&Spot>, kind: MeldKind, lay: &Lay) -> i32 {
    let (naturals, wilds, complete) = spot.map_or((0, 0, false), |s| (s.naturals, s.wilds, s.complete));
    let size = naturals + wilds + lay.len();
    let completes = !complete && grade(situation.set, kind, size, 0).is_some();
    let mut value = lay.points;
    if situation.hurry {
        // What is laid counts for the side, and no longer against it.
        value += lay.points;
    }
    if !complete && matches!(kind, MeldKind::Set | MeldKind::Sequence) {
        value += weights::PROGRESS * i32::from(lay.naturals);
    }
    let rank = spot.and_then(|s| s.rank).or(lay.rank);
    if completes {
        value += canasta(situation, kind, rank, wilds + lay.wilds());
    }
    let open = |size: u8, wilds: u8| open_cost(situation.set, kind, rank, size, wilds);
    value += open(naturals + wilds, wilds) - open(size, wilds + lay.wilds());
    value -= wild_cost(situation, lay, completes);
    if wilds == 0 && lay.wilds() > 0 && kind == MeldKind::Set && situation.canastas > 0 && !situation.hurry {
        let clean = if complete { situation.set.canasta_size } else { naturals + lay.naturals };
        value -= weights::SPOIL * (i32::from(clean) - 3).max(0);
    }
    if spot.is_none() && situation.pile_frozen() && !situation.hurry {
        value -= weights::PAIR_FOR_PILE * i32::from(situation.table.pile.size);
    }
    value
}

/// Uniting two open melds is good where it makes a canasta: otherwise they grow better apart.
pub(super) fn of_merge(situation: &Situation<'_>, a: MeldId, b: MeldId) -> Merit {
    let spot = |id| situation.own.iter().find(|spot| spot.id == id);
    let (Some(a), Some(b)) = (spot(a), spot(b)) else { return Merit::new(Tier::LastResort, 0) };
    let (size, wilds) = (a.naturals + a.wilds + b.naturals + b.wilds, a.wilds + b.wilds);
    let completes = !a.complete && !b.complete && grade(situation.set, a.kind, size, wilds).is_some();
    Merit::gain(if completes { canasta(situation, a.kind, a.rank, wilds) } else { 0 })
}

/// What a canasta of this kind brings.
fn canasta(situation: &Situation<'_>, kind: MeldKind, rank: Option<Rank>, wilds: u8) -> i32 {
    let set = situation.set;
    let bonus = match kind {
        MeldKind::Wild => set.bonus_wild,
        MeldKind::Sequence => set.bonus_sequence,
        _ if wilds == 0 => rank.and_then(|rank| set.bonus_rank.get(rank)).unwrap_or(set.bonus_natural),
        _ => set.bonus_mixed,
    };
    bonus + if situation.canastas < set.go_out_total { weights::FIRST_CANASTA } else { 0 }
}

/// What a meld that costs points until it is complete costs now: the more, the more cards it lacks.
fn open_cost(set: &RuleSet, kind: MeldKind, rank: Option<Rank>, size: u8, wilds: u8) -> i32 {
    let penalty = match (kind, rank) {
        (MeldKind::Wild, _) => set.penalty_incomplete.wild(),
        (MeldKind::Set, Some(Rank::Ace)) if wilds > 0 => None,
        (MeldKind::Set, Some(rank)) => set.penalty_incomplete.get(rank),
        _ => None,
    };
    let lacks = i32::from(set.canasta_size.saturating_sub(size));
    match penalty {
        Some(points) if size > 0 => points * lacks / i32::from(set.canasta_size),
        _ => 0,
    }
}

/// What laying the wild cards costs: they complete a canasta better than they begin one.
fn wild_cost(situation: &Situation<'_>, lay: &Lay, completes: bool) -> i32 {
    if situation.hurry {
        return 0;
    }
    let cost = weights::TWO * i32::from(lay.twos) + weights::JOKER * i32::from(lay.jokers);
    if completes { cost / 2 } else { cost }
}

fn opening(situation: &Situation<'_>) -> i32 {
    let pile = if situation.pile_frozen() { 0 } else { i32::from(situation.table.pile.size) };
    let behind = if situation.they_opened { weights::OPEN_BEHIND } else { 0 };
    weights::OPEN + behind + weights::OPEN_PILE_CARD * pile
}

/// What a small hand costs. One card more goes with the discard.
fn shrink(situation: &Situation<'_>, stays: i32) -> i32 {
    if situation.hurry {
        return 0;
    }
    let ready = situation.canastas >= situation.set.go_out_total;
    let weight = if ready { weights::SHRINK_READY } else { weights::SHRINK };
    weight * (weights::ROOMY - stays).max(0)
}
