//! `lay_threes` (ALG-03).

use super::{CheckContext, Plan, Verdict, one, tentative};
use crate::action::CardList;
use crate::card::Card;
use crate::facts::{layable_threes, least_to_end, must_lay};
use crate::rejection::{Field, Violation};
use crate::rules::{LastThree, ThreesWindow};
use crate::violations::Code;

pub(super) fn check(mut ctx: CheckContext<'_>, cards: &CardList) -> Verdict {
    if cards.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    ctx.cards_gate(core::iter::once((Field::Cards, cards)))?;
    let mut layable = layable_threes(ctx.table);
    for &card in cards {
        if !layable.remove(card) {
            let fault = Violation::new(Code::ThreeLayWrongTime, Field::Cards).fact("card", card);
            ctx.push(fault.fact("window", ctx.set.threes_window.fact()));
        }
    }
    judge_rest(&mut ctx, cards);
    if ctx.set.last_three == LastThree::EndRound {
        // The three may end the round, with the melds as they lie.
        tentative::judge_turn(&mut ctx);
    }
    ctx.settle(Plan::LayThrees(cards.clone()))
}

/// Checks that threes that nothing replaces (late threes, or threes at an empty stock) leave enough cards to
/// end the turn: laying threes is not going out.
fn judge_rest(ctx: &mut CheckContext<'_>, cards: &CardList) {
    let (table, set) = (ctx.table, ctx.set);
    // A foot may consist of threes only (HF-079).
    let of_foot = set.foot_size > 0 && set.late_three_replaced;
    if of_foot || !table.foot(ctx.seat).is_empty() || !must_lay(table).is_empty() {
        return;
    }
    let mut fresh = table.turn.fresh;
    let due = |card: &&Card| set.late_three_replaced || fresh.remove(**card);
    let due = cards.iter().filter(due).count();
    if due > table.stock.len() && set.last_three != LastThree::GoOn {
        return;
    }
    let stays = usize::from(table.hand(ctx.seat).len()) + due.min(table.stock.len());
    let stays = stays.saturating_sub(cards.len());
    let least = least_to_end(table);
    if stays < usize::from(least) {
        let fault = Violation::new(Code::MeldLeavesTooFewCards, Field::Cards).fact("found", stays as u16);
        ctx.push(fault.fact("required", least));
    }
}

impl ThreesWindow {
    /// Returns the name of the window in facts.
    fn fact(self) -> &'static str {
        ["ANY_TIME", "START_OR_FRESH"][self as usize]
    }
}
