//! One request on a state: what ApplyAction, ApplyActions and Play share, so that each gives what the others would.

use canasta_engine::action::{Action, As};
use canasta_engine::log::is_signed;
use canasta_engine::log::record::{Author, NOTE_MAX};
use canasta_engine::log::writer::{
    self, ActError, Acted, Entry, RefuseError, RegisterError, Stamp, act_restoring, refuse,
};
use canasta_engine::rules::ScoreUnit;
use canasta_engine::state::State;
use canasta_engine::view::events;
use canasta_proto::v1::{Accepted, ApplyActionRequest, Recorded, Rejected, apply_action_response::Outcome};

use crate::context::{self, RequestContext};
use crate::convert::field::{bytes_opt, fault, missing, text, within};
use crate::convert::{action, event, log, new_game, score, view, violation};
use crate::identity::Caller;
use crate::status::{Fault, FieldFault};

/// Longest time between two records: a year. Sums of such times cannot overflow.
const MAX_ELAPSED_MS: u64 = 31_536_000_000;

/// An action that somebody proposes.
pub struct Proposal {
    pub who: As,
    pub action: Action,
    pub stamp: Stamp,
    /// The state that a ruling goes back to.
    pub earlier: Option<State>,
    pub wants: Wants,
}

/// What is wanted besides the judgement.
#[derive(Clone, Copy, Default)]
pub struct Wants {
    pub events: bool,
    pub view: bool,
    /// That a refusal is recorded.
    pub refusal: bool,
    pub checkpoint: bool,
}

/// What became of a proposal; the state's token is left to the caller.
pub type Judged = Result<Accepted, Rejected>;

/// Takes a whole request but for its `state` and `as`, which are these. On a fault nothing has changed.
pub fn take(
    ctx: &RequestContext,
    caller: &Caller,
    state: &mut State,
    who: As,
    request: &mut ApplyActionRequest,
) -> Result<Outcome, Fault> {
    context::expect(state, request.expected_seq, &request.expected_head)?;
    if request.checkpoint && ctx.signer.is_none() {
        return Err(Fault::NoSigningKey);
    }
    let stamp = stamp(request.elapsed_ms, &request.signature)?;
    match Asked::read(request)? {
        Asked::Action(action) => {
            let wants = Wants {
                events: request.want_events,
                view: request.want_view,
                refusal: request.record_refusal,
                checkpoint: request.checkpoint,
            };
            let earlier = ctx.open_earlier(caller, &request.earlier_state, who)?;
            Ok(match judge(ctx, state, Proposal { who, action, stamp, earlier, wants })? {
                Ok(accepted) => Outcome::Accepted(accepted),
                Err(rejected) => Outcome::Rejected(rejected),
            })
        }
        Asked::Note(text) => {
            let author = author(who)?;
            let frames =
                writer::note(state, author, text, stamp).map_err(log::fault).map_err(within("note"))?;
            Ok(Outcome::Recorded(recorded(ctx, state, frames, request.checkpoint)))
        }
        Asked::Register(entry) => match writer::register(state, who, entry) {
            Ok(frames) => Ok(Outcome::Recorded(recorded(ctx, state, frames, request.checkpoint))),
            Err(RegisterError::Rejected(violations)) => Ok(Outcome::Rejected(
                ctx.rejected(violation::write_setup(&violations, &state.rules().books())),
            )),
            Err(RegisterError::Field(error)) => Err(log::fault(error).into()),
        },
    }
}

/// Judges an action, and carries it out if it is legal.
pub fn judge(ctx: &RequestContext, state: &mut State, proposal: Proposal) -> Result<Judged, Fault> {
    let Proposal { who, action, stamp, earlier, wants } = proposal;
    check_signature(state, who, &action, stamp.signature)?;
    match act_restoring(state, earlier.as_ref(), who, &action, stamp) {
        Ok(mut acted) => {
            if wants.checkpoint || acted.round.is_some() {
                acted.frames.extend(checkpoint(ctx, state));
            }
            Ok(Ok(accepted(state, who, acted, wants)))
        }
        Err(ActError::RoundTooLong) => Err(Fault::RoundTooLong),
        Err(ActError::Rejected(rejection)) => {
            violation::refuse_misfit(&rejection)?;
            let mut rejected = violation::write(&rejection, &state.rules().books());
            if wants.refusal {
                let frames = refuse(state, who, &action, &rejection, stamp).map_err(|error| match error {
                    RefuseError::Field(error) => log::fault(error).into(),
                    RefuseError::RoundTooLong => Fault::RoundTooLong,
                })?;
                rejected.recorded = Some(recorded(ctx, state, frames, wants.checkpoint));
            }
            Ok(Err(ctx.rejected(rejected)))
        }
    }
}

