//! The table of results of events that were counted by hand.

use crate::common::directory;
use crate::common::results::{head, id, lines, log, sheet, table, text, write};
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Three rounds of eight pairs: 7 comes late, 8 withdraws before the third round.
const ROUNDS: &str = "
[[rounds]]
number = 1
tables = [{ table = 1, entries = [1, 2] }, { table = 2, entries = [3, 4] }, { table = 3, entries = [5, 6] },
  { table = 4, entries = [8] }]
[[rounds]]
number = 2
tables = [{ table = 1, entries = [2, 3] }, { table = 2, entries = [1, 4] }, { table = 3, entries = [5, 7] },
  { table = 4, entries = [6, 8] }]
[[rounds]]
number = 3
tables = [{ table = 1, entries = [2, 5] }, { table = 2, entries = [1, 7] }, { table = 3, entries = [3, 6] },
  { table = 4, entries = [4, 8] }]
[[forfeits]]
round = 1
table = 3
entry = 6
reason = 'absent half an hour after the start'
[[adjustments]]
round = 2
table = 3
points = [3000, 2500]
reason = 'the table broke off: the rounds that ended count'
by = 'the jury'
[[adjustments]]
round = 3
table = 1
points = [4900, 5000]
reason = 'appeal: a canasta was booked for the wrong side'
by = 'the jury'
[[penalties]]
entry = 3
round = 2
match_points = 1
reason = 'IR-034'
[[penalties]]
entry = 4
points = 100
reason = 'late'
[[withdrawals]]
entry = 8
from = 3
reason = 'ill'
";

const SCORING: &str = "ranking = 'match-points'\nforfeit = { match_points = 2, points = 2000 }\n\
    bye = { match_points = 1, points = 1000 }\nunfinished = 'score'";

/// Writes the event of sixteen players with all its logs and sheets, and returns its file and their folder.
fn everything(name: &str) -> (PathBuf, String) {
    let place = directory(name);
    let file = write(&place, "open.toml", &(head(SCORING, 8) + ROUNDS));
    log(&place, &id(&file, "round 1 table 1:"), "Anna, Cyril, Boris, Diana", None);
    // The table that broke off, which the jury adjusted.
    log(&place, &id(&file, "round 2 table 3:"), "Ida, Mia, Jan, Nils", Some(2));
    let put = |name: &str, seats: &str, rounds: &[[i64; 2]]| {
        sheet(&place.join("logs"), name, "", seats, rounds);
    };
    put("1-2.txt", "Emil, Greta, Frida, Hans", &[[2600, 1400], [2500, 2600]]);
    put("2-1.txt", "Emil, Cyril, Frida, Diana", &[[2700, 2400], [2500, 2500]]);
    put("2-2.txt", "Anna, Greta, Boris, Hans", &[[5100, 5100]]);
    put("2-4.txt", "Kai, Olga, Lea, Paul", &[[5500, 3000]]);
    put("3-1.txt", "Cyril, Ida, Diana, Jan", &[[5000, 4900]]);
    put("3-2.txt", "Anna, Mia, Boris, Nils", &[[1200, 900]]);
    put("3-3.txt", "Emil, Kai, Frida, Lea", &[[5300, 5000]]);
    (place.join("logs"), file)
}

