//! RecordService: each method hands its request to its file in `rpc`, and notes in the caller's trail what it is about.

use std::future::Future;
use std::sync::Arc;

use canasta_proto::v1::record_service_server::RecordService;
use canasta_proto::v1::*;
use canasta_serve::account::CallerAccount;
use canasta_serve::authenticator::Credentials;
use canasta_serve::identity::Caller;
use canasta_serve::telemetry::trail::{CallTrail, Trail};
use canasta_serve::{OrFault, RpcResult};
use tonic::{Request, Response};

use crate::context::RecorderContext;
use crate::rpc::get_log::LogPieces;
use crate::rpc::watch::Messages;
use crate::rpc::watch_games::GamesMessages;
use crate::rpc::{
    Call, act, change_room, check, check_take_back, create, create_room, create_situation, decline_offer,
    describe, end_game, get_game, get_log, get_options, get_verdict, invite, list_actions, list_games,
    open_room, revoke, set_bot, suggest, take_back, watch, watch_games,
};

/// The handler of RecordService. It keeps nothing: every game is in the journal.
pub struct RecordHandler(Arc<RecorderContext>);

/// Checks the caller's link, and waits for an answer, as [`told`] does.
fn answered<A>(
    call: &(Call, Trail),
    answer: impl Future<Output = OrFault<A>> + Send,
) -> impl Future<Output = RpcResult<A>> + Send {
    told(call, answer, |_, _| {})
}

/// Checks the caller's link, waits for an answer, and notes the verdict. Nothing is read for the answer before. The making
/// of the answer is put into a box at once, for a future that is moved into another has its room in both.
fn told<A>(
    (call, trail): &(Call, Trail),
    answer: impl Future<Output = OrFault<A>> + Send,
    verdict: impl Fn(&CallTrail, &A) + Send,
) -> impl Future<Output = RpcResult<A>> + Send {
    let answer = Box::pin(answer);
    async move {
        call.ctx.check_link(&call.caller).await?;
        let answer = answer.await?;
        if let Some(trail) = trail.get() {
            verdict(trail, &answer);
        }
        Ok(Response::new(answer))
    }
}

impl RecordHandler {
    pub fn new(ctx: Arc<RecorderContext>) -> Self {
        Self(ctx)
    }

    /// Splits a request, and notes in the trail what it is about.
    fn call<Q>(&self, request: Request<Q>, note: impl Fn(&CallTrail, &Q)) -> OrFault<((Call, Trail), Q)> {
        let (ctx, account, trail) = (Arc::clone(&self.0), CallerAccount::of(&request), Trail::of(&request));
        let credentials = request.extensions().get::<Credentials>().cloned();
        let (caller, request) = Caller::split(request)?;
        if let Some(trail) = trail.get() {
            note(trail, &request);
        }
        Ok(((Call { ctx, account, caller, credentials }, trail), request))
    }

    /// Splits a request about one game on behalf of one actor, which `named` finds in it, and notes both in the trail.
    fn about<Q>(
        &self,
        request: Request<Q>,
        named: impl Fn(&Q) -> (&[u8], Option<Actor>),
    ) -> OrFault<((Call, Trail), Q)> {
        self.call(request, |trail, request| {
            let (game, actor) = named(request);
            trail.about_id(game);
            trail.acts_for_field(actor);
        })
    }
}

