//! Sequences in a batch (ALG-09).

use super::{BatchColumn, CheckContext};
use crate::action::MeldKind;
use crate::card::{Card, Cards};
use crate::rejection::Violation;
use crate::sequence::{self, Sequence};
use crate::table::Table;
use crate::violations::Code;
use alloc::vec::Vec;

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
