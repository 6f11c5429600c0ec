//! Sessions at a shell: every `$ command` in docs/judge/CLI.md, docs/judge/DISPUTES.md, docs/play/HOUSE_RULES.md, docs/TOURNAMENT.md and
//! `cases/*.md` is run, and what it prints (stdout, then stderr) and its exit code are compared with what stands below it.
//!
//! `UPDATE_DOCS=1 cargo test -p canasta-replay --test runs` writes what is printed into the files: read the
//! difference before committing it.
#![cfg(target_os = "linux")] // sessions use GNU sed and the like

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn the_manual_shows_what_happens() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/judge/CLI.md"));
}

#[test]
fn house_rules_are_read_as_described() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/play/HOUSE_RULES.md"));
}

#[test]
fn tournaments_are_published_as_described() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/TOURNAMENT.md"));
}

/// Runs the ten calls of a director, and checks that each finds the law of its row in the table.
#[test]
fn disputes_are_ruled_as_described() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/judge/DISPUTES.md");
    check(&file);
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").nth(2));
    let rows: Vec<&str> = rows.filter(|law| law.starts_with("IR-")).collect();
    let laws = text.lines().filter_map(|line| line.strip_prefix("law ")?.split_whitespace().next());
    assert_eq!(laws.collect::<Vec<_>>(), rows);
    assert_eq!(rows.len(), 10);
}

#[test]
fn cases_end_as_written() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        check(&file);
    }
}

/// Runs the sessions of one file, one after another, in an empty directory.
fn check(file: &Path) {
    let name = file.file_stem().unwrap().to_str().unwrap();
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runs-{name}"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    let written = fs::read_to_string(file).unwrap();
    let ran = run_all(&written, &place);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(file, &ran).unwrap();
        return;
    }
    let differs = written.lines().zip(ran.lines()).position(|(old, new)| old != new);
    let line = differs.unwrap_or_else(|| written.lines().count().min(ran.lines().count()));
    let (old, new) = (written.lines().nth(line), ran.lines().nth(line));
    assert!(written == ran, "{} line {}: written {old:?}, ran {new:?}", file.display(), line + 1);
}

/// Returns the text with the actual output of each command.
fn run_all(text: &str, place: &Path) -> String {
    let mut ran = String::new();
    let mut in_session = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_session = line == "```console";
        } else if in_session {
            if let Some(command) = line.strip_prefix("$ ") {
                writeln!(ran, "{line}").unwrap();
                ran += &output(command, place);
            }
            continue;
        }
        writeln!(ran, "{line}").unwrap();
    }
    ran
}

fn output(command: &str, place: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_canasta-replay"));
    let mut path = program.parent().expect("a program is in a directory").as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(place)
        .env("PATH", path)
        .env_remove("COLUMNS")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("a shell");
    let mut text = String::from_utf8(output.stdout).expect("text on stdout");
    text += &String::from_utf8(output.stderr).expect("text on stderr");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        code => writeln!(text, "(exit code {})", code.map_or_else(|| "none".into(), |code| code.to_string()))
            .unwrap(),
    }
    text
}
