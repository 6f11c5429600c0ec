//! Promises of the documentation stand in their pages word for word, and what is said to hold them exists. A promise that nothing
//! holds says so, and their number may only shrink.

use std::collections::BTreeSet;

use crate::source::{read, root};

const LIST: &str = "docs/internals/claims.txt";
/// Number of lines that say what nothing holds yet.
const OPEN_MAX: usize = 63;

/// Returns the text with each run of white space as one blank, without the marks of quotations.
fn folded(text: &str) -> String {
    text.split_whitespace().filter(|word| *word != ">").collect::<Vec<_>>().join(" ")
}

/// Whether the file has a function of this name, or the text itself where the name is in quotation marks.
fn holds(file: &str, name: &str) -> bool {
    let path = root().join(file);
    let text = if path.is_file() { read(&path) } else { return false };
    match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
        Some(quoted) => text.contains(quoted),
        None => text.contains(&format!("fn {name}(")) || text.contains(&format!("def {name}(")),
    }
}

#[test]
fn promises_stand_in_their_pages_and_what_holds_them_exists() {
    let list = read(&root().join(LIST));
    let (mut page, mut text, mut faults) = ("", String::new(), Vec::new());
    let (mut promises, mut open) = (BTreeSet::new(), 0);
    // The last promise, until something is said to hold it or not to.
    let mut bare: Option<&str> = None;
    for line in list.lines().filter(|line| !line.is_empty()) {
        if let Some(holder) = line.strip_prefix("  = ") {
            bare = None;
            if !holder.split_once(' ').is_some_and(|(file, name)| holds(file, name)) {
                faults.push(format!("not found: {holder}"));
            }
        } else if line.starts_with("  ? ") {
            (bare, open) = (None, open + 1);
        } else {
            faults.extend(bare.take().map(|promise| format!("nothing is said of: {promise}")));
            if let Some(name) = line.strip_prefix("# ") {
                (page, text) = (name, folded(&read(&root().join(name))));
            } else {
                bare = Some(line);
                if !text.contains(&folded(line)) {
                    faults.push(format!("{page} does not say: {line}"));
                }
                if !promises.insert((page, line)) {
                    faults.push(format!("twice: {line}"));
                }
            }
        }
    }
    println!("{} promises, {open} without proof or with a part of it", promises.len());
    assert!(faults.is_empty() && bare.is_none(), "{LIST}:\n{}", faults.join("\n"));
    assert!(promises.len() > 500, "{} promises", promises.len());
    assert_eq!(open, OPEN_MAX, "{open} lines of {LIST} say what nothing holds: may only shrink");
}
