//! `event`: the file, ids, pairings, and what does not count.

use crate::common::results::{head, id, log, sheet, table, text, write};
use crate::common::{command, directory};
use canasta_replay::Exit;
use std::fs;
use std::path::Path;

/// Checks the vector of docs/EVENT.md: the id of the first table of the event "Open 2026", as `sha256sum` computes it.
#[test]
fn ids_are_known_before_play() {
    let place = directory("event-ids");
    let rounds = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }, { table = 2, board = 3, entries = [3, 4] }]\n";
    let file = write(&place, "open.toml", &(head("", 4) + rounds));
    let expected = "d8ef9a04e83d3766e09772a013b5f8fd round 1 table 1: Anna & Boris - Cyril & Diana\n\
        ID round 1 table 2 board 3: Emil & Frida - Greta & Hans\n";
    let hash = |bytes: &[u8]| {
        use sha2::{Digest, Sha256};
        canasta_engine::hex::hex(&Sha256::digest(bytes)[..16])
    };
    let board = hash(b"canasta-event/1 game\0\0\0\0\x09Open 2026\0\0\0\x01\0\0\0\x02\0\0\0\x03");
    assert_eq!(text(&["event", "ids", &file]), expected.replace("ID", &board));
    assert_eq!(text(&["event", "ids", &file, "--round", "2"]), "");
}

/// Gives logs and sheets that do not count, one after another: each is named, and the table stays open.
#[test]
fn what_does_not_count_is_named() {
    let place = directory("event-faults");
    let rounds = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }]\n\
        [[rounds]]\nnumber = 2\ntables = [{ table = 1, entries = [2, 1] }]\n";
    let file = write(&place, "open.toml", &(head("", 2) + rounds));
    let first = id(&file, "round 1");
    let seats = "Anna, Cyril, Boris, Diana";
    let good = log(&place, &first, seats, None);
    let bytes = fs::read(&good).unwrap();
    let broken = place.join("broken.clog");
    let mut damaged = bytes.clone();
    damaged[9000] ^= 1;
    fs::write(&broken, damaged).unwrap();
    let of =
        |name: &str, head: &str, seats: &str, rounds: &[[i64; 2]]| sheet(&place, name, head, seats, rounds);
    let game = format!("game {first}\n");
    let cases = [
        (broken.to_str().unwrap().to_owned(), "CORRUPT"),
        (
            log(&place, &"ab".repeat(16), seats, None).to_str().unwrap().to_owned(),
            "the event has no such game",
        ),
        (
            log(&place, &id(&file, "round 2"), "Anna, Cyril, Boris, Eve", None).to_str().unwrap().to_owned(),
            "its players are not those of the table",
        ),
        (of("a.txt", "", seats, &[[5000, 100]]), "several tables have these players"),
        (of("b.txt", "", "Anna, Eve, Boris, Diana", &[[5000, 100]]), "no table has these players"),
        (of("c.txt", &game, seats, &[[5001, 100]]), "expected a multiple of 5"),
        (of("d.txt", &game, seats, &[[500, 100]]), "the game has not ended after 1 round"),
    ];
    for (path, reason) in &cases {
        let (exit, found) = table(&[&file, path]);
        let detail = found["not_counted"][0]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(reason), "{path}: {reason}: {found}");
        assert_eq!((exit, found["open"].as_u64()), (Exit::Findings, Some(2)), "{path}");
    }
    // A log and its copy are one game; a sheet with the same result agrees; one with another result contradicts it.
    let copy = place.join("copy.clog");
    fs::write(&copy, &bytes).unwrap();
    let same = of("e.txt", &game, seats, &[[4230, 5300]]);
    let good = good.to_str().unwrap();
    let (exit, found) = table(&[&file, good, copy.to_str().unwrap(), &same]);
    assert_eq!((exit, found["open"].as_u64()), (Exit::Clean, Some(1)), "{found}");
    assert_eq!(found["games"][0]["points"], serde_json::json!([4230, 5300]));
    let other = of("f.txt", &game, seats, &[[4235, 5300]]);
    let (exit, found) = table(&[&file, good, &other]);
    assert_eq!((exit, found["open"].as_u64()), (Exit::Findings, Some(2)), "{found}");
    // Files that cannot be read are failures.
    let ran = command(&["event", "table", &file, "missing.clog"], b"");
    assert_eq!(ran.exit, Exit::Failure, "{ran:?}");
    fs::write(place.join("junk.txt"), "rules classic-4p\nno line of a sheet\n").unwrap();
    let ran = command(&["event", "table", &file, place.join("junk.txt").to_str().unwrap()], b"");
    assert!(ran.exit == Exit::Failure && ran.err.contains("line 2"), "{ran:?}");
}

