//! Actions as JSON.

use super::json::{
    Fields, Object, Read, ValueFault, flag, hex, hex_bytes, integer, list, maybe_hex, string, text, word,
};
use super::values::{
    card, card_text, card_texts, cards, meld, onto, onto_value, seat, side, some_card_texts, some_cards,
};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use base16ct::lower::encode_string as to_hex;
use canasta_log::codes::{self, ABOUTS, AUTHORITIES, EFFECTS, MELD_KINDS, SPECIAL_HANDS};
use canasta_rules::action::*;
use serde_json::Value;

/// Returns an action as JSON; `position` is the position behind the mask of a ruling, for readers.
pub(super) fn to_value(action: &Action, position: Option<&str>) -> Value {
    let mut object = Object::new("type", action.kind().name());
    match action {
        Action::Deal(deal) => put_deal(&mut object, deal),
        Action::DrawCards(picks) => {
            object
                .maybe("picks", some(picks).map(|_| picks.iter().map(|p| card_texts(p)).collect::<Value>()));
        }
        Action::TakePile(TakePile { with, onto, also }) => {
            object.put("with", card_texts(with));
            object.put("onto", onto_value(*onto));
            object.maybe("also", some(also).map(groups_value));
        }
        Action::LayThrees(cards) => object.put("cards", card_texts(cards)),
        Action::Meld(groups) => object.put("groups", groups_value(groups)),
        Action::MergeMelds { a, b } => {
            object.put("a", a.0);
            object.put("b", b.0);
        }
        Action::UndoMeld { meld, cards } => {
            object.put("meld", meld.0);
            object.put("cards", card_texts(cards));
        }
        Action::Ask { about, to, with } => {
            object.put("about", codes::word(&ABOUTS, *about));
            object.maybe("to", to.map(|to| to.0));
            object.maybe("with", with.as_deref().map(way_value));
        }
        Action::Answer { yes } => object.put("yes", *yes),
        Action::SpecialHand(hand) => object.put("hand", codes::word(&SPECIAL_HANDS, *hand)),
        Action::Discard(card) => object.put("card", card_text(*card)),
        Action::CallReveal { of } => object.put("of", of.0),
        Action::Ruling(ruling) => put_ruling(&mut object, ruling, position),
        Action::Dispute { open, reason } => {
            object.put("open", *open);
            object.maybe("reason", some(reason.as_bytes()).map(|_| reason.as_str()));
        }
        Action::Sign { side } => object.put("side", side.0),
        Action::DrawStock
        | Action::TakeTop
        | Action::RestorePile
        | Action::TakeTalon
        | Action::Pass
        | Action::EndRound => {}
    }
    object.done()
}

/// Parses an action.
pub(super) fn from_value(value: &Value) -> Read<Action> {
    let mut fields = Fields::of(value)?;
    let kind = fields.get("type", kind)?;
    let action = match kind {
        ActionKind::Deal => Action::Deal(Box::new(deal(&mut fields)?)),
        ActionKind::DrawCards => Action::DrawCards(fields.maybe("picks", list(cards))?.unwrap_or_default()),
        ActionKind::DrawStock => Action::DrawStock,
        ActionKind::TakePile => Action::TakePile(TakePile {
            with: fields.get("with", cards)?,
            onto: fields.get("onto", onto)?,
            also: fields.maybe("also", groups)?.unwrap_or_default(),
        }),
        ActionKind::TakeTop => Action::TakeTop,
        ActionKind::RestorePile => Action::RestorePile,
        ActionKind::LayThrees => Action::LayThrees(fields.get("cards", cards)?),
        ActionKind::TakeTalon => Action::TakeTalon,
        ActionKind::Meld => Action::Meld(fields.get("groups", groups)?),
        ActionKind::MergeMelds => Action::MergeMelds { a: fields.get("a", meld)?, b: fields.get("b", meld)? },
        ActionKind::UndoMeld => {
            Action::UndoMeld { meld: fields.get("meld", meld)?, cards: fields.get("cards", cards)? }
        }
        ActionKind::Ask => Action::Ask {
            about: fields.get("about", word(&ABOUTS))?,
            to: fields.maybe("to", seat)?,
            with: fields.maybe("with", way)?.map(Box::new),
        },
        ActionKind::Answer => Action::Answer { yes: fields.get("yes", flag)? },
        ActionKind::SpecialHand => Action::SpecialHand(fields.get("hand", word(&SPECIAL_HANDS))?),
        ActionKind::Discard => Action::Discard(fields.get("card", card)?),
        ActionKind::Pass => Action::Pass,
        ActionKind::EndRound => Action::EndRound,
        ActionKind::CallReveal => Action::CallReveal { of: fields.get("of", seat)? },
        ActionKind::Ruling => Action::Ruling(Box::new(ruling(&mut fields)?)),
        ActionKind::Dispute => Action::Dispute {
            open: fields.get("open", flag)?,
            reason: fields.maybe("reason", string)?.unwrap_or_default(),
        },
        ActionKind::Sign => Action::Sign { side: fields.get("side", side)? },
    };
    fields.done()?;
    Ok(action)
}

