//! `lay_threes`, and threes that may not be kept (ALG-03).

use super::{CheckContext, Plan, Verdict, least_kept, may_go_out, one, tentative};
use crate::action::CardList;
use crate::card::{Card, Cards, Class};
use crate::rejection::{Field, Violation};
use crate::rules::{DiscardThrees, DiscardWilds, LastThree, RuleSet, ThreesKeep, ThreesWindow};
use crate::table::{Phase, Table};
use crate::violations::Code;

pub(super) fn check(mut ctx: CheckContext<'_>, cards: &CardList) -> Verdict {
    if cards.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    ctx.cards_gate(core::iter::once((Field::Cards, cards)))?;
    let mut layable = layable(ctx.table);
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

/// Returns the minimum number of cards that the seat in turn needs to end its turn, before or after its draw.
pub(crate) fn least_to_end(table: &Table) -> u8 {
    let side = table.side_of(table.turn.seat);
    let one = table.phase == Phase::Start || may_go_out(table, table.canastas(side));
    if one { 1 } else { least_kept(table.set()) as u8 }
}

/// Returns the threes that the seat in turn may lay now, before or after its draw.
pub(crate) fn layable(table: &Table) -> Cards {
    let set = table.set();
    let fresh_only = table.phase != Phase::Start && set.threes_window == ThreesWindow::StartOrFresh;
    if fresh_only { table.turn.fresh } else { held(table) }
}

/// Returns the threes in the hand of the seat in turn that the rule set allows to be laid.
pub(crate) fn held(table: &Table) -> Cards {
    let hand = table.hand(table.turn.seat);
    let laid = [Class::RedThree, Class::BlackThree].into_iter().filter(|&class| table.set().lays(class));
    let laid = laid.fold(0, |kinds, class| kinds | class.kinds());
    let mut threes = Cards::EMPTY;
    Card::of_kinds(hand.held() & laid).for_each(|card| threes.insert_copies(card, hand.count(card)));
    threes
}

/// Returns the threes that must be laid before anything else is done (MA-039, threes_keep); empty if there are
/// none.
pub fn must_lay(table: &Table) -> Cards {
    let set = table.set();
    if !set.lays_threes_by_choice() {
        return Cards::EMPTY;
    }
    let threes = layable(table);
    if threes.is_empty() || (may_keep(table) && !is_stranded(table)) { Cards::EMPTY } else { threes }
}

fn may_keep(table: &Table) -> bool {
    match table.set().threes_keep {
        ThreesKeep::Free => true,
        ThreesKeep::StraightOnly => held(table).len() <= 1 && !table.opened(table.side_of(table.turn.seat)),
        ThreesKeep::Never => false,
    }
}

/// Whether the hand could make no discard with these threes (MA-039). Before the draw this binds only if a
/// three could not be laid after the draw, and never at an empty stock, where the round ends anyway (AC-08).
fn is_stranded(table: &Table) -> bool {
    let set = table.set();
    let later = set.threes_window == ThreesWindow::AnyTime || table.stock.is_empty();
    if table.phase == Phase::Start && later {
        return false;
    }
    !table.hand(table.turn.seat).kinds().any(|(card, _)| may_go(set, card))
}

/// Whether this card can be discarded from a hand that holds a three and keeps a card.
fn may_go(set: &RuleSet, card: Card) -> bool {
    match card.class() {
        Class::Natural => true,
        Class::Wild => set.discard_wilds == DiscardWilds::Any,
        class => !bars_three(set, class),
    }
}

/// Whether threes of this class may not be discarded while a card stays in the hand.
pub(super) fn bars_three(set: &RuleSet, class: Class) -> bool {
    match set.discard_threes {
        DiscardThrees::Black => class == Class::RedThree,
        DiscardThrees::Any => false,
        DiscardThrees::FinalOnly => matches!(class, Class::RedThree | Class::BlackThree),
    }
}

/// Judges THREE_MUST_BE_LAID.
pub(super) fn judge_kept(ctx: &mut CheckContext<'_>) {
    if !ctx.set.lays_threes_by_choice() {
        return;
    }
    let threes = must_lay(ctx.table);
    if !threes.is_empty() {
        let cards: CardList = threes.iter().collect();
        let fault = Violation::new(Code::ThreeMustBeLaid, Field::Action).fact("cards", cards);
        ctx.push(fault);
    }
}

impl ThreesWindow {
    /// Returns the name of the window in facts.
    fn fact(self) -> &'static str {
        ["ANY_TIME", "START_OR_FRESH"][self as usize]
    }
}
