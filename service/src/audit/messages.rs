//! The streams of requests about a log.

use canasta_proto::v1::*;

use super::intake::{LogMessage, LogPart};

impl LogMessage for AuditLogRequest {
    type Question = AuditQuestion;
    const QUESTION: &'static str = "question";

    fn part(self) -> Option<LogPart<AuditQuestion>> {
        use audit_log_request::Part;
        self.part.map(|part| match part {
            Part::Question(question) => LogPart::Question(question),
            Part::Chunk(chunk) => LogPart::Chunk(chunk),
        })
    }
}

impl LogMessage for GetStepRequest {
    type Question = StepQuestion;
    const QUESTION: &'static str = "question";

    fn part(self) -> Option<LogPart<StepQuestion>> {
        use get_step_request::Part;
        self.part.map(|part| match part {
            Part::Question(question) => LogPart::Question(question),
            Part::Chunk(chunk) => LogPart::Chunk(chunk),
        })
    }
}

impl LogMessage for ExplainStepRequest {
    type Question = StepQuestion;
    const QUESTION: &'static str = "question";

    fn part(self) -> Option<LogPart<StepQuestion>> {
        use explain_step_request::Part;
        self.part.map(|part| match part {
            Part::Question(question) => LogPart::Question(question),
            Part::Chunk(chunk) => LogPart::Chunk(chunk),
        })
    }
}

impl LogMessage for DescribeLogRequest {
    type Question = DescriptionQuestion;
    const QUESTION: &'static str = "question";

    fn part(self) -> Option<LogPart<DescriptionQuestion>> {
        use describe_log_request::Part;
        self.part.map(|part| match part {
            Part::Question(question) => LogPart::Question(question),
            Part::Chunk(chunk) => LogPart::Chunk(chunk),
        })
    }
}

impl LogMessage for AskLogRequest {
    type Question = LogQuestions;
    const QUESTION: &'static str = "ask";

    fn part(self) -> Option<LogPart<LogQuestions>> {
        use ask_log_request::Part;
        self.part.map(|part| match part {
            Part::Ask(ask) => LogPart::Question(ask),
            Part::Chunk(chunk) => LogPart::Chunk(chunk),
        })
    }
}