/// Parses the type of an action.
pub(super) fn kind(value: &Value) -> Read<ActionKind> {
    let name = text(value)?;
    ActionKind::from_name(name).ok_or_else(|| ValueFault::new(format!("unknown action {name:?}")))
}

/// Returns the list, or `None` if it is empty: empty lists are absent.
fn some<T>(list: &[T]) -> Option<&[T]> {
    (!list.is_empty()).then_some(list)
}

fn put_deal(object: &mut Object, deal: &Deal) {
    let hash = |hash: &Option<[u8; 32]>| hash.map_or_else(String::new, |hash| to_hex(&hash));
    object.maybe("lifted", deal.lifted);
    object.maybe("foot_lifted", deal.foot_lifted);
    object.maybe("contributions", some(&deal.contributions).map(|c| c.iter().map(hash).collect::<Value>()));
    object.maybe("signature", deal.signature.as_ref().map(|bytes| to_hex(bytes)));
    let hands =
        some(&deal.hands).map(|hands| hands.iter().map(|hand| some_card_texts(hand)).collect::<Value>());
    object.maybe("hands", hands);
    object.maybe("upcards", some(&deal.upcards).map(some_card_texts));
}

fn deal(fields: &mut Fields) -> Read<Deal> {
    Ok(Deal {
        lifted: fields.maybe("lifted", integer)?,
        foot_lifted: fields.maybe("foot_lifted", integer)?,
        contributions: fields.maybe("contributions", list(maybe_hex))?.unwrap_or_default(),
        signature: fields.maybe("signature", hex_bytes)?,
        hands: fields.maybe("hands", list(some_cards))?.unwrap_or_default(),
        upcards: fields.maybe("upcards", some_cards)?.unwrap_or_default(),
    })
}

fn way_value(way: &NamedWay) -> Value {
    let mut object = Object::empty();
    object.maybe("groups", some(&way.groups).map(groups_value));
    object.maybe("discard", way.discard.map(card_text));
    object.done()
}

fn way(value: &Value) -> Read<NamedWay> {
    let mut fields = Fields::of(value)?;
    let way = NamedWay {
        groups: fields.maybe("groups", groups)?.unwrap_or_default(),
        discard: fields.maybe("discard", card)?,
    };
    fields.done()?;
    Ok(way)
}

fn groups_value(groups: &[Group]) -> Value {
    let group = |group: &Group| {
        let mut object = Object::new("kind", codes::word(&MELD_KINDS, group.kind));
        object.put("onto", onto_value(group.onto));
        object.maybe("top", group.top.then_some(true));
        object.put("cards", card_texts(&group.cards));
        object.done()
    };
    groups.iter().map(group).collect()
}

