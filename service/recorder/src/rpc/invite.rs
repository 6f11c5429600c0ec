//! Method Invite.

use canasta_engine::action::As;
use canasta_messages::answers::check_actor;
use canasta_messages::convert::field::{Read, all, fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{InviteRequest, InviteResponse, Link};
use canasta_serve::OrFault;
use canasta_serve::identity::{LINK_LIFETIME_MS, LinkGrant};

use super::change::{ChangeRequest, change};
use super::{Call, game_id};
use crate::entry::{RequestTag, Settings};
use crate::links::{self, HostRights};

/// Makes a link, and answers once it is recorded.
pub async fn answer(call: &Call, request: InviteRequest) -> OrFault<InviteResponse> {
    let ctx = &call.ctx;
    let now_ms = (ctx.service.clock)();
    let expires_at_ms = expiry(request.expires_at_ms, now_ms).map_err(within("expires_at_ms"));
    let (game, actor, expires_at_ms) =
        all((game_id(&request.game_id), identity::read(request.actor), expires_at_ms))?;
    let rights = ctx.host_rights(&call.caller, game)?;
    if !rights.cover(actor) {
        return Err(RequestFault::Denied);
    }
    let link = links::link(ctx.folder.key(), game, actor, false, expires_at_ms);
    Ok(InviteResponse { link: Some(invite(call, rights, &link).await?) })
}

/// Gives out a link, unless it was given out before. Returns its token.
pub async fn invite(call: &Call, rights: HostRights, link: &LinkGrant) -> OrFault<Link> {
    let given = links::given(link);
    let is_done = |settings: &Settings| settings.links.contains(&given);
    let request = ChangeRequest { game: link.game, by: rights.actor, tag: RequestTag::default() };
    change(call, request, is_done, |settings, state, now_ms| {
        check_actor(link.actor, state.table.set().seats)?;
        if settings.is_room && !matches!(link.actor, As::Seat(_) | As::Spectator) {
            return Err(within("actor")(fault("a room has links for seats and spectators only")).into());
        }
        if settings.link(&link.token_id).is_some() {
            let problem = "a link with this time of expiry was revoked: take another time";
            return Err(within("expires_at_ms")(fault(problem)).into());
        }
        if !settings.give(given.clone(), now_ms) {
            return Err(RequestFault::TooManyLinks);
        }
        call.ctx.link_rates.take_link(&call.account)?;
        let kind = if link.is_host { "a host's link" } else { "a link" };
        let (who, whom) = (links::name_of_host(rights), links::name(link.actor));
        Ok(format!("{who} made {kind} for {whom}. {}", links::count(settings, link.actor, now_ms)))
    })
    .await?;
    call.ctx.token(link)
}

/// Reads a time of expiry, which is rounded down to a whole second.
fn expiry(expires_at_ms: i64, now_ms: i64) -> Read<i64> {
    let rounded = expires_at_ms.div_euclid(1000).saturating_mul(1000);
    let latest = now_ms.saturating_add(LINK_LIFETIME_MS);
    match rounded {
        _ if rounded <= now_ms => Err(fault(format!("{expires_at_ms} is in the past: now is {now_ms}"))),
        _ if rounded > latest => Err(fault(format!("{expires_at_ms}, at most {latest}"))),
        rounded => Ok(rounded),
    }
}
