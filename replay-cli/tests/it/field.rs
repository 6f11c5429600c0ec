//! Scoring against the field: boards that were counted by hand.

#[path = "../../../engine/examples/board_deviation.rs"]
#[allow(dead_code, reason = "it is a program too")]
mod board_deviation;

use crate::common::results::{self, head, table, text, write};
use crate::common::{command, directory};
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Four tables of one board, and their points.
const BOARD: [(&str, [i64; 2]); 4] = [
    ("Anna, Cyril, Boris, Diana", [2600, 1400]),
    ("Emil, Greta, Frida, Hans", [1500, 1500]),
    ("Ida, Kai, Jan, Lea", [2000, 800]),
    ("Mia, Olga, Nils, Paul", [900, 1300]),
];
const ROUND: &str = "tables = [{ table = 1, entries = [1, 2] }, { table = 2, entries = [3, 4] }, \
    { table = 3, entries = [5, 6] }, { table = 4, entries = [7, 8] }]\n";

/// The rules: a board is one round.
const RULES: &str = "base = 'classic-4p'\nname = 'board'\n[knobs]\nrounds = 1\ntarget = 0\n";

/// Writes an event of eight pairs with these rounds, and a folder for its sheets.
fn event(name: &str, scoring: &str, rounds: &str) -> (PathBuf, String) {
    let place = directory(name);
    write(&place, "board.toml", RULES);
    let text = head(scoring, 8).replace("from = 2\n", "").replace("'classic-4p'", "'board.toml'") + rounds;
    let file = write(&place, "open.toml", &text);
    fs::create_dir_all(place.join("sheets")).unwrap();
    (place, file)
}

/// Writes the sheet of a table, with the id of its game.
fn put(place: &Path, file: &str, title: &str, seats: &str, points: [i64; 2]) {
    let id = results::id(file, &format!("{title}:"));
    let (name, [north, east]) = (format!("sheets/{}.txt", title.replace(' ', "-")), points);
    let text =
        format!("rules classic-4p rounds=1 target=0\ngame {id}\nseats {seats}\nround 1\nend went_out\n");
    write(place, &name, &(text + &format!("score NS {north}\nscore EW {east}\n")));
}

fn put_board(place: &Path, file: &str, round: u32) {
    for (table, (seats, points)) in (1..).zip(BOARD) {
        put(place, file, &format!("round {round} table {table}"), seats, points);
    }
}

/// Returns number, hundredths and boards of each line of the standings.
fn lines(found: &Value) -> Vec<[i64; 3]> {
    let lines = found["standings"].as_array().unwrap().iter();
    lines
        .map(|line| ["number", "field_hundredths", "boards"].map(|field| line[field].as_i64().unwrap()))
        .collect()
}

/// Returns the figures of each game against the field.
fn games(found: &Value) -> Vec<Vec<i64>> {
    let figures = |game: &Value| {
        let figures = game["field_hundredths"].as_array().into_iter().flatten();
        figures.map(|figure| figure.as_i64().unwrap()).collect()
    };
    found["games"].as_array().unwrap().iter().map(figures).collect()
}

