//! The table of causes: the rules of a code that are alternatives, with the conditions of each.

use std::fmt::Write;

use crate::block::{self, Fault, TextBlock, camel};

const TABLE: &str = "src/citation/causes.txt";

/// Returns the table `CAUSES`.
pub fn write() -> Result<String, Fault> {
    let (text, mut rows) = (block::read(TABLE), String::new());
    for mut block in TextBlock::all(TABLE, &text) {
        while let Some(line) = block.next() {
            let row = row(line).ok_or_else(|| block.fault("`CODE breaks|decides RULES [| CONDITIONS]`"))?;
            rows += &row;
        }
    }
    Ok(format!(
        "/// The rules that are alternatives, in the order of the codes.\nconst CAUSES: &[Cause] = &[\n{rows}];\n"
    ))
}

fn row(line: &str) -> Option<String> {
    let (head, conditions) = line.split_once(" | ").unwrap_or((line, ""));
    let (code, rest) = head.split_once(' ')?;
    let (verb, rules) = rest.split_once(' ')?;
    let decides = match verb {
        "breaks" => false,
        "decides" => true,
        _ => return None,
    };
    let mut when = String::new();
    for condition in conditions.split("; ").filter(|condition| !condition.is_empty()) {
        let _ = write!(when, "When::{}, ", condition_of(condition)?);
    }
    let code = camel(code);
    Some(format!("Cause {{ code: Code::{code}, rules: {rules:?}, when: &[{when}], decides: {decides} }},\n"))
}

/// Returns a condition as Rust.
fn condition_of(text: &str) -> Option<String> {
    match text {
        "in a group" => return Some("InGroup".into()),
        "of the top" => return Some("OfTop".into()),
        "never" => return Some("Never".into()),
        _ => {}
    }
    let (first, rest) = text.split_once(' ')?;
    let (verb, value) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(match (first, verb) {
        ("has", fact) => format!("Has({fact:?}, true)"),
        ("lacks", fact) => format!("Has({fact:?}, false)"),
        ("when", circumstance) => format!("Given(Circumstance::{}, true)", camel(circumstance)),
        ("unless", circumstance) => format!("Given(Circumstance::{}, false)", camel(circumstance)),
        ("form", prefix) => format!("Form({prefix:?})"),
        ("off", rule) => format!("Off({rule:?})"),
        (fact, "is") => format!("Word({fact:?}, &{:?})", value.split(' ').collect::<Vec<_>>()),
        (fact, "of") => format!("Class({fact:?}, Class::{})", camel(value)),
        (fact, "=") => format!("Rank({fact:?}, Rank::{})", camel(value)),
        (fact, "from") => match value.split_once(" to ") {
            Some((least, most)) => format!("Number({fact:?}, {least}, {most})"),
            None => format!("Number({fact:?}, {value}, i64::MAX)"),
        },
        _ => return None,
    })
}
