//! Method Play: a state that stays in the server for as long as its stream is open.
//!
//! An answer is made when the transport asks for it, one per request, so nothing is queued: a caller that
//! does not read is not read from. When the server ends a stream, a last message with the state comes first:
//! nothing that was answered is lost.
//!
//! A stream may be open for long, so each message asks what holds now: whether the caller is still known, and whether
//! the key that sealed the stream's state is still valid.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use canasta_engine::game::Game;
use canasta_messages::answers::{check_state, proposal};
use canasta_messages::convert::field::{fault, within};
use canasta_messages::fault::RequestFault;
use canasta_messages::host::GameScope;
use canasta_messages::status::explained;
use canasta_proto::v1::{
    ApplyActionRequest, PlayRequest, PlayResponse, apply_action_response::Outcome,
    play_response::Outcome as Played,
};
use canasta_serve::OrFault;
use canasta_serve::account::CallerAccount;
use canasta_serve::authenticator::Credentials;
use canasta_serve::config::Config;
use canasta_serve::connection::Traffic;
use canasta_serve::fairness::Accountant;
use canasta_serve::identity::Caller;
use canasta_serve::streams::{StreamEnd, StreamPlaces};
use canasta_serve::telemetry::counts::PlaceKind;
use canasta_serve::telemetry::method::Method;
use canasta_serve::telemetry::trail::Trail;
use canasta_serve::workers::{CallerWorkers, WorkerPool};
use tokio::sync::watch;
use tokio::task::coop;
use tokio::time::Sleep;
use tokio_stream::Stream;
use tonic::{Request, Status, Streaming};

use super::trail::LeavesTrail as _;
use crate::context::RequestContext;
use crate::seal::{KeyId, key_of};
use crate::steps;

/// Number of checks without a request after which a stream is idle.
const IDLE_CHECKS: u32 = 8;

/// The limits that all streams share.
pub struct PlayStreams {
    places: StreamPlaces,
    idle: Duration,
}

impl PlayStreams {
    pub fn new(config: &Config, accountant: &Accountant, draining: watch::Receiver<bool>) -> Self {
        Self { places: StreamPlaces::new(accountant, PlaceKind::Play, draining), idle: config.play_idle }
    }

    pub fn open(
        &self,
        ctx: &Arc<RequestContext>,
        searches: Option<&WorkerPool>,
        request: Request<Streaming<PlayRequest>>,
    ) -> OrFault<PlayAnswers> {
        let (account, trail) = (CallerAccount::of(&request), Trail::of(&request));
        let traffic = request.extensions().get::<Traffic>().cloned();
        let credentials = request.extensions().get::<Credentials>().cloned();
        let (caller, requests) = Caller::split(request)?;
        let answered = Arc::new(AtomicU64::new(0));
        let idle = idle(Arc::clone(&answered), self.idle);
        let place = self.places.take_until(account.key(), traffic.as_ref(), idle)?;
        Ok(PlayAnswers {
            ctx: Arc::clone(ctx),
            workers: searches.map(|searches| searches.of(account.key())),
            account,
            trail,
            caller,
            credentials,
            requests,
            state: None,
            key: None,
            pause: None,
            searching: None,
            answered,
            stage: PlayStage::Playing,
            place,
        })
    }
}

/// Waits until a stream is idle.
async fn idle(answered: Arc<AtomicU64>, limit: Duration) -> RequestFault {
    let interval = (limit / IDLE_CHECKS).max(Duration::from_millis(1));
    let (mut seen, mut checks) = (0, 0);
    while checks < IDLE_CHECKS {
        tokio::time::sleep(interval).await;
        let now = answered.load(Ordering::Relaxed);
        (seen, checks) = (now, if now == seen { checks + 1 } else { 0 });
    }
    RequestFault::Idle
}

