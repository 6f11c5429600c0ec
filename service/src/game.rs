//! The service: each method hands its request to its file in `rpc`.

use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::*;
use tonic::{Request, Response, Status};

use crate::desk::Desk;
use crate::identity::Caller;
use crate::rpc;

/// The service. It keeps nothing of any game.
pub struct Game {
    desk: Desk,
}

impl Game {
    pub fn new(desk: Desk) -> Self {
        Self { desk }
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
        let (caller, request) = Caller::split(request)?;
        Ok(Response::new(rpc::create_game::answer(&self.desk, &caller, request)?))
    }

    async fn apply_action(
        &self,
        request: Request<ApplyActionRequest>,
    ) -> Result<Response<ApplyActionResponse>, Status> {
        let (caller, request) = Caller::split(request)?;
        Ok(Response::new(rpc::apply_action::answer(&self.desk, &caller, request)?))
    }

    async fn check_action(
        &self,
        request: Request<CheckActionRequest>,
    ) -> Result<Response<CheckActionResponse>, Status> {
        let (caller, request) = Caller::split(request)?;
        Ok(Response::new(rpc::check_action::answer(&self.desk, &caller, request)?))
    }

    async fn list_legal_actions(
        &self,
        request: Request<ListLegalActionsRequest>,
    ) -> Result<Response<ListLegalActionsResponse>, Status> {
        let (caller, request) = Caller::split(request)?;
        Ok(Response::new(rpc::list_legal_actions::answer(&self.desk, &caller, request)?))
    }

    async fn get_view(&self, request: Request<GetViewRequest>) -> Result<Response<GetViewResponse>, Status> {
        let (caller, request) = Caller::split(request)?;
        Ok(Response::new(rpc::get_view::answer(&self.desk, &caller, request)?))
    }

    async fn suggest_action(
        &self,
        request: Request<SuggestActionRequest>,
    ) -> Result<Response<SuggestActionResponse>, Status> {
        let (caller, request) = Caller::split(request)?;
        Ok(Response::new(rpc::suggest_action::answer(&self.desk, &caller, request)?))
    }
}
