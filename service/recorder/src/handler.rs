//! RecordService: each method hands its request to its file in `rpc`, and notes in the caller's trail what it is about.

use std::future::Future;
use std::sync::Arc;

use canasta_proto::v1::record_service_server::RecordService;
use canasta_proto::v1::*;
use canasta_service::identity::Caller;
use canasta_service::parts::{CallTrail, CallerAccount, Credentials, Trail};
use canasta_service::status::RequestFault;
use tonic::{Request, Response, Status};

use crate::context::RecorderContext;
use crate::rpc::get_log::LogPieces;
use crate::rpc::watch::Messages;
use crate::rpc::{
    act, create, describe, get_log, get_verdict, get_view, invite, list_games, query, revoke, set_bot,
    take_back, watch,
};

/// The handler of RecordService. It keeps nothing: every game is in the journal.
pub struct RecordHandler(Arc<RecorderContext>);

/// A call without its request.
struct Call {
    account: CallerAccount,
    trail: Trail,
    credentials: Option<Credentials>,
    caller: Caller,
}

impl Call {
    /// Splits a request, and notes in the trail what it is about.
    fn of<Q>(request: Request<Q>, note: impl Fn(&CallTrail, &Q)) -> Result<(Self, Q), RequestFault> {
        let (account, trail) = (CallerAccount::of(&request), Trail::of(&request));
        let credentials = request.extensions().get::<Credentials>().cloned();
        let (caller, request) = Caller::split(request)?;
        if let Some(trail) = trail.get() {
            note(trail, &request);
        }
        Ok((Self { account, trail, credentials, caller }, request))
    }

    /// Splits a request about one game on behalf of one actor, which `named` finds in it, and notes both in the trail.
    fn about<Q>(
        request: Request<Q>,
        named: impl Fn(&Q) -> (&[u8], Option<Actor>),
    ) -> Result<(Self, Q), RequestFault> {
        Self::of(request, |trail, request| {
            let (game, actor) = named(request);
            trail.about_id(game);
            trail.acts_for_field(actor);
        })
    }

    /// Checks the caller's link, and waits for an answer, as [`Call::told`] does.
    fn answered<A>(
        &self,
        ctx: &RecorderContext,
        answer: impl Future<Output = Result<A, RequestFault>> + Send,
    ) -> impl Future<Output = Result<Response<A>, Status>> + Send {
        self.told(ctx, answer, |_, _| {})
    }

    /// Checks the caller's link, waits for an answer, and notes the verdict. Nothing is read for the answer before. The
    /// making of the answer is put into a box at once, for a future that is moved into another has its room in both.
    fn told<A>(
        &self,
        ctx: &RecorderContext,
        answer: impl Future<Output = Result<A, RequestFault>> + Send,
        verdict: impl Fn(&CallTrail, &A) + Send,
    ) -> impl Future<Output = Result<Response<A>, Status>> + Send {
        let answer = Box::pin(answer);
        async move {
            ctx.check_link(&self.caller).await?;
            let answer = answer.await?;
            if let Some(trail) = self.trail.get() {
                verdict(trail, &answer);
            }
            Ok(Response::new(answer))
        }
    }
}

impl RecordHandler {
    /// Returns the handler.
    pub fn new(ctx: Arc<RecorderContext>) -> Self {
        Self(ctx)
    }
}

