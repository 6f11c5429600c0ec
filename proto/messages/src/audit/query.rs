//! Questions about a log, and their answers.

use std::collections::BTreeSet;

use canasta_engine::action::As;
use canasta_engine::log::audit::{Expect, Report};
use canasta_proto::v1::log_answer::Answer;
use canasta_proto::v1::{
    AuditQuestion, DescriptionQuestion, LogQuestions, StepQuestion, log_question::Question,
};

use super::describe::{self, RecordPage};
use super::open_audit::{FinishedAudit, FoundRecords, RecordFacts};
use super::{explain, report};
use crate::convert::field::{Read, all, at_most, each, fault, item, missing, one_of, required, within};
use crate::convert::identity;
use crate::fault::{FieldFaults, OrFault, RequestFault};
use crate::limits::ANSWER_BYTES_MAX;

/// Maximum number of questions about one log.
const QUESTIONS_MAX: usize = 64;

/// Maximum number of records that questions about one log ask for.
const ASKED_RECORDS_MAX: usize = 1024;

/// A question about a log.
pub struct LogQuery {
    pub who: As,
    pub asked: Asked,
}

/// The content of a question.
pub enum Asked {
    Report(Expect),
    Step(u64),
    Explanation(u64),
    Description(RecordPage),
}

/// Adds the path of a question in front of its faults: of the question at this place, with this content.
pub type Located = fn(usize, &Asked, FieldFaults) -> FieldFaults;

pub fn read_report(question: AuditQuestion) -> Read<LogQuery> {
    report::read(question).map(|(who, expect)| LogQuery { who, asked: Asked::Report(expect) })
}

pub fn read_description(question: DescriptionQuestion) -> Read<LogQuery> {
    describe::read(question).map(|(who, page)| LogQuery { who, asked: Asked::Description(page) })
}

/// Reads the question of GetStep or ExplainStep.
pub fn read_step(question: StepQuestion, asked: fn(u64) -> Asked) -> Read<LogQuery> {
    let n = required(question.n).map_err(within("n"));
    let (who, n) = all((identity::read(question.actor), n))?;
    Ok(LogQuery { who, asked: asked(n) })
}

pub fn read_all(ask: LogQuestions) -> Read<Vec<LogQuery>> {
    if ask.questions.is_empty() {
        return Err(within("questions")(missing()));
    }
    let queries: Vec<_> = at_most(&ask.questions, QUESTIONS_MAX)
        .and_then(|()| each(ask.questions, |question| one_of(question.question).and_then(read_one)))
        .map_err(within("questions"))?;
    let mut reports = queries.iter().enumerate().filter(|(_, query)| matches!(query.asked, Asked::Report(_)));
    match reports.nth(1) {
        Some((at, query)) => Err(within("questions")(item(at)(within(name(&query.asked))(fault(
            "is the second audit, expected one at most",
        ))))),
        None => Ok(queries),
    }
}

fn read_one(question: Question) -> Read<LogQuery> {
    match question {
        Question::Audit(question) => read_report(question).map_err(within("audit")),
        Question::Step(question) => read_step(question, Asked::Step).map_err(within("step")),
        Question::Explanation(question) => {
            read_step(question, Asked::Explanation).map_err(within("explanation"))
        }
        Question::Description(question) => read_description(question).map_err(within("description")),
    }
}

/// Returns the name of the field of a question with this content.
pub fn name(asked: &Asked) -> &'static str {
    match asked {
        Asked::Report(_) => "audit",
        Asked::Step(_) => "step",
        Asked::Explanation(_) => "explanation",
        Asked::Description(_) => "description",
    }
}

pub fn expected(queries: &[LogQuery]) -> Option<Expect> {
    queries.iter().find_map(|query| match &query.asked {
        Asked::Report(expect) => Some(*expect),
        _ => None,
    })
}

/// Returns the numbers of the records that are asked for.
pub fn wanted(queries: &[LogQuery]) -> Read<BTreeSet<u64>> {
    let mut wanted = BTreeSet::new();
    for query in queries {
        match &query.asked {
            Asked::Report(_) => {}
            Asked::Step(n) | Asked::Explanation(n) => {
                wanted.insert(*n);
            }
            Asked::Description(page) => wanted.extend(page.records.clone()),
        }
    }
    if wanted.len() > ASKED_RECORDS_MAX {
        let problem = format!("{} records, expected at most {ASKED_RECORDS_MAX} together", wanted.len());
        return Err(within("questions")(fault(problem)));
    }
    Ok(wanted)
}

/// Writes answers in order, as many as fit. `is_over` is asked before each of them, and before each record of a page.
pub fn write_all(
    audit: &FinishedAudit,
    queries: &[LogQuery],
    located: Located,
    is_over: &dyn Fn() -> bool,
) -> OrFault<Vec<Answer>> {
    let (mut answers, mut length) = (Vec::new(), 0);
    for (at, query) in queries.iter().enumerate() {
        if is_over() {
            return Err(RequestFault::Deadline);
        }
        let answer = write_one(audit, query, is_over)
            .map_err(|fault| fault.within(|faults| located(at, &query.asked, faults)))?;
        // The tags and lengths of the fields around it are the last few bytes.
        length += answer.encoded_len() + 16;
        if length > ANSWER_BYTES_MAX && at > 0 {
            break;
        }
        answers.push(answer);
    }
    Ok(answers)
}

fn write_one(
    audit: &FinishedAudit,
    LogQuery { who, asked }: &LogQuery,
    is_over: &dyn Fn() -> bool,
) -> OrFault<Answer> {
    Ok(match asked {
        Asked::Report(_) => {
            Answer::Audit(report::write(audit.report.as_ref().ok_or(RequestFault::Internal)?, *who))
        }
        Asked::Step(n) => {
            let (report, facts) = record(audit, *n)?;
            Answer::Step(describe::write_step(facts, report, *who))
        }
        Asked::Explanation(n) => {
            let (report, facts) = record(audit, *n)?;
            Answer::Explanation(explain::write(facts, report, *who))
        }
        Asked::Description(page) => {
            let (report, found) = records(audit)?;
            Answer::Description(page.write(found, report, *who, is_over)?)
        }
    })
}

fn records(audit: &FinishedAudit) -> OrFault<(&Report, &FoundRecords)> {
    audit.records.as_ref().map(|(report, found)| (report, found)).ok_or(RequestFault::Internal)
}

pub(crate) fn record(audit: &FinishedAudit, n: u64) -> OrFault<(&Report, &RecordFacts)> {
    let (report, found) = records(audit)?;
    let facts = found.range(&(n..=n)).map_err(|fault| fault.within(within("n")))?;
    Ok((report, facts.first().ok_or(RequestFault::Internal)?))
}
