//! Cuts each request off at every place where it waits, as a client that goes away or a recorder that dies does. Then the
//! recorder is started again and the request is repeated: it is recorded once, and the log stays whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use canasta_engine::deal::GameId;
use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::action::{Dispute, Kind};
use canasta_proto::v1::record_service_server::RecordService;
use canasta_proto::v1::*;
use canasta_recorder::context::RecorderContext;
use canasta_recorder::handler::RecordHandler;
use canasta_recorder::server;
use canasta_serve::identity::Caller;
use canasta_service::program::{now, random};
use tonic::{Request, Response, Status};

use crate::support::cut::CutOff;
use crate::support::game::*;
use crate::support::server::{opened, settings};

/// A recorder in this process, without a server.
struct Local {
    path: PathBuf,
    ctx: Arc<RecorderContext>,
    handler: RecordHandler,
}

impl Local {
    fn open(path: &Path) -> Self {
        let settings = settings(&[]);
        let opened = opened(path, &settings.config);
        let ctx = Arc::new(server::context(&settings, opened, (random, now)).expect("its own files"));
        Self { path: path.to_owned(), handler: RecordHandler::new(Arc::clone(&ctx)), ctx }
    }

    async fn restart(self) -> Self {
        let Self { path, ctx, handler } = self;
        ctx.work.end().await;
        drop((ctx, handler));
        Self::open(&path)
    }

    /// Returns the numbers of the last records of all entries of a game.
    async fn entries(&self, game: &[u8]) -> Vec<u64> {
        let game = GameId(game.try_into().expect("16 bytes"));
        let (mut entries, mut from_n) = (Vec::new(), 0);
        loop {
            let page = self.ctx.journal.read(game, from_n, 256).await.expect("readable");
            let Some(last) = page.last() else { return entries };
            from_n = last.entry.n + 1;
            entries.extend(page.iter().map(|placed| placed.entry.n));
        }
    }

    /// Returns the whole log of a game.
    async fn log(&self, game: &[u8]) -> Vec<u8> {
        let game = GameId(game.try_into().expect("16 bytes"));
        let (mut log, mut from_n) = (Vec::new(), 0);
        loop {
            let page = self.ctx.journal.read(game, from_n, 256).await.expect("readable");
            let Some(last) = page.last() else { return log };
            from_n = last.entry.n + 1;
            log.extend(page.iter().flat_map(|placed| placed.entry.frames.clone()));
        }
    }
}

fn trusted<Q>(message: Q) -> Request<Q> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(Caller::Trusted);
    request
}

/// Cuts a call off at each of its waits in turn, each time with a new request, until one runs through. After each cut the
/// recorder starts again, and the request is repeated. Returns the number of waits. `entries` is the number of entries that
/// each request makes.
async fn cut_everywhere<Q: Clone, A>(
    mut local: Local,
    game: &[u8],
    mut request: impl AsyncFnMut(&Local, u32) -> Q,
    call: impl AsyncFn(&RecordHandler, Request<Q>) -> Result<Response<A>, Status>,
) -> (Local, u32) {
    for waits in 0.. {
        let message = request(&local, waits).await;
        let before = local.entries(game).await;
        let cut = CutOff { inner: Box::pin(call(&local.handler, trusted(message.clone()))), left: waits };
        if let Some(answer) = cut.await {
            answer.expect("well formed");
            return (local, waits);
        }
        local = local.restart().await;
        call(&local.handler, trusted(message)).await.expect("the repeated request is answered");
        let after = local.entries(game).await;
        assert!(after.starts_with(&before), "what was recorded stays");
        assert_eq!(after.len(), before.len() + 1, "cut off at wait {waits}");
    }
    unreachable!("a call waits for ever")
}

async fn end(local: &Local, game: &[u8]) -> LogEnd {
    let request = GetGameRequest { game_id: game.into(), actor: role(Role::Table) };
    let answer = local.handler.get_game(trusted(request)).await.expect("a view").into_inner();
    answer.log_end.expect("the end")
}

fn dispute(open: bool) -> Option<Action> {
    action(Kind::Dispute(Dispute { open: Some(open), reason: String::new() }))
}