#[tonic::async_trait]
impl RecordService for RecordHandler {
    async fn create(&self, request: Request<CreateRequest>) -> Result<Response<CreateResponse>, Status> {
        let (call, request) = Call::of(request, |trail, request| trail.shows_to(&request.observers))?;
        let verdict = |trail: &CallTrail, answer: &CreateResponse| match &answer.outcome {
            Some(create_response::Outcome::Created(created)) => {
                trail.about_id(&created.game_id);
                trail.ends("created");
            }
            Some(create_response::Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        };
        call.told(&self.0, create::answer(&self.0, &call.account, &call.caller, request), verdict).await
    }

    async fn act(&self, request: Request<ActRequest>) -> Result<Response<ActResponse>, Status> {
        let (call, request) = Call::of(request, |trail, request| {
            trail.about_id(&request.game_id);
            request.apply.iter().for_each(|apply| trail.acts_for_field(apply.actor));
            trail.shows_to(&request.observers);
        })?;
        let verdict = |trail: &CallTrail, answer: &ActResponse| match &answer.outcome {
            Some(act_response::Outcome::Acted(acted)) if acted.repeated_request => trail.ends("repeated"),
            Some(act_response::Outcome::Acted(acted)) => {
                trail.ends(format!("{} recorded", acted.results.len()));
            }
            Some(act_response::Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        };
        call.told(&self.0, act::answer(&self.0, &call.account, &call.caller, request), verdict).await
    }

    async fn get_view(
        &self,
        request: Request<RecordServiceGetViewRequest>,
    ) -> Result<Response<RecordServiceGetViewResponse>, Status> {
        let (call, request) = Call::about(request, |request| (&request.game_id, request.actor))?;
        call.answered(&self.0, get_view::answer(&self.0, &call.caller, request)).await
    }

    async fn query(&self, request: Request<QueryRequest>) -> Result<Response<QueryResponse>, Status> {
        let (call, request) = Call::about(request, |request| (&request.game_id, query::actor(request)))?;
        call.answered(&self.0, query::answer(&self.0, &call.account, &call.caller, request)).await
    }

    type GetLogStream = LogPieces;

    async fn get_log(&self, request: Request<GetLogRequest>) -> Result<Response<LogPieces>, Status> {
        let end = self.0.streams.take_for(&request)?;
        let (call, request) = Call::about(request, |request| (&request.game_id, request.actor))?;
        let Call { credentials, caller, .. } = &call;
        let (ctx, credentials, caller) = (Arc::clone(&self.0), credentials.clone(), caller.clone());
        let pieces = get_log::answer(ctx, &call.account, credentials, caller, request, end);
        call.answered(&self.0, pieces).await
    }

    type WatchStream = Messages;

    async fn watch(&self, request: Request<WatchRequest>) -> Result<Response<Messages>, Status> {
        let end = self.0.streams.take_for(&request)?;
        let (call, request) = Call::about(request, |request| (&request.game_id, request.actor))?;
        let Call { credentials, caller, .. } = &call;
        let messages = watch::answer(Arc::clone(&self.0), credentials.clone(), caller.clone(), request, end);
        call.answered(&self.0, messages).await
    }

    async fn describe(
        &self,
        request: Request<DescribeRequest>,
    ) -> Result<Response<DescribeResponse>, Status> {
        let (call, request) = Call::about(request, |request| (&request.game_id, request.actor))?;
        call.answered(&self.0, describe::answer(&self.0, &call.account, &call.caller, request)).await
    }

    async fn invite(&self, request: Request<InviteRequest>) -> Result<Response<InviteResponse>, Status> {
        let (call, request) = Call::of(request, |trail, request| trail.about_id(&request.game_id))?;
        call.answered(&self.0, invite::answer(&self.0, &call.account, &call.caller, request)).await
    }

    async fn revoke(&self, request: Request<RevokeRequest>) -> Result<Response<RevokeResponse>, Status> {
        let (call, request) = Call::of(request, |trail, request| trail.about_id(&request.game_id))?;
        call.answered(&self.0, revoke::answer(&self.0, &call.account, &call.caller, request)).await
    }

    async fn set_bot(&self, request: Request<SetBotRequest>) -> Result<Response<SetBotResponse>, Status> {
        let (call, request) = Call::about(request, |request| (&request.game_id, request.actor))?;
        call.answered(&self.0, set_bot::answer(&self.0, &call.account, &call.caller, request)).await
    }

    async fn take_back(
        &self,
        request: Request<TakeBackRequest>,
    ) -> Result<Response<TakeBackResponse>, Status> {
        let (call, request) = Call::of(request, |trail, request| {
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
        call.told(&self.0, take_back::answer(&self.0, &call.account, &call.caller, request), verdict).await
    }

    async fn list_games(
        &self,
        request: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        let (call, request) = Call::of(request, |trail, request| trail.acts_for_field(request.actor))?;
        call.answered(&self.0, list_games::answer(&self.0, &call.caller, request)).await
    }

    async fn get_verdict(
        &self,
        request: Request<GetVerdictRequest>,
    ) -> Result<Response<GetVerdictResponse>, Status> {
        let (call, request) = Call::about(request, |request| (&request.game_id, request.actor))?;
        let verdict = |trail: &CallTrail, answer: &GetVerdictResponse| {
            let is_pending = matches!(answer.outcome, Some(get_verdict_response::Outcome::Pending(_)));
            trail.ends(if is_pending { "pending" } else { "verdict" });
        };
        call.told(&self.0, get_verdict::answer(&self.0, &call.caller, request), verdict).await
    }
}
