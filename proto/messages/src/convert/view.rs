//! Conversion of views to messages.

use canasta_engine::action::As;
use canasta_engine::card::Card;
use canasta_engine::check::Requirement;
use canasta_engine::explain;
use canasta_engine::game::Game;
use canasta_engine::log::codes::{FREEZE_CAUSES, GRADES, MELD_KINDS, SPECIAL_HANDS};
use canasta_engine::scoring;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Answer, Causes, Courtesy, Permission, Phase, Table, TalonPlace};
use canasta_engine::view::{
    Everything, Insight, MeldView, OpenTable, SeatView, SideView, Special, TalonView, view,
};
use canasta_proto::v1 as pb;

use super::card::{write_list, write_set};
use super::{choice, identity, score};

/// Writes the part of `game` that `viewer` may see.
pub fn of_game(game: &Game, viewer: As) -> pb::View {
    of_table(game, &game.table, viewer)
}

/// Writes the part of an earlier table of `game` that `viewer` may see.
pub fn of_table(game: &Game, table: &Table, viewer: As) -> pb::View {
    pb::View {
        game_id: game.dealing.game_id.0.into(),
        n: game.link.n,
        head: game.link.head.into(),
        ..write(table, viewer)
    }
}

/// Writes the part of a table that `viewer` may see, without the game's id and its place in a log.
pub fn write(state: &Table, viewer: As) -> pb::View {
    let view = view(state, viewer);
    let table = &view.table;
    let everything = everything(&view.insight);
    let named = |card: Option<Card>| card.map(|card| card.to_string()).unwrap_or_default();
    pb::View {
        actor: Some(identity::write(viewer)),
        rule_set: table.rules.id().into(),
        seq: state.step(),
        // The interface has the engine's order and counts from 1, and no source from 0.
        phase: table.phase as i32 + 1,
        round: table.round.into(),
        dealer: table.dealer.0.into(),
        turn: table.turn.map(|seat| seat.0.into()),
        to_act: table.to_act.map(|seat| seat.0.into()),
        source: table.source as i32,
        sides: (0..)
            .map(Side)
            .zip(&table.sides)
            .map(|(side, seen)| write_side(side, seen, state, table))
            .collect(),
        seats: (0..)
            .map(Seat)
            .zip(&table.seats)
            .map(|(seat, seen)| write_seat(seat, seen, &view.insight))
            .collect(),
        pile: Some(pb::PileView {
            size: table.pile.size.into(),
            top: named(table.pile.top),
            frozen: causes(table.pile.frozen),
            cards: everything.map(|all| write_list(&all.pile)).unwrap_or_default(),
            under: write_list(&table.pile.under),
        }),
        stock: table.stock.into(),
        question: question(table.courtesy, table.permission, table.answered),
        last_round: last_round(table),
        stock_cards: everything.map(|all| write_list(&all.stock)).unwrap_or_default(),
        taken_top: table.taken_top.map(|top| top.card.to_string()).unwrap_or_default(),
        taken_top_meld: table.taken_top.and_then(|top| top.meld).map(|id| id.0.into()),
        no_discard: table.no_discard,
        lone: table.lone.map(|seat| seat.0.into()),
        exact_cut: table.cut.hands,
        exact_foot_cut: table.cut.feet,
        dispute: table.dispute,
        attempt: table.attempt.into(),
        talons: (0..).zip(&table.talons).map(|(at, seen)| write_talon(at, seen, everything)).collect(),
        face_down: table.face_down,
        face_down_card: named(everything.and_then(|all| all.face_down)),
        talon_offered: table.offered.map(|seat| seat.0.into()),
        must_show: table.reveal.map(|seat| seat.0.into()),
        courtesy: match table.courtesy {
            Courtesy::None => pb::Courtesy::Unspecified,
            Courtesy::Asked(_) => pb::Courtesy::Asked,
            Courtesy::Granted => pb::Courtesy::Granted,
            Courtesy::Refused(_) => pb::Courtesy::Refused,
        }
        .into(),
        courtesy_refused_by: match table.courtesy {
            Courtesy::Refused(by) => Some(by.0.into()),
            _ => None,
        },
        special_hand: table.special.as_ref().map(write_special),
        title: table.rules.base().title().into(),
        target: table.rules.set().target,
        rounds: table.rules.set().rounds.into(),
        on_table: score::accounts(&scoring::on_table(state), &table.rules),
        ..Default::default()
    }
}

