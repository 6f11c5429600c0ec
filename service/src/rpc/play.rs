//! Method Play: a state that stays in the server for as long as its stream is open.
//!
//! An answer is made when the transport asks for it, one per request, so nothing is queued: a caller that
//! does not read is not read from. When the server ends a stream, a last message with the state comes first:
//! nothing that was answered is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use canasta_engine::game::Game;
use canasta_proto::v1::{
    ApplyActionRequest, PlayRequest, PlayResponse, apply_action_response::Outcome,
    play_response::Outcome as Played,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::task::coop;
use tokio_stream::Stream;
use tonic::{Status, Streaming};

use super::proposal;
use crate::config::Config;
use crate::connection::Traffic;
use crate::context::RequestContext;
use crate::convert::field::{fault, within};
use crate::identity::Caller;
use crate::status::{RequestFault, explained};
use crate::steps;
use crate::telemetry::method::Method;
use crate::workers::WorkerPool;

/// Number of checks without a request after which a stream is idle.
const IDLE_CHECKS: u32 = 8;

/// The limits that all streams share.
pub struct PlayStreams {
    places: Arc<Semaphore>,
    idle: Duration,
    /// True once the server drains.
    draining: watch::Receiver<bool>,
}

impl PlayStreams {
    pub fn new(config: &Config, draining: watch::Receiver<bool>) -> Self {
        let places = Arc::new(Semaphore::new(usize::from(config.max_play_streams)));
        Self { places, idle: config.play_idle, draining }
    }

    /// Opens a stream.
    pub fn open(
        &self,
        ctx: &Arc<RequestContext>,
        searches: &Option<WorkerPool>,
        caller: Caller,
        requests: Streaming<PlayRequest>,
        traffic: Option<Traffic>,
    ) -> Result<PlayAnswers, RequestFault> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| RequestFault::Overloaded)?;
        let (end, ended) = oneshot::channel();
        let (here, gone) = oneshot::channel();
        let answered = Arc::new(AtomicU64::new(0));
        let monitor = StreamMonitor { answered: Arc::clone(&answered), traffic, gone };
        tokio::spawn(monitor.run(self.draining.clone(), self.idle, end));
        let stage = PlayStage::Playing(ended);
        Ok(PlayAnswers {
            ctx: Arc::clone(ctx),
            workers: searches.clone(),
            caller,
            requests,
            state: None,
            searching: None,
            answered,
            stage,
            _here: here,
            _place: place,
        })
    }
}

/// The monitor that ends a stream when it is idle or the server drains. It lives no longer than the stream.
struct StreamMonitor {
    answered: Arc<AtomicU64>,
    traffic: Option<Traffic>,
    /// Fails when the stream is gone.
    gone: oneshot::Receiver<()>,
}

impl StreamMonitor {
    async fn run(
        mut self,
        mut draining: watch::Receiver<bool>,
        idle: Duration,
        end: oneshot::Sender<RequestFault>,
    ) {
        let interval = (idle / IDLE_CHECKS).max(Duration::from_millis(1));
        let (mut seen, mut checks) = (0, 0);
        let why = loop {
            tokio::select! {
                _ = &mut self.gone => return,
                _ = draining.wait_for(|draining| *draining) => break RequestFault::Draining,
                () = tokio::time::sleep(interval) => {
                    let now = self.answered.load(Ordering::Relaxed);
                    (seen, checks) = (now, if now == seen { checks + 1 } else { 0 });
                    if checks == IDLE_CHECKS {
                        break RequestFault::Idle;
                    }
                }
            }
        };
        let _ = end.send(why);
        // A caller that does not read this last answer loses its connection, as with every other answer.
        let _unread = self.traffic.map(Traffic::answered);
        let _ = self.gone.await;
    }
}

/// The answers of one stream.
pub struct PlayAnswers {
    ctx: Arc<RequestContext>,
    /// The threads for judgements that may take long; `None`: every judgement runs on the thread of the
    /// stream.
    workers: Option<WorkerPool>,
    caller: Caller,
    requests: Streaming<PlayRequest>,
    /// The state; `None` before the first message, and during a judgement on another thread.
    state: Option<Box<Game>>,
    searching: Option<RunningJudgement>,
    answered: Arc<AtomicU64>,
    stage: PlayStage,
    _here: oneshot::Sender<()>,
    _place: OwnedSemaphorePermit,
}

/// A judgement on another thread, which returns the state.
type RunningJudgement = Pin<Box<dyn Future<Output = Result<(Box<Game>, CaughtAnswer), RequestFault>> + Send>>;

