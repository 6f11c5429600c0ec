//! The ways in which the action of a foreign record may be meant.

use super::events::MeldIds;
use canasta_engine::card::{Card, Cards};
use canasta_engine::seat::Side;
use canasta_engine::table::Table;
use canasta_engine::text::interchange::ForeignAction;
use serde_json::{Map, Value};

/// Maximum number of ways that are tried.
const READINGS_MAX: usize = 256;

/// Returns the action as written, then in the ways in which other programs write it: a group that names the
/// pending top among its cards, melds by numbers that the rules do not give them, cards taken back without
/// their meld.
pub(super) fn of(
    ForeignAction { action, events, .. }: &ForeignAction,
    side: Option<Side>,
    state: &Table,
    ids: &MeldIds,
) -> Vec<Value> {
    let mut written = action.clone();
    if let Some(masked) = written.pointer_mut("/effect").and_then(Value::as_object_mut)
        && masked.contains_key("position")
    {
        masked.shift_remove("masked");
    }
    let Some(side) = side else { return vec![written] };
    if written["type"] == "undo_meld" && written.get("meld").is_none() {
        return undone(&written, state);
    }
    // A number that the record's own events use means one of its melds, whatever our number of that meld is.
    let melded = |number: &Value| events.iter().flatten().any(|event| event["meld"] == *number);
    let mut unknown = Vec::new();
    for (at, number) in numbers(&mut written).into_iter().enumerate() {
        match number.as_u64().and_then(|theirs| ids.ours(side, theirs)) {
            Some(ours) => *number = ours.into(),
            None if melded(number) => unknown.push(at),
            None => {}
        }
    }
    let mut readings = vec![written];
    readings.extend(topped(&readings[0], state));
    let places: Vec<Value> = state
        .melds_of(side)
        .map(|meld| u64::from(meld.id.0))
        .filter(|&ours| !ids.has(side, ours))
        .map(Value::from)
        .chain(["auto".into()])
        .collect();
    let other: Vec<Value> = readings
        .iter()
        .flat_map(|reading| elsewhere(reading, &unknown, &places))
        .take(READINGS_MAX)
        .collect();
    readings.extend(other);
    readings
}

/// Returns copies of the action in which the numbers at these places are replaced by each of the other
/// numbers.
fn elsewhere(action: &Value, unknown: &[usize], places: &[Value]) -> Vec<Value> {
    let mut readings = if unknown.is_empty() { Vec::new() } else { vec![action.clone()] };
    // From the last to the first, so that a replaced number does not shift the indices of those before it.
    for &at in unknown.iter().rev() {
        let each = |reading: Value| {
            places.iter().map(move |place| {
                let mut reading = reading.clone();
                *numbers(&mut reading)[at] = place.clone();
                reading
            })
        };
        readings = readings.into_iter().flat_map(each).take(READINGS_MAX).collect();
    }
    readings
}

fn numbers(action: &mut Value) -> Vec<&mut Value> {
    let Some(fields) = action.as_object_mut() else { return Vec::new() };
    let mut found = Vec::new();
    for (key, value) in fields {
        match key.as_str() {
            "onto" | "meld" | "a" | "b" if value.is_u64() => found.push(value),
            "groups" | "also" => {
                let groups = value.as_array_mut().into_iter().flatten();
                found.extend(groups.filter_map(|group| group.get_mut("onto")).filter(|onto| onto.is_u64()));
            }
            _ => {}
        }
    }
    found
}

/// Returns the action in our form if a group names the pending top among its cards.
fn topped(action: &Value, state: &Table) -> Option<Value> {
    let top = state.taken_top().filter(|top| top.meld.is_none())?.card.to_string();
    let mut action = action.clone();
    if action["groups"].as_array()?.iter().any(|group| group["top"] == true) {
        return None;
    }
    for group in action.get_mut("groups")?.as_array_mut()? {
        let group = group.as_object_mut()?;
        let cards = group.get_mut("cards")?.as_array_mut()?;
        if let Some(at) = cards.iter().position(|card| *card == top) {
            cards.remove(at);
            group.insert("top".into(), true.into());
            return Some(action);
        }
    }
    None
}

/// Returns one action per meld from which the cards may be taken back.
fn undone(action: &Value, state: &Table) -> Vec<Value> {
    let named: Option<Cards> = action["cards"]
        .as_array()
        .and_then(|cards| cards.iter().map(|card| Card::parse(card.as_str()?)).collect());
    let held = |named: &Cards| {
        let melds = state.loose().iter().filter(move |loose| loose.cards.contains(named));
        melds.map(|loose| loose.meld.0).collect::<Vec<u8>>()
    };
    let with = |meld: u8| {
        let mut fields: Map<String, Value> = action.as_object().cloned().unwrap_or_default();
        fields.insert("meld".into(), meld.into());
        Value::Object(fields)
    };
    let melds = named.as_ref().map(held).unwrap_or_default();
    if melds.is_empty() { vec![action.clone()] } else { melds.into_iter().map(with).collect() }
}