/// Counts one board in three ways. The differences of the first sides are 1200, 0, 1200 and -400.
///
/// | table | mean of the others | difference | lower, equal | matchpoints | IMPs | mean |
/// |---|---|---|---|---|---|---|
/// | 1 | (0 + 1200 - 400) / 3 = 266.67 | 933.33 | 2, 1 | 5 / 6 | 12, 0, 13 | 8.33 |
/// | 2 | (1200 + 1200 - 400) / 3 = 666.67 | -666.67 | 1, 0 | 2 / 6 | -12, -12, 5 | -6.33 |
/// | 3 | as table 1 | | | | | |
/// | 4 | (1200 + 0 + 1200) / 3 = 800 | -1200 | 0, 0 | 0 / 6 | -13, -5, -13 | -10.33 |
///
/// The other sides have the opposite figures, and of matchpoints the rest. With a standard deviation of 860, twice the 430
/// points that bridge gives ten IMPs for, each threshold is twice that of bridge (Law 78B): 400 is between 340 and 440 and
/// worth 5, 1200 is the least for 12, and 1600 is between 1500 and 1800 and worth 13.
#[test]
fn one_board_of_four_tables_is_counted_by_hand() {
    let rounds = format!("[[rounds]]\nnumber = 1\n{ROUND}");
    let ways = [
        ("difference", "averages = [0, 0, 0]", [93333, -66667, 93333, -120000]),
        ("matchpoints", "averages = [60, 50, 40]", [8333, 3333, 8333, 0]),
        ("imps", "averages = [3, 0, -3]\ndeviation = 860", [833, -633, 833, -1033]),
    ];
    for (scale, more, first) in ways {
        let scoring = format!("field = '{scale}'\n{more}");
        let (place, file) = event(&format!("field-{scale}"), &scoring, &rounds);
        put_board(&place, &file, 1);
        let sheets = place.join("sheets");
        let (exit, found) = table(&[&file, sheets.to_str().unwrap()]);
        assert_eq!(exit, Exit::Clean, "{found}");
        let whole = if scale == "matchpoints" { 10_000 } else { 0 };
        assert_eq!(games(&found), first.map(|figure| vec![figure, whole - figure]), "{scale}");
        let of = |pair: usize| [first[pair / 2], whole - first[pair / 2]][pair % 2];
        for [number, figure, boards] in lines(&found) {
            assert_eq!((figure, boards), (of(number as usize - 1), 1), "{scale}: pair {number}");
        }
        let figures: Vec<i64> = lines(&found).iter().map(|line| line[1]).collect();
        assert!(figures.is_sorted_by(|one, other| one >= other), "{figures:?}");
    }
}

/// Reads what the lines of a board say about the same results.
#[test]
fn every_figure_is_explained_in_both_languages() {
    let rounds = format!("[[rounds]]\nnumber = 1\n{ROUND}");
    let explained = |name: &str, scoring: &str, language: &[&str]| {
        let (place, file) = event(name, scoring, &rounds);
        put_board(&place, &file, 1);
        let sheets = place.join("sheets");
        let page = place.join("wall.html");
        let args = ["event", "table", &file, sheets.to_str().unwrap(), "--html", page.to_str().unwrap()];
        let text = text(&[&args[..], language].concat());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (text, fs::read_to_string(page).unwrap())
    };
    let imps = "field = 'imps'\naverages = [3, 0, -3]\ndeviation = 860";
    let (english, page) = explained("field-english", imps, &[]);
    for expected in [
        "1 Anna & Boris 1,200 (+13, +12, 0) / 3 8.33",
        "2 Emil & Frida 0 (+5, 2 × -12) / 3 -6.33",
        "4 Olga & Paul 400 (2 × +13, +5) / 3 10.33",
        "IMPs, each from a difference of 1: 40, 2: 100,",
        "24: 8,000",
    ] {
        assert!(english.contains(expected), "{expected}\n{english}");
    }
    assert!(page.contains("(+13, +12, 0) / 3") && page.contains("round 1 · against the field"), "{page}");
    let difference = "field = 'difference'\naverages = [0, 0, 0]";
    let (english, _) = explained("field-mean", difference, &[]);
    assert!(english.contains("mean of the others +266.67 933.33"), "{english}");
    let matchpoints = "field = 'matchpoints'\naverages = [60, 50, 40]";
    let (german, page) = explained("field-german", matchpoints, &["--lang", "de"]);
    for expected in ["(2 × 2, 1) / 6", "83,33", "Runde 1 · gegen das Feld"] {
        assert!(german.contains(expected) && page.contains(expected), "{expected}\n{german}");
    }
}

