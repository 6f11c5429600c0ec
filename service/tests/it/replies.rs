//! The length of replies. The transport copies the data of a short reply beside its headers and sends both with one
//! write; data of 256 bytes and more are a write of their own, which takes a quarter of the server's time.

use canasta_engine::action::As;
use canasta_engine::game::{Game, Stamp};
use canasta_engine::rules::PresetId;
use canasta_engine::table::Phase;
use canasta_engine::token::{Catalogue, decode};
use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use canasta_messages::convert::{action_out, identity};
use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::{
    ApplyActionRequest, CreateGameRequest, DealMode, apply_action_response, create_game_response,
};
use canasta_serve::config::ServiceCli;
use canasta_serve::identity::Caller;
use canasta_service::server::{self, GameHandler};
use clap::Parser;
use prost::Message;
use tonic::Request;

/// Length from which on the transport (`h2`) writes data apart, in bytes.
const APART: usize = 256;
/// Length of what gRPC puts before a message, in bytes.
const GRPC_HEAD: usize = 5;
/// Rounds after which a game counts as whole.
const ROUNDS: u16 = 6;

/// The presets in whose games fewer than 95 of 100 replies are short, and the least share there, in percent. A state
/// has 6 bits for every card in stock and pile, but 1 bit for a card in a hand of two players, 2 bits of three or four,
/// and 3 bits of more.
const FEWER: [(&str, usize); 12] = [
    // Two or three players hold fewer cards: more lie in stock and pile.
    ("hoyle-2p", 80),
    ("wahhi-2p", 80),
    ("classic-3p", 80),
    ("classic-3p-11", 80),
    ("wahhi-3p", 90),
    // Five players' cards take 3 bits each, and five scores and seats stand in the state.
    ("wahhi-5p", 40),
    // Three packs are 54 cards more, of 6 bits: 41 bytes. Six packs are 216 cards more: 162 bytes.
    ("samba-4p", 0),
    ("bolivia-4p", 0),
    ("classic-6p-3x2", 0),
    ("classic-6p-2x3", 0),
    ("miller-6p-2x3", 0),
    ("hand-and-foot", 0),
];

fn request<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(Caller::Trusted);
    request
}

async fn created(handler: &GameHandler, preset: &str) -> Game {
    let given = PresetId::from_name(preset).expect("a preset").rule_set().first_dealer
        == canasta_engine::rules::FirstDealer::Given;
    let game = CreateGameRequest {
        rule_set: preset.into(),
        deal_mode: DealMode::Seeded.into(),
        game_id: vec![1; 16],
        secret: preset.bytes().cycle().take(64).collect(),
        dealer: given.then_some(0),
        ..Default::default()
    };
    let answer = handler.create_game(request(game)).await.expect("well formed").into_inner();
    match answer.outcome {
        Some(create_game_response::Outcome::Created(created)) => {
            decode(&created.state, &Catalogue::new()).expect("an open state")
        }
        other => panic!("{other:?}"),
    }
}

/// Plays a game with the engine's bot, and asks the service for every action of a seat. Returns the number of replies,
/// and of those with data of at least 256 bytes.
async fn replies(handler: &GameHandler, preset: &str) -> (usize, usize) {
    let (mut state, mut all, mut long) = (created(handler, preset).await, 0, 0);
    while state.table.phase() != Phase::GameOver && state.table.round_number() <= ROUNDS {
        let who = legal::actor(&state.table);
        let steps = legal::steps(&state.table).actions;
        let action = bot::suggest(&view(&state.table, who), &steps, state.table.step());
        let apply = ApplyActionRequest {
            state: canasta_engine::token::encode(&state),
            actor: Some(identity::write(who)),
            action: Some(action_out::write(&action)),
            ..Default::default()
        };
        let answer = handler.apply_action(request(apply)).await.expect("well formed").into_inner();
        let length = answer.encoded_len() + GRPC_HEAD;
        let Some(apply_action_response::Outcome::Accepted(accepted)) = answer.outcome else {
            panic!("{preset}: {answer:?}")
        };
        // The deal and the end of a round are no ordinary actions.
        if matches!(who, As::Seat(_)) && accepted.round_end.is_none() {
            all += 1;
            long += usize::from(length >= APART);
        }
        state.act(who, &action, Stamp::default()).expect("accepted by the service");
    }
    (all, long)
}

#[tokio::test]
async fn replies_to_ordinary_actions_are_short() {
    let config = ServiceCli::parse_from(["canasta-service"]).config;
    let sevens = |bytes: &mut [u8]| {
        bytes.fill(7);
        Ok(())
    };
    let handler = server::service(&config, sevens, || 0).expect("no files");
    for preset in PresetId::all() {
        let (all, long) = replies(&handler, preset.name()).await;
        let share = 100 * (all - long) / all;
        let fewer = FEWER.iter().find(|(few, _)| preset.name().starts_with(few));
        let least = fewer.map_or(95, |&(_, least)| least);
        assert!(share >= least, "{}: {share} % of {all} replies are short", preset.name());
    }
}