/// The answer to a request; an error if the judgement panicked.
type CaughtAnswer = std::thread::Result<Result<PlayResponse, RequestFault>>;

enum PlayStage {
    /// The stream is open; the channel gives the reason to end it.
    Playing(oneshot::Receiver<RequestFault>),
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
        let ended = match &mut this.stage {
            PlayStage::Ended(status) => return Poll::Ready(status.take().map(Err)),
            PlayStage::Playing(ended) => ended,
        };
        if let Poll::Ready(why) = Pin::new(ended).poll(cx) {
            return this.end(Some(why.unwrap_or(RequestFault::Internal).into()));
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
        let Self { ctx, caller, state, workers, .. } = self;
        let metrics = &ctx.telemetry.metrics;
        let opening = || catch_unwind(AssertUnwindSafe(|| open(ctx, caller, state, &request.state)));
        let (opened, spent) = metrics.timed(opening);
        if !matches!(opened, Ok(Ok(()))) {
            metrics.measured_after(spent, Method::PLAY, || ());
            return Some(self.judged(opened.map(|opened| opened.map(|()| PlayResponse::default()))));
        }
        let mut opened = state.take()?;
        let asked = |ctx: &RequestContext, caller: &Caller, state: &mut Game| {
            catch_unwind(AssertUnwindSafe(|| answer(ctx, caller, state, request)))
        };
        let Some(workers) = workers.as_ref().filter(|_| steps::has_long_hand(&opened.table)) else {
            let judged = metrics.measured_after(spent, Method::PLAY, || asked(ctx, caller, &mut opened));
            self.state = Some(opened);
            return Some(self.judged(judged));
        };
        let (ctx, caller, workers) = (Arc::clone(ctx), caller.clone(), workers.clone());
        self.searching = Some(Box::pin(async move {
            let work = move || {
                let judged = asked(&ctx, &caller, &mut opened);
                (opened, judged)
            };
            workers.run_after(spent, Method::PLAY, work).await
        }));
        None
    }

    fn judged(&mut self, judged: CaughtAnswer) -> Poll<Option<Result<PlayResponse, Status>>> {
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

    /// Ends the stream: sends the state, if there is one, and then the status.
    fn end(&mut self, status: Option<Status>) -> Poll<Option<Result<PlayResponse, Status>>> {
        let Some(state) = &self.state else {
            self.stage = PlayStage::Ended(None);
            return Poll::Ready(status.map(Err));
        };
        self.stage = PlayStage::Ended(status);
        let state = self.ctx.encode(state);
        Poll::Ready(Some(Ok(PlayResponse { state, last: true, ..Default::default() })))
    }
}

/// Opens the state that the first message brings; later messages must bring none.
fn open(
    ctx: &RequestContext,
    caller: &Caller,
    state: &mut Option<Box<Game>>,
    token: &[u8],
) -> Result<(), RequestFault> {
    match state {
        None => *state = Some(ctx.open_state(token, |game| ctx.entitle_to_open(caller, game))?),
        Some(_) if !token.is_empty() => {
            return Err(within("state")(fault("is allowed in the first message only")).into());
        }
        Some(state) => ctx.check_expiry(state)?,
    }
    Ok(())
}

/// Answers one request. If it returns a fault, the state has not changed.
fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    state: &mut Game,
    request: PlayRequest,
) -> Result<PlayResponse, RequestFault> {
    let PlayRequest { apply, want_state, .. } = request;
    let outcome = match apply {
        None => None,
        Some(apply) => Some(judge(ctx, caller, state, apply).map_err(|fault| fault.within(within("apply")))?),
    };
    let token = if want_state { ctx.encode(state) } else { Vec::new() };
    Ok(PlayResponse { outcome, state: token, last: false })
}

fn judge(
    ctx: &RequestContext,
    caller: &Caller,
    state: &mut Game,
    apply: ApplyActionRequest,
) -> Result<Played, RequestFault> {
    if !apply.state.is_empty() {
        return Err(within("state")(fault("must be empty: the stream has its own state")).into());
    }
    let who = ctx.asker(caller, state, apply.actor)?;
    Ok(match proposal::take(ctx, caller, state, who, apply)? {
        Outcome::Accepted(accepted) => Played::Accepted(accepted),
        Outcome::Rejected(rejected) => Played::Rejected(rejected),
        Outcome::Recorded(recorded) => Played::Recorded(recorded),
    })
}
