//! The rules that a page cites, once each.

use super::game::ReportedGame;
use super::html::escape;
use super::rows::cited;
use canasta_engine::action::Action;
use canasta_engine::log::Record;
use canasta_engine::rulebook;
use canasta_engine::violations::Code;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Links to rules; the page's script shows their text where it is asked for.
pub fn rule_links<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    let known = ids.into_iter().filter(|id| rulebook::rule(id).is_some());
    known.map(|id| format!("<a class=\"rule\" href=\"#rule-{id}\">{id}</a> ")).collect()
}

/// Writes every code and rule that the game names; whether there are any.
pub fn write(game: &ReportedGame, out: &mut String) -> bool {
    let codes = codes(game);
    let mut ids: BTreeSet<String> = codes.iter().flat_map(|code| ids(code, game)).collect();
    for told in &game.records {
        if let Record::Action(record) = &told.record
            && let Action::Ruling(ruling) = &record.action
        {
            ids.insert(ruling.rule.clone());
        }
    }
    if codes.is_empty() && ids.is_empty() {
        return false;
    }
    out.push_str("<dl class=\"rules\">");
    for code in &codes {
        let Some(known) = Code::from_name(code) else { continue };
        let _ = write!(
            out,
            "<dt id=\"code-{code}\"><code>{code}</code></dt><dd>{}</dd>",
            escape(known.entry().summary)
        );
    }
    for rule in ids.iter().filter_map(|id| rulebook::rule(id)) {
        let id = rule.id;
        let _ = write!(
            out,
            "<dt id=\"rule-{id}\">{id} <span class=\"section\">{}</span></dt><dd>",
            escape(rule.section)
        );
        if let Some(question) = rule.question {
            let _ = write!(out, "<i>{}</i> ", escape(question));
        }
        let _ = write!(out, "{}</dd>", escape(rule.text));
    }
    out.push_str("</dl>");
    true
}

/// The codes of refusals, illegal actions and findings.
fn codes(game: &ReportedGame) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for told in &game.records {
        if let Record::Refusal(refusal) = &told.record {
            codes.extend(refusal.codes.iter().cloned());
        }
        if let Some(rejection) = &told.happened.rejection {
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
