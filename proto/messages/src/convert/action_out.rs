//! Conversion of actions to messages.

use canasta_engine::action::{Action, Group, NamedWay, Onto, TakePile};
use canasta_engine::log::codes::{ABOUTS, MELD_KINDS, SPECIAL_HANDS};
use canasta_proto::v1::{self as pb, action::Kind};

use super::{card, choice, ruling_out};

pub fn write(action: &Action) -> pb::Action {
    let kind = match action {
        // The cards of a transcribed deal are no part of the interface.
        Action::Deal(deal) => Kind::Deal(pb::action::Deal {
            lifted: deal.lifted.map(Into::into),
            foot_lifted: deal.foot_lifted.map(Into::into),
            contributions: deal
                .contributions
                .iter()
                .map(|value| value.map_or(Vec::new(), Vec::from))
                .collect(),
            signature: deal.signature.clone().unwrap_or_default(),
        }),
        Action::DrawCards(picks) => {
            Kind::DrawCards(pb::action::DrawCards { picks: card::write_lists(picks) })
        }
        Action::DrawStock => Kind::DrawStock(pb::action::DrawStock {}),
        Action::TakePile(take) => Kind::TakePile(write_take(take)),
        Action::TakeTop => Kind::TakeTop(pb::action::TakeTop {}),
        Action::RestorePile => Kind::RestorePile(pb::action::RestorePile {}),
        Action::LayThrees(cards) => Kind::LayThrees(pb::action::LayThrees { cards: card::write_list(cards) }),
        Action::TakeTalon => Kind::TakeTalon(pb::action::TakeTalon {}),
        Action::Meld(groups) => {
            Kind::Meld(pb::action::Meld { groups: groups.iter().map(write_group).collect() })
        }
        Action::MergeMelds { a, b } => {
            Kind::MergeMelds(pb::action::MergeMelds { kept: Some(a.0.into()), merged: Some(b.0.into()) })
        }
        Action::UndoMeld { meld, cards } => {
            Kind::UndoMeld(pb::action::UndoMeld { meld: Some(meld.0.into()), cards: card::write_list(cards) })
        }
        Action::Ask { about, to, with } => Kind::Ask(pb::action::Ask {
            about: choice::write(&ABOUTS, *about),
            to: to.map(|seat| seat.0.into()),
            way: with.as_deref().map(write_way),
        }),
        Action::Answer { yes } => Kind::Answer(pb::action::Answer { yes: Some(*yes) }),
        Action::SpecialHand(hand) => {
            Kind::SpecialHand(pb::action::ShowSpecialHand { hand: choice::write(&SPECIAL_HANDS, *hand) })
        }
        Action::Discard(card) => Kind::Discard(pb::action::Discard { card: card.to_string() }),
        Action::Pass => Kind::Pass(pb::action::Pass {}),
        Action::EndRound => Kind::EndRound(pb::action::EndRound {}),
        Action::CallReveal { of } => Kind::CallReveal(pb::action::CallReveal { seat: Some(of.0.into()) }),
        Action::Ruling(ruling) => Kind::Ruling(Box::new(ruling_out::write(ruling))),
        Action::Dispute { open, reason } => {
            Kind::Dispute(pb::action::Dispute { open: Some(*open), reason: reason.clone() })
        }
        Action::Sign { side } => Kind::Sign(pb::action::Sign { side: Some(side.0.into()) }),
    };
    pb::Action { kind: Some(kind) }
}

fn write_take(take: &TakePile) -> pb::action::TakePile {
    pb::action::TakePile {
        cards: card::write_list(&take.with),
        onto: onto(take.onto),
        also: take.also.iter().map(write_group).collect(),
    }
}

fn write_way(way: &NamedWay) -> pb::action::NamedWay {
    pb::action::NamedWay {
        groups: way.groups.iter().map(write_group).collect(),
        discard: way.discard.map(|card| card.to_string()).unwrap_or_default(),
    }
}

fn write_group(group: &Group) -> pb::Group {
    pb::Group {
        kind: choice::write(&MELD_KINDS, group.kind),
        onto: onto(group.onto),
        top: group.top,
        cards: card::write_list(&group.cards),
    }
}

fn onto(onto: Onto) -> Option<pb::Onto> {
    let place = match onto {
        Onto::Auto => return None,
        Onto::New => pb::onto::Where::Place(pb::Place::New.into()),
        Onto::Meld { side, id } => {
            pb::onto::Where::Meld(pb::MeldRef { side: side.map(|side| side.0.into()), id: Some(id.0.into()) })
        }
    };
    Some(pb::Onto { r#where: Some(place) })
}
