//! The measured cases: actions of a game, one per request, several per request, and on streams.

use std::path::Path;

use canasta_engine::action::{Action, As};
use canasta_engine::game::Stamp;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::token::{Catalogue, decode};
use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use canasta_messages::convert::{action_out, identity};
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::{
    self as pb, ApplyActionRequest, ApplyActionsRequest, CreateGameRequest, GetViewRequest, PlayRequest,
    ProposedAction, apply_action_response, apply_actions_response, create_game_response, play_response,
};
use prost::Message;
use tokio::runtime::Runtime;
use tonic::transport::Channel;

use super::Result;
use super::echo::{EchoRequest, filler};
use super::load;
use super::process::{Load, ServerProcess};

/// Number of the first measured action of the round.
const FROM: usize = 20;
/// Number of actions in a batch.
const BATCH: usize = 16;
/// Length from which on the transport (`h2`) sends the data of a reply with a write of its own, in bytes.
const APART: usize = 256;
/// Length of what gRPC puts before a message, in bytes.
const GRPC_HEAD: usize = 5;

/// A measured request, and the server that it is compared with.
pub struct BenchCase<'s> {
    pub name: String,
    pub server: &'s ServerProcess,
    pub load: Load,
    pub beside: &'s ServerProcess,
    pub other_load: Load,
    /// Average length of a message, in bytes.
    pub asked: usize,
    pub answered: usize,
    pub actions: usize,
}

impl BenchCase<'_> {
    /// Sends each request once with a real client: h2load counts an error as an answer, and as a fast one. The load
    /// of streams checks its own answers.
    pub fn check(&self) -> Result<()> {
        let Load::Unary { path, body } = &self.load else { return Ok(()) };
        let message = std::fs::read(body)?[5..].to_vec();
        let answered = load::once(&self.server.address, path, message)?;
        if answered == self.answered { Ok(()) } else { Err(format!("{answered} B answered").into()) }
    }
}

type Moves = Vec<(As, Action)>;

/// Plays the game of all cases. Returns every move of its first round, and every move of the game.
fn moves(token: &[u8]) -> Result<(Moves, Moves)> {
    let mut state = decode(token, &Catalogue::new())?;
    let (mut round, mut moves) = (None, Vec::new());
    while state.table.phase() != Phase::GameOver {
        let who = state.table.to_act().map_or(As::Table, As::Seat);
        let steps = legal::steps(&state.table).actions;
        let action = bot::suggest(&view(&state.table, who), &steps, moves.len() as u64);
        let acted = state.act(who, &action, Stamp::default()).map_err(|error| error.to_string())?;
        moves.push((who, action));
        if acted.round.is_some() && round.is_none() {
            round = Some(moves.clone());
        }
    }
    Ok((round.ok_or("a game has a round")?, moves))
}

struct BenchTable<'s> {
    server: &'s ServerProcess,
    echo: &'s ServerProcess,
    name: &'static str,
    runtime: Runtime,
    client: GameServiceClient<Channel>,
    created: Vec<u8>,
}

impl<'s> BenchTable<'s> {
    fn new(server: &'s ServerProcess, echo: &'s ServerProcess, name: &'static str) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (client, created) = runtime
            .block_on(async {
                let mut client = GameServiceClient::connect(format!("http://{}", server.address)).await?;
                let game = CreateGameRequest {
                    rule_set: "classic-4p".into(),
                    deal_mode: pb::DealMode::Seeded.into(),
                    game_id: vec![1; 16],
                    secret: vec![2; 64],
                    ..Default::default()
                };
                match client.create_game(game).await?.into_inner().outcome {
                    Some(create_game_response::Outcome::Created(created)) => Ok((client, created.state)),
                    other => Err(format!("{other:?}").into()),
                }
            })
            .map_err(|error: Box<dyn std::error::Error + Send + Sync>| error)?;
        Ok(Self { server, echo, name, runtime, client, created })
    }

    /// Returns the state after these moves, as this server encodes it.
    fn after(&self, moves: &[(As, Action)]) -> Result<Vec<u8>> {
        let mut state = self.created.clone();
        for moves in moves.chunks(256) {
            let request = ApplyActionsRequest { state, actions: proposed(moves), ..Default::default() };
            let answer = self.runtime.block_on(self.client.clone().apply_actions(request))?.into_inner();
            state = match answer.outcome {
                Some(apply_actions_response::Outcome::Accepted(accepted)) => accepted.state,
                other => return Err(format!("{other:?}").into()),
            };
        }
        Ok(state)
    }

