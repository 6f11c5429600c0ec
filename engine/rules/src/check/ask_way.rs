//! The way out that an `ask` may name: verified without a search, however large the hand is.

use super::{CheckContext, discard, meld, size};
use crate::action::{ActionKind, NamedWay};
use crate::card::Cards;
use crate::facts;
use crate::rejection::{Field, Violation};
use crate::table::{Permission, Table};
use crate::violations::Code;
use alloc::vec::Vec;

/// Judges ASK_CANNOT_GO_OUT of a question that names a way out.
pub(super) fn judge(ctx: &mut CheckContext<'_>, way: &NamedWay) {
    // The way is judged as it would be played: after a "yes".
    let mut asked = ctx.table.clone();
    asked.turn.permission = Permission::Yes;
    if let Err((part, missing)) = verify(ctx, &asked, way) {
        ctx.push(fault(part, missing));
    }
}

/// Returns the violation of a question with a wrong way out: the part that is wrong, and the codes of what it breaks.
pub(super) fn fault(part: &'static str, missing: Vec<Code>) -> Violation {
    Violation::new(Code::AskCannotGoOut, Field::Action).fact("reasons", missing).fact("fault", part)
}

/// Checks that the groups leave nothing but the discard, that they may be laid, and that the seat may go out then.
///
/// # Errors
/// The part that is wrong, and the codes of what it breaks; no codes if the groups do not empty the hand.
fn verify(ctx: &CheckContext<'_>, asked: &Table, way: &NamedWay) -> Result<(), (&'static str, Vec<Code>)> {
    let (seat, set) = (ctx.seat, ctx.set);
    let mut rest = *asked.hand(seat);
    // Fewer cards than are named: the gate of the meld names the card.
    let is_held = way.groups.iter().flat_map(|group| &group.cards).all(|&card| rest.remove(card));
    let kept: Cards = way.discard.into_iter().collect();
    if is_held && rest != kept {
        let lacks = way.discard.is_some_and(|card| rest.count(card) == 0);
        let codes = if lacks { alloc::vec![Code::TurnCardNotInHand] } else { Vec::new() };
        return Err((if lacks { "DISCARD" } else { "KEPT" }, codes));
    }
    // That a promise is not kept only repeats what the other codes say.
    let codes = |faults: Vec<Violation>| -> Vec<Code> {
        faults.iter().map(|fault| fault.code).filter(|&code| code != Code::GoOutBound).collect()
    };
    if !way.groups.is_empty() {
        let mut laying = CheckContext::new(asked, seat, ActionKind::Meld, ctx.nodes);
        laying.ends_turn = true;
        meld::check(laying, &way.groups).map_err(|faults| ("GROUPS", codes(faults)))?;
    }
    if let Some(card) = way.discard {
        if asked.for_discard() == 0 {
            return Err(("DISCARD", alloc::vec![Code::TurnWrongPhase]));
        }
        if way.groups.is_empty() {
            let last = CheckContext::new(asked, seat, ActionKind::Discard, ctx.nodes);
            return discard::check(last, card).map(|_| ()).map_err(|faults| ("DISCARD", codes(faults)));
        }
        if facts::bars_last(set, card) {
            return Err(("DISCARD", alloc::vec![Code::DiscardThreeForbidden]));
        }
    }
    let canastas = size::canastas_with(asked, seat, &way.groups);
    let missing = facts::missing_to_go_out(asked, seat, canastas);
    let missing: Vec<Code> = missing.map(|needed| needed.code).collect();
    if missing.is_empty() { Ok(()) } else { Err(("GROUPS", missing)) }
}
