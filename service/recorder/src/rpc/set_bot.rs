//! Method SetBot.

use canasta_engine::action::As;
use canasta_messages::answers::check_seat;
use canasta_messages::answers::suggest_action::read_level;
use canasta_messages::convert::field::{all, required, seat, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{SetBotRequest, SetBotResponse};
use canasta_serve::OrFault;

use super::change::{ChangeRequest, change};
use super::{Call, game_id, request_id};
use crate::entry::{RequestTag, Settings};
use crate::links;
use crate::play::work;

/// Lets a bot play a seat or gives the seat back, and answers once that is recorded.
pub async fn answer(call: &Call, request: SetBotRequest) -> OrFault<SetBotResponse> {
    let Call { ctx, caller, .. } = call;
    let SetBotRequest { game_id: game, request_id: id, actor, bot, plays } = request;
    let bot =
        required(bot).and_then(|bot| all((seat(bot.seat).map_err(within("seat")), read_level(bot.level))));
    let (game, id, actor, (bot, level)) =
        all((game_id(&game), request_id(&id), identity::read(actor), bot.map_err(within("bot"))))?;
    call.entitle(actor, game)?;
    let rights = match actor {
        As::Seat(own) if own == bot => None,
        actor => Some(ctx.host_rights(caller, game)?).filter(|rights| rights.actor == actor),
    };
    if rights.is_none() && actor != As::Seat(bot) {
        return Err(RequestFault::Denied);
    }
    let is_done = |settings: &Settings| {
        settings.bots.has(bot) == plays && (!plays || settings.bots.level(bot) == level)
    };
    let request = ChangeRequest { game, by: actor, tag: RequestTag::of(actor, &id) };
    let end = change(call, request, is_done, |settings, state, _| {
        check_seat(As::Seat(bot), state.table.set().seats).map_err(within("bot"))?;
        settings.bots.set(bot, plays.then_some(level));
        let (who, seat) = (rights.map_or("The player".into(), links::name_of_host), bot.0);
        Ok(match plays {
            true => format!("{who} lets a bot play seat {seat}."),
            false => format!("{who} gives seat {seat} to its player."),
        })
    });
    let end = end.await?;
    work::begin(ctx, game);
    Ok(SetBotResponse { log_end: Some(end) })
}
