//! Audits that go on where they were interrupted, and audits in parts: the report is that of one whole run.

mod common;

use canasta_replay::Exit;
use common::{Extras, Ran, command, directory, key, play, short};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes logs of short games: clean, cut off, no log, and two logs of one game.
fn write(place: &Path, games: u32) {
    let rules = short("classic-4p", 5);
    fs::create_dir_all(place).unwrap();
    for game in 0..games {
        let log = play(&rules, game, Extras::None);
        let put = |name: String, bytes: &[u8]| fs::write(place.join(name), bytes).unwrap();
        put(format!("game-{game}.clog"), &log);
        match game % 8 {
            0 => put(format!("game-{game}-again.clog"), &log),
            1 => put(format!("cut-{game}.clog"), &log[..log.len() / 2]),
            2 => put(format!("none-{game}.clog"), &b"no log ".repeat(30_000)),
            _ => {}
        }
    }
}

fn audit(args: &[&str]) -> Ran {
    command(&[&["audit"], args].concat(), b"")
}

/// Returns the output of a run without the sentence about the state.
fn told(ran: Ran) -> (Exit, String, String) {
    let is_other = |line: &&str| !line.contains("were audited before") && !line.contains("no result in it");
    let others = ran.err.lines().filter(is_other).collect();
    (ran.exit, String::from_utf8(ran.out).expect("text"), others)
}

/// Compares every format with a run without a state: while the state grows, and when it has everything.
#[test]
fn the_report_is_the_same_with_a_state() {
    let place = directory("resume-report");
    let logs = place.join("logs");
    write(&logs, 16);
    let (logs, missing) = (logs.to_str().unwrap(), place.join("missing.clog"));
    let state = place.join("state");
    for format in ["text", "json", "jsonl", "junit", "csv"] {
        let options = ["--format", format, logs, missing.to_str().unwrap(), "--threads", "3"];
        let expected = told(audit(&options));
        assert_eq!(expected.0, Exit::Failure);
        let resumed = || audit(&[&options[..], &["--resume", state.to_str().unwrap()]].concat());
        assert_eq!(told(resumed()), expected, "{format}");
        let again = resumed();
        assert!(again.err.contains("state: 22 of 22 logs were audited before"), "{}", again.err);
        assert_eq!(told(again), expected, "{format}");
    }
    // A log that has changed is audited again, and so is one that has another name.
    let state = state.to_str().unwrap();
    let changed = Path::new(logs).join("game-3.clog");
    let mut bytes = fs::read(&changed).unwrap();
    bytes[100] ^= 1;
    fs::write(changed, bytes).unwrap();
    fs::rename(Path::new(logs).join("game-4.clog"), Path::new(logs).join("game-5b.clog")).unwrap();
    let resumed = audit(&[logs, "--resume", state]);
    assert!(resumed.err.contains("20 of 22 logs were audited before"), "{}", resumed.err);
    assert_eq!(told(resumed), told(audit(&[logs])));
}

/// Cuts the state behind every byte: the report is the same, and all whole results are used.
#[test]
fn a_state_that_is_cut_loses_at_most_one_result() {
    let place = directory("resume-cut");
    let logs = place.join("logs");
    write(&logs, 2);
    let (logs, file) = (logs.to_str().unwrap(), place.join("state"));
    let options = [logs, "--format", "json", "--resume", file.to_str().unwrap()];
    let expected = told(audit(&options));
    let whole = fs::read(&file).unwrap();
    let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines(&whole), 1 + 4);
    for cut in (0..whole.len()).step_by(7).chain(whole.len() - 2..whole.len()) {
        fs::write(&file, &whole[..cut]).unwrap();
        let ran = audit(&options);
        let (found, said) = (lines(&whole[..cut]).saturating_sub(1), ran.err.contains("audited before"));
        assert_eq!(said, found > 0, "{cut}: {}", ran.err);
        assert!(found == 0 || ran.err.contains(&format!("{found} of 4 logs")), "{cut}: {}", ran.err);
        assert_eq!(told(ran), expected, "{cut}");
        assert_eq!(lines(&fs::read(&file).unwrap()), 1 + 4, "{cut}");
    }
}

