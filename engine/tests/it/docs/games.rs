//! The page of all games: what each says of itself.

use canasta_engine::explanation::SaidSentence;
use canasta_engine::rules::PresetId;
use canasta_engine::violations::template::Language;
use std::fmt::Write;

/// Maximum number of sentences by which a game is told from another, not told whole.
const DIFFERENCES_MAX: usize = 16;

/// Returns the page: each game whole, or by what is different from an earlier one.
pub fn page() -> String {
    let mut out = String::from(
        "# How each game goes\n\n\
         <!-- Generated from engine/rules/src/explanation: UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs:: -->\n\n\
         The rules of every rule set in sentences for its players, each with the ids of its rules in the \
         [rulebook](../RULEBOOK.md). `canasta-replay rules show` says the same of house rules, and of the rules of a log; the \
         method ExplainRuleSet and the table's menu say it too, and all of them in German. A game that is much like another \
         says what is different.\n",
    );
    let sentences = |preset: PresetId| -> Vec<(&str, SaidSentence)> {
        let set = preset.rule_set();
        let sections = set.explanation(&set.books(preset), Language::English).into_iter();
        sections
            .flat_map(|section| section.sentences.into_iter().map(move |one| (section.title, one)))
            .collect()
    };
    let presets: Vec<PresetId> = PresetId::all().collect();
    for (at, &preset) in presets.iter().enumerate() {
        let (name, own) = (preset.name(), sentences(preset));
        let _ = write!(out, "\n## {name}\n\n{}. {}\n", preset.title(), preset.sentence());
        let others = presets[..at].iter().map(|&other| {
            let texts: Vec<String> = sentences(other).into_iter().map(|(_, one)| one.text).collect();
            (own.iter().filter(|(_, one)| !texts.contains(&one.text)).count(), other, texts)
        });
        let nearest = others.min_by_key(|(differing, ..)| *differing);
        let nearest = nearest.filter(|(differing, ..)| *differing <= DIFFERENCES_MAX);
        let Some((_, other, texts)) = nearest else {
            push_sections(&own, &mut out);
            continue;
        };
        let is_new = |(_, one): &&(&str, SaidSentence)| !texts.contains(&one.text);
        let new: Vec<_> = own.iter().filter(is_new).cloned().collect();
        let is_gone = |text: &&String| !own.iter().any(|(_, one)| one.text == **text);
        let gone: Vec<&String> = texts.iter().filter(is_gone).collect();
        let _ = write!(out, "\nAs [{0}](#{0}), with other words and rules here:\n", other.name());
        if new.is_empty() && gone.is_empty() {
            out.truncate(out.rfind(", with other").unwrap_or(out.len()));
            out.push_str(" in every sentence.\n");
        }
        push_sections(&new, &mut out);
        if !gone.is_empty() {
            let _ = write!(out, "\n### Not said of it\n\n");
            gone.iter().for_each(|text| {
                let _ = writeln!(out, "- {text}");
            });
        }
    }
    out
}

fn push_sections(sentences: &[(&str, SaidSentence)], out: &mut String) {
    for section in sentences.chunk_by(|(title, _), (other, _)| title == other) {
        let _ = write!(out, "\n### {}\n\n", section[0].0);
        for (_, one) in section {
            let _ = writeln!(out, "- {} ({})", one.text, one.rule_ids.join(", "));
        }
    }
}