/// Counts a second board with everything that goes wrong, and a third that one table alone has played.
///
/// Round 2: pair 2 forfeits (60 and 40), table 2 gets 70 and 30 from the jury, table 3 has 2000-800 and table 4 900-1300, which
/// are compared with each other only: 100 and 0. Round 3: table 2 has a result, the others have none: 50 and 50. So pair 1 has
/// (83.33 + 60 - 10) / 2 = 66.67 after a penalty of ten, and pair 3 has (33.33 + 70 + 50) / 3 = 51.11.
#[test]
fn forfeits_decisions_and_missing_tables_have_the_figures_of_the_file() {
    let mut rounds = String::new();
    for number in 1..4 {
        rounds += &format!("[[rounds]]\nnumber = {number}\n{ROUND}");
    }
    rounds += "[[forfeits]]\nround = 2\ntable = 1\nentry = 2\nreason = 'absent'\n\
        [[adjustments]]\nround = 2\ntable = 2\nfield = [70, 30]\nreason = 'a card was seen'\nby = 'jury'\n\
        [[penalties]]\nentry = 1\nfield = 10\nreason = 'slow play'\n";
    let scoring = "field = 'matchpoints'\naverages = [60, 50, 40]";
    let (place, file) = event("field-decisions", scoring, &rounds);
    put_board(&place, &file, 1);
    for table in [3, 4] {
        let (seats, points) = BOARD[table - 1];
        put(&place, &file, &format!("round 2 table {table}"), seats, points);
    }
    put(&place, &file, "round 3 table 2", BOARD[1].0, [5000, 10]);
    let sheets = place.join("sheets");
    let sheets = sheets.to_str().unwrap();
    let (exit, found) = table(&[&file, sheets]);
    assert_eq!(exit, Exit::Clean, "{found}");
    let none = Vec::<i64>::new;
    let expected = [
        [vec![6000, 4000], vec![7000, 3000], vec![10000, 0], vec![0, 10000]],
        [none(), vec![5000, 5000], none(), none()],
    ];
    assert_eq!(games(&found)[4..], expected.concat());
    let figure = |pair: i64| lines(&found).into_iter().find(|line| line[0] == pair).unwrap();
    assert_eq!((figure(1), figure(3)), ([1, 6667, 2], [3, 5111, 3]));
    let text = text(&["event", "table", &file, sheets]);
    for expected in [
        "not at fault",
        "at fault",
        "decided",
        "no other table",
        "counts as 70 : 30 matchpoints %",
        "-10 against the field",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let csv = command(&["event", "table", &file, sheets, "--format", "csv"], b"");
    let csv = String::from_utf8(csv.out).unwrap();
    assert!(csv.starts_with("rank,number,name,games,won,drawn,lost,match_points,points,difference,best,boards,field_hundredths\r\n"));
    assert!(csv.contains(",2,6667\r\n"), "{csv}");
    // Who sits on the other side has had other cards.
    put(&place, &file, "round 3 table 1", "Cyril, Anna, Diana, Boris", [1000, 900]);
    let (exit, found) = table(&[&file, sheets]);
    assert_eq!(exit, Exit::Findings);
    assert!(found["not_counted"][0]["detail"].as_str().unwrap().contains("sit on other sides"), "{found}");
}

/// Checks that boards with a number are the same cards in all rounds, as in a movement: board 1 is played at table 1 of round 1
/// with 1200 and at table 2 of round 2 with 0.
#[test]
fn a_board_with_a_number_is_compared_over_the_rounds() {
    let rounds = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, board = 1, entries = [1, 2] }, \
        { table = 2, board = 2, entries = [3, 4] }]\nsits_out = [5, 6, 7, 8]\n\
        [[rounds]]\nnumber = 2\ntables = [{ table = 1, board = 2, entries = [1, 2] }, \
        { table = 2, board = 1, entries = [3, 4] }]\nsits_out = [5, 6, 7, 8]\n";
    let scoring = "field = 'difference'\naverages = [0, 0, 0]";
    let (place, file) = event("field-boards", scoring, rounds);
    put(&place, &file, "round 1 table 1 board 1", BOARD[0].0, BOARD[0].1);
    put(&place, &file, "round 2 table 2 board 1", BOARD[1].0, BOARD[1].1);
    put(&place, &file, "round 1 table 2 board 2", BOARD[1].0, [700, 1000]);
    let (_, found) = table(&[&file, place.join("sheets").to_str().unwrap()]);
    assert_eq!(games(&found), [vec![120000, -120000], vec![0, 0], vec![], vec![-120000, 120000]]);
}

