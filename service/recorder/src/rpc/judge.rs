//! The judgement of proposals, and the entry that records them.

use canasta_engine::action::As;
use canasta_engine::event::Events;
use canasta_engine::game::Game;
use canasta_engine::table::Phase;
use canasta_proto::v1 as pb;
use canasta_proto::v1::apply_action_response::Outcome;
use canasta_proto::v1::{Acted, ActionResult, ApplyActionRequest, Rejected, act_response};
use canasta_service::convert::field::{fault, item, within};
use canasta_service::identity::Caller;
use canasta_service::parts::{Observers, RequestContext, check_actor, take_unobserved};
use canasta_service::status::RequestFault;

use crate::context::log_end;
use crate::entry::{EncodedEntry, EntryKind, JournalEntry, RequestTag};

/// Maximum time that a record can state, in ms: a year.
const ELAPSED_MS_MAX: u64 = 31_536_000_000;

/// Proposals that can be judged.
#[derive(Clone)]
pub struct Proposals {
    pub tag: RequestTag,
    /// The reason of the entry.
    pub kind: EntryKind,
    /// The seat or role on whose behalf the entry is made.
    pub actor: As,
    /// The seat or role on whose behalf each is made.
    pub whom: Vec<As>,
    pub apply: Vec<ApplyActionRequest>,
    pub observers: Vec<pb::Actor>,
    /// The recorder's time, in ms since 1970.
    pub now_ms: i64,
}

/// A judgement: the answer, and the entry to store before it is given; `None` if nothing is recorded.
pub struct Judged {
    pub answer: act_response::Outcome,
    pub entry: Option<EncodedEntry>,
}

/// The outcomes of proposals.
#[derive(Default)]
struct Outcomes {
    frames: Vec<u8>,
    happened: Events,
    results: Vec<ActionResult>,
    /// The rejection that ended the judgement.
    rejected: Option<Rejected>,
    /// Whether anything is recorded.
    is_recorded: bool,
}

/// Judges proposals in the game after the entry `before`.
///
/// # Errors
/// If a proposal is malformed, or the entry would be too long.
pub fn judge(
    ctx: &RequestContext,
    caller: &Caller,
    before: &JournalEntry,
    mut state: Box<Game>,
    proposals: Proposals,
) -> Result<Judged, RequestFault> {
    let Proposals { tag, kind, actor, whom, mut apply, observers, now_ms } = proposals;
    let time_ms = time(before, &apply, now_ms);
    measure(before, &mut apply, time_ms);
    let observers = Observers::of_state(observers, ctx, caller, &state)?;
    let mut outcomes = propose(ctx, caller, &mut state, whom, apply)?;
    let answer = match outcomes.rejected.take() {
        Some(rejected) => act_response::Outcome::Rejected(rejected),
        None => {
            let mut acted = Acted { results: std::mem::take(&mut outcomes.results), ..Default::default() };
            acted.observations = observers.observe(&state, &outcomes.happened, &acted)?;
            act_response::Outcome::Acted(acted)
        }
    };
    if !outcomes.is_recorded {
        return Ok(Judged { answer, entry: None });
    }
    let entry = JournalEntry {
        settings_n: if matches!(kind, EntryKind::Settings(_)) { state.link.n } else { before.settings_n },
        kind,
        ends_round: outcomes.ends_round(&answer),
        game_over: state.table.phase() == Phase::GameOver,
        // An action cancels the offer.
        offer_open: before.offer_open && state.table.step() == before.seq,
        actor,
        time_ms,
        uncharged_ms: 0,
        n: state.link.n,
        seq: state.table.step(),
        head: state.link.head,
        tags: before.next_tags(tag),
        frames: outcomes.frames,
        state: ctx.encode(&state),
    };
    let encoded = entry.encode().map_err(|error| {
        tracing::warn!("an entry cannot be stored: {error}");
        within("apply")(fault("is too long to be recorded together"))
    })?;
    let answer = match answer {
        act_response::Outcome::Acted(acted) => {
            act_response::Outcome::Acted(Acted { log_end: Some(log_end(&entry)), ..acted })
        }
        rejected => rejected,
    };
    Ok(Judged { answer, entry: Some(encoded) })
}

/// Applies the proposals in order, up to the first that is rejected.
fn propose(
    ctx: &RequestContext,
    caller: &Caller,
    state: &mut Game,
    whom: Vec<As>,
    apply: Vec<ApplyActionRequest>,
) -> Result<Outcomes, RequestFault> {
    let (mut all, is_one) = (Outcomes::default(), apply.len() == 1);
    for (index, (who, apply)) in whom.into_iter().zip(apply).enumerate() {
        let located = |fault: RequestFault| fault.within(|field| within("apply")(item(index)(field)));
        check_actor(who, state.table.set().seats).map_err(|faults| located(faults.into()))?;
        let (outcome, happened) = take_unobserved(ctx, caller, state, who, apply).map_err(located)?;
        match outcome {
            Outcome::Accepted(accepted) => {
                all.frames.extend(accepted.frames);
                all.happened.extend(happened);
                let (events, round_end, game_end) = (accepted.events, accepted.round_end, accepted.game_end);
                all.results.push(ActionResult { events, round_end, game_end });
                all.is_recorded = true;
            }
            Outcome::Recorded(recorded) => {
                all.frames.extend(recorded.frames);
                all.results.push(ActionResult::default());
                all.is_recorded = true;
            }
            Outcome::Rejected(mut rejected) => {
                rejected.index = (!is_one).then_some(index as u32);
                // Only one proposal can ask for a record of its refusal: the entry has nothing else.
                all.is_recorded = rejected.recorded.is_some();
                all.frames = rejected
                    .recorded
                    .as_mut()
                    .map(|recorded| std::mem::take(&mut recorded.frames))
                    .unwrap_or_default();
                all.rejected = Some(rejected);
                return Ok(all);
            }
        }
    }
    Ok(all)
}

impl Outcomes {
    fn ends_round(&self, answer: &act_response::Outcome) -> bool {
        match answer {
            act_response::Outcome::Acted(acted) => {
                acted.results.iter().any(|result| result.round_end.is_some())
            }
            act_response::Outcome::Rejected(_) => false,
        }
    }
}

/// Returns the time of the entry: never below that of the entry before. A register states no time, so its entry has the
/// time of the entry before it: the sum of what the records state stays the time that has passed.
fn time(before: &JournalEntry, apply: &[ApplyActionRequest], now_ms: i64) -> i64 {
    match apply {
        [only] if only.register.is_some() => before.time_ms,
        _ => now_ms.max(before.time_ms),
    }
}

/// Sets the time since the last record where the caller has left it to the recorder.
fn measure(before: &JournalEntry, apply: &mut [ApplyActionRequest], time_ms: i64) {
    let passed = time_ms.abs_diff(before.time_ms).min(ELAPSED_MS_MAX);
    for (index, apply) in apply.iter_mut().enumerate() {
        let since = if index == 0 { passed } else { 0 };
        apply.elapsed_ms.get_or_insert(since);
    }
}
