//! The merit of a meld, a take or a merge.

use super::merit::{Merit, Reason, Tier};
use super::situation::{OwnMeld, Situation};
use super::weights::Weight as W;
use canasta_rules::action::{Group, Groups, MeldId, MeldKind, TakePile};
use canasta_rules::card::{Card, Class, Rank};
use canasta_rules::rules::DiscardWilds;
use canasta_rules::scoring::{bonus_of, incomplete_penalty};
use canasta_rules::table::grade;

/// Number of cards in the stock from which on holding back is worth its whole value.
const FULL_STOCK: u16 = 40;

/// The cards that are laid to one meld.
#[derive(Default)]
struct Lay {
    naturals: u8,
    twos: u8,
    jokers: u8,
    points: i32,
    /// The rank of the naturals.
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
    let mut sum = Sum::default();
    groups.iter().for_each(|group| sum.add_group(situation, group));
    if strands(situation, groups) {
        return Merit::last_resort(0);
    }
    sum.merit(situation, stays, Tier::Gain, Reason::Meld)
}

/// Whether only wild cards that may not be discarded stay in the hand. If melds are tested at the discard,
/// the meld would then have to be taken back.
fn strands(situation: &Situation<'_>, groups: &Groups) -> bool {
    if !situation.set.undo_meld || situation.set.discard_wilds == DiscardWilds::Any {
        return false;
    }
    let mut rest = *situation.hand;
    for card in groups.iter().flat_map(|group| &group.cards) {
        // This does nothing for the tentatively taken top, which is not a card of the hand.
        rest.remove(*card);
    }
    !rest.is_empty() && rest.kinds().all(|(card, _)| card.is_wild())
}

pub(super) fn of_take(situation: &Situation<'_>, take: &TakePile) -> Merit {
    let Some(top) = situation.table.pile.top else { return Merit::last_resort(0) };
    let kind = if top.is_wild() { MeldKind::Wild } else { MeldKind::Set };
    let spot = situation.target(take.onto, kind, Some(top.rank()).filter(|_| !top.is_wild()));
    let kind = spot.map_or(kind, |spot| spot.kind);
    let mut sum = Sum::default();
    sum.add(situation, spot, kind, &Lay::of(situation, take.with.iter().copied().chain([top])));
    take.also.iter().for_each(|group| sum.add_group(situation, group));
    let used: usize = take.with.len() + take.also.iter().map(|group| group.cards.len()).sum::<usize>();
    let size = i32::from(situation.table.pile.size);
    let picked = match i32::from(situation.set.pile_portion) {
        0 => size - 1,
        portion => size.min(portion) - 1,
    };
    let a_card = if situation.needs.are_met() { W::PileCardReady } else { W::PileCard };
    sum.value += situation.weights[a_card] * picked;
    let stays = i32::from(situation.hand.len()) - used as i32 + picked;
    sum.merit(situation, stays, Tier::Due, Reason::Pile)
}

/// The value of some groups together.
#[derive(Default)]
struct Sum {
    value: i32,
    /// Number of canastas that the groups complete.
    completes: u8,
    /// Cost of laying the groups now and not later.
    held_back: i32,
}

impl Sum {
    /// Returns the merit of laying the groups if `stays` cards stay in the hand. `reason`: for want of a better one.
    fn merit(mut self, situation: &Situation<'_>, stays: i32, tier: Tier, reason: Reason) -> Merit {
        if !situation.opened {
            self.value += opening(situation);
        }
        if stays < 2 && situation.foot > 0 {
            self.value +=
                if stays == 0 { situation.weights[W::FootNow] } else { situation.weights[W::FootNext] };
        } else if stays < 2 && self.ends_round(situation) {
            let wanted = situation.wants_out && self.value > -situation.weights[W::OutLoss];
            let finish = || Merit::new(Tier::Finish, self.value, Reason::GoOut);
            return if wanted { finish() } else { Merit::last_resort(self.value) };
        }
        let held_back = if tier == Tier::Gain { self.held_back } else { 0 };
        let value = self.value - held_back - shrink(situation, stays);
        let reason = match () {
            () if self.completes > 0 => Reason::CompleteCanasta,
            () if !situation.opened => Reason::Open,
            () if stays < 2 && situation.foot > 0 => Reason::Foot,
            () if situation.hurry && reason == Reason::Meld => Reason::Hurry,
            () if reason == Reason::Pile && value <= situation.weights[W::Draw] => Reason::NothingBetter,
            () => reason,
        };
        if tier == Tier::Gain { Merit::gain(value, reason) } else { Merit::new(tier, value, reason) }
    }