/// Counts a log and a sheet under policies: what breaks a promise is named, and does not count.
#[test]
fn a_policy_decides_what_counts() {
    let place = directory("event-policy");
    let rounds = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }, { table = 2, entries = [3, 4] }]\n";
    let file = write(&place, "open.toml", &(head("", 4) + rounds));
    let log = log(&place, &id(&file, "round 1 table 1"), "Anna, Cyril, Boris, Diana", None);
    let log = log.to_str().unwrap();
    let sheet = sheet(&place, "b.txt", "", "Emil, Greta, Frida, Hans", &[[5000, 100]]);
    assert_eq!(table(&[&file, log, &sheet]).0, Exit::Clean);
    let unsigned = "expected the signature of a player of each side, with a key of the sheet";
    for (promise, of_log, of_sheet) in [
        ("", None, unsigned),
        ("sheets = false", None, "the policy promises a log of every game, and no sheet in its place"),
        (
            "actions = 'signed'",
            Some("the policy promises signed actions of Anna, found 0 signed of"),
            unsigned,
        ),
        ("[deals]\nmodes = ['committed']", Some("the policy promises committed deals, found"), unsigned),
    ] {
        let policy = write(&place, "policy.toml", &format!("format = 'canasta-policy/1'\n{promise}\n"));
        let (exit, found) = table(&[&file, log, &sheet, "--policy", &policy]);
        let named = found["not_counted"].as_array().unwrap();
        let detail = |path: &str| {
            let of = named.iter().find(|of| of["path"] == path);
            of.map(|of| of["detail"].as_str().unwrap())
        };
        assert_eq!(detail(&sheet), Some(of_sheet), "{promise}");
        assert_eq!(detail(log).is_some(), of_log.is_some(), "{promise}: {found}");
        assert!(detail(log).is_none_or(|detail| detail.starts_with(of_log.unwrap())), "{promise}: {found}");
        let open = 1 + u64::from(of_log.is_some());
        assert_eq!((exit, found["open"].as_u64()), (Exit::Findings, Some(open)), "{promise}");
    }
}

