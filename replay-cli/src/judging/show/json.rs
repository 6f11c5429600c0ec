//! The record and its table for programs: `canasta-show/1`, described in docs/judge/CLI.md.

use super::table::as_known;
use crate::shared::text::PlayerNames;
use canasta_engine::action::{As, MeldKind};
use canasta_engine::card::{Card, Cards};
use canasta_engine::event::Grade;
use canasta_engine::known::Known;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Causes, Phase, Table};
use canasta_engine::view::{Insight, MeldView, OpenTable, View, view};
use serde::Serialize;

/// The document about a record. Fields that do not apply are absent.
#[derive(Serialize)]
pub struct ShownJson {
    pub format: &'static str,
    pub game_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_of: Option<serde_json::Value>,
    pub ruleset: String,
    /// Number of the record, number of the last record, and byte at which the record begins.
    pub record: u64,
    pub last: u64,
    pub offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    pub viewer: String,
    /// The action and its events, one per line.
    pub happened: Vec<String>,
    /// The reason why the table is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableShown>,
    /// For a judge: the position in notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// The table as the viewer sees it.
#[derive(Serialize)]
pub struct TableShown {
    phase: &'static str,
    dealer: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_act: Option<u8>,
    stock: Pack,
    pile: Pack,
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<String>,
    frozen: Vec<&'static str>,
    seats: Vec<SeatShown>,
    sides: Vec<SideShown>,
    melds: Vec<MeldShown>,
}

/// Cards of which the viewer may know only the number.
#[derive(Serialize)]
struct Pack {
    size: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<String>>,
}

#[derive(Serialize)]
struct SeatShown {
    name: String,
    side: u8,
    hand: Pack,
    foot: Pack,
    laid: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
}

#[derive(Serialize)]
struct SideShown {
    opened: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<i32>,
    frozen: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
}

#[derive(Serialize)]
struct MeldShown {
    side: u8,
    meld: u8,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    canasta: Option<&'static str>,
    cards: Vec<String>,
}

/// Returns the viewer as the options name it.
pub fn viewer(viewer: As) -> String {
    match viewer {
        As::Seat(seat) => seat.to_string(),
        As::Judge | As::Director => "judge".into(),
        As::Table | As::Spectator => "table".into(),
    }
}

/// Returns the table; `known` says which cards of a transcript only stand for unknown cards.
pub fn table(state: &Table, known: Option<&Known>, viewer: As, names: &PlayerNames) -> TableShown {
    let View { table, insight } = view(state, viewer);
    let insight = known.map_or_else(|| insight.clone(), |known| as_known(&insight, known));
    let all = match &insight {
        Insight::All(all) => Some(all),
        _ => None,
    };
    let hand = |seat: Seat| match &insight {
        Insight::Hand { seat: own, cards } if *own == seat => Some(cards),
        Insight::All(all) => all.hands.get(seat.index()),
        _ => None,
    };
    let seat_shown = |seat: Seat| {
        let of = &table.seats[seat.index()];
        let open = known.map_or(0, |known| known.open(seat).len());
        let unknown = std::iter::repeat_n("??".to_owned(), open.into());
        let foot = all.filter(|_| known.is_none()).and_then(|all| all.feet.get(seat.index()));
        SeatShown {
            name: names.seat(seat),
            side: of.side.0,
            hand: Pack {
                size: of.hand,
                cards: hand(seat).map(|hand| bag(hand).into_iter().chain(unknown).collect()),
            },
            foot: Pack { size: of.foot, cards: foot.map(bag) },
            laid: bag(&of.laid),
            score: of.score,
        }
    };
    TableShown {
        phase: phase(table.phase),
        dealer: table.dealer.0,
        turn: table.turn.map(|seat| seat.0),
        to_act: table.to_act.map(|seat| seat.0),
        stock: Pack {
            size: table.stock,
            cards: all.filter(|_| known.is_none()).map(|all| stack(&all.stock)),
        },
        pile: Pack { size: table.pile.size, cards: all.map(|all| stack(&all.pile)) },
        top: table.pile.top.map(|top| top.to_string()),
        frozen: causes(table.pile.frozen),
        seats: state.seats().map(seat_shown).collect(),
        sides: (0..)
            .map(Side)
            .zip(&table.sides)
            .map(|(_, side)| SideShown {
                opened: side.opened,
                minimum: side.minimum,
                frozen: causes(side.frozen),
                score: side.score,
            })
            .collect(),
        melds: melds(&table),
    }
}

fn melds(table: &OpenTable) -> Vec<MeldShown> {
    let shown = |MeldView { meld, grade, .. }: &MeldView| MeldShown {
        side: meld.side.0,
        meld: meld.id.0,
        kind: match meld.kind {
            MeldKind::Set => "set",
            MeldKind::Wild => "wild",
            MeldKind::Sequence => "sequence",
            MeldKind::BlackThrees => "black_threes",
        },
        canasta: grade.map(Grade::name),
        cards: bag(&meld.cards),
    };
    table.melds.iter().map(shown).collect()
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Setup => "setup",
        Phase::Deal => "deal",
        Phase::Start => "start",
        Phase::Taking => "taking",
        Phase::Play => "play",
        Phase::Asked => "asked",
        Phase::RoundOver => "round_over",
        Phase::GameOver => "game_over",
    }
}

fn causes(causes: Causes) -> Vec<&'static str> {
    causes.iter().map(|cause| cause.name()).collect()
}

fn bag(cards: &Cards) -> Vec<String> {
    cards.iter().map(|card| card.to_string()).collect()
}

fn stack(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}
