//! Conversion of events, as one viewer sees them, to messages, and of some back.

use canasta_engine::action::{CardList, MeldId, MeldKind, SpecialHand};
use canasta_engine::log::codes::{ABOUTS, FREEZE_CAUSES, GRADES, MELD_KINDS, SPECIAL_HANDS};
use canasta_engine::seat::{Seat, Side};
use canasta_engine::view::EventView as Event;
use canasta_proto::v1::{self as pb, event as out, event::Kind};

use super::card::{
    read as read_card, read_list, read_seen, write_known, write_list, write_lists, write_seen,
};
use super::choice;
use super::field::{self, Read, required, within};

pub fn write(event: &Event) -> pb::Event {
    let kind = match event {
        Event::Drawn { picks, seating, dealer } => Kind::Drawn(out::Drawn {
            picks: write_lists(picks),
            seating: seating.iter().map(|&seat| number(seat)).collect(),
            dealer: number(*dealer),
        }),
        Event::Dealt { hands, foot_sizes, talon_sizes } => Kind::Dealt(out::Dealt {
            hands: hands.iter().map(|hand| pb::CardList { cards: write_seen(hand) }).collect(),
            foot_sizes: sizes(foot_sizes),
            talon_sizes: sizes(talon_sizes),
        }),
        &Event::Upcard { card, covered } => Kind::Upcard(out::Upcard { card: card.text().into(), covered }),
        Event::Drew { seat, cards } => {
            Kind::Drew(out::Drew { seat: number(*seat), cards: write_seen(cards) })
        }
        Event::ThreeLaid { seat, card } => {
            Kind::ThreeLaid(out::ThreeLaid { seat: number(*seat), card: card.text().into() })
        }
        Event::Replaced { seat, card } => {
            Kind::Replaced(out::Replaced { seat: number(*seat), card: write_known(*card) })
        }
        Event::Melded { side, meld, kind, rank, cards } => Kind::Melded(out::Melded {
            side: side.0.into(),
            meld: meld.0.into(),
            kind: choice::write(&MELD_KINDS, *kind),
            rank: rank.map(|rank| rank.letter().to_string()).unwrap_or_default(),
            cards: write_list(cards),
        }),
        Event::Canasta { side, meld, grade } => Kind::Canasta(out::Canasta {
            side: side.0.into(),
            meld: meld.0.into(),
            grade: choice::write(&GRADES, *grade),
        }),
        Event::Merged { side, a, b } => {
            Kind::Merged(out::Merged { side: side.0.into(), kept: a.0.into(), merged: b.0.into() })
        }
        Event::Unmelded { side, meld, cards } => Kind::Unmelded(out::Unmelded {
            side: side.0.into(),
            meld: meld.0.into(),
            cards: write_list(cards),
        }),
        Event::TookPile { seat, cards } => {
            Kind::TookPile(out::TookPile { seat: number(*seat), cards: write_seen(cards) })
        }
        Event::TookTop { seat, card } => {
            Kind::TookTop(out::TookTop { seat: number(*seat), card: card.text().into() })
        }
        Event::RestoredPile { seat } => Kind::RestoredPile(out::RestoredPile { seat: number(*seat) }),
        Event::Discarded { seat, card, face_down } => Kind::Discarded(out::Discarded {
            seat: number(*seat),
            card: write_known(*card),
            face_down: *face_down,
        }),
        Event::Froze { cause } => Kind::Froze(out::Froze { cause: choice::write(&FREEZE_CAUSES, *cause) }),
        Event::Passed { seat } => Kind::Passed(out::Passed { seat: number(*seat) }),
        Event::TookFoot { seat } => Kind::TookFoot(out::TookFoot { seat: number(*seat) }),
        Event::TalonAwarded { seat, talon } => {
            Kind::TalonAwarded(out::TalonAwarded { seat: number(*seat), talon: (*talon).into() })
        }
        Event::TookTalon { seat, cards } => {
            Kind::TookTalon(out::TookTalon { seat: number(*seat), cards: write_seen(cards) })
        }
        Event::Asked { seat, about, to } => {
            let (seat, about, to) = (number(*seat), choice::write(&ABOUTS, *about), number(*to));
            Kind::Asked(out::Asked { seat, about, to })
        }
        Event::Answered { seat, yes } => Kind::Answered(out::Answered { seat: number(*seat), yes: *yes }),
        Event::Revealed { seat, cards } => {
            Kind::Revealed(out::Revealed { seat: number(*seat), cards: write_list(cards) })
        }
        Event::SidesFixed { lone } => Kind::SidesFixed(out::SidesFixed { lone: number(*lone) }),
        Event::WentOut { seat, concealed } => {
            Kind::WentOut(out::WentOut { seat: number(*seat), concealed: *concealed })
        }
        Event::SpecialHand { seat, hand, cards } => Kind::SpecialHand(out::SpecialHandShown {
            seat: number(*seat),
            hand: choice::write(&SPECIAL_HANDS, *hand),
            cards: write_list(cards),
        }),
        Event::StockExhausted => Kind::StockExhausted(out::StockExhausted {}),
        Event::Ruled { id, points } => Kind::Ruled(out::Ruled { id: *id, points: points.clone() }),
        Event::Disputed { open } => Kind::Disputed(out::Disputed { open: *open }),
        Event::Signed { side } => Kind::Signed(out::Signed { side: side.0.into() }),
        Event::Scored => Kind::Scored(out::Scored {}),
    };
    pb::Event { kind: Some(kind) }
}