pub struct PlayAnswers {
    ctx: Arc<RequestContext>,
    /// The threads for judgements that may take long; `None`: every judgement runs on the thread of the
    /// stream.
    workers: Option<CallerWorkers>,
    account: CallerAccount,
    trail: Trail,
    caller: Caller,
    /// The credentials of the caller; `None` if callers are not authenticated.
    credentials: Option<Credentials>,
    requests: Streaming<PlayRequest>,
    /// The state; `None` before the first message, and during a judgement on another thread.
    state: Option<Box<Game>>,
    /// The key that sealed the state which the stream was opened with; `None` if states are not sealed.
    key: Option<KeyId>,
    /// The time that a caller over its rate limit has to wait before its next message is read.
    pause: Option<Pin<Box<Sleep>>>,
    searching: Option<RunningJudgement>,
    answered: Arc<AtomicU64>,
    stage: PlayStage,
    place: StreamEnd,
}

/// A judgement on another thread, which returns the state.
type RunningJudgement = Pin<Box<dyn Future<Output = OrFault<(Box<Game>, CaughtAnswer)>> + Send>>;

/// The answer to a request; an error if the judgement panicked.
type CaughtAnswer = std::thread::Result<OrFault<PlayResponse>>;

enum PlayStage {
    Playing,
    /// The last message was sent; the status remains to be sent.
    Ended(Option<Status>),
}

impl Stream for PlayAnswers {
    type Item = Result<PlayResponse, Status>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        // First, since the judgement returns the state, which the end needs.
        if let Some(searching) = &mut this.searching {
            let searched = ready!(searching.as_mut().poll(cx));
            this.searching = None;
            return match searched {
                Ok((state, judged)) => {
                    this.state = Some(state);
                    this.judged(judged)
                }
                Err(fault) => this.end(Some(fault.into())),
            };
        }
        if let PlayStage::Ended(status) = &mut this.stage {
            return Poll::Ready(status.take().map(Err));
        }
        if let Poll::Ready(why) = this.place.poll(cx) {
            return this.end(Some(why.into()));
        }
        if let Some(pause) = &mut this.pause {
            ready!(pause.as_mut().poll(cx));
            this.pause = None;
        }
        // A caller that sends faster than others must not keep the thread for itself.
        let turn = ready!(coop::poll_proceed(cx));
        let request = ready!(Pin::new(&mut this.requests).poll_next(cx));
        turn.made_progress();
        match request {
            None => this.end(None),
            Some(Err(status)) => this.end(Some(explained(status))),
            Some(Ok(request)) => {
                this.answered.fetch_add(1, Ordering::Relaxed);
                this.place.touch();
                request.leave_in(&this.trail);
                let pause = this.account.charge(1);
                this.pause = (!pause.is_zero()).then(|| Box::pin(tokio::time::sleep(pause)));
                match this.answer(request) {
                    Some(answer) => answer,
                    // The judgement runs on another thread now.
                    None => Pin::new(this).poll_next(cx),
                }
            }
        }
    }
}

impl PlayAnswers {
    /// Answers a request. Returns `None` if its judgement may take long and now runs on another thread.
    fn answer(&mut self, request: PlayRequest) -> Option<Poll<Option<Result<PlayResponse, Status>>>> {
        let ctx = Arc::clone(&self.ctx);
        let metrics = &ctx.telemetry.metrics;
        let opening = || catch_unwind(AssertUnwindSafe(|| self.open(&request.state)));
        let (opened, spent) = metrics.timed(opening);
        if !matches!(opened, Ok(Ok(()))) {
            metrics.measured_after(spent, Method::PLAY, || ());
            return Some(self.judged(opened.map(|opened| opened.map(|()| PlayResponse::default()))));
        }
        let mut opened = self.state.take()?;
        let key = self.key;
        let asked = move |ctx: &RequestContext, caller: &Caller, state: &mut Game| {
            catch_unwind(AssertUnwindSafe(|| answer(ctx, caller, state, key, request)))
        };
        let workers = self.workers.clone().filter(|_| steps::may_have_long_hand(&opened.table, 1));
        let Some(workers) = workers else {
            let judged =
                metrics.measured_after(spent, Method::PLAY, || asked(&ctx, &self.caller, &mut opened));
            self.state = Some(opened);
            return Some(self.judged(judged));
        };
        let (ctx, caller) = (Arc::clone(&ctx), self.caller.clone());
        self.searching = Some(Box::pin(async move {
            let work = move || {
                let judged = asked(&ctx, &caller, &mut opened);
                (opened, judged)
            };
            workers.run_after(spent, Method::PLAY, work).await
        }));
        None
    }

