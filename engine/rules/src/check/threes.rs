//! `lay_threes`, and threes that may not be kept (ALG-03).

use super::{Desk, Plan, Verdict, least_kept, may_go_out, one, tentative};
use crate::action::CardList;
use crate::card::{Card, Cards, Class};
use crate::rejection::{Field, Violation};
use crate::rules::{DiscardThrees, DiscardWilds, LastThree, RuleSet, ThreesKeep, ThreesWindow};
use crate::table::{Phase, Table};
use crate::violations::Code;

pub(super) fn check(mut desk: Desk<'_>, cards: &CardList) -> Verdict {
    if cards.is_empty() {
        return Err(one(Violation::new(Code::TurnEmptyAction, Field::Action)));
    }
    desk.cards_gate(core::iter::once((Field::Cards, cards)))?;
    let mut layable = layable(desk.state);
    for &card in cards {
        if !layable.remove(card) {
            let fault = Violation::new(Code::ThreeLayWrongTime, Field::Cards).fact("card", card);
            desk.push(fault.fact("window", desk.set.threes_window.fact()));
        }
    }
    judge_rest(&mut desk, cards);
    if desk.set.last_three == LastThree::EndRound {
        // It may end the round with what lies there.
        tentative::judge_turn(&mut desk);
    }
    desk.settle(Plan::LayThrees(cards.clone()))
}

/// Threes that nothing replaces, late ones or at an empty stock, leave enough cards to end the turn with: laying is no
/// going out.
fn judge_rest(desk: &mut Desk<'_>, cards: &CardList) {
    let (state, set) = (desk.state, desk.set);
    // A foot may be no more than its threes (HF-079).
    let of_foot = set.foot_size > 0 && set.late_three_replaced;
    if of_foot || !state.foot(desk.seat).is_empty() || !must_lay(state).is_empty() {
        return;
    }
    let mut fresh = state.turn.fresh;
    let due = |card: &&Card| set.late_three_replaced || fresh.remove(**card);
    let due = cards.iter().filter(due).count();
    if due > state.stock.len() && set.last_three != LastThree::GoOn {
        return;
    }
    let stays = usize::from(state.hand(desk.seat).len()) + due.min(state.stock.len());
    let stays = stays.saturating_sub(cards.len());
    let least = least_to_end(state);
    if stays < usize::from(least) {
        let fault =
            Violation::new(Code::MeldLeavesTooFewCards, Field::Cards).fact("hand_after", stays as u16);
        desk.push(fault.fact("required", least));
    }
}

/// How many cards the seat in turn needs at least to end its turn, its draw made or not.
pub(crate) fn least_to_end(state: &Table) -> u8 {
    let side = state.side_of(state.turn.seat);
    let one = state.phase == Phase::Start || may_go_out(state, state.canastas(side));
    if one { 1 } else { least_kept(state.set()) as u8 }
}

/// The threes that the seat in turn may lay now, its draw made or not.
pub(crate) fn layable(state: &Table) -> Cards {
    let set = state.set();
    let fresh_only = state.phase != Phase::Start && set.threes_window == ThreesWindow::StartOrFresh;
    if fresh_only { state.turn.fresh } else { held(state) }
}

/// The threes in the hand of the seat in turn that can be laid at all.
pub(crate) fn held(state: &Table) -> Cards {
    let hand = state.hand(state.turn.seat);
    hand.kinds()
        .filter(|(card, _)| state.set().lays(card.class()))
        .flat_map(|(card, count)| core::iter::repeat_n(card, usize::from(count)))
        .collect()
}

/// The threes that must be laid before anything else is done, if any (MA-039, threes_keep).
pub(crate) fn must_lay(state: &Table) -> Cards {
    let set = state.set();
    if !set.lays_threes_by_choice() {
        return Cards::EMPTY;
    }
    let threes = layable(state);
    if threes.is_empty() || (may_keep(state) && !is_stranded(state)) { Cards::EMPTY } else { threes }
}

fn may_keep(state: &Table) -> bool {
    match state.set().threes_keep {
        ThreesKeep::Free => true,
        ThreesKeep::StraightOnly => held(state).len() <= 1 && !state.opened(state.side_of(state.turn.seat)),
        ThreesKeep::Never => false,
    }
}

/// MA-039: with these threes the hand could make no discard. Before the draw this binds only where a three
/// could not be laid after it, and not at an empty stock, where the round ends anyway (AC-08).
fn is_stranded(state: &Table) -> bool {
    let set = state.set();
    let later = set.threes_window == ThreesWindow::AnyTime || state.stock.is_empty();
    if state.phase == Phase::Start && later {
        return false;
    }
    !state.hand(state.turn.seat).kinds().any(|(card, _)| may_go(set, card))
}

/// Whether such a card can be discarded from a hand that holds a three and keeps a card.
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

/// THREE_MUST_BE_LAID.
pub(super) fn judge_kept(desk: &mut Desk<'_>) {
    let threes = must_lay(desk.state);
    if !threes.is_empty() {
        let cards: CardList = threes.iter().collect();
        let fault = Violation::new(Code::ThreeMustBeLaid, Field::Action).fact("cards", cards);
        desk.push(fault);
    }
}

impl ThreesWindow {
    /// The window's name in facts.
    fn fact(self) -> &'static str {
        ["ANY_TIME", "START_OR_FRESH"][self as usize]
    }
}
