//! Method GetRule.

use canasta_engine::irregularity;
use canasta_engine::irregularity::search::{LawSearch, Subject};
use canasta_engine::rulebook;
use canasta_engine::rules::{PresetId, RuleSet};
use canasta_engine::violations::template::Language;
use canasta_engine::violations::{CatalogueEntry, Code};
use canasta_proto::v1::{
    CodeEntry, GetRuleRequest, GetRuleResponse, Rule, RuleMatch, RuleMatches, WordingKind,
    get_rule_request::Key, get_rule_response as response, rule_match::Found,
};
use std::sync::LazyLock;

use super::get_catalogue::language;
use crate::convert::field::{one_of, text, within};
use crate::convert::new_game::canonical;
use crate::fault::{OrFault, RequestFault};
use crate::limits::ID_BYTES_MAX;
use crate::words;

/// Maximum length of the words of a search, in bytes.
const WORDS_BYTES_MAX: usize = 256;

/// Maximum number of answers of a search.
const MATCHES_MAX: usize = 20;

/// The search through the whole rulebook, which never changes.
static SEARCH: LazyLock<LawSearch> = LazyLock::new(LawSearch::of_everything);

/// Answers a rule of the rulebook, or a code of the catalogue.
pub fn answer(request: GetRuleRequest) -> OrFault<GetRuleResponse> {
    let language = language(request.language_code).map_err(within("language_code"))?;
    let set = Some(request.canonical).filter(|text| !text.is_empty());
    let set = set.map(canonical).transpose().map_err(within("canonical"))?;
    let entry = match one_of(request.key).map_err(within("key"))? {
        Key::RuleId(id) => {
            let id = text(id, ID_BYTES_MAX).map_err(within("rule_id"))?;
            response::Entry::Rule(rule(id, language.unwrap_or(Language::English))?)
        }
        Key::Code(name) => response::Entry::Code(code(text(name, ID_BYTES_MAX).map_err(within("code"))?)?),
        Key::Words(words) => {
            let words = text(words, WORDS_BYTES_MAX).map_err(within("words"))?;
            let language = language.unwrap_or_else(|| SEARCH.language_of(&words));
            response::Entry::Matches(matches(&words, set.as_ref(), language))
        }
    };
    Ok(GetRuleResponse { entry: Some(entry) })
}

fn rule(id: String, language: Language) -> OrFault<Rule> {
    let rule = rulebook::rule(&id).ok_or_else(|| RequestFault::NotFound(format!("rule {id:?}")))?;
    Ok(Rule {
        id: rule.id.into(),
        section: rule.section.into(),
        text: irregularity::law_text(rule.id, language).into(),
        lines: rule.lines.into(),
        question: rule.question.unwrap_or_default().into(),
        decided_by: rule.decision.map(|decision| decision.by.into()).unwrap_or_default(),
        why: rule.decision.map(|decision| decision.why.into()).unwrap_or_default(),
        ruling: irregularity::sanction(rule.id)
            .map(|sanction| sanction.in_words(language))
            .unwrap_or_default(),
    })
}

fn code(name: String) -> OrFault<CodeEntry> {
    let code = Code::from_name(&name).ok_or_else(|| RequestFault::NotFound(format!("code {name:?}")))?;
    let entry: &CatalogueEntry = code.entry();
    Ok(CodeEntry {
        code: entry.name.into(),
        summary: entry.summary.into(),
        since: entry.since.into(),
        facts: words::facts(WordingKind::Code, entry.name, entry.facts),
        rule_ids: entry.rules().map(String::from).collect(),
        page: entry.page().into(),
        irregularities: irregularity::lines_of(code),
    })
}

fn matches(words: &str, set: Option<&RuleSet>, language: Language) -> RuleMatches {
    let found = |subject: Subject| {
        let (found, text, laws) = match subject {
            Subject::Rule(rule) => {
                (Found::RuleId(rule.id.into()), irregularity::law_text(rule.id, language), Vec::new())
            }
            Subject::Code(entry) => (Found::Code(entry.name.into()), entry.summary, Vec::new()),
            Subject::Irregularity(row) => {
                let laws = row.remedies().map(|remedy| remedy.law.into()).collect();
                (Found::Irregularity(row.id.into()), row.name.of(language), laws)
            }
        };
        RuleMatch { found: Some(found), text: text.into(), laws }
    };
    let under = set.map(|set| (set, set.books(PresetId::nearest(set))));
    RuleMatches { matches: SEARCH.find(words, under, MATCHES_MAX).into_iter().map(found).collect() }
}