/// Sends one bad line after another to `event check`: each is named with its line.
#[test]
fn bad_files_are_refused_with_their_lines() {
    let place = directory("event-bad");
    let rounds = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }]\n";
    let worth = "forfeit = { match_points = 2, points = 2000 }";
    let good = head(worth, 3) + rounds;
    let path = write(&place, "open.toml", &good);
    let ran = command(&["event", "check", &path], b"");
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    assert!(
        String::from_utf8_lossy(&ran.out)
            .contains(":16: question: Emil & Frida is neither at a table nor in sits_out"),
        "{ran:?}"
    );
    let cases: Vec<(&str, &str, usize, &str)> = vec![
        ("kind = 'pairs'", "kind = 'pars'", 3, "did you mean pairs?"),
        ("name = ", "nam = ", 2, "did you mean name?"),
        ("canasta-event/1", "canasta-event/2", 1, "expected \"canasta-event/1\""),
        ("[scoring]", "[scoring]\ntie_breaks = ['points']", 1, "one is there twice"),
        ("points = 2000", "points = 1000001", 6, "expected at most 1000000, found 1000001"),
        ("[scoring]", "[scoring]\nlots = [9]", 1, "expected entries"),
        ("'Open 2026'", "''", 2, "expected 1 to 200 bytes"),
        ("number = 2", "number = 1", 10, "expected another number than 1"),
        ("\"Cyril\", \"Diana\"", "\"Cyril\"", 10, "expected 2 players, found 1"),
        ("\"Cyril\"", "\"Anna\"", 10, "\"Anna\" is in entry 1 too"),
        ("\"Cyril\"", "\"a\\u0001\"", 12, "without control characters"),
        ("[[rounds]]\nnumber = 1", "[[rounds]]\nnumber = 2", 16, "expected round 1, found 2"),
        ("entries = [1, 2]", "entries = [1, 9]", 18, "no entry has the number 9"),
        ("entries = [1, 2]", "entries = [1, 1]", 18, "entry 1 has two places in round 1"),
        ("entries = [1, 2]", "entries = [1, 2, 3]", 18, "expected the entries of both sides"),
        (
            "{ table = 1, entries = [1, 2] }",
            "{ table = 1, entries = [1, 2] }, { table = 1, entries = [3] }",
            18,
            "the table stands there twice",
        ),
        (
            "{ table = 1, entries = [1, 2] }",
            "{ table = 1, entries = [1, 2], game = 'ab' }",
            18,
            "expected 32 hex digits",
        ),
        ("\n[[rounds]]", "\nfrom = 2\n[[rounds]]", 0, ""),
        (
            "\n[[entries]]\nnumber = 2",
            "\nfrom = 2\n[[entries]]\nnumber = 2",
            19,
            "entry 1 plays from round 2 on",
        ),
    ];
    for (old, new, line, reason) in cases {
        let changed = good.replacen(old, new, 1);
        assert_ne!(changed, good, "{old}");
        refused(&place, &changed, line, reason);
    }
    let most = good.clone() + &"#".repeat((1 << 20) - good.len());
    assert_eq!(command(&["event", "check", &write(&place, "most.toml", &most)], b"").exit, Exit::Clean);
    let ran = command(&["event", "check", &write(&place, "long.toml", &(most + "#"))], b"");
    assert!(ran.exit == Exit::Failure && ran.err.contains("1048576 bytes"), "{ran:?}");
}

/// Adds one bad decision after another to a good file: each is named with its line.
#[test]
fn bad_decisions_are_refused_with_their_lines() {
    let place = directory("event-decisions");
    let rounds = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }]\n";
    let good = head("forfeit = { match_points = 2, points = 2000 }", 3) + rounds;
    let end = good.lines().count() + 1;
    let added = [
        ("[[forfeits]]\nround = 1\ntable = 1\nentry = 3\nreason = 'a'", "expected an entry of this table"),
        (
            "[[forfeits]]\nround = 2\ntable = 1\nentry = 1\nreason = 'a'",
            "no game has this round, table and board",
        ),
        (
            "[[adjustments]]\nround = 1\ntable = 1\nreason = 'a'\nby = 'b'",
            "expected by, and points of the 2 sides",
        ),
        (
            "[[adjustments]]\nround = 1\ntable = 1\nreason = 'a'\nby = 'b'\npoints = [1]",
            "points of the 2 sides",
        ),
        ("[[penalties]]\nentry = 1\nreason = 'a'", "expected points, match_points or field to lose"),
        (
            "[[penalties]]\nentry = 1\npoints = -5\nreason = 'a'",
            "expected points, match_points or field to lose",
        ),
        ("[[withdrawals]]\nentry = 7\nfrom = 1\nreason = 'a'", "no entry has the number 7"),
    ];
    for (more, reason) in added {
        refused(&place, &format!("{good}{more}\n"), end, reason);
    }
    // The games of who forfeits or withdraws are won by the others, and the file must say what that is worth.
    for decision in [
        "[[forfeits]]\nround = 1\ntable = 1\nentry = 1\nreason = 'a'",
        "[[withdrawals]]\nentry = 1\nfrom = 1\nreason = 'a'",
    ] {
        let text = format!("{}{rounds}{decision}\n", head("", 3));
        refused(&place, &text, 1, "scoring.forfeit: expected its worth (TF-022)");
    }
}

