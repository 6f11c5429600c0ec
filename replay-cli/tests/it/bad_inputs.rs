//! Every command that reads a log, with every kind of bad input: the same kind of input gives the same exit
//! code in every command (0 clean, 1 findings, 2 failure), nothing panics, and nothing prints Rust's debug
//! form.

use crate::common::{Extras, Rng, command, directory, play, short};
use canasta_engine::archive::{ARCHIVE_HEADER, closing};
use canasta_engine::log::record::Record;
use canasta_engine::log::{Chain, HEADER, Reader};
use canasta_replay::Exit;
use std::fs;
use std::path::Path;

/// The commands, with `@` for the input. Each exits with 0 for a good log. Further files that a command needs
/// are made beforehand.
const COMMANDS: [&[&str]; 16] = [
    &["audit", "@"],
    &["audit", "@", "--format", "json"],
    &["audit", "@", "--format", "jsonl"],
    &["show", "@", "--at", "0"],
    &["show", "@", "--at", "3", "--format", "json"],
    &["explain", "@", "--at", "3"],
    &["what-if", "@", "--at", "3", "--action", "draw"],
    &["verify-deal", "@"],
    &["diff", "@", "good.clog"],
    &["diff", "good.clog", "@"],
    &["export", "@"],
    &["export", "@", "--format", "notation"],
    &["stats", "@"],
    &["append", "@"],
    &["judge", "@"],
    &["sign", "@", "--key", "a.key"],
];

/// The message about a file that is not a log, by the name of the file.
const NO_LOGS: [(&str, &str); 8] = [
    ("empty", "the file is empty"),
    ("text", "it is text"),
    ("gzip", "gzip -dc"),
    ("archive", "canasta-replay unpack"),
    ("notation", "a game in notation"),
    ("jsonl", "it is JSON"),
    ("noise", "the first bytes are not 89 43 4c 4f 47"),
    ("cut-header", "within the nine bytes"),
];

/// Writes a good log, and every kind of file that is not a log.
fn inputs(place: &Path) -> Vec<u8> {
    let log = play(&short("classic-4p", 5), 1, Extras::None);
    let write = |name: &str, bytes: &[u8]| fs::write(place.join(name), bytes).expect("a file");
    write("good.clog", &log);
    write("empty", b"");
    write("text", b"dear director, we have played\n");
    write("gzip", &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]);
    write("archive", &[&ARCHIVE_HEADER[..], &closing(&[])].concat());
    write("noise", &[0, 1, 2, 3, 0xff, 0xfe, 0xfd, 9, 9, 9, 9]);
    write("cut-header", &HEADER[..5]);
    for (name, format) in [("notation", "notation"), ("jsonl", "jsonl")] {
        let good = place.join("good.clog");
        let ran = command(&["export", good.to_str().expect("text"), "--format", format], b"");
        assert_eq!(ran.exit, Exit::Clean);
        write(name, &ran.out);
    }
    let mut version = log.clone();
    version[8] = 1;
    write("version", &version);
    write("truncated", &log[..log.len() - 5]);
    let mut flipped = log.clone();
    let at = log.len() - 30;
    flipped[at] ^= 4;
    write("flipped", &flipped);
    let mut flipped = log.clone();
    flipped[2] ^= 1;
    write("flipped-header", &flipped);
    fs::create_dir(place.join("directory")).expect("a directory");
    let key = place.join("a.key");
    assert_eq!(command(&["keygen", "a.example", "-o", key.to_str().expect("text")], b"").exit, Exit::Clean);
    log
}

/// Runs a command on an input, and returns its output and exit code.
fn run(place: &Path, args: &[&str], input: &str) -> (String, Exit) {
    let path = |name: &str| place.join(name).to_str().expect("text").to_owned();
    let args: Vec<String> = args
        .iter()
        .map(|arg| match *arg {
            "@" => path(input),
            "good.clog" | "a.key" => path(arg),
            other => other.to_owned(),
        })
        .collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ran = command(&args, b"");
    (String::from_utf8_lossy(&ran.out).into_owned() + &ran.err, ran.exit)
}

/// Fails if the text has the debug form of a Rust value, or the number of a system error.
fn is_for_people(what: &str, text: &str) {
    const FORMS: [&str; 12] = [
        "Some(",
        "None",
        "Ok(",
        "Err(",
        " { ",
        "Error {",
        "Utf8",
        "Kind::",
        "LogError",
        "(os error",
        "panicked",
        "[\"",
    ];
    // JSON is not Rust's debug form.
    let text: String = text.lines().filter(|line| !line.starts_with(['{', ']'])).collect();
    for form in FORMS {
        assert!(!text.contains(form), "{what}: {form} in {text}");
    }
}