/// Reads an event that a memory of the round hangs on; `None` for the others. Of these a memory needs no more than is read.
pub fn read(event: pb::Event) -> Read<Option<Event>> {
    let seat = |seat: u32| field::seat(Some(seat)).map_err(within("seat"));
    let list = |cards: &[String]| read_list(cards).map_err(within("cards"));
    let one = |text: &str| read_card(text).map_err(within("card"));
    let (side, meld) = (Side(0), MeldId(0));
    Ok(Some(match required(event.kind)? {
        Kind::Dealt(_) => Event::Dealt { hands: Vec::new(), foot_sizes: Vec::new(), talon_sizes: Vec::new() },
        Kind::Upcard(of) => Event::Upcard { card: one(&of.card)?, covered: of.covered },
        Kind::ThreeLaid(of) => Event::ThreeLaid { seat: seat(of.seat)?, card: one(&of.card)? },
        Kind::Melded(of) => {
            Event::Melded { side, meld, kind: MeldKind::Set, rank: None, cards: list(&of.cards)? }
        }
        Kind::Unmelded(of) => Event::Unmelded { side, meld, cards: list(&of.cards)? },
        Kind::TookPile(of) => Event::TookPile { seat: seat(of.seat)?, cards: read_seen(&of.cards)? },
        Kind::TookTop(of) => Event::TookTop { seat: seat(of.seat)?, card: one(&of.card)? },
        Kind::RestoredPile(of) => Event::RestoredPile { seat: seat(of.seat)? },
        Kind::Discarded(of) => {
            let card = if of.face_down { None } else { Some(one(&of.card)?) };
            Event::Discarded { seat: seat(of.seat)?, card, face_down: of.face_down }
        }
        Kind::SpecialHand(of) => {
            let (seat, hand) = (seat(of.seat)?, SpecialHand::Straight);
            Event::SpecialHand { seat, hand, cards: CardList::new() }
        }
        Kind::Revealed(of) => Event::Revealed { seat: seat(of.seat)?, cards: list(&of.cards)? },
        _ => return Ok(None),
    }))
}

fn number(seat: Seat) -> u32 {
    seat.0.into()
}

fn sizes(sizes: &[u16]) -> Vec<u32> {
    sizes.iter().map(|&size| size.into()).collect()
}
