//! Method ListGames.

use base64ct::{Base64UrlUnpadded, Encoding};
use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_messages::convert::field::{Read, all, fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_messages::host::GameScope;
use canasta_proto::v1::{GameStatus, GameSummary, ListGamesRequest, ListGamesResponse};
use canasta_serve::OrFault;
use canasta_serve::identity::Caller;

use super::Call;
use crate::context::RecorderContext;
use crate::entry::{actor_number, is_label};
use crate::journal::READ_MAX;
use crate::keys::RecorderKey;

/// Number of games on a page whose request names no number.
const PAGE_DEFAULT: i32 = 50;
/// Maximum number of games on a page.
const PAGE_MAX: i32 = 100;
const VERSION: u8 = 1;

/// A request that can be read.
struct ReadList {
    who: As,
    size: usize,
    after: Option<GameId>,
    status: Option<GameStatus>,
    label: String,
}

/// Answers a page of the games that the caller is entitled to.
pub async fn answer(call: &Call, request: ListGamesRequest) -> OrFault<ListGamesResponse> {
    let Call { ctx, caller, .. } = call;
    let list = read(ctx.folder.key(), request)?;
    // Of no game yet: whoever may not act for `who` at all learns that first.
    ctx.service.entitle(caller, list.who, GameScope::None)?;
    let found = after(ctx, caller, list.after, READ_MAX).await?;
    let (mut goes_on, mut games, mut seen) = (found.len() == READ_MAX, Vec::new(), None);
    for summary in found {
        if games.len() == list.size {
            goes_on = true;
            break;
        }
        let id = id(&summary)?;
        seen = Some(id);
        let is_wanted = ctx.service.is_entitled(caller, list.who, GameScope::Of(id))
            && list.status.is_none_or(|status| summary.status() == status)
            && (list.label.is_empty() || summary.label == list.label);
        games.extend(Some(summary).filter(|_| is_wanted));
    }
    let next = seen.filter(|_| goes_on).map(|seen| token(ctx.folder.key(), &list, seen));
    Ok(ListGamesResponse { games, next_page_token: next.unwrap_or_default() })
}

/// Returns at most `max` games by their ids, those after `after`: all of the journal, or the one of the caller's link, so that
/// the others need not be read.
pub(super) async fn after(
    ctx: &RecorderContext,
    caller: &Caller,
    after: Option<GameId>,
    max: usize,
) -> OrFault<Vec<GameSummary>> {
    let Some(link) = caller.link() else { return Ok(ctx.journal.games(after, max).await?) };
    let found = ctx.journal.game(link.game).await?;
    let is_next = after.is_none_or(|after| link.game.0 > after.0);
    Ok(found.filter(|_| is_next).into_iter().collect())
}

/// Returns the id of a game.
pub(super) fn id(summary: &GameSummary) -> OrFault<GameId> {
    summary.game_id[..].try_into().map(GameId).map_err(|_| RequestFault::Internal)
}

/// Reads the field `label` of a request for games.
pub(super) fn label(label: String) -> Read<String> {
    if is_label(&label) {
        return Ok(label);
    }
    Err(within("label")(fault("is no label that a game can have")))
}

fn read(key: &RecorderKey, request: ListGamesRequest) -> Read<ReadList> {
    let ListGamesRequest { actor, page_size, page_token, status, label } = request;
    let size = match page_size {
        0 => Ok(PAGE_DEFAULT as usize),
        1.. => Ok(page_size.min(PAGE_MAX) as usize),
        _ => Err(within("page_size")(fault(format!("{page_size}, expected at least 0")))),
    };
    let status = match GameStatus::try_from(status) {
        Ok(GameStatus::Unspecified) => Ok(None),
        Ok(status) => Ok(Some(status)),
        Err(_) => Err(within("status")(fault(format!("{status} is not a value of this enum")))),
    };
    let (who, size, (status, label)) = all((identity::read(actor), size, all((status, self::label(label)))))?;
    let mut list = ReadList { who, size, after: None, status, label };
    if !page_token.is_empty() {
        let bytes = Base64UrlUnpadded::decode_vec(&page_token).unwrap_or_default();
        let after = bytes.get(1..17).and_then(|id| id.try_into().ok()).map(GameId);
        let after = after.filter(|after| token(key, &list, *after) == page_token);
        let problem = || within("page_token")(fault("is not a token of this list"));
        list.after = Some(after.ok_or_else(problem)?);
    }
    Ok(list)
}

/// Returns the token of the page after this game.
fn token(key: &RecorderKey, list: &ReadList, after: GameId) -> String {
    let status = list.status.map_or(0, |status| status as u8);
    let place = [&[VERSION][..], &after.0].concat();
    let bound = [&place[..], &[actor_number(list.who), status], list.label.as_bytes()].concat();
    Base64UrlUnpadded::encode_string(&[&place[..], &key.page(&bound)].concat())
}
