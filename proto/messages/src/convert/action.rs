//! Conversion of messages to actions.

use canasta_engine::action::{About, Action, Deal, Group, Groups, NamedWay, Onto, TakePile};
use canasta_engine::card::CARDS_MAX;
use canasta_engine::log::action::{BEACON_SIGNATURE_MAX, GROUPS_MAX, REASON_MAX};
use canasta_engine::log::codes::{ABOUTS, MELD_KINDS, SPECIAL_HANDS};
use canasta_engine::seat::SEATS_MAX;
use canasta_proto::v1::{self as pb, action::Kind};

use super::field::{
    Read, all, at_most, bytes_opt, each, fault, field, meld_id, required, seat, seat_opt, side, side_opt,
    text, within, word,
};
use super::{card, choice, ruling};
use crate::fault::FieldFaults;

/// Maximum number of groups in an action of a request. The log format allows more (`log::action::GROUPS_MAX`,
/// 128): it must hold the actions of every writer, while this limit bounds the work of one request. It is
/// part of the interface (docs/API.md) and may be raised up to the format's without a new format.
pub(super) const REQUEST_GROUPS_MAX: usize = 64;
const _: () = assert!(REQUEST_GROUPS_MAX <= GROUPS_MAX, "a log must hold every accepted action");

pub fn read(message: Option<pb::Action>) -> Read<Action> {
    read_bare(message).map_err(within("action"))
}

/// Reads an action; the paths of faults begin inside it.
pub(super) fn read_bare(message: Option<pb::Action>) -> Read<Action> {
    Ok(match message.and_then(|message| message.kind).ok_or_else(none)? {
        Kind::Deal(deal) => read_deal(&deal).map_err(within("deal"))?,
        Kind::DrawCards(draw) => draw_cards(&draw).map_err(within("picks")).map_err(within("draw_cards"))?,
        Kind::DrawStock(_) => Action::DrawStock,
        Kind::TakePile(take) => Action::TakePile(take_pile(&take).map_err(within("take_pile"))?),
        Kind::TakeTop(_) => Action::TakeTop,
        Kind::RestorePile(_) => Action::RestorePile,
        Kind::LayThrees(lay) => {
            Action::LayThrees(field!(&lay.cards, card::read_list).map_err(within("lay_threes"))?)
        }
        Kind::TakeTalon(_) => Action::TakeTalon,
        Kind::Meld(meld) => Action::Meld(field!(&meld.groups, groups).map_err(within("meld"))?),
        Kind::MergeMelds(merge) => merge_melds(&merge).map_err(within("merge_melds"))?,
        Kind::UndoMeld(undo) => undo_meld(&undo).map_err(within("undo_meld"))?,
        Kind::Ask(ask) => read_ask(&ask).map_err(within("ask"))?,
        Kind::Answer(answer) => {
            let yes = field!(answer.yes, required).map_err(within("answer"))?;
            Action::Answer { yes }
        }
        Kind::SpecialHand(show) => Action::SpecialHand(
            field!(show.hand, choice::read, &SPECIAL_HANDS).map_err(within("special_hand"))?,
        ),
        Kind::Discard(discard) => {
            Action::Discard(field!(&discard.card, card::read).map_err(within("discard"))?)
        }
        Kind::Pass(_) => Action::Pass,
        Kind::EndRound(_) => Action::EndRound,
        Kind::CallReveal(call) => {
            Action::CallReveal { of: field!(call.seat, seat).map_err(within("call_reveal"))? }
        }
        Kind::Ruling(message) => Action::Ruling(Box::new(ruling::read(*message).map_err(within("ruling"))?)),
        Kind::Dispute(dispute) => read_dispute(dispute).map_err(within("dispute"))?,
        Kind::Sign(sign) => Action::Sign { side: field!(sign.side, side).map_err(within("sign"))? },
    })
}

/// Returns the fault of no action, which a client may have from a suggestion.
fn none() -> FieldFaults {
    fault(
        "is required, or of a kind that this server does not know; SuggestAction answers no action to an actor who has \
         nothing to do",
    )
}

fn read_deal(deal: &pb::action::Deal) -> Read<Action> {
    let count = |value: Option<u32>| match value {
        Some(count) if count as usize > CARDS_MAX => {
            Err(fault(format!("{count} cards, at most {CARDS_MAX}")))
        }
        count => Ok(count.map(|count| count as u16)),
    };
    let (lifted, foot_lifted, contributions, signature) = all((
        field!(deal.lifted, count),
        field!(deal.foot_lifted, count),
        field!(&deal.contributions, entries),
        field!(&deal.signature, signature),
    ))?;
    Ok(Action::Deal(Box::new(Deal { lifted, foot_lifted, contributions, signature, ..Deal::default() })))
}

