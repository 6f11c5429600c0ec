//! `discard`, and the cards that may not be discarded (ALG-23).

use super::{CheckContext, Missing, Plan, Verdict, size, tentative};
use crate::action::CardList;
use crate::card::{Card, Cards};
use crate::facts::{
    bars_last, bars_rank, bars_three, is_first_turn, must_go_out, naturals_of, penalties_due,
    safe_alternatives, wilds_may_go,
};
use crate::rejection::{Circumstance, Field, Violation};
use crate::violations::Code;

pub(super) fn check(mut ctx: CheckContext<'_>, card: Card) -> Verdict {
    let (table, hand) = (ctx.table, ctx.table.hand(ctx.seat));
    if hand.count(card) == 0 {
        return Err(ctx.not_held(&[Missing { card, short: 1, field: Field::Card }]));
    }
    tentative::judge_top(&mut ctx);
    ctx.judge_kept();
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

/// Judges the discard of a card while another card stays in the hand.
fn judge_card(ctx: &mut CheckContext<'_>, card: Card) {
    let (table, hand) = (ctx.table, ctx.table.hand(ctx.seat));
    if bars_three(table, card.class()) {
        let fault = forbidden(Code::DiscardThreeForbidden, card);
        ctx.push(fault.with(Circumstance::FirstTurn, is_first_turn(table)));
    }
    if card.is_wild() && !wilds_may_go(ctx.set, hand, table.turn.all_wild_draw) {
        ctx.push(forbidden(Code::DiscardWildForbidden, card));
    }
    if table.pile.is_empty() {
        judge_empty_pile(ctx, card, hand);
    }
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
        let others =
            naturals_of(hand).filter(|&rank| !ctx.set.empty_pile_barred.contains(rank)).count() as u8;
        let fault = forbidden(Code::DiscardRankOnEmptyPile, card);
        ctx.push(fault.fact("other_naturals", others));
    }
    let (table, side) = (ctx.table, ctx.side);
    let alternatives = safe_alternatives(table, side, hand, card.rank());
    if alternatives > 0 {
        let fault = forbidden(Code::DiscardSafeOnEmptyPile, card);
        ctx.push(fault.fact("alternatives", alternatives));
    }
}