/// Compares the table with a count by hand.
///
/// | pair | round 1 | round 2 | round 3 | match points | points | difference |
/// |---|---|---|---|---|---|---|
/// | 1 | 4230-5300 | 5100-5100 | 1200-900 | 0 1 2 = 3 | 10530 | -1070 + 0 + 300 = -770 |
/// | 2 | 5300-4230 | 4900-5200 | 4900-5000 | 2 0 0 = 2 | 15100 | 1070 - 300 - 100 = 670 |
/// | 3 | 5100-4000 | 5200-4900 | 5300-5000 | 2 2 2 - 1 = 5 | 15600 | 1100 + 300 + 300 = 1700 |
/// | 4 | 4000-5100 | 5100-5100 | 2000-0 | 0 1 2 = 3 | 11100 - 100 | -1100 + 0 + 2000 = 900 |
/// | 5 | 2000-0 | 3000-2500 | 5000-4900 | 2 2 2 = 6 | 10000 | 2000 + 500 + 100 = 2600 |
/// | 6 | 0-2000 | 5500-3000 | 5000-5300 | 0 2 0 = 2 | 10500 | -2000 + 2500 - 300 = 200 |
/// | 7 | late | 2500-3000 | 900-1200 | 0 0 = 0 | 3400 | -500 - 300 = -800 |
/// | 8 | bye 1000 | 3000-5500 | 0-2000 | 1 0 0 = 1 | 4000 | -2500 - 2000 = -4500 |
#[test]
fn an_event_of_sixteen_players_with_everything_in_it() {
    let (logs, file) = everything("event-everything");
    let (exit, found) = table(&[&file, logs.to_str().unwrap()]);
    assert_eq!((exit, &found["not_counted"]), (Exit::Clean, &Value::Array(Vec::new())), "{found}");
    let expected = [
        [1, 5, 3, 3, 0, 0, 6, 10000, 2600, 5000],
        [2, 3, 3, 3, 0, 0, 5, 15600, 1700, 5300],
        [3, 4, 3, 1, 1, 1, 3, 11000, 900, 5100],
        [4, 1, 3, 1, 1, 1, 3, 10530, -770, 5100],
        [5, 2, 3, 1, 0, 2, 2, 15100, 670, 5300],
        [6, 6, 3, 1, 0, 2, 2, 10500, 200, 5500],
        [7, 8, 2, 0, 0, 2, 1, 4000, -4500, 3000],
        [8, 7, 2, 0, 0, 2, 0, 3400, -800, 2500],
    ];
    assert_eq!(lines(&found), expected);
    let origins: Vec<&str> =
        found["games"].as_array().unwrap().iter().map(|game| game["origin"].as_str().unwrap()).collect();
    let rounds = [
        ["log", "sheet", "forfeit", "bye"],
        ["sheet", "sheet", "adjusted", "sheet"],
        ["adjusted", "unfinished", "sheet", "withdrawn"],
    ];
    assert_eq!(origins, rounds.concat());
    let ran = text(&["event", "table", &file, logs.to_str().unwrap()]);
    for line in [
        "  equal on match points 3; difference: Greta & Hans +900, Anna & Boris -770\n",
        "  equal on match points 2; difference: Cyril & Diana +670, Kai & Lea +200\n",
        "  round 3 table 1: counts as 4,900 : 5,000: appeal: a canasta was booked for the wrong side (the jury)\n",
        "  round 2: Emil & Frida: -1 match points: IR-034\n",
        "  round 3: Olga & Paul has withdrawn: ill\n",
    ] {
        assert!(ran.contains(line), "{line}\n{ran}");
    }
    let german = text(&["event", "table", &file, logs.to_str().unwrap(), "--lang", "de"]);
    assert!(
        german.contains("  gleich: Matchpunkte 3; Differenz: Greta & Hans +900, Anna & Boris -770\n"),
        "{german}"
    );
    // After the first round nothing later counts: neither the late pair, nor the withdrawal, nor the penalty of round 2.
    let (_, first) = table(&[&file, logs.to_str().unwrap(), "--round", "1"]);
    let expected = [
        [1, 5, 1, 1, 0, 0, 2, 2000, 2000, 2000],
        [2, 3, 1, 1, 0, 0, 2, 5100, 1100, 5100],
        [3, 2, 1, 1, 0, 0, 2, 5300, 1070, 5300],
        [4, 8, 0, 0, 0, 0, 1, 1000, 0, -1],
        [5, 1, 1, 0, 0, 1, 0, 4230, -1070, 4230],
        [6, 4, 1, 0, 0, 1, 0, 3900, -1100, 4000],
        [7, 6, 1, 0, 0, 1, 0, 0, -2000, 0],
    ];
    assert_eq!(lines(&first), expected);
}

/// Counts the same event if nothing counts of who withdraws, and by points: pair 8 is not ranked, its bye is void, and so are
/// the games of 6 (round 2) and 4 (round 3) with it. Then 6 has 0 + 5000 = 5000 points and 4 has 4000 + 5100 - 100 = 9000.
#[test]
fn results_of_who_withdraws_may_count_for_nobody() {
    let (logs, file) = everything("event-void");
    let changed = fs::read_to_string(&file).unwrap();
    let changed = changed.replace("unfinished = 'score'", "unfinished = 'score'\nwithdrawn = 'void'");
    fs::write(&file, changed.replace("match-points", "total-points")).unwrap();
    let (exit, found) = table(&[&file, logs.to_str().unwrap()]);
    assert_eq!(exit, Exit::Clean);
    let points: Vec<[i64; 3]> = lines(&found).iter().map(|line| [line[0], line[1], line[7]]).collect();
    let expected = [
        [1, 3, 15600],
        [2, 2, 15100],
        [3, 1, 10530],
        [4, 5, 10000],
        [5, 4, 9000],
        [6, 6, 5000],
        [7, 7, 3400],
    ];
    assert_eq!(points, expected);
}

