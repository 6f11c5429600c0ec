//! The fields of events. They stand only in lines of JSON.

use super::coder::Json;
use super::json::{Read, ValueFault, string, text};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_log::codes::{ABOUTS, FREEZE_CAUSES, GRADES, MELD_KINDS, SPECIAL_HANDS};
use canasta_log::fields::Fields;
use canasta_rules::action::{About, CardList, MeldId, MeldKind, SpecialHand};
use canasta_rules::card::{Card, Rank};
use canasta_rules::event::{Event, FreezeCause, Grade};
use canasta_rules::seat::{SEATS_MAX, Seat, Side};
use core::mem::discriminant;
use serde_json::Value;

/// Returns the name of each event, with an event for a reader of its fields.
fn blanks() -> [(&'static str, Event); 30] {
    let (seat, side, meld, card, cards) = (Seat(0), Side(0), MeldId(0), Card::JOKER, CardList::new());
    let (kind, rank) = (MeldKind::Set, None);
    [
        ("drawn", Event::Drawn { picks: Vec::new(), seating: Vec::new(), dealer: seat }),
        ("dealt", Event::Dealt { hands: Vec::new(), foot_sizes: Vec::new(), talon_sizes: Vec::new() }),
        ("upcard", Event::Upcard { card, covered: false }),
        ("drew", Event::Drew { seat, cards: cards.clone() }),
        ("three_laid", Event::ThreeLaid { seat, card }),
        ("replaced", Event::Replaced { seat, card }),
        ("melded", Event::Melded { side, meld, kind, rank, cards: cards.clone() }),
        ("canasta", Event::Canasta { side, meld, grade: Grade::Natural }),
        ("merged", Event::Merged { side, a: meld, b: meld }),
        ("unmelded", Event::Unmelded { side, meld, cards: cards.clone() }),
        ("took_pile", Event::TookPile { seat, cards: cards.clone() }),
        ("took_top", Event::TookTop { seat, card }),
        ("restored_pile", Event::RestoredPile { seat }),
        ("discarded", Event::Discarded { seat, card, face_down: false }),
        ("froze", Event::Froze { cause: FreezeCause::Wild }),
        ("passed", Event::Passed { seat }),
        ("took_foot", Event::TookFoot { seat }),
        ("talon_awarded", Event::TalonAwarded { seat, talon: 0 }),
        ("took_talon", Event::TookTalon { seat, cards: cards.clone() }),
        ("asked", Event::Asked { seat, about: About::GoOut, to: seat }),
        ("answered", Event::Answered { seat, yes: false }),
        ("revealed", Event::Revealed { seat, cards: cards.clone() }),
        ("sides_fixed", Event::SidesFixed { lone: seat }),
        ("went_out", Event::WentOut { seat, concealed: false }),
        ("special_hand", Event::SpecialHand { seat, hand: SpecialHand::Straight, cards }),
        ("stock_exhausted", Event::StockExhausted),
        ("ruled", Event::Ruled { id: 0, points: Vec::new() }),
        ("disputed", Event::Disputed { open: false }),
        ("signed", Event::Signed { side }),
        ("scored", Event::Scored),
    ]
}

/// Codes an event, its name first.
pub(super) fn event(f: &mut Json<'_>, event: &mut Event) -> Read<()> {
    let mut blanks = blanks().into_iter();
    if f.is_reader() {
        let mut name = "".to_string();
        f.value("type", &mut name, |_| unreachable!("a reader"), string)?;
        let found = blanks.find(|(known, _)| *known == name);
        (_, *event) = found.ok_or_else(|| ValueFault::new(format!("unknown event {name:?}")))?;
    } else {
        let found = blanks.find(|(_, blank)| discriminant(blank) == discriminant(event));
        f.put("type", found.expect("every event has a name").0);
    }
    match event {
        Event::Drawn { picks, seating, dealer } => {
            f.list("picks", SEATS_MAX, picks, CardList::new(), |f, pick| f.cards("picks[]", pick))?;
            f.list("seating", SEATS_MAX, seating, Seat(0), |f, seat| f.seat("seating[]", seat))?;
            f.seat("dealer", dealer)
        }
        Event::Dealt { hands, foot_sizes, talon_sizes } => {
            f.list("hands", SEATS_MAX, hands, CardList::new(), |f, hand| f.cards("hands[]", hand))?;
            f.omitted("foot_sizes", foot_sizes, Json::numbers)?;
            f.omitted("talon_sizes", talon_sizes, Json::numbers)
        }
        Event::Upcard { card, covered } => {
            f.card("card", card)?;
            f.flag("covered", covered)
        }
        Event::Drew { seat, cards }
        | Event::TookPile { seat, cards }
        | Event::TookTalon { seat, cards }
        | Event::Revealed { seat, cards } => {
            f.seat("seat", seat)?;
            f.cards("cards", cards)
        }
        Event::ThreeLaid { seat, card } | Event::Replaced { seat, card } | Event::TookTop { seat, card } => {
            f.seat("seat", seat)?;
            f.card("card", card)
        }
        Event::Melded { side, meld, kind, rank, cards } => {
            f.side("side", side)?;
            f.meld("meld", meld)?;
            f.choice("kind", &MELD_KINDS, kind)?;
            f.maybe("rank", rank, Rank::Ace, |f, name, rank| {
                f.value(name, rank, |rank| rank.letter().to_string().into(), rank_of)
            })?;
            f.cards("cards", cards)
        }
        Event::Canasta { side, meld, grade } => {
            f.side("side", side)?;
            f.meld("meld", meld)?;
            f.choice("grade", &GRADES, grade)
        }
        Event::Merged { side, a, b } => {
            f.side("side", side)?;
            f.meld("a", a)?;
            f.meld("b", b)
        }
        Event::Unmelded { side, meld, cards } => {
            f.side("side", side)?;
            f.meld("meld", meld)?;
            f.cards("cards", cards)
        }
        Event::RestoredPile { seat } | Event::Passed { seat } | Event::TookFoot { seat } => {
            f.seat("seat", seat)
        }
        Event::Discarded { seat, card, face_down } => {
            f.seat("seat", seat)?;
            f.card("card", card)?;
            f.flag("face_down", face_down)
        }
        Event::Froze { cause } => f.choice("cause", &FREEZE_CAUSES, cause),
        Event::TalonAwarded { seat, talon } => {
            f.seat("seat", seat)?;
            f.number("talon", talon)
        }
        Event::Asked { seat, about, to } => {
            f.seat("seat", seat)?;
            f.choice("about", &ABOUTS, about)?;
            f.seat("to", to)
        }
        Event::Answered { seat, yes } => {
            f.seat("seat", seat)?;
            f.flag("yes", yes)
        }
        Event::SidesFixed { lone } => f.seat("lone", lone),
        Event::WentOut { seat, concealed } => {
            f.seat("seat", seat)?;
            f.flag("concealed", concealed)
        }
        Event::SpecialHand { seat, hand, cards } => {
            f.seat("seat", seat)?;
            f.choice("hand", &SPECIAL_HANDS, hand)?;
            f.cards("cards", cards)
        }
        Event::Ruled { id, points } => {
            f.number("id", id)?;
            f.omitted("points", points, Json::numbers)
        }
        Event::Disputed { open } => f.flag("open", open),
        Event::Signed { side } => f.side("side", side),
        Event::StockExhausted | Event::Scored => Ok(()),
    }
}

fn rank_of(value: &Value) -> Read<Rank> {
    let found = text(value)?;
    let rank = match found.as_bytes() {
        &[letter] => Rank::from_letter(letter),
        _ => None,
    };
    rank.ok_or_else(|| ValueFault::new(format!("{found:?} is not a rank")))
}
