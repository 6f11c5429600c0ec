//! The command `demo`: a game by id against bots, in which the recorder is killed twice in the middle of an action, and
//! started again. What it prints shows that nothing is lost: the open request gets its answer, the watcher goes on without a
//! gap, and the log is audited at the end.

mod child;

use std::collections::BTreeSet;
use std::time::Duration;

use canasta_engine::hex::hex;
use canasta_proto::v1::actor::Who;
use canasta_proto::v1::query_request::Question;
use canasta_proto::v1::query_response::Answer;
use canasta_proto::v1::record_service_client::RecordServiceClient;
use canasta_proto::v1::*;
use canasta_service::{Generator, NoRandomness};
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status, Streaming};

use child::DemoRecorder;

/// The player's turns in which the recorder is killed.
const KILLED_IN: [u32; 2] = [4, 12];
/// Maximum number of times that a call without an answer is repeated, a tenth of a second apart.
const TRIES: u32 = 300;
const PAUSE: Duration = Duration::from_millis(100);
const PLAYER: Option<Actor> = Some(Actor { who: Some(Who::Seat(0)) });
const DIRECTOR: Option<Actor> = Some(Actor { who: Some(Who::Role(Role::Director as i32)) });

/// A demo that did not end as it should.
#[derive(Debug, thiserror::Error)]
pub enum DemoFailure {
    /// The folder or the program cannot be used.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The source of randomness failed.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
    /// The recorder refused a request.
    #[error("the recorder answered {}: {}", .0.code(), .0.message())]
    Status(#[from] Box<Status>),
    /// The recorder said something that it must not say.
    #[error("{0}")]
    Wrong(String),
}

/// The player of the demo, and the watcher beside the player.
struct Demo {
    recorder: DemoRecorder,
    client: RecordServiceClient<Channel>,
    game: Vec<u8>,
    /// Numbers of the last records that the watcher was told of.
    told: BTreeSet<u64>,
}

/// Plays the demo and prints it.
///
/// # Errors
/// If anything is lost, or the recorder cannot be started.
pub async fn run(generator: Generator) -> Result<(), DemoFailure> {
    let recorder = DemoRecorder::start(generator)?;
    println!("A recorder of its own serves on {}.", recorder.address);
    let mut demo = Demo::create(recorder, generator).await?;
    println!("Game {}: the player on seat 0 against three bots.", hex(&demo.game));
    let (mut turns, mut stream) = (0, demo.watch(None).await?);
    while let Some(end) = demo.turn(&mut stream).await? {
        turns += 1;
        let request = demo.decide(&end, turns).await?;
        if KILLED_IN.contains(&turns) {
            demo.act_through_a_kill(request, turns).await?;
        } else {
            demo.act(request).await?;
        }
    }
    println!(
        "The game is over after {turns} actions of the player; the watcher was told of every entry once."
    );
    demo.audit().await
}

impl Demo {
    async fn create(recorder: DemoRecorder, generator: Generator) -> Result<Self, DemoFailure> {
        let mut request_id = vec![0; 16];
        generator(&mut request_id)?;
        let game = CreateGameRequest {
            rule_set: "classic-4p".into(),
            deal_mode: DealMode::Seeded.into(),
            ..Default::default()
        };
        let bots = (1..4).map(|seat| Bot { seat }).collect();
        let request =
            CreateRequest { request_id, game: Some(game), auto_table: true, bots, ..Default::default() };
        let client = recorder.client()?;
        let mut demo = Self { recorder, client, game: Vec::new(), told: BTreeSet::new() };
        let answer = demo.patiently(request, async |client, request| client.create(request).await).await?;
        match answer.outcome {
            Some(create_response::Outcome::Created(created)) => demo.game = created.game_id,
            other => return Err(wrong("the game is refused", &other)),
        }
        Ok(demo)
    }

    /// Repeats a call until it is answered, unchanged, as every client must.
    async fn patiently<Q: Clone, A>(
        &mut self,
        request: Q,
        call: impl AsyncFn(&mut RecordServiceClient<Channel>, Q) -> Result<tonic::Response<A>, Status>,
    ) -> Result<A, DemoFailure> {
        let mut tries = 0;
        loop {
            match call(&mut self.client, request.clone()).await {
                Ok(answer) => return Ok(answer.into_inner()),
                Err(status) if is_lost(&status) && tries < TRIES => tries += 1,
                Err(status) => return Err(Box::new(status).into()),
            }
            sleep(PAUSE).await;
        }
    }

    async fn watch(&mut self, from_n: Option<u64>) -> Result<Streaming<WatchResponse>, DemoFailure> {
        let request = WatchRequest { game_id: self.game.clone(), actor: PLAYER, from_n, want_view: true };
        self.patiently(request, async |client, request| client.watch(request).await).await
    }