fn refused(place: &Path, text: &str, line: usize, reason: &str) {
    let path = write(place, "bad.toml", text);
    let ran = command(&["event", "check", &path], b"");
    if line == 0 {
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
        return;
    }
    assert_eq!(ran.exit, Exit::Findings, "{reason}: {ran:?}");
    let is_there =
        ran.err.lines().any(|said| said.contains(&format!("bad.toml:{line}: ")) && said.contains(reason));
    assert!(is_there, "{line} {reason}: {ran:?}");
}

/// Checks that names that look alike and pairs that meet again are questions.
#[test]
fn what_may_be_meant_otherwise_is_a_question() {
    let place = directory("event-questions");
    let rounds = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }]\n\
        [[rounds]]\nnumber = 2\ntables = [{ table = 1, entries = [2, 1] }]\n";
    let file = write(&place, "open.toml", &(head("", 2) + rounds).replace("Diana", "\u{410}nna"));
    let ran = command(&["event", "check", &file], b"");
    assert_eq!(ran.exit, Exit::Clean);
    let said = String::from_utf8(ran.out).unwrap();
    assert!(said.contains(":10: question: \"Anna\" and \"\\u{410}nna\" look alike"), "{said}");
    assert!(said.contains(":18: question: EVENT_REPEAT_OPPONENTS: "), "{said}");
}

/// Returns a line of a report in FIDE's form: the number, and for each round opponent, colour and result.
fn trf(number: u32, name: &str, rounds: &[&str]) -> String {
    let mut line = format!("001 {number:>4} m    {name:<33} 2000 GER 00000000000 0000/00/00  0.0    1");
    assert_eq!(line.len(), 89);
    rounds.iter().for_each(|round| line += &format!("  {round}"));
    line + "\n"
}

#[test]
fn pairings_are_taken_from_other_programs() {
    let place = directory("event-import");
    let file = write(&place, "open.toml", &head("", 5));
    let report = "012 Open 2026\n".to_owned()
        + &trf(1, "Anna", &["   2 w 1", "   3 b 0"])
        + &trf(2, "Cyril", &["   1 b 0", "0000 - U"])
        + &trf(3, "Emil", &["   4 b =", "   1 w 1"])
        + &trf(4, "Greta", &["   3 w =", "0000 - Z"]);
    let import = |name: &str, text: &str| {
        let path = write(&place, name, text);
        command(&["event", "pairings", &file, "--import", &path], b"")
    };
    let expected = "
[[rounds]]
number = 1
tables = [
  { table = 1, entries = [1, 2] },
  { table = 2, entries = [4, 3] },
]
sits_out = [5]

[[rounds]]
number = 2
tables = [
  { table = 1, entries = [2] },
  { table = 2, entries = [3, 1] },
]
sits_out = [4, 5]
";
    let ran = import("a.trf", &report);
    assert_eq!(String::from_utf8(ran.out).unwrap(), expected, "{}", ran.err);
    let csv = "Round,Table,NS,EW\n1,1,Anna & Boris,2\n1,2,4,\"Emil & Frida\"\n2,1,2,\n2,2,3,1\n";
    let ran = import("a.csv", csv);
    assert_eq!(String::from_utf8(ran.out).unwrap(), expected, "{}", ran.err);
    let bad = [
        (
            "a.trf",
            report.replace("   4 w", "   9 w").replace("   4 b", "   9 b"),
            ":4: columns 92 to 95: expected an entry",
        ),
        (
            "b.trf",
            report.replace("   3 b 0", "   3 w 0"),
            ":2: round 2: expected w or b, and the other colour at the opponent, entry 3",
        ),
        (
            "c.trf",
            report.replace("   3 b 0", "   4 b 0"),
            ":2: round 2: expected w or b, and the other colour at the opponent, entry 4",
        ),
        ("d.trf", report.replace("001    2", "001    x"), ":3: columns 5 to 8"),
        ("e.trf", report.replace("   2 w 1", "   2 x 1"), ":2: round 1: expected w or b"),
        ("f.trf", report.clone() + &trf(4, "Greta", &["   3 w ="]), ":6: entry 4 is there twice"),
        ("g.csv", csv.replace("2,2,3,1", "2,x,3,1"), ":5: expected a number, found \"x\""),
        ("h.csv", csv.replace("2,2,3,1", "2,2,3,17"), ":5: expected an entry, found \"17\""),
        ("i.csv", csv.replace("2,2,3,1", "2,1,3,1"), ":5: the table stands there twice"),
        ("j.csv", csv.replace("2,2,3,1", "2,2"), ":5:"),
        ("k.csv", csv.replace("Round", "Runde"), ":1: expected round, table"),
    ];
    for (name, text, fault) in bad {
        let ran = import(name, &text);
        assert_eq!(ran.exit, Exit::Findings, "{name}: {ran:?}");
        assert!(ran.err.contains(&format!("{name}{fault}")), "{name}: {ran:?}");
    }
}

