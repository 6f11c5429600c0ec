//! The report for build servers: JUnit XML, one test case per log.

use super::Audited;
use super::games::{LogRelation, SettledGames};
use super::summary::AuditCounts;
use super::text;
use crate::shared::paths::{Failure, SortedFailures};
use crate::shared::text::count;
use quick_xml::escape::escape;
use std::io::{Result, Write};

/// Writes the head of the only suite. Every log is a test case: it fails if the log has findings, and is an error if
/// it could not be read. The cases of the logs follow, and then [`end`].
pub fn begin(counts: &AuditCounts, forks: u64, failures: u64, out: &mut dyn Write) -> Result<()> {
    let (tests, failed) = (counts.logs + failures + forks, counts.failed + forks);
    let counts = format!("tests=\"{tests}\" failures=\"{failed}\" errors=\"{failures}\"");
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites {counts}>\n<testsuite name=\"canasta-replay audit\" {counts}>")
}

/// Writes the cases of games that go two ways and of failures, and the end of the suite.
pub fn end(games: &mut SettledGames, failures: &mut SortedFailures, out: &mut dyn Write) -> Result<()> {
    for twice in games.twice()? {
        let twice = twice?;
        if twice.relation == LogRelation::Forked {
            let what = format!("another log of the game of {}", twice.first);
            out.write_all(case(&twice.second, "failure", "FORK", &what, &what).as_bytes())?;
        }
    }
    for failure in failures.iter()? {
        let Failure { path, error } = failure?;
        out.write_all(case(&path, "error", "FAILURE", &error, &error).as_bytes())?;
    }
    writeln!(out, "</testsuite>\n</testsuites>")
}

/// Returns the test case of one log.
pub fn log(log: &Audited) -> String {
    let report = &log.report;
    let Some(first) = report.findings.first() else {
        return match log.branch() {
            Some(fork) => case(&log.path, "skipped", "BRANCH", &fork.to_string(), ""),
            None => format!("<testcase classname=\"audit\" name=\"{}\"/>\n", clean(&log.path)),
        };
    };
    let more = report.findings.len() as u64 - 1 + report.left_off;
    let more = if more > 0 { format!(", and {}", count(more as i64, "finding")) } else { String::new() };
    let message = format!("{} at record {}{more}", first.kind.name(), first.record);
    case(&log.path, "failure", report.verdict.name(), &message, &text::log(log))
}

fn case(name: &str, element: &str, kind: &str, message: &str, body: &str) -> String {
    let [name, message, body] = [name, message, body].map(clean);
    format!(
        "<testcase classname=\"audit\" name=\"{name}\">\n<{element} type=\"{kind}\" message=\"{message}\">{body}</{element}>\n</testcase>\n"
    )
}

/// Escapes a text for XML, without the characters that XML does not allow.
fn clean(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'..);
    let text: String = text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect();
    escape(text.as_str()).into_owned()
}
