//! What a discard is worth: what stays in the hand, less what the next seat gains.

use super::situation::Situation;
use super::weights;
use canasta_rules::card::{Card, Class};
use canasta_rules::rules::TakeNaturalWild;

/// In points; mostly below 0.
pub(super) fn value(situation: &Situation<'_>, card: Card) -> i32 {
    let points = situation.points(card);
    // Points that the hand no longer costs.
    let saved = if situation.hurry { 2 * points } else { points / 4 };
    match card.class() {
        Class::Wild => freeze(situation) - weights::KEEP_WILD - points,
        Class::BlackThree => saved - weights::KEEP_STOPPER,
        Class::RedThree => saved,
        Class::Natural => saved - keep(situation, card) - risk(situation, card),
    }
}

/// What a natural is worth in the hand.
fn keep(situation: &Situation<'_>, card: Card) -> i32 {
    let rank = card.rank();
    let held = situation.hand.rank_count(rank);
    let set = match situation.set.penalty_held_trio.get(rank) {
        // Three that stay in the hand cost, and seldom become a canasta.
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
    // A card of which many are still to come may yet become a set.
    set + fits + in_sequence + i32::from(situation.unseen[rank.index()])
}

/// What the next seat gains if it takes the pile with this card, times how likely that is.
fn risk(situation: &Situation<'_>, card: Card) -> i32 {
    if situation.next.side == situation.side {
        return 0;
    }
    let stake = weights::PILE_CARD * i32::from(situation.table.pile.size + 1);
    stake * takes_permille(situation, card) / 1000
}

/// How likely the next seat can take the pile with `card` on top.
fn takes_permille(situation: &Situation<'_>, card: Card) -> i32 {
    let rank = card.rank().index();
    let next = &situation.table.sides[situation.next.side.index()];
    let frozen = !next.frozen.is_empty();
    let theirs = situation.theirs[rank] || situation.lengthens(situation.next.side, card);
    if !frozen && theirs {
        return 1000;
    }
    // Cards of the rank to be expected in the next hand, in thousandths: it is a share of all that is unseen.
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

/// What freezing the pile brings: opponents who take it easily no longer do, own pairs may.
fn freeze(situation: &Situation<'_>) -> i32 {
    let next = &situation.table.sides[situation.next.side.index()];
    let pairs = situation.pairs();
    if situation.pile_frozen() || !next.opened || pairs < weights::FREEZE_PAIRS || situation.hurry {
        return 0;
    }
    weights::FREEZE_PILE_CARD * i32::from(situation.table.pile.size) + weights::FREEZE_PAIR * pairs
}
