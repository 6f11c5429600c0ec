//! The answers of GameService: one file per method, which decodes, calls the engine and encodes, without rules and locks.
//! `proposal` is shared by the methods that apply actions.

use canasta_engine::action::As;
use canasta_engine::game::Game;
use canasta_engine::seat::Seat;
use canasta_proto::v1 as pb;
use prost::Message;

use crate::convert::field::{Read, all, bytes_opt, fault, missing, within};
use crate::convert::identity;
use crate::fault::{OrFault, RequestFault};
use crate::host::Host;

pub mod apply_action;
pub mod apply_actions;
pub mod check_action;
pub mod create_game;
pub mod explain_rule_set;
pub mod get_catalogue;
pub mod get_rule;
pub mod get_rule_set;
pub mod get_view;
pub mod list_knobs;
pub mod list_legal_actions;
pub mod list_rule_sets;
pub mod observers;
pub mod options;
pub mod page;
pub mod preview_take_back;
pub mod proposal;
pub mod suggest_action;

/// Opens the token in the field `state` for the seat or role in the field `actor`. Returns the state and that seat or role.
fn open_state(host: &dyn Host, token: &[u8], who: Option<pb::Actor>) -> OrFault<(Box<Game>, As)> {
    let ((), who) = all((check_state(token), identity::read(who)))?;
    let state = host.open(token, &[who])?;
    check_actor(who, state.table.set().seats)?;
    Ok((state, who))
}

/// Opens the earlier state that a ruling restores; `None` if the request has none.
fn earlier(host: &dyn Host, token: &[u8], who: As) -> OrFault<Option<Box<Game>>> {
    if token.is_empty() { Ok(None) } else { host.open_earlier(token, who).map(Some) }
}

pub fn refuse(host: &dyn Host, rejected: pb::Rejected) -> pb::Rejected {
    if let Some(first) = rejected.violations.first() {
        host.refused(&first.code);
    }
    rejected
}

/// Checks that the field `state` is not empty.
pub fn check_state(bytes: &[u8]) -> Read<()> {
    if bytes.is_empty() { Err(within("state")(missing())) } else { Ok(()) }
}

/// Checks that a game with this number of seats has the seat of the actor `who`, if `who` is a seat.
pub fn check_actor(who: As, seats: u8) -> Read<()> {
    check_seat(who, seats).map_err(within("actor"))
}

/// Checks as [`check_actor`] does; the path of a fault begins inside the actor.
pub fn check_seat(who: As, seats: u8) -> Read<()> {
    match who {
        As::Seat(Seat(seat)) if seat >= seats => {
            let problem = format!("{seat} is not a seat of this game (0 to {})", seats.saturating_sub(1));
            Err(within("seat")(fault(problem)))
        }
        _ => Ok(()),
    }
}

/// Returns the seat of an actor that must be one.
pub fn seat_of(who: As) -> Read<Seat> {
    who.seat().ok_or_else(|| within("actor")(fault("a role, which does not play; expected a seat")))
}

/// Checks that the state is the one that the caller expects: its number and its head, where they are given.
pub fn expect(state: &Game, seq: Option<u64>, head: &[u8]) -> OrFault<()> {
    let head = bytes_opt::<32>(head).map_err(within("expected_head"))?;
    let (step, link) = (state.table.step(), state.link);
    if seq.is_some_and(|seq| seq != step) || head.is_some_and(|head| head != link.head) {
        return Err(RequestFault::Stale { n: link.n, seq: step, head: link.head });
    }
    Ok(())
}

/// Answers a method of GameService about texts, as [`call`] does those about games: most of their bytes are the texts, so a
/// program that loads parts on demand has them in a part of their own.
pub fn call_texts(method: &str, request: &[u8]) -> OrFault<Vec<u8>> {
    match method {
        "GetRule" => answered(request, get_rule::answer),
        "GetCatalogue" => answered(request, get_catalogue::answer),
        "ExplainRuleSet" => answered(request, explain_rule_set::answer),
        "ListKnobs" => answered(request, list_knobs::answer),
        _ => Err(unknown(method)),
    }
}

/// Answers a method of GameService about games, by its name in the proto file: requests and answers are bytes.
///
/// # Errors
/// If there is no such method, the request cannot be decoded, or it is not answered.
pub fn call(host: &dyn Host, method: &str, request: &[u8]) -> OrFault<Vec<u8>> {
    match method {
        "ListRuleSets" => answered(request, |request| list_rule_sets::answer(&request)),
        "GetRuleSet" => answered(request, get_rule_set::answer),
        "CreateGame" => answered(request, |request| create_game::answer(host, request)),
        "ApplyAction" => judged(host, request, apply_action::open, apply_action::answer),
        "ApplyActions" => judged(host, request, apply_actions::open, apply_actions::answer),
        "CheckAction" => judged(host, request, check_action::open, check_action::answer),
        "ListLegalActions" => answered(request, |request| list_legal_actions::answer(host, request)),
        "Options" => answered(request, |request| options::answer(host, request)),
        "PreviewTakeBack" => answered(request, |request| preview_take_back::answer(host, request)),
        "GetView" => answered(request, |request| get_view::answer(host, request)),
        "SuggestAction" => answered(request, |request| suggest_action::answer(host, request)),
        _ => Err(unknown(method)),
    }
}

/// Returns the fault of a method that is not answered here.
pub(crate) fn unknown(method: &str) -> RequestFault {
    RequestFault::Unimplemented(format!("there is no method {method:?} without a server"))
}

fn answered<Q: Message + Default, A: Message>(
    request: &[u8],
    answer: impl FnOnce(Q) -> OrFault<A>,
) -> OrFault<Vec<u8>> {
    let request = Q::decode(request).map_err(|error| RequestFault::undecodable(&error.to_string()))?;
    Ok(answer(request)?.encode_to_vec())
}

fn judged<Q: Message + Default, A: Message>(
    host: &dyn Host,
    request: &[u8],
    open: fn(&dyn Host, &Q) -> OrFault<Box<Game>>,
    answer: fn(&dyn Host, Q, Box<Game>) -> OrFault<A>,
) -> OrFault<Vec<u8>> {
    answered(request, |request| {
        let state = open(host, &request)?;
        answer(host, request, state)
    })
}
