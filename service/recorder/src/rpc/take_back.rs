//! Method TakeBack. Nothing is cut off: a take-back is a recorded ruling that restores the position after an earlier
//! action. Until every other side agrees to a take-back that needs this, the request is a recorded offer.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::{FollowError, Game, TakeBack, TakeBackRefusal};
use canasta_messages::answers::observers::Observers;
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal};
use canasta_messages::answers::{check_actor, expect, preview_take_back};
use canasta_messages::convert::field::{Read, all, fault, required, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::take_back_response::Outcome;
use canasta_proto::v1::{
    Acted, Actor, TakeBackRefused, TakeBackRequest, TakeBackResponse, TakenBack, act_response,
};
use canasta_serve::OrFault;
use canasta_serve::identity::Caller;

use super::act;
use super::{Call, game_id, observers, request_id};
use crate::entry::{
    EncodedEntry, EntryKind, JournalEntry, Offer, Offered, RequestTag, Settings, TakeBackRule,
};
use crate::play::judge::Proposals;
use crate::play::offer;
use crate::play::present_deal::PresentDeal;
use crate::play::work;
use crate::timing::Moment;

/// A request that can be judged.
struct ReadTakeBack {
    game: GameId,
    tag: RequestTag,
    who: As,
    to_seq: u64,
    expected_seq: u64,
    observers: Vec<Actor>,
}

/// The way in which a request is answered.
enum Way {
    Ruling(Box<Proposals>),
    /// The offer, with the note that records it.
    Offer(Offer, Box<Proposals>),
    Refused(TakeBackRefused),
}

/// Takes back, offers to, or refuses; answers once the ruling or offer is stored.
pub async fn answer(call: &Call, request: TakeBackRequest) -> OrFault<TakeBackResponse> {
    let Call { ctx, account, caller, .. } = call;
    let read = read(request)?;
    let game = read.game;
    for who in [read.who].into_iter().chain(observers(&read.observers)?) {
        call.entitle(who, game)?;
    }
    loop {
        let last = ctx.last(game).await?;
        ctx.check_link_at(caller, &last.entry).await?;
        if let Some(repeated) = ctx.repeated(game, &last, read.tag, Some(read.expected_seq)).await? {
            let recorded = &repeated.entry.entry;
            let at = Moment { time_ms: recorded.time_ms, uncharged_ms: recorded.uncharged_ms };
            let again = judged(call, &read, &repeated.before.entry, at).await?;
            return match again {
                (answer, Some((entry, _))) if entry.head == recorded.head => Ok(answer),
                _ => Err(RequestFault::RequestIdReused),
            };
        }
        let state = ctx.open(game, &last.entry).await?;
        expect(&state, Some(read.expected_seq), &[])?;
        check_actor(read.who, state.table.set().seats)?;
        Observers::of_state(read.observers.clone(), &ctx.service.asked_by(caller), &state)?;
        let settings = ctx.settings(game, &last.entry).await?;
        if act::is_ruling_due(ctx, &settings, &last.entry, &state) {
            work::step(ctx, game).await?;
            continue;
        }
        let (answer, entry) = judged(call, &read, &last.entry, ctx.moment(&last.entry)).await?;
        let Some(entry) = entry else { return Ok(answer) };
        if ctx.record(Some(account), game, &last, &entry).await? {
            work::begin(ctx, game);
            return Ok(answer);
        }
    }
}

fn read(request: TakeBackRequest) -> Read<ReadTakeBack> {
    let TakeBackRequest { game_id: game, request_id: id, actor, to_seq, expected_seq, observers } = request;
    let who = identity::read(actor).and_then(|who| match who {
        As::Seat(_) | As::Director => Ok(who),
        _ => Err(within("actor")(fault("expected a seat or the director"))),
    });
    let (game, id, (who, to_seq, expected_seq)) = all((
        game_id(&game),
        request_id(&id),
        all((
            who,
            required(to_seq).map_err(within("to_seq")),
            required(expected_seq).map_err(within("expected_seq")),
        )),
    ))?;
    Ok(ReadTakeBack { game, tag: RequestTag::of(who, &id), who, to_seq, expected_seq, observers })
}

/// Judges the request in the game after the entry `before`. Returns the answer, and the entry to store before it is given.
async fn judged(
    call: &Call,
    read: &ReadTakeBack,
    before: &JournalEntry,
    at: Moment,
) -> OrFault<(TakeBackResponse, Option<(EncodedEntry, JournalEntry)>)> {
    let ctx = &call.ctx;
    let state = ctx.open(read.game, before).await?;
    let settings = ctx.settings(read.game, before).await?;
    let (offer, proposals) = match way(call, read, before, (&state, &settings), at).await? {
        Way::Refused(refused) => return Ok((response(Outcome::Refused(refused)), None)),
        Way::Offer(offer, proposals) => (Some(offer), proposals),
        Way::Ruling(proposals) => (None, proposals),
    };
    // The caller's own rights were checked; the ruling is the recorder's.
    let judged = act::run(call, &Caller::Trusted, (before.clone(), state.clone()), *proposals).await?;
    let (act_response::Outcome::Acted(acted), Some(entry)) = (judged.answer, judged.entry) else {
        return Err(RequestFault::Internal);
    };
    let outcome = match offer {
        Some(offer) => {
            let offer = offer::write_take_back(offer, &settings, &state);
            Outcome::Offered(offer.ok_or(RequestFault::Internal)?)
        }
        None => {
            let Acted { log_end, observations, .. } = acted;
            Outcome::TakenBack(TakenBack { log_end, to_seq: read.to_seq, observations })
        }
    };
    Ok((response(outcome), Some(entry)))
}

fn response(outcome: Outcome) -> TakeBackResponse {
    TakeBackResponse { outcome: Some(outcome) }
}

/// Decides how the request is answered.
async fn way(
    call: &Call,
    read: &ReadTakeBack,
    before: &JournalEntry,
    (state, settings): (&Game, &Arc<Settings>),
    at: Moment,
) -> OrFault<Way> {
    let ctx = &call.ctx;
    let refused =
        |(reason, seq): (TakeBackRefusal, Option<u64>)| Way::Refused(preview_take_back::write(reason, seq));
    let rule = settings.take_backs;
    let asker = match read.who {
        As::Seat(_) if rule == TakeBackRule::Never => {
            return Ok(Way::Refused(TakeBackRefused {
                reason: canasta_proto::v1::TakeBackRefusal::Off.into(),
                seq: None,
            }));
        }
        As::Seat(seat) => Some(seat),
        _ => None,
    };
    let PresentDeal { earliest, frames } = ctx.present_deal(read.game, before, state).await?;
    let then = ctx.open(read.game, &earliest).await?;
    if !(earliest.seq..before.seq).contains(&read.to_seq) || then.table.to_act().is_none() {
        return Ok(refused((TakeBackRefusal::NotThisDeal, None)));
    }
    call.account.charge(canasta_engine::game::frame_count(&frames).saturating_sub(1) as u32);
    let stopped = match asker {
        None => None,
        Some(seat) => {
            let back = state.take_back(&then, &frames, seat).map_err(unfollowed)?;
            let is_free = back.game.table.step() <= read.to_seq;
            back.stopped.filter(|_| !is_free)
        }
    };
    let observers = read.observers.clone();
    let base =
        Proposals::new(read.tag, EntryKind::TakenBack, read.who, Vec::new(), (Arc::clone(settings), at));
    let base = Proposals { observers, ..base };
    if let (Some(seat), Some(stopped)) = (asker, stopped) {
        if rule != TakeBackRule::Agreed {
            return Ok(refused(stopped));
        }
        let what = Offered::TakeBack(read.to_seq);
        let offer = offer::joined(ctx.offer(read.game, before).await?, what, seat, state);
        if !offer::missing(offer, settings, state).is_empty() {
            let proposals =
                Proposals { kind: EntryKind::Offer(offer), list: vec![offer::note(seat, offer)], ..base };
            return Ok(Way::Offer(offer, Box::new(proposals)));
        }
    }
    let earlier = ctx.game_at(read.game, read.to_seq).await?.ok_or(RequestFault::Internal)?;
    let back = TakeBack { game: Box::new(earlier), stopped: None };
    let ruling = back.ruling(asker.unwrap_or_else(|| back.game.table.turn_seat()));
    let ruling = ReadProposal::of(As::Director, ProposedRecord::Action(ruling));
    let list = vec![ReadProposal { earlier: Some(back.game), ..ruling }];
    Ok(Way::Ruling(Box::new(Proposals { list, ..base })))
}

pub fn unfollowed(error: FollowError) -> RequestFault {
    tracing::error!("the present deal cannot be followed: {error}");
    RequestFault::Internal
}
