//! Method GetRule.

use canasta_engine::rulebook;
use canasta_engine::violations::{CatalogueEntry, Code};
use canasta_proto::v1::{
    CodeEntry, GetRuleRequest, GetRuleResponse, Rule, WordingKind, get_rule_request::Key,
    get_rule_response as response,
};

use crate::convert::field::{required, text, within};
use crate::limits::ID_BYTES_MAX;
use crate::status::RequestFault;
use crate::words;

/// Answers a rule of the rulebook, or a code of the catalogue.
pub fn answer(request: GetRuleRequest) -> Result<GetRuleResponse, RequestFault> {
    let entry = match required(request.key).map_err(within("key"))? {
        Key::RuleId(id) => response::Entry::Rule(rule(text(id, ID_BYTES_MAX).map_err(within("rule_id"))?)?),
        Key::Code(name) => response::Entry::Code(code(text(name, ID_BYTES_MAX).map_err(within("code"))?)?),
    };
    Ok(GetRuleResponse { entry: Some(entry) })
}

fn rule(id: String) -> Result<Rule, RequestFault> {
    let rule = rulebook::rule(&id).ok_or_else(|| RequestFault::NotFound(format!("rule {id:?}")))?;
    Ok(Rule {
        id: rule.id.into(),
        section: rule.section.into(),
        text: rule.text.into(),
        lines: rule.lines.into(),
        question: rule.question.unwrap_or_default().into(),
        decided_by: rule.decision.map(|decision| decision.by.into()).unwrap_or_default(),
        why: rule.decision.map(|decision| decision.why.into()).unwrap_or_default(),
    })
}

fn code(name: String) -> Result<CodeEntry, RequestFault> {
    let code = Code::from_name(&name).ok_or_else(|| RequestFault::NotFound(format!("code {name:?}")))?;
    let entry: &CatalogueEntry = code.entry();
    Ok(CodeEntry {
        code: entry.name.into(),
        summary: entry.summary.into(),
        since: entry.since.into(),
        facts: words::facts(WordingKind::Code, entry.name, entry.facts),
        rule_ids: entry.rules().map(String::from).collect(),
        page: entry.page.into(),
    })
}