/// Plays the printed movement of four players, and adds the points of every side to both of its players.
///
/// The rounds of `whist 4` are 4 2 1 3, 4 3 2 1 and 4 1 3 2 in the order North East South West. With 1000-500, 800-800 and
/// 300-700: player 4 has 1000 + 800 + 300 = 2100, 1 has 1000 + 800 + 700 = 2500, 2 has 500 + 800 + 700 = 2000, and 3 has
/// 500 + 800 + 300 = 1600.
#[test]
fn single_players_have_totals_of_their_own() {
    let place = directory("event-single");
    let names = ["Ann", "Bob", "Cleo", "Dora"];
    let mut file =
        "format = 'canasta-event/1'\nname = 'Single'\nkind = 'individual'\nrule_set = 'classic-4p'\n\
        [scoring]\nunfinished = 'score'\n"
            .to_owned();
    for (number, name) in (1..).zip(names) {
        file += &format!("[[entries]]\nnumber = {number}\nplayers = [{name:?}]\n");
    }
    let path = write(&place, "single.toml", &file);
    let rounds = text(&["event", "pairings", &path, "--movement", "whist"]);
    let path = write(&place, "single.toml", &(file + &rounds));
    assert!(rounds.contains("{ table = 1, entries = [4, 2, 1, 3] }"), "{rounds}");
    let sheets = place.join("sheets");
    sheet(&sheets, "1.txt", "", "Dora, Bob, Ann, Cleo", &[[1000, 500]]);
    sheet(&sheets, "2.txt", "", "Dora, Cleo, Bob, Ann", &[[800, 800]]);
    sheet(&sheets, "3.txt", "", "Dora, Ann, Cleo, Bob", &[[300, 700]]);
    let (exit, found) = table(&[&path, sheets.to_str().unwrap()]);
    assert_eq!(exit, Exit::Clean, "{found}");
    let points: Vec<[i64; 3]> = lines(&found).iter().map(|line| [line[0], line[1], line[7]]).collect();
    assert_eq!(points, [[1, 1, 2500], [2, 4, 2100], [3, 2, 2000], [4, 3, 1600]]);
    // Partners are those of the movement: a table with others does not count.
    sheet(
        &sheets,
        "3.txt",
        &format!("game {}\n", id(&path, "round 3")),
        "Dora, Ann, Bob, Cleo",
        &[[300, 700]],
    );
    let (exit, found) = table(&[&path, sheets.to_str().unwrap()]);
    assert_eq!((exit, found["open"].as_u64()), (Exit::Findings, Some(1)), "{found}");
}

/// Writes an event of pairs who have played these tables of each round, with the points of both sides.
fn played(name: &str, scoring: &str, rounds: &[&[[i64; 4]]]) -> String {
    let place = directory(name);
    let mut file = head(&format!("{scoring}\nunfinished = 'score'"), 4);
    for (number, tables) in (1..).zip(rounds) {
        file += &format!("[[rounds]]\nnumber = {number}\ntables = [\n");
        for (table, [one, other, ..]) in (1..).zip(*tables) {
            file += &format!("{{ table = {table}, entries = [{one}, {other}] }},\n");
        }
        file += "]\n";
        for (table, [.., north, east]) in (1..).zip(*tables) {
            let decision = format!("round = {number}\ntable = {table}\npoints = [{north}, {east}]\n");
            file += &format!("[[adjustments]]\n{decision}reason = 'a'\nby = 'b'\n");
        }
    }
    write(&place, "open.toml", &file)
}

/// Counts the same five games by several tie-breaks. 1 beats 2 and 3 by 100, 2 beats 3 by 300, 4 beats 1 by 10, and 4 and 2
/// draw, which brings nothing here. So 1 has 4 match points, 2 and 4 have 2, and 3 has none. Of 2 and 4, the differences are
/// -100 + 0 + 300 = 200 and 0 + 10 = 10, and the best games 1300 and 1010.
#[test]
fn tie_breaks_are_those_of_the_file() {
    let rounds: [&[[i64; 4]]; 3] = [
        &[[1, 2, 1100, 1000]],
        &[[1, 3, 1100, 1000], [4, 2, 0, 0]],
        &[[2, 3, 1300, 1000], [4, 1, 1010, 1000]],
    ];
    let order = |name: &str, ties: &str| {
        let scoring = format!("ranking = 'match-points'\nmatch_points = [2, 0, 0]\n{ties}");
        let file = played(name, &scoring, &rounds);
        let (_, found) = table(&[&file]);
        lines(&found).iter().map(|line| [line[0], line[1]]).collect::<Vec<_>>()
    };
    assert_eq!(order("ties-difference", ""), [[1, 1], [2, 2], [3, 4], [4, 3]]);
    assert_eq!(order("ties-won", "tie_breaks = ['won']"), [[1, 1], [2, 2], [2, 4], [4, 3]]);
    let lots = "tie_breaks = ['direct', 'lots']\nlots = [4, 2]";
    assert_eq!(order("ties-lots", lots), [[1, 1], [2, 4], [3, 2], [4, 3]]);
    // The opponents of 2 are 1, 4 and 3 with 4 + 2 + 0, those of 4 are 2 and 1 with 2 + 4: equal; then the best game.
    let best = "tie_breaks = ['opponents', 'best']";
    assert_eq!(order("ties-best", best), [[1, 1], [2, 2], [3, 4], [4, 3]]);
}

