//! The files that commands write: none is written over without `--force`, and none ever that the command reads, by
//! whatever name. The list of options is that of the command line, so that a new one is tested or fails here.

use crate::common::{command, directory, logs};
use canasta_replay::{Cli, Exit};
use clap::CommandFactory;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Names of options with which commands write files.
const WRITING: [&str; 3] = ["out", "output", "html"];

/// Each command that writes one file: its arguments with OUT for the file, and the files that it reads.
const CASES: [(&str, &str, &[&str]); 10] = [
    (
        "report output",
        "report games/table-0.clog -o OUT",
        &["games/table-0.clog", "games/table-0.clog.note", "games/table-0.tlog-proof"],
    ),
    ("link output", concat!("link ", include_str!("../data/game.link"), " -o OUT"), &[]),
    ("prove output", "prove games/table-1.clog --policy p.toml -o OUT", &["games/table-1.clog", "p.toml"]),
    ("verify-proof output", "verify-proof game.html -o OUT", &["game.html"]),
    ("sheet output", "sheet house.toml -o OUT", &["house.toml"]),
    ("stats html", "stats games linked --html OUT", &["games/table-0.clog", "elsewhere.clog"]),
    ("table html", "event table open.toml games --html OUT", &["open.toml", "games/table-0.clog"]),
    ("import output", "import game.txt -o OUT", &["game.txt"]),
    ("pack out", "pack games linked -o OUT", &["games/table-0.clog", "elsewhere.clog"]),
    (
        "what-if output",
        "what-if games/table-0.clog --at 3 --action draw --play -o OUT",
        &["games/table-0.clog"],
    ),
];

/// Options that name no single file to write, each with the reason.
const OTHERS: [(&str, &str); 6] = [
    ("unpack out", "a directory: `directories_are_written_over_by_force_only`"),
    ("simulate out", "a directory: the same"),
    ("keygen out", "a private key is never overwritten: cases/signing.md"),
    ("publish out", "a published tree only grows: tests/it/tournament.rs"),
    ("arena out", "results only grow, by what continues their question: tests/it/arena.rs"),
    ("fetch out", "logs there only grow, by what continues their chain: tests/it/fetch.rs"),
];

/// Returns the commands with their options that write, and whether a command has `--force`.
fn writing(command: &clap::Command) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for subcommand in command.get_subcommands() {
        let force = subcommand.get_arguments().any(|argument| argument.get_id() == "force");
        let writes = subcommand.get_arguments().filter(|argument| {
            WRITING.iter().any(|name| argument.get_id() == name) || argument.get_short() == Some('o')
        });
        found.extend(
            writes.map(|argument| (format!("{} {}", subcommand.get_name(), argument.get_id()), force)),
        );
        found.extend(writing(subcommand));
    }
    found
}

#[test]
fn every_option_that_writes_a_file_has_a_case() {
    let found: BTreeSet<String> = writing(&Cli::command()).into_iter().map(|(name, _)| name).collect();
    let known = CASES.iter().map(|(name, _, _)| *name).chain(OTHERS.iter().map(|(name, _)| *name));
    assert_eq!(found, known.map(str::to_owned).collect());
}

/// Writes everything that the cases read.
fn inputs(place: &Path) {
    let made = logs(&place.join("games"), 2);
    let text = command(&["export", made[0].to_str().unwrap(), "--format", "notation"], b"");
    fs::write(place.join("game.txt"), text.out).unwrap();
    fs::write(place.join("p.toml"), "format = \"canasta-policy/1\"\n").unwrap();
    fs::write(place.join("house.toml"), "base = \"classic-4p\"\n").unwrap();
    let event = "format = \"canasta-event/1\"\nname = \"Open\"\nkind = \"pairs\"\n";
    fs::write(place.join("open.toml"), event).unwrap();
    let (log, page) = (made[0].to_str().unwrap(), place.join("game.html"));
    command(&["prove", log, "-o", page.to_str().unwrap()], b"");
    assert!(page.exists());
    for beside in ["games/table-0.clog.note", "games/table-0.tlog-proof"] {
        fs::write(place.join(beside), "what stands beside a log").unwrap();
    }
    fs::copy(&made[1], place.join("elsewhere.clog")).unwrap();
    fs::create_dir(place.join("linked")).unwrap();
    symlink(place.join("elsewhere.clog"), place.join("linked/table-9.clog")).unwrap();
    fs::write(place.join("other"), "an other file").unwrap();
}

/// Returns the names by which a file can be given.
fn names(place: &Path, file: &str) -> Vec<PathBuf> {
    let (path, link, hard) = (place.join(file), place.join("a-link"), place.join("a-hard-link"));
    let _ = (fs::remove_file(&link), fs::remove_file(&hard));
    symlink(&path, &link).unwrap();
    fs::hard_link(&path, &hard).unwrap();
    vec![path, link, hard, place.join("games/../").join(file)]
}

