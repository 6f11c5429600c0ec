//! Play: a state that stays here for as long as its stream lasts.
//!
//! Answers are made when the transport asks for them, one a request, so nothing is queued: a caller who does not
//! read is not read. Whatever ends a stream from this side comes after a last message with the state: nothing that
//! was answered is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use canasta_engine::state::State;
use canasta_proto::v1::{
    ApplyActionRequest, PlayRequest, PlayResponse, apply_action_response::Outcome,
    play_response::Outcome as Played,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::task::coop;
use tokio_stream::Stream;
use tonic::{Status, Streaming};

use super::proposal;
use crate::bench::Bench;
use crate::config::Config;
use crate::connection::Traffic;
use crate::context::RequestContext;
use crate::convert::field::{fault, within};
use crate::identity::Caller;
use crate::status::{Fault, explained};
use crate::steps;

/// In how many looks a stream must be found silent before it is ended.
const IDLE_LOOKS: u32 = 8;

/// What all streams share.
pub struct Room {
    places: Arc<Semaphore>,
    idle: Duration,
    /// True once the server is ending.
    draining: watch::Receiver<bool>,
}

impl Room {
    pub fn new(config: &Config, draining: watch::Receiver<bool>) -> Self {
        let places = Arc::new(Semaphore::new(usize::from(config.max_play_streams)));
        Self { places, idle: config.play_idle, draining }
    }

    /// Begins a stream.
    pub fn open(
        &self,
        ctx: &Arc<RequestContext>,
        searches: &Option<Arc<Semaphore>>,
        caller: Caller,
        requests: Streaming<PlayRequest>,
        traffic: Option<Traffic>,
    ) -> Result<Playing, Fault> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Fault::Overloaded)?;
        let (end, ended) = oneshot::channel();
        let (here, gone) = oneshot::channel();
        let answered = Arc::new(AtomicU64::new(0));
        let attendant = Attendant { answered: Arc::clone(&answered), traffic, gone };
        tokio::spawn(attendant.attend(self.draining.clone(), self.idle, end));
        let stage = Stage::Playing(ended);
        Ok(Playing {
            ctx: Arc::clone(ctx),
            bench: searches.as_ref().map(|seats| Bench::new(seats, ctx, "Play")),
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

/// Ends a stream from this side. It lives no longer than the stream.
struct Attendant {
    answered: Arc<AtomicU64>,
    traffic: Option<Traffic>,
    /// Fails when the stream is gone.
    gone: oneshot::Receiver<()>,
}

impl Attendant {
    async fn attend(
        mut self,
        mut draining: watch::Receiver<bool>,
        idle: Duration,
        end: oneshot::Sender<Fault>,
    ) {
        let between = (idle / IDLE_LOOKS).max(Duration::from_millis(1));
        let (mut seen, mut looks) = (0, 0);
        let why = loop {
            tokio::select! {
                _ = &mut self.gone => return,
                _ = draining.wait_for(|draining| *draining) => break Fault::Draining,
                () = tokio::time::sleep(between) => {
                    let now = self.answered.load(Ordering::Relaxed);
                    (seen, looks) = (now, if now == seen { looks + 1 } else { 0 });
                    if looks == IDLE_LOOKS {
                        break Fault::Idle;
                    }
                }
            }
        };
        let _ = end.send(why);
        // A caller who does not take this last answer loses its connection, as with any other answer.
        let _untaken = self.traffic.map(Traffic::answered);
        let _ = self.gone.await;
    }
}

/// One stream: its answers.
pub struct Playing {
    ctx: Arc<RequestContext>,
    /// Where what may take long is judged.
    bench: Option<Bench>,
    caller: Caller,
    requests: Streaming<PlayRequest>,
    /// `None` before the first message, and while the state is on the bench.
    state: Option<State>,
    searching: Option<Searching>,
    answered: Arc<AtomicU64>,
    stage: Stage,
    _here: oneshot::Sender<()>,
    _place: OwnedSemaphorePermit,
}

/// A judgement on the bench, and the state with it.
type Searching = Pin<Box<dyn Future<Output = Result<(State, Judged), Fault>> + Send>>;

/// What a request is answered with; an error if the judgement panicked.
type Judged = std::thread::Result<Result<PlayResponse, Fault>>;

enum Stage {
    /// Until this says why not.
    Playing(oneshot::Receiver<Fault>),
    /// The last message was handed out; the status is left.
    Ended(Option<Status>),
}

impl Stream for Playing {
    type Item = Result<PlayResponse, Status>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        // Before the end is looked at: the state comes back with it.
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
            Stage::Ended(status) => return Poll::Ready(status.take().map(Err)),
            Stage::Playing(ended) => ended,
        };
        if let Poll::Ready(why) = Pin::new(ended).poll(cx) {
            return this.end(Some(why.unwrap_or(Fault::Internal).into()));
        }
        // A caller who sends faster than others must not have the thread for itself.
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
                    // It is on the bench now.
                    None => Pin::new(this).poll_next(cx),
                }
            }
        }
    }
}

