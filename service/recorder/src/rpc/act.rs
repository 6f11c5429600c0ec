//! Method Act.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_messages::answers::expect;
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal, Wants, stamp};
use canasta_messages::convert::field::{
    Read, all, at_most, bytes_opt, each, fault, holds, item, missing, one_of, within,
};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_messages::limits::ACTIONS_MAX;
use canasta_proto::v1::proposal::Record;
use canasta_proto::v1::{ActRequest, ActResponse, Actor, Proposal, act_response::Outcome};
use canasta_serve::OrFault;
use canasta_serve::identity::Caller;
use canasta_serve::limits::batch_bytes;
use canasta_service::steps::may_take_long;

use super::{Call, game_id, observers, request_id};
use crate::context::RecorderContext;
use crate::entry::{EntryKind, JournalEntry, RequestTag, SeatedBots, Settings};
use crate::play::judge::{self, Judged, Proposals};
use crate::play::work;
use crate::play::{self, Duty, NextDuty};
use crate::timing::Moment;

/// A request that can be judged.
struct ReadAct {
    game: GameId,
    tag: RequestTag,
    expected_seq: Option<u64>,
    expected_head: Vec<u8>,
    list: Vec<ReadProposal>,
    observers: Vec<Actor>,
}

/// Judges the proposals, and answers once they are stored.
pub async fn answer(call: &Call, request: ActRequest) -> OrFault<ActResponse> {
    let read = read(request)?;
    let observers = observers(&read.observers)?;
    // Before the journal is read.
    let whom = read.list.iter().map(|proposal| proposal.who);
    whom.chain(observers).try_for_each(|who| call.entitle(who, read.game))?;
    call.account.charge(read.list.len().saturating_sub(1) as u32);
    call.account.expect_answer(batch_bytes(read.list.len(), read.observers.len())).await?;
    // In a box of its own, so that requests that wait for their turn are small.
    Box::pin(act(call, read)).await
}

async fn act(call: &Call, mut read: ReadAct) -> OrFault<ActResponse> {
    let Call { ctx, account, caller, .. } = call;
    let game = read.game;
    let mut is_prepared = false;
    loop {
        let last = ctx.last(game).await?;
        ctx.check_link_at(caller, &last.entry).await?;
        if let Some(repeated) = ctx.repeated(game, &last, read.tag, read.expected_seq).await? {
            prepare(ctx, &mut read, &mut is_prepared).await?;
            let before = repeated.before.entry;
            let settings = ctx.settings(game, &before).await?;
            let time_ms = repeated.entry.entry.time_ms;
            let at = Moment { time_ms, uncharged_ms: repeated.entry.entry.uncharged_ms };
            let state = ctx.open(game, &before).await?;
            let judged = run(call, caller, (before, state), read.proposals(settings, at)).await?;
            let is_same = judged.entry.is_some_and(|(entry, _)| entry.head == repeated.entry.entry.head);
            if !is_same {
                return Err(RequestFault::RequestIdReused);
            }
            return Ok(response(judged.answer, true));
        }
        let state = ctx.open(game, &last.entry).await?;
        expect(&state, read.expected_seq, &read.expected_head)?;
        let settings = ctx.settings(game, &last.entry).await?;
        // A ruling of the clock that is due comes first.
        if settings.has_clock() && is_ruling_due(ctx, &settings, &last.entry, &state) {
            work::step(ctx, game).await?;
            continue;
        }
        prepare(ctx, &mut read, &mut is_prepared).await?;
        let at = ctx.moment(&last.entry);
        let has_bots = settings.bots != SeatedBots::default();
        let before = (last.entry.clone(), state);
        let judged = run(call, caller, before, read.proposals(settings, at)).await?;
        let Some(entry) = judged.entry else { return Ok(response(judged.answer, false)) };
        if ctx.record(Some(account), game, &last, &entry).await? {
            if has_bots {
                work::begin(ctx, game);
            }
            return Ok(response(judged.answer, false));
        }
        // A rival has won: the request may be that rival, sent twice; or it is judged again.
    }
}

/// Whether the clock has run out, so that the recorder's ruling comes before every other action.
pub fn is_ruling_due(ctx: &RecorderContext, settings: &Settings, entry: &JournalEntry, game: &Game) -> bool {
    let next = play::next(settings, entry, game, &ctx.outages, ctx.moment(entry).time_ms);
    matches!(next, NextDuty::Now(Duty::Flag(_) | Duty::Stop))
}