fn write_talon(at: usize, seen: &TalonView, everything: Option<&Everything>) -> pb::TalonView {
    let (place, seat) = match seen.place {
        TalonPlace::Centre => (pb::TalonPlace::Centre, None),
        TalonPlace::Before(seat) => (pb::TalonPlace::Before, Some(seat)),
        TalonPlace::Used => (pb::TalonPlace::Used, None),
    };
    pb::TalonView {
        place: place.into(),
        seat: seat.map(|seat| seat.0.into()),
        size: seen.size.into(),
        cards: everything
            .and_then(|all| all.talons.get(at))
            .map(|cards| write_list(cards))
            .unwrap_or_default(),
    }
}

fn write_special(special: &Special) -> pb::SpecialHandView {
    pb::SpecialHandView {
        seat: special.seat.0.into(),
        hand: choice::write(&SPECIAL_HANDS, special.hand),
        cards: write_set(&special.cards),
    }
}

fn write_side(side: Side, seen: &SideView, state: &Table, table: &OpenTable) -> pb::SideView {
    pb::SideView {
        side: side.0.into(),
        score: seen.score,
        opened: seen.opened,
        minimum: seen.minimum,
        melds: table.melds_of(side).map(write_meld).collect(),
        frozen: causes(seen.frozen),
        restores: seen.restores.into(),
        signed: seen.signed,
        ruled: seen.ruled,
        // Melds are public.
        needs: explain::lacking(state, side).iter().map(write_need).collect(),
    }
}

fn write_need(need: &Requirement) -> pb::MeldNeed {
    pb::MeldNeed {
        code: need.code.name().into(),
        missing: need.missing().into(),
        rank: need.rank().map(|rank| rank.letter().into()).unwrap_or_default(),
    }
}

fn write_meld(MeldView { meld, grade: now, loose }: &MeldView) -> pb::MeldView {
    pb::MeldView {
        id: meld.id.0.into(),
        kind: choice::write(&MELD_KINDS, meld.kind),
        rank: meld.rank.map(|rank| rank.letter().into()).unwrap_or_default(),
        cards: write_set(&meld.cards),
        grade: now.map_or(0, |grade| choice::write(&GRADES, grade)),
        loose: write_set(loose),
    }
}

/// Writes the names of the players, by place in the game's list of players, into a view of a state, which has none.
pub fn name_players<N: AsRef<str>>(view: &mut pb::View, names: &[N]) {
    for seat in &mut view.seats {
        if let Some(name) = names.get(seat.player as usize) {
            seat.name = name.as_ref().into();
        }
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
        score: seen.score,
        minimum: seen.minimum,
        player: seen.player.into(),
        foot_size: seen.foot.into(),
        penalty_cards: write_set(&seen.penalty_cards),
        pile_forfeited: seen.pile_forfeited,
        ruled: seen.ruled,
        has_melded: seen.has_melded,
        has_asked: seen.has_asked,
        courteous: seen.courteous,
        foot: everything(insight)
            .and_then(|all| all.feet.get(seat.index()))
            .map(write_set)
            .unwrap_or_default(),
        // A state has no names.
        name: String::new(),
    }
}

fn everything(insight: &Insight) -> Option<&Everything> {
    match insight {
        Insight::All(all) => Some(all),
        Insight::Hand { .. } | Insight::None => None,
    }
}

/// Writes the end of the last round. The answer that ends a round already registers the next round, so the
/// last round is the one before the table's round; after the game it is the table's round.
fn last_round(table: &OpenTable) -> Option<pb::RoundEnd> {
    let number = if table.phase == Phase::GameOver { table.round } else { table.round.saturating_sub(1) };
    table.over.map(|over| score::unscored(number, over))
}

/// Writes the open or answered question. An answered question names the seat that refused, and no longer the
/// seat that was asked.
fn question(courtesy: Courtesy, permission: Permission, answered: Option<Answer>) -> Option<pb::Question> {
    if let Courtesy::Asked(to) = courtesy {
        let about = pb::About::Courtesy.into();
        return Some(pb::Question { about, to: Some(to.0.into()), ..Default::default() });
    }
    let go_out = pb::Question { about: pb::About::GoOut.into(), ..Default::default() };
    match permission {
        Permission::None => None,
        Permission::Pending { to } => Some(pb::Question {
            to: Some(to.0.into()),
            answered: answered.map(|answer| answer.by.0.into()),
            agreed: answered.map(|answer| answer.yes),
            ..go_out
        }),
        Permission::Yes => Some(pb::Question { answer: Some(true), ..go_out }),
        Permission::No { by } => Some(pb::Question { to: Some(by.0.into()), answer: Some(false), ..go_out }),
    }
}

fn causes(causes: Causes) -> Vec<i32> {
    causes.iter().map(|cause| choice::write(&FREEZE_CAUSES, cause)).collect()
}