#[test]
fn every_command_says_the_same_of_the_same_bad_input() {
    let place = directory("bad-inputs");
    let log = inputs(&place);
    for args in COMMANDS {
        let (said, exit) = run(&place, args, "good.clog");
        assert_eq!(exit, Exit::Clean, "{args:?}: {said}");
        let _ = fs::remove_file(place.join("good.clog.note"));
        for (input, hint) in NO_LOGS {
            let (said, exit) = run(&place, args, input);
            let what = format!("{args:?} of {input}");
            // An empty log may be appended to, and the input has no frames.
            let expected = if (args[0], input) == ("append", "empty") { Exit::Clean } else { Exit::Findings };
            assert_eq!(exit, expected, "{what}: {said}");
            is_for_people(&what, &said);
            let told = matches!(args[0], "stats" | "sign" | "append") || said.contains(hint);
            assert!(told || exit == Exit::Clean, "{what}: expected {hint} in {said}");
            assert!(!said.contains("ALTERED") && !said.contains("CORRUPT"), "{what}: {said}");
        }
        for input in ["version", "truncated", "flipped", "flipped-header"] {
            let (said, exit) = run(&place, args, input);
            let what = format!("{args:?} of {input}");
            assert_eq!(exit, Exit::Findings, "{what}: {said}");
            is_for_people(&what, &said);
        }
        for input in ["missing", "good.clog/below", "directory"] {
            let (said, exit) = run(&place, args, input);
            let what = format!("{args:?} of {input}");
            assert_eq!(exit, Exit::Failure, "{what}: {said}");
            is_for_people(&what, &said);
            assert!(said.contains(input), "{what}: names it: {said}");
        }
    }
    assert_eq!(fs::read(place.join("good.clog")).expect("the log"), log, "nothing was changed");
}

/// Checks that commands that read more than logs, or something else, have the same exit codes.
#[test]
fn other_commands_keep_to_the_same_exit_codes() {
    let place = directory("bad-inputs-others");
    inputs(&place);
    use Exit::{Clean, Failure, Findings};
    let cases: [(&[&str], &str, Exit); 19] = [
        (&["rules", "show", "@"], "good.clog", Clean),
        (&["rules", "show", "@"], "text", Findings),
        (&["rules", "show", "@"], "gzip", Findings),
        (&["rules", "show", "@"], "version", Findings),
        (&["rules", "show", "@"], "missing", Failure),
        (&["import", "@", "-o", "-"], "jsonl", Clean),
        (&["import", "@", "-o", "-"], "notation", Clean),
        (&["import", "@", "-o", "-"], "good.clog", Findings),
        (&["import", "@", "-o", "-"], "gzip", Findings),
        (&["import", "@", "-o", "-"], "empty", Findings),
        (&["import", "@", "-o", "-"], "missing", Failure),
        (&["import", "@", "-o", "-"], "directory", Failure),
        (&["unpack", "@", "--test"], "archive", Clean),
        (&["unpack", "@", "--test"], "good.clog", Findings),
        (&["unpack", "@", "--test"], "empty", Findings),
        (&["unpack", "@", "--test"], "missing", Failure),
        (&["unpack", "@", "--test"], "directory", Failure),
        (&["step", "@"], "gzip", Findings),
        (&["step", "@"], "good.clog", Failure),
    ];
    for (args, input, expected) in cases {
        let (said, exit) = run(&place, args, input);
        assert_eq!(exit, expected, "{args:?} of {input}: {said}");
        if exit != Clean {
            is_for_people(&format!("{args:?} of {input}"), &said);
        }
    }
}

/// Checks that `-` is standard input wherever a log or an archive is read, and is refused elsewhere.
#[test]
fn a_dash_is_standard_input() {
    let place = directory("bad-inputs-dash");
    let log = inputs(&place);
    let path = |name: &str| place.join(name).to_str().expect("text").to_owned();
    let good = path("good.clog");
    for args in [
        &["audit", "-"][..],
        &["show", "-", "--at", "3"],
        &["explain", "-", "--at", "3"],
        &["what-if", "-", "--at", "3", "--action", "draw"],
        &["verify-deal", "-"],
        &["diff", "-", &good],
        &["diff", &good, "-"],
        &["export", "-"],
        &["stats", "-"],
        &["rules", "show", "-"],
    ] {
        let ran = command(args, &log);
        assert_eq!(ran.exit, Exit::Clean, "{args:?}: {}", ran.err);
    }
    let archive = fs::read(place.join("archive")).expect("an archive");
    assert_eq!(command(&["unpack", "-", "--test"], &archive).exit, Exit::Clean);
    let (key, site) = (path("a.key"), path("site"));
    for args in [
        &["diff", "-", "-"][..],
        &["append", "-"],
        &["judge", "-"],
        &["sign", "-", "--key", &key],
        &["pack", "-", "-o", &path("none.carc")],
        &["publish", "-", "--key", &key, "-o", &site],
    ] {
        let ran = command(args, &log);
        assert_eq!(ran.exit, Exit::Failure, "{args:?}: {}", ran.err);
        is_for_people(&format!("{args:?}"), &ran.err);
    }
    assert!(!Path::new(&site).exists(), "nothing was made");
}

