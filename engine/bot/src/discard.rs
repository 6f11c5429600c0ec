//! The merit of a discard: the value of the cards that stay in the hand, minus the gain of the next seat.

use super::merit::{Merit, Reason, Tier};
use super::situation::Situation;
use super::weights::Weight as W;
use canasta_rules::card::{Card, Class};
use canasta_rules::rules::TakeNaturalWild;

/// Returns the merit of discarding `card`; its value is mostly below 0.
pub(super) fn merit(situation: &Situation<'_>, card: Card) -> Merit {
    let points = situation.points(card);
    // Points of the card, which no longer count against the hand.
    let saved = points * situation.weights[if situation.hurry { W::HurryShare } else { W::SavedShare }] / 100;
    let (value, reason) = match card.class() {
        Class::Wild => {
            let gain = freeze(situation);
            (
                gain - situation.weights[W::KeepWild] - points,
                if gain > 0 { Reason::Freeze } else { Reason::NothingBetter },
            )
        }
        Class::BlackThree => (saved - situation.weights[W::KeepStopper], Reason::BlackThree),
        Class::RedThree => (saved, Reason::SpareDiscard),
        Class::Natural => {
            let chance = (situation.next.side != situation.side).then(|| takes_permille(situation, card));
            let is_safe = chance.is_some_and(|chance| chance <= situation.weights[W::SafePermille]);
            let reason = if is_safe { Reason::SafeDiscard } else { Reason::SpareDiscard };
            (
                saved - keep(situation, card) - risk(situation, chance.unwrap_or(0)) - feed(situation, card),
                reason,
            )
        }
    };
    Merit::new(Tier::Due, value, reason)
}

/// Returns the value of a natural in the hand.
fn keep(situation: &Situation<'_>, card: Card) -> i32 {
    let rank = card.rank();
    let held = situation.hand.rank_count(rank);
    let set = match situation.set.penalty_held_trio.get(rank) {
        // Three cards that stay in the hand cost a penalty, and seldom become a canasta.
        Some(points) => -points * situation.weights.of_cards(W::TrioOfOne, held.clamp(1, 3)) / 1000,
        None => situation.weights.of_cards(W::KeepOfOne, held.clamp(1, 3)),
    };
    let pair =
        if held == 2 { situation.weights[W::KeepPairPile] * i32::from(situation.table.pile.size) } else { 0 };
    let own = || situation.own.iter().filter(|spot| spot.rank == Some(rank));
    let fits = if own().any(|spot| !spot.complete) {
        situation.weights[W::KeepForMeld]
    } else if own().next().is_some() {
        situation.weights[W::KeepForCanasta]
    } else {
        0
    };
    let in_sequence = if !situation.set.sequences {
        0
    } else if situation.lengthens(situation.side, card) {
        situation.weights[W::KeepForMeld]
    } else {
        let weight = if situation.needs.sequence() {
            situation.weights[W::KeepNeighbourNeeded]
        } else {
            situation.weights[W::KeepNeighbour]
        };
        weight * situation.neighbours(card)
    };
    // If many cards of the rank are still to come, the card may yet become a set.
    set + pair
        + fits
        + in_sequence
        + situation.weights[W::KeepUnseen] * i32::from(situation.unseen[rank.index()])
}

/// Returns the expected gain of the next seat: the value of the pile with the discard, times the chance in thousandths that
/// the seat takes the pile.
fn risk(situation: &Situation<'_>, chance: i32) -> i32 {
    let out = if situation.next_may_go_out { situation.weights[W::RiskOut] } else { 0 };
    let pile = situation.weights[W::RiskCard] * i32::from(situation.table.pile.size + 1);
    (pile + situation.weights[W::RiskTake] + out) * chance / 1000
}

/// Returns the cost of showing a natural that an opponent can add to an open meld once the pile is taken.
fn feed(situation: &Situation<'_>, card: Card) -> i32 {
    if situation.feeds & 1 << card.rank().index() != 0 { situation.weights[W::Feed] } else { 0 }
}

/// Returns the chance that the next seat can take the pile with `card` on top, in thousandths.
fn takes_permille(situation: &Situation<'_>, card: Card) -> i32 {
    let rank = card.rank().index();
    let next = &situation.table.sides[situation.next.side.index()];
    let frozen = !next.frozen.is_empty();
    let theirs = situation.theirs & 1 << rank != 0 || situation.lengthens(situation.next.side, card);
    if !frozen && theirs {
        return 1000;
    }
    // The expected number of such cards in the next hand, in thousandths: the hand is a share of all hidden
    // cards.
    let expected =
        i32::from(situation.unseen[rank]) * i32::from(situation.next.hand) * 1000 / situation.hidden;
    let never = frozen || situation.set.take_natural_wild == TakeNaturalWild::Never;
    let known = situation.next_held.rank_count(card.rank());
    if known >= 2 || known == 1 && !never && situation.next_held.wilds() > 0 {
        return 1000;
    }
    let expected = expected + 1000 * i32::from(known);
    let pair = expected * expected / 2000;
    let with_wild = if never { 0 } else { expected * situation.weights[W::TakesWithWild] / 100 };
    let able = (pair + with_wild).min(situation.weights[W::TakesPairMost]);
    // A side that has not opened must also reach its minimum.
    if next.opened { able } else { able * situation.weights[W::TakesUnopened] / 100 }
}

/// Returns the value of freezing the pile: opponents who take it easily no longer can, but own pairs can.
fn freeze(situation: &Situation<'_>) -> i32 {
    let next = &situation.table.sides[situation.next.side.index()];
    let pairs = situation.pairs();
    if situation.pile_frozen() || !next.opened || pairs < situation.weights[W::FreezePairs] || situation.hurry
    {
        return 0;
    }
    situation.weights[W::FreezePileCard] * i32::from(situation.table.pile.size)
        + situation.weights[W::FreezePair] * pairs
}
