//! Views, written as messages.

use canasta_engine::action::As;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::state::{Causes, Permission, Phase, Source, State};
use canasta_engine::view::{Everything, Insight, MeldView, SeatView, SideView, Table, view};
use canasta_proto::v1 as pb;

use super::action_out::{about, meld_kind};
use super::card::{write_list, write_set};
use super::event::{freeze_cause, grade};
use super::{identity, score};

/// Writes what `viewer` may see of `state`.
pub fn write(state: &State, viewer: As) -> pb::View {
    let view = view(state, viewer);
    let (table, link) = (&view.table, state.link());
    let everything = everything(&view.insight);
    pb::View {
        r#as: Some(identity::write(viewer)),
        rule_set: table.rules.id().into(),
        game_id: state.origin().game_id.0.into(),
        n: link.n,
        seq: link.seq,
        head: link.head.into(),
        phase: phase(table.phase).into(),
        round: table.round.into(),
        dealer: table.dealer.0.into(),
        turn: table.turn.map(|seat| seat.0.into()),
        to_act: table.to_act.map(|seat| seat.0.into()),
        source: source(table.source).into(),
        sides: (0..).map(Side).zip(&table.sides).map(|(side, seen)| write_side(side, seen, table)).collect(),
        seats: (0..)
            .map(Seat)
            .zip(&table.seats)
            .map(|(seat, seen)| write_seat(seat, seen, &view.insight))
            .collect(),
        pile: Some(pb::PileView {
            size: table.pile.size.into(),
            top: table.pile.top.map(|card| card.to_string()).unwrap_or_default(),
            frozen: causes(table.pile.frozen),
            cards: everything.map(|all| write_list(&all.pile)).unwrap_or_default(),
        }),
        stock: table.stock.into(),
        question: question(table.permission),
        last_round: last_round(table),
        stock_cards: everything.map(|all| write_list(&all.stock)).unwrap_or_default(),
    }
}

fn write_side(side: Side, seen: &SideView, table: &Table) -> pb::SideView {
    pb::SideView {
        side: side.0.into(),
        score: seen.score,
        opened: seen.opened,
        minimum: seen.minimum,
        melds: table.melds_of(side).map(write_meld).collect(),
        frozen: causes(seen.frozen),
    }
}

fn write_meld(MeldView { meld, grade: now }: &MeldView) -> pb::MeldView {
    pb::MeldView {
        id: meld.id.0.into(),
        kind: meld_kind(meld.kind).into(),
        rank: meld.rank.map(|rank| rank.letter().into()).unwrap_or_default(),
        cards: write_set(&meld.cards),
        grade: now.map_or(pb::Grade::Unspecified, grade).into(),
    }
}

fn write_seat(seat: Seat, seen: &SeatView, insight: &Insight) -> pb::SeatView {
    let hand = match insight {
        Insight::Hand { seat: own, cards } if *own == seat => write_set(cards),
        Insight::All(all) => all.hands.get(seat.index()).map(write_set).unwrap_or_default(),
        Insight::Hand { .. } | Insight::None => Vec::new(),
    };
    pb::SeatView {
        seat: seat.0.into(),
        side: seen.side.0.into(),
        hand_size: seen.hand.into(),
        hand,
        laid: write_set(&seen.laid),
    }
}

fn everything(insight: &Insight) -> Option<&Everything> {
    match insight {
        Insight::All(all) => Some(all),
        Insight::Hand { .. } | Insight::None => None,
    }
}

/// The next round is registered in the same reply, so the round that ended is the one before.
fn last_round(table: &Table) -> Option<pb::RoundEnd> {
    let number = if table.phase == Phase::GameOver { table.round } else { table.round.saturating_sub(1) };
    table.over.map(|over| score::unscored(number, over))
}

/// A question that was answered no longer says whom it was put to, but who refused it.
fn question(permission: Permission) -> Option<pb::Question> {
    let go_out = pb::About::GoOut.into();
    match permission {
        Permission::None => None,
        Permission::Pending { about: subject, to } => {
            Some(pb::Question { about: about(subject).into(), to: Some(to.0.into()), answer: None })
        }
        Permission::Yes => Some(pb::Question { about: go_out, to: None, answer: Some(true) }),
        Permission::No { by } => {
            Some(pb::Question { about: go_out, to: Some(by.0.into()), answer: Some(false) })
        }
    }
}

fn causes(causes: Causes) -> Vec<i32> {
    causes.iter().map(|cause| freeze_cause(cause).into()).collect()
}

fn phase(phase: Phase) -> pb::Phase {
    match phase {
        Phase::Setup => pb::Phase::Setup,
        Phase::Deal => pb::Phase::Deal,
        Phase::Start => pb::Phase::Start,
        Phase::Play => pb::Phase::Play,
        Phase::Asked => pb::Phase::Asked,
        Phase::RoundOver => pb::Phase::RoundOver,
        Phase::GameOver => pb::Phase::GameOver,
    }
}

fn source(source: Source) -> pb::Source {
    match source {
        Source::None => pb::Source::Unspecified,
        Source::Stock => pb::Source::Stock,
        Source::Pile => pb::Source::Pile,
    }
}
