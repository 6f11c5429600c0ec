//! The record and its table for programs: `canasta-show/1`, described in docs/judge/CLI.md.

use super::table::as_known;
use super::{ShownLog, happened};
use crate::shared::json::{branch, present, some};
use crate::shared::text::{PlayerNames, hex};
use canasta_engine::action::As;
use canasta_engine::card::Card;
use canasta_engine::event::Grade;
use canasta_engine::known::Known;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Causes, Table};
use canasta_engine::view::{Insight, MeldView, SideView, View, view};
use serde_json::{Value, json};

/// Returns the document about a record. Fields that do not apply are absent.
pub fn shown(log: &ShownLog, viewer: As) -> Value {
    let ShownLog { outcome, genesis, names, unknown, .. } = log;
    let at = log.position.as_ref().filter(|_| unknown.is_none());
    present(json!({
        "format": "canasta-show/1",
        "game_id": hex(&genesis.game_id),
        "branch_of": genesis.fork_of.as_ref().map(branch),
        "ruleset": genesis.rule_set_id,
        "record": outcome.n(),
        "last": log.last,
        "offset": outcome.place.offset,
        "round": outcome.part.round,
        "seq": some(outcome.part.seq),
        "viewer": viewer_name(viewer),
        "happened": happened::lines(outcome, genesis, names, viewer, |_| false),
        "unknown": unknown,
        "table": at.map(|at| table(&at.table, at.known.as_ref(), viewer, names)),
        "position": at.filter(|_| viewer == As::Judge).map(|at| at.position().to_string()),
    }))
}

fn viewer_name(viewer: As) -> String {
    match viewer {
        As::Seat(seat) => seat.to_string(),
        As::Judge | As::Director => "judge".into(),
        As::Table | As::Spectator => "table".into(),
    }
}

/// Returns the table as the viewer sees it; `known` says which cards of a transcript only stand for unknown cards.
fn table(state: &Table, known: Option<&Known>, viewer: As, names: &PlayerNames) -> Value {
    let View { table, insight } = view(state, viewer);
    let insight = as_known(insight, known);
    let all = match &insight {
        Insight::All(all) => Some(all),
        _ => None,
    };
    let whole = all.filter(|_| known.is_none());
    let hand = |seat: Seat| match &insight {
        Insight::Hand { seat: own, cards } if *own == seat => Some(cards),
        Insight::All(all) => all.hands.get(seat.index()),
        _ => None,
    };
    let seat = |seat: Seat| {
        let of = &table.seats[seat.index()];
        let open = known.map_or(0, |known| known.open(seat).len());
        let unknown = std::iter::repeat_n("??".to_owned(), open.into());
        let hand = hand(seat).map(|hand| texts(hand.iter()).chain(unknown).collect());
        let foot = whole.and_then(|all| all.feet.get(seat.index()));
        present(json!({
            "name": names.seat(seat),
            "side": of.side.0,
            "hand": pack(of.hand, hand),
            "foot": pack(of.foot, foot.map(|foot| texts(foot.iter()).collect())),
            "laid": texts(of.laid.iter()).collect::<Vec<_>>(),
            "score": of.score,
        }))
    };
    let side = |side: &SideView| {
        present(json!({
            "opened": side.opened, "minimum": side.minimum, "frozen": causes(side.frozen), "score": side.score,
        }))
    };
    present(json!({
        "phase": table.phase.name().to_lowercase(),
        "dealer": table.dealer.0,
        "turn": table.turn.map(|seat| seat.0),
        "to_act": table.to_act.map(|seat| seat.0),
        "stock": pack(table.stock, whole.map(|all| texts(all.stock.iter().copied()).collect())),
        "pile": pack(table.pile.size, all.map(|all| texts(all.pile.iter().copied()).collect())),
        "top": table.pile.top.map(|top| top.to_string()),
        "frozen": causes(table.pile.frozen),
        "seats": state.seats().map(seat).collect::<Value>(),
        "sides": table.sides.iter().map(side).collect::<Value>(),
        "melds": table.melds.iter().map(meld).collect::<Value>(),
    }))
}

/// Returns cards of which the viewer may know only the number.
fn pack(size: u16, cards: Option<Vec<String>>) -> Value {
    present(json!({"size": size, "cards": cards}))
}

fn meld(MeldView { meld, grade, .. }: &MeldView) -> Value {
    present(json!({
        "side": meld.side.0,
        "meld": meld.id.0,
        "kind": meld.kind.name(),
        "canasta": grade.map(Grade::name),
        "cards": texts(meld.cards.iter()).collect::<Vec<_>>(),
    }))
}

fn causes(causes: Causes) -> Vec<&'static str> {
    causes.iter().map(|cause| cause.name()).collect()
}

fn texts(cards: impl Iterator<Item = Card>) -> impl Iterator<Item = String> {
    cards.map(|card| card.to_string())
}
