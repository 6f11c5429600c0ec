//! The invariants that are about cards which may return to the hand (ALG-07).

use super::{ensure, none};
use crate::facts;
use crate::rules::PileSteps;
use crate::table::{Found, Loose, Phase, Table, TakenTop, say};

pub(super) fn loose_fits(table: &Table) -> Result<(), Found> {
    let loose = &table.turn.loose;
    if loose.is_empty() {
        return Ok(());
    }
    let side = table.side_of(table.turn.seat);
    let lies = |l: &Loose| {
        !l.cards.is_empty() && table.meld(side, l.meld).is_some_and(|m| m.cards.contains(&l.cards))
    };
    let in_order = loose.is_sorted_by(|a, b| a.meld < b.meld);
    let playing = matches!(table.phase, Phase::Play | Phase::Taking | Phase::Asked);
    ensure(
        (playing || table.is_cut_off()) && table.set().undo_meld,
        || say!("HN-013"; "cards that lie on the table may not return to the hand here"),
    )?;
    ensure(in_order, || say!(""; "a meld is named twice among those whose cards may return"))?;
    none(loose.iter().filter(|l| !lies(l)).map(|l| {
        say!(""; l.cards, " may return to the hand, and does not lie in meld ", i64::from(l.meld.0), " of ", side)
    }))
}

pub(super) fn taken_top_fits(table: &Table) -> Result<(), Found> {
    let taking = table.phase == Phase::Taking || table.taken_top.is_some() && table.is_cut_off();
    let fits = match table.taken_top {
        None => !taking,
        Some(TakenTop { card, meld: Some(id) }) => {
            taking && table.loose_of(id).is_some_and(|loose| loose.count(card) > 0)
        }
        Some(TakenTop { .. }) => taking,
    };
    let natural = table.taken_top.is_none_or(|top| facts::is_takable(table.set(), top.card));
    let allowed = !taking || table.set().pile_steps == PileSteps::Two;
    ensure(fits && natural && allowed, || match table.taken_top {
        Some(top) => {
            say!(""; "the top ", top.card, " is taken tentatively, and cannot wait for its meld here")
        }
        None => say!(""; "a top is being taken tentatively, and no card is named as that top"),
    })
}
