//! A recorder on a free loopback port, and a client that looks at every answer.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use canasta_proto::v1::record_service_client::RecordServiceClient;
use canasta_proto::v1::*;
use canasta_recorder::archive::ArchiveSettings;
use canasta_recorder::changes::Changes;
use canasta_recorder::context::OpenedRecorder;
use canasta_recorder::folder::{ARCHIVE, RecorderFolder};
use canasta_recorder::journal::Journal;
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_recorder::server;
use canasta_recorder::settings::RecorderCli;
use canasta_serve::config::Config;
use canasta_serve::outside::Clock;
use canasta_service::program::{now, random};
use canasta_service::server::{DrainResult, ServeError};
use clap::Parser;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};

use super::walk::no_state;

/// A running recorder.
pub struct Recorder {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<DrainResult, ServeError>>,
}

impl Recorder {
    /// Starts a recorder with the journal of this folder.
    pub async fn start(folder: &Path, arguments: &[&str]) -> Self {
        let settings = settings(arguments);
        Self::start_with(opened(folder, &settings.config), arguments).await
    }

    /// Starts a recorder with this journal.
    pub async fn start_with(opened: OpenedRecorder, arguments: &[&str]) -> Self {
        Self::start_at(opened, arguments, now).await
    }

    /// Starts a recorder with this journal and this clock.
    pub async fn start_at(opened: OpenedRecorder, arguments: &[&str], clock: Clock) -> Self {
        let settings = settings(arguments);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let (stop, stopped) = oneshot::channel();
        let shutdown = async {
            let _ = stopped.await;
        };
        let ended =
            tokio::spawn(
                async move { server::run(listener, shutdown, &settings, opened, (random, clock)).await },
            );
        Self { address, stop, ended }
    }

    /// Opens a connection to the recorder.
    pub async fn channel(&self) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).expect("an address is a URI");
        endpoint.connect().await.expect("the recorder listens")
    }

    /// Opens a connection from this address of loopback.
    pub async fn channel_from(&self, address: [u8; 4]) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).expect("an address is a URI");
        endpoint.local_address(Some(address.into())).connect().await.expect("the recorder listens")
    }

    /// Opens a connection of its own for the holder of a link.
    pub async fn holder(&self, link: &Link) -> Client {
        Client { bearer: Some(link.token.clone()), ..self.client().await }
    }

    /// Opens a connection to the recorder and returns its client.
    pub async fn client(&self) -> Client {
        Client { service: RecordServiceClient::new(self.channel().await), bearer: None }
    }

    /// Returns a client that has room for little that it has not read.
    pub async fn narrow_client(&self) -> Client {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).expect("an address is a URI");
        let endpoint = endpoint.initial_stream_window_size(16_384);
        let channel = endpoint.connect().await.expect("the recorder listens");
        Client { service: RecordServiceClient::new(channel), bearer: None }
    }

    /// Stops the recorder.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.ended.await.expect("no panic").expect("a clean end");
    }
}

/// Opens a folder of its own for a recorder with this journal.
pub fn with_journal(data: &Path, journal: impl Journal) -> OpenedRecorder {
    with(folder(data, &settings(&[]).config), journal)
}

/// Opens the journal of a folder, which is made if there is none.
pub fn opened(data: &Path, config: &Config) -> OpenedRecorder {
    let folder = folder(data, config);
    let journal = SqliteJournal::open(&folder.journal()).expect("a journal of its own");
    with(folder, journal)
}

