//! Build script: writes the sentences of events, actions, score lines and reasons as constants, from tables that people edit.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

#[expect(
    clippy::disallowed_methods,
    reason = "cargo gives a build script its folder in an environment variable"
)]
fn main() {
    let mut constants = String::new();
    for table in ["events", "actions", "score_lines", "reasons", "phrases", "table"] {
        let file = format!("src/words/{table}.txt");
        println!("cargo::rerun-if-changed={file}");
        let text = fs::read_to_string(&file).expect("the crate has its tables");
        let rows: String = text.split("\n\n").filter(|block| !block.starts_with('#')).map(wording).collect();
        let (name, doc) = (table.to_uppercase(), table.replace('_', " "));
        let _ = writeln!(
            constants,
            "/// The {doc}, in the order of the table.\npub const {name}: &[Wording] = &[\n{rows}];"
        );
    }
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("words.rs"), constants).expect("OUT_DIR is writable");
}

/// Returns a message: its name, its facts and its sentence in each language. `Wording::new` checks that they fit.
///
/// # Panics
/// If a line has none of the forms.
fn wording(block: &str) -> String {
    let mut lines = block.lines();
    let (name, mut facts, mut sentences) = (lines.next().unwrap_or_default(), String::new(), String::new());
    for line in lines {
        match line.split_once(": ") {
            Some(("fact", fact)) => facts += &fact_row(fact),
            Some(("en" | "de", sentence)) => sentences += &format!("{sentence:?}, "),
            _ => panic!("{name}: expected `fact: ...`, `en: ...` or `de: ...`, found `{line}`"),
        }
    }
    format!("Wording::new({name:?}, &[{facts}], {sentences}),\n")
}

/// Returns a fact, written `NAME KIND` or `NAME KIND unless CASE`.
fn fact_row(fact: &str) -> String {
    let (row, absent) = fact.split_once(" unless ").map_or((fact, None), |(row, case)| (row, Some(case)));
    let (name, kind) = row.split_once(' ').unwrap_or((row, ""));
    format!("FactRow {{ name: {name:?}, kind: FactKind::{kind}, absent: {absent:?} }}, ")
}
