//! `explain`: explains a violation code, a rule, or the judgement of a record of a log.

pub(crate) mod record;

use crate::judging::disclosure::Disclosure;
use crate::rulesets::rules::find::sanction_value;
use crate::shared::caret::near;
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::json::present;
use crate::shared::text::list;
use anyhow::bail;
use canasta_engine::irregularity;
use canasta_engine::rulebook::{self, Rule};
use canasta_engine::violations::{ALL, CatalogueEntry, raised_by};
use serde_json::{Value, json};
use std::io::{Result, Write};
use std::path::Path;

/// The arguments of `explain`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A violation code (PILE_FROZEN_NEEDS_PAIR) or the id of a rule (CL-050), in any case; with --at, a log
    #[arg(value_name = "CODE, RULE OR LOG")]
    subject: String,
    /// Number of a record, from 0, as findings print it: explains why it was refused or allowed
    #[arg(long, value_name = "N")]
    at: Option<u64>,
    #[command(flatten)]
    disclosure: Disclosure,
    /// Format of the explanation
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Examples:
  canasta-replay explain PILE_FROZEN_NEEDS_PAIR      what is refused, what is still allowed, an example
  canasta-replay explain CL-050                      the rule, its source, the codes that cite it
  canasta-replay explain game.clog --at 765          why record 765 was refused or allowed, with numbers";

/// Explains the code, the rule or the record.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(at) = args.at {
        return record::run(Path::new(&args.subject), at, &args.disclosure, args.format, io);
    }
    let subject = args.subject.trim().to_ascii_uppercase();
    let json = args.format == OutputFormat::Json;
    if let Some(entry) = ALL.iter().find(|entry| entry.name == subject) {
        if json { writeln!(io.out, "{}", code_value(entry))? } else { write_code(entry, &mut io.out)? }
    } else if let Some(rule) = rulebook::rule(&subject) {
        if json { writeln!(io.out, "{}", rule_value(&rule))? } else { write_rule(&rule, &mut io.out)? }
    } else {
        bail!("{}", unknown(&args.subject, &subject));
    }
    Ok(Exit::Clean)
}

fn unknown(given: &str, subject: &str) -> String {
    let codes = list(raised_by(subject).map(|code| code.name()));
    if !codes.is_empty() {
        return format!("the book of rule {subject} is not here yet; codes it raises: {codes}");
    }
    if Path::new(given).is_file() {
        return format!("{given:?} is a file: --at N explains a record of a log");
    }
    let names = ALL.iter().map(|entry| entry.name).chain(rulebook::all().map(|rule| rule.id));
    let near = near(subject, names);
    let hint = if near.is_empty() { String::new() } else { format!("; near are: {}", near.join(" ")) };
    format!(
        "{given:?} is no violation code and no rule{hint}; canasta-replay rules search finds them by words"
    )
}

fn write_code(entry: &CatalogueEntry, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}\n", entry.page().trim_end())?;
    writeln!(out, "## At a table\n")?;
    for line in irregularity::lines_of(entry.code) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "\n## Rules that raise it\n")?;
    for id in entry.rules() {
        match rulebook::rule(id) {
            Some(rule) => writeln!(out, "{id}  {}", rule.text)?,
            None => writeln!(out, "{id}  (its book is not here yet)")?,
        }
    }
    let facts = list(entry.facts.iter().map(|fact| fact.name));
    if !facts.is_empty() {
        writeln!(out, "\nfacts {facts} · since {}", entry.since)?;
    }
    Ok(())
}

fn write_rule(rule: &Rule<'_>, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{} · {}\n", rule.id, rule.section)?;
    if let Some(question) = rule.question {
        writeln!(out, "Question: {question}\n")?;
    }
    writeln!(out, "{}\n", rule.text)?;
    if let Some(decision) = rule.decision {
        writeln!(out, "decided by {}: {}", decision.by, decision.why)?;
    }
    if !rule.lines.is_empty() {
        let cited = |key: &str| rule.lines.split(' ').any(|named| named == key);
        for source in rule.book.sources().filter(|source| cited(source.key)) {
            writeln!(out, "source {} (read: {})", source.name, source.read)?;
        }
        if !rule.book.source.is_empty() {
            writeln!(out, "source {} (not included), lines {}", rule.book.source, rule.lines)?;
        }
    }
    if let Some(sanction) = irregularity::sanction(rule.id) {
        writeln!(out, "a ruling: {sanction}")?;
    }
    let codes = list(raised_by(rule.id).map(|code| code.name()));
    if codes.is_empty() { writeln!(out, "raises no code") } else { writeln!(out, "raises {codes}") }
}

fn code_value(entry: &CatalogueEntry) -> Value {
    json!({
        "format": "canasta-explain/1",
        "code": entry.name,
        "summary": entry.summary,
        "since": entry.since,
        "facts": entry.facts.iter().map(|fact| fact.name).collect::<Vec<_>>(),
        "rule_ids": entry.rules().collect::<Vec<_>>(),
        "irregularities": irregularity::lines_of(entry.code),
        "page": entry.page(),
    })
}

fn rule_value(rule: &Rule<'_>) -> Value {
    let has_source = !rule.lines.is_empty();
    present(json!({
        "format": "canasta-explain/1",
        "rule": rule.id,
        "section": rule.section,
        "text": rule.text,
        "question": rule.question,
        "decided_by": rule.decision.map(|decision| decision.by),
        "why": rule.decision.map(|decision| decision.why),
        "source": has_source.then_some(rule.book.source),
        "lines": has_source.then_some(rule.lines),
        "ruling": irregularity::sanction(rule.id).map(|sanction| sanction_value(&sanction)),
        "codes": raised_by(rule.id).map(|code| code.name()).collect::<Vec<_>>(),
    }))
}
