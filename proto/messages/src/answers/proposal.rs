//! The proposal of an action, which ApplyAction, ApplyActions, Play and the recorder's Act share, so that all of them give
//! the same answers.

use canasta_engine::action::{Action, As};
use canasta_engine::event::Event;
use canasta_engine::game::{ActError, Acted, Game, RefuseError, RegisterEntry, RegisterError, Stamp};
use canasta_engine::log::record::{Author, NOTE_MAX, Remark};
use canasta_engine::log::{contribution_message, is_signature, is_signed};
use canasta_engine::nodes::Nodes;
use canasta_engine::view::events;
use canasta_proto::v1::{
    self as pb, Accepted, ApplyActionRequest, Recorded, Rejected, apply_action_response::Outcome,
};

use super::observers::{Happened, Observers};
use super::{earlier, expect, refuse};
use crate::convert::field::{Read, all, bytes_opt, fault, field, holds, item, text_required, within};
use crate::convert::{action, event, log, new_game, score, view, violation};
use crate::fault::{OrFault, RequestFault};
use crate::host::Host;

/// Maximum time between two records, in ms: a year. Sums of such times cannot overflow.
const ELAPSED_MS_MAX: u64 = 31_536_000_000;

#[derive(Clone)]
pub struct ReadProposal<Record = ProposedRecord> {
    pub who: As,
    pub record: Record,
    pub stamp: Stamp,
    /// The state that a ruling restores.
    pub earlier: Option<Box<Game>>,
    pub wants: Wants,
}

#[derive(Clone)]
pub enum ProposedRecord {
    Action(Action),
    Note(String),
    Register(RegisterEntry),
}

/// The optional parts of an answer that a request asks for.
#[derive(Clone, Copy, Default)]
pub struct Wants {
    pub events: bool,
    pub view: bool,
    pub head: bool,
    /// Whether a refusal is recorded in the log.
    pub refusal: bool,
    pub checkpoint: bool,
}

/// The judgement of an action, and what a legal action caused. The state's token is left to the caller.
pub type Judged = Result<(Accepted, Happened), Rejected>;

/// Applies a whole request to `state` on behalf of `who`; the request's own `state` and `actor` are not read. If
/// it returns a fault, the state has not changed.
pub fn take(host: &dyn Host, state: &mut Game, who: As, mut request: ApplyActionRequest) -> OrFault<Outcome> {
    let observers = std::mem::take(&mut request.observers);
    let observers = Observers::of_state(observers, host, state)?;
    if observers.is_empty() {
        return take_unobserved(host, state, who, request).map(|(outcome, _)| outcome);
    }
    // Only the complete answer shows whether it is too long, and then the state must not have changed.
    let mut next = state.clone();
    let (mut outcome, happened) = take_unobserved(host, &mut next, who, request)?;
    match &mut outcome {
        Outcome::Accepted(accepted) => {
            accepted.observations = observers.observe(&next, &happened, accepted)?;
        }
        Outcome::Recorded(recorded) => {
            recorded.observations = observers.observe(&next, &Happened::default(), recorded)?;
        }
        Outcome::Rejected(_) => {}
    }
    *state = next;
    Ok(outcome)
}

/// Applies a request as `take` does, without its observers. Returns the outcome, and the events that the request
/// caused.
fn take_unobserved(
    host: &dyn Host,
    state: &mut Game,
    who: As,
    request: ApplyActionRequest,
) -> OrFault<(Outcome, Happened)> {
    let ApplyActionRequest { action, note, register, .. } = request;
    expect(state, request.expected_seq, &request.expected_head)?;
    let stamp = stamp(request.elapsed_ms, &request.signature);
    let (stamp, record) = all((stamp, ProposedRecord::read(action, note, register)))?;
    let wants = Wants {
        events: request.want_events,
        view: request.want_view,
        head: request.want_head,
        refusal: request.record_refusal,
        checkpoint: request.checkpoint,
    };
    let earlier = match record {
        ProposedRecord::Action(_) => earlier(host, &request.earlier_state, who)?,
        ProposedRecord::Note(_) | ProposedRecord::Register(_) => None,
    };
    propose(host, state, ReadProposal { who, record, stamp, earlier, wants })
}

