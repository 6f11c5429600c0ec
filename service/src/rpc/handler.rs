//! GameService: each method hands its request to its answer in `canasta-messages`.

use std::sync::Arc;

use canasta_engine::game::{Game, frame_count};
use canasta_messages::answers::{
    apply_action, apply_actions, check_action, create_game, explain_rule_set, get_catalogue, get_rule,
    get_rule_set, get_view, list_knobs, list_legal_actions, list_rule_sets, options, preview_take_back,
    suggest_action,
};
use canasta_messages::host::Host;
use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::*;
use canasta_serve::account::CallerAccount;
use canasta_serve::identity::Caller;
use canasta_serve::limits::{CATALOGUE_BYTES, QUESTION_BYTES, batch_bytes};
use canasta_serve::telemetry::method::Method;
use canasta_serve::telemetry::trail::Trail;
use canasta_serve::workers::WorkerPool;
use canasta_serve::{OrFault, RpcResult};
use tonic::{Request, Response, Status, Streaming};

use super::get_server_info;
use super::play::{PlayAnswers, PlayStreams};
use super::trail::LeavesTrail;
use crate::context::RequestContext;
use crate::steps;

/// The handler of GameService. It keeps nothing of any game, except the states of open Play streams.
pub struct GameHandler {
    ctx: Arc<RequestContext>,
    streams: PlayStreams,
    /// The threads for searches; `None`: each search runs on the thread of its request.
    searches: Option<WorkerPool>,
}

impl GameHandler {
    pub(crate) fn new(ctx: Arc<RequestContext>, streams: PlayStreams, searches: Option<WorkerPool>) -> Self {
        Self { ctx, streams, searches }
    }

    /// Answers a request on this thread and measures the time of the answer.
    fn answer<Q: LeavesTrail, A: LeavesTrail>(
        &self,
        method: Method,
        request: Request<Q>,
        answer: impl FnOnce(&dyn Host, Q) -> OrFault<A>,
    ) -> RpcResult<A> {
        let trail = Trail::of(&request);
        let (caller, request) = Caller::split(request)?;
        request.leave_in(&trail);
        let metrics = &self.ctx.telemetry.metrics;
        metrics
            .measured(method, || answer(&self.ctx.asked_by(&caller), request))
            .inspect(|answer| answer.leave_in(&trail))
            .map(Response::new)
            .map_err(Status::from)
    }

    /// Answers a request that needs a search, on a thread for searches: no other request waits for the
    /// search, and the deadline can pass meanwhile.
    async fn search<Q, A>(
        &self,
        method: Method,
        request: Request<Q>,
        answer: impl FnOnce(&dyn Host, Q) -> OrFault<A> + Send + 'static,
    ) -> RpcResult<A>
    where
        Q: LeavesTrail + Send + 'static,
        A: LeavesTrail + Send + 'static,
    {
        let Some(searches) = &self.searches else { return self.answer(method, request, answer) };
        let (account, trail) = (CallerAccount::of(&request), Trail::of(&request));
        account.expect_answer(QUESTION_BYTES).await?;
        let searches = searches.of(account.key());
        let (caller, request) = Caller::split(request)?;
        request.leave_in(&trail);
        let ctx = Arc::clone(&self.ctx);
        Ok(Response::new(searches.run(method, move || answer(&ctx.asked_by(&caller), request)).await??))
    }

    /// Opens the state of a request and judges the proposed actions: on this thread, unless a hand is so long
    /// that the judgement may need a search of some ms. A change of threads costs half of an ordinary
    /// judgement. `counts` counts the proposed actions, and the observers of each.
    async fn judge<Q, A>(
        &self,
        method: Method,
        request: Request<Q>,
        counts: fn(&Q) -> (usize, usize),
        open: fn(&dyn Host, &Q) -> OrFault<Box<Game>>,
        answer: fn(&dyn Host, Q, Box<Game>) -> OrFault<A>,
    ) -> RpcResult<A>
    where
        Q: LeavesTrail + Send + 'static,
        A: LeavesTrail + Send + 'static,
    {
        let (account, trail) = (CallerAccount::of(&request), Trail::of(&request));
        let (caller, request) = Caller::split(request)?;
        request.leave_in(&trail);
        let (actions, observers) = counts(&request);
        // The layers have charged for one.
        account.charge(actions.saturating_sub(1) as u32);
        account.expect_answer(batch_bytes(actions, observers)).await?;
        let metrics = &self.ctx.telemetry.metrics;
        let (opened, spent) = metrics.timed(|| open(&self.ctx.asked_by(&caller), &request));
        let answer = match (opened, &self.searches) {
            (Ok(state), Some(searches)) if steps::may_take_long(&state.table, actions, observers) => {
                let ctx = Arc::clone(&self.ctx);
                let judge = move || answer(&ctx.asked_by(&caller), request, state);
                searches.of(account.key()).run_after(spent, method, judge).await??
            }
            (opened, _) => metrics.measured_after(spent, method, || {
                opened.and_then(|state| answer(&self.ctx.asked_by(&caller), request, state))
            })?,
        };
        answer.leave_in(&trail);
        Ok(Response::new(answer))
    }
}

