//! A game of Classic through a client, for tests.

use canasta_proto::v1::action::{Deal, DrawStock, Kind};
use canasta_proto::v1::actor::Who;
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::{
    self as pb, Accepted, Action, Actor, ApplyActionRequest, CreateGameRequest, DealMode, Rejected, Role,
    View, apply_action_response, create_game_response,
};
use tonic::Status;
use tonic::transport::Channel;
use tonic_types::StatusExt;

pub type Client = GameServiceClient<Channel>;

pub fn seat(seat: u32) -> Option<Actor> {
    Some(Actor { who: Some(Who::Seat(seat)) })
}

pub fn role(role: Role) -> Option<Actor> {
    Some(Actor { who: Some(Who::Role(role.into())) })
}

pub fn action(kind: Kind) -> Option<Action> {
    Some(Action { kind: Some(kind) })
}

pub fn draw() -> Option<Action> {
    action(Kind::DrawStock(DrawStock {}))
}

pub fn discard(card: &str) -> Option<Action> {
    action(Kind::Discard(pb::action::Discard { card: card.into() }))
}

/// Returns a valid request for a new game, of which a test changes one field.
pub fn new_game() -> CreateGameRequest {
    CreateGameRequest {
        rule_set: "classic-4p".into(),
        deal_mode: DealMode::Seeded.into(),
        game_id: vec![1; 16],
        secret: vec![2; 64],
        ..Default::default()
    }
}

pub async fn create(client: &mut Client, request: CreateGameRequest) -> create_game_response::Outcome {
    let answer = client.create_game(request).await.expect("well formed").into_inner();
    answer.outcome.expect("an outcome")
}

pub async fn created(client: &mut Client, request: CreateGameRequest) -> pb::Created {
    match create(client, request).await {
        create_game_response::Outcome::Created(created) => created,
        create_game_response::Outcome::Rejected(rejected) => panic!("{rejected:?}"),
    }
}

/// Creates and deals a game. Returns its state and the seat that is to act.
pub async fn dealt(client: &mut Client) -> (Vec<u8>, u32) {
    let state = created(client, new_game()).await.state;
    let request = ApplyActionRequest {
        state,
        actor: role(Role::Table),
        action: action(Kind::Deal(Deal::default())),
        want_view: true,
        ..Default::default()
    };
    let accepted = accepted(client, request).await;
    (accepted.state, accepted.view.expect("wanted").to_act.expect("somebody is to act"))
}

pub async fn apply(client: &mut Client, request: ApplyActionRequest) -> apply_action_response::Outcome {
    let answer = client.apply_action(request).await.expect("well formed").into_inner();
    answer.outcome.expect("an outcome")
}

pub async fn accepted(client: &mut Client, request: ApplyActionRequest) -> Accepted {
    match apply(client, request).await {
        apply_action_response::Outcome::Accepted(accepted) => accepted,
        other => panic!("{other:?}"),
    }
}

pub async fn rejected(client: &mut Client, request: ApplyActionRequest) -> Rejected {
    match apply(client, request).await {
        apply_action_response::Outcome::Rejected(rejected) => rejected,
        other => panic!("{other:?}"),
    }
}

pub async fn recorded(client: &mut Client, request: ApplyActionRequest) -> pb::Recorded {
    match apply(client, request).await {
        apply_action_response::Outcome::Recorded(recorded) => recorded,
        other => panic!("{other:?}"),
    }
}

pub async fn view(client: &mut Client, state: &[u8], who: Option<Actor>) -> View {
    let request = pb::GetViewRequest { state: state.into(), actor: who };
    client.get_view(request).await.expect("well formed").into_inner().view.expect("a view")
}

pub fn codes(rejected: &Rejected) -> Vec<&str> {
    rejected.violations.iter().map(|violation| violation.code.as_str()).collect()
}

/// Asserts that the status is INVALID_ARGUMENT with this one path.
pub fn assert_field(status: &Status, path: &str) {
    assert_fields(status, &[path]);
}

/// Asserts that the status is INVALID_ARGUMENT with these paths.
pub fn assert_fields(status: &Status, expected: &[&str]) {
    assert_eq!(status.code(), tonic::Code::InvalidArgument, "{status:?}");
    assert_eq!(status.get_details_error_info().expect("an ErrorInfo").reason, "INVALID_FIELD");
    let faults = status.get_details_bad_request().expect("a BadRequest").field_violations;
    let paths: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(paths, expected, "{status:?}");
}
