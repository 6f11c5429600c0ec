//! Method ExplainRuleSet.

use canasta_engine::explanation::SaidSection;
use canasta_engine::rules::RuleSet;
use canasta_engine::violations::template::Language;
use canasta_proto::v1::{
    ExplainRuleSetRequest, ExplainRuleSetResponse, ExplanationSection, ExplanationSentence,
};

use super::get_catalogue::language;
use crate::convert::field::{Read, all, fault, within};
use crate::convert::new_game::{self, preset};
use crate::fault::OrFault;

/// Answers the rules of a preset, or of a canonical form, in sentences.
pub fn answer(request: ExplainRuleSetRequest) -> OrFault<ExplainRuleSetResponse> {
    let base = request.id.split('+').next().unwrap_or_default().to_owned();
    let base = preset(base, "id")?;
    let (set, language) = all((
        canonical(request.canonical).map_err(within("canonical")),
        language(request.language_code).map_err(within("language_code")),
    ))?;
    let set = set.unwrap_or_else(|| base.rule_set());
    let sections = set.explanation(&set.books(base), language.unwrap_or(Language::English));
    Ok(ExplainRuleSetResponse { sections: sections.into_iter().map(message).collect() })
}

/// Reads a canonical form that can be played, if there is one.
fn canonical(form: String) -> Read<Option<RuleSet>> {
    if form.is_empty() {
        return Ok(None);
    }
    let set = new_game::canonical(form)?;
    match set.validate() {
        Ok(()) => Ok(Some(set)),
        Err(_) => Err(fault("knobs that contradict each other, as GetRuleSet says")),
    }
}

fn message(section: SaidSection) -> ExplanationSection {
    let sentences = section.sentences.into_iter().map(|sentence| ExplanationSentence {
        text: sentence.text,
        rule_ids: sentence.rule_ids.into_iter().map(String::from).collect(),
    });
    ExplanationSection {
        name: section.name.into(),
        title: section.title.into(),
        sentences: sentences.collect(),
    }
}
