//! The streams of requests about a log.

use super::query::{self, Asked, LogQuery};
use crate::convert::field::Read;
use canasta_proto::v1::*;
use prost::Message;

/// A message of a stream of requests about a log.
pub trait LogMessage: Message + Default {
    /// The first message of the stream.
    type Question;
    /// Name of the field that holds the question.
    const QUESTION: &'static str;

    fn queries(question: Self::Question) -> Read<Vec<LogQuery>>;

    /// Returns the content; `None` if the message is empty.
    fn part(self) -> Option<LogPart<Self::Question>>;
}

/// The content of a message of the stream.
pub enum LogPart<Q> {
    Question(Q),
    Chunk(Vec<u8>),
}

/// The requests that bring a question first, in the field `$field`, and then the pieces of a log.
macro_rules! log_messages {
    ($($request:ty, $part:ident::$asks:ident($question:ty), $field:literal, $read:expr;)*) => {
        $(impl LogMessage for $request {
            type Question = $question;
            const QUESTION: &'static str = $field;

            fn queries(question: $question) -> Read<Vec<LogQuery>> {
                let read: fn($question) -> Read<Vec<LogQuery>> = $read;
                read(question)
            }

            fn part(self) -> Option<LogPart<$question>> {
                self.part.map(|part| match part {
                    $part::Part::$asks(question) => LogPart::Question(question),
                    $part::Part::Chunk(chunk) => LogPart::Chunk(chunk),
                })
            }
        })*
    };
}

log_messages! {
    AuditLogRequest, audit_log_request::Question(AuditQuestion), "question", |asked| Ok(vec![query::read_report(asked)?]);
    GetStepRequest, get_step_request::Question(StepQuestion), "question", |asked| Ok(vec![query::read_step(asked, Asked::Step)?]);
    ExplainStepRequest, explain_step_request::Question(StepQuestion), "question", |asked| Ok(vec![query::read_step(asked, Asked::Explanation)?]);
    DescribeLogRequest, describe_log_request::Question(DescriptionQuestion), "question", |asked| Ok(vec![query::read_description(asked)?]);
    AskLogRequest, ask_log_request::Ask(LogQuestions), "ask", query::read_all;
}
