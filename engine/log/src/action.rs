//! The stored form of an action, and the message that a seat signs for an action.

mod ruling;

pub(super) use ruling::masked;

use super::codec;
use super::codes::{self, ABOUTS, MELD_KINDS, SPECIAL_HANDS};
use super::error::{DecodeError, FieldError};
use super::wire::{self, List, NO_SEAT, Octets, UNKNOWN_CARD};
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use canasta_rules::action::{About, Action, CardList, Deal, Group, Groups, MeldId, NamedWay, Onto, TakePile};
use canasta_rules::card::{CARDS_MAX, Card, KINDS};
use canasta_rules::notation::POSITION_BYTES_MAX;
use canasta_rules::seat::{SEATS_MAX, Seat, Side};
use ruling::{ruling_from_wire, ruling_to_wire};

/// Maximum number of groups per action.
pub const GROUPS_MAX: usize = 128;
/// Maximum number of bytes of a beacon's signature.
pub const BEACON_SIGNATURE_MAX: usize = 96;
/// Maximum number of bytes of a rule's id in a ruling.
pub const RULE_MAX: usize = 32;
/// Maximum number of bytes of the reason of a ruling or of a dispute.
pub const REASON_MAX: usize = 1024;
/// Maximum number of bytes of a masked position: a tag of 16, and the position with its padding.
pub const MASKED_POSITION_MAX: usize = 16 + POSITION_BYTES_MAX + 64;

/// Encodes an action, as in the action field of its record.
///
/// # Errors
/// The first field whose value a log cannot hold.
pub fn action_bytes(action: &Action) -> Result<Vec<u8>, FieldError> {
    Ok(codec::encode(&to_wire(action)?))
}

/// Decodes an action.
///
/// # Errors
/// If the bytes are not the encoding of an action, or a field has a value that a log cannot hold.
pub fn action_from_bytes(bytes: &[u8]) -> Result<Action, DecodeError> {
    Ok(from_wire(codec::decode(bytes)?)?)
}

pub(super) fn to_wire(action: &Action) -> Result<wire::Action<'_>, FieldError> {
    use wire::Action as W;
    Ok(match action {
        Action::Deal(deal) => W::Deal(Box::new(deal_to_wire(deal)?)),
        Action::DrawCards(picks) => W::DrawCards(card_lists("picks", picks)?),
        Action::DrawStock => W::DrawStock,
        Action::TakePile(TakePile { with, onto, also }) => {
            W::TakePile(cards_to_wire("with", with)?, onto_to_wire(*onto)?, groups_to_wire("also", also)?)
        }
        Action::TakeTop => W::TakeTop,
        Action::RestorePile => W::RestorePile,
        Action::LayThrees(cards) => W::LayThrees(cards_to_wire("cards", cards)?),
        Action::TakeTalon => W::TakeTalon,
        Action::Meld(groups) => W::Meld(groups_to_wire("groups", groups)?),
        Action::MergeMelds { a, b } => W::MergeMelds(a.0, b.0),
        Action::UndoMeld { meld, cards } => W::UndoMeld(meld.0, cards_to_wire("cards", cards)?),
        Action::Ask { about, to, with } => W::Ask(
            codes::number(&ABOUTS, *about),
            to.map(|to| seat_to_wire("to", to)).transpose()?,
            with.as_deref().map(|way| way_to_wire(*about, way)).transpose()?,
        ),
        Action::Answer { yes } => W::Answer(*yes),
        Action::SpecialHand(hand) => W::SpecialHand(codes::number(&SPECIAL_HANDS, *hand)),
        Action::Discard(card) => W::Discard(card.kind()),
        Action::Pass => W::Pass,
        Action::EndRound => W::EndRound,
        Action::CallReveal { of } => W::CallReveal(seat_to_wire("of", *of)?),
        Action::Ruling(ruling) => W::Ruling(Box::new(ruling_to_wire(ruling)?)),
        Action::Dispute { open, reason } => W::Dispute(*open, text("reason", reason, REASON_MAX)?),
        Action::Sign { side } => W::Sign(side_to_wire("side", *side)?),
    })
}

