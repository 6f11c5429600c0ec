//! The judgement of proposals, and the entry that records them.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::table::Phase;
use canasta_messages::answers::observers::{Happened, Observers};
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal, propose};
use canasta_messages::answers::{check_actor, refuse};
use canasta_messages::convert::field::{fault, item, within};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1 as pb;
use canasta_proto::v1::apply_action_response::Outcome;
use canasta_proto::v1::{Acted, GameEnd, Rejected, RoundEnd, act_response};
use canasta_serve::OrFault;
use canasta_serve::identity::{Caller, CallerKey};
use canasta_serve::telemetry::method::Method;
use canasta_service::context::RequestContext;

use super::{checkpoint, gate};
use crate::boards;
use crate::context::RecorderContext;
use crate::entry::{EncodedEntry, EntryKind, JournalEntry, Offered, RequestTag, Settings, log_end};
use crate::records;
use crate::timing::{self, Moment};

/// Maximum time that a record can state, in ms: a year.
const ELAPSED_MS_MAX: u64 = 31_536_000_000;

#[derive(Clone)]
pub struct Proposals {
    pub tag: RequestTag,
    pub kind: EntryKind,
    /// The effect of a ruling on the clocks.
    pub change: ClockChange,
    /// The seat or role on whose behalf the entry is made.
    pub actor: As,
    pub list: Vec<ReadProposal>,
    pub observers: Vec<pb::Actor>,
    pub settings: Arc<Settings>,
    pub at: Moment,
}

impl Proposals {
    /// Returns proposals that leave the clocks as they are, for an answer without observers.
    pub fn new(
        tag: RequestTag,
        kind: EntryKind,
        actor: As,
        list: Vec<ReadProposal>,
        (settings, at): (Arc<Settings>, Moment),
    ) -> Self {
        Self { tag, kind, change: ClockChange::None, actor, list, observers: Vec::new(), settings, at }
    }
}

/// The effect of a ruling of the recorder on the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockChange {
    None,
    /// The seat to act is warned, and its turn's time starts again.
    Warn,
    /// Play has ended.
    Stop,
}

/// A judgement: the answer, and the entry to store before it is given; `None` if nothing is recorded.
pub struct Judged {
    pub answer: act_response::Outcome,
    pub entry: Option<(EncodedEntry, JournalEntry)>,
}

#[derive(Default)]
struct Outcomes {
    frames: Vec<u8>,
    happened: Happened,
    round_ends: Vec<RoundEnd>,
    game_end: Option<GameEnd>,
    ends_round: bool,
    rejected: Option<Rejected>,
    is_recorded: bool,
}

/// Runs a job that judges: on this thread, or on one for searches if it may take some ms.
///
/// # Errors
/// As the job, or if the recorder shuts down before it begins.
pub async fn run(
    ctx: &RecorderContext,
    is_long: bool,
    caller: &CallerKey,
    job: impl FnOnce() -> OrFault<Judged> + Send + 'static,
) -> OrFault<Judged> {
    let method = const { Method::named("Act") };
    if is_long {
        ctx.searches.of(caller).run(method, job).await?
    } else {
        ctx.service.telemetry.metrics.measured(method, job)
    }
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
    mut proposals: Proposals,
) -> OrFault<Judged> {
    measure(before, &mut proposals)?;
    checkpoint::request(ctx, before, &mut proposals.list);
    let observers = std::mem::take(&mut proposals.observers);
    let observers = Observers::of_state(observers, &ctx.asked_by(caller), &state)?;
    let mut outcomes = propose_all(ctx, caller, before, &mut state, &mut proposals)?;
    if proposals.settings.does_table_work(state.table.step()) && outcomes.rejected.is_none() {
        table_work(ctx, caller, &proposals.settings, &mut state, &mut outcomes)?;
    }
    let rejected = outcomes.rejected.take();
    let entry = match outcomes.is_recorded {
        true => Some(successor(ctx, before, &proposals, &state, &mut outcomes)?),
        false => None,
    };
    let answer = match rejected {
        Some(rejected) => act_response::Outcome::Rejected(rejected),
        None => {
            let clock = entry.as_ref().and_then(|entry| {
                timing::write(&proposals.settings.clock, entry, Moment { uncharged_ms: 0, ..proposals.at })
            });
            let note = entry.as_ref().and_then(|entry| records::checkpoint(records::frames(entry)));
            let mut acted = Acted {
                log_end: entry.as_ref().map(log_end),
                round_ends: std::mem::take(&mut outcomes.round_ends),
                game_end: outcomes.game_end.take(),
                clock,
                checkpoint: note.unwrap_or_default(),
                ..Default::default()
            };
            acted.observations = observers.observe(&state, &outcomes.happened, &acted)?;
            act_response::Outcome::Acted(acted)
        }
    };
    let entry = match entry {
        None => None,
        Some(entry) => {
            let encoded = entry.encode().map_err(|error| {
                tracing::warn!("an entry cannot be stored: {error}");
                within("proposals")(fault("is too long to be recorded together"))
            })?;
            Some((encoded, entry))
        }
    };
    Ok(Judged { answer, entry })
}