/// Judges a proposal, and records it if it is legal. Returns the outcome, and the events that it caused. If it returns a
/// fault, the state has not changed.
pub fn propose(host: &dyn Host, state: &mut Game, proposal: ReadProposal) -> OrFault<(Outcome, Happened)> {
    let ReadProposal { who, record, stamp, earlier, wants } = proposal;
    if wants.checkpoint && !host.has_key() {
        return Err(RequestFault::NoSigningKey);
    }
    let may_be_refused = !matches!(who, As::Judge | As::Spectator);
    let problem = "the log has no refusals of judges and spectators";
    holds("record_refusal", may_be_refused || !wants.refusal, problem)?;
    let outcome = match record {
        ProposedRecord::Action(action) => {
            let proposal = ReadProposal { who, record: action, stamp, earlier, wants };
            match judge(host, state, proposal, &Nodes::default())? {
                Ok((accepted, happened)) => return Ok((Outcome::Accepted(accepted), happened)),
                Err(rejected) => Outcome::Rejected(rejected),
            }
        }
        ProposedRecord::Note(text) => {
            let note = Remark::note(author(who)?, stamp.elapsed_ms, text);
            let frames = state.remark(note).map_err(log::fault).map_err(within("note"))?;
            Outcome::Recorded(recorded(host, state, frames, wants.checkpoint))
        }
        ProposedRecord::Register(entry) => {
            match signed_entry(state, entry).map(|entry| state.register(who, entry))? {
                Ok(frames) => Outcome::Recorded(recorded(host, state, frames, wants.checkpoint)),
                Err(RegisterError::Rejected(violations)) => Outcome::Rejected(refuse(
                    host,
                    violation::write_setup(&violations, &state.table.rules().books(), "register."),
                )),
                Err(RegisterError::Field(error)) => return Err(log::fault(error).into()),
            }
        }
    };
    Ok((outcome, Happened::default()))
}

/// Judges an action and applies it if it is legal. `nodes` counts the work.
pub fn judge(
    host: &dyn Host,
    state: &mut Game,
    proposal: ReadProposal<Action>,
    nodes: &Nodes,
) -> OrFault<Judged> {
    let ReadProposal { who, record: action, stamp, earlier, wants } = proposal;
    check_signature(state, who, &action, stamp.signature)?;
    match state.act_counted(earlier.as_deref(), who, &action, stamp, nodes) {
        Ok(mut acted) => {
            if wants.checkpoint || acted.round.is_some() {
                acted.frames.extend(checkpoint(host, state));
            }
            let (events, last_table) = (std::mem::take(&mut acted.events), acted.last_table.take());
            Ok(Ok((accepted(state, who, acted, &events, wants), Happened { events, last_table })))
        }
        Err(ActError::RoundTooLong) => Err(RequestFault::RoundTooLong),
        Err(ActError::Rejected(rejection)) => {
            violation::refuse_misfit(&rejection)?;
            let mut rejected = violation::write(&rejection, &state.table.rules().books());
            if wants.refusal {
                let frames = state.refuse(who, &action, &rejection, stamp).map_err(|error| match error {
                    RefuseError::Field(error) => log::fault(error).into(),
                    RefuseError::RoundTooLong => RequestFault::RoundTooLong,
                })?;
                rejected.recorded = Some(recorded(host, state, frames, wants.checkpoint));
            }
            Ok(Err(refuse(host, rejected)))
        }
    }
}

/// Returns the field of the outcome that holds the state's token; `None` if it has no such field.
pub fn token_of(outcome: &mut Outcome) -> Option<&mut Vec<u8>> {
    match outcome {
        Outcome::Accepted(accepted) => Some(&mut accepted.state),
        Outcome::Recorded(recorded) => Some(&mut recorded.state),
        Outcome::Rejected(rejected) => rejected.recorded.as_mut().map(|recorded| &mut recorded.state),
    }
}

impl ReadProposal {
    /// Returns the proposal of a record without any claim about it.
    pub fn of(who: As, record: ProposedRecord) -> Self {
        Self { who, record, stamp: Stamp::default(), earlier: None, wants: Wants::default() }
    }
}

impl ProposedRecord {
    /// Reads the action, the note or the register of a proposal, which has exactly one of them.
    pub fn read(
        action: Option<pb::Action>,
        note: Option<pb::Note>,
        register: Option<pb::Register>,
    ) -> Read<Self> {
        match (action, note, register) {
            (action, None, None) => Ok(Self::Action(action::read(action)?)),
            (None, Some(note), None) => {
                let text = field!(note.text, text_required, NOTE_MAX);
                text.map(Self::Note).map_err(within("note"))
            }
            (None, None, Some(register)) => {
                Ok(Self::Register(new_game::entry(register).map_err(within("register"))?))
            }
            _ => Err(within("action")(fault("must stand alone, without `note` and `register`"))),
        }
    }
}

