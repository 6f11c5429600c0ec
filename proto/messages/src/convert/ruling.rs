//! Conversion of messages to rulings.

use canasta_engine::action::{Action, Authority, Effect, EffectKind, Ruling};
use canasta_engine::log::action::{REASON_MAX, RULE_MAX};
use canasta_engine::log::codes::AUTHORITIES;
use canasta_engine::notation::POSITION_BYTES_MAX;
use canasta_engine::seat::SEATS_MAX;
use canasta_engine::table::POINTS_MAX;
use canasta_proto::v1::{self as pb, effect::Kind};

use super::action::read_bare;
use super::field::{
    Read, all, at_most, bytes_opt, each, fault, field, missing, one_of, required, seat, seat_opt, side, text,
    within,
};
use super::{card, choice};

pub fn read(message: pb::action::Ruling) -> Read<Ruling> {
    let ((id, by, offender, side), (rule, reason), effect, signature) = all((
        all((
            field!(message.id, ruling_id),
            field!(message.by, authority),
            field!(message.offender, seat_opt),
            field!(message.side, side),
        )),
        all((field!(message.rule, text, RULE_MAX), field!(message.reason, text, REASON_MAX))),
        field!(message.effect, effect),
        field!(&message.signature, bytes_opt),
    ))?;
    let pb::action::Ruling { points, reverses, .. } = message;
    Ok(Ruling { id, by, offender, side, rule, points, effect, reason, reverses, signature })
}

/// Reads the number of a ruling, which the engine chooses if it is 0.
fn ruling_id(id: Option<u32>) -> Read<u32> {
    if id == Some(0) { Err(fault("0, expected at least 1")) } else { Ok(id.unwrap_or(0)) }
}

fn authority(by: i32) -> Read<Authority> {
    match choice::read(by, &AUTHORITIES)? {
        Authority::Auto => Err(fault("automatic rulings follow from play and are not sent")),
        by => Ok(by),
    }
}

fn effect(message: Option<Box<pb::Effect>>) -> Read<Effect> {
    let Some(message) = message else { return Ok(Effect::of(EffectKind::None)) };
    Ok(match one_of(message.kind)? {
        Kind::Warning(_) => Effect::of(EffectKind::Warning),
        Kind::RaiseMinimum(raise) => {
            Effect { by: Some(raise.points), ..Effect::of(EffectKind::RaiseMinimum) }
        }
        Kind::PenaltyCards(penalty) => penalty_cards(&penalty).map_err(within("penalty_cards"))?,
        Kind::ForfeitPile(forfeit) => forfeit_pile(&forfeit).map_err(within("forfeit_pile"))?,
        Kind::Stand(message) => stand(*message).map_err(within("stand"))?,
        Kind::Redeal(_) => Effect::of(EffectKind::Redeal),
        Kind::Restore(restore) => Effect {
            to_seq: Some(field!(restore.to_seq, required).map_err(within("restore"))?),
            ..Effect::of(EffectKind::Restore)
        },
        Kind::RevokeTalon(revoke) => Effect {
            side: Some(field!(revoke.side, side).map_err(within("revoke_talon"))?),
            ..Effect::of(EffectKind::RevokeTalon)
        },
        Kind::Adjust(adjust) => {
            field!(&adjust.points, at_most, SEATS_MAX).map_err(within("adjust"))?;
            let inside = |points: i32| match points.unsigned_abs() > POINTS_MAX.unsigned_abs() {
                true => Err(fault(format!("{points} points, at most {POINTS_MAX}"))),
                false => Ok(points),
            };
            let points = field!(adjust.points, each, inside).map_err(within("adjust"))?;
            Effect { points, ..Effect::of(EffectKind::Adjust) }
        }
        Kind::Forfeit(forfeit) => Effect {
            side: Some(field!(forfeit.side, side).map_err(within("forfeit"))?),
            award: Some(forfeit.award),
            ..Effect::of(EffectKind::Forfeit)
        },
        Kind::StopClock(_) => Effect::of(EffectKind::StopClock),
    })
}

fn penalty_cards(message: &pb::effect::PenaltyCards) -> Read<Effect> {
    let cards = field!(&message.cards, card::read_list);
    let (seat, cards) = all((field!(message.seat, seat), cards))?;
    Ok(Effect { seat: Some(seat), cards, ..Effect::of(EffectKind::PenaltyCards) })
}

fn forfeit_pile(message: &pb::effect::ForfeitPile) -> Read<Effect> {
    let until = u16::try_from(message.until).map_err(|_| within("until")(fault("at most 65,535 turns")));
    let (seat, until) = all((field!(message.seat, seat), until))?;
    Ok(Effect { seat: Some(seat), until: Some(until), ..Effect::of(EffectKind::ForfeitPile) })
}

fn stand(message: pb::effect::Stand) -> Read<Effect> {
    let action = match read_bare(message.action.map(|action| *action)) {
        Ok(Action::Ruling(_)) => Err(fault("a ruling cannot be allowed to stand")),
        action => action,
    };
    let position = match message.position.len() {
        0 => Err(missing()),
        length if length > POSITION_BYTES_MAX => {
            Err(fault(format!("{length} bytes, at most {POSITION_BYTES_MAX}")))
        }
        _ => Ok(message.position),
    };
    let (action, position) = all((action.map_err(within("action")), position.map_err(within("position"))))?;
    Ok(Effect { action: Some(Box::new(action)), position: Some(position), ..Effect::of(EffectKind::Stand) })
}
