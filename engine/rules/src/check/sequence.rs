//! Sequences in a batch and in a take (ALG-09).

use super::take::{self, Aim};
use super::{Batch, BatchColumn, CheckContext};
use crate::action::{Group, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards};
use crate::rejection::Violation;
use crate::rules::TakeLayoff;
use crate::seat::Side;
use crate::sequence::{self, Sequence};
use crate::table::{Meld, Table};
use crate::violations::Code;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// Returns the cards of the meld at `at` together with those that `columns` add to it.
fn merged(table: &Table, columns: &[BatchColumn], at: u8) -> Cards {
    let mut cards = table.melds[usize::from(at)].cards;
    let added = columns.iter().filter(|c| c.placement.target == Some(at));
    added.flat_map(|c| &c.placement.cards).for_each(|&card| cards.insert(card));
    cards
}

/// Returns the index of the own sequence with the lowest id that these cards extend (clarification 12).
pub(super) fn extended(ctx: &CheckContext<'_>, columns: &[BatchColumn], cards: &[Card]) -> Option<u8> {
    let melds = ctx.table.melds.iter().enumerate();
    let mut own = melds.filter(|(_, m)| m.side == ctx.side && m.kind == MeldKind::Sequence);
    let found = own.find(|&(at, _)| {
        let mut all = merged(ctx.table, columns, at as u8);
        cards.iter().for_each(|&card| all.insert(card));
        Sequence::of(&all).is_some_and(|sequence| sequence.len <= ctx.set.sequence_max)
    });
    found.map(|(at, _)| at as u8)
}

impl Batch {
    /// Adds the groups of sequences that name no target. Groups that extend a sequence, as it then lies, come
    /// before the others: a batch has no order of its own.
    pub(super) fn add_sequences(&mut self, ctx: &CheckContext<'_>, groups: &[Group]) {
        let open = |g: &Group| g.kind == MeldKind::Sequence && g.onto == Onto::Auto;
        let mut left: SmallVec<[(u8, &Group); 4]> =
            (0..).zip(groups).filter(|(_, group)| open(group)).collect();
        while !left.is_empty() {
            let extends = |(_, group): &(u8, &Group)| extended(ctx, &self.columns, &group.cards).is_some();
            let (number, group) = left.remove(left.iter().position(extends).unwrap_or(0));
            self.add(ctx, number, group);
        }
    }
}

/// Judges the shape of a sequence (shape(g)) on the merged meld.
pub(super) fn judge(ctx: &CheckContext<'_>, column: &BatchColumn, note: &mut impl FnMut(Violation)) {
    judge_fit(ctx, column, note);
    let (size, least) = (column.size(), ctx.set.meld_min);
    if size < least {
        let fault = Violation::new(Code::MeldTooSmall, column.field).fact("found", size);
        note(fault.fact("required", least));
    }
    if size > ctx.set.sequence_max {
        let fault = Violation::new(Code::MeldTooLarge, column.field).fact("found", size);
        note(fault.fact("allowed", ctx.set.sequence_max));
    }
}

/// Judges that the cards follow each other in one suit. Placing requires only this if the rest is tested later.
pub(super) fn judge_fit(ctx: &CheckContext<'_>, column: &BatchColumn, note: &mut impl FnMut(Violation)) {
    let fault = |code| Violation::new(code, column.field);
    if let Some(&wild) = column.placement.cards.iter().find(|card| card.is_wild()) {
        note(fault(Code::MeldSequenceWild).fact("card", wild));
    }
    let mut cards: Cards = column.placement.cards.iter().copied().collect();
    if let Some(at) = column.placement.target {
        let meld = &ctx.table.melds[usize::from(at)];
        cards.add(&meld.cards);
        // A column of the whole turn names its loose cards, which the meld contains already.
        if u16::from(column.old.0) < meld.len() {
            cards.subtract(&ctx.table.loose_of(meld.id).copied().unwrap_or(Cards::EMPTY));
        }
    }
    let (mut suits, mut places, mut twice) = (0u8, 0u16, None);
    for (card, count) in cards.kinds() {
        let (Some(suit), Some(place)) = (card.suit(), sequence::place(card)) else { continue };
        twice = twice.or((count > 1 || places & 1 << place != 0).then_some(card));
        suits |= 1 << suit;
        places |= 1 << place;
    }
    if suits.count_ones() > 1 {
        let names = ["CLUBS", "DIAMONDS", "HEARTS", "SPADES"].into_iter().enumerate();
        let named: Vec<&'static str> =
            names.filter(|(suit, _)| suits & 1 << suit != 0).map(|(_, name)| name).collect();
        note(fault(Code::MeldSequenceSuits).fact("suits", named));
    }
    if let Some(card) = twice {
        note(fault(Code::MeldSequenceDuplicate).fact("rank", card.rank()));
    }
    let unbroken = places.checked_shr(places.trailing_zeros()).unwrap_or(0);
    if unbroken & (unbroken + 1) != 0 {
        let held = (0..sequence::PLACES).filter(|place| places & 1 << place != 0);
        let ranks: Vec<&'static str> = held.map(|place| sequence::rank_at(place).name()).collect();
        note(fault(Code::MeldSequenceGap).fact("ranks", ranks));
    }
}