    /// Whether laying the groups goes out, with at most one card kept. Where a seat may pass, it may keep
    /// that card, so the canastas must suffice too.
    fn ends_round(&self, situation: &Situation<'_>) -> bool {
        !situation.set.pass_discard || situation.needs.may_be_met_by(self.completes)
    }

    fn add_group(&mut self, situation: &Situation<'_>, group: &Group) {
        let natural = group.cards.iter().find(|card| card.class() == Class::Natural);
        let rank = natural.filter(|_| group.kind == MeldKind::Set).map(|card| card.rank());
        let spot = situation.target(group.onto, group.kind, rank);
        self.add(situation, spot, group.kind, &Lay::of(situation, group.cards.iter().copied()));
    }

    fn add(&mut self, situation: &Situation<'_>, spot: Option<&OwnMeld>, kind: MeldKind, lay: &Lay) {
        let (naturals, wilds, complete) = spot.map_or((0, 0, false), |s| (s.naturals, s.wilds, s.complete));
        let rank = spot.and_then(|s| s.rank).or(lay.rank);
        let (before, after) = (naturals + wilds, naturals + wilds + lay.len());
        let completes = !complete && grade(situation.set, kind, after, 0).is_some();
        self.completes += u8::from(completes);
        // The points of laid cards count for the side, and no longer against it.
        self.value +=
            if situation.hurry { lay.points * situation.weights[W::HurryShare] / 100 } else { lay.points };
        self.value += prospect(situation, kind, rank, after, wilds + lay.wilds(), complete)
            - prospect(situation, kind, rank, before, wilds, complete);
        self.value -= wild_cost(situation, kind, lay, completes);
        self.held_back += hold(situation, spot, lay, completes);
        if spot.is_none() && situation.pile_frozen() && !situation.hurry {
            self.value -= situation.weights[W::PairForPile] * i32::from(situation.table.pile.size);
        }
    }
}

/// Returns the merit of merging two open melds: a gain only if the result is a canasta, because otherwise the
/// melds grow better apart.
pub(super) fn of_merge(situation: &Situation<'_>, a: MeldId, b: MeldId) -> Merit {
    let spot = |id| situation.own.iter().find(|spot| spot.id == id);
    let (Some(a), Some(b)) = (spot(a), spot(b)) else { return Merit::last_resort(0) };
    let (size, wilds) = (a.naturals + a.wilds + b.naturals + b.wilds, a.wilds + b.wilds);
    let completes = !a.complete && !b.complete && grade(situation.set, a.kind, size, wilds).is_some();
    let value = if completes { prospect(situation, a.kind, a.rank, size, wilds, false) } else { 0 };
    Merit::gain(value, Reason::CompleteCanasta)
}

/// Returns the expected value of a meld besides the points of its cards: the value of its canasta times the
/// chance to complete it, minus the penalty while it is incomplete times the remaining chance.
fn prospect(
    situation: &Situation<'_>,
    kind: MeldKind,
    rank: Option<Rank>,
    size: u8,
    wilds: u8,
    counted: bool,
) -> i32 {
    let set = situation.set;
    let full = if kind == MeldKind::Sequence { set.sequence_max } else { set.canasta_size };
    let Some(grade) = grade(set, kind, size.max(full), wilds).filter(|_| size > 0) else { return 0 };
    let lacks = full.saturating_sub(size);
    let chance = match lacks {
        0 => 1000,
        _ => chance(situation, kind, lacks),
    };
    // The bot does not count on a canasta of twos alone or with four jokers.
    let worth =
        bonus_of(set, rank, grade, 1) + situation.needs.worth(situation.weights, grade, rank, counted);
    (worth * chance - incomplete_penalty(set, kind, rank, wilds).unwrap_or(0) * (1000 - chance)) / 1000
}

