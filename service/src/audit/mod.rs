//! AuditService, which judges whole logs by nothing but their own bytes.
//!
//! `intake` reads a log and limits it, `step_audit` watches the records asked for, `record`, `report`, `step`,
//! `describe` and `explain` write the answers.

mod describe;
mod explain;
pub mod intake;
mod record;
mod report;
mod step;
mod step_audit;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use canasta_proto::v1::audit_service_server::AuditService;
use canasta_proto::v1::*;
use tonic::{Request, Response, Status, Streaming};

use crate::account::CallerAccount;
use crate::context::RequestContext;
use crate::identity::Caller;
use crate::telemetry::trail::Trail;
use crate::workers::WorkerPool;

/// The handler of AuditService. It keeps nothing of any log.
pub struct AuditHandler {
    ctx: Arc<RequestContext>,
    workers: WorkerPool,
}

impl AuditHandler {
    pub fn new(ctx: Arc<RequestContext>) -> Self {
        Self { workers: WorkerPool::for_logs(&ctx.telemetry), ctx }
    }
}

#[tonic::async_trait]
impl AuditService for AuditHandler {
    async fn audit_log(
        &self,
        request: Request<Streaming<AuditLogRequest>>,
    ) -> Result<Response<AuditLogResponse>, Status> {
        let (workers, trail) = (self.workers.of(CallerAccount::of(&request).key()), Trail::of(&request));
        let (caller, stream) = Caller::split(request)?;
        Ok(Response::new(report::answer(&self.ctx, &workers, &caller, &trail, stream).await?))
    }

    async fn get_step(
        &self,
        request: Request<Streaming<GetStepRequest>>,
    ) -> Result<Response<GetStepResponse>, Status> {
        let (workers, trail) = (self.workers.of(CallerAccount::of(&request).key()), Trail::of(&request));
        let (caller, stream) = Caller::split(request)?;
        Ok(Response::new(step::answer(&self.ctx, &workers, &caller, &trail, stream).await?))
    }

    async fn describe_log(
        &self,
        request: Request<Streaming<DescribeLogRequest>>,
    ) -> Result<Response<DescribeLogResponse>, Status> {
        let (workers, trail) = (self.workers.of(CallerAccount::of(&request).key()), Trail::of(&request));
        let (caller, stream) = Caller::split(request)?;
        Ok(Response::new(describe::answer(&self.ctx, &workers, &caller, &trail, stream).await?))
    }

    async fn explain_step(
        &self,
        request: Request<Streaming<ExplainStepRequest>>,
    ) -> Result<Response<ExplainStepResponse>, Status> {
        let (workers, trail) = (self.workers.of(CallerAccount::of(&request).key()), Trail::of(&request));
        let (caller, stream) = Caller::split(request)?;
        Ok(Response::new(explain::answer(&self.ctx, &workers, &caller, &trail, stream).await?))
    }
}
