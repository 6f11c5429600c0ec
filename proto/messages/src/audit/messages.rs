//! The streams of requests about a log.

use super::query::{self, Asked, LogQuery};
use crate::convert::field::{Read, item, within};
use crate::fault::FieldFaults;
use canasta_proto::v1::log_answer::Answer;
use canasta_proto::v1::*;
use prost::Message;

/// A message of a stream of requests about a log.
pub trait LogMessage: Message + Default {
    /// The first message of the stream.
    type Question;
    type Answer: Message;
    /// Name of the field that holds the question.
    const QUESTION: &'static str;

    fn queries(question: Self::Question) -> Read<Vec<LogQuery>>;

    /// Returns the content; `None` if the message is empty.
    fn part(self) -> Option<LogPart<Self::Question>>;

    /// Adds the path of a question in front of its faults: of the question at this place, with this content.
    fn located(_at: usize, _asked: &Asked, faults: FieldFaults) -> FieldFaults {
        within(Self::QUESTION)(faults)
    }

    /// Returns the answer to the stream; `None` if these answer other questions.
    fn answer(answers: Vec<Answer>) -> Option<Self::Answer>;
}

/// The content of a message of the stream.
pub enum LogPart<Q> {
    Question(Q),
    Chunk(Vec<u8>),
}

/// The requests that bring one question first, and then the pieces of a log.
macro_rules! log_messages {
    ($($request:ty, $part:ident($question:ty), $read:expr => $answer:ident($response:ty);)*) => {
        $(impl LogMessage for $request {
            type Question = $question;
            type Answer = $response;
            const QUESTION: &'static str = "question";

            fn queries(question: $question) -> Read<Vec<LogQuery>> {
                let read: fn($question) -> Read<LogQuery> = $read;
                Ok(vec![read(question)?])
            }

            fn part(self) -> Option<LogPart<$question>> {
                self.part.map(|part| match part {
                    $part::Part::Question(question) => LogPart::Question(question),
                    $part::Part::Chunk(chunk) => LogPart::Chunk(chunk),
                })
            }

            fn answer(answers: Vec<Answer>) -> Option<$response> {
                answers.into_iter().next().and_then(|answer| match answer {
                    Answer::$answer(answer) => Some(answer),
                    _ => None,
                })
            }
        })*
    };
}

log_messages! {
    AuditLogRequest, audit_log_request(AuditQuestion),
        query::read_report => Audit(AuditLogResponse);
    GetStepRequest, get_step_request(StepQuestion),
        |asked| query::read_step(asked, Asked::Step) => Step(GetStepResponse);
    ExplainStepRequest, explain_step_request(StepQuestion),
        |asked| query::read_step(asked, Asked::Explanation) => Explanation(ExplainStepResponse);
    DescribeLogRequest, describe_log_request(DescriptionQuestion),
        query::read_description => Description(DescribeLogResponse);
}

impl LogMessage for AskLogRequest {
    type Question = LogQuestions;
    type Answer = AskLogResponse;
    const QUESTION: &'static str = "ask";

    fn queries(questions: LogQuestions) -> Read<Vec<LogQuery>> {
        query::read_all(questions)
    }

    fn part(self) -> Option<LogPart<LogQuestions>> {
        self.part.map(|part| match part {
            ask_log_request::Part::Ask(questions) => LogPart::Question(questions),
            ask_log_request::Part::Chunk(chunk) => LogPart::Chunk(chunk),
        })
    }

    fn located(at: usize, asked: &Asked, faults: FieldFaults) -> FieldFaults {
        within(Self::QUESTION)(within("questions")(item(at)(within(query::name(asked))(faults))))
    }

    fn answer(answers: Vec<Answer>) -> Option<AskLogResponse> {
        let answers = answers.into_iter().map(|answer| LogAnswer { answer: Some(answer) }).collect();
        Some(AskLogResponse { answers })
    }
}
