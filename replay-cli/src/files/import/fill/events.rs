//! Compares the events of a foreign record with those that the rules give.
//!
//! Programs differ in how they write an event, less in what happened. The following do not count as
//! differences (docs/formats/INTERCHANGE.md has the table): the order of events and of cards, omitted fields, cards
//! of a meld that list the whole meld, a taken pile with its top, replacements among the drawn cards, other
//! numbers for melds.

use super::says;
use canasta_engine::action::MeldId;
use canasta_engine::card::Card;
use canasta_engine::event::Event;
use canasta_engine::seat::Side;
use canasta_engine::table::Table;
use canasta_engine::text::interchange::event_value;
use serde_json::Value;

/// The melds that the numbers of the record mean in this round.
#[derive(Clone, Default)]
pub(super) struct MeldIds(Vec<(Side, u64, u64)>);

impl MeldIds {
    /// Returns our number of the meld to which the record gives the number `theirs`.
    pub(super) fn ours(&self, side: Side, theirs: u64) -> Option<u64> {
        self.0.iter().find(|(of, known, _)| (*of, *known) == (side, theirs)).map(|&(.., ours)| ours)
    }

    /// Returns whether both numbers can mean the same meld.
    fn fit(&self, side: Side, theirs: u64, ours: u64) -> bool {
        self.ours(side, theirs).map_or_else(|| !self.has(side, ours), |known| known == ours)
    }

    /// Returns whether a number of the record is known to mean this meld.
    pub(super) fn has(&self, side: Side, ours: u64) -> bool {
        self.0.iter().any(|&(of, _, known)| (of, known) == (side, ours))
    }

    fn learn(&mut self, side: Side, theirs: u64, ours: u64) {
        if self.ours(side, theirs).is_none() {
            self.0.push((side, theirs, ours));
        }
    }
}

/// The states before and after the action.
pub(super) struct Around<'s> {
    pub before: &'s Table,
    pub after: &'s Table,
}

/// An event that the rules give.
struct Ours {
    value: Value,
    /// Other accepted lists of its cards.
    cards: Vec<Vec<String>>,
    /// Whether a record may omit the event.
    optional: bool,
}

/// Checks that the events of the record are those that happened, in whatever form, and learns the record's
/// numbers of melds.
///
/// # Errors
/// The first difference: its place, what the record says, what the rules give.
pub(super) fn compare(
    happened: &[Event],
    recorded: &[Value],
    around: &Around<'_>,
    ids: &mut MeldIds,
) -> Result<(), String> {
    if happened.iter().any(|event| matches!(event, Event::Dealt { .. })) {
        *ids = MeldIds::default();
    }
    let mut ours: Vec<Ours> =
        happened.iter().enumerate().map(|(at, event)| ours(happened, at, event, around)).collect();
    join_draws(&mut ours, |ours| &mut ours.value);
    let mut recorded: Vec<(usize, Value)> = recorded.iter().cloned().enumerate().collect();
    join_draws(&mut recorded, |(_, value)| value);
    for (at, theirs) in recorded {
        let fits = |ours: &Ours, ids: &MeldIds| differing(&theirs, ours, ids).is_none();
        let equal = |ours: &Ours| ours.value["meld"] == theirs["meld"];
        let same = ours.iter().position(|ours| equal(ours) && fits(ours, ids));
        match same.or_else(|| ours.iter().position(|ours| fits(ours, ids))) {
            Some(found) => learn(&theirs, &ours.remove(found).value, ids),
            None => return Err(difference(at, &theirs, &ours, ids)),
        }
    }
    match ours.iter().find(|ours| !ours.optional) {
        None => Ok(()),
        Some(missing) => Err(says("events", "no such event", &missing.value)),
    }
}

/// Compares the hands that a deal states with the hands that were dealt.
pub(super) fn compare_dealt(happened: &[Event], stated: &Value) -> Result<(), String> {
    let dealt = happened.iter().find(|event| matches!(event, Event::Dealt { .. })).map(event_value);
    match dealt.filter(|dealt| stated.is_array() && lists(stated) != lists(&dealt["hands"])) {
        None => Ok(()),
        Some(dealt) => Err(says("action.hands", stated, &dealt["hands"])),
    }
}

/// Compares the cards that the hand received according to the record with the cards that it received.
pub(super) fn compare_received(
    happened: &[Event],
    stated: Option<&[Card]>,
    around: &Around<'_>,
) -> Result<(), String> {
    let Some(stated) = stated else { return Ok(()) };
    let came = happened.iter().flat_map(|event| match event {
        Event::Drew { cards, .. } | Event::TookTalon { cards, .. } => cards.to_vec(),
        Event::Replaced { card, .. } => vec![*card],
        Event::TookFoot { seat } => around.before.foot(*seat).iter().collect(),
        _ => Vec::new(),
    });
    let (came, stated) = (texts(came), texts(stated.iter().copied()));
    if came == stated { Ok(()) } else { Err(says("cards", stated.join(" "), came.join(" "))) }
}

