//! `discard`, and the cards that may not be discarded (ALG-23).

use super::{CheckContext, Missing, Plan, Verdict, must_go_out, size, tentative, threes};
use crate::action::{ActionKind, CardList};
use crate::card::{Card, Cards, Class, Rank};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::{DiscardThrees, DiscardWilds, EmptyPileSafe, RuleSet, ThreesWindow};
use crate::seat::Side;
use crate::table::{Meld, Table};
use crate::violations::Code;

pub(super) fn check(mut ctx: CheckContext<'_>, card: Card) -> Verdict {
    let (table, hand) = (ctx.table, ctx.table.hand(ctx.seat));
    if hand.count(card) == 0 {
        return Err(ctx.not_held(&[Missing { card, short: 1, field: Field::Card }]));
    }
    tentative::judge_top(&mut ctx);
    threes::judge_kept(&mut ctx);
    tentative::judge_turn(&mut ctx);
    judge_penalty_cards(&mut ctx, card);
    if hand.len() == 1 && table.foot(ctx.seat).is_empty() {
        size::judge_last_card(&mut ctx);
        if bars_last(ctx.set, card) {
            ctx.push(forbidden(Code::DiscardThreeForbidden, card));
        }
        return ctx.settle(Plan::Discard(card));
    }
    judge_card(&mut ctx, card);
    if hand.len() > 1 && must_go_out(table) {
        ctx.push(Violation::new(Code::GoOutBound, Field::Action));
    }
    ctx.settle(Plan::Discard(card))
}

/// Whether `card` may not be discarded although it is the last one of the hand.
pub(super) fn bars_last(set: &RuleSet, card: Card) -> bool {
    set.discard_threes != DiscardThrees::FinalOnly && threes::bars_three(set, card.class())
}

/// Judges the discard of a card while another card stays in the hand.
fn judge_card(ctx: &mut CheckContext<'_>, card: Card) {
    let (table, hand) = (ctx.table, ctx.table.hand(ctx.seat));
    if threes::bars_three(ctx.set, card.class()) {
        ctx.push(forbidden(Code::DiscardThreeForbidden, card));
    }
    if card.is_wild() && !wilds_may_go(ctx.set, hand, table.turn.all_wild_draw) {
        ctx.push(forbidden(Code::DiscardWildForbidden, card));
    }
    if table.pile.is_empty() {
        judge_empty_pile(ctx, card, hand);
    }
}

/// Returns the cards that the seat in turn may discard while a card stays in the hand.
pub(super) fn discardable(table: &Table) -> Cards {
    table.hand(table.turn.seat).iter().filter(|&card| may_go(table, card)).collect()
}

fn may_go(table: &Table, card: Card) -> bool {
    let nodes = Nodes::default();
    let mut ctx = CheckContext::new(table, table.turn.seat, ActionKind::Discard, &nodes);
    judge_card(&mut ctx, card);
    ctx.faults.is_empty()
}

/// Returns the penalty cards of which the seat in turn must discard one (IR-109). Penalty cards that it may not
/// discard now must wait: otherwise the turn could not end.
pub(crate) fn penalties_due(table: &Table) -> Cards {
    if !table.has_rulings() {
        return Cards::EMPTY;
    }
    table.rulings().penalty_cards(table.turn.seat).iter().filter(|&card| may_go(table, card)).collect()
}

/// Checks that a penalty card is discarded first, while one is due (IR-109).
fn judge_penalty_cards(ctx: &mut CheckContext<'_>, card: Card) {
    if !ctx.table.has_rulings() {
        return;
    }
    let due = penalties_due(ctx.table);
    if !due.is_empty() && due.count(card) == 0 {
        let cards: CardList = due.iter().collect();
        ctx.push(Violation::new(Code::DiscardPenaltyCardFirst, Field::Card).fact("cards", cards));
    }
}

fn forbidden(code: Code, card: Card) -> Violation {
    Violation::new(code, Field::Card).fact("card", card)
}