/// Applies the proposals in order, up to the first that is rejected.
fn propose_all(
    ctx: &RequestContext,
    caller: &Caller,
    before: &JournalEntry,
    state: &mut Game,
    proposals: &mut Proposals,
) -> OrFault<Outcomes> {
    let list = std::mem::take(&mut proposals.list);
    let (mut all, is_one) = (Outcomes::default(), list.len() == 1);
    let host = ctx.asked_by(caller);
    for (index, proposal) in list.into_iter().enumerate() {
        let located = |fault: RequestFault| fault.within(|field| within("proposals")(item(index)(field)));
        check_actor(proposal.who, state.table.set().seats).map_err(|faults| located(faults.into()))?;
        let shut = gate::refuse(proposals, before, state, &proposal);
        let (outcome, happened) = match shut {
            Some(rejected) => (Outcome::Rejected(refuse(&host, rejected)), Happened::default()),
            None => propose(&host, state, proposal).map_err(located)?,
        };
        match outcome {
            Outcome::Accepted(accepted) => all.accept(accepted, happened),
            Outcome::Recorded(recorded) => {
                all.frames.extend(recorded.frames);
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

/// Does the table's work: what is due after the proposals becomes a part of their entry.
fn table_work(
    ctx: &RequestContext,
    caller: &Caller,
    settings: &Settings,
    state: &mut Game,
    all: &mut Outcomes,
) -> OrFault<()> {
    while let Some(record) = due_of_table(ctx, settings, state)? {
        let mut deal = ReadProposal::of(As::Table, record);
        deal.stamp.elapsed_ms = Some(0);
        match propose(&ctx.asked_by(caller), state, deal)? {
            (Outcome::Accepted(accepted), happened) => all.accept(accepted, happened),
            (Outcome::Recorded(recorded), _) => all.frames.extend(recorded.frames),
            (Outcome::Rejected(_), _) => return Err(RequestFault::Internal),
        }
    }
    Ok(())
}

/// Whether the table has something to do: to deal, or to register the next wall of a board.
pub fn is_table_due(settings: &Settings, state: &Game) -> bool {
    let phase = state.table.phase();
    let is_due = phase == Phase::Deal || phase == Phase::Setup && settings.board.is_some();
    is_due && !state.table.is_suspended()
}

/// Returns the record of the table that is due; `None` if another actor is to act.
///
/// # Errors
/// If the game plays a board that cannot be decrypted.
pub fn due_of_table(
    ctx: &RequestContext,
    settings: &Settings,
    state: &Game,
) -> OrFault<Option<ProposedRecord>> {
    if !is_table_due(settings, state) {
        return Ok(None);
    }
    if state.table.phase() == Phase::Deal {
        return Ok(legal::steps(&state.table).actions.into_iter().next().map(ProposedRecord::Action));
    }
    let board = boards::open(ctx, state.dealing.game_id, settings)?;
    Ok(board.and_then(|board| boards::register(&board, state)).map(ProposedRecord::Register))
}

/// Makes the entry of everything that is recorded.
///
/// # Errors
/// If the game after it could not be opened again.
fn successor(
    ctx: &RequestContext,
    before: &JournalEntry,
    proposals: &Proposals,
    state: &Game,
    outcomes: &mut Outcomes,
) -> OrFault<JournalEntry> {
    let Proposals { tag, kind, change, actor, settings, at, .. } = proposals;
    let mut clocks = timing::advance(&settings.clock, before, state, *at);
    match (&mut clocks, change) {
        (Some(clocks), ClockChange::Warn) => timing::warn(clocks),
        (Some(clocks), ClockChange::Stop) => clocks.is_stopped = true,
        (Some(_), ClockChange::None) | (None, _) => {}
    }
    let seq = state.table.step();
    let is_settings = matches!(kind, EntryKind::Settings(_));
    let (offer_open, offer_stays) = match kind {
        EntryKind::Offer(offer) => (true, !matches!(offer.what, Offered::TakeBack(_))),
        EntryKind::Declined => (false, false),
        // An action cancels the offer; what bots do does not cancel one to end the game.
        _ => {
            let is_players = matches!(actor, As::Seat(seat) if !settings.bots.has(*seat));
            let stays = before.offer_stays && !is_players;
            let open = before.offer_open && (seq == before.seq || stays);
            (open, open && before.offer_stays)
        }
    };
    Ok(JournalEntry {
        kind: kind.clone(),
        ends_round: outcomes.ends_round,
        game_over: state.table.phase() == Phase::GameOver,
        offer_open,
        offer_stays,
        actor: *actor,
        time_ms: at.time_ms,
        uncharged_ms: at.uncharged_ms,
        n: state.link.n,
        seq,
        head: state.link.head,
        settings_n: if is_settings { state.link.n } else { before.settings_n },
        tags: before.next_tags(*tag),
        frames: std::mem::take(&mut outcomes.frames),
        state: ctx.encode_kept(state)?,
        clocks,
    })
}

impl Outcomes {
    fn accept(&mut self, accepted: pb::Accepted, happened: Happened) {
        self.frames.extend(accepted.frames);
        self.happened.extend(happened);
        self.ends_round |= accepted.round_end.is_some();
        self.round_ends.extend(accepted.round_end);
        self.game_end = accepted.game_end.or(self.game_end.take());
        self.is_recorded = true;
    }
}

/// Sets the time since the last record where the caller has left it to the recorder. A register states no time, so its
/// entry has the time of the entry before it: the sum of what the records state stays the time that has passed.
fn measure(before: &JournalEntry, proposals: &mut Proposals) -> OrFault<()> {
    let Proposals { list, at, settings, .. } = proposals;
    if matches!(&list[..], [ReadProposal { record: ProposedRecord::Register(_), .. }]) {
        *at = Moment { time_ms: before.time_ms, uncharged_ms: 0 };
    }
    let passed = at.time_ms.abs_diff(before.time_ms).min(ELAPSED_MS_MAX);
    for (index, proposal) in list.iter_mut().enumerate() {
        let elapsed_ms = &mut proposal.stamp.elapsed_ms;
        if elapsed_ms.is_some() && settings.has_clock() {
            let problem = fault("must be unset: the recorder measures it in a game with a clock");
            return Err(within("proposals")(item(index)(within("elapsed_ms")(problem))).into());
        }
        elapsed_ms.get_or_insert(if index == 0 { passed } else { 0 });
    }
    Ok(())
}
