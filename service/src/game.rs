//! The service: each method hands its request to its file in `rpc`.

use std::sync::Arc;

use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::*;
use tonic::{Request, Response, Status, Streaming};

use crate::connection::Traffic;
use crate::desk::Desk;
use crate::identity::Caller;
use crate::rpc;
use crate::rpc::play::{Playing, Room};
use crate::status::Fault;

/// The service. It keeps nothing of any game, but for the states of the streams that are open.
pub struct Game {
    desk: Arc<Desk>,
    room: Room,
}

impl Game {
    pub(crate) fn new(desk: Arc<Desk>, room: Room) -> Self {
        Self { desk, room }
    }

    /// Answers, and measures how long that takes.
    fn answer<Q, A>(
        &self,
        method: &'static str,
        request: Request<Q>,
        answer: impl FnOnce(&Desk, &Caller, Q) -> Result<A, Fault>,
    ) -> Result<Response<A>, Status> {
        let (caller, request) = Caller::split(request)?;
        let metrics = &self.desk.telemetry.metrics;
        metrics
            .measured(method, || answer(&self.desk, &caller, request))
            .map(Response::new)
            .map_err(Status::from)
    }
}

#[tonic::async_trait]
impl GameService for Game {
    async fn list_rule_sets(
        &self,
        _: Request<ListRuleSetsRequest>,
    ) -> Result<Response<ListRuleSetsResponse>, Status> {
        Ok(Response::new(rpc::list_rule_sets::answer()))
    }

    async fn get_rule_set(
        &self,
        request: Request<GetRuleSetRequest>,
    ) -> Result<Response<GetRuleSetResponse>, Status> {
        Ok(Response::new(rpc::get_rule_set::answer(request.into_inner())?))
    }

    async fn get_rule(&self, request: Request<GetRuleRequest>) -> Result<Response<GetRuleResponse>, Status> {
        Ok(Response::new(rpc::get_rule::answer(request.into_inner())?))
    }

    async fn create_game(
        &self,
        request: Request<CreateGameRequest>,
    ) -> Result<Response<CreateGameResponse>, Status> {
        self.answer("CreateGame", request, rpc::create_game::answer)
    }

    async fn apply_action(
        &self,
        request: Request<ApplyActionRequest>,
    ) -> Result<Response<ApplyActionResponse>, Status> {
        self.answer("ApplyAction", request, rpc::apply_action::answer)
    }

    async fn apply_actions(
        &self,
        request: Request<ApplyActionsRequest>,
    ) -> Result<Response<ApplyActionsResponse>, Status> {
        self.answer("ApplyActions", request, rpc::apply_actions::answer)
    }

    type PlayStream = Playing;

    async fn play(&self, request: Request<Streaming<PlayRequest>>) -> Result<Response<Playing>, Status> {
        let traffic = request.extensions().get::<Traffic>().cloned();
        let (caller, requests) = Caller::split(request)?;
        Ok(Response::new(self.room.open(&self.desk, caller, requests, traffic)?))
    }

    async fn check_action(
        &self,
        request: Request<CheckActionRequest>,
    ) -> Result<Response<CheckActionResponse>, Status> {
        self.answer("CheckAction", request, rpc::check_action::answer)
    }

    async fn list_legal_actions(
        &self,
        request: Request<ListLegalActionsRequest>,
    ) -> Result<Response<ListLegalActionsResponse>, Status> {
        self.answer("ListLegalActions", request, rpc::list_legal_actions::answer)
    }

    async fn get_view(&self, request: Request<GetViewRequest>) -> Result<Response<GetViewResponse>, Status> {
        self.answer("GetView", request, rpc::get_view::answer)
    }

    async fn suggest_action(
        &self,
        request: Request<SuggestActionRequest>,
    ) -> Result<Response<SuggestActionResponse>, Status> {
        self.answer("SuggestAction", request, rpc::suggest_action::answer)
    }
}
