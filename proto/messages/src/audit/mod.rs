//! The answers of AuditService, which judges whole logs by nothing but their own bytes.
//!
//! `messages` has the streams of the methods, `open_audit` watches the records of a log, `query` asks and answers; `record`,
//! `report`, `describe` and `explain` write the answers.

pub mod describe;
pub mod explain;
pub mod messages;
pub mod open_audit;
pub mod query;
pub mod record;
pub mod report;

use canasta_proto::v1::log_answer::Answer;
use canasta_proto::v1::{
    AskLogRequest, AskLogResponse, AuditLogRequest, DescribeLogRequest, ExplainStepRequest, GetStepRequest,
    LogAnswer,
};
use prost::Message;
use prost::bytes::Buf;

use self::messages::{LogMessage, LogPart};
use self::open_audit::{FinishedAudit, OpenAudit};
use self::query::{Asked, LogQuery};
use crate::convert::field::{fault, item, missing, within};
use crate::fault::{OrFault, RequestFault};

/// Answers a method of AuditService, by its name in the proto file. The request is the stream of its messages, each behind
/// its length as a varint.
///
/// # Errors
/// If there is no such method, the request cannot be decoded, or it is not answered.
pub fn call(method: &str, request: &[u8]) -> OrFault<Vec<u8>> {
    match method {
        "AuditLog" => answer::<AuditLogRequest>(request),
        "GetStep" => answer::<GetStepRequest>(request),
        "ExplainStep" => answer::<ExplainStepRequest>(request),
        "DescribeLog" => answer::<DescribeLogRequest>(request),
        "AskLog" => {
            let (audit, queries) = read::<AskLogRequest>(request)?;
            let answers = query::write_all(&audit, &queries, located_in_list, &|| false)?;
            let answers = answers.into_iter().map(|answer| LogAnswer { answer: Some(answer) }).collect();
            Ok(AskLogResponse { answers }.encode_to_vec())
        }
        _ => Err(RequestFault::Unimplemented(format!("there is no method {method:?} without a server"))),
    }
}

/// Adds the path of a question of AskLog in front of its faults.
pub fn located_in_list(
    at: usize,
    asked: &Asked,
    faults: crate::fault::FieldFaults,
) -> crate::fault::FieldFaults {
    within("ask")(within("questions")(item(at)(within(query::name(asked))(faults))))
}

fn answer<M: LogMessage>(request: &[u8]) -> OrFault<Vec<u8>> {
    let (audit, queries) = read::<M>(request)?;
    let located = |_: usize, _: &Asked, faults| within(M::QUESTION)(faults);
    let answers = query::write_all(&audit, &queries, located, &|| false)?;
    Ok(match answers.into_iter().next().ok_or(RequestFault::Internal)? {
        Answer::Audit(answer) => answer.encode_to_vec(),
        Answer::Step(answer) => answer.encode_to_vec(),
        Answer::Explanation(answer) => answer.encode_to_vec(),
        Answer::Description(answer) => answer.encode_to_vec(),
    })
}

/// Reads the questions, and feeds the log that follows to the audits which answer them.
pub(crate) fn read<M: LogMessage>(mut request: &[u8]) -> OrFault<(FinishedAudit, Vec<LogQuery>)> {
    let wrong = |problem| RequestFault::from(within(M::QUESTION)(problem));
    let mut next = || {
        let message = request.has_remaining().then(|| M::decode_length_delimited(&mut request)).transpose();
        message.map_err(|error| RequestFault::undecodable(&error.to_string()))
    };
    let Some(LogPart::Question(question)) = next()?.and_then(M::part) else { return Err(wrong(missing())) };
    let queries = M::queries(question).map_err(wrong)?;
    let wanted = query::wanted(&queries).map_err(wrong)?;
    let mut audit = OpenAudit::new(query::expected(&queries), wanted);
    while let Some(message) = next()? {
        match message.part() {
            Some(LogPart::Chunk(chunk)) => audit.feed(&chunk),
            Some(LogPart::Question(_)) => return Err(wrong(fault("must come once, in the first message"))),
            None => return Err(RequestFault::from(within("chunk")(missing()))),
        }
    }
    Ok((audit.finish(), queries))
}