    fn single(&self, moves: &Moves, at: usize, folder: &Path) -> Result<BenchCase<'s>> {
        let (who, action) = &moves[at];
        let request = ApplyActionRequest {
            state: self.after(&moves[..at])?,
            actor: Some(identity::write(*who)),
            action: Some(action_out::write(action)),
            ..Default::default()
        };
        let answer = self.runtime.block_on(self.client.clone().apply_action(request.clone()))?.into_inner();
        let name = format!("{} {}", self.name, format!("{:?}", action.kind()).to_lowercase());
        if !matches!(answer.outcome, Some(apply_action_response::Outcome::Accepted(_))) {
            return Err(format!("{answer:?}").into());
        }
        self.unary(name, "/canasta.v1.GameService/ApplyAction", (&request, &answer), 1, folder)
    }

    fn batch(&self, moves: &Moves, folder: &Path) -> Result<BenchCase<'s>> {
        let request = ApplyActionsRequest {
            state: self.after(&moves[..FROM])?,
            actions: proposed(&moves[FROM..FROM + BATCH]),
            ..Default::default()
        };
        let answer = self.runtime.block_on(self.client.clone().apply_actions(request.clone()))?.into_inner();
        let accepted = |answer: &pb::ApplyActionsResponse| {
            matches!(answer.outcome, Some(apply_actions_response::Outcome::Accepted(_)))
        };
        if !accepted(&answer) {
            return Err(format!("{answer:?}").into());
        }
        let name = format!("{} batch of {BATCH}", self.name);
        let path = "/canasta.v1.GameService/ApplyActions";
        self.unary(name, path, (&request, &answer), BATCH, folder)
    }

    fn view(&self, moves: &Moves, folder: &Path) -> Result<BenchCase<'s>> {
        let request = GetViewRequest {
            state: self.after(&moves[..FROM])?,
            actor: Some(identity::write(As::Seat(Seat(0)))),
        };
        let answer = self.runtime.block_on(self.client.clone().get_view(request.clone()))?.into_inner();
        let name = format!("{} view", self.name);
        self.unary(name, "/canasta.v1.GameService/GetView", (&request, &answer), 1, folder)
    }

    /// Returns a case of one message and one answer; h2load reads the message with its gRPC prefix from a
    /// file.
    fn unary<Q: Message, A: Message>(
        &self,
        name: String,
        path: &'static str,
        (request, answer): (&Q, &A),
        actions: usize,
        folder: &Path,
    ) -> Result<BenchCase<'s>> {
        let file = |kind: &str, message: Vec<u8>| -> Result<std::path::PathBuf> {
            let path = folder.join(format!("{kind} {name}").replace(' ', "-"));
            let prefixed = [&[0][..], &(message.len() as u32).to_be_bytes(), &message].concat();
            std::fs::write(&path, prefixed)?;
            Ok(path)
        };
        let (asked, answered) = (request.encoded_len(), answer.encoded_len());
        let load = Load::Unary { path, body: file("service", request.encode_to_vec())? };
        let other_load = Load::Unary { path: "/echo.Echo/Once", body: file("echo", ask(asked, answered))? };
        let (server, beside) = (self.server, self.echo);
        Ok(BenchCase { name, server, load, beside, other_load, asked, answered, actions })
    }

    fn play(&self, moves: &Moves, folder: &Path) -> Result<BenchCase<'s>> {
        let first = PlayRequest { state: self.created.clone(), ..Default::default() };
        let apply = |(who, action): &(As, Action)| PlayRequest {
            apply: Some(ApplyActionRequest {
                actor: Some(identity::write(*who)),
                action: Some(action_out::write(action)),
                ..Default::default()
            }),
            ..Default::default()
        };
        let requests: Vec<PlayRequest> = std::iter::once(first).chain(moves.iter().map(apply)).collect();
        let answers = self.runtime.block_on(async {
            let mut stream =
                self.client.clone().play(tokio_stream::iter(requests.clone())).await?.into_inner();
            let mut answers = Vec::new();
            while let Some(answer) = stream.message().await? {
                answers.push(answer);
            }
            Ok::<_, tonic::Status>(answers)
        })?;
        let done =
            |answer: &&pb::PlayResponse| matches!(answer.outcome, Some(play_response::Outcome::Accepted(_)));
        if answers.iter().filter(done).count() != moves.len() {
            return Err("every move is legal".into());
        }
        let messages: Vec<Vec<u8>> = requests.iter().map(Message::encode_to_vec).collect();
        let echoes: Vec<Vec<u8>> = messages
            .iter()
            .zip(&answers)
            .map(|(message, answer)| ask(message.len(), answer.encoded_len()))
            .collect();
        let file = |name: &str, messages: &[Vec<u8>]| -> Result<std::path::PathBuf> {
            let path = folder.join(name);
            std::fs::write(&path, load::to_file(messages))?;
            Ok(path)
        };
        let count = messages.len();
        let average = |sum: usize| sum / count;
        Ok(BenchCase {
            name: format!("{} Play", self.name),
            server: self.server,
            load: Load::Streams {
                path: "/canasta.v1.GameService/Play",
                messages: file("play", &messages)?,
                count,
            },
            beside: self.echo,
            other_load: Load::Streams {
                path: "/echo.Echo/Stream",
                messages: file("echoes", &echoes)?,
                count,
            },
            asked: average(messages.iter().map(Vec::len).sum()),
            answered: average(answers.iter().map(Message::encoded_len).sum()),
            actions: 1,
        })
    }
}

