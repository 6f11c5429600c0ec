//! Typed actions: judged in the position before a record, and offered from what is possible there.

use super::look::{called, lines, sees_all};
use crate::judging::history::History;
use crate::judging::ruling::{bounds, steps, write_bounds, write_rejection};
use anyhow::{anyhow, bail, ensure};
use canasta_engine::action::{Action, As};
use canasta_engine::apply::apply;
use canasta_engine::check::check;
use canasta_engine::notation::Proposal;
use canasta_engine::table::Table;
use canasta_engine::view::{EventView, events};
use std::io::Write;

/// The reason why nothing that is typed is judged in a position with unknown cards.
const UNKNOWN_CARDS: &str =
    "some cards of this round are not known here: canasta-replay what-if judges with unknown cards";

/// Returns the position before a record, if something can be judged there.
///
/// # Errors
/// The reason why nothing can be judged there.
pub fn position(history: &History, n: u64) -> anyhow::Result<Table> {
    if let Some(reason) = history.unknown_before(n) {
        bail!("{reason}");
    }
    let position = history.before(n).ok_or_else(|| anyhow!("no card is dealt yet"))?;
    ensure!(position.known.is_none(), "{UNKNOWN_CARDS}");
    Ok(position.table)
}

/// Parses an action and its actor, who is the one who must act if none is named.
///
/// # Errors
/// The place at which the text is not an action in notation.
pub fn proposal(typed: &str, state: &Table) -> anyhow::Result<(As, Action)> {
    let Proposal { actor, action } = Proposal::parse_at(typed, state).map_err(|error| anyhow!("{error}"))?;
    Ok((actor.unwrap_or_else(|| state.to_act().map_or(As::Table, As::Seat)), action))
}

/// Judges an action proposed instead of record `n`, and returns the result in lines.
pub fn judged(history: &History, n: u64, viewer: As, typed: &str) -> Vec<String> {
    judge(history, n, viewer, typed).unwrap_or_else(|error| vec![error.to_string()])
}

fn judge(history: &History, n: u64, viewer: As, typed: &str) -> anyhow::Result<Vec<String>> {
    let state = position(history, n)?;
    let names = history.names(Some(&state));
    let (actor, action) = proposal(typed, &state)?;
    ensure!(
        sees_all(viewer) || actor == viewer,
        "whether {} may do that depends on cards that {} does not see (v: another viewer)",
        names.actor(actor),
        called(viewer, &names)
    );
    let mut out = Vec::new();
    let names = names.on_table(Some(&state), actor);
    writeln!(out, "{}", names.acted(actor, &action))?;
    let legal = check(&state, actor, &action);
    writeln!(
        out,
        "{}",
        if legal.is_ok() { "LEGAL before this record" } else { "NOT LEGAL before this record" }
    )?;
    if let Err(rejection) = &legal {
        write_rejection(rejection, &history.rules, &names, &mut out)?;
    }
    if let As::Seat(seat) = actor {
        write_bounds(&bounds(&state, None, seat, &action, &names), &mut out)?;
    }
    // Only a judge may see the card that a draw would bring.
    if let (Ok(legal), true) = (legal, sees_all(viewer)) {
        let mut after = state;
        for event in events(&apply(&mut after, legal), As::Judge) {
            if event != EventView::Scored {
                writeln!(out, "  {}", names.event(&event))?;
            }
        }
    }
    Ok(lines(&out))
}

/// Returns the steps that the viewer could type, in notation.
pub fn offers(history: &History, n: u64, viewer: As) -> Vec<String> {
    let Ok(state) = position(history, n) else { return Vec::new() };
    let acts = state.to_act().map(As::Seat);
    if !sees_all(viewer) && acts != Some(viewer) {
        return Vec::new();
    }
    steps(&state).0
}