    /// Follows the game until the player is to act. Returns the end of the log; `None` once the game is over.
    async fn turn(&mut self, stream: &mut Streaming<WatchResponse>) -> Result<Option<LogEnd>, DemoFailure> {
        loop {
            let message = match stream.message().await {
                Ok(Some(message)) => message,
                Ok(None) | Err(_) => {
                    let last = self.told.last().copied();
                    *stream = self.watch(last.map(|last| last + 1)).await?;
                    continue;
                }
            };
            let Some(end) = message.log_end.clone() else { return Err(wrong("no end", &message)) };
            let Some(view) = message.observation.as_ref().and_then(|seen| seen.view.as_ref()) else {
                continue;
            };
            let is_gap = message.skipped > 0 || (message.snapshot && !self.told.is_empty());
            if is_gap || !self.told.insert(end.n) {
                return Err(wrong("the watcher was not told of every entry once", &message.log_end));
            }
            match view.phase() {
                Phase::GameOver => return Ok(None),
                _ if view.to_act == Some(0) => return Ok(Some(end)),
                _ => {}
            }
        }
    }

    /// Asks what to play, and makes the request for it.
    async fn decide(&mut self, end: &LogEnd, turn: u32) -> Result<ActRequest, DemoFailure> {
        let question = SuggestActionRequest { actor: PLAYER, seed: end.seq, ..Default::default() };
        let question = Some(Question::SuggestAction(question));
        let request = QueryRequest { game_id: self.game.clone(), question };
        let answer = self.patiently(request, async |client, request| client.query(request).await).await?;
        let Some(Answer::SuggestAction(SuggestActionResponse { action })) = answer.answer else {
            return Err(wrong("another answer", &answer));
        };
        let apply = vec![ApplyActionRequest { actor: PLAYER, action, ..Default::default() }];
        // New for each decision: the same request id would be the same request.
        let request_id = u128::from(turn).to_be_bytes().into();
        let (game_id, expected_seq) = (self.game.clone(), Some(end.seq));
        Ok(ActRequest { game_id, request_id, expected_seq, apply, ..Default::default() })
    }

    async fn act(&mut self, request: ActRequest) -> Result<Acted, DemoFailure> {
        let answer = self.patiently(request, async |client, request| client.act(request).await).await?;
        match answer.outcome {
            Some(act_response::Outcome::Acted(acted)) => Ok(acted),
            other => Err(wrong("a legal action is refused", &other)),
        }
    }

    /// Sends an action, kills the recorder meanwhile, starts it again, and repeats the request until it is answered.
    async fn act_through_a_kill(&mut self, request: ActRequest, turn: u32) -> Result<(), DemoFailure> {
        let (mut client, open) = (self.client.clone(), request.clone());
        let under_way = tokio::spawn(async move { client.act(open).await.map(|_| ()) });
        // Long enough for the request to arrive; whether it is recorded then is left to chance.
        sleep(Duration::from_millis(3)).await;
        self.recorder.kill()?;
        let lost = under_way.await.is_ok_and(|answered| answered.is_err());
        println!(
            "Turn {turn}: the recorder is killed {}.",
            if lost { "before it answers" } else { "just after its answer" }
        );
        self.recorder.restart()?;
        let acted = self.act(request).await?;
        let how = if acted.repeated_request {
            "had been recorded: the same answer again"
        } else {
            "is recorded now"
        };
        println!("         It is back. The request, sent again unchanged, {how}.");
        Ok(())
    }

    /// Gets the log and the verdict, and compares the two with what the demo saw.
    async fn audit(&mut self) -> Result<(), DemoFailure> {
        let request = GetVerdictRequest { game_id: self.game.clone(), actor: DIRECTOR, head: Vec::new() };
        for _ in 0..TRIES {
            let get =
                async |client: &mut RecordServiceClient<Channel>, request| client.get_verdict(request).await;
            match self.patiently(request.clone(), get).await?.outcome {
                Some(get_verdict_response::Outcome::Verdict(verdict)) => return report(&verdict),
                _ => sleep(PAUSE).await,
            }
        }
        Err(DemoFailure::Wrong("the game has no verdict after half a minute".into()))
    }
}

/// Prints the verdict.
fn report(verdict: &GameVerdict) -> Result<(), DemoFailure> {
    let Some(report) = &verdict.report else { return Err(wrong("no report", verdict)) };
    if report.verdict() != Verdict::Clean {
        return Err(wrong("the log is not clean", report));
    }
    println!(
        "The auditor has judged the log: {}, {} records, archived as {}.",
        report.verdict().as_str_name(),
        report.records,
        verdict.archived_as
    );
    Ok(())
}

/// Whether a call was lost with the recorder, so that it must be repeated.
fn is_lost(status: &Status) -> bool {
    matches!(status.code(), Code::Unavailable | Code::Cancelled | Code::DeadlineExceeded | Code::Unknown)
}

fn wrong(what: &str, found: &impl std::fmt::Debug) -> DemoFailure {
    DemoFailure::Wrong(format!("{what}: {found:?}"))
}

/// Returns a client that connects when it has something to send.
fn client(address: &str) -> Result<RecordServiceClient<Channel>, DemoFailure> {
    let endpoint = Endpoint::from_shared(format!("http://{address}"));
    let endpoint = endpoint.map_err(|error| DemoFailure::Wrong(error.to_string()))?;
    Ok(RecordServiceClient::new(endpoint.connect_lazy()))
}
