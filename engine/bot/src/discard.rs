//! The merit of a discard: the value of the cards that stay in the hand, minus the gain of the next seat.

use super::merit::{Merit, Reason, Tier};
use super::situation::Situation;
use super::weights;
use canasta_rules::card::{Card, Class};
use canasta_rules::rules::TakeNaturalWild;

/// Returns the merit of discarding `card`; its value is mostly below 0.
pub(super) fn merit(situation: &Situation<'_>, card: Card) -> Merit {
    let points = situation.points(card);
    // Points of the card, which no longer count against the hand.
    let saved = if situation.hurry { 2 * points } else { points / 4 };
    let (value, reason) = match card.class() {
        Class::Wild => {
            let gain = freeze(situation);
            (
                gain - weights::KEEP_WILD - points,
                if gain > 0 { Reason::Freeze } else { Reason::NothingBetter },
            )
        }
        Class::BlackThree => (saved - weights::KEEP_STOPPER, Reason::BlackThree),
        Class::RedThree => (saved, Reason::SpareDiscard),
        Class::Natural => {
            let chance = (situation.next.side != situation.side).then(|| takes_permille(situation, card));
            let is_safe = chance.is_some_and(|chance| chance <= weights::SAFE_PERMILLE);
            let reason = if is_safe { Reason::SafeDiscard } else { Reason::SpareDiscard };
            (saved - keep(situation, card) - risk(situation, chance.unwrap_or(0)), reason)
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
        Some(points) => -points * weights::SHARE_OF_TRIO[usize::from(held.min(3))] / 1000,
        None => weights::KEEP_SET[usize::from(held.min(3))],
    };
    let own = || situation.own.iter().filter(|spot| spot.rank == Some(rank));
    let fits = if own().any(|spot| !spot.complete) {
        weights::KEEP_FOR_MELD
    } else if own().next().is_some() {
        weights::KEEP_FOR_CANASTA
    } else {
        0
    };
    let in_sequence = if !situation.set.sequences {
        0
    } else if situation.lengthens(situation.side, card) {
        weights::KEEP_FOR_MELD
    } else {
        let weight =
            if situation.needs.sequence() { weights::KEEP_NEIGHBOUR_NEEDED } else { weights::KEEP_NEIGHBOUR };
        weight * situation.neighbours(card)
    };
    // If many cards of the rank are still to come, the card may yet become a set.
    set + fits + in_sequence + i32::from(situation.unseen[rank.index()])
}

/// Returns the expected gain of the next seat: the value of the pile with the discard, times the chance in thousandths that
/// the seat takes the pile.
fn risk(situation: &Situation<'_>, chance: i32) -> i32 {
    weights::PILE_CARD * i32::from(situation.table.pile.size + 1) * chance / 1000
}

/// Returns the chance that the next seat can take the pile with `card` on top, in thousandths.
fn takes_permille(situation: &Situation<'_>, card: Card) -> i32 {
    let rank = card.rank().index();
    let next = &situation.table.sides[situation.next.side.index()];
    let frozen = !next.frozen.is_empty();
    let theirs = situation.theirs[rank] || situation.lengthens(situation.next.side, card);
    if !frozen && theirs {
        return 1000;
    }
    // The expected number of such cards in the next hand, in thousandths: the hand is a share of all hidden
    // cards.
    let others: u16 = situation.table.seats.iter().map(|seat| seat.hand).sum::<u16>() - situation.hand.len();
    let hidden = i32::from((situation.table.stock + others + situation.table.pile.size).max(1));
    let expected = i32::from(situation.unseen[rank]) * i32::from(situation.next.hand) * 1000 / hidden;
    let pair = expected * expected / 2000;
    let with_wild = if frozen || situation.set.take_natural_wild == TakeNaturalWild::Never {
        0
    } else {
        expected * 6 / 10
    };
    let able = (pair + with_wild).min(900);
    // A side that has not opened must also reach its minimum.
    if next.opened { able } else { able / 2 }
}

/// Returns the value of freezing the pile: opponents who take it easily no longer can, but own pairs can.
fn freeze(situation: &Situation<'_>) -> i32 {
    let next = &situation.table.sides[situation.next.side.index()];
    let pairs = situation.pairs();
    if situation.pile_frozen() || !next.opened || pairs < weights::FREEZE_PAIRS || situation.hurry {
        return 0;
    }
    weights::FREEZE_PILE_CARD * i32::from(situation.table.pile.size) + weights::FREEZE_PAIR * pairs
}