fn proposed(moves: &[(As, Action)]) -> Vec<ProposedAction> {
    let one = |(who, action): &(As, Action)| ProposedAction {
        actor: Some(identity::write(*who)),
        action: Some(action_out::write(action)),
        ..Default::default()
    };
    moves.iter().map(one).collect()
}

/// Returns a message for the echo of the same length as another message.
fn ask(length: usize, answer: usize) -> Vec<u8> {
    EchoRequest { answer: answer as u32, body: filler(length.saturating_sub(5)) }.encode_to_vec()
}

/// Returns the numbers of a draw from the stock, a discard and a meld, none of them too early in the game.
fn moments(moves: &Moves) -> Result<[usize; 3]> {
    let find = |wanted: fn(&Action) -> bool| {
        let later = (FROM..moves.len()).chain(0..FROM).find(|&at| wanted(&moves[at].1));
        later.ok_or("a round has all kinds of actions")
    };
    Ok([
        find(|action| matches!(action, Action::DrawStock))?,
        find(|action| matches!(action, Action::Discard(_)))?,
        find(|action| matches!(action, Action::Meld(_)))?,
    ])
}

/// Prints how many of the replies to the moves of a game are short: without deals and the ends of rounds.
fn print_short(table: &BenchTable<'_>, moves: &Moves) -> Result<()> {
    let (mut state, mut all, mut short) = (table.created.clone(), 0, 0_u32);
    for (who, action) in moves {
        let request = ApplyActionRequest {
            state,
            actor: Some(identity::write(*who)),
            action: Some(action_out::write(action)),
            ..Default::default()
        };
        let answer = table.runtime.block_on(table.client.clone().apply_action(request))?.into_inner();
        let length = answer.encoded_len() + GRPC_HEAD;
        let Some(apply_action_response::Outcome::Accepted(accepted)) = answer.outcome else {
            return Err("every move is legal".into());
        };
        state = accepted.state;
        if matches!(who, As::Seat(_)) && accepted.round_end.is_none() {
            all += 1;
            short += u32::from(length < APART);
        }
    }
    let share = 100.0 * f64::from(short) / f64::from(all);
    println!("{} replies: {short} of {all} ({share:.1} %) have less than {APART} B of data", table.name);
    Ok(())
}

/// Returns the cases that compare the service with the echo.
pub fn service<'s>(
    echo: &'s ServerProcess,
    open: &'s ServerProcess,
    sealed: &'s ServerProcess,
    folder: &Path,
) -> Result<Vec<BenchCase<'s>>> {
    let (open, sealed) = (BenchTable::new(open, echo, "open")?, BenchTable::new(sealed, echo, "sealed")?);
    let (moves, game) = moves(&open.created)?;
    let [draw, discard, meld] = moments(&moves)?;
    print_short(&open, &game)?;
    print_short(&sealed, &game)?;
    Ok(vec![
        open.single(&moves, draw, folder)?,
        open.single(&moves, discard, folder)?,
        open.single(&moves, meld, folder)?,
        sealed.single(&moves, draw, folder)?,
        sealed.single(&moves, discard, folder)?,
        open.batch(&moves, folder)?,
        sealed.batch(&moves, folder)?,
        open.play(&moves, folder)?,
    ])
}

/// Returns the cases that compare the deployed service with the same service without layers.
pub fn layers<'s>(
    plain: &'s ServerProcess,
    layered: &'s ServerProcess,
    watched: &'s ServerProcess,
    folder: &Path,
) -> Result<Vec<BenchCase<'s>>> {
    let mut cases = Vec::new();
    for (server, name) in [(layered, "layers"), (watched, "+ telemetry")] {
        let table = BenchTable::new(server, plain, name)?;
        let (moves, _) = moves(&table.created)?;
        let [draw, discard, _] = moments(&moves)?;
        cases.push(table.single(&moves, draw, folder)?);
        cases.push(table.single(&moves, discard, folder)?);
        cases.push(table.view(&moves, folder)?);
    }
    // Both servers get the same requests and give the same answers.
    let on_plain = |case: BenchCase<'s>| {
        let case = BenchCase { server: plain, other_load: case.load.clone(), ..case };
        case.check().map(|()| case)
    };
    cases.into_iter().map(|case| Ok(BenchCase { server: case.server, ..on_plain(case)? })).collect()
}
