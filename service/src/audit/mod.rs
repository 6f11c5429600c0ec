//! AuditService: whole logs, judged with nothing but their own bytes.
//!
//! `intake` takes a log in and bounds it, `follow` watches one record,
//! `record`, `report`, `step` and `explain` write the answers.

mod explain;
mod follow;
pub mod intake;
mod record;
mod report;
mod step;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use canasta_proto::v1::audit_service_server::AuditService;
use canasta_proto::v1::*;
use tokio::sync::Semaphore;
use tonic::{Request, Response, Status, Streaming};

use crate::bench::{self, Bench};
use crate::context::RequestContext;
use crate::identity::Caller;

/// The service. It keeps nothing of any log.
pub struct Audit {
    ctx: Arc<RequestContext>,
    seats: Arc<Semaphore>,
}

impl Audit {
    pub fn new(ctx: Arc<RequestContext>) -> Self {
        Self { ctx, seats: bench::seats_for_logs() }
    }
}

#[tonic::async_trait]
impl AuditService for Audit {
    async fn audit_log(
        &self,
        request: Request<Streaming<AuditLogRequest>>,
    ) -> Result<Response<AuditLogResponse>, Status> {
        let (caller, stream) = Caller::split(request)?;
        let bench = Bench::new(&self.seats, &self.ctx, "AuditLog");
        Ok(Response::new(report::answer(&self.ctx, &bench, &caller, stream).await?))
    }

    async fn get_step(
        &self,
        request: Request<Streaming<GetStepRequest>>,
    ) -> Result<Response<GetStepResponse>, Status> {
        let (caller, stream) = Caller::split(request)?;
        let bench = Bench::new(&self.seats, &self.ctx, "GetStep");
        Ok(Response::new(step::answer(&self.ctx, &bench, &caller, stream).await?))
    }

    async fn explain_step(
        &self,
        request: Request<Streaming<ExplainStepRequest>>,
    ) -> Result<Response<ExplainStepResponse>, Status> {
        let (caller, stream) = Caller::split(request)?;
        let bench = Bench::new(&self.seats, &self.ctx, "ExplainStep");
        Ok(Response::new(explain::answer(&self.ctx, &bench, &caller, stream).await?))
    }
}