/// Opens a recorder with a new game.
async fn with_game(path: &Path, game: &[u8]) -> Local {
    let local = Local::open(path);
    let mut first = new_game(1);
    first.game_id = game.to_vec();
    local.handler.create(trusted(first)).await.expect("a game");
    local
}

/// Opens a recorder with a game that is dealt.
async fn with_dealt_game(path: &Path, game: &[u8]) -> Local {
    let local = with_game(path, game).await;
    local.handler.act(trusted(act(game, 1, role(Role::Table), deal()))).await.expect("the deal");
    local
}

/// Checks the end of a test: each of its calls waited somewhere, and the log is whole.
async fn check(local: &Local, game: &[u8], waits: &[u32]) {
    // A wait whose answer is there at once is none: how many there are differs from run to run.
    assert!(waits.iter().all(|count| *count >= 1), "each waits for the journal: {waits:?}");
    assert_eq!(audited(&local.log(game).await, true), Verdict::Conditional);
}

const GAME: [u8; 16] = [9; 16];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_created_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut local = Local::open(&folder.path().join("data"));
    for left in 0.. {
        let request = CreateRequest { label: "cut".into(), ..new_game(100 + left as u8) };
        let cut = CutOff { inner: Box::pin(local.handler.create(trusted(request.clone()))), left };
        if cut.await.is_some() {
            return assert!(left >= 1, "it waits for the journal");
        }
        local = local.restart().await;
        let answer = local.handler.create(trusted(request)).await.expect("it is repeated").into_inner();
        let Some(create_response::Outcome::Created(created)) = answer.outcome else { panic!("{answer:?}") };
        assert_eq!(local.entries(&created.game_id).await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_action_is_recorded_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let local = with_dealt_game(&folder.path().join("data"), &GAME).await;
    // Opens and closes a dispute in turns.
    let request = async |local: &Local, at| {
        let end = end(local, &GAME).await;
        let mut request = act(&GAME, 1_000 + u64::from(at), role(Role::Director), dispute(at % 2 == 0));
        request.expected_seq = Some(end.seq);
        request
    };
    let call = async |handler: &RecordHandler, request| handler.act(request).await;
    let (local, waits) = cut_everywhere(local, &GAME, request, call).await;
    check(&local, &GAME, &[waits]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_action_is_taken_back_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let local = with_dealt_game(&folder.path().join("data"), &GAME).await;
    let request = async |local: &Local, at| {
        let before = end(local, &GAME).await;
        for (id, open) in [(3_000, true), (4_000, false)] {
            let request = act(&GAME, id + u64::from(at), role(Role::Director), dispute(open));
            local.handler.act(trusted(request)).await.expect("an answer");
        }
        let now = end(local, &GAME).await;
        assert!(now.seq > before.seq);
        TakeBackRequest {
            game_id: GAME.into(),
            request_id: [u64::from(at).to_be_bytes(), [5; 8]].concat(),
            actor: role(Role::Director),
            to_seq: Some(before.seq),
            expected_seq: Some(now.seq),
            observers: Vec::new(),
        }
    };
    let call = async |handler: &RecordHandler, request| handler.take_back(request).await;
    let (local, waits) = cut_everywhere(local, &GAME, request, call).await;
    check(&local, &GAME, &[waits]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_are_changed_once() {
    let folder = tempfile::tempdir().expect("a folder");
    // Nobody is to act yet, bots neither.
    let local = with_game(&folder.path().join("data"), &GAME).await;
    let request = async |_: &Local, at| SetBotRequest {
        game_id: GAME.into(),
        request_id: [u64::from(at).to_be_bytes(), [6; 8]].concat(),
        actor: role(Role::Director),
        bot: Some(Bot { seat: Some(2), level: 0 }),
        plays: at % 2 == 0,
    };
    let call = async |handler: &RecordHandler, request| handler.set_bot(request).await;
    let (local, bots) = cut_everywhere(local, &GAME, request, call).await;
    let base_ms = now() + 3_600_000;
    let request = async |_: &Local, at| InviteRequest {
        game_id: GAME.into(),
        actor: seat(1),
        expires_at_ms: base_ms + i64::from(at) * 1_000,
    };
    let call = async |handler: &RecordHandler, request| handler.invite(request).await;
    let (local, links) = cut_everywhere(local, &GAME, request, call).await;
    check(&local, &GAME, &[bots, links]).await;
}