fn difference(at: usize, theirs: &Value, ours: &[Ours], ids: &MeldIds) -> String {
    let place = format!("events[{at}]");
    let Some(near) = ours.iter().find(|ours| ours.value["type"] == theirs["type"]) else {
        return says(&place, theirs, "no such event");
    };
    match differing(theirs, near, ids) {
        None => unreachable!("an event that agrees is found"),
        Some(key) => match near.value.get(key) {
            Some(value) => says(&format!("{place}.{key}"), &theirs[key], value),
            None => format!("{place}.{key}: unknown key"),
        },
    }
}

/// Returns the first key of the record's event whose value differs.
fn differing<'t>(theirs: &'t Value, ours: &Ours, ids: &MeldIds) -> Option<&'t str> {
    let Some(fields) = theirs.as_object() else { return Some("type") };
    let side = ours.value["side"].as_u64().and_then(|side| side.try_into().ok()).map(Side);
    let agrees = |key: &str, theirs: &Value| {
        let value = ours.value.get(key);
        match (key, value) {
            ("cards", Some(value)) => {
                let theirs = sorted(theirs);
                theirs == sorted(value) || ours.cards.contains(&theirs)
            }
            ("hands" | "picks", Some(value)) => lists(theirs) == lists(value),
            ("meld" | "a" | "b", Some(value)) => match (side, theirs.as_u64(), value.as_u64()) {
                (Some(side), Some(theirs), Some(ours)) => ids.fit(side, theirs, ours),
                _ => false,
            },
            // Other programs give a rank also if only wild cards were added to a meld.
            ("rank", None) => ours.value["type"] == "melded",
            ("rank", Some(_)) if theirs == "W" => true,
            (_, value) => value == Some(theirs),
        }
    };
    fields.iter().find(|(key, theirs)| !agrees(key, theirs)).map(|(key, _)| key.as_str())
}

fn learn(theirs: &Value, ours: &Value, ids: &mut MeldIds) {
    let side = ours["side"].as_u64().and_then(|side| side.try_into().ok()).map(Side);
    if let (Some(side), Some(theirs), Some(ours)) = (side, theirs["meld"].as_u64(), ours["meld"].as_u64()) {
        ids.learn(side, theirs, ours);
    }
}

fn sorted(cards: &Value) -> Vec<String> {
    let mut cards: Vec<String> = cards.as_array().into_iter().flatten().map(ToString::to_string).collect();
    cards.sort();
    cards
}

fn lists(value: &Value) -> Vec<Vec<String>> {
    value.as_array().into_iter().flatten().map(sorted).collect()
}

fn ours(happened: &[Event], at: usize, event: &Event, Around { before, after }: &Around<'_>) -> Ours {
    let value = event_value(event);
    let mut cards = Vec::new();
    match event {
        Event::Melded { side, meld, cards: added, .. } => {
            // If the action ended the round, its melds are no longer on the table.
            let left = after.meld(*side, *meld).map(|meld| texts(meld.cards.iter()));
            let lay = before.meld(*side, *meld).into_iter().flat_map(|meld| meld.cards.iter());
            cards.push(left.unwrap_or_else(|| texts(lay.chain(added.iter().copied()))));
        }
        Event::TookPile { cards: taken, .. } => {
            cards.push(texts(taken.iter().copied().chain(before.pile().last().copied())));
        }
        _ => {}
    }
    let was_one = |side: Side, meld: MeldId| {
        before.meld(side, meld).is_some_and(|meld| meld.grade(before.set()).is_some())
    };
    let by_merging = || at.checked_sub(1).is_some_and(|at| matches!(happened[at], Event::Merged { .. }));
    let optional = match event {
        Event::Froze { .. }
        | Event::Scored
        | Event::Passed { .. }
        | Event::Unmelded { .. }
        | Event::Merged { .. } => true,
        Event::Canasta { side, meld, .. } => was_one(*side, *meld) || by_merging(),
        // A record needs only one of these events, whoever is asked.
        Event::Asked { .. } => at > 0,
        _ => false,
    };
    Ours { value, cards, optional }
}

fn texts(cards: impl Iterator<Item = Card>) -> Vec<String> {
    sorted(&cards.map(|card| Value::String(card.to_string())).collect())
}

/// Puts all cards that come from the stock into the first draw, if cards are drawn; other draws and replacements go.
fn join_draws<T>(events: &mut Vec<T>, value: fn(&mut T) -> &mut Value) {
    let mut drawn = Vec::new();
    for event in events.iter_mut().map(value) {
        match event["type"].as_str() {
            Some("drew") => drawn.extend(event["cards"].as_array().into_iter().flatten().cloned()),
            Some("replaced") => drawn.extend(event.get("card").cloned()),
            _ => {}
        }
    }
    let Some(first) = events.iter_mut().map(value).find(|event| event["type"] == "drew") else { return };
    first["cards"] = drawn.into();
    let mut is_first = true;
    events.retain_mut(|event| match value(event)["type"].as_str() {
        Some("drew") => std::mem::replace(&mut is_first, false),
        kind => kind != Some("replaced"),
    });
}