#[test]
fn no_command_writes_over_a_file_and_none_ever_over_what_it_reads() {
    let place = directory("outputs");
    inputs(&place);
    let forced = writing(&Cli::command());
    for (name, line, read) in CASES {
        let has_force = forced.iter().any(|(of, force)| of == name && *force);
        for file in read.iter().chain(&["other"]) {
            for path in names(&place, file) {
                for force in [false, true] {
                    if force && (!has_force || *file == "other") {
                        continue;
                    }
                    let before = fs::read(place.join(file)).unwrap();
                    let ran = write(&place, line, &path, force);
                    let what = format!("{line} {} force {force}: {}", path.display(), ran.err);
                    assert_eq!(ran.exit, Exit::Failure, "{what}");
                    assert_eq!(fs::read(place.join(file)).unwrap(), before, "{what}");
                    assert!(
                        fs::read_dir(&place).unwrap().all(|entry| {
                            !entry.unwrap().file_name().to_string_lossy().contains("partial")
                        })
                    );
                }
            }
        }
        let (fresh, other) = (place.join("fresh"), place.join("other"));
        let ran = write(&place, line, &fresh, false);
        assert!(ran.exit != Exit::Failure && fresh.exists(), "{line}: {}", ran.err);
        if has_force {
            let ran = write(&place, line, &other, true);
            assert!(ran.exit != Exit::Failure, "{line}: {}", ran.err);
            assert_eq!(fs::read(&other).unwrap(), fs::read(&fresh).unwrap(), "{line}");
            fs::write(&other, "an other file").unwrap();
        }
        fs::remove_file(&fresh).unwrap();
    }
}

/// Runs a command line with this output.
fn write(place: &Path, line: &str, out: &Path, force: bool) -> crate::common::Ran {
    let words = line.split(' ').map(|word| match word {
        "OUT" => out.to_str().unwrap().to_owned(),
        word if place.join(word).exists() => place.join(word).to_str().unwrap().to_owned(),
        word => word.to_owned(),
    });
    let words: Vec<String> = words.chain(force.then(|| "--force".to_owned())).collect();
    command(&words.iter().map(String::as_str).collect::<Vec<_>>(), b"")
}

#[test]
fn directories_are_written_over_by_force_only() {
    let place = directory("outputs-directories");
    let (archive, out) = (place.join("a.carc"), place.join("out"));
    let (archive, out) = (archive.to_str().unwrap(), out.to_str().unwrap());
    logs(&place.join("games"), 1);
    command(&["pack", place.join("games").to_str().unwrap(), "-o", archive], b"");
    let simulate =
        ["simulate", "--games", "1", "--seed", "1", "--signed", "--mode", "committed", "--out", out];
    for line in [&["unpack", archive, "-o", out][..], &simulate] {
        let ran = command(line, b"");
        assert_eq!(ran.exit, Exit::Clean, "{line:?}: {}", ran.err);
        let content =
            || fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path()).collect::<BTreeSet<_>>();
        for file in content() {
            let whole = fs::read(&file).unwrap();
            fs::write(&file, "another").unwrap();
            assert_eq!(command(line, b"").exit, Exit::Failure, "{line:?} {}", file.display());
            assert_eq!(fs::read(&file).unwrap(), b"another", "{line:?} {}", file.display());
            let ran = command(&[line, &["--force"]].concat(), b"");
            assert_eq!((ran.exit, fs::read(&file).unwrap()), (Exit::Clean, whole), "{line:?}: {}", ran.err);
            // The others are out of the way, so that this file alone stops the next run.
        }
        fs::remove_dir_all(out).unwrap();
    }
}

/// Checks that a note, which somebody may have signed with another key, is not replaced.
#[test]
fn a_note_is_replaced_by_force_only() {
    let place = directory("outputs-notes");
    let log = logs(&place, 1).remove(0);
    let (log, (key, _), (other, _)) =
        (log.to_str().unwrap(), crate::common::key(&place, "one", 1), crate::common::key(&place, "two", 2));
    assert_eq!(command(&["sign", log, "--key", &key], b"").exit, Exit::Clean);
    let note = fs::read(format!("{log}.note")).unwrap();
    assert_eq!(command(&["sign", log, "--key", &other], b"").exit, Exit::Failure);
    assert_eq!(fs::read(format!("{log}.note")).unwrap(), note);
    assert_eq!(command(&["sign", log, "--key", &other, "--force"], b"").exit, Exit::Clean);
    assert_ne!(fs::read(format!("{log}.note")).unwrap(), note);
    for input in [log, &key] {
        let before = fs::read(input).unwrap();
        command(&["sign", log, "--key", &key, "--sheet", input], b"");
        assert_eq!(fs::read(input).unwrap(), before, "{input}");
    }
}

/// Checks that a device takes what is written, and stays what it is.
#[test]
fn devices_are_no_files_to_write_over() {
    let place = directory("outputs-devices");
    let log = logs(&place, 1).remove(0);
    for force in [&[][..], &["--force"]] {
        let ran = command(&[&["report", log.to_str().unwrap(), "-o", "/dev/null"], force].concat(), b"");
        assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}

/// Checks that files are written in one place: beside, synced and renamed. Others say here why they are not.
#[test]
fn files_are_written_durably_or_for_a_reason() {
    const REASONS: [(&str, &str); 8] = [
        ("tournament/src/durable.rs", "the place"),
        ("src/shared/output.rs", "writes to devices and pipes"),
        ("src/files/simulate.rs", "a game that is lost is played again"),
        ("src/arena/mod.rs", "appends results of games that can be played again"),
        ("src/files/append/disk.rs", "appends to a log, and syncs it"),
        ("src/tournament/fetch.rs", "appends to logs that it can fetch again"),
        ("tournament/src/key_file.rs", "a new file with narrow rights, synced"),
        ("tournament/src/witness.rs", "a lock without content"),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    let mut folders = vec![root.join("src"), root.join("tournament/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.extend((!path.ends_with("tests")).then_some(path));
                continue;
            }
            let writes =
                ["fs::rename(", "fs::write(", "File::create(", "OpenOptions::new()", "File::options()"];
            let text = fs::read_to_string(&path).unwrap_or_default();
            if writes.iter().any(|word| text.contains(word)) {
                found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(found, REASONS.iter().map(|(file, _)| (*file).to_owned()).collect());
}
