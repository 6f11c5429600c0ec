//! Method DescribeLog.

use canasta_engine::action::As;
use canasta_engine::log::Record;
use canasta_engine::log::audit::Report;
use canasta_proto::v1::{
    DescribeLogRequest, DescribeLogResponse, DescribeQuestion, LogStep, Unknown, describe_log_request::Part,
};
use tonic::{Status, Streaming};

use super::intake::{self, LogMessage};
use super::step::{caused, within_answer};
use super::step_audit::{FoundRecord, FoundRecords, RecordFacts, StepAudit, StepDetail};
use crate::context::RequestContext;
use crate::convert::field::{all, fault, within};
use crate::convert::identity;
use crate::identity::Caller;
use crate::status::RequestFault;
use crate::telemetry::method::Method;
use crate::telemetry::trail::Trail;
use crate::workers::{CallerWorkers, CancelOnDrop};

/// Maximum number of records in an answer.
const STEPS_MAX: u64 = 500;

/// The asker, and the numbers of the first and the last record.
type Asked = (As, u64, u64);

/// Answers the records of a part of a log, and what they caused.
pub async fn answer(
    ctx: &RequestContext,
    workers: &CallerWorkers,
    caller: &Caller,
    trail: &Trail,
    stream: Streaming<DescribeLogRequest>,
) -> Result<DescribeLogResponse, Status> {
    let cancel = CancelOnDrop::default();
    let split = |request: DescribeLogRequest| {
        request.part.map(|part| match part {
            Part::Question(question) => LogMessage::Question(question),
            Part::Chunk(chunk) => LogMessage::Chunk(chunk),
        })
    };
    let (audit, asked) = intake::read(workers, Method::DESCRIBE_LOG, &cancel, stream, split, open).await?;
    let (who, from, _) = asked;
    let found = workers.run(Method::DESCRIBE_LOG, move || audit.find()).await??;
    let allowed = ctx.may_audit(caller, trail, found.report.genesis.as_ref(), who);
    allowed.map_err(|fault| fault.within(within("question")))?;
    found.of(from).map_err(|fault| RequestFault::from(within("question")(within("from")(fault))))?;
    Ok(workers.run(Method::DESCRIBE_LOG, move || write(&found, asked)).await?)
}

fn open(question: DescribeQuestion) -> Result<(StepAudit, Asked), RequestFault> {
    let (from, to) = (question.from, question.to.unwrap_or(u64::MAX));
    let order =
        if to < from { Err(within("to")(fault(format!("{to}, expected at least {from}")))) } else { Ok(()) };
    let (who, ()) = all((identity::read(question.actor), order))?;
    let records = (from..=to.min(from.saturating_add(STEPS_MAX - 1))).collect();
    Ok((StepAudit::of_records(records, StepDetail::Events), (who, from, to)))
}

fn write(found: &FoundRecords, (who, from, to): Asked) -> DescribeLogResponse {
    let step = |(facts, record): &(RecordFacts, FoundRecord)| LogStep {
        unknown: missing(facts, record, &found.report).into(),
        ..caused(facts, record, who)
    };
    let steps = within_answer(found.all().iter().map(step));
    let next = from + steps.len() as u64;
    let more = next <= to && found.last.is_some_and(|last| next <= last);
    DescribeLogResponse { steps, next: more.then_some(next) }
}

/// Returns why it is not known what a record caused.
fn missing(facts: &RecordFacts, found: &FoundRecord, report: &Report) -> Unknown {
    let is_known = match &found.record {
        Record::Action(_) => facts.events.is_some() || facts.illegal.is_some(),
        Record::Refusal(_) => facts.refused.is_some(),
        Record::RoundEnd(_) => facts.score.is_some(),
        _ => true,
    };
    if is_known { Unknown::Unspecified } else { facts.unknown(report) }
}
