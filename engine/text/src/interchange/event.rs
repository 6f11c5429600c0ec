//! Events as JSON.

use super::json::{Fields, Object, Read, ValueFault, flag, integer, list, text, word};
use super::values::{card, card_text, card_texts, cards, meld, seat, side};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use canasta_log::codes::{self, ABOUTS, FREEZE_CAUSES, GRADES, MELD_KINDS, SPECIAL_HANDS};
use canasta_rules::card::Rank;
use canasta_rules::event::Event;
use canasta_rules::seat::Seat;
use serde_json::Value;

/// Returns an event as JSON, its type first.
fn event(name: &str, fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut object = Object::new("type", name);
    for (key, value) in fields {
        object.put(key, value);
    }
    object.done()
}

pub(super) fn to_value(event_of: &Event) -> Value {
    let seat_only = |name, seat: &Seat| event(name, [("seat", seat.0.into())]);
    let seat_card =
        |name, seat: &Seat, card| event(name, [("seat", seat.0.into()), ("card", card_text(card))]);
    let seat_cards =
        |name, seat: &Seat, cards: &[_]| event(name, [("seat", seat.0.into()), ("cards", card_texts(cards))]);
    match event_of {
        Event::Drawn { picks, seating, dealer } => event(
            "drawn",
            [
                ("picks", picks.iter().map(|pick| card_texts(pick)).collect()),
                ("seating", seating.iter().map(|seat| seat.0).collect()),
                ("dealer", dealer.0.into()),
            ],
        ),
        Event::Dealt { hands, foot_sizes, talon_sizes } => {
            let sizes = |sizes: &[u16]| (!sizes.is_empty()).then(|| sizes.iter().copied().collect::<Value>());
            let mut object = Object::new("type", "dealt");
            object.put("hands", hands.iter().map(|hand| card_texts(hand)).collect::<Value>());
            object.maybe("foot_sizes", sizes(foot_sizes));
            object.maybe("talon_sizes", sizes(talon_sizes));
            object.done()
        }
        Event::Upcard { card, covered } => {
            event("upcard", [("card", card_text(*card)), ("covered", (*covered).into())])
        }
        Event::Drew { seat, cards } => seat_cards("drew", seat, cards),
        Event::ThreeLaid { seat, card } => seat_card("three_laid", seat, *card),
        Event::Replaced { seat, card } => seat_card("replaced", seat, *card),
        Event::Melded { side, meld, kind, rank, cards } => {
            let mut object = Object::new("type", "melded");
            object.put("side", side.0);
            object.put("meld", meld.0);
            object.put("kind", codes::word(&MELD_KINDS, *kind));
            object.maybe("rank", rank.map(|rank| rank.letter().to_string()));
            object.put("cards", card_texts(cards));
            object.done()
        }
        Event::Canasta { side, meld, grade } => event(
            "canasta",
            [
                ("side", side.0.into()),
                ("meld", meld.0.into()),
                ("grade", codes::word(&GRADES, *grade).into()),
            ],
        ),
        Event::Merged { side, a, b } => {
            event("merged", [("side", side.0.into()), ("a", a.0.into()), ("b", b.0.into())])
        }
        Event::Unmelded { side, meld, cards } => event(
            "unmelded",
            [("side", side.0.into()), ("meld", meld.0.into()), ("cards", card_texts(cards))],
        ),
        Event::TookPile { seat, cards } => seat_cards("took_pile", seat, cards),
        Event::TookTop { seat, card } => seat_card("took_top", seat, *card),
        Event::RestoredPile { seat } => seat_only("restored_pile", seat),
        Event::Discarded { seat, card, face_down } => event(
            "discarded",
            [("seat", seat.0.into()), ("card", card_text(*card)), ("face_down", (*face_down).into())],
        ),
        Event::Froze { cause } => event("froze", [("cause", codes::word(&FREEZE_CAUSES, *cause).into())]),
        Event::Passed { seat } => seat_only("passed", seat),
        Event::TookFoot { seat } => seat_only("took_foot", seat),
        Event::TalonAwarded { seat, talon } => {
            event("talon_awarded", [("seat", seat.0.into()), ("talon", (*talon).into())])
        }
        Event::TookTalon { seat, cards } => seat_cards("took_talon", seat, cards),
        Event::Asked { seat, about, to } => event(
            "asked",
            [("seat", seat.0.into()), ("about", codes::word(&ABOUTS, *about).into()), ("to", to.0.into())],
        ),
        Event::Answered { seat, yes } => event("answered", [("seat", seat.0.into()), ("yes", (*yes).into())]),
        Event::Revealed { seat, cards } => seat_cards("revealed", seat, cards),
        Event::SidesFixed { lone } => event("sides_fixed", [("lone", lone.0.into())]),
        Event::WentOut { seat, concealed } => {
            event("went_out", [("seat", seat.0.into()), ("concealed", (*concealed).into())])
        }
        Event::SpecialHand { seat, hand, cards } => event(
            "special_hand",
            [
                ("seat", seat.0.into()),
                ("hand", codes::word(&SPECIAL_HANDS, *hand).into()),
                ("cards", card_texts(cards)),
            ],
        ),
        Event::StockExhausted => event("stock_exhausted", []),
        Event::Ruled { id, points } => {
            let points = (!points.is_empty()).then(|| ("points", points.iter().copied().collect::<Value>()));
            event("ruled", [("id", (*id).into())].into_iter().chain(points))
        }
        Event::Disputed { open } => event("disputed", [("open", (*open).into())]),
        Event::Signed { side } => event("signed", [("side", side.0.into())]),
        Event::Scored => event("scored", []),
    }
}