/// Reads a list with one entry per seat, in order: exactly `N` bytes, or an empty entry.
pub(crate) fn entries<const N: usize>(list: &[Vec<u8>]) -> Read<Vec<Option<[u8; N]>>> {
    at_most(list, SEATS_MAX)?;
    each(list, |entry| bytes_opt(entry))
}

fn signature(signature: &[u8]) -> Read<Option<Vec<u8>>> {
    match signature.len() {
        0 => Ok(None),
        1..=BEACON_SIGNATURE_MAX => Ok(Some(signature.to_vec())),
        length => Err(fault(format!("{length} bytes, at most {BEACON_SIGNATURE_MAX}"))),
    }
}

fn draw_cards(message: &pb::action::DrawCards) -> Read<Action> {
    at_most(&message.picks, SEATS_MAX)?;
    each(&message.picks, |list| field!(&list.cards, card::read_list)).map(Action::DrawCards)
}

fn take_pile(message: &pb::action::TakePile) -> Read<TakePile> {
    let (with, onto, also) = all((
        field!(&message.cards, card::read_list),
        onto(message.onto.as_ref()).map_err(within("onto")),
        field!(&message.also, groups),
    ))?;
    Ok(TakePile { with, onto, also })
}

fn groups(list: &[pb::Group]) -> Read<Groups> {
    at_most(list, REQUEST_GROUPS_MAX)?;
    let cards: usize = list.iter().map(|group| group.cards.len()).sum();
    if cards > CARDS_MAX {
        return Err(fault(format!("{cards} cards in all, at most {CARDS_MAX}")));
    }
    each(list, group)
}

fn group(message: &pb::Group) -> Read<Group> {
    let (kind, onto, cards) = all((
        field!(message.kind, choice::read, &MELD_KINDS),
        onto(message.onto.as_ref()).map_err(within("onto")),
        field!(&message.cards, card::read_list),
    ))?;
    Ok(Group { kind, onto, top: message.top, cards })
}

fn onto(message: Option<&pb::Onto>) -> Read<Onto> {
    match message.and_then(|message| message.r#where.as_ref()) {
        None => Ok(Onto::Auto),
        Some(pb::onto::Where::Place(value)) => match word(*value).map_err(within("place"))? {
            pb::Place::New => Ok(Onto::New),
            pb::Place::Auto | pb::Place::Unspecified => Ok(Onto::Auto),
        },
        Some(pb::onto::Where::Meld(meld)) => Ok(Onto::Meld {
            side: field!(meld.side, side_opt).map_err(within("meld"))?,
            id: field!(meld.id, meld_id).map_err(within("meld"))?,
        }),
    }
}

fn merge_melds(message: &pb::action::MergeMelds) -> Read<Action> {
    let (a, b) = all((field!(message.kept, meld_id), field!(message.merged, meld_id)))?;
    Ok(Action::MergeMelds { a, b })
}

fn undo_meld(message: &pb::action::UndoMeld) -> Read<Action> {
    let cards = field!(&message.cards, card::read_list);
    let (meld, cards) = all((field!(message.meld, meld_id), cards))?;
    Ok(Action::UndoMeld { meld, cards })
}

fn read_ask(message: &pb::action::Ask) -> Read<Action> {
    let about = field!(message.about, choice::read, &ABOUTS)?;
    let way = message.way.as_ref().map(|way| named_way(about, way)).transpose();
    let (to, way) = all((field!(message.to, seat_opt), way.map_err(within("way"))))?;
    Ok(Action::Ask { about, to, with: way.map(Box::new) })
}

fn named_way(about: About, message: &pb::action::NamedWay) -> Read<NamedWay> {
    if about == About::Courtesy {
        return Err(fault("only a question about going out names a way out"));
    }
    let discard = (!message.discard.is_empty()).then(|| card::read(&message.discard));
    let discard = discard.transpose().map_err(within("discard"));
    let (groups, discard) = all((field!(&message.groups, groups), discard))?;
    Ok(NamedWay { groups, discard })
}

fn read_dispute(message: pb::action::Dispute) -> Read<Action> {
    let reason = field!(message.reason, text, REASON_MAX);
    let (open, reason) = all((field!(message.open, required), reason))?;
    Ok(Action::Dispute { open, reason })
}
