//! The grammar for editors (docs/editors/canasta.tmLanguage.json) names every word of the notation.

use canasta_engine::notation::section_names;
use canasta_engine::notation::words::VERBS;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Returns the words among which a rule of the grammar chooses.
fn words(grammar: &Value, rule: &str) -> Vec<String> {
    let pattern = grammar["repository"][rule]["match"].as_str().unwrap_or_else(|| panic!("{rule}"));
    pattern.split(['(', ')', '|']).map(|word| word.trim_start_matches("?:").replace("\\s+", " ")).collect()
}

#[test]
fn the_grammar_names_every_word() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/editors/canasta.tmLanguage.json");
    let grammar: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).expect("JSON");
    let (actions, sections) = (words(&grammar, "action"), words(&grammar, "section"));
    for verb in VERBS {
        assert!(actions.iter().any(|word| word == verb), "action {verb}");
    }
    for section in section_names() {
        assert!(sections.iter().any(|word| word == section), "section {section}");
    }
    for pattern in grammar["patterns"].as_array().expect("patterns") {
        let name = pattern["include"].as_str().expect("an include").trim_start_matches('#').to_owned();
        assert!(grammar["repository"].get(&name).is_some(), "{name}");
    }
}