    /// Opens the state that the first message brings; later messages must bring none, and the stream must still be
    /// one that the caller may have.
    fn open(&mut self, token: &[u8]) -> OrFault<()> {
        let Self { ctx, caller, credentials, state, key, .. } = self;
        if let Some(credentials) = credentials {
            *caller = credentials.caller()?;
        }
        if caller.is_over(ctx.clock) {
            return Err(RequestFault::Unauthenticated);
        }
        let entitled = |game| ctx.entitle_to_open(caller, game);
        match state {
            None => {
                check_state(token)?;
                *state = Some(ctx.open_state(token, entitled)?);
                *key = key_of(token);
            }
            Some(_) if !token.is_empty() => {
                return Err(within("state")(fault("is allowed in the first message only")).into());
            }
            Some(state) => {
                entitled(GameScope::Of(state.dealing.game_id))?;
                ctx.check_key(*key)?;
                ctx.check_expiry(state)?;
            }
        }
        Ok(())
    }

    fn judged(&mut self, judged: CaughtAnswer) -> Poll<Option<Result<PlayResponse, Status>>> {
        if let Some(trail) = self.trail.get() {
            match &judged {
                Ok(Ok(answer)) => answer.leave(trail),
                Ok(Err(fault)) => trail.ends(fault.reason()),
                Err(_) => trail.ends(RequestFault::Internal.reason()),
            }
            trail.message(Method::PLAY.name);
        }
        match judged {
            Ok(Ok(answer)) => Poll::Ready(Some(Ok(answer))),
            Ok(Err(fault)) => self.end(Some(fault.into())),
            Err(_) => {
                // A state that a panic may have broken is not sent.
                self.state = None;
                self.end(Some(RequestFault::Internal.into()))
            }
        }
    }

    /// Ends the stream: sends the state, if there is one that may be given out, and then the status.
    fn end(&mut self, status: Option<Status>) -> Poll<Option<Result<PlayResponse, Status>>> {
        let (status, state) = match &self.state {
            None => (status, None),
            Some(state) => match self.ctx.encode_again(state, self.key) {
                Ok(state) => (status, Some(state)),
                Err(revoked) => (Some(revoked.into()), None),
            },
        };
        let Some(state) = state else {
            self.stage = PlayStage::Ended(None);
            return Poll::Ready(status.map(Err));
        };
        self.stage = PlayStage::Ended(status);
        Poll::Ready(Some(Ok(PlayResponse { state, last: true, ..Default::default() })))
    }
}

/// Answers one request. If it returns a fault, the state has not changed, or its key was revoked at this moment and
/// nobody gets the state.
fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    state: &mut Game,
    key: Option<KeyId>,
    request: PlayRequest,
) -> OrFault<PlayResponse> {
    let PlayRequest { apply, want_state, .. } = request;
    let outcome = match apply {
        None => None,
        Some(apply) => Some(judge(ctx, caller, state, apply).map_err(|fault| fault.within(within("apply")))?),
    };
    let token = if want_state { ctx.encode_again(state, key)? } else { Vec::new() };
    Ok(PlayResponse { outcome, state: token, last: false })
}

fn judge(
    ctx: &RequestContext,
    caller: &Caller,
    state: &mut Game,
    apply: ApplyActionRequest,
) -> OrFault<Played> {
    if !apply.state.is_empty() {
        return Err(within("state")(fault("must be empty: the stream has its own state")).into());
    }
    let who = ctx.asker(caller, state, apply.actor)?;
    Ok(match proposal::take(&ctx.asked_by(caller), state, who, apply)? {
        Outcome::Accepted(accepted) => Played::Accepted(accepted),
        Outcome::Rejected(rejected) => Played::Rejected(rejected),
        Outcome::Recorded(recorded) => Played::Recorded(recorded),
    })
}
