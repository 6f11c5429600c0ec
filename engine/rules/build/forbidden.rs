//! The table of forbidden combinations of knobs: blocks of conditions become tests of rule sets.

use std::fmt::Write;

use crate::block::{self, Fault, TextBlock, camel};
use crate::knobs::NamedKnob;

const TABLE: &str = "src/rules/forbidden.txt";

/// Returns the tables `FORBIDDEN` and `IDLE`, and what contradicts what in each row of the first.
pub fn write(knobs: &[NamedKnob]) -> Result<(String, Vec<String>), Fault> {
    let (text, mut forbidden, mut idle) = (block::read(TABLE), String::new(), String::new());
    let mut reasons = Vec::new();
    for mut block in TextBlock::all(TABLE, &text) {
        let head = block.next().and_then(|line| line.split_once(": "));
        let (detail, why) = head.ok_or_else(|| block.fault("`DETAIL: WHY` or `idle: KNOB ...`"))?;
        let named: Option<Vec<&str>> = block.optional("knobs: ").map(|names| names.split(' ').collect());
        let (mut concerned, mut tests) = (Vec::new(), Vec::new());
        while let Some(line) = block.next() {
            tests.push(condition(line, knobs, &mut concerned).ok_or_else(|| block.fault("a condition"))?);
        }
        concerned.dedup();
        let (concerned, test) = (named.unwrap_or(concerned), tests.join(" && "));
        let _ = match detail {
            "idle" => {
                let idle_knobs: Vec<_> = why.split(' ').collect();
                writeln!(
                    idle,
                    "Idle {{ knobs: &{idle_knobs:?}, because: &{concerned:?}, without_effect: |s| {test} }},"
                )
            }
            _ => {
                reasons.push(why.to_owned());
                writeln!(
                    forbidden,
                    "Forbidden {{ detail: {detail:?}, knobs: &{concerned:?}, why: {why:?}, broken: |s| {test} }},"
                )
            }
        };
    }
    let tables = format!(
        "/// The combinations that no game can have.\npub(super) const FORBIDDEN: &[Forbidden] = &[\n{forbidden}];\n\n\
         /// The knobs that have no effect under others.\npub(super) const IDLE: &[Idle] = &[\n{idle}];\n"
    );
    Ok((tables, reasons))
}

/// Returns a condition as Rust, and adds its knobs.
pub fn condition<'a>(line: &'a str, knobs: &[NamedKnob], concerned: &mut Vec<&'a str>) -> Option<String> {
    let kind_of = |name: &str| knobs.iter().find(|knob| knob.name == name).map(|knob| knob.kind.as_str());
    let (first, rest) = line.split_once(' ')?;
    match first {
        "if" => return Some(format!("s.{rest}()")),
        "unless" => return Some(format!("!s.{rest}()")),
        _ => {}
    }
    let (verb, value) = rest.split_once(' ')?;
    let kind = kind_of(first)?;
    concerned.push(first);
    let other = if kind_of(value).is_some() {
        concerned.push(value);
        format!("s.{value}")
    } else if value.bytes().all(|byte| byte.is_ascii_digit()) {
        value.to_owned()
    } else {
        format!("{kind}::{}", camel(value))
    };
    let member = match kind {
        "Classes" => "Class",
        _ => kind.trim_end_matches('s'),
    };
    Some(match (verb, value) {
        ("=", "yes") => format!("s.{first}"),
        ("=", "no") => format!("!s.{first}"),
        ("=", _) => format!("s.{first} == {other}"),
        ("not", _) => format!("s.{first} != {other}"),
        ("<" | ">", _) => format!("s.{first} {verb} {other}"),
        ("has", _) => format!("s.{first}.contains({member}::{})", camel(value)),
        ("lacks", _) => format!("!s.{first}.contains({member}::{})", camel(value)),
        ("is", "empty") => format!("s.{first}.is_empty()"),
        ("is", "filled") => format!("!s.{first}.is_empty()"),
        _ => return None,
    })
}
