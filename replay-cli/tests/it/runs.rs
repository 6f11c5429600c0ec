//! Sessions at a shell: every `$ command` in docs/judge/CLI.md, docs/judge/DISPUTES.md, docs/play/HOUSE_RULES.md, docs/TOURNAMENT.md, docs/EVENT.md and
//! `cases/*.md` is run, and what it prints (stdout, then stderr) and its exit code are compared with what stands below it.
//!
//! `UPDATE_DOCS=1 cargo test -p canasta-replay --test it runs::` writes what is printed into the files: read the
//! difference before committing it.
#![cfg(target_os = "linux")] // sessions use GNU sed and the like

use serde_json::Value;
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

#[test]
fn an_event_becomes_a_table_as_described() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/EVENT.md"));
}

/// Runs the thirty calls of a director, each in English and in German, and checks that each finds the law of its row, or that
/// the play is legal by the rule of its row, and that both languages lead to the same ruling.
#[test]
fn disputes_are_ruled_as_described() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/judge/DISPUTES.md");
    check(&file);
    let text = fs::read_to_string(&file).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).collect();
    let rows = &rows[2..];
    let commands = text.lines().filter_map(|line| line.strip_prefix("$ canasta-replay rule "));
    let commands: Vec<&str> = commands.collect();
    assert_eq!((rows.len(), commands.len()), (30, 30));
    for (row, command) in rows.iter().zip(commands) {
        let [_, _, german, law, _] = row[..] else { panic!("{row:?}") };
        let command = command.split(" | ").next().unwrap().replace(" --append", "");
        let (before, said) = command.split_once("--what ").unwrap();
        let quote = &said[..1];
        let (english, after) = said[1..].split_once(quote).unwrap();
        let answers = [english, german].map(|words| {
            let command =
                format!("canasta-replay rule {before}--what {quote}{words}{quote}{after} --format json");
            let answer = output(&command, &place_of(&file));
            let json = answer.lines().next().expect("an answer");
            serde_json::from_str::<Value>(json).unwrap_or_else(|_| panic!("{command}: {answer}"))
        });
        for found in &answers {
            assert!(is_answer(found, law), "{law}: {german}: {found}");
        }
        // Words that leave a question open have an assumed answer; then the other answers stand below the law.
        let is_open = |found: &Value| {
            let questions = found["questions"].as_array();
            questions.is_none_or(|all| all.iter().any(|question| question["assumed"] == true))
        };
        let ruling = |found: &Value| {
            let ruling = found["ruling"]["notation"].as_str().unwrap_or_default();
            ruling.split(" reason").next().unwrap_or_default().to_owned()
        };
        if !answers.iter().any(is_open) {
            assert_eq!(ruling(&answers[0]), ruling(&answers[1]), "{german}");
        }
    }
}

/// Whether an answer is a law, or that play is legal by a rule. Words may leave open which of three laws it is, or a question
/// of an irregularity, whose answers lead to its laws.
fn is_answer(found: &Value, law: &str) -> bool {
    let has = |rows: &Value| rows.as_array().is_some_and(|rows| rows.iter().any(|row| row["law"] == law));
    if let Some(rule) = law.strip_prefix("legal, ") {
        let has = |ids: &Value| ids.as_array().is_some_and(|ids| ids.iter().any(|id| id == rule));
        return has(&found["rule_ids"]) || has(&found["topic"]["rule_ids"]);
    }
    let questions = found["questions"].as_array().into_iter().flatten();
    let mut open = questions.filter(|question| question["assumed"] == true);
    found["law"]["id"] == law || has(&found["candidates"]) || open.any(|question| has(&question["otherwise"]))
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

/// Returns the directory in which the sessions of a file are run.
fn place_of(file: &Path) -> PathBuf {
    let name = file.file_stem().unwrap().to_str().unwrap();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runs-{name}"))
}

/// Runs the sessions of one file, one after another, in an empty directory.
fn check(file: &Path) {
    let place = place_of(file);
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
