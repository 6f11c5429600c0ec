//! Conversion of the places where cards may go.

use canasta_engine::action::{Action, CardList, MeldKind};
use canasta_engine::card::CARDS_MAX;
use canasta_engine::citation::Books;
use canasta_engine::options::{Chosen, Destination, PlayOption, PlayOptions};
use canasta_proto::v1::{self as pb, play_option::Verdict};
use prost::Message as _;

use super::action::{REQUEST_GROUPS_MAX, read_bare};
use super::field::{Read, all, fault, within};
use super::{action_out, card, violation};
use crate::limits::ANSWER_BYTES_MAX;

/// Reads the melds that were chosen before and the selected cards. One more group must fit, so that a request can
/// hold the action of each option.
pub fn read(chosen: Option<pb::Action>, cards: &[String]) -> Read<(Chosen, CardList)> {
    let cards = card::read_list(cards).map_err(within("cards"));
    let (cards, chosen) = all((cards, read_chosen(chosen).map_err(within("chosen"))))?;
    let sum = cards.len() + named(&chosen);
    if sum > CARDS_MAX {
        let problem = format!("{sum} cards together with `chosen`, at most {CARDS_MAX}");
        return Err(within("cards")(fault(problem)));
    }
    Ok((chosen, cards))
}

fn read_chosen(message: Option<pb::Action>) -> Read<Chosen> {
    let Some(message) = message else { return Ok(Chosen::default()) };
    let chosen = match read_bare(Some(message))? {
        Action::Meld(groups) => Chosen::Melds(groups),
        Action::TakePile(take) => Chosen::Take(take),
        other => return Err(fault(format!("{}, expected meld or take_pile", other.kind()))),
    };
    match chosen.groups().len() {
        count if count >= REQUEST_GROUPS_MAX => {
            Err(fault(format!("{count} groups, at most {}", REQUEST_GROUPS_MAX - 1)))
        }
        _ => Ok(chosen),
    }
}

/// Returns the number of cards from the hand that are chosen.
fn named(chosen: &Chosen) -> usize {
    let with = match chosen {
        Chosen::Take(take) => take.with.len(),
        Chosen::Melds(_) => 0,
    };
    with + chosen.groups().iter().map(|group| group.cards.len()).sum::<usize>()
}

/// Writes as many places as an answer has room for; `books` are the rule books of the rule set in force.
pub fn write(found: &PlayOptions, books: &Books) -> pb::OptionsResponse {
    // The field's tag and length, and `complete`, are the last few bytes.
    let mut room = ANSWER_BYTES_MAX - 8;
    let mut options = Vec::with_capacity(found.list.len());
    for option in &found.list {
        let option = write_one(option, books);
        let Some(left) = room.checked_sub(option.encoded_len() + 8) else { break };
        room = left;
        options.push(option);
    }
    let complete = found.complete && options.len() == found.list.len();
    pb::OptionsResponse { options, complete }
}

fn write_one(option: &PlayOption, books: &Books) -> pb::PlayOption {
    let (destination, meld) = match option.destination {
        Destination::Meld(id) => (pb::Destination::Meld, Some(id)),
        Destination::New(kind) => (new_meld(kind), None),
        Destination::Pile(meld) => (pb::Destination::Pile, meld),
        Destination::Discard => (pb::Destination::Discard, None),
    };
    pb::PlayOption {
        destination: destination.into(),
        meld: meld.map(|id| id.0.into()),
        action: Some(action_out::write(&option.action)),
        verdict: Some(match &option.verdict {
            Ok(()) => Verdict::Legal(pb::Legal {}),
            Err(rejection) => Verdict::Rejected(violation::write(rejection, books)),
        }),
        initial: option
            .initial
            .map(|points| pb::InitialPoints { found: points.found, required: points.required }),
    }
}

fn new_meld(kind: MeldKind) -> pb::Destination {
    match kind {
        MeldKind::Set => pb::Destination::NewSet,
        MeldKind::Wild => pb::Destination::NewWild,
        MeldKind::Sequence => pb::Destination::NewSequence,
        MeldKind::BlackThrees => pb::Destination::NewBlackThrees,
    }
}