impl ReadAct {
    fn proposals(&self, settings: Arc<Settings>, at: Moment) -> Proposals {
        let actor = self.list.first().map_or(As::Table, |proposal| proposal.who);
        let base = Proposals::new(self.tag, EntryKind::Acted, actor, self.list.clone(), (settings, at));
        Proposals { observers: self.observers.clone(), ..base }
    }
}

fn response(mut outcome: Outcome, repeated: bool) -> ActResponse {
    if let Outcome::Acted(acted) = &mut outcome {
        acted.repeated_request = repeated;
    }
    ActResponse { outcome: Some(outcome) }
}

fn read(request: ActRequest) -> OrFault<ReadAct> {
    let ActRequest { game_id: game, request_id: id, expected_seq, expected_head, proposals, observers: list } =
        request;
    let head = bytes_opt::<32>(&expected_head).map_err(within("expected_head"));
    let proposals = read_all(proposals).map_err(within("proposals"));
    let ((game, id, _), (_, proposals)) =
        all((all((game_id(&game), request_id(&id), head)), all((observers(&list), proposals))))?;
    let tag = RequestTag::of(proposals[0].who, &id);
    Ok(ReadAct { game, tag, expected_seq, expected_head, list: proposals, observers: list })
}

fn read_all(proposals: Vec<Proposal>) -> Read<Vec<ReadProposal>> {
    if proposals.is_empty() {
        return Err(missing());
    }
    at_most(&proposals, ACTIONS_MAX)?;
    let is_one = proposals.len() == 1;
    each(proposals, |proposal| {
        let Proposal { actor, record, elapsed_ms, signature, record_refusal, checkpoint } = proposal;
        let among =
            |field, is_unset| holds(field, is_one || is_unset, "must be unset among several proposals");
        let (record, only) = match record {
            Some(Record::Action(action)) => (ProposedRecord::read(Some(action), None, None), Ok(())),
            Some(Record::Note(note)) => (ProposedRecord::read(None, Some(note), None), among("note", false)),
            Some(Record::Register(register)) => {
                (ProposedRecord::read(None, None, Some(register)), among("register", false))
            }
            None => (one_of(None).map_err(within("record")), Ok(())),
        };
        let (who, (record, stamp), _) = all((
            identity::read(actor),
            all((record, stamp(elapsed_ms, &signature))),
            all((
                only,
                among("signature", signature.is_empty()),
                among("record_refusal", !record_refusal),
                among("checkpoint", !checkpoint),
            )),
        ))?;
        let wants = Wants { refusal: record_refusal, checkpoint, ..Default::default() };
        Ok(ReadProposal { who, record, stamp, earlier: None, wants })
    })
}

/// Finds the earlier states of rulings.
async fn prepare(ctx: &RecorderContext, read: &mut ReadAct, is_prepared: &mut bool) -> OrFault<()> {
    if std::mem::replace(is_prepared, true) {
        return Ok(());
    }
    for (index, proposal) in read.list.iter_mut().enumerate() {
        let ProposedRecord::Action(action) = &proposal.record else { continue };
        let Some(seq) = action.restored_seq() else { continue };
        let Some(earlier) = ctx.game_at(read.game, seq).await? else {
            let fault = fault(format!("{seq} is not the number of an action of this game"));
            let located = within("action")(within("ruling")(within("effect")(fault)));
            return Err(within("proposals")(item(index)(located)).into());
        };
        proposal.earlier = Some(Box::new(earlier));
    }
    Ok(())
}

/// Judges the proposals: on this thread, unless a hand is so long that the judgement may need a search of some ms.
pub async fn run(
    Call { ctx, account, .. }: &Call,
    caller: &Caller,
    (before, state): (JournalEntry, Box<Game>),
    proposals: Proposals,
) -> OrFault<Judged> {
    let game = state.dealing.game_id;
    let is_long = may_take_long(&state.table, proposals.list.len(), proposals.observers.len());
    let (service, caller) = (Arc::clone(&ctx.service), caller.clone());
    let judge = move || judge::judge(&service, &caller, &before, state, proposals);
    let mut judged = judge::run(ctx, is_long, account.key(), judge).await?;
    if let Outcome::Acted(acted) = &mut judged.answer {
        ctx.name(game, &mut acted.observations).await?;
    }
    Ok(judged)
}