fn groups(value: &Value) -> Read<Groups> {
    let group = |value: &Value| {
        let mut fields = Fields::of(value)?;
        let group = Group {
            kind: fields.get("kind", word(&MELD_KINDS))?,
            onto: fields.get("onto", onto)?,
            top: fields.maybe("top", flag)?.unwrap_or(false),
            cards: fields.get("cards", cards)?,
        };
        fields.done()?;
        Ok(group)
    };
    list(group)(value).map(Into::into)
}

fn put_ruling(object: &mut Object, ruling: &Ruling, position: Option<&str>) {
    object.put("id", ruling.id);
    object.put("by", codes::word(&AUTHORITIES, ruling.by));
    object.maybe("offender", ruling.offender.map(|seat| seat.0));
    object.put("side", ruling.side.0);
    object.put("rule", ruling.rule.as_str());
    object.put("points", ruling.points);
    object.put("effect", effect_value(&ruling.effect, position));
    object.put("reason", ruling.reason.as_str());
    object.maybe("reverses", ruling.reverses);
    object.maybe("signature", ruling.signature.map(|bytes| to_hex(&bytes)));
}

fn ruling(fields: &mut Fields) -> Read<Ruling> {
    Ok(Ruling {
        id: fields.get("id", integer)?,
        by: fields.get("by", word(&AUTHORITIES))?,
        offender: fields.maybe("offender", seat)?,
        side: fields.get("side", side)?,
        rule: fields.get("rule", string)?,
        points: fields.get("points", integer)?,
        effect: fields.get("effect", effect)?,
        reason: fields.get("reason", string)?,
        reverses: fields.maybe("reverses", integer)?,
        signature: fields.maybe("signature", hex)?,
    })
}

fn effect_value(effect: &Effect, opened: Option<&str>) -> Value {
    let mut object = Object::new("type", codes::word(&EFFECTS, effect.kind));
    object.maybe("by", effect.by);
    object.maybe("seat", effect.seat.map(|seat| seat.0));
    object.maybe("cards", some(&effect.cards).map(card_texts));
    object.maybe("until", effect.until);
    object.maybe("side", effect.side.map(|side| side.0));
    object.maybe("award", effect.award);
    object.maybe("to_seq", effect.to_seq);
    object.maybe("action", effect.action.as_ref().map(|action| to_value(action, None)));
    let masked = effect.position.as_ref().filter(|_| effect.masked);
    // An unmasked position is text: a record holds no other form of it.
    let clear = effect.position.as_ref().filter(|_| !effect.masked);
    let clear = clear.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    object.maybe("position", clear.or_else(|| opened.filter(|_| masked.is_some()).map(str::to_owned)));
    object.maybe("masked", masked.map(|bytes| to_hex(bytes)));
    object.maybe("points", some(&effect.points).map(|points| points.iter().copied().collect::<Value>()));
    object.done()
}

fn effect(value: &Value) -> Read<Effect> {
    let mut fields = Fields::of(value)?;
    let kind = fields.get("type", word(&EFFECTS))?;
    let by = fields.maybe("by", integer)?;
    let seat = fields.maybe("seat", seat)?;
    let cards = fields.maybe("cards", cards)?.unwrap_or_default();
    let until = fields.maybe("until", integer)?;
    let side = fields.maybe("side", side)?;
    let award = fields.maybe("award", integer)?;
    let to_seq = fields.maybe("to_seq", integer)?;
    let action = fields.maybe("action", from_value)?.map(Box::new);
    let clear = fields.maybe("position", string)?.map(String::into_bytes);
    let masked = fields.maybe("masked", hex_bytes)?;
    let points = fields.maybe("points", list(integer))?.unwrap_or_default();
    fields.done()?;
    let hidden = masked.is_some();
    // Beside a masked position, the unmasked one is only for readers.
    let position = masked.or(clear);
    Ok(Effect { kind, by, seat, cards, until, side, award, to_seq, action, position, masked: hidden, points })
}
