//! The meld that the top of the pile is meant to join: a set, or a sequence (ALG-09).

use super::CheckContext;
use crate::action::{MeldKind, Onto, TakePile};
use crate::card::{Card, Cards};
use crate::facts::{receivers, sequence_receives};
use crate::rejection::Violation;
use crate::sequence::Sequence;
use crate::table::Meld;
use crate::violations::Code;

/// The meld that the top is meant to join.
pub(super) enum Aim<'a> {
    Set,
    /// An own sequence, with its index.
    Sequence(u8, &'a Meld),
    NewSequence,
}

impl<'a> Aim<'a> {
    pub(super) fn of(ctx: &CheckContext<'a>, take: &TakePile, top: Card) -> Self {
        let pair = take.with.iter().filter(|card| card.rank() == top.rank()).count() >= 2;
        if !ctx.set.sequences || pair {
            return Self::Set;
        }
        let (_, set_receives) = receivers(ctx.table, ctx.side, top.rank());
        match target(ctx, take, top, set_receives) {
            Some((at, meld)) => Self::Sequence(at, meld),
            None if !matches!(take.onto, Onto::Meld { .. }) && begins(take, top) => Self::NewSequence,
            None => Self::Set,
        }
    }
}

/// Returns the own sequence that a take names, or to which AUTO sends the top where no set receives it alone;
/// with its index.
fn target<'a>(
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
            if take.with.is_empty() { sequence_receives(ctx.table, m, top) } else { with_hand() }
        }),
        _ => None,
    };
    found.map(|(at, meld)| (at as u8, meld))
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
