//! Method CreateSituation: creates the game of a situation, and plays it up to there by requests whose ids follow from the
//! caller's, so that a retry goes on where the first request ended.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_messages::convert::field::{fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{
    ActRequest, CreateSituationRequest, CreateSituationResponse, CreatedGame, LogEnd, Proposal,
    TakeBackRequest, act_response, create_response,
};
use canasta_serve::OrFault;

use super::{Call, act, create, request_id, take_back};
use crate::entry::digest_of;
use crate::situations::{self, NamedSituation, ScriptStep};

/// Creates the game, and answers once it stands in the situation.
pub async fn answer(call: &Call, request: CreateSituationRequest) -> OrFault<CreateSituationResponse> {
    let id = request_id(&request.request_id)?;
    let Some(situation) = situations::all().find(|situation| situation.name == request.name) else {
        let names = situations::all().map(|situation| situation.name).collect::<Vec<_>>().join(", ");
        return Err(within("name")(fault(format!("is no situation: expected one of {names}"))).into());
    };
    let created =
        create::create(call, situation.request(id.to_vec(), request.creator), create::Purpose::Game).await?;
    let Some(create_response::Outcome::Created(created)) = created.outcome else {
        return Err(RequestFault::Internal);
    };
    let CreatedGame { game_id, host_link, .. } = created;
    let operator = Call::of_operator(Arc::clone(&call.ctx));
    let log_end = play(&operator, &situation, &game_id, &id).await?;
    Ok(CreateSituationResponse {
        game_id,
        log_end: Some(log_end),
        seat: Some(situation.seat.0.into()),
        host_link,
    })
}

/// Plays a game up to the situation. Returns the end of its log; an offer to take back comes after it.
async fn play(call: &Call, situation: &NamedSituation, game: &[u8], id: &[u8]) -> OrFault<LogEnd> {
    let mut end = LogEnd::default();
    for (number, step) in (0..).zip(&situation.steps) {
        let place = (number, end.seq);
        end = match step {
            ScriptStep::Act(proposal) => act(call, game, id, place, Proposal::clone(proposal)).await?,
            ScriptStep::Offer { by, to_seq } => {
                let request = TakeBackRequest {
                    game_id: game.into(),
                    request_id: step_id(id, number),
                    actor: Some(identity::write(As::Seat(*by))),
                    to_seq: Some(*to_seq),
                    expected_seq: Some(end.seq),
                    observers: Vec::new(),
                };
                take_back::answer(call, request).await?;
                end
            }
        };
    }
    Ok(end)
}

/// Makes the step with this number, after the action `seq`. Returns the end of the log after it.
async fn act(
    call: &Call,
    game: &[u8],
    id: &[u8],
    (number, seq): (u32, u64),
    proposal: Proposal,
) -> OrFault<LogEnd> {
    let request = ActRequest {
        game_id: game.into(),
        request_id: step_id(id, number),
        expected_seq: Some(seq),
        proposals: vec![proposal],
        ..Default::default()
    };
    let end = match act::answer(call, request).await?.outcome {
        Some(act_response::Outcome::Acted(acted)) => acted.log_end,
        Some(act_response::Outcome::Rejected(rejected)) => {
            rejected.recorded.map(|recorded| LogEnd { n: recorded.n, seq: recorded.seq, head: recorded.head })
        }
        None => None,
    };
    end.ok_or(RequestFault::Internal)
}

/// Returns the id of the request for a step.
fn step_id(id: &[u8], number: u32) -> Vec<u8> {
    digest_of::<16>(&[b"canasta-situation/1\0", id, &number.to_be_bytes()]).to_vec()
}
