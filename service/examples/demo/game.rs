//! The demo's game as a client keeps it: the opaque state, the log and the table's view.

use std::net::SocketAddr;

use canasta_engine::deal::simulate::{game_id, game_secret};
use canasta_proto::v1::action::Kind;
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::{
    self as pb, Rejected, RoundEnd, View, apply_action_response, check_action_response, create_game_response,
};
use tonic::transport::Channel;

use super::DemoError;

/// The rule set of the demo.
pub const RULE_SET: &str = "classic-4p";
/// Names of the players, by seat.
pub const NAMES: [&str; 4] = ["North", "East", "South", "West"];

/// The seat or role that the demo acts for.
#[derive(Clone, Copy)]
pub enum Who {
    Seat(u32),
    Table,
}

/// The client's side of the game.
pub struct DemoGame {
    client: GameServiceClient<Channel>,
    state: Vec<u8>,
    /// The log so far, which a real client would append to a file.
    pub log: Vec<u8>,
    /// Head of the log's chain.
    pub head: Vec<u8>,
    /// The last view: of the hands, it shows only the actor's.
    pub view: View,
    /// The result; `None` until the game is over.
    pub end: Option<pb::GameEnd>,
    /// Number of actions that the service has judged.
    pub judged: u64,
}

impl DemoGame {
    /// Connects and creates the game that follows from `seed`.
    pub async fn create(address: SocketAddr, seed: u64) -> Result<Self, DemoError> {
        let mut client = GameServiceClient::connect(format!("http://{address}")).await?;
        let secret = game_secret(seed, 0);
        let request = pb::CreateGameRequest {
            rule_set: RULE_SET.into(),
            deal_mode: pb::DealMode::Seeded.into(),
            players: NAMES.map(|name| pb::Player { name: name.into(), public_key: Vec::new() }).into(),
            game_id: game_id(&secret).0.into(),
            secret: secret.0.into(),
            ..Default::default()
        };
        let answer = client.create_game(request).await?.into_inner();
        let Some(create_game_response::Outcome::Created(created)) = answer.outcome else {
            return Err(DemoError::Wrong(format!("refuses the game: {answer:?}")));
        };
        let (state, log, head) = (created.state, created.frames, created.head);
        let mut game = Self { client, state, log, head, view: View::default(), end: None, judged: 0 };
        game.view = game.view_as(Who::Table).await?;
        Ok(game)
    }

    /// Applies an action that must be legal. Returns the end of the round if the action ended it.
    pub async fn act(&mut self, who: Who, action: Kind) -> Result<Option<RoundEnd>, DemoError> {
        let request = pb::ApplyActionRequest {
            state: self.state.clone(),
            actor: Some(write(who)),
            action: Some(pb::Action { kind: Some(action) }),
            want_view: true,
            want_head: true,
            ..Default::default()
        };
        self.judged += 1;
        let answer = self.client.apply_action(request).await?.into_inner();
        let Some(apply_action_response::Outcome::Accepted(accepted)) = answer.outcome else {
            return Err(DemoError::Wrong(format!("refuses its own suggestion: {answer:?}")));
        };
        self.state = accepted.state;
        self.log.extend(accepted.frames);
        self.head = accepted.head;
        self.view = accepted.view.map(|view| *view).unwrap_or_default();
        self.end = accepted.game_end;
        Ok(accepted.round_end)
    }

    /// Checks an action. Returns the rejection, or `None` if the action is legal.
    pub async fn check(&mut self, seat: u32, action: Kind) -> Result<Option<Rejected>, DemoError> {
        let request = pb::CheckActionRequest {
            state: self.state.clone(),
            actor: Some(write(Who::Seat(seat))),
            action: Some(pb::Action { kind: Some(action) }),
            earlier_state: Vec::new(),
        };
        self.judged += 1;
        match self.client.check_action(request).await?.into_inner().outcome {
            Some(check_action_response::Outcome::Rejected(rejected)) => Ok(Some(rejected)),
            _ => Ok(None),
        }
    }

    /// Asks the bot for an action of this seat.
    pub async fn suggest(&mut self, seat: u32, seed: u64) -> Result<Kind, DemoError> {
        let request = pb::SuggestActionRequest {
            state: self.state.clone(),
            actor: Some(write(Who::Seat(seat))),
            seed,
            ..Default::default()
        };
        let answer = self.client.suggest_action(request).await?.into_inner();
        let suggested = answer.action.and_then(|action| action.kind);
        suggested.ok_or_else(|| DemoError::Wrong("suggests nothing to the seat that is to act".into()))
    }

    /// Gets the view of a seat.
    pub async fn view_of(&mut self, seat: u32) -> Result<View, DemoError> {
        self.view_as(Who::Seat(seat)).await
    }

    async fn view_as(&mut self, who: Who) -> Result<View, DemoError> {
        let request = pb::GetViewRequest { state: self.state.clone(), actor: Some(write(who)) };
        Ok(self.client.get_view(request).await?.into_inner().view.unwrap_or_default())
    }
}

fn write(who: Who) -> pb::Actor {
    let who = match who {
        Who::Seat(seat) => pb::actor::Who::Seat(seat),
        Who::Table => pb::actor::Who::Role(pb::Role::Table.into()),
    };
    pb::Actor { who: Some(who) }
}
