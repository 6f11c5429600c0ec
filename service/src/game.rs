//! The service: each method hands its request to its file in `rpc`.

use std::sync::Arc;

use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::*;
use tonic::{Request, Response, Status, Streaming};

use crate::connection::Traffic;
use crate::desk::Desk;
use crate::rpc;
use crate::rpc::play::{Playing, Room};

/// The service. It keeps nothing of any game, but for the states of the streams that are open.
pub struct Game {
    desk: Arc<Desk>,
    room: Room,
}

impl Game {
    pub fn new(desk: Arc<Desk>, room: Room) -> Self {
        Self { desk, room }
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
        Ok(Response::new(rpc::create_game::answer(&self.desk, request.into_inner())?))
    }

    async fn apply_action(
        &self,
        request: Request<ApplyActionRequest>,
    ) -> Result<Response<ApplyActionResponse>, Status> {
        Ok(Response::new(rpc::apply_action::answer(&self.desk, request.into_inner())?))
    }

    async fn apply_actions(
        &self,
        request: Request<ApplyActionsRequest>,
    ) -> Result<Response<ApplyActionsResponse>, Status> {
        Ok(Response::new(rpc::apply_actions::answer(&self.desk, request.into_inner())?))
    }

    type PlayStream = Playing;

    async fn play(&self, request: Request<Streaming<PlayRequest>>) -> Result<Response<Playing>, Status> {
        // The guard counts a request until its answer begins; a stream goes on from there.
        let under_way = request.extensions().get::<Traffic>().map(Traffic::begin);
        Ok(Response::new(self.room.open(&self.desk, request.into_inner(), under_way)?))
    }

    async fn check_action(
        &self,
        request: Request<CheckActionRequest>,
    ) -> Result<Response<CheckActionResponse>, Status> {
        Ok(Response::new(rpc::check_action::answer(&self.desk, request.into_inner())?))
    }

    async fn list_legal_actions(
        &self,
        request: Request<ListLegalActionsRequest>,
    ) -> Result<Response<ListLegalActionsResponse>, Status> {
        Ok(Response::new(rpc::list_legal_actions::answer(&self.desk, request.into_inner())?))
    }

    async fn get_view(&self, request: Request<GetViewRequest>) -> Result<Response<GetViewResponse>, Status> {
        Ok(Response::new(rpc::get_view::answer(&self.desk, request.into_inner())?))
    }

    async fn suggest_action(
        &self,
        request: Request<SuggestActionRequest>,
    ) -> Result<Response<SuggestActionResponse>, Status> {
        Ok(Response::new(rpc::suggest_action::answer(&self.desk, request.into_inner())?))
    }
}