/// Returns why a tentatively taken top that lies in a sequence does not entitle to the pile. The top must
/// directly lengthen a sequence that lay there before the turn (SA-042 to SA-044).
pub(super) fn entitlement_fault(
    ctx: &CheckContext<'_>,
    before: &Option<Meld>,
    top: Card,
) -> Option<Violation> {
    let Some(meld) = before else {
        let fault = take::entitlement_fault(ctx, top, None, 0, 0, None)?;
        let started = fault.code == Code::PileTopNotMelded;
        return Some(Violation { code: if started { Code::PileSequenceStart } else { fault.code }, ..fault });
    };
    if receives(ctx.table, meld, top) {
        return None;
    }
    let fault = take::entitlement_fault(ctx, top, None, 0, 0, Some(meld))?;
    let bridged = fault.code == Code::PileTopNotMelded;
    Some(if bridged {
        Violation::new(Code::PileSequenceBridged, fault.field).fact("meld", meld.id)
    } else {
        fault
    })
}

/// Returns the own sequence that a take names, or to which AUTO sends the top where no set receives it alone;
/// with its index.
pub(super) fn target<'a>(
    ctx: &CheckContext<'a>,
    take: &TakePile,
    top: Card,
    set_receives: bool,
) -> Option<(u8, &'a Meld)> {
    let melds = ctx.table.melds.iter().enumerate();
    let mut own = melds.filter(|(_, m)| m.side == ctx.side && m.kind == MeldKind::Sequence);
    let found = match take.onto {
        Onto::Meld { side, id } => own.find(|(_, m)| side.is_none_or(|s| s == ctx.side) && m.id == id),
        Onto::Auto if !set_receives => own.find(|(_, m)| {
            let with_hand = || reaches(m, take, None, top);
            if take.with.is_empty() { receives(ctx.table, m, top) } else { with_hand() }
        }),
        _ => None,
    };
    found.map(|(at, meld)| (at as u8, meld))
}

/// Whether the meld is a sequence that the top alone lengthens directly (SA-043), and the pile may be taken so:
/// it is not frozen, and the rule set allows it.
pub(crate) fn receives(table: &Table, meld: &Meld, top: Card) -> bool {
    let set = table.set();
    meld.kind == MeldKind::Sequence
        && table.frozen(meld.side).is_empty()
        && set.take_layoff != TakeLayoff::Never
        && Sequence::of_meld(meld)
            .is_some_and(|sequence| sequence.len < set.sequence_max && sequence.with(top).is_some())
}

/// Whether some own sequence may receive the top alone.
pub(super) fn some_receives(table: &Table, side: Side, top: Card) -> bool {
    table.set().sequences && table.melds_of(side).any(|meld| receives(table, meld, top))
}

/// Replaces the fault of a top that finds no meld by a more exact one, if the take was meant for a sequence.
pub(super) fn explain(take: &TakePile, top: Card, aim: &Aim<'_>, fault: &mut Violation) {
    let told = match aim {
        Aim::NewSequence => Violation::new(Code::PileSequenceStart, fault.field),
        Aim::Sequence(_, meld) if reaches(meld, take, Some(take.onto), top) => {
            Violation::new(Code::PileSequenceBridged, fault.field).fact("meld", meld.id)
        }
        _ => return,
    };
    *fault = told;
}

/// Whether the top belongs to the sequence once the named cards from the hand lie there too.
fn reaches(meld: &Meld, take: &TakePile, id: Option<Onto>, top: Card) -> bool {
    let named = take.also.iter().filter(|group| Some(group.onto) == id).flat_map(|group| &group.cards);
    let mut all = meld.cards;
    take.with.iter().chain(named).for_each(|&card| all.insert(card));
    all.insert(top);
    Sequence::of(&all).is_some()
}

/// Whether the top and the cards of `with` would begin a sequence (SA-044).
pub(super) fn begins(take: &TakePile, top: Card) -> bool {
    let all: Cards = take.with.iter().copied().chain([top]).collect();
    all.len() > 1 && Sequence::of(&all).is_some()
}