/// Reads the time and the signature of an action.
pub fn stamp(elapsed_ms: Option<u64>, signature: &[u8]) -> Read<Stamp> {
    let elapsed = match elapsed_ms {
        Some(elapsed) if elapsed > ELAPSED_MS_MAX => {
            Err(fault(format!("{elapsed}, at most {ELAPSED_MS_MAX}")))
        }
        elapsed => Ok(elapsed),
    };
    let signature = bytes_opt(signature).map_err(within("signature"));
    let (elapsed_ms, signature) = all((elapsed.map_err(within("elapsed_ms")), signature))?;
    Ok(Stamp { elapsed_ms, signature })
}

/// Checks that a signature is made with the seat's own key; the audit would report any other.
fn check_signature(state: &Game, who: As, action: &Action, signature: Option<[u8; 64]>) -> Read<()> {
    let Some(signature) = signature else { return Ok(()) };
    let problem = match who {
        As::Seat(seat) => match state.key(seat) {
            Some(key) if is_signed(key, &state.link.head, seat, action, &signature) => return Ok(()),
            Some(_) => format!("is not a signature of seat {seat} over this action"),
            None => format!("seat {seat} has no key"),
        },
        _ => "only a seat can sign an action".into(),
    };
    Err(within("signature")(fault(problem)))
}

/// Checks that the signatures under contributions are made with the seats' own keys; the audit would report any other.
fn signed_entry(state: &Game, entry: RegisterEntry) -> Read<RegisterEntry> {
    let (round, attempt) = (state.table.round_number().into(), state.table.attempt().into());
    let message = |seat, of: &[u8; 32]| contribution_message(&state.link.head, round, attempt, seat, of);
    for seat in state.table.seats() {
        let signature = entry.signatures.get(seat.index()).copied().flatten();
        let Some((signature, commitment)) = signature.zip(entry.seats.get(seat.index()).copied().flatten())
        else {
            continue;
        };
        let problem = match state.key(seat) {
            Some(key) if is_signature(key, &message(seat, &commitment), &signature) => continue,
            Some(_) => format!("is not a signature of seat {seat} over its commitment"),
            None => format!("seat {seat} has no key"),
        };
        return Err(within("register")(within("signatures")(item(seat.index())(fault(problem)))));
    }
    Ok(entry)
}

fn author(who: As) -> Read<Author> {
    match who {
        As::Seat(seat) => Ok(Author::Seat(seat)),
        As::Table => Ok(Author::Table),
        As::Director => Ok(Author::Director),
        As::Judge | As::Spectator => Err(within("actor")(fault("judges and spectators cannot write notes"))),
    }
}

fn accepted(state: &Game, who: As, acted: Acted, happened: &[Event], wants: Wants) -> Accepted {
    let link = state.link;
    let events = if wants.events { events(happened, who) } else { Vec::new() };
    Accepted {
        state: Vec::new(),
        n: link.n,
        seq: state.table.step(),
        head: if wants.head { link.head.into() } else { Vec::new() },
        frames: acted.frames,
        events: events.iter().map(event::write).collect(),
        view: wants.view.then(|| Box::new(view::of_game(state, who))),
        round_end: acted.round.map(|round| score::round_end(&round, state.table.rules())),
        game_end: acted.result.map(|result| score::game_end(&result, state.table.scores())),
        observations: Vec::new(),
    }
}

fn recorded(host: &dyn Host, state: &mut Game, mut frames: Vec<u8>, signed: bool) -> Recorded {
    if signed {
        frames.extend(checkpoint(host, state));
    }
    let link = state.link;
    Recorded {
        state: Vec::new(),
        n: link.n,
        seq: state.table.step(),
        head: link.head.into(),
        frames,
        observations: Vec::new(),
    }
}

/// Signs the log up to this record. Returns the frame of the checkpoint; empty if the server has no key.
fn checkpoint(host: &dyn Host, state: &mut Game) -> Vec<u8> {
    let Some(note) = host.sign(state) else { return Vec::new() };
    state.remark(Remark::checkpoint(note)).expect("a note of one signature is short")
}