/// Checks that the deal of the second round, which the log accepts, is not called illegal: no position is judged for
/// it. Any other action is judged there.
#[test]
fn judge_has_no_position_for_a_later_deal() {
    let place = directory("judge-later-deal");
    let (path, log) = (place.join("game.clog"), play(&short("classic-4p", 1_500), 1, Extras::None));
    fs::write(&path, &log).expect("a file");
    let (mut reader, mut piece, mut seq, mut registers) = (Reader::new(), &log[..], 0, 0);
    while registers < 2 {
        match reader.next(&mut piece).expect("a log").expect("two rounds").record().expect("a record") {
            Record::Action(_) => seq += 1,
            Record::Register(_) => registers += 1,
            _ => {}
        }
    }
    let lines = format!(
        "{{\"seq\":{0},\"action\":{{\"type\":\"deal\"}}}}\n\
         {{\"seq\":{0},\"seat\":1,\"action\":{{\"type\":\"draw_stock\"}}}}\n",
        seq + 1
    );
    let ran = command(&["judge", path.to_str().expect("text")], lines.as_bytes());
    let answers: Vec<serde_json::Value> = serde_json::Deserializer::from_slice(&ran.out)
        .into_iter()
        .map(|value| value.expect("JSON"))
        .collect();
    assert_eq!(answers[0]["error"], "the log shows no such position", "{answers:?}");
    assert_eq!(answers[1]["codes"][0], "GAME_ROUND_OVER", "{answers:?}");
}

/// Checks that every line has its answer, whatever the other lines contain.
#[test]
fn judge_answers_bad_lines_and_goes_on() {
    let place = directory("bad-inputs-judge");
    inputs(&place);
    let good = place.join("good.clog");
    let long = " ".repeat(70_000);
    let lines = format!(
        "{{\"seq\":2,\"seat\":9,\"action\":{{\"type\":\"draw_stock\"}}}}\nno json\n\n{long}\n\
         {{\"seq\":2,\"action\":{{\"type\":\"undo_meld\"}}}}\n{{\"seq\":999999,\"action\":{{\"type\":\"pass\"}}}}\n\
         {{\"seq\":2,\"action\":{{\"type\":\"draw_stock\"}}}}"
    );
    let input = [lines.as_bytes(), b"\n\xff\xfe\n"].concat();
    let ran = command(&["judge", good.to_str().expect("text")], &input);
    let text = String::from_utf8(ran.out).expect("text");
    let answers: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((answers.len(), ran.exit), (8, Exit::Findings), "{text}");
    for (at, line) in [(1, 2), (2, 3), (3, 4), (4, 5), (7, 8)] {
        assert_eq!(answers[at]["line"], line, "{text}");
        assert!(answers[at]["error"].is_string());
    }
    assert_eq!(answers[5]["error"], "the log shows no such position");
    assert_eq!(answers[6]["legal"], false, "the table does not draw");
    let gzip = place.join("gzip");
    let ran = command(&["judge", gzip.to_str().expect("text")], &input);
    assert!(ran.err.contains("gzip -dc"), "{}", ran.err);
}

/// Reads payloads with a valid chain that are not records, or not allowed there: every error is in words.
#[test]
fn what_is_wrong_with_a_record_is_said_in_words() {
    let log = play(&short("classic-4p", 5), 1, Extras::All);
    let mut reader = Reader::new();
    let (mut rest, mut payloads) = (&log[..], Vec::new());
    while let Some(frame) = reader.next(&mut rest).expect("a whole log") {
        payloads.push(frame.payload.to_vec());
    }
    let place = directory("bad-inputs-words");
    let path = place.join("bad.clog");
    let mut random = Rng(5);
    for round in 0..600 {
        let mut bad = payloads.clone();
        // The genesis is the longest record and has most kinds of fields; the first records have the most content.
        let n = if round % 3 == 0 { 0 } else { random.below(bad.len().min(80)) };
        match round % 4 {
            0 => {
                bad.remove(n);
            }
            1 => {
                let at = random.below(bad[n].len());
                bad[n].truncate(at.max(1));
            }
            _ => {
                let at = random.below(bad[n].len());
                bad[n][at] = random.below(256) as u8;
            }
        }
        let (mut chain, mut bytes) = (Chain::START, HEADER.to_vec());
        bad.iter().for_each(|payload| chain.append(payload, &mut bytes));
        fs::write(&path, &bytes).expect("a file");
        let ran = command(&["audit", path.to_str().expect("text")], b"");
        let said = String::from_utf8(ran.out).expect("text") + &ran.err;
        is_for_people(&format!("record {n}, change {round}"), &said);
    }
}
