//! Method EndGame. A game ends before its time by a ruling that exists: a side that resigns, or is behind when all agree to
//! stop, forfeits it. Until everybody who must agree does, the request is a recorded offer.

use std::sync::Arc;

use canasta_engine::action::{As, Effect, EffectKind};
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_engine::seat::Side;
use canasta_engine::table::Phase;
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal};
use canasta_messages::convert::field::{Read, all, fault, within};
use canasta_messages::convert::score;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::end_game_response::Outcome;
use canasta_proto::v1::{EndGameRequest, EndGameResponse, EndWay, act_response};
use canasta_serve::OrFault;
use canasta_serve::identity::Caller;

use super::{Call, act, decline_offer, game_id, request_id};
use crate::entry::{EntryKind, JournalEntry, Offer, Offered, RequestTag, Settings, log_end};
use crate::play::judge::Proposals;
use crate::play::{offer, ruling};

/// The house's own rules of games that end before their time.
const AGREED: &str = "house:agreed";
const RESIGNED: &str = "house:resigned";

/// Ends the game, or offers to; answers once that is recorded.
pub async fn answer(call: &Call, request: EndGameRequest) -> OrFault<EndGameResponse> {
    let ctx = &call.ctx;
    let (game, id, (who, what)) = all((
        game_id(&request.game_id),
        request_id(&request.request_id),
        all((decline_offer::seat(request.actor), read_way(request.way).map_err(within("way")))),
    ))?;
    call.entitle(who, game)?;
    let As::Seat(seat) = who else { return Err(RequestFault::Internal) };
    let tag = RequestTag::of(who, &id);
    loop {
        let last = ctx.last(game).await?;
        ctx.check_link_at(&call.caller, &last.entry).await?;
        let settings = ctx.settings(game, &last.entry).await?;
        if !settings.is_room || settings.room.is_some() {
            return Err(RequestFault::Denied);
        }
        if let Some(repeated) = ctx.repeated(game, &last, tag, None).await? {
            return recorded(call, game, &repeated.entry.entry, &settings).await;
        }
        let state = ctx.open(game, &last.entry).await?;
        if state.table.phase() == Phase::GameOver {
            return recorded(call, game, &last.entry, &settings).await;
        }
        let offer = offer::joined(ctx.offer(game, &last.entry).await?, what, seat, &state);
        let (kind, list) = match offer::missing(offer, &settings, &state).is_empty() {
            true => (EntryKind::Acted, vec![ruling_of(offer, &state)]),
            false => (EntryKind::Offer(offer), vec![offer::note(seat, offer)]),
        };
        let now = (Arc::clone(&settings), ctx.moment(&last.entry));
        let proposals = Proposals::new(tag, kind, who, list, now);
        // The caller's own rights were checked; the ruling is the recorder's.
        let judged = act::run(call, &Caller::Trusted, (last.entry.clone(), state), proposals).await?;
        let entry = match (judged.answer, judged.entry) {
            (act_response::Outcome::Acted(_), Some(entry)) => entry,
            (act_response::Outcome::Rejected(rejected), _) => {
                let outcome = Some(Outcome::Rejected(rejected));
                return Ok(EndGameResponse { log_end: Some(log_end(&last.entry)), outcome });
            }
            _ => return Err(RequestFault::Internal),
        };
        if ctx.record(Some(&call.account), game, &last, &entry).await? {
            return recorded(call, game, &entry.1, &settings).await;
        }
    }
}

fn read_way(number: i32) -> Read<Offered> {
    match EndWay::try_from(number) {
        Ok(EndWay::Agreed) => Ok(Offered::Stop),
        Ok(EndWay::Resigned) => Ok(Offered::Resign),
        _ => Err(fault("expected END_WAY_AGREED or END_WAY_RESIGNED")),
    }
}

/// Returns the answer after an entry.
async fn recorded(
    call: &Call,
    game: GameId,
    entry: &JournalEntry,
    settings: &Settings,
) -> OrFault<EndGameResponse> {
    let state = call.ctx.open(game, entry).await?;
    let outcome = match &entry.kind {
        _ if entry.game_over => Some(Outcome::Ended(score::standing(&state.table))),
        EntryKind::Offer(offer) => offer::write_end(*offer, settings, &state).map(Outcome::Offered),
        _ => None,
    };
    Ok(EndGameResponse { log_end: Some(log_end(entry)), outcome })
}

fn ruling_of(offer: Offer, game: &Game) -> ReadProposal {
    let (rule, reason, lost) = match offer.what {
        Offered::Resign => (RESIGNED, "the side resigns", game.table.side_of(offer.by)),
        _ => (AGREED, "all sides agree to stop", behind(offer, game)),
    };
    let effect = Effect { side: Some(lost), ..Effect::of(EffectKind::Forfeit) };
    ReadProposal::of(As::Director, ProposedRecord::Action(ruling(rule, None, lost, effect, reason)))
}

/// Returns the side that has the least after the finished rounds; the one that offered, if all have the same.
fn behind(offer: Offer, game: &Game) -> Side {
    let table = &game.table;
    let score = |seat| table.scores().get(table.unit_of(seat).index()).copied();
    let total = |side: Side| table.seats_of(side).filter_map(score).max();
    let by = table.side_of(offer.by);
    let others = (0..table.set().side_count).map(Side).filter(|side| total(*side) < total(by));
    others.min_by_key(|side| total(*side)).unwrap_or(by)
}