/// Kills the program while it runs. Every log whose line was written is in the state.
#[test]
fn a_run_that_is_killed_goes_on() {
    let place = directory("resume-kill");
    let logs = place.join("logs");
    write(&logs, 12);
    let (logs, state) = (logs.to_str().unwrap(), place.join("state"));
    let options = ["audit", logs, "--format", "jsonl", "--resume", state.to_str().unwrap()];
    for told_before in 1..9 {
        let mut run = Command::new(env!("CARGO_BIN_EXE_canasta-replay"))
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program");
        let mut lines = BufReader::new(run.stdout.take().expect("a pipe")).lines();
        for _ in 0..=told_before {
            lines.next().expect("a line").expect("text");
        }
        run.kill().expect("a process");
        run.wait().expect("an end");
        let stored = fs::read_to_string(&state).unwrap().lines().count() - 1;
        assert!(stored >= told_before, "{stored} of {told_before}");
    }
    let expected = told(audit(&[logs, "--format", "jsonl"]));
    assert_eq!(told(command(&options, b"")), expected);
}

/// Checks that a file that is no state of this format is refused with a sentence, and stays as it is.
#[test]
fn files_that_are_no_states_are_refused() {
    let place = directory("resume-refused");
    let logs = place.join("logs");
    write(&logs, 3);
    let (logs, file) = (logs.to_str().unwrap(), place.join("state"));
    let options = [logs, "--resume", file.to_str().unwrap()];
    audit(&options);
    let good = fs::read(&file).unwrap();
    let second = good.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let lines: Vec<&[u8]> = good.split_inclusive(|byte| *byte == b'\n').collect();
    let newer = String::from_utf8(good.clone()).unwrap().replace("audit-state/1", "audit-state/2");
    for (bytes, expected) in [
        (flipped(second + 80), "line 2 was changed"),
        (lines[..1].iter().chain(&lines[2..]).copied().collect::<Vec<_>>().concat(), "line 2 was changed"),
        ([lines[0], lines[2], lines[1], lines[3]].concat(), "line 2 was changed"),
        (newer.into_bytes(), "of format 2, written by a newer version"),
        (flipped(70), "expected a state that audit --resume has written"),
        (b"my notes".to_vec(), "expected a state that audit --resume has written"),
        (b"my notes\n".to_vec(), "expected a state that audit --resume has written"),
        (vec![0; 300], "expected a state that audit --resume has written"),
        (vec![b'\n'; 3], "expected a state that audit --resume has written"),
    ] {
        fs::write(&file, &bytes).unwrap();
        let ran = audit(&options);
        assert_eq!(ran.exit, Exit::Failure);
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
        assert!(ran.out.is_empty() && fs::read(&file).unwrap() == bytes, "{expected}");
    }
    fs::write(&file, &good).unwrap();
    let lock = fs::File::open(&file).unwrap();
    lock.try_lock().unwrap();
    assert!(audit(&options).err.contains("another audit uses this state"));
}

/// Results of other options, and of other notes beside the logs, are not taken.
#[test]
fn results_of_other_options_are_left_alone() {
    let place = directory("resume-options");
    let logs = place.join("logs");
    write(&logs, 3);
    let (logs, state) = (logs.to_str().unwrap(), place.join("state"));
    let (signer, public) = key(&place, "event.example", 7);
    let run = |more: &[&str]| {
        let expected = told(audit(&[&[logs][..], more].concat()));
        let ran = audit(&[&[logs, "--resume", state.to_str().unwrap()][..], more].concat());
        let err = ran.err.clone();
        let (exit, out, _) = told(ran);
        assert_eq!((exit, out), (expected.0, expected.1), "{more:?}");
        err
    };
    run(&[]);
    for more in [&["--strict"][..], &["--live"], &["--salvage"], &["--format", "json"], &["--key", &public]] {
        let first = run(more);
        assert!(first.contains("no result in it is of these logs, options and version"), "{more:?}: {first}");
        assert!(run(more).contains("6 of 6 logs were audited before"), "{more:?}");
    }
    // A signature beside a log makes it another question.
    let log = format!("{logs}/game-0.clog");
    assert_eq!(command(&["sign", &log, "--key", &signer], b"").exit, Exit::Clean);
    assert!(run(&["--key", &public]).contains("5 of 6 logs were audited before"));
    assert!(run(&[]).contains("6 of 6 logs were audited before"));
}