/// Returns the chance that a meld which lacks so many cards becomes a canasta, in thousandths.
fn chance(situation: &Situation<'_>, kind: MeldKind, lacks: u8) -> i32 {
    let set = situation.set;
    let packs = u32::from(set.packs);
    // The first chance, the number of chances, and the number of suitable cards per side for which they hold.
    let (first, most, cards_a_side, cards) = match kind {
        MeldKind::Wild => (W::WildLacksOne, 4, 9, set.wild_count()),
        MeldKind::Sequence => (W::SequenceLacksOne, 4, 10, u32::from(set.sequence_max) * packs),
        _ => (W::SetLacksOne, 6, 4, 4 * packs),
    };
    let usual = if lacks <= most { situation.weights.of_cards(first, lacks) } else { 0 };
    let chance = usual * cards as i32 / (u32::from(set.side_count) * cards_a_side) as i32;
    chance.min(situation.weights[W::Surest]) / if situation.hurry { 4 } else { 1 }
}

/// Returns the cost of laying wild cards: they are worth more if they complete a canasta than if they begin
/// one.
fn wild_cost(situation: &Situation<'_>, kind: MeldKind, lay: &Lay, completes: bool) -> i32 {
    if situation.hurry {
        return 0;
    }
    let cost =
        situation.weights[W::Two] * i32::from(lay.twos) + situation.weights[W::Joker] * i32::from(lay.jokers);
    let cost = if completes { cost * situation.weights[W::CompletesShare] / 100 } else { cost };
    let elsewhere = situation.needs.wild() && kind != MeldKind::Wild;
    cost + if elsewhere { situation.weights[W::WildWanted] * i32::from(lay.wilds()) } else { 0 }
}

/// Returns the cost of laying cards now that could be laid later: opponents see them, and the hand has fewer to take the pile
/// with. It falls with the stock.
fn hold(situation: &Situation<'_>, spot: Option<&OwnMeld>, lay: &Lay, completes: bool) -> i32 {
    let cards = i32::from(lay.len());
    let cost = match spot {
        _ if situation.hurry || completes => 0,
        _ if !situation.opened => situation.weights[W::OpenCard] * cards,
        None => situation.weights[W::HoldNew],
        Some(spot) if spot.complete => situation.weights[W::HoldCanasta] * cards,
        Some(_) => situation.weights[W::HoldCard] * cards,
    };
    let share = if situation.needs.are_met() { situation.weights[W::HoldReadyShare] } else { 100 };
    cost * share / 100 * i32::from(situation.table.stock.min(FULL_STOCK)) / i32::from(FULL_STOCK)
}

fn opening(situation: &Situation<'_>) -> i32 {
    let pile = if situation.pile_frozen() { 0 } else { i32::from(situation.table.pile.size) };
    let behind = if situation.they_opened { situation.weights[W::OpenBehind] } else { 0 };
    situation.weights[W::Open] + behind + situation.weights[W::OpenPileCard] * pile
}

/// Returns the cost of a small hand. The discard takes one more card from the hand.
fn shrink(situation: &Situation<'_>, stays: i32) -> i32 {
    // A foot waits to be played, and counts against the side if it is not played.
    if situation.hurry || situation.foot > 0 {
        return 0;
    }
    let ready = situation.needs.are_met();
    let weight = if ready { situation.weights[W::ShrinkReady] } else { situation.weights[W::Shrink] };
    weight * (situation.weights[W::Roomy] - stays).max(0)
}