#[tonic::async_trait]
impl GameService for GameHandler {
    async fn get_server_info(&self, _: Request<GetServerInfoRequest>) -> RpcResult<GetServerInfoResponse> {
        Ok(Response::new(get_server_info::answer(&self.ctx)))
    }

    async fn list_rule_sets(&self, request: Request<ListRuleSetsRequest>) -> RpcResult<ListRuleSetsResponse> {
        Ok(Response::new(list_rule_sets::answer(request.get_ref())?))
    }

    async fn get_rule_set(&self, request: Request<GetRuleSetRequest>) -> RpcResult<GetRuleSetResponse> {
        Ok(Response::new(get_rule_set::answer(request.into_inner())?))
    }

    async fn explain_rule_set(
        &self,
        request: Request<ExplainRuleSetRequest>,
    ) -> RpcResult<ExplainRuleSetResponse> {
        Ok(Response::new(explain_rule_set::answer(request.into_inner())?))
    }

    async fn get_rule(&self, request: Request<GetRuleRequest>) -> RpcResult<GetRuleResponse> {
        Ok(Response::new(get_rule::answer(request.into_inner())?))
    }

    async fn get_catalogue(&self, request: Request<GetCatalogueRequest>) -> RpcResult<GetCatalogueResponse> {
        CallerAccount::of(&request).expect_answer(CATALOGUE_BYTES).await?;
        Ok(Response::new(get_catalogue::answer(request.into_inner())?))
    }

    async fn list_knobs(&self, request: Request<ListKnobsRequest>) -> RpcResult<ListKnobsResponse> {
        CallerAccount::of(&request).expect_answer(CATALOGUE_BYTES).await?;
        Ok(Response::new(list_knobs::answer(request.into_inner())?))
    }

    async fn create_game(&self, request: Request<CreateGameRequest>) -> RpcResult<CreateGameResponse> {
        self.answer(const { Method::named("CreateGame") }, request, create_game::answer)
    }

    async fn apply_action(&self, request: Request<ApplyActionRequest>) -> RpcResult<ApplyActionResponse> {
        let counts = |request: &ApplyActionRequest| (1, request.observers.len());
        self.judge(
            const { Method::named("ApplyAction") },
            request,
            counts,
            apply_action::open,
            apply_action::answer,
        )
        .await
    }

    async fn apply_actions(&self, request: Request<ApplyActionsRequest>) -> RpcResult<ApplyActionsResponse> {
        let counts = |request: &ApplyActionsRequest| (request.actions.len(), request.observers.len());
        self.judge(
            const { Method::named("ApplyActions") },
            request,
            counts,
            apply_actions::open,
            apply_actions::answer,
        )
        .await
    }

    type PlayStream = PlayAnswers;

    async fn play(&self, request: Request<Streaming<PlayRequest>>) -> RpcResult<PlayAnswers> {
        Ok(Response::new(self.streams.open(&self.ctx, self.searches.as_ref(), request)?))
    }

    async fn check_action(&self, request: Request<CheckActionRequest>) -> RpcResult<CheckActionResponse> {
        self.judge(
            const { Method::named("CheckAction") },
            request,
            |_| (1, 0),
            check_action::open,
            check_action::answer,
        )
        .await
    }

    async fn list_legal_actions(
        &self,
        request: Request<ListLegalActionsRequest>,
    ) -> RpcResult<ListLegalActionsResponse> {
        self.search(const { Method::named("ListLegalActions") }, request, list_legal_actions::answer).await
    }

    async fn options(&self, request: Request<OptionsRequest>) -> RpcResult<OptionsResponse> {
        self.search(const { Method::named("Options") }, request, options::answer).await
    }

    async fn preview_take_back(
        &self,
        request: Request<PreviewTakeBackRequest>,
    ) -> RpcResult<PreviewTakeBackResponse> {
        // The layers have charged for one action; each frame may hold one to execute.
        let frames = frame_count(&request.get_ref().frames).saturating_sub(1);
        CallerAccount::of(&request).charge(frames as u32);
        self.search(const { Method::named("PreviewTakeBack") }, request, preview_take_back::answer).await
    }

    async fn get_view(&self, request: Request<GetViewRequest>) -> RpcResult<GetViewResponse> {
        self.answer(const { Method::named("GetView") }, request, get_view::answer)
    }

    async fn suggest_action(
        &self,
        request: Request<SuggestActionRequest>,
    ) -> RpcResult<SuggestActionResponse> {
        self.search(const { Method::named("SuggestAction") }, request, suggest_action::answer).await
    }
}
