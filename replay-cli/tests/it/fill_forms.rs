//! Records of other programs: what cannot be read in them, and files of other forms.

use crate::common::{Extras, Ran, command, play, short};
use canasta_replay::Exit;
use std::fs;
use std::path::Path;

/// Returns a whole record from the page for writers of records.
fn example() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/formats/INTERCHANGE.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, block) = page.split_once("```json\n").expect("a record in the page");
    block.split_once("```").expect("its end").0.to_owned()
}

/// Returns a log of this project as lines.
fn own() -> String {
    let log = play(&short("classic-4p", 5), 1, Extras::None);
    String::from_utf8(command(&["export", "-"], &log).out).unwrap()
}

fn fill(text: &str) -> Ran {
    command(&["import", "--fill", "-", "-o", "-"], text.as_bytes())
}

/// Returns the number of the line at which a record is refused, and the reason.
fn refused(text: &str, what: &str) -> (usize, String) {
    let Ran { exit, out, err } = fill(text);
    assert_eq!((exit, out.len()), (Exit::Findings, 0), "{what}: {err}");
    let (line, reason) = err.split_once("line ").and_then(|(_, rest)| rest.split_once(": ")).expect("a line");
    (line.parse().expect("a number"), reason.trim_end().to_owned())
}

/// Checks that the first value that cannot be read is named, wherever cards stand, before anything is played.
#[test]
fn every_card_that_cannot_be_read_is_named_with_its_path() {
    let example = example();
    let lines: Vec<&str> = example.lines().collect();
    let mut named = 0;
    for (at, line) in lines.iter().enumerate() {
        for (from, _) in line.match_indices('"') {
            let Some(card) = line[from + 1..].split('"').next().filter(|card| is_card(card)) else {
                continue;
            };
            let mut changed = lines.clone();
            let joker = format!("{}\"JOKER\"{}", &line[..from], &line[from + card.len() + 2..]);
            changed[at] = &joker;
            let (line, reason) = refused(&(changed.join("\n") + "\n"), "a joker");
            assert_eq!(line, at + 1, "{reason}");
            let (path, said) = reason.split_once(": ").expect("a path");
            assert!(!path.contains(' ') && said.starts_with(r#""JOKER" is not a card"#), "{reason}");
            named += 1;
        }
    }
    assert!(named > 40, "{named} cards");
}

fn is_card(text: &str) -> bool {
    canasta_engine::card::Card::parse(text).is_some()
}

/// Checks that files which `audit` or the notation know are known to both readers of records.
#[test]
fn forms_that_are_no_record_are_named() {
    let (example, own) = (example(), own());
    let marked = |text: &str| ["\u{feff}", text].concat();
    assert_eq!(fill(&marked(&example)).out.len(), fill(&example).out.len());
    let import = |bytes: &[u8]| command(&["import", "-", "-o", "-"], bytes);
    assert_eq!(import(marked(&own).as_bytes()).out, import(own.as_bytes()).out);
    let unknown = example.replace("\"classic-4p\"", "\"clasic-4p\"");
    let listed = format!("[{}]", example.lines().collect::<Vec<_>>().join(","));
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(own.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for (bytes, said) in [
        (unknown.as_bytes(), "line 1: ruleset.id: unknown rule set \"clasic-4p\"; near are: classic-4p"),
        (listed.as_bytes(), "expected an object, found a list; a game is read as canasta-jsonl/1"),
        (&utf16, "found UTF-16"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "found gzip data"),
        (b"\x89CARC\r\n\x1a\x02", "it is an archive of logs"),
        (b"\x89CLOG\r\n\x1a\x02", "this is a log already"),
        (br#"{"hands":{"N":["XC"]},"stock":40}"#, "line 1: kind: missing; a game is read as canasta-jsonl/1"),
    ] {
        for options in [&["import", "--check", "--fill", "-"][..], &["import", "--check", "-"]] {
            let Ran { exit, err, .. } = command(options, bytes);
            assert!(exit == Exit::Findings, "{err}");
            assert!(err.contains(said) || options.len() == 3 && said.contains("ruleset"), "{said}: {err}");
        }
    }
    let ran = import(b"N has XC, J1\n");
    assert!(
        ran.err.contains("expected the rules before the game") && ran.err.contains("`check` judges"),
        "{}",
        ran.err
    );
    let ran = import(b"rules clasic-4p\nround 1 dealer W\n");
    assert!(ran.err.contains("found clasic-4p; near are: classic-4p"), "{}", ran.err);
    for options in [&["fmt", "-"][..], &["sheet", "--check", "-"]] {
        let ran = command(options, &utf16);
        assert!(ran.exit != Exit::Clean && ran.err.contains("found UTF-16"), "{}", ran.err);
    }
}
