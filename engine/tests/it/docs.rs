//! The documents generated from the engine's data: `docs/RULEBOOK.md`, `docs/reference/rulebook/`, `docs/violations.md`,
//! `docs/reference/PENALTIES.md`, `docs/reference/KNOBS.md` and `docs/reference/GAMES.md`.
//!
//! The committed files are compared with the generated text. `UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs::`
//! writes the files.

mod games;

use std::fmt::Write;
use std::{env, fs, path::PathBuf};

use canasta_engine::irregularity::{self, Irregularity, LawSanction};
use canasta_engine::rulebook::penalties::PENALTIES_VERSION;
use canasta_engine::rulebook::{self, BOOKS, Book, Rule};
use canasta_engine::rules::{KNOBS, Knob, knobs_by_group};
use canasta_engine::violations::template::Language;
use canasta_engine::violations::{self, ALL, CatalogueEntry};

#[test]
fn the_rulebook_is_what_the_data_says() {
    compare("RULEBOOK.md", &rulebook_md());
    for book in BOOKS {
        compare(&format!("reference/rulebook/{}.md", book.name), &book_md(book));
    }
}

#[test]
fn the_violations_are_what_the_catalogue_says() {
    compare("violations.md", &violations_md());
}

#[test]
fn the_penalties_are_what_the_tables_say() {
    compare("reference/PENALTIES.md", &penalties_md());
}

#[test]
fn the_knobs_are_what_the_tables_say() {
    compare("reference/KNOBS.md", &knobs_md());
}

#[test]
fn the_games_are_what_their_knobs_say() {
    compare("reference/GAMES.md", &games::page());
}

fn compare(name: &str, generated: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, generated).expect("docs/ is writable");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let differs = committed.lines().zip(generated.lines()).position(|(old, new)| old != new);
    assert!(
        committed == generated,
        "docs/{name} is not what the data says (first at line {}): run UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs::",
        differs.map_or(committed.lines().count().min(generated.lines().count()), |line| line) + 1,
    );
}

fn rulebook_md() -> String {
    let mut out = String::from(
        "# The rulebook\n\n\
         <!-- Generated from engine/rules/src/rulebook: UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs:: -->\n\n\
         Every rule has an id that is never reused; refusals, logs and reports name rules by it. The words are ours.\n\
         Each book has a page of its own. [violations.md](violations.md) explains every code with an example.\n\n\
         The texts that the books were drawn from are not included. The line numbers beside a rule refer to them, so\n\
         that whoever holds a text can compare. Where a text is silent or unclear, the reading names who decided and why.\n\n\
         | book | ids | drawn from |\n| --- | --- | --- |\n",
    );
    for book in BOOKS {
        let mut ids: Vec<&str> =
            book.rules().map(|rule| rule.id.rsplit_once('-').unwrap_or_default().0).collect();
        ids.dedup();
        let source = if book.source.is_empty() { "several texts, listed on its page" } else { book.source };
        let _ = writeln!(
            out,
            "| [{}](reference/rulebook/{}.md) | {} | {source} |",
            book.title,
            book.name,
            ids.join(" ")
        );
    }
    out
}

