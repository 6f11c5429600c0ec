//! Conversion of rulings to messages.

use canasta_engine::action::{Effect, EffectKind, Ruling};
use canasta_engine::log::codes::AUTHORITIES;
use canasta_proto::v1::{self as pb, effect::Kind};

use super::{action_out, card, choice};

pub fn write(ruling: &Ruling) -> pb::action::Ruling {
    pb::action::Ruling {
        id: (ruling.id != 0).then_some(ruling.id),
        by: choice::write(&AUTHORITIES, ruling.by),
        offender: ruling.offender.map(|seat| seat.0.into()),
        side: Some(ruling.side.0.into()),
        rule: ruling.rule.clone(),
        points: ruling.points,
        effect: effect(&ruling.effect),
        reason: ruling.reason.clone(),
        reverses: ruling.reverses,
        signature: ruling.signature.map(Vec::from).unwrap_or_default(),
    }
}

fn effect(effect: &Effect) -> Option<Box<pb::Effect>> {
    let seat = effect.seat.map(|seat| seat.0.into());
    let side = effect.side.map(|side| side.0.into());
    let kind = match effect.kind {
        EffectKind::None => return None,
        EffectKind::Warning => Kind::Warning(pb::effect::Warning {}),
        EffectKind::RaiseMinimum => {
            Kind::RaiseMinimum(pb::effect::RaiseMinimum { points: effect.by.unwrap_or(0) })
        }
        EffectKind::PenaltyCards => {
            Kind::PenaltyCards(pb::effect::PenaltyCards { seat, cards: card::write_list(&effect.cards) })
        }
        EffectKind::ForfeitPile => {
            Kind::ForfeitPile(pb::effect::ForfeitPile { seat, until: effect.until.unwrap_or(0).into() })
        }
        EffectKind::Stand => Kind::Stand(Box::new(pb::effect::Stand {
            action: effect.action.as_deref().map(|action| Box::new(action_out::write(action))),
            position: effect.position.clone().unwrap_or_default(),
        })),
        EffectKind::Redeal => Kind::Redeal(pb::effect::Redeal {}),
        EffectKind::Restore => Kind::Restore(pb::effect::Restore { to_seq: effect.to_seq }),
        EffectKind::RevokeTalon => Kind::RevokeTalon(pb::effect::RevokeTalon { side }),
        EffectKind::Adjust => Kind::Adjust(pb::effect::Adjust { points: effect.points.clone() }),
        EffectKind::Forfeit => Kind::Forfeit(pb::effect::Forfeit { side, award: effect.award.unwrap_or(0) }),
        EffectKind::StopClock => Kind::StopClock(pb::effect::StopClock {}),
    };
    Some(Box::new(pb::Effect { kind: Some(kind) }))
}