fn folder(data: &Path, config: &Config) -> RecorderFolder {
    // A program that another test starts has the lock of a folder too, from its fork until it runs.
    let mut tries = 0;
    loop {
        match RecorderFolder::open(data, "journal.sqlite", config, random) {
            Ok(folder) => return folder,
            Err(error) if tries == 100 => panic!("a folder of its own: {error:?}"),
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
        tries += 1;
    }
}

fn with(folder: RecorderFolder, journal: impl Journal) -> OpenedRecorder {
    let archive = ArchiveSettings::default().open(&folder.file(ARCHIVE)).expect("an archive in its folder");
    OpenedRecorder { folder, journal: Arc::new(journal), archive, changes: Changes::default(), marks: None }
}

/// Returns the settings of a recorder that drains at once.
pub fn settings(arguments: &[&str]) -> RecorderCli {
    let fast = ["canasta-recorder", "--drain-notice-ms", "0", "--drain-limit-ms", "2000"];
    RecorderCli::parse_from(fast.iter().chain(arguments))
}

/// A client that looks at every answer: none holds a state.
#[derive(Clone)]
pub struct Client {
    pub service: RecordServiceClient<Channel>,
    /// The credentials: an API key, or the token of a link.
    pub bearer: Option<String>,
}

impl Client {
    pub fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(key) = &self.bearer {
            let (header, value) = match key.starts_with("canasta_") {
                true => ("x-api-key", key.clone()),
                false => ("authorization", format!("Bearer {key}")),
            };
            request.metadata_mut().insert(header, value.parse().expect("text"));
        }
        request
    }

    pub async fn create(&mut self, request: CreateRequest) -> Result<create_response::Outcome, Status> {
        let request = self.request(request);
        let answer = self.service.create(request).await?.into_inner();
        no_state("CreateResponse", &answer);
        Ok(answer.outcome.expect("an outcome"))
    }

    pub async fn act(&mut self, request: ActRequest) -> Result<act_response::Outcome, Status> {
        let request = self.request(request);
        let answer = self.service.act(request).await?.into_inner();
        no_state("ActResponse", &answer);
        Ok(answer.outcome.expect("an outcome"))
    }

    pub async fn take_back(
        &mut self,
        request: TakeBackRequest,
    ) -> Result<take_back_response::Outcome, Status> {
        let request = self.request(request);
        let answer = self.service.take_back(request).await?.into_inner();
        no_state("TakeBackResponse", &answer);
        Ok(answer.outcome.expect("an outcome"))
    }

    pub async fn get_game(&mut self, game: &[u8], actor: Option<Actor>) -> Result<GetGameResponse, Status> {
        let request = self.request(GetGameRequest { game_id: game.into(), actor });
        let answer = self.service.get_game(request).await?.into_inner();
        no_state("GetGameResponse", &answer);
        Ok(answer)
    }

    pub async fn check(
        &mut self,
        game: &[u8],
        actor: Option<Actor>,
        action: Option<Action>,
    ) -> Result<CheckResponse, Status> {
        let request = self.request(CheckRequest { game_id: game.into(), actor, action });
        let answer = self.service.check(request).await?.into_inner();
        no_state("CheckResponse", &answer);
        Ok(answer)
    }

    pub async fn list_actions(
        &mut self,
        game: &[u8],
        actor: Option<Actor>,
    ) -> Result<ListActionsResponse, Status> {
        let request = self.request(ListActionsRequest { game_id: game.into(), actor, ..Default::default() });
        let answer = self.service.list_actions(request).await?.into_inner();
        no_state("ListActionsResponse", &answer);
        Ok(answer)
    }

    pub async fn suggest(
        &mut self,
        game: &[u8],
        actor: Option<Actor>,
        seed: u64,
    ) -> Result<SuggestResponse, Status> {
        let request = self.request(SuggestRequest { game_id: game.into(), actor, seed, level: 0 });
        let answer = self.service.suggest(request).await?.into_inner();
        no_state("SuggestResponse", &answer);
        Ok(answer)
    }

    pub async fn get_options(
        &mut self,
        game: &[u8],
        actor: Option<Actor>,
    ) -> Result<GetOptionsResponse, Status> {
        let request = self.request(GetOptionsRequest { game_id: game.into(), actor, ..Default::default() });
        let answer = self.service.get_options(request).await?.into_inner();
        no_state("GetOptionsResponse", &answer);
        Ok(answer)
    }

    pub async fn check_take_back(
        &mut self,
        game: &[u8],
        actor: Option<Actor>,
    ) -> Result<CheckTakeBackResponse, Status> {
        let request = self.request(CheckTakeBackRequest { game_id: game.into(), actor });
        let answer = self.service.check_take_back(request).await?.into_inner();
        no_state("CheckTakeBackResponse", &answer);
        Ok(answer)
    }

    pub async fn list_games(&mut self, request: ListGamesRequest) -> Result<ListGamesResponse, Status> {
        let request = self.request(request);
        let answer = self.service.list_games(request).await?.into_inner();
        no_state("ListGamesResponse", &answer);
        Ok(answer)
    }

    pub async fn get_verdict(
        &mut self,
        game: &[u8],
        actor: Option<Actor>,
    ) -> Result<get_verdict_response::Outcome, Status> {
        let request = self.request(GetVerdictRequest { game_id: game.into(), actor, head: Vec::new() });
        let answer = self.service.get_verdict(request).await?.into_inner();
        no_state("GetVerdictResponse", &answer);
        Ok(answer.outcome.expect("an outcome"))
    }

    pub async fn invite(
        &mut self,
        game: &[u8],
        actor: Option<Actor>,
        expires_at_ms: i64,
    ) -> Result<Link, Status> {
        let request = self.request(InviteRequest { game_id: game.into(), actor, expires_at_ms });
        Ok(self.service.invite(request).await?.into_inner().link.expect("a link"))
    }

    pub async fn revoke(&mut self, game: &[u8], token_id: &[u8]) -> Result<(), Status> {
        let request = self.request(RevokeRequest { game_id: game.into(), token_id: token_id.into() });
        self.service.revoke(request).await.map(|_| ())
    }

    pub async fn set_bot(&mut self, request: SetBotRequest) -> Result<LogEnd, Status> {
        let request = self.request(request);
        Ok(self.service.set_bot(request).await?.into_inner().log_end.expect("the end"))
    }

    pub async fn watch(
        &mut self,
        game: &[u8],
        actor: Option<Actor>,
    ) -> Result<Streaming<WatchResponse>, Status> {
        let request = self.request(WatchRequest { game_id: game.into(), actor, ..Default::default() });
        Ok(self.service.watch(request).await?.into_inner())
    }

    /// Returns the pieces of a log.
    pub async fn get_log(&mut self, request: GetLogRequest) -> Result<Vec<GetLogResponse>, Status> {
        let request = self.request(request);
        let mut stream = self.service.get_log(request).await?.into_inner();
        let mut pieces = Vec::new();
        while let Some(piece) = stream.message().await? {
            no_state("GetLogResponse", &piece);
            pieces.push(piece);
        }
        Ok(pieces)
    }
}
