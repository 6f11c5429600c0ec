//! The service: each method hands its request to its file in `rpc`.

use std::sync::Arc;

use canasta_engine::state::State;
use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::*;
use tokio::sync::Semaphore;
use tonic::{Request, Response, Status, Streaming};

use super::play::{Playing, Room};
use crate::bench::Bench;
use crate::connection::Traffic;
use crate::context::RequestContext;
use crate::identity::Caller;
use crate::status::Fault;
use crate::steps;

/// The service. It keeps nothing of any game, but for the states of the streams that are open.
pub struct GameHandler {
    ctx: Arc<RequestContext>,
    room: Room,
    /// The seats for searches; without them a search is made where it is asked for.
    searches: Option<Arc<Semaphore>>,
}

impl GameHandler {
    pub(crate) fn new(ctx: Arc<RequestContext>, room: Room, searches: Option<Arc<Semaphore>>) -> Self {
        Self { ctx, room, searches }
    }

    /// Answers, and measures how long that takes.
    fn answer<Q, A>(
        &self,
        method: &'static str,
        request: Request<Q>,
        answer: impl FnOnce(&RequestContext, &Caller, Q) -> Result<A, Fault>,
    ) -> Result<Response<A>, Status> {
        let (caller, request) = Caller::split(request)?;
        let metrics = &self.ctx.telemetry.metrics;
        metrics
            .measured(method, || answer(&self.ctx, &caller, request))
            .map(Response::new)
            .map_err(Status::from)
    }

    /// As [`Self::answer`], for what searches: beside the threads that answer, so that nobody else waits for it and the
    /// deadline can pass.
    async fn search<Q, A>(
        &self,
        method: &'static str,
        request: Request<Q>,
        answer: impl FnOnce(&RequestContext, &Caller, Q) -> Result<A, Fault> + Send + 'static,
    ) -> Result<Response<A>, Status>
    where
        Q: Send + 'static,
        A: Send + 'static,
    {
        let Some(seats) = &self.searches else { return self.answer(method, request, answer) };
        let (caller, request) = Caller::split(request)?;
        let ctx = Arc::clone(&self.ctx);
        let bench = Bench::new(seats, &self.ctx, method);
        Ok(Response::new(bench.work(move || answer(&ctx, &caller, request)).await??))
    }

    /// Opens the state of a request and judges what it proposes: here, unless the hands are long enough that this may
    /// take a search of some ms. A change of threads costs as much as half of an ordinary judgement.
    async fn judge<Q, A>(
        &self,
        method: &'static str,
        request: Request<Q>,
        open: fn(&RequestContext, &Caller, &Q) -> Result<State, Fault>,
        answer: fn(&RequestContext, &Caller, Q, State) -> Result<A, Fault>,
    ) -> Result<Response<A>, Status>
    where
        Q: Send + 'static,
        A: Send + 'static,
    {
        let (caller, request) = Caller::split(request)?;
        let metrics = &self.ctx.telemetry.metrics;
        let (opened, spent) = metrics.timed(|| open(&self.ctx, &caller, &request));
        let answer = match (opened, &self.searches) {
            (Ok(state), Some(seats)) if steps::has_long_hand(&state) => {
                let ctx = Arc::clone(&self.ctx);
                let bench = Bench::new(seats, &self.ctx, method);
                bench.work_after(spent, move || answer(&ctx, &caller, request, state)).await??
            }
            (opened, _) => metrics.measured_after(spent, method, || {
                opened.and_then(|state| answer(&self.ctx, &caller, request, state))
            })?,
        };
        Ok(Response::new(answer))
    }
}

#[tonic::async_trait]
impl GameService for GameHandler {
    async fn list_rule_sets(
        &self,
        _: Request<ListRuleSetsRequest>,
    ) -> Result<Response<ListRuleSetsResponse>, Status> {
        Ok(Response::new(super::list_rule_sets::answer()))
    }

    async fn get_rule_set(
        &self,
        request: Request<GetRuleSetRequest>,
    ) -> Result<Response<GetRuleSetResponse>, Status> {
        Ok(Response::new(super::get_rule_set::answer(request.into_inner())?))
    }

    async fn get_rule(&self, request: Request<GetRuleRequest>) -> Result<Response<GetRuleResponse>, Status> {
        Ok(Response::new(super::get_rule::answer(request.into_inner())?))
    }

    async fn create_game(
        &self,
        request: Request<CreateGameRequest>,
    ) -> Result<Response<CreateGameResponse>, Status> {
        self.answer("CreateGame", request, super::create_game::answer)
    }

    async fn apply_action(
        &self,
        request: Request<ApplyActionRequest>,
    ) -> Result<Response<ApplyActionResponse>, Status> {
        self.judge("ApplyAction", request, super::apply_action::open, super::apply_action::answer).await
    }

    async fn apply_actions(
        &self,
        request: Request<ApplyActionsRequest>,
    ) -> Result<Response<ApplyActionsResponse>, Status> {
        self.judge("ApplyActions", request, super::apply_actions::open, super::apply_actions::answer).await
    }

    type PlayStream = Playing;

    async fn play(&self, request: Request<Streaming<PlayRequest>>) -> Result<Response<Playing>, Status> {
        let traffic = request.extensions().get::<Traffic>().cloned();
        let (caller, requests) = Caller::split(request)?;
        Ok(Response::new(self.room.open(&self.ctx, &self.searches, caller, requests, traffic)?))
    }

    async fn check_action(
        &self,
        request: Request<CheckActionRequest>,
    ) -> Result<Response<CheckActionResponse>, Status> {
        self.judge("CheckAction", request, super::check_action::open, super::check_action::answer).await
    }

    async fn list_legal_actions(
        &self,
        request: Request<ListLegalActionsRequest>,
    ) -> Result<Response<ListLegalActionsResponse>, Status> {
        self.search("ListLegalActions", request, super::list_legal_actions::answer).await
    }

    async fn get_view(&self, request: Request<GetViewRequest>) -> Result<Response<GetViewResponse>, Status> {
        self.answer("GetView", request, super::get_view::answer)
    }

    async fn suggest_action(
        &self,
        request: Request<SuggestActionRequest>,
    ) -> Result<Response<SuggestActionResponse>, Status> {
        self.search("SuggestAction", request, super::suggest_action::answer).await
    }
}