pub(super) fn from_wire(action: wire::Action<'_>) -> Result<Action, FieldError> {
    use wire::Action as W;
    Ok(match action {
        W::Deal(deal) => Action::Deal(Box::new(deal_from_wire(&deal)?)),
        W::DrawCards(picks) => {
            Action::DrawCards(picks.0.iter().map(|p| cards("picks[]", p)).collect::<Result<_, _>>()?)
        }
        W::DrawStock => Action::DrawStock,
        W::TakePile(with, onto, also) => Action::TakePile(TakePile {
            with: cards("with", &with)?,
            onto: onto_from_wire(onto)?,
            also: groups_from_wire("also", &also)?,
        }),
        W::TakeTop => Action::TakeTop,
        W::RestorePile => Action::RestorePile,
        W::LayThrees(list) => Action::LayThrees(cards("cards", &list)?),
        W::TakeTalon => Action::TakeTalon,
        W::Meld(groups) => Action::Meld(groups_from_wire("groups", &groups)?),
        W::MergeMelds(a, b) => Action::MergeMelds { a: MeldId(a), b: MeldId(b) },
        W::UndoMeld(meld, list) => Action::UndoMeld { meld: MeldId(meld), cards: cards("cards", &list)? },
        W::Ask(about, to, way) => {
            let about = choice("about", &ABOUTS, about)?;
            Action::Ask {
                about,
                to: to.map(|to| seat("to", to)).transpose()?,
                with: way.map(|way| way_from_wire(about, &way)).transpose()?,
            }
        }
        W::Answer(yes) => Action::Answer { yes },
        W::SpecialHand(hand) => Action::SpecialHand(choice("hand", &SPECIAL_HANDS, hand)?),
        W::Discard(kind) => Action::Discard(card("card", kind)?),
        W::Pass => Action::Pass,
        W::EndRound => Action::EndRound,
        W::CallReveal(of) => Action::CallReveal { of: seat("of", of)? },
        W::Ruling(ruling) => Action::Ruling(Box::new(ruling_from_wire(&ruling)?)),
        W::Dispute(open, reason) => {
            Action::Dispute { open, reason: text("reason", reason, REASON_MAX)?.to_string() }
        }
        W::Sign(number) => Action::Sign { side: side("side", number)? },
    })
}

fn deal_to_wire(deal: &Deal) -> Result<wire::Deal<'_>, FieldError> {
    FieldError::length("contributions", deal.contributions.len(), SEATS_MAX)?;
    FieldError::length("hands", deal.hands.len(), SEATS_MAX)?;
    let hands = deal.hands.iter().map(|hand| some_cards_to_wire("hands[]", hand));
    Ok(wire::Deal {
        lifted: deal.lifted,
        foot_lifted: deal.foot_lifted,
        contributions: List(deal.contributions.clone()),
        signature: deal.signature.as_deref().map(beacon_signature).transpose()?.map(Octets::Bytes),
        hands: List(hands.collect::<Result<_, _>>()?),
        upcards: some_cards_to_wire("upcards", &deal.upcards)?,
    })
}

fn deal_from_wire(deal: &wire::Deal<'_>) -> Result<Deal, FieldError> {
    let signature = deal.signature.as_ref().map(|s| beacon_signature(s.bytes())).transpose()?;
    let hands = deal.hands.0.iter().map(|hand| some_cards("hands[]", hand));
    Ok(Deal {
        lifted: deal.lifted,
        foot_lifted: deal.foot_lifted,
        contributions: deal.contributions.0.clone(),
        signature: signature.map(<[u8]>::to_vec),
        hands: hands.collect::<Result<_, _>>()?,
        upcards: some_cards("upcards", &deal.upcards)?,
    })
}

fn way_to_wire(about: About, way: &NamedWay) -> Result<Box<wire::NamedWay<'_>>, FieldError> {
    of_going_out(about)?;
    let groups = groups_to_wire("with.groups", &way.groups)?;
    Ok(Box::new(wire::NamedWay { groups, discard: way.discard.map(Card::kind) }))
}

fn way_from_wire(about: About, way: &wire::NamedWay<'_>) -> Result<Box<NamedWay>, FieldError> {
    of_going_out(about)?;
    let groups = groups_from_wire("with.groups", &way.groups)?;
    let discard = way.discard.map(|kind| card("with.discard", kind)).transpose()?;
    Ok(Box::new(NamedWay { groups, discard }))
}

/// Checks that a question that names a way out is about going out.
fn of_going_out(about: About) -> Result<(), FieldError> {
    match about {
        About::GoOut => Ok(()),
        About::Courtesy => {
            Err(FieldError::misplaced("with", "only a question about going out names a way out"))
        }
    }
}

fn beacon_signature(bytes: &[u8]) -> Result<&[u8], FieldError> {
    FieldError::length("signature", bytes.len(), BEACON_SIGNATURE_MAX)?;
    Ok(bytes)
}

fn groups_to_wire<'a>(
    field: &'static str,
    groups: &'a Groups,
) -> Result<List<wire::Group<'a>, 128>, FieldError> {
    FieldError::length(field, groups.len(), GROUPS_MAX)?;
    let group = |group: &'a Group| {
        Ok(wire::Group {
            shape: codes::number(&MELD_KINDS, group.kind) + if group.top { TOP } else { 0 },
            onto: onto_to_wire(group.onto)?,
            cards: cards_to_wire("groups[].cards", &group.cards)?,
        })
    };
    Ok(List(groups.iter().map(group).collect::<Result<_, _>>()?))
}

fn groups_from_wire(field: &'static str, groups: &List<wire::Group<'_>, 128>) -> Result<Groups, FieldError> {
    let group = |group: &wire::Group<'_>| {
        FieldError::range(field, u64::from(group.shape), 2 * u64::from(TOP) - 1)?;
        Ok(Group {
            kind: choice("groups[].kind", &MELD_KINDS, group.shape % TOP)?,
            onto: onto_from_wire(group.onto)?,
            top: group.shape >= TOP,
            cards: cards("groups[].cards", &group.cards)?,
        })
    };
    groups.0.iter().map(group).collect()
}

