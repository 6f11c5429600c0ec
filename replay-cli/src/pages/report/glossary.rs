//! The codes and rules that a page names, each once.

use super::game::ReportedGame;
use super::rows::cited;
use crate::shared::html::visible;
use canasta_engine::action::Action;
use canasta_engine::log::Record;
use canasta_engine::rulebook;
use canasta_engine::violations::Code;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Returns links to rules. The page's script shows the text of a rule beside its link.
pub fn rule_links<'a>(ids: impl IntoIterator<Item = &'a str>) -> Markup {
    html! {
        @for id in ids.into_iter().filter(|id| rulebook::rule(id).is_some()) {
            a class="rule" href={ "#rule-" (id) } { (id) } " "
        }
    }
}

/// Returns every code and rule that the game names; `None` if it names none.
pub fn glossary(game: &ReportedGame) -> Option<Markup> {
    let codes = codes(game);
    let mut ids: BTreeSet<String> = codes.iter().flat_map(|code| ids(code, game)).collect();
    for told in &game.records {
        if let Record::Action(record) = told.record()
            && let Action::Ruling(ruling) = &record.action
        {
            ids.insert(ruling.rule.clone());
        }
    }
    if codes.is_empty() && ids.is_empty() {
        return None;
    }
    Some(html! {
        dl class="rules" {
            @for code in &codes {
                @if let Some(known) = Code::from_name(code) {
                    dt id={ "code-" (code) } { code { (code) } }
                    dd { (visible(known.entry().summary)) }
                }
            }
            @for rule in ids.iter().filter_map(|id| rulebook::rule(id)) {
                dt id={ "rule-" (rule.id) } { (rule.id) " " span class="section" { (visible(rule.section)) } }
                dd {
                    @if let Some(question) = rule.question { i { (visible(question)) } " " }
                    (visible(rule.text))
                }
            }
        }
    })
}

/// Returns the codes of refusals, illegal actions and findings.
fn codes(game: &ReportedGame) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for told in &game.records {
        if let Record::Refusal(refusal) = told.record() {
            codes.extend(refusal.codes.iter().cloned());
        }
        if let Some(rejection) = told.outcome.rejection() {
            codes.extend(rejection.codes().iter().map(|code| code.name().to_owned()));
        }
    }
    for finding in &game.audited.report.findings {
        codes.extend(finding.codes.iter().map(|code| code.name().to_owned()));
    }
    codes
}

fn ids(code: &str, game: &ReportedGame) -> Vec<String> {
    cited(code, &game.rules).split(' ').filter(|id| !id.is_empty()).map(str::to_owned).collect()
}