#[tonic::async_trait]
impl RecordService for RecordHandler {
    async fn create(&self, request: Request<CreateRequest>) -> RpcResult<CreateResponse> {
        let (call, request) = self.call(request, |trail, request| trail.shows_to(&request.observers))?;
        let verdict = |trail: &CallTrail, answer: &CreateResponse| match &answer.outcome {
            Some(create_response::Outcome::Created(created)) => {
                trail.about_id(&created.game_id);
                trail.ends("created");
            }
            Some(create_response::Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        };
        told(&call, create::answer(&call.0, request), verdict).await
    }

    async fn create_situation(
        &self,
        request: Request<CreateSituationRequest>,
    ) -> RpcResult<CreateSituationResponse> {
        let (call, request) = self.call(request, |_, _| {})?;
        let verdict = |trail: &CallTrail, answer: &CreateSituationResponse| trail.about_id(&answer.game_id);
        told(&call, create_situation::answer(&call.0, request), verdict).await
    }

    async fn create_room(&self, request: Request<CreateRoomRequest>) -> RpcResult<CreateRoomResponse> {
        let (call, request) = self.call(request, |_, _| {})?;
        answered(&call, create_room::answer(&call.0, request)).await
    }

    async fn open_room(&self, request: Request<OpenRoomRequest>) -> RpcResult<OpenRoomResponse> {
        let (call, request) = self.call(request, |_, _| {})?;
        answered(&call, open_room::answer(&call.0, request)).await
    }

    async fn change_room(&self, request: Request<ChangeRoomRequest>) -> RpcResult<ChangeRoomResponse> {
        let (call, request) = self.about(request, |request| (&request.room_id, request.actor))?;
        answered(&call, change_room::answer(&call.0, request)).await
    }

    async fn decline_offer(&self, request: Request<DeclineOfferRequest>) -> RpcResult<DeclineOfferResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, decline_offer::answer(&call.0, request)).await
    }

    async fn end_game(&self, request: Request<EndGameRequest>) -> RpcResult<EndGameResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, end_game::answer(&call.0, request)).await
    }

    async fn act(&self, request: Request<ActRequest>) -> RpcResult<ActResponse> {
        let (call, request) = self.call(request, |trail, request| {
            trail.about_id(&request.game_id);
            request.proposals.iter().for_each(|proposal| trail.acts_for_field(proposal.actor));
            trail.shows_to(&request.observers);
        })?;
        let count = request.proposals.len();
        let verdict = |trail: &CallTrail, answer: &ActResponse| match &answer.outcome {
            Some(act_response::Outcome::Acted(acted)) if acted.repeated_request => trail.ends("repeated"),
            Some(act_response::Outcome::Acted(_)) => trail.ends(format!("{count} recorded")),
            Some(act_response::Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        };
        told(&call, act::answer(&call.0, request), verdict).await
    }

    async fn get_game(&self, request: Request<GetGameRequest>) -> RpcResult<GetGameResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, get_game::answer(&call.0, request)).await
    }

    async fn check(&self, request: Request<CheckRequest>) -> RpcResult<CheckResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, check::answer(&call.0, request)).await
    }

    async fn list_actions(&self, request: Request<ListActionsRequest>) -> RpcResult<ListActionsResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, list_actions::answer(&call.0, request)).await
    }

    async fn get_options(&self, request: Request<GetOptionsRequest>) -> RpcResult<GetOptionsResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, get_options::answer(&call.0, request)).await
    }

    async fn suggest(&self, request: Request<SuggestRequest>) -> RpcResult<SuggestResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, suggest::answer(&call.0, request)).await
    }

    async fn check_take_back(
        &self,
        request: Request<CheckTakeBackRequest>,
    ) -> RpcResult<CheckTakeBackResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, check_take_back::answer(&call.0, request)).await
    }

    type GetLogStream = LogPieces;

    async fn get_log(&self, request: Request<GetLogRequest>) -> RpcResult<LogPieces> {
        let end = self.0.streams.take_for(&request)?;
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, get_log::answer(&call.0, request, end)).await
    }

    type WatchStream = Messages;

    async fn watch(&self, request: Request<WatchRequest>) -> RpcResult<Messages> {
        let end = self.0.streams.take_for(&request)?;
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, watch::answer(&call.0, request, end)).await
    }

    async fn describe(&self, request: Request<DescribeRequest>) -> RpcResult<DescribeResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, describe::answer(&call.0, request)).await
    }

    async fn invite(&self, request: Request<InviteRequest>) -> RpcResult<InviteResponse> {
        let (call, request) = self.call(request, |trail, request| trail.about_id(&request.game_id))?;
        answered(&call, invite::answer(&call.0, request)).await
    }

    async fn revoke(&self, request: Request<RevokeRequest>) -> RpcResult<RevokeResponse> {
        let (call, request) = self.call(request, |trail, request| trail.about_id(&request.game_id))?;
        answered(&call, revoke::answer(&call.0, request)).await
    }

    async fn set_bot(&self, request: Request<SetBotRequest>) -> RpcResult<SetBotResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        answered(&call, set_bot::answer(&call.0, request)).await
    }

    async fn take_back(&self, request: Request<TakeBackRequest>) -> RpcResult<TakeBackResponse> {
        let (call, request) = self.call(request, |trail, request| {
            trail.about_id(&request.game_id);
            trail.acts_for_field(request.actor);
            trail.shows_to(&request.observers);
        })?;
        let verdict = |trail: &CallTrail, answer: &TakeBackResponse| match &answer.outcome {
            Some(take_back_response::Outcome::TakenBack(_)) => trail.ends("taken back"),
            Some(take_back_response::Outcome::Offered(_)) => trail.ends("offered"),
            Some(take_back_response::Outcome::Refused(_)) => trail.ends("refused"),
            None => {}
        };
        told(&call, take_back::answer(&call.0, request), verdict).await
    }

    async fn list_games(&self, request: Request<ListGamesRequest>) -> RpcResult<ListGamesResponse> {
        let (call, request) = self.call(request, |trail, request| trail.acts_for_field(request.actor))?;
        answered(&call, list_games::answer(&call.0, request)).await
    }

    async fn get_verdict(&self, request: Request<GetVerdictRequest>) -> RpcResult<GetVerdictResponse> {
        let (call, request) = self.about(request, |request| (&request.game_id, request.actor))?;
        let verdict = |trail: &CallTrail, answer: &GetVerdictResponse| {
            let is_pending = matches!(answer.outcome, Some(get_verdict_response::Outcome::Pending(_)));
            trail.ends(if is_pending { "pending" } else { "verdict" });
        };
        told(&call, get_verdict::answer(&call.0, request), verdict).await
    }
    type WatchGamesStream = GamesMessages;

    async fn watch_games(&self, request: Request<WatchGamesRequest>) -> RpcResult<GamesMessages> {
        let end = self.0.streams.take_for(&request)?;
        let (call, request) = self.call(request, |trail, request| trail.acts_for_field(request.actor))?;
        answered(&call, watch_games::answer(&call.0, request, end)).await
    }
}
