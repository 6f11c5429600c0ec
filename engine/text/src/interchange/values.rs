//! Cards and targets as JSON.

use super::json::{Read, ValueFault, integer, text};
use alloc::format;
use alloc::string::ToString;
use canasta_rules::action::{MeldId, Onto};
use canasta_rules::card::Card;
use canasta_rules::seat::Side;
use serde_json::Value;

pub(super) fn card_text(card: &Card) -> Value {
    Value::String(card.to_string())
}

pub(super) fn card(value: &Value) -> Read<Card> {
    let found = text(value)?;
    Card::parse(found)
        .ok_or_else(|| ValueFault::new(format!("{found:?} is not a card such as Ks, Th or X, the joker")))
}

/// The keys under which a value names cards.
const CARD_KEYS: [&str; 8] = ["card", "cards", "hands", "upcards", "picks", "with", "wall", "discard"];

/// Checks every card in a value of another program, whatever else the value says.
pub(super) fn are_cards(value: &Value) -> Read<()> {
    each(value, &|key, value| if CARD_KEYS.contains(&key) { cards_below(value) } else { are_cards(value) })
}

/// Checks all texts of a value, which stand for cards, except below the keys of objects in it.
fn cards_below(value: &Value) -> Read<()> {
    match value {
        Value::String(_) => card(value).map(|_| ()),
        Value::Array(_) => each(value, &|_, value| cards_below(value)),
        _ => are_cards(value),
    }
}

/// Checks the values in a list or an object, each with its key.
fn each(value: &Value, check: &dyn Fn(&str, &Value) -> Read<()>) -> Read<()> {
    match value {
        Value::Array(list) => (0..).zip(list).try_for_each(|(at, value): (usize, _)| {
            check("", value).map_err(|fault| fault.within(format_args!("[{at}]")))
        }),
        Value::Object(map) => {
            map.iter().try_for_each(|(key, value)| check(key, value).map_err(|fault| fault.within(key)))
        }
        _ => Ok(()),
    }
}

pub(super) fn onto_value(onto: Onto) -> Value {
    match onto {
        Onto::Auto => "auto".into(),
        Onto::New => "new".into(),
        Onto::Meld { side: None, id } => id.0.into(),
        Onto::Meld { side: Some(side), id } => format!("{side}:{}", id.0).into(),
    }
}

/// Parses `"auto"`, `"new"`, a meld id, or `"<side>:<id>"`.
pub(super) fn onto(value: &Value) -> Read<Onto> {
    let Some(found) = value.as_str() else {
        return integer(value).map(|id| Onto::Meld { side: None, id: MeldId(id) });
    };
    let of_side = || {
        let (side, id) = found.split_once(':')?;
        let meld = Onto::Meld { side: Some(Side(side.parse().ok()?)), id: MeldId(id.parse().ok()?) };
        // `+1:04` must not become another spelling.
        (onto_value(meld) == *found).then_some(meld)
    };
    match found {
        "auto" => Ok(Onto::Auto),
        "new" => Ok(Onto::New),
        _ => of_side().ok_or_else(|| ValueFault::new(format!("{found:?} is not a place for a group"))),
    }
}
