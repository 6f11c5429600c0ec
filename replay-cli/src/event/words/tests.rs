//! The German of every text that a table of results may have.

use super::*;

/// Returns the texts in quotes between the first `begin` of a source and the next `end`.
fn quoted<'a>(source: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    let (_, rest) = source.split_once(begin).expect("the source has it");
    let (part, _) = rest.split_once(end).expect("it ends");
    part.split('"').skip(1).step_by(2).collect()
}

/// Checks that each text that is said in the sources, each origin and each head of a column has its German, and that the table
/// has no other text.
#[test]
fn every_text_has_its_german() {
    let (text, page) = (include_str!("../text.rs"), include_str!("../html.rs"));
    let boards = include_str!("../boards.rs");
    let (words, results) = (include_str!("../words.rs"), include_str!("../results.rs"));
    let said = [text, page, words, boards].map(|source| source.split("say(\"").skip(1));
    let mut texts: Vec<&str> = said.into_iter().flatten().filter_map(|rest| rest.split('"').next()).collect();
    texts.extend(quoted(results, "fn name(self)", "    }\n"));
    texts.extend(quoted(words, "match criterion", "    }\n"));
    texts.extend(quoted(text, "for (figure, what) in", "{"));
    let heads = [(text, "let mut heads ="), (text, "let head = ["), (boards, "let head = [")];
    let heads = heads.map(|(source, begin)| quoted(source, begin, "];"));
    texts.extend(heads.concat().into_iter().map(str::trim_start));
    texts.extend(quoted(boards, "fn field_head(", "}\n}"));
    let german: Vec<&str> = GERMAN.lines().filter_map(|line| line.split(" = ").next()).collect();
    texts.retain(|text| !text.is_empty());
    for text in &texts {
        assert!(german.contains(text), "{text:?} has no German");
    }
    for english in german {
        assert!(texts.contains(&english), "{english} is not said");
    }
}
