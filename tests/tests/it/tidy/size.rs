//! The size of the house: lines of product code, in rustfmt's default form, so that no packing hides one. The sum may only be
//! raised by a commit that says why; a smaller house lowers it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::source::{name_of, read, root, rust_files};

/// Maximum number of lines of all product files together.
const LINES_MAX: usize = 148_200;
/// Lines that may be missing to the maximum before it has to be lowered.
const SLACK: usize = 300;
/// The folders and the file that no product is in.
const APART: [&str; 4] = ["tests", "benches", "examples", "fuzz"];

/// Returns the number of lines that rustfmt makes of a file.
fn lines(path: &Path) -> usize {
    let form = ["--edition", "2024", "--config", "max_width=100,use_small_heuristics=Default"];
    let rustfmt = Command::new("rustfmt").args(form).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut rustfmt = rustfmt.expect("the toolchain has rustfmt");
    let mut input = rustfmt.stdin.take().expect("a pipe");
    let text = read(path);
    thread::spawn(move || input.write_all(text.as_bytes()));
    let output = rustfmt.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", path.display());
    output.stdout.iter().filter(|&&byte| byte == b'\n').count()
}

/// Returns the crate of a product file, as the folder before its `src`; `None` for other files.
fn crate_of(path: &str) -> Option<String> {
    let parts: Vec<_> = path.split('/').collect();
    if parts.iter().any(|part| APART.contains(part)) || parts.last() == Some(&"tests.rs") {
        return None;
    }
    let end = parts.iter().position(|part| *part == "src" || *part == "build" || part.ends_with(".rs"));
    Some(parts[..end.unwrap_or(0)].join("/"))
}

#[test]
fn the_house_does_not_grow_unnoticed() {
    let files = rust_files(root()).into_iter();
    let files: Vec<_> = files.filter_map(|path| Some((crate_of(&name_of(&path))?, path))).collect();
    let count = thread::available_parallelism().map_or(2, usize::from);
    let counted: Vec<(String, usize)> = thread::scope(|scope| {
        let parts: Vec<_> = files
            .chunks(files.len().div_ceil(count))
            .map(|part| {
                scope
                    .spawn(|| part.iter().map(|(name, path)| (name.clone(), lines(path))).collect::<Vec<_>>())
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("counted")).collect()
    });
    let mut crates = BTreeMap::<&str, usize>::new();
    for (name, lines) in &counted {
        *crates.entry(name).or_default() += lines;
    }
    let sum: usize = crates.values().sum();
    crates.iter().for_each(|(name, lines)| println!("{lines:>7} {name}"));
    println!("{sum:>7} in all");
    assert!(
        sum <= LINES_MAX,
        "{sum} lines, at most {LINES_MAX}: make something needless, or say why in the commit"
    );
    assert!(sum + SLACK >= LINES_MAX, "{sum} lines: lower the maximum of {LINES_MAX}");
}
