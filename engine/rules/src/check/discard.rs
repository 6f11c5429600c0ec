//! `discard`, and the cards that may not be discarded (ALG-23).

use super::{Desk, Missing, Plan, Verdict, must_go_out, size, tentative, threes};
use crate::action::{ActionKind, CardList};
use crate::card::{Card, Cards, Class, Rank};
use crate::nodes::Nodes;
use crate::rejection::{Field, Violation};
use crate::rules::{DiscardThrees, DiscardWilds, EmptyPileSafe, RuleSet, ThreesWindow};
use crate::seat::Side;
use crate::table::{Meld, Table};
use crate::violations::Code;

pub(super) fn check(mut desk: Desk<'_>, card: Card) -> Verdict {
    let (state, hand) = (desk.state, desk.state.hand(desk.seat));
    if hand.count(card) == 0 {
        return Err(desk.not_held(&[Missing { card, short: 1, field: Field::Card }]));
    }
    tentative::judge_top(&mut desk);
    threes::judge_kept(&mut desk);
    tentative::judge_turn(&mut desk);
    judge_penalty_cards(&mut desk, card);
    if hand.len() == 1 && state.foot(desk.seat).is_empty() {
        size::judge_last_card(&mut desk);
        if desk.set.discard_threes != DiscardThrees::FinalOnly && threes::bars_three(desk.set, card.class()) {
            desk.push(forbidden(Code::DiscardThreeForbidden, card));
        }
        return desk.settle(Plan::Discard(card));
    }
    judge_card(&mut desk, card);
    if hand.len() > 1 && must_go_out(state) {
        desk.push(Violation::new(Code::GoOutBound, Field::Action));
    }
    desk.settle(Plan::Discard(card))
}

/// Whether such a card may be discarded while a card stays in the hand.
fn judge_card(desk: &mut Desk<'_>, card: Card) {
    let (state, hand) = (desk.state, desk.state.hand(desk.seat));
    if threes::bars_three(desk.set, card.class()) {
        desk.push(forbidden(Code::DiscardThreeForbidden, card));
    }
    if card.is_wild() && !wilds_may_go(desk.set, hand, state.turn.all_wild_draw) {
        desk.push(forbidden(Code::DiscardWildForbidden, card));
    }
    if state.pile.is_empty() {
        judge_empty_pile(desk, card, hand);
    }
}

/// The cards that the seat in turn may discard while a card stays in the hand.
pub(super) fn discardable(state: &Table) -> Cards {
    state.hand(state.turn.seat).iter().filter(|&card| may_go(state, card)).collect()
}

fn may_go(state: &Table, card: Card) -> bool {
    let nodes = Nodes::default();
    let mut desk = Desk::new(state, state.turn.seat, ActionKind::Discard, &nodes);
    judge_card(&mut desk, card);
    desk.faults.is_empty()
}

/// IR-109: the penalty cards of which the seat in turn must discard one. Those that no discard lets go wait: else the
/// turn had no end.
pub(crate) fn penalties_due(state: &Table) -> Cards {
    if !state.has_rulings() {
        return Cards::EMPTY;
    }
    state.rulings().penalty_cards(state.turn.seat).iter().filter(|&card| may_go(state, card)).collect()
}

/// IR-109: while a penalty card is left, one of them goes first.
fn judge_penalty_cards(desk: &mut Desk<'_>, card: Card) {
    let due = penalties_due(desk.state);
    if !due.is_empty() && due.count(card) == 0 {
        let cards: CardList = due.iter().collect();
        desk.push(Violation::new(Code::DiscardPenaltyCardFirst, Field::Card).fact("cards", cards));
    }
}

fn forbidden(code: Code, card: Card) -> Violation {
    Violation::new(code, Field::Card).fact("card", card)
}

/// What an empty pile bars (MA-081, MV-002). Some natural of a hand that has one always passes.
fn judge_empty_pile(desk: &mut Desk<'_>, card: Card, hand: &Cards) {
    if bars_rank(desk.set, hand, card.rank()) {
        let others = naturals(hand).filter(|&rank| !desk.set.empty_pile_barred.contains(rank)).count() as u8;
        let fault = forbidden(Code::DiscardRankOnEmptyPile, card);
        desk.push(fault.fact("other_naturals", others));
    }
    let (state, side) = (desk.state, desk.side);
    if desk.set.empty_pile_safe == EmptyPileSafe::Forbid && is_safe(state, side, card.rank()) {
        let open = |rank: &Rank| !bars_rank(desk.set, hand, *rank) && !is_safe(state, side, *rank);
        let alternatives = naturals(hand).filter(open).count() as u8;
        if alternatives > 0 {
            let fault = forbidden(Code::DiscardSafeOnEmptyPile, card);
            desk.push(fault.fact("alternatives", alternatives));
        }
    }
}

fn naturals(hand: &Cards) -> impl Iterator<Item = Rank> {
    Rank::NATURAL.into_iter().filter(|&rank| hand.rank_count(rank) > 0)
}

/// Whether `rank` may not go onto an empty pile: the hand holds another natural that may.
fn bars_rank(set: &RuleSet, hand: &Cards, rank: Rank) -> bool {
    let barred = |rank: Rank| set.empty_pile_barred.contains(rank);
    barred(rank) && naturals(hand).any(|other| !barred(other))
}

/// AC-62: a rank of which anybody owns a canasta, or opponents have a meld that a pair and the top would overfill.
fn is_safe(state: &Table, side: Side, rank: Rank) -> bool {
    let full = u16::from(state.set().canasta_size);
    let safe = |m: &Meld| m.len() >= full || (m.side != side && m.len() + 2 >= full);
    state.melds.iter().any(|m| m.rank == Some(rank) && safe(m))
}

/// MA-085: whether a wild may be discarded from this hand with cards left.
fn wilds_may_go(set: &RuleSet, hand: &Cards, all_wild_draw: bool) -> bool {
    let all_wild = u16::from(hand.wilds()) == hand.len();
    match set.discard_wilds {
        DiscardWilds::Any => true,
        DiscardWilds::ForcedByDraw => all_wild && all_wild_draw,
        DiscardWilds::AllWildHand => all_wild,
    }
}

/// Whether this rule set bars discards so that a hand may have none.
pub(crate) fn restricted(set: &RuleSet) -> bool {
    set.discard_wilds != DiscardWilds::Any
        || set.discard_threes == DiscardThrees::FinalOnly
        || (set.lays_threes_by_choice() && set.threes_window == ThreesWindow::StartOrFresh)
}

/// Whether some card of `hand` can be discarded while a card stays, onto whatever pile.
pub(super) fn leaves_a_card(state: &Table, hand: &Cards) -> bool {
    let set = state.set();
    let may_go = |card: Card| match card.class() {
        Class::Natural => true,
        Class::Wild => wilds_may_go(set, hand, state.turn.all_wild_draw),
        class => !threes::bars_three(set, class),
    };
    hand.len() >= 2 && (!restricted(set) || hand.kinds().any(|(card, _)| may_go(card)))
}

/// Whether a discard shows that only an exception allowed it: a barred rank onto an empty pile, or a wild with
/// cards left (MA-082, MA-086).
pub(crate) fn is_exception(state: &Table, card: Card) -> bool {
    let set = state.set();
    let barred = state.pile.is_empty() && set.empty_pile_barred.contains(card.rank());
    barred || (card.is_wild() && set.discard_wilds != DiscardWilds::Any)
}