/// Joins parts of every number, in any order, and compares with the report of one run.
#[test]
fn parts_join_into_the_report_of_one_run() {
    let place = directory("resume-parts");
    let logs = place.join("logs");
    write(&logs, 10);
    let (logs, missing) = (logs.to_str().unwrap(), place.join("missing.clog"));
    let table = place.join("standings.csv");
    let table = format!("--standings={}", table.display());
    for (format, of) in [("text", 1), ("json", 2), ("jsonl", 3), ("junit", 4), ("csv", 5), ("text", 40)] {
        let options = ["--format", format, missing.to_str().unwrap(), logs];
        let shown = if matches!(format, "junit" | "csv") { &table } else { "--standings" };
        let expected = audit(&[&options[..], &["--force", shown]].concat());
        let mut parts = Vec::new();
        for number in (1..=of).rev() {
            let part = audit(&[&options[..], &["--shard", &format!("{number}/{of}")]].concat());
            let path = place.join(format!("part-{format}-{number}-of-{of}"));
            fs::write(&path, part.out).unwrap();
            parts.push(path.to_str().unwrap().to_owned());
        }
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let joined = audit(&[&["--join", "--format", format, "--force", shown][..], &parts].concat());
        assert_eq!((joined.exit, joined.err), (expected.exit, expected.err), "{format}");
        assert_eq!(String::from_utf8(joined.out), String::from_utf8(expected.out), "{format}");
    }
}

/// Parts that do not make a whole are refused.
#[test]
fn parts_that_do_not_fit_are_refused() {
    let place = directory("resume-misfits");
    let logs = place.join("logs");
    write(&logs, 4);
    let logs = logs.to_str().unwrap();
    let part = |name: &str, args: &[&str]| {
        let path = place.join(name);
        fs::write(&path, audit(&[&[logs][..], args].concat()).out).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let [one, two] = ["1/2", "2/2"].map(|shard| part(&shard.replace('/', "-"), &["--shard", shard]));
    let strict = part("strict", &["--shard", "2/2", "--strict"]);
    let third = part("third", &["--shard", "3/3"]);
    let whole = fs::read(&one).unwrap();
    let put = |name: &str, bytes: &[u8]| {
        fs::write(place.join(name), bytes).unwrap();
        place.join(name).to_str().unwrap().to_owned()
    };
    let cut = put("cut", &whole[..whole.len() - 20]);
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let no_end = put("no-end", &whole[..last]);
    let mut other = whole;
    other[last - 20] ^= 1;
    let changed = put("changed", &other);
    let not_a_part = put("not-a-part", b"hello\n");
    for (parts, expected) in [
        (&[&one][..], "part 2 of 2 is missing"),
        (&[&one, &one], "are the same part"),
        (&[&one, &strict], "parts of two audits"),
        (&[&one, &third], "parts of two audits"),
        (&[&cut, &two], "the last line is cut off"),
        (&[&no_end, &two], "the part has no end"),
        (&[&changed, &two], "was changed"),
        (&[&not_a_part, &two], "expected a part"),
    ] {
        let parts: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
        let ran = audit(&[&["--join"][..], &parts].concat());
        assert!(ran.exit == Exit::Failure && ran.err.contains(expected), "{expected}: {}", ran.err);
    }
    let ran = audit(&["--join", "--format", "csv", &one, &two]);
    assert!(ran.err.contains("the parts are of --format text: they cannot be joined as csv"), "{}", ran.err);
}

/// Reads the lines: the first names the format, the last has the counts, the others are the logs of the JSON report.
#[test]
fn lines_are_the_logs_of_the_json_report() {
    let place = directory("resume-lines");
    write(&place, 4);
    let place = place.to_str().unwrap();
    let parsed = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON");
    let mut whole = parsed(&audit(&["--format", "json", place, "--standings"]).out);
    let lines = audit(&["--format", "jsonl", place, "--standings"]).out;
    let mut lines: Vec<Value> =
        lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(parsed).collect();
    let (first, last) = (lines.remove(0), lines.pop().unwrap());
    assert_eq!(whole["logs"].take(), Value::Array(lines));
    assert_eq!(first["format"], whole["format"]);
    for field in ["failures", "counts", "same_game", "standings"] {
        assert_eq!(last[field], whole[field], "{field}");
    }
}