/// Judges the rank of a discard onto an empty pile (MA-081, MV-002). If the hand holds naturals, at least one
/// of them always passes.
fn judge_empty_pile(ctx: &mut CheckContext<'_>, card: Card, hand: &Cards) {
    if bars_rank(ctx.set, hand, card.rank()) {
        let others = naturals(hand).filter(|&rank| !ctx.set.empty_pile_barred.contains(rank)).count() as u8;
        let fault = forbidden(Code::DiscardRankOnEmptyPile, card);
        ctx.push(fault.fact("other_naturals", others));
    }
    let (table, side) = (ctx.table, ctx.side);
    if ctx.set.empty_pile_safe == EmptyPileSafe::Forbid && is_safe(table, side, card.rank()) {
        let open = |rank: &Rank| !bars_rank(ctx.set, hand, *rank) && !is_safe(table, side, *rank);
        let alternatives = naturals(hand).filter(open).count() as u8;
        if alternatives > 0 {
            let fault = forbidden(Code::DiscardSafeOnEmptyPile, card);
            ctx.push(fault.fact("alternatives", alternatives));
        }
    }
}

fn naturals(hand: &Cards) -> impl Iterator<Item = Rank> {
    Rank::NATURAL.into_iter().filter(|&rank| hand.rank_count(rank) > 0)
}

/// Whether `rank` may not go onto an empty pile: it is barred, and the hand holds another natural that is not
/// barred.
fn bars_rank(set: &RuleSet, hand: &Cards, rank: Rank) -> bool {
    let barred = |rank: Rank| set.empty_pile_barred.contains(rank);
    barred(rank) && naturals(hand).any(|other| !barred(other))
}

/// Whether a rank is safe to discard (AC-62): a side owns a canasta of the rank, or the opponents have a meld
/// of it that a pair and the top would overfill.
fn is_safe(table: &Table, side: Side, rank: Rank) -> bool {
    let full = u16::from(table.set().canasta_size);
    let safe = |m: &Meld| m.len() >= full || (m.side != side && m.len() + 2 >= full);
    table.melds.iter().any(|m| m.rank == Some(rank) && safe(m))
}

/// Whether a wild may be discarded from this hand while a card stays in the hand (MA-085).
fn wilds_may_go(set: &RuleSet, hand: &Cards, all_wild_draw: bool) -> bool {
    let all_wild = u16::from(hand.wilds()) == hand.len();
    match set.discard_wilds {
        DiscardWilds::Any => true,
        DiscardWilds::ForcedByDraw => all_wild && all_wild_draw,
        DiscardWilds::AllWildHand => all_wild,
    }
}

/// Whether this rule set bars discards in such a way that a hand may have no legal discard.
pub(crate) fn restricted(set: &RuleSet) -> bool {
    set.discard_wilds != DiscardWilds::Any
        || set.discard_threes == DiscardThrees::FinalOnly
        || (set.lays_threes_by_choice() && set.threes_window == ThreesWindow::StartOrFresh)
}

/// Whether some card of `hand` can be discarded, onto any pile, while a card stays in the hand.
pub(super) fn leaves_a_card(table: &Table, hand: &Cards) -> bool {
    let set = table.set();
    let may_go = |card: Card| match card.class() {
        Class::Natural => true,
        Class::Wild => wilds_may_go(set, hand, table.turn.all_wild_draw),
        class => !threes::bars_three(set, class),
    };
    hand.len() >= 2 && (!restricted(set) || hand.kinds().any(|(card, _)| may_go(card)))
}

/// Whether only an exception can have allowed this discard: a barred rank onto an empty pile, or a wild while
/// cards stay in the hand (MA-082, MA-086).
pub(crate) fn is_exception(table: &Table, card: Card) -> bool {
    let set = table.set();
    let barred = table.pile.is_empty() && set.empty_pile_barred.contains(card.rank());
    barred || (card.is_wild() && set.discard_wilds != DiscardWilds::Any)
}
