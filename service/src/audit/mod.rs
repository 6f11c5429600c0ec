//! AuditService, which judges whole logs by nothing but their own bytes.
//!
//! `intake` reads a log and limits it; `canasta-messages` asks and answers.

pub mod intake;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use canasta_engine::log::audit::IsOver;
use canasta_messages::audit::messages::LogMessage;
use canasta_messages::audit::query::{self, LogQuery};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::audit_service_server::AuditService;
use canasta_proto::v1::*;
use canasta_serve::account::CallerAccount;
use canasta_serve::authenticator::Credentials;
use canasta_serve::identity::Caller;
use canasta_serve::telemetry::method::Method;
use canasta_serve::telemetry::trail::Trail;
use canasta_serve::workers::{CallerWorkers, CancelOnDrop, WorkerPool};
use canasta_serve::{OrFault, RpcResult};
use tonic::{Request, Response, Streaming};

use crate::context::RequestContext;

/// The handler of AuditService. It keeps nothing of any log.
pub struct AuditHandler {
    ctx: Arc<RequestContext>,
    workers: WorkerPool,
}

/// A call about a log, without its stream.
pub struct LogCall {
    ctx: Arc<RequestContext>,
    workers: CallerWorkers,
    account: CallerAccount,
    caller: Caller,
    credentials: Option<Credentials>,
    trail: Trail,
    method: Method,
}

impl LogCall {
    /// Returns the caller by the identities of now: an upload takes its time, and a decision about the caller may fall
    /// in between.
    fn caller(&self) -> OrFault<Caller> {
        self.credentials.clone().map_or_else(|| Ok(self.caller.clone()), |mut known| known.caller())
    }

    /// Returns the question of a long job whether nobody waits for its result any longer. Other callers have their turns
    /// while it asks.
    fn is_over(&self, cancel: &CancelOnDrop) -> IsOver {
        let (workers, cancelled) = (self.workers.clone(), cancel.flag());
        Arc::new(move || {
            workers.pause();
            cancelled.load(Ordering::Relaxed)
        })
    }

    /// Runs a job on a thread for long work, once it is the caller's turn.
    async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> OrFault<T> {
        self.workers.run(self.method, job).await
    }
}

impl AuditHandler {
    pub fn new(ctx: Arc<RequestContext>) -> Self {
        Self { workers: WorkerPool::for_logs(&ctx.telemetry), ctx }
    }

    /// Reads the questions, then the log, and answers the questions in order. The answers end before the first that does
    /// not fit.
    async fn answer<M: LogMessage>(
        &self,
        method: Method,
        request: Request<Streaming<M>>,
    ) -> RpcResult<M::Answer> {
        let (account, trail) = (CallerAccount::of(&request), Trail::of(&request));
        let workers = self.workers.of(account.key());
        let credentials = request.extensions().get::<Credentials>().cloned();
        let (caller, stream) = Caller::split(request)?;
        let ctx = Arc::clone(&self.ctx);
        let call = LogCall { ctx, workers, account, caller, credentials, trail, method };
        let (audit, queries) = intake::read(&call, stream).await?;
        let caller = call.caller()?;
        for (at, LogQuery { who, asked }) in queries.iter().enumerate() {
            let may = call.ctx.may_audit(&caller, &call.trail, audit.genesis(), *who);
            may.map_err(|fault| fault.within(|faults| M::located(at, asked, faults)))?;
        }
        let cancel = CancelOnDrop::default();
        let is_over = call.is_over(&cancel);
        let answers = call.run(move || query::write_all(&audit, &queries, M::located, &*is_over)).await??;
        Ok(Response::new(M::answer(answers).ok_or(RequestFault::Internal)?))
    }
}

#[tonic::async_trait]
impl AuditService for AuditHandler {
    async fn audit_log(&self, request: Request<Streaming<AuditLogRequest>>) -> RpcResult<AuditLogResponse> {
        self.answer(const { Method::named("AuditLog") }, request).await
    }

    async fn get_step(&self, request: Request<Streaming<GetStepRequest>>) -> RpcResult<GetStepResponse> {
        self.answer(const { Method::named("GetStep") }, request).await
    }

    async fn explain_step(
        &self,
        request: Request<Streaming<ExplainStepRequest>>,
    ) -> RpcResult<ExplainStepResponse> {
        self.answer(const { Method::named("ExplainStep") }, request).await
    }

    async fn describe_log(
        &self,
        request: Request<Streaming<DescribeLogRequest>>,
    ) -> RpcResult<DescribeLogResponse> {
        self.answer(const { Method::named("DescribeLog") }, request).await
    }

    async fn ask_log(&self, request: Request<Streaming<AskLogRequest>>) -> RpcResult<AskLogResponse> {
        self.answer(const { Method::named("AskLog") }, request).await
    }
}