impl Playing {
    /// Answers a request, or brings it to the bench if its judgement may take long.
    fn answer(&mut self, request: PlayRequest) -> Option<Poll<Option<Result<PlayResponse, Status>>>> {
        let Self { ctx, caller, state, bench, .. } = self;
        let metrics = &ctx.telemetry.metrics;
        let opening = || catch_unwind(AssertUnwindSafe(|| open(ctx, caller, state, &request.state)));
        let (opened, spent) = metrics.timed(opening);
        if !matches!(opened, Ok(Ok(()))) {
            metrics.measured_after(spent, "Play", || ());
            return Some(self.judged(opened.map(|opened| opened.map(|()| PlayResponse::default()))));
        }
        let mut opened = state.take()?;
        let asked = |ctx: &RequestContext, caller: &Caller, state: &mut State| {
            catch_unwind(AssertUnwindSafe(|| answer(ctx, caller, state, request)))
        };
        let Some(bench) = bench.as_ref().filter(|_| steps::has_long_hand(&opened)) else {
            let judged = metrics.measured_after(spent, "Play", || asked(ctx, caller, &mut opened));
            self.state = Some(opened);
            return Some(self.judged(judged));
        };
        let (ctx, caller, bench) = (Arc::clone(ctx), caller.clone(), bench.clone());
        self.searching = Some(Box::pin(async move {
            let work = move || {
                let judged = asked(&ctx, &caller, &mut opened);
                (opened, judged)
            };
            bench.work_after(spent, work).await
        }));
        None
    }

    fn judged(&mut self, judged: Judged) -> Poll<Option<Result<PlayResponse, Status>>> {
        match judged {
            Ok(Ok(answer)) => Poll::Ready(Some(Ok(answer))),
            Ok(Err(fault)) => self.end(Some(fault.into())),
            Err(_) => {
                // What was broken is not handed out.
                self.state = None;
                self.end(Some(Fault::Internal.into()))
            }
        }
    }

    /// Hands out the state, if there is one; then the status.
    fn end(&mut self, status: Option<Status>) -> Poll<Option<Result<PlayResponse, Status>>> {
        let Some(state) = &self.state else {
            self.stage = Stage::Ended(None);
            return Poll::Ready(status.map(Err));
        };
        self.stage = Stage::Ended(status);
        let state = self.ctx.encode(state);
        Poll::Ready(Some(Ok(PlayResponse { state, last: true, ..Default::default() })))
    }
}

/// Opens the state that the first message brings; later ones bring none.
fn open(ctx: &RequestContext, caller: &Caller, state: &mut Option<State>, token: &[u8]) -> Result<(), Fault> {
    match state {
        None => *state = Some(ctx.open_state(token, |game| ctx.entitle_to_open(caller, game))?),
        Some(_) if !token.is_empty() => {
            return Err(within("state")(fault("is for the first message only")).into());
        }
        Some(state) => ctx.check_expiry(state)?,
    }
    Ok(())
}

/// The answer to one request; on a fault nothing has changed.
fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    state: &mut State,
    request: PlayRequest,
) -> Result<PlayResponse, Fault> {
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
    state: &mut State,
    mut apply: ApplyActionRequest,
) -> Result<Played, Fault> {
    if !apply.state.is_empty() {
        return Err(within("state")(fault("is that of the stream")).into());
    }
    let who = ctx.asker(caller, state, apply.r#as)?;
    Ok(match proposal::take(ctx, caller, state, who, &mut apply)? {
        Outcome::Accepted(accepted) => Played::Accepted(accepted),
        Outcome::Rejected(rejected) => Played::Rejected(rejected),
        Outcome::Recorded(recorded) => Played::Recorded(recorded),
    })
}