/// Checks that the game of those who are equal decides: 1 and 2 have 2 match points, and 2 has beaten 1, though 1 has the better
/// difference; and that of three who have not all met none is preferred.
#[test]
fn direct_encounters_count_if_all_have_met() {
    let scoring = "ranking = 'match-points'\ntie_breaks = ['direct', 'difference']";
    let rounds: [&[[i64; 4]]; 2] = [&[[1, 2, 100, 105], [3, 4, 50, 0]], &[[1, 4, 900, 0], [2, 3, 0, 60]]];
    let (_, found) = table(&[&played("ties-direct", scoring, &rounds)]);
    let order: Vec<i64> = lines(&found).iter().map(|line| line[1]).collect();
    assert_eq!(order, [3, 2, 1, 4]);
    // 2 and 3 and 1 with one win each: 1 and 3 have not met.
    let rounds: [&[[i64; 4]]; 2] = [&[[1, 2, 100, 105], [3, 4, 50, 0]], &[[1, 4, 900, 0], [2, 3, 0, 0]]];
    let scoring = format!("{scoring}\nmatch_points = [2, 0, 0]");
    let (_, found) = table(&[&played("ties-unmet", &scoring, &rounds)]);
    let order: Vec<i64> = lines(&found).iter().map(|line| line[1]).collect();
    assert_eq!(order, [1, 3, 2, 4], "the differences are 895, 50, 5 and -950");
}

/// Counts teams of three, of whom two play at each of two tables, and a table at which both sides forfeit.
#[test]
fn teams_play_at_several_tables() {
    let place = directory("event-teams");
    let file = "format = 'canasta-event/1'\nname = 'League'\nkind = 'teams'\n[scoring]\nranking = 'match-points'\n\
        unfinished = 'score'\nforfeit = { match_points = 2, points = 2000 }\n\
        [[entries]]\nnumber = 1\nname = 'Home'\nplayers = ['A', 'B', 'C']\n\
        [[entries]]\nnumber = 2\nname = 'Away'\nplayers = ['D', 'E', 'F']\n\
        [[rounds]]\nnumber = 1\ntables = [{ table = 1, board = 1, entries = [1, 2] }, \
        { table = 1, board = 2, entries = [1, 2] }, { table = 2, entries = [2, 1] }]\n";
    let both =
        |entry: u32| format!("[[forfeits]]\nround = 1\ntable = 2\nentry = {entry}\nreason = 'nobody came'\n");
    let path = write(&place, "league.toml", &(file.to_owned() + &[1, 2].map(both).concat()));
    let board = |number: u32| format!("game {}\n", id(&path, &format!("round 1 table 1 board {number}")));
    let sheets = place.join("sheets");
    sheet(&sheets, "1.txt", &board(1), "A, D, C, F", &[[500, 200]]);
    sheet(&sheets, "2.txt", &board(2), "E, B, D, C", &[[700, 600]]);
    let (exit, found) = table(&[&path, sheets.to_str().unwrap()]);
    assert_eq!(exit, Exit::Clean, "{found}");
    // Home: 500-200 won, 600-700 lost, a forfeit of both; Away has the same the other way round, and the difference -200.
    let expected = [[1, 1, 3, 1, 0, 2, 2, 1100, 200, 600], [2, 2, 3, 1, 0, 2, 2, 900, -200, 700]];
    assert_eq!(lines(&found), expected);
}

/// Checks that the page for the wall is one file: its policy allows nothing but its own style, and no markup asks for more.
#[test]
fn the_page_for_the_wall_loads_nothing() {
    let place = directory("event-wall");
    let rounds = "[[rounds]]\nnumber = 1\ntables = [{ table = 1, entries = [1, 2] }]\n";
    let file = write(&place, "open.toml", &(head("", 2) + rounds));
    let page = place.join("wall.html");
    text(&["event", "table", &file, "--html", page.to_str().unwrap()]);
    let page = fs::read_to_string(page).unwrap();
    let (_, policy) = page.split_once("Content-Security-Policy\" content=\"").expect("a policy");
    let (policy, _) = policy.split_once('"').unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(policy.contains("script-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for loads in ["://", " src=", " href=", "<link", "<script", "url(", "@import", "style=\""] {
        assert!(!page.contains(loads), "{loads}");
    }
}
