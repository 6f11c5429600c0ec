//! The fields of events. They stand only in lines of JSON.

use super::coder::Json;
use super::json::{Read, ValueFault, text};
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

/// The names of all events.
const NAMES: &str = "drawn dealt upcard drew three_laid replaced melded canasta merged unmelded \
    took_pile took_top restored_pile discarded froze passed took_foot talon_awarded took_talon asked \
    answered revealed sides_fixed went_out special_hand stock_exhausted ruled disputed signed scored";

/// Returns the event with this name, for a reader of its fields.
fn blank(name: &str) -> Option<Event> {
    let (seat, side, meld, card) = (Seat(0), Side(0), MeldId(0), Card::default());
    let (kind, rank, cards) = (MeldKind::Set, None, CardList::new());
    let (no, id, talon, points) = (false, 0, 0, Vec::new());
    let (about, grade, hand) = (About::GoOut, Grade::Natural, SpecialHand::Straight);
    let (picks, hands, seating, sizes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new);
    Some(match name {
        "drawn" => Event::Drawn { picks, seating, dealer: seat },
        "dealt" => Event::Dealt { hands, foot_sizes: sizes(), talon_sizes: sizes() },
        "upcard" => Event::Upcard { card, covered: no },
        "drew" => Event::Drew { seat, cards },
        "three_laid" => Event::ThreeLaid { seat, card },
        "replaced" => Event::Replaced { seat, card },
        "melded" => Event::Melded { side, meld, kind, rank, cards },
        "canasta" => Event::Canasta { side, meld, grade },
        "merged" => Event::Merged { side, a: meld, b: meld },
        "unmelded" => Event::Unmelded { side, meld, cards },
        "took_pile" => Event::TookPile { seat, cards },
        "took_top" => Event::TookTop { seat, card },
        "restored_pile" => Event::RestoredPile { seat },
        "discarded" => Event::Discarded { seat, card, face_down: no },
        "froze" => Event::Froze { cause: FreezeCause::Wild },
        "passed" => Event::Passed { seat },
        "took_foot" => Event::TookFoot { seat },
        "talon_awarded" => Event::TalonAwarded { seat, talon },
        "took_talon" => Event::TookTalon { seat, cards },
        "asked" => Event::Asked { seat, about, to: seat },
        "answered" => Event::Answered { seat, yes: no },
        "revealed" => Event::Revealed { seat, cards },
        "sides_fixed" => Event::SidesFixed { lone: seat },
        "went_out" => Event::WentOut { seat, concealed: no },
        "special_hand" => Event::SpecialHand { seat, hand, cards },
        "stock_exhausted" => Event::StockExhausted,
        "ruled" => Event::Ruled { id, points },
        "disputed" => Event::Disputed { open: no },
        "signed" => Event::Signed { side },
        "scored" => Event::Scored,
        _ => return None,
    })
}

/// Returns the name of an event.
fn name_of(event: &Event) -> &'static str {
    let is_named = |name: &&str| blank(name).is_some_and(|blank| discriminant(&blank) == discriminant(event));
    NAMES.split(' ').find(is_named).expect("every event has a name")
}

/// Writes or reads an event, its name first.
pub(super) fn event(f: &mut Json<'_>, event: &mut Event) -> Read<()> {
    let mut name = name_of(event).to_string();
    f.text("type", usize::MAX, &mut name)?;
    if f.is_reader() {
        *event = blank(&name).ok_or_else(|| ValueFault::new(format!("unknown event {name:?}")))?;
    }
    match event {
        Event::Drawn { picks, seating, dealer } => {
            f.list("picks", SEATS_MAX, picks, |f, pick| f.cards("picks[]", pick))?;
            f.list("seating", SEATS_MAX, seating, |f, seat| f.seat("seating[]", seat))?;
            f.seat("dealer", dealer)
        }
        Event::Dealt { hands, foot_sizes, talon_sizes } => {
            f.list("hands", SEATS_MAX, hands, |f, hand| f.cards("hands[]", hand))?;
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
            f.maybe_from("rank", rank, Rank::Ace, |f, name, rank| {
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
