//! `rules search` and `rules penalties`: laws by words, and what may be ruled under them.

use crate::rulesets::house::RuleSetFile;
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::json::{present, translations};
use canasta_engine::irregularity::search::{LawSearch, Subject};
use canasta_engine::irregularity::{self, LawSanction, law_text};
use canasta_engine::rulebook::Rule;
use canasta_engine::rulebook::penalties::PENALTIES_VERSION;
use canasta_engine::text::words;
use canasta_engine::violations::template::Language;
use clap::builder::RangedU64ValueParser;
use serde_json::{Value, json};
use std::io::Write;

/// Maximum size of the words of a search, in bytes.
const WORDS_BYTES_MAX: usize = 1024;

/// Number of characters of a text that a search shows.
const SHOWN: usize = 100;

/// The arguments of `rules search`.
#[derive(clap::Args, Debug)]
pub struct SearchArgs {
    /// The words, in any order and form: exposed card
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// Only rules of the books of this rule set: a preset, or a file of house rules
    #[arg(long, value_name = "ID|FILE")]
    ruleset: Option<String>,
    /// Maximum number of answers, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = RangedU64ValueParser::<u8>::new().range(1..=100))]
    most: u8,
    /// Format of the answers
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

/// The arguments of `rules penalties`.
#[derive(clap::Args, Debug)]
pub struct PenaltiesArgs {
    /// Format of the list
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

/// Finds irregularities, rules and codes.
pub fn search(args: &SearchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let words = args.words.join(" ");
    anyhow::ensure!(words.len() <= WORDS_BYTES_MAX, "expected at most {WORDS_BYTES_MAX} bytes of words");
    let rules = args.ruleset.as_ref().map(|id| RuleSetFile::find(id, io)?.playable()).transpose()?;
    let is_asked = |subject: &Subject| match (&rules, subject) {
        (Some(rules), Subject::Rule(rule)) => rules.books().cover(rule.id),
        _ => true,
    };
    let under = rules.as_ref().map(|rules| (rules.set(), rules.books()));
    let search = LawSearch::of_everything();
    if io.is_language_open {
        io.language = search.language_of(&words);
    }
    let language = io.language;
    let found = search.find(&words, under, usize::MAX).into_iter().filter(is_asked);
    let hits: Vec<Subject> = found.take(args.most.into()).collect();
    match args.format {
        OutputFormat::Json => {
            let hits: Value = hits.iter().map(hit_value).collect();
            io.write_value(&json!({"format": "canasta-search/1", "hits": hits}))?;
        }
        OutputFormat::Text => hits.iter().try_for_each(|hit| write(hit, language, &mut io.out))?,
    }
    if hits.is_empty() {
        io.remark(words::line("rule_no_hit", vec![], &words::plain(language)))?;
        return Ok(Exit::Failure);
    }
    Ok(Exit::Clean)
}

fn write(hit: &Subject, language: Language, out: &mut dyn Write) -> std::io::Result<()> {
    match hit {
        Subject::Irregularity(row) => {
            let mut laws: Vec<&str> = row.remedies().map(|remedy| remedy.law).collect();
            laws.reverse();
            laws.dedup();
            let name = row.name.of(language);
            writeln!(out, "{:<10} {name} (canasta-replay rule --law {})", laws.join(" "), laws[0])
        }
        Subject::Rule(rule) => writeln!(out, "{:<10} {}", rule.id, shortened(&whole(rule, language))),
        Subject::Code(entry) => writeln!(out, "{}  {}", entry.name, entry.summary),
    }
}

/// Returns the text of a rule, behind the question that it answers.
fn whole(rule: &Rule<'_>, language: Language) -> String {
    let text = law_text(rule.id, language);
    rule.question.map_or_else(|| text.to_owned(), |question| format!("{question} {text}"))
}

/// Returns the beginning of a text, up to the end of a word.
fn shortened(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    let cut: String = text.chars().take(SHOWN).collect();
    format!("{} ...", cut.rsplit_once(' ').map_or(&*cut, |(whole, _)| whole))
}

fn hit_value(hit: &Subject) -> Value {
    match hit {
        Subject::Irregularity(row) => {
            let laws: Vec<&str> = row.remedies().map(|remedy| remedy.law).collect();
            let text = |language| json!({"text": row.name.of(language)});
            json!({"kind": "irregularity", "id": row.id, "text": row.name.of(Language::English), "laws": laws,
                "translations": translations(text)})
        }
        Subject::Rule(rule) => {
            present(json!({"kind": "rule", "id": rule.id, "text": rule.text, "question": rule.question}))
        }
        Subject::Code(entry) => json!({"kind": "code", "id": entry.name, "text": entry.summary}),
    }
}

/// Lists what may be ruled.
pub fn penalties(args: &PenaltiesArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.format == OutputFormat::Json {
        let laws: Value = irregularity::sanctions().map(|sanction| sanction_value(&sanction)).collect();
        let value = json!({"format": "canasta-penalties/1", "version": PENALTIES_VERSION, "laws": laws});
        io.write_value(&value)?;
        return Ok(Exit::Clean);
    }
    for sanction in irregularity::sanctions() {
        let (ruled, law) = (sanction.in_words(io.language), law_text(sanction.law, io.language));
        writeln!(io.out, "{}  {ruled}\n        {}", sanction.law, shortened(law))?;
    }
    Ok(Exit::Clean)
}

/// Returns what may be ruled under a law.
pub fn sanction_value(sanction: &LawSanction) -> Value {
    let (lowest, highest) = sanction.penalty.points;
    json!({
        "law": sanction.law,
        "recorded": sanction.recorded(),
        "points": {"lowest": lowest, "highest": highest},
        "by": sanction.penalty.authorities().collect::<Vec<_>>(),
        "effects": sanction.penalty.effects().collect::<Vec<_>>(),
    })
}