/// Where the outcome holds the state, if it does.
pub fn token_of(outcome: &mut Outcome) -> Option<&mut Vec<u8>> {
    match outcome {
        Outcome::Accepted(accepted) => Some(&mut accepted.state),
        Outcome::Recorded(recorded) => Some(&mut recorded.state),
        Outcome::Rejected(rejected) => rejected.recorded.as_mut().map(|recorded| &mut recorded.state),
    }
}

/// What is to be recorded.
enum Asked {
    Action(Action),
    Note(String),
    Register(Entry),
}

impl Asked {
    /// Takes the one that is there out of the request.
    fn read(request: &mut ApplyActionRequest) -> Result<Self, Fault> {
        match (request.action.take(), request.note.take(), request.register.take()) {
            (action, None, None) => Ok(Self::Action(action::read(action)?)),
            (None, Some(note), None) if note.text.is_empty() => {
                Err(within("note")(within("text")(missing())).into())
            }
            (None, Some(note), None) => {
                Ok(Self::Note(text(note.text, NOTE_MAX).map_err(within("text")).map_err(within("note"))?))
            }
            (None, None, Some(register)) => {
                Ok(Self::Register(new_game::entry(register).map_err(within("register"))?))
            }
            _ => Err(within("action")(fault("goes with neither `note` nor `register`")).into()),
        }
    }
}

/// What a caller claims about an action besides the action.
pub fn stamp(elapsed_ms: Option<u64>, signature: &[u8]) -> Result<Stamp, FieldFault> {
    if let Some(elapsed) = elapsed_ms.filter(|&elapsed| elapsed > MAX_ELAPSED_MS) {
        return Err(within("elapsed_ms")(fault(format!("{elapsed}, at most {MAX_ELAPSED_MS}"))));
    }
    let signature = bytes_opt(signature).map_err(within("signature"))?;
    Ok(Stamp { elapsed_ms, signature })
}

/// A signature must be that of the seat's own key: the audit would find any other.
fn check_signature(
    state: &State,
    who: As,
    action: &Action,
    signature: Option<[u8; 64]>,
) -> Result<(), FieldFault> {
    let Some(signature) = signature else { return Ok(()) };
    let problem = match who {
        As::Seat(seat) => match state.key(seat) {
            Some(key) if is_signed(key, &state.link().head, seat, action, &signature) => return Ok(()),
            Some(_) => format!("is not that of seat {seat} over this action"),
            None => format!("seat {seat} has no key"),
        },
        _ => "is for seats only".into(),
    };
    Err(within("signature")(fault(problem)))
}

fn author(who: As) -> Result<Author, FieldFault> {
    match who {
        As::Seat(seat) => Ok(Author::Seat(seat)),
        As::Table => Ok(Author::Table),
        As::Director => Ok(Author::Director),
        As::Judge => Err(within("as")(fault("a judge only looks"))),
    }
}

fn accepted(state: &State, who: As, acted: Acted, wants: Wants) -> Accepted {
    let link = state.link();
    let by_seat = state.set().score_unit == ScoreUnit::Seat;
    let events = if wants.events { events(&acted.events, who) } else { Vec::new() };
    Accepted {
        state: Vec::new(),
        n: link.n,
        seq: link.seq,
        head: link.head.into(),
        frames: acted.frames,
        events: events.iter().map(event::write).collect(),
        view: wants.view.then(|| view::write(state, who)),
        round_end: acted.round.map(|round| score::round_end(&round, by_seat)),
        game_end: acted.result.map(|result| score::game_end(&result, state.scores())),
    }
}

fn recorded(ctx: &RequestContext, state: &mut State, mut frames: Vec<u8>, signed: bool) -> Recorded {
    if signed {
        frames.extend(checkpoint(ctx, state));
    }
    let link = state.link();
    Recorded { state: Vec::new(), n: link.n, seq: link.seq, head: link.head.into(), frames }
}

/// The frame of the server's signature over the log up to here; none without a key.
fn checkpoint(ctx: &RequestContext, state: &mut State) -> Vec<u8> {
    let Some(signer) = &ctx.signer else { return Vec::new() };
    let note = signer.get().checkpoint(state);
    writer::checkpoint(state, note).expect("a note of one signature is short")
}
