//! The table of knobs: its rows become the fields of `RuleSet` and the rows of `KNOBS`.

use std::fmt::Write;

use crate::block::{self, Fault, TextBlock};

const TABLE: &str = "src/rules/knobs.txt";

const RULE_SET: &str = "/// Every rule of a game as data. Any combination of knobs can be written down. Only a combination that
/// [`RuleSet::validate`] accepts can be played.
///
/// `Default` gives each knob the value that an absent knob has in the canonical form: the first listed value, 0,
/// none, or no. These values do not make a game: start from a preset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RuleSet {";

/// A row: the knob's name, its type, its limits, the ids of its rules, its meaning.
struct KnobRow<'a> {
    name: &'a str,
    kind: &'a str,
    range: Option<(i32, i32)>,
    always: bool,
    rules: Vec<&'a str>,
    meaning: String,
    /// The range in words: `2 to 6`.
    words: String,
}

/// The facts of a knob that other tables need.
pub struct NamedKnob {
    pub name: String,
    pub kind: String,
    /// The heading that it stands under.
    pub group: String,
    pub meaning: String,
    /// The range in words: `2 to 6`.
    pub range: String,
    /// The ids of its rules.
    pub rules: String,
}

/// Returns the struct `RuleSet` and the table `KNOBS`, and all knobs in order.
pub fn write() -> Result<(String, Vec<NamedKnob>), Fault> {
    let text = block::read(TABLE);
    let (mut fields, mut rows, mut named) = (String::new(), String::new(), Vec::new());
    for mut block in TextBlock::all(TABLE, &text) {
        let group = block.required("[")?.trim_end_matches(']');
        while let Some(line) = block.next() {
            let form = "`NAME: TYPE [in MIN..=MAX][, always] | RULES | MEANING`";
            let KnobRow { name, kind, range, always, rules, meaning, words } =
                row(line).ok_or_else(|| block.fault(form))?;
            let _ = writeln!(fields, "/// {meaning} ({}).\npub {name}: {kind},", rules.join(", "));
            let range = range.unwrap_or((i32::MIN, i32::MAX));
            let rules: Vec<_> = rules.into_iter().filter(|id| !id.starts_with("ALG-")).collect();
            let _ = writeln!(rows, "knob!({name}, &{rules:?}, {range:?}, {always}),");
            let (name, kind, group) = (name.to_owned(), kind.to_owned(), group.to_owned());
            named.push(NamedKnob { name, kind, group, meaning, range: words, rules: rules.join(" ") });
        }
    }
    let count = named.len();
    let knobs = format!(
        "{RULE_SET}\n{fields}}}\n\n/// All knobs, in the order of the rulebook and of the canonical form.\n\
         pub static KNOBS: [Knob; {count}] = [\n{rows}];\n"
    );
    Ok((knobs, named))
}

fn row(line: &str) -> Option<KnobRow<'_>> {
    let (head, rest) = line.split_once(" | ")?;
    let (rules, meaning) = rest.split_once(" | ")?;
    let (name, kind) = head.split_once(": ")?;
    let (kind, always) = match kind.strip_suffix(", always") {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let (kind, range) = match kind.split_once(" in ") {
        Some((kind, range)) => (kind, Some(range.split_once("..=")?)),
        None => (kind, None),
    };
    let number = |text: &str| text.replace('_', "").parse::<i32>().ok();
    let (range, words) = match range {
        Some((low, high)) => {
            (Some((number(low)?, number(high)?)), format!("{low} to {high}").replace('_', ","))
        }
        None => (None, String::new()),
    };
    let meaning = if range.is_some() { meaning.replace("{range}", &words) } else { meaning.to_owned() };
    let rules = rules.split(' ').collect();
    (!meaning.contains('{')).then_some(KnobRow { name, kind, range, always, rules, meaning, words })
}
