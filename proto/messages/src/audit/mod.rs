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

use canasta_proto::v1::{
    AskLogRequest, AuditLogRequest, DescribeLogRequest, ExplainStepRequest, GetStepRequest,
};
use prost::Message;
use prost::bytes::Buf;

use self::messages::{LogMessage, LogPart};
use self::open_audit::{FinishedAudit, OpenAudit};
use self::query::LogQuery;
use crate::answers::unknown;
use crate::convert::field::{fault, missing, within};
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
        "AskLog" => answer::<AskLogRequest>(request),
        _ => Err(unknown(method)),
    }
}

fn answer<M: LogMessage>(request: &[u8]) -> OrFault<Vec<u8>> {
    let (audit, queries) = read::<M>(request)?;
    let answers = query::write_all(&audit, &queries, M::located, &|| false)?;
    Ok(M::answer(answers).ok_or(RequestFault::Internal)?.encode_to_vec())
}

/// Reads the questions, and feeds the log that follows to the audits which answer them.
pub(crate) fn read<M: LogMessage>(mut request: &[u8]) -> OrFault<(FinishedAudit, Vec<LogQuery>)> {
    let mut next = || {
        let message = request.has_remaining().then(|| M::decode_length_delimited(&mut request)).transpose();
        message.map_err(|error| RequestFault::undecodable(&error.to_string()))
    };
    let (mut audit, queries, _) = begin::<M>(next()?)?;
    while let Some(message) = next()? {
        audit.feed(&chunk(message)?);
    }
    Ok((audit.finish(), queries))
}

/// Reads the questions in the first message of a stream, and begins the audits that answer them. Returns both, and the number
/// of records that are asked for.
///
/// # Errors
/// If the message has no questions, or one of them is malformed.
pub fn begin<M: LogMessage>(first: Option<M>) -> OrFault<(OpenAudit, Vec<LogQuery>, usize)> {
    let read = || {
        let Some(LogPart::Question(question)) = first.and_then(M::part) else { return Err(missing()) };
        let queries = M::queries(question)?;
        let wanted = query::wanted(&queries)?;
        let count = wanted.len();
        Ok((OpenAudit::new(query::expected(&queries), wanted), queries, count))
    };
    Ok(read().map_err(within(M::QUESTION))?)
}

/// Returns the piece of the log in a later message of a stream.
///
/// # Errors
/// If the message has none.
pub fn chunk<M: LogMessage>(message: M) -> OrFault<Vec<u8>> {
    match message.part() {
        Some(LogPart::Chunk(chunk)) => Ok(chunk),
        Some(LogPart::Question(_)) => {
            Err(within(M::QUESTION)(fault("must come once, in the first message")).into())
        }
        None => Err(within("chunk")(missing()).into()),
    }
}