/// Added to the kind of a group if the taken top is part of the group.
pub(super) const TOP: u8 = 4;

/// Encodes a target: 0 auto, 1 new, 2 + id own meld, 258 + 256 * side + id meld of that side.
pub fn onto_to_wire(onto: Onto) -> Result<u16, FieldError> {
    Ok(match onto {
        Onto::Auto => 0,
        Onto::New => 1,
        Onto::Meld { side: None, id } => 2 + u16::from(id.0),
        Onto::Meld { side: Some(side), id } => {
            258 + 256 * u16::from(side_to_wire("onto", side)?) + u16::from(id.0)
        }
    })
}

/// Decodes the target of a group.
///
/// # Errors
/// If the number does not stand for a target.
pub fn onto_from_wire(onto: u16) -> Result<Onto, FieldError> {
    FieldError::range("onto", u64::from(onto), 257 + 256 * SEATS_MAX as u64)?;
    Ok(match onto {
        0 => Onto::Auto,
        1 => Onto::New,
        2..258 => Onto::Meld { side: None, id: MeldId((onto - 2) as u8) },
        _ => {
            let [side, id] = (onto - 258).to_be_bytes();
            Onto::Meld { side: Some(Side(side)), id: MeldId(id) }
        }
    })
}

fn card_lists<'a>(field: &'static str, lists: &'a [CardList]) -> Result<List<Octets<'a>, 6>, FieldError> {
    FieldError::length(field, lists.len(), SEATS_MAX)?;
    Ok(List(lists.iter().map(|list| cards_to_wire(field, list)).collect::<Result<_, _>>()?))
}

pub(super) fn cards_to_wire<'a>(field: &'static str, cards: &'a [Card]) -> Result<Octets<'a>, FieldError> {
    FieldError::length(field, cards.len(), CARDS_MAX)?;
    Ok(Octets::Cards(cards))
}

pub(super) fn cards<C: FromIterator<Card>>(field: &'static str, kinds: &Octets<'_>) -> Result<C, FieldError> {
    FieldError::length(field, kinds.bytes().len(), CARDS_MAX)?;
    kinds.bytes().iter().map(|&kind| card(field, kind)).collect()
}

pub(super) fn some_cards_to_wire<'a>(
    field: &'static str,
    cards: &'a [Option<Card>],
) -> Result<Octets<'a>, FieldError> {
    FieldError::length(field, cards.len(), CARDS_MAX)?;
    Ok(Octets::SomeCards(cards))
}

pub(super) fn some_cards(field: &'static str, kinds: &Octets<'_>) -> Result<Vec<Option<Card>>, FieldError> {
    FieldError::length(field, kinds.bytes().len(), CARDS_MAX)?;
    let known = |&kind: &u8| if kind == UNKNOWN_CARD { Ok(None) } else { card(field, kind).map(Some) };
    kinds.bytes().iter().map(known).collect()
}

fn card(field: &'static str, kind: u8) -> Result<Card, FieldError> {
    FieldError::range(field, u64::from(kind), KINDS as u64 - 1)?;
    Ok(Card::from_kind(kind).expect("in range"))
}

/// Encodes the actor: the number of the seat, or 255 if no seat acted.
pub(super) fn actor_to_wire(actor: Option<Seat>) -> Result<u8, FieldError> {
    actor.map_or(Ok(NO_SEAT), |actor| seat_to_wire("seat", actor))
}

pub(super) fn actor(number: u8) -> Result<Option<Seat>, FieldError> {
    if number == NO_SEAT { Ok(None) } else { seat("seat", number).map(Some) }
}

pub(super) fn seat_to_wire(field: &'static str, seat: Seat) -> Result<u8, FieldError> {
    FieldError::range(field, u64::from(seat.0), SEATS_MAX as u64 - 1)?;
    Ok(seat.0)
}

pub(super) fn seat(field: &'static str, number: u8) -> Result<Seat, FieldError> {
    seat_to_wire(field, Seat(number)).map(Seat)
}

fn side_to_wire(field: &'static str, side: Side) -> Result<u8, FieldError> {
    seat_to_wire(field, Seat(side.0))
}

fn side(field: &'static str, number: u8) -> Result<Side, FieldError> {
    seat_to_wire(field, Seat(number)).map(Side)
}

pub(super) fn choice<T: Copy>(field: &'static str, table: &[(T, &str)], number: u8) -> Result<T, FieldError> {
    FieldError::range(field, u64::from(number), table.len() as u64 - 1)?;
    Ok(codes::from_number(table, number).expect("in range"))
}

pub(super) fn text<'a>(field: &'static str, text: &'a str, max: usize) -> Result<&'a str, FieldError> {
    FieldError::length(field, text.len(), max)?;
    Ok(text)
}
