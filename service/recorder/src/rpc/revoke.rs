//! Method Revoke.

use canasta_engine::hex::hex;
use canasta_messages::convert::field::{all, bytes, within};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{RevokeRequest, RevokeResponse};
use canasta_serve::OrFault;

use super::change::{ChangeRequest, change};
use super::{Call, game_id};
use crate::entry::{RequestTag, Settings};
use crate::links;

/// Revokes a token, and answers once that is recorded.
pub async fn answer(call: &Call, request: RevokeRequest) -> OrFault<RevokeResponse> {
    let Call { ctx, caller, .. } = call;
    let token_id = bytes::<16>(&request.token_id).map_err(within("token_id"));
    let (game, token_id) = all((game_id(&request.game_id), token_id))?;
    let own = caller.link().filter(|link| link.game == game && link.token_id == token_id);
    let (by, rights) = match own {
        Some(link) => {
            call.entitle(link.actor, game)?;
            (link.actor, None)
        }
        None => {
            let rights = ctx.host_rights(caller, game)?;
            (rights.actor, Some(rights))
        }
    };
    let is_done = |settings: &Settings| settings.link(&token_id).is_some_and(|link| link.is_revoked);
    let request = ChangeRequest { game, by, tag: RequestTag::default() };
    change(call, request, is_done, |settings, _, now_ms| {
        let Some(link) = settings.links.iter_mut().find(|link| link.token_id == token_id) else {
            let unknown = format!("link {} of this game, or it has expired", hex(&token_id));
            return Err(RequestFault::NotFound(unknown));
        };
        let actor = link.actor;
        if rights.is_some_and(|rights| !rights.cover(actor)) {
            return Err(RequestFault::Denied);
        }
        link.is_revoked = true;
        let what = match rights {
            Some(rights) => format!("{} revoked a link", links::name_of_host(rights)),
            None => "The holder revoked the link".into(),
        };
        let count = links::count(settings, actor, now_ms);
        Ok(format!("{what} for {}. {count}", links::name(actor)))
    })
    .await?;
    Ok(RevokeResponse {})
}
