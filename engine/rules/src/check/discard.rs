//! `discard`, and the cards that may not be discarded (ALG-23).

use super::{CheckContext, Missing, Plan, Verdict, must_go_out, size, tentative, threes};
use crate::action::CardList;
use crate::card::{Card, Cards, Class, Rank};
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

/// Whether the seat in turn may discard some card while a card stays in the hand.
pub(super) fn some_may_go(table: &Table) -> bool {
    let hand = table.hand(table.turn.seat);
    Card::of_kinds(hand.held() & open_kinds(table)).any(|card| may_go_onto_pile(table, card))
}

/// Returns those of these cards, one of each kind, that the seat in turn may discard as far as the card decides:
/// nothing else keeps the turn from ending, and if this is the last card, the seat may go out.
pub(crate) fn discardable(table: &Table, cards: &Cards) -> impl Iterator<Item = Card> {
    let seat = table.turn.seat;
    let is_last = table.hand(seat).len() == 1 && table.foot(seat).is_empty();
    let kinds = match is_last {
        true if table.set().discard_threes == DiscardThrees::FinalOnly => !0,
        true => three_kinds(table.set()),
        false => open_kinds(table),
    };
    let set = table.set();
    let is_limited = !set.empty_pile_barred.is_empty() || set.empty_pile_safe == EmptyPileSafe::Forbid;
    let is_free = is_last || !is_limited || !table.pile.is_empty();
    Card::of_kinds(cards.held() & kinds).filter(move |&card| is_free || may_go_onto_pile(table, card))
}

/// Returns the kinds that no limit on threes keeps in the hand, as a bit mask.
fn three_kinds(set: &RuleSet) -> u64 {
    let barred =
        [Class::RedThree, Class::BlackThree].into_iter().filter(|&class| threes::bars_three(set, class));
    !barred.fold(0, |kinds, class| kinds | class.kinds())
}

/// Returns the kinds that the seat in turn may discard while a card stays in the hand, onto a pile that is not empty.
pub(super) fn open_kinds(table: &Table) -> u64 {
    let hand = table.hand(table.turn.seat);
    let wilds =
        if wilds_may_go(table.set(), hand, table.turn.all_wild_draw) { 0 } else { Class::Wild.kinds() };
    three_kinds(table.set()) & !wilds
}

/// Whether [`judge_empty_pile`] finds no fault with a card of the seat in turn.
fn may_go_onto_pile(table: &Table, card: Card) -> bool {
    let (set, seat) = (table.set(), table.turn.seat);
    let (hand, rank) = (table.hand(seat), card.rank());
    !table.pile.is_empty()
        || !bars_rank(set, hand, rank) && safe_alternatives(table, table.side_of(seat), hand, rank) == 0
}

/// Returns the penalty cards of which the seat in turn must discard one (IR-109). Penalty cards that it may not
/// discard now must wait: otherwise the turn could not end.
pub(crate) fn penalties_due(table: &Table) -> Cards {
    if !table.has_rulings() {
        return Cards::EMPTY;
    }
    let open = open_kinds(table);
    let may_go = |card: &Card| open >> card.kind() & 1 == 1 && may_go_onto_pile(table, *card);
    table.rulings().penalty_cards(table.turn.seat).iter().filter(may_go).collect()
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
    let alternatives = safe_alternatives(table, side, hand, card.rank());
    if alternatives > 0 {
        let fault = forbidden(Code::DiscardSafeOnEmptyPile, card);
        ctx.push(fault.fact("alternatives", alternatives));
    }
}

/// Returns the number of ranks in the hand that must be discarded before a safe rank goes onto an empty pile; 0 if the
/// rank is not safe.
fn safe_alternatives(table: &Table, side: Side, hand: &Cards, rank: Rank) -> u8 {
    let set = table.set();
    if set.empty_pile_safe != EmptyPileSafe::Forbid || !is_safe(table, side, rank) {
        return 0;
    }
    let open = |rank: &Rank| !bars_rank(set, hand, *rank) && !is_safe(table, side, *rank);
    naturals(hand).filter(open).count() as u8
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
