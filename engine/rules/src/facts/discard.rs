//! The cards that may be discarded (ALG-23).

use super::threes::bars_three;
use crate::card::{Card, Cards, Class, Rank};
use crate::rules::{DiscardThrees, DiscardWilds, EmptyPileSafe, RuleSet, ThreesWindow};
use crate::seat::Side;
use crate::table::{Meld, Table};

impl Table {
    /// Returns the number of cards that the seat in turn may keep to go out with: one to discard, where a
    /// discard follows, else none.
    pub(crate) fn for_discard(&self) -> u16 {
        u16::from(!self.turn.no_discard)
    }
}

/// Whether this rule set bars discards in such a way that a hand may have no legal discard.
pub(crate) fn restricted(set: &RuleSet) -> bool {
    set.discard_wilds != DiscardWilds::Any
        || matches!(set.discard_threes, DiscardThrees::FinalOnly | DiscardThrees::BlackLater)
        || (set.lays_threes_by_choice() && set.threes_window == ThreesWindow::StartOrFresh)
}

/// Whether some card of `hand` can be discarded, onto any pile, while a card stays in the hand.
pub(crate) fn leaves_a_card(table: &Table, hand: &Cards) -> bool {
    let set = table.set();
    let may_go = |card: Card| match card.class() {
        Class::Natural => true,
        Class::Wild => wilds_may_go(set, hand, table.turn.all_wild_draw),
        class => !bars_three(table, class),
    };
    hand.len() >= 2 && (!restricted(set) || hand.kinds().any(|(card, _)| may_go(card)))
}

/// Whether a wild may be discarded from this hand while a card stays in the hand (MA-085).
pub(crate) fn wilds_may_go(set: &RuleSet, hand: &Cards, all_wild_draw: bool) -> bool {
    let all_wild = u16::from(hand.wilds()) == hand.len();
    match set.discard_wilds {
        DiscardWilds::Any => true,
        DiscardWilds::ForcedByDraw => all_wild && all_wild_draw,
        DiscardWilds::AllWildHand => all_wild,
    }
}

/// Whether `card` may not be discarded although it is the last one of the hand.
pub(crate) fn bars_last(set: &RuleSet, card: Card) -> bool {
    let bars_red = matches!(set.discard_threes, DiscardThrees::Black | DiscardThrees::BlackLater);
    bars_red && card.class() == Class::RedThree
}

/// Whether only an exception can have allowed this discard: a barred rank onto an empty pile, or a wild while
/// cards stay in the hand (MA-082, MA-086).
pub(crate) fn is_exception(table: &Table, card: Card) -> bool {
    let set = table.set();
    let barred = table.pile.is_empty() && set.empty_pile_barred.contains(card.rank());
    barred || (card.is_wild() && set.discard_wilds != DiscardWilds::Any)
}

/// Whether the seat in turn may discard some card while a card stays in the hand.
pub(crate) fn some_may_go(table: &Table) -> bool {
    let hand = table.hand(table.turn.seat);
    Card::of_kinds(hand.held() & open_kinds(table)).any(|card| may_go_onto_pile(table, card))
}

/// Returns those of these cards, one of each kind, that the seat in turn may discard as far as the card decides:
/// nothing else keeps the turn from ending, and if this is the last card, the seat may go out.
pub(crate) fn discardable(table: &Table, cards: &Cards) -> impl Iterator<Item = Card> {
    let seat = table.turn.seat;
    let is_last = table.hand(seat).len() == 1 && table.foot(seat).is_empty();
    let kinds = match is_last {
        true => Card::all()
            .filter(|&card| !bars_last(table.set(), card))
            .fold(0, |kinds, card| kinds | 1 << card.kind()),
        false => open_kinds(table),
    };
    let set = table.set();
    let is_limited = !set.empty_pile_barred.is_empty() || set.empty_pile_safe == EmptyPileSafe::Forbid;
    let is_free = is_last || !is_limited || !table.pile.is_empty();
    Card::of_kinds(cards.held() & kinds).filter(move |&card| is_free || may_go_onto_pile(table, card))
}

/// Returns the kinds that no limit on threes keeps in the hand, as a bit mask.
fn three_kinds(table: &Table) -> u64 {
    let barred = [Class::RedThree, Class::BlackThree].into_iter().filter(|&class| bars_three(table, class));
    !barred.fold(0, |kinds, class| kinds | class.kinds())
}

/// Returns the kinds that the seat in turn may discard while a card stays in the hand, onto a pile that is not empty.
pub(crate) fn open_kinds(table: &Table) -> u64 {
    let hand = table.hand(table.turn.seat);
    let wilds =
        if wilds_may_go(table.set(), hand, table.turn.all_wild_draw) { 0 } else { Class::Wild.kinds() };
    three_kinds(table) & !wilds
}

/// Whether a card of the seat in turn may go onto the pile: no limit on an empty pile stands against it.
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

/// Returns the number of ranks in the hand that must be discarded before a safe rank goes onto an empty pile; 0 if the
/// rank is not safe.
pub(crate) fn safe_alternatives(table: &Table, side: Side, hand: &Cards, rank: Rank) -> u8 {
    let set = table.set();
    if set.empty_pile_safe != EmptyPileSafe::Forbid || !is_safe(table, side, rank) {
        return 0;
    }
    let open = |rank: &Rank| !bars_rank(set, hand, *rank) && !is_safe(table, side, *rank);
    naturals_of(hand).filter(open).count() as u8
}

pub(crate) fn naturals_of(hand: &Cards) -> impl Iterator<Item = Rank> {
    Rank::NATURAL.into_iter().filter(|&rank| hand.rank_count(rank) > 0)
}

/// Whether `rank` may not go onto an empty pile: it is barred, and the hand holds another natural that is not
/// barred.
pub(crate) fn bars_rank(set: &RuleSet, hand: &Cards, rank: Rank) -> bool {
    let barred = |rank: Rank| set.empty_pile_barred.contains(rank);
    barred(rank) && naturals_of(hand).any(|other| !barred(other))
}

/// Whether a rank is safe to discard (AC-62): a side owns a canasta of the rank, or the opponents have a meld
/// of it that a pair and the top would overfill.
fn is_safe(table: &Table, side: Side, rank: Rank) -> bool {
    let full = u16::from(table.set().canasta_size);
    let safe = |m: &Meld| m.len() >= full || (m.side != side && m.len() + 2 >= full);
    table.melds.iter().any(|m| m.rank == Some(rank) && safe(m))
}
