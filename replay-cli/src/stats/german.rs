//! The texts of the statistics in German.

use canasta_engine::violations::template::Language;

/// The German of each English text. The first line that fits is taken.
const TEXTS: &str = include_str!("german.txt");

/// Returns a text of the statistics, or a number, in a language. Names and codes stay as they are.
pub fn say(text: &str, language: Language) -> String {
    if language == Language::English {
        return text.to_owned();
    }
    let lines = TEXTS.lines().filter(|line| !line.starts_with('#'));
    let fits = |line: &'static str| {
        let (english, german) = line.split_once(" = ")?;
        Some((german, parts(text, english)?))
    };
    let Some((german, parts)) = lines.filter_map(fits).next() else {
        let is_number = text.chars().all(|c| c.is_ascii_digit() || ",.+-% e".contains(c));
        let turned = |c| if c == ',' { '.' } else { ',' };
        let turn = |c: char| if is_number && ",.".contains(c) { turned(c) } else { c };
        return text.chars().map(turn).collect();
    };
    let mut parts = parts.into_iter().map(|part| say(part, language));
    let mut said = String::new();
    for (n, literal) in german.split("{}").enumerate() {
        if n > 0 {
            said += &parts.next().unwrap_or_default();
        }
        said += literal;
    }
    said
}

/// Returns what stands in a text for each `{}` of a pattern; `None` if the text does not fit it.
fn parts<'a>(text: &'a str, pattern: &str) -> Option<Vec<&'a str>> {
    let mut literals = pattern.split("{}");
    let mut rest = text.strip_prefix(literals.next()?)?;
    let mut found = Vec::new();
    let mut literals = literals.peekable();
    while let Some(literal) = literals.next() {
        let at = match literals.peek() {
            None => rest.strip_suffix(literal)?.len(),
            Some(_) => rest.find(literal)?,
        };
        found.push(&rest[..at]);
        rest = &rest[at + literal.len()..];
    }
    rest.is_empty().then_some(found)
}