/// Parses an event.
pub(super) fn from_value(value: &Value) -> Read<Event> {
    let mut f = Fields::of(value)?;
    let name = f.get("type", |value| text(value).map(str::to_owned))?;
    let event = match name.as_str() {
        "drawn" => Event::Drawn {
            picks: f.get("picks", list(cards))?,
            seating: f.get("seating", list(seat))?,
            dealer: f.get("dealer", seat)?,
        },
        "dealt" => Event::Dealt {
            hands: f.get("hands", list(cards))?,
            foot_sizes: f.maybe("foot_sizes", list(integer))?.unwrap_or_default(),
            talon_sizes: f.maybe("talon_sizes", list(integer))?.unwrap_or_default(),
        },
        "upcard" => Event::Upcard { card: f.get("card", card)?, covered: f.get("covered", flag)? },
        "drew" => Event::Drew { seat: f.get("seat", seat)?, cards: f.get("cards", cards)? },
        "three_laid" => Event::ThreeLaid { seat: f.get("seat", seat)?, card: f.get("card", card)? },
        "replaced" => Event::Replaced { seat: f.get("seat", seat)?, card: f.get("card", card)? },
        "melded" => Event::Melded {
            side: f.get("side", side)?,
            meld: f.get("meld", meld)?,
            kind: f.get("kind", word(&MELD_KINDS))?,
            rank: f.maybe("rank", rank)?,
            cards: f.get("cards", cards)?,
        },
        "canasta" => Event::Canasta {
            side: f.get("side", side)?,
            meld: f.get("meld", meld)?,
            grade: f.get("grade", word(&GRADES))?,
        },
        "merged" => Event::Merged { side: f.get("side", side)?, a: f.get("a", meld)?, b: f.get("b", meld)? },
        "unmelded" => Event::Unmelded {
            side: f.get("side", side)?,
            meld: f.get("meld", meld)?,
            cards: f.get("cards", cards)?,
        },
        "took_pile" => Event::TookPile { seat: f.get("seat", seat)?, cards: f.get("cards", cards)? },
        "took_top" => Event::TookTop { seat: f.get("seat", seat)?, card: f.get("card", card)? },
        "restored_pile" => Event::RestoredPile { seat: f.get("seat", seat)? },
        "discarded" => Event::Discarded {
            seat: f.get("seat", seat)?,
            card: f.get("card", card)?,
            face_down: f.get("face_down", flag)?,
        },
        "froze" => Event::Froze { cause: f.get("cause", word(&FREEZE_CAUSES))? },
        "passed" => Event::Passed { seat: f.get("seat", seat)? },
        "took_foot" => Event::TookFoot { seat: f.get("seat", seat)? },
        "talon_awarded" => {
            Event::TalonAwarded { seat: f.get("seat", seat)?, talon: f.get("talon", integer)? }
        }
        "took_talon" => Event::TookTalon { seat: f.get("seat", seat)?, cards: f.get("cards", cards)? },
        "asked" => Event::Asked {
            seat: f.get("seat", seat)?,
            about: f.get("about", word(&ABOUTS))?,
            to: f.get("to", seat)?,
        },
        "answered" => Event::Answered { seat: f.get("seat", seat)?, yes: f.get("yes", flag)? },
        "revealed" => Event::Revealed { seat: f.get("seat", seat)?, cards: f.get("cards", cards)? },
        "sides_fixed" => Event::SidesFixed { lone: f.get("lone", seat)? },
        "went_out" => Event::WentOut { seat: f.get("seat", seat)?, concealed: f.get("concealed", flag)? },
        "special_hand" => Event::SpecialHand {
            seat: f.get("seat", seat)?,
            hand: f.get("hand", word(&SPECIAL_HANDS))?,
            cards: f.get("cards", cards)?,
        },
        "stock_exhausted" => Event::StockExhausted,
        "ruled" => Event::Ruled {
            id: f.get("id", integer)?,
            points: f.maybe("points", list(integer))?.unwrap_or_default(),
        },
        "disputed" => Event::Disputed { open: f.get("open", flag)? },
        "signed" => Event::Signed { side: f.get("side", side)? },
        "scored" => Event::Scored,
        _ => return Err(ValueFault::new(format!("unknown event {name:?}"))),
    };
    f.done()?;
    Ok(event)
}

fn rank(value: &Value) -> Read<Rank> {
    let found = text(value)?;
    let rank = match found.as_bytes() {
        &[letter] => Rank::from_letter(letter),
        _ => None,
    };
    rank.ok_or_else(|| ValueFault::new(format!("{found:?} is not a rank")))
}