/// Refuses what does not fit together, each with the field and the expectation.
#[test]
fn faults_of_the_scoring_name_the_field() {
    let cases = [
        ("averages = [60, 50, 40]", "scoring.field: expected averages beside it"),
        ("field = 'imps'", "scoring.field: expected averages beside it"),
        ("field = 'imps'\naverages = [3, 0, -3]\ndeviation = 0", "scoring.deviation: expected points from 1"),
        (
            "field = 'matchpoints'\naverages = [60, 50, 40]\ndeviation = 9",
            "scoring.deviation: expected points from 1",
        ),
        ("field = 'matchpoints'\naverages = [101, 50, 40]", "scoring.averages: expected percentages"),
        ("field = 'matchpoints'\naverages = [60, 50, 40]\nranking = 'match-points'", "not both"),
        (
            "field = 'matchpoints'\naverages = [60, 50, 40]\nunfinished = 'score'",
            "scoring.unfinished: expected",
        ),
        ("tie_breaks = ['field']", "scoring.tie_breaks: field is there without scoring.field"),
    ];
    for (number, (scoring, expected)) in (0..).zip(cases) {
        let (_, file) = event(&format!("field-fault-{number}"), scoring, "");
        let ran = command(&["event", "check", &file], b"");
        assert!(ran.exit == Exit::Failure || ran.exit == Exit::Findings, "{scoring}: {ran:?}");
        assert!(ran.err.contains(expected), "{scoring}: {ran:?}");
    }
    // A game to 5,000 points is no board of so many rounds; one of a round has its row in the table.
    let (place, file) = event("field-fault-rules", "field = 'imps'\naverages = [3, 0, -3]", "");
    assert_eq!(command(&["event", "check", &file], b"").exit, Exit::Clean);
    write(&place, "board.toml", "base = 'classic-4p'\n");
    let ran = command(&["event", "check", &file], b"");
    assert!(ran.err.contains("scoring.deviation: expected points from 1"), "{ran:?}");
    let matchpoints = "field = 'matchpoints'\naverages = [60, 50, 40]";
    let round = format!("[[rounds]]\nnumber = 1\n{ROUND}");
    let decision = "[[adjustments]]\nround = 1\ntable = 1\nreason = 'a'\nby = 'b'\n";
    for (scoring, more) in [("", "field = [60, 40]"), (matchpoints, "field = [60, 101]")] {
        let (_, file) = event("field-fault-decision", scoring, &format!("{round}{decision}{more}\n"));
        let ran = command(&["event", "check", &file], b"");
        assert!(ran.err.contains("field: expected scoring.field, and percentages"), "{more}: {ran:?}");
    }
}

/// Measures the spread of a sample of boards as the command does that has made the table of deviations, from another seed: of 60
/// boards a standard deviation is within a third of the true one, at more than twice its standard error.
#[test]
fn a_sample_of_boards_has_the_deviation_of_the_table() {
    let table = include_str!("../../src/event/deviations.txt");
    for preset in ["classic-4p", "samba-4p", "classic-2p"] {
        let row = table.lines().find_map(|line| line.strip_prefix(preset)?.strip_prefix(" 1 ")).unwrap();
        let expected: u64 = row.rsplit(' ').next().unwrap().parse().unwrap();
        let (boards, found) = board_deviation::deviation(preset, 1, 60, 77);
        assert_eq!(boards, 60, "bots come to an end");
        assert!(3 * found > 2 * expected && 3 * found < 4 * expected, "{preset}: {found}, {expected}");
    }
}