/// Checks that rounds that are there are not printed again, and that a movement needs its number of entries.
#[test]
fn rounds_that_are_there_stay() {
    let place = directory("event-again");
    let round = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }]\n";
    let file = write(&place, "open.toml", &(head("", 5) + round));
    let path = write(&place, "a.csv", "round,table,NS,EW\n1,1,1,2\n2,1,3,1\n");
    let ran = command(&["event", "pairings", &file, "--import", &path], b"");
    assert!(ran.exit == Exit::Failure && ran.err.contains("round 1 is there already"), "{ran:?}");
    let printed = text(&["event", "pairings", &file, "--import", &path, "--round", "2"]);
    assert!(printed.contains("number = 2\n") && printed.contains("sits_out = [2, 4, 5]\n"), "{printed}");
    let ran = command(&["event", "pairings", &file, "--movement", "howell"], b"");
    assert!(ran.exit == Exit::Failure && ran.err.contains("no table for 5 entries"), "{ran:?}");
}

/// Checks that names from outside are no markup, no formula and no control of a terminal.
#[test]
fn hostile_names_are_only_names() {
    let place = directory("event-hostile");
    let text = head("", 2)
        + "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }]\n\
        [[adjustments]]\nround = 1\ntable = 1\npoints = [10, 5]\nreason = '<b>'\nby = '\u{202e}x'\n";
    let text = text.replace("\"Anna\"", "\"=SUM(A1)\"").replace("\"Cyril\"", "\"<script>x</script>\"");
    let file = write(&place, "open.toml", &text.replace("Open 2026", "<img src=x> \u{202e}"));
    let page = place.join("wall.html");
    let args = ["event", "table", &file, "--format", "csv", "--lang", "de", "--html", page.to_str().unwrap()];
    let ran = command(&args, b"");
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    let csv = "rank,number,name,games,won,drawn,lost,match_points,points,difference,best\r\n\
        1,1,'=SUM(A1) & Boris,1,1,0,0,2,10,5,10\r\n\
        2,2,<script>x</script> & Diana,1,0,0,1,0,5,-5,5\r\n";
    assert_eq!(String::from_utf8(ran.out).unwrap(), csv);
    let html = fs::read_to_string(&page).unwrap();
    assert!(!html.contains("<script>") && !html.contains("<img") && !html.contains("<b>"), "{html}");
    assert!(!html.contains('\u{202e}') && html.contains("\\u{202e}x"), "{html}");
    assert!(html.contains("<html lang=\"de\">") && html.contains("Rangliste"), "{html}");
    let ran = command(&args, b"");
    assert!(ran.exit == Exit::Failure && ran.err.contains("exists already"), "{ran:?}");
    let ran = command(&["event", "table", &file], b"");
    assert!(!String::from_utf8(ran.out).unwrap().contains('\u{202e}'));
}
