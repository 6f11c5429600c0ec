//! `special_hand` (ALG-19): the whole hand of 14 cards, right after a draw, in an agreed shape.

use super::{CheckContext, Plan, Verdict};
use crate::action::SpecialHand;
use crate::card::{Cards, Rank};
use crate::facts::WILD_RANKS;
use crate::rejection::{Field, Violation};
use crate::rules::{GarbageShape, PairsWilds, RuleSet, SpecialHand as Agreed};
use crate::table::{Source, Table};
use crate::violations::Code;

/// Whether the rule set has this kind of special hand.
pub(super) fn is_agreed(set: &RuleSet, hand: SpecialHand) -> bool {
    set.special_hands.contains(match hand {
        SpecialHand::Straight => Agreed::Straight,
        SpecialHand::Pairs => Agreed::Pairs,
        SpecialHand::Garbage => Agreed::Garbage,
    })
}

pub(super) fn check(mut ctx: CheckContext<'_>, hand: SpecialHand) -> Verdict {
    let (table, cards) = (ctx.table, ctx.table.hand(ctx.seat));
    let fault = |code| Violation::new(code, Field::Action);
    if table.turn.source != Source::Stock {
        let fault = fault(Code::SpecialNotAfterStockDraw);
        ctx.push(fault.fact("source", table.turn.source.name()));
    }
    if table.opened(ctx.side) {
        ctx.push(fault(Code::SpecialSideHasMelded));
    }
    let required = u16::from(ctx.set.hand_size) + 1;
    if cards.len() != required {
        ctx.push(fault(Code::SpecialWrongSize).fact("found", cards.len()).fact("required", required));
    }
    let covered = covered(ctx.set, cards, hand);
    if covered < required || cards.len() > covered {
        let fault = fault(Code::SpecialShape).fact("kind", hand.name());
        let fault = fault.fact("missing", required.saturating_sub(covered));
        ctx.push(fault.fact("surplus", cards.len() - covered));
    }
    ctx.settle(Plan::SpecialHand(hand))
}

/// Returns the special hands that the seat in turn can declare now.
pub(crate) fn declarable(table: &Table) -> impl Iterator<Item = SpecialHand> + '_ {
    let set = table.set();
    let cards = table.hand(table.turn.seat);
    let ready = !set.special_hands.is_empty()
        && table.turn.source == Source::Stock
        && cards.len() == u16::from(set.hand_size) + 1
        && !table.opened(table.side_of(table.turn.seat));
    // For most hands the number of ranks alone rules out each kind.
    let ranks = if ready { cards.rank_counts().iter().filter(|&&count| count > 0).count() } else { 0 };
    let kinds = [(SpecialHand::Straight, 14), (SpecialHand::Pairs, 7), (SpecialHand::Garbage, 5)];
    let near = move |&(hand, most): &(SpecialHand, usize)| ready && ranks <= most && is_agreed(set, hand);
    kinds
        .into_iter()
        .filter(near)
        .map(|(hand, _)| hand)
        .filter(|&hand| covered(set, cards, hand) == cards.len())
}

/// Returns the maximum number of cards of the hand that fill places of the shape.
fn covered(set: &RuleSet, cards: &Cards, hand: SpecialHand) -> u16 {
    let mut counts = cards.rank_counts();
    match hand {
        SpecialHand::Straight => counts.iter().filter(|&&count| count > 0).count() as u16,
        SpecialHand::Pairs => {
            let wilds = WILD_RANKS.into_iter().filter(|&rank| {
                counts[rank.index()] >= 2
                    && match set.pairs_wilds {
                        PairsWilds::None => false,
                        PairsWilds::Twos => rank == Rank::Two,
                        PairsWilds::TwosOrJokers => true,
                    }
            });
            // MA-147: a wild pair requires pairs of sevens and of aces.
            let obliged = [Rank::Seven, Rank::Ace].iter().all(|rank| counts[rank.index()] >= 2);
            let wild = usize::from(wilds.count() > 0 && obliged);
            pairs(&counts, 7 - wild, set.special_distinct) + 2 * wild as u16
        }
        SpecialHand::Garbage => match set.garbage_shape {
            GarbageShape::F4433 => fill(&mut counts, &[4, 4, 3, 3], set.special_distinct),
            GarbageShape::F3333WildPair => {
                let wild = WILD_RANKS.into_iter().any(|rank| counts[rank.index()] >= 2);
                fill(&mut counts, &[3, 3, 3, 3], set.special_distinct) + 2 * u16::from(wild)
            }
        },
    }
}

/// Returns the number of naturals that fill pairs, `most` pairs at most.
fn pairs(counts: &[u8; 14], most: usize, distinct: bool) -> u16 {
    let of = |rank: &Rank| {
        u16::from(if distinct { counts[rank.index()].min(2) } else { counts[rank.index()] } / 2)
    };
    2 * Rank::NATURAL.iter().map(of).sum::<u16>().min(most as u16)
}

/// Returns the maximum number of naturals that fill sets of these sizes, each set of one rank. If `distinct`,
/// no two sets have the same rank (AC-51).
fn fill(counts: &mut [u8; 14], sizes: &[u8], distinct: bool) -> u16 {
    let Some((&size, rest)) = sizes.split_first() else { return 0 };
    let mut best = fill(counts, rest, distinct);
    for rank in Rank::NATURAL {
        let held = counts[rank.index()];
        if held >= size {
            counts[rank.index()] = if distinct { 0 } else { held - size };
            best = best.max(u16::from(size) + fill(counts, rest, distinct));
            counts[rank.index()] = held;
        }
    }
    best
}