fn book_md(book: &'static Book) -> String {
    let mut out = format!(
        "# {}\n\n\
         <!-- Generated from engine/rules/src/rulebook/{}.txt: UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs:: -->\n\n",
        book.title, book.name
    );
    if !book.source.is_empty() {
        let _ = writeln!(
            out,
            "Drawn from {}. The text is not included; line numbers refer to it.\n",
            book.source
        );
    }
    let mut section = "";
    for rule in book.rules() {
        if rule.section != section {
            section = rule.section;
            let _ = writeln!(out, "## {section}\n");
        }
        write_rule(&mut out, &rule);
    }
    for (i, source) in book.sources().enumerate() {
        let heading = if i == 0 { "## Sources\n\n| key | text | read |\n| --- | --- | --- |\n" } else { "" };
        let _ = writeln!(out, "{heading}| {} | {} | {} |", source.key, source.name, source.read);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn write_rule(out: &mut String, rule: &Rule) {
    let _ = write!(out, "<a id=\"{}\"></a>**{}**", rule.id.to_lowercase(), rule.id);
    if let Some(question) = rule.question {
        let _ = write!(out, " *{question}*<br>");
    }
    let _ = write!(out, " {}", rule.text);
    if let Some(decision) = rule.decision {
        let by = decision.by.replace("text", "the text").replace(", ", " and ");
        let _ = write!(out, "<br>\nDecided by {by}: {}", decision.why);
    }
    let mut notes = Vec::new();
    if !rule.lines.is_empty() {
        let word = match (rule.book.sources().next(), rule.lines.contains([' ', '-'])) {
            (Some(_), true) => "sources",
            (Some(_), false) => "source",
            (None, true) => "lines",
            (None, false) => "line",
        };
        notes.push(format!("{word} {}", rule.lines.replace(' ', ", ")));
    }
    let codes: Vec<_> = violations::raised_by(rule.id).map(|code| link_to_code(code.name())).collect();
    if !codes.is_empty() {
        notes.push(format!("raises {}", codes.join(", ")));
    }
    if !notes.is_empty() {
        let _ = write!(out, "<br>\n<sub>{}</sub>", notes.join(" · "));
    }
    out.push_str("\n\n");
}

fn violations_md() -> String {
    let mut out = format!(
        "# Violations\n\n\
         <!-- Generated from engine/rules/src/violations: UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs:: -->\n\n\
         Why an action was refused. A refusal changes nothing and costs nothing. It lists every broken rule that can\n\
         be judged, in the order of this page, and the first is *the* violation: first the state of the game, the\n\
         seat, the phase and the cards named, each of which ends the list, then what the rules of the action say.\n\
         Names and numbers are stable; {} codes.\n\n\
         Examples give a position, an action, the codes it is refused with and another action that is legal there.\n\
         Cards are rank and suit (`Td`, `2c`), a joker `X`; piles run from bottom to top, melds are numbered from 0;\n\
         `drew` and `took` say how the turn began, `melded` that something was melded since. What is not said does\n\
         not matter.\n\n\
         | code | number | refused because |\n| --- | --- | --- |\n",
        ALL.len()
    );
    for entry in ALL {
        let _ = writeln!(out, "| {} | {} | {} |", link(entry), entry.code.number(), entry.summary);
    }
    for entry in ALL {
        out.push('\n');
        write_page(&mut out, entry);
    }
    out
}

/// Writes the page of a code with its headings one level lower, below the facts that the catalogue has about the
/// code.
fn write_page(out: &mut String, entry: &CatalogueEntry) {
    let body = entry.page().split_once('\n').map_or("", |(_, body)| body).replace("\n## ", "\n### ");
    let facts: Vec<_> = entry.facts.iter().map(|fact| format!("`{}`", fact.name)).collect();
    let rules: Vec<_> = entry.rules().map(|id| link_to_rule("reference/", id)).collect();
    let _ = writeln!(out, "## {}\n", entry.name);
    let _ = write!(out, "Number {}, since {}.", entry.code.number(), entry.since);
    if !facts.is_empty() {
        let _ = write!(out, " Facts: {}.", facts.join(", "));
    }
    let _ = writeln!(out, "<br>\nRules of all books: {}.\n{}", rules.join(", "), body.trim_end());
    let _ = writeln!(out, "\n### At a table\n");
    for line in irregularity::lines_of(entry.code) {
        let _ = writeln!(out, "- {line}");
    }
}

/// Returns the page of irregularities: the usual ruling of each, and the range of every law.
fn penalties_md() -> String {
    let mut out = format!(
        "# Irregularities and their penalties\n\n\
         <!-- Generated from engine/rules/src/irregularity and engine/rules/src/rulebook/penalties.txt:\n\
         UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs:: -->\n\n\
         `canasta-replay rule` finds the irregularity from words, from an action or from a record of a log, and writes\n\
         the ruling; `canasta-replay rules penalties` prints the second table. The points are those of the rulebook,\n\
         and for what it does not speak of, ours. The usual ruling is a proposal: whoever rules chooses within the range.\n\n\
         A log names the version of the table of penalties by which its rulings are judged (no version: version 1).\n\
         Version {PENALTIES_VERSION} is the only one. Laws that it does not have are ruled as rules of the house, which\n\
         every version knows: their record has the name `house:IR-...`. The first table changes no judgement, and so it\n\
         has no version: a ruling says its law, its points and its effect itself.\n\n\
         ## What goes wrong, and the usual ruling\n\n\
         | what happened | if | law | points | effect | then |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for row in irregularity::all() {
        write_remedies(&mut out, &row);
    }
    out.push_str(
        "\n## What may be ruled\n\n\
         Besides the effects named, `none`, `warning` and `stop_clock` are always possible.\n\n\
         | law | points | by | effects | recorded as |\n| --- | --- | --- | --- | --- |\n",
    );
    for sanction in irregularity::sanctions() {
        let LawSanction { law, penalty, .. } = sanction;
        let points = match penalty.points {
            (0, 0) => String::from("none"),
            (low, high) => format!("{} to {}", -high, -low),
        };
        let words = |words: &mut dyn Iterator<Item = &'static str>| words.collect::<Vec<_>>().join(", ");
        let (by, effects) = (words(&mut penalty.authorities()), words(&mut penalty.effects()));
        let _ = writeln!(
            out,
            "| {} | {points} | {by} | {effects} | `{}` |",
            link_to_rule("", law),
            sanction.recorded()
        );
    }
    write_german(&mut out);
    out
}

/// Writes the table and the laws in German.
fn write_german(out: &mut String) {
    let german = Language::German;
    out.push_str(
        "\n## Auf Deutsch\n\n\
         `canasta-replay rule` versteht deutsche Sätze und antwortet auf Deutsch. Regeln, Notation und Aufzeichnungen haben in\n\
         beiden Sprachen dieselben Namen.\n\n\
         | was geschehen ist | wenn | Regel | wie es weitergeht |\n| --- | --- | --- | --- |\n",
    );
    for row in irregularity::all() {
        for (place, remedy) in row.remedies().enumerate() {
            let name = if place == 0 { row.name.of(german) } else { "" };
            let conditions = remedy.answers.iter().filter_map(|(key, answer)| {
                let question = row.questions().find(|question| question.key == *key)?;
                let word = question.answers.iter().find(|other| other.key() == *answer)?.word.of(german);
                Some(format!("{} {word}", question.text.of(german)))
            });
            let conditions: Vec<String> = conditions.collect();
            let otherwise = if row.remedies().count() > 1 { "sonst" } else { "" };
            let condition = if conditions.is_empty() { otherwise.into() } else { conditions.join(" ") };
            let law = link_to_rule("", remedy.law);
            let _ = writeln!(out, "| {name} | {condition} | {law} | {} |", remedy.next.of(german));
        }
    }
    out.push_str("\n| Regel | Text | Entscheidungen |\n| --- | --- | --- |\n");
    for sanction in irregularity::sanctions() {
        let (law, text) = (link_to_rule("", sanction.law), irregularity::law_text(sanction.law, german));
        let _ = writeln!(out, "| {law} | {text} | {} |", sanction.in_words(german));
    }
}

fn write_remedies(out: &mut String, row: &Irregularity) {
    for (place, remedy) in row.remedies().enumerate() {
        let name = if place == 0 { row.name.of(Language::English) } else { "" };
        let mut conditions = Vec::new();
        for (key, answer) in &remedy.answers {
            let question = row.questions().find(|question| question.key == *key);
            conditions.push(format!(
                "{} {answer}",
                question.map_or("", |question| question.text.of(Language::English))
            ));
        }
        let otherwise = if row.remedies().count() > 1 { "otherwise" } else { "" };
        let condition = if conditions.is_empty() { otherwise.into() } else { conditions.join(" ") };
        let (law, effect) =
            (link_to_rule("", remedy.law), remedy.effect.split(' ').next().unwrap_or_default());
        let _ = writeln!(
            out,
            "| {name} | {condition} | {law} | {} | {effect} | {} |",
            -remedy.points,
            remedy.next.of(Language::English)
        );
    }
}

fn link(entry: &CatalogueEntry) -> String {
    format!("[{}](#{})", entry.name, entry.name.to_lowercase())
}

fn link_to_code(name: &str) -> String {
    format!("[{name}](../../violations.md#{})", name.to_lowercase())
}

/// Returns a link to the rule, from a page that has the folder `reference` at `to`.
fn link_to_rule(to: &str, id: &str) -> String {
    match rulebook::rule(id) {
        Some(rule) => format!("[{id}]({to}rulebook/{}.md#{})", rule.book.name, id.to_lowercase()),
        None => id.to_owned(),
    }
}

fn knobs_md() -> String {
    let mut out = format!(
        "# Knobs\n\n\
         <!-- Generated from engine/rules/src/rules: UPDATE_DOCS=1 cargo test -p canasta-engine --test it docs:: -->\n\n\
         A rule set is {} knobs. A file of [house rules](../play/HOUSE_RULES.md) names those that differ from a preset; \
         `canasta-replay rules knobs`, the method ListKnobs and the table's form of rules have the same table, in German \
         too.\n",
        KNOBS.len()
    );
    for group in knobs_by_group().chunk_by(|a, b| a.group() == b.group()) {
        let _ = write!(out, "\n## {}\n", group[0].group().of(Language::English));
        group.iter().for_each(|knob| push_knob(knob, &mut out));
    }
    out
}

fn push_knob(knob: &Knob, out: &mut String) {
    let meaning = knob.meaning().of(Language::English);
    let _ = write!(out, "\n### {}\n\n{meaning} ({}).\n\n", knob.name, knob.rule_ids.join(", "));
    let choices = knob.choices();
    if choices.iter().any(|(_, meaning)| meaning.is_some()) {
        out.push_str("| word | meaning | presets |\n| --- | --- | --- |\n");
    } else {
        let _ = writeln!(out, "It holds {}. The default is `{}`.", knob.expected(), knob.default_value());
    }
    let uses = knob.uses();
    for (word, meaning) in choices.iter().filter_map(|(word, meaning)| Some((word, (*meaning)?))) {
        let used = uses.iter().find(|(value, _)| value == word).map_or(0, |(_, presets)| presets.len());
        let default = if *word == knob.default_value() { ", the default" } else { "" };
        let _ = writeln!(out, "| `{word}`{default} | {} | {used} |", meaning.of(Language::English));
    }
    for conflict in knob.conflicts() {
        let others: Vec<String> = conflict
            .knobs
            .iter()
            .filter(|&&other| other != knob.name)
            .map(|other| format!("`{other}`"))
            .collect();
        let _ = write!(
            out,
            "\n- {} with {}: {}",
            conflict.detail,
            others.join(", "),
            conflict.why.of(Language::English)
        );
    }
    if !knob.conflicts().is_empty() {
        out.push('\n');
    }
}
