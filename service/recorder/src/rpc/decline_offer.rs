//! Method DeclineOffer.

use canasta_engine::action::As;
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal};
use canasta_messages::convert::field::{Read, all, fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{Actor, DeclineOfferRequest, DeclineOfferResponse};
use canasta_serve::OrFault;
use canasta_serve::identity::Caller;

use super::{Call, act, game_id, request_id};
use crate::entry::{EntryKind, RequestTag, log_end};
use crate::play::judge::Proposals;
use crate::play::offer;

/// Declines the open offer, and answers once that is recorded.
pub async fn answer(call: &Call, request: DeclineOfferRequest) -> OrFault<DeclineOfferResponse> {
    let ctx = &call.ctx;
    let (game, id, who) =
        all((game_id(&request.game_id), request_id(&request.request_id), seat(request.actor)))?;
    call.entitle(who, game)?;
    let tag = RequestTag::of(who, &id);
    loop {
        let last = ctx.last(game).await?;
        ctx.check_link_at(&call.caller, &last.entry).await?;
        if let Some(repeated) = ctx.repeated(game, &last, tag, None).await? {
            return Ok(DeclineOfferResponse { log_end: Some(log_end(&repeated.entry.entry)) });
        }
        let Some(open) = ctx.offer(game, &last.entry).await? else {
            return Ok(DeclineOfferResponse { log_end: Some(log_end(&last.entry)) });
        };
        let state = ctx.open(game, &last.entry).await?;
        let settings = ctx.settings(game, &last.entry).await?;
        let is_asked = offer::missing(open, &settings, &state).into_iter().any(|seat| who == As::Seat(seat));
        if !is_asked && who != As::Seat(open.by) {
            return Err(RequestFault::Denied);
        }
        let text = if who == As::Seat(open.by) { "takes back the offer" } else { "declines the offer" };
        let list = vec![ReadProposal::of(who, ProposedRecord::Note(text.into()))];
        let now = (settings, ctx.moment(&last.entry));
        let proposals = Proposals::new(tag, EntryKind::Declined, who, list, now);
        let judged = act::run(call, &Caller::Trusted, (last.entry.clone(), state), proposals).await?;
        let entry = judged.entry.ok_or(RequestFault::Internal)?;
        if ctx.record(Some(&call.account), game, &last, &entry).await? {
            return Ok(DeclineOfferResponse { log_end: Some(log_end(&entry.1)) });
        }
    }
}

/// Reads the field `actor`, which must be a seat.
pub fn seat(actor: Option<Actor>) -> Read<As> {
    identity::read(actor).and_then(|who| match who {
        As::Seat(_) => Ok(who),
        _ => Err(within("actor")(fault("expected a seat"))),
    })
}
