//! Boards of duplicate play: the same cards at every table, committed to before play and shown after it; and what a cheat who
//! swaps, leaks or changes something cannot hide.

use crate::common::command;
use crate::common::event::{Event, set};
use base16ct::lower::encode_string;
use canasta_engine::log::Reader;
use canasta_engine::log::record::{Record, Reveal};
use canasta_replay::Exit;
use std::collections::BTreeSet;
use std::fs;

/// Number of tables of each board.
const TABLES: u32 = 3;

/// An event with boards of short games: the files of the boards, and the paths and ids of the games of each.
struct Duplicate {
    event: Event,
    boards: Vec<String>,
    games: Vec<Vec<(Vec<u8>, String)>>,
}

impl Duplicate {
    /// Makes boards, simulates their tables, and publishes the commitments.
    fn new(name: &str, boards: u32) -> Self {
        let event = Event::new(name, 1);
        let path = |name: String| event.place.join(name).to_str().unwrap().to_owned();
        let rules = path("short.toml".into());
        fs::write(&rules, "base = \"classic-4p\"\nname = \"short\"\n[knobs]\nrounds = 1\ntarget = 0\n")
            .unwrap();
        let files: Vec<String> = (0..boards).map(|board| path(format!("board-{board}.key"))).collect();
        let mut games = Vec::new();
        for (board, file) in files.iter().enumerate() {
            let made = command(&["keygen", &format!("{board}"), "--board", "-o", file], b"");
            assert_eq!(made.exit, Exit::Clean, "{made:?}");
            let (out, seed, number) =
                (path(format!("hall-{board}")), format!("{}", 50 + board), TABLES.to_string());
            let args = [
                "simulate", "--mode", "explicit", "--board", file, "--games", &number, "--seed", &seed,
                "--bots",
            ];
            let ran = command(&[&args[..], &["random", "--ruleset", &rules, "--out", &out]].concat(), b"");
            assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
            let read = |table| {
                let log = fs::read(format!("{out}/game-{table:06}.clog")).unwrap();
                let id = encode_string(&genesis(&log));
                (log, id)
            };
            games.push((0..TABLES).map(read).collect::<Vec<_>>());
        }
        Self { event, boards: files, games }
    }

    /// Commits to every board.
    fn commit(&self) {
        for (board, games) in self.games.iter().enumerate() {
            let list = self.event.place.join("list");
            let lines: String = games.iter().map(|(_, id)| format!("{id} table\n")).collect();
            fs::write(&list, lines).unwrap();
            let ran =
                self.event.publish(0, &["--board", &self.boards[board], "--tables", list.to_str().unwrap()]);
            assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
        }
    }

    /// Puts the beginning of a log on its table; all of it without a number of records.
    fn put(&self, board: usize, table: usize, records: Option<usize>) {
        let log = &self.games[board][table].0;
        let end = records.map_or(log.len(), |records| crate::common::frames(log)[records]);
        fs::write(self.event.tables.join(format!("b{board}t{table}.clog")), &log[..end]).unwrap();
    }

    fn put_all(&self, records: Option<usize>) {
        for board in 0..self.games.len() {
            (0..TABLES as usize).for_each(|table| self.put(board, table, records));
        }
    }

    fn reveal(&self, at_s: i64, board: usize) -> crate::common::Ran {
        self.event.publish(at_s, &["--reveal", &self.boards[board]])
    }

    fn kinds(&self) -> BTreeSet<String> {
        self.event.audit(&[]).0
    }
}

fn genesis(mut log: &[u8]) -> [u8; 16] {
    let first = Reader::new().next(&mut log).unwrap().unwrap().record().unwrap();
    let Record::Genesis(genesis) = first else { panic!("a genesis") };
    genesis.game_id
}

/// Returns the walls and salts that a log reveals.
fn reveals(mut log: &[u8]) -> Vec<(Vec<String>, [u8; 32])> {
    let mut reader = Reader::new();
    let mut found = Vec::new();
    while let Ok(Some(frame)) = reader.next(&mut log) {
        if let Ok(Record::RoundEnd(end)) = frame.record()
            && let Reveal::Wall { cards, salt } = end.reveal
        {
            found.push((cards.iter().map(ToString::to_string).collect(), salt));
        }
    }
    found
}

/// Checks an honest event of two boards at three tables: equal walls, salts that are nowhere equal, logs that are held until
/// the last table has finished, and a clean audit.
#[test]
fn tables_have_equal_cards_and_show_them_together() {
    let hall = Duplicate::new("boards-honest", 2);
    let shown: Vec<_> = hall
        .games
        .iter()
        .map(|games| games.iter().map(|(log, _)| reveals(log)).collect::<Vec<_>>())
        .collect();
    let salts: BTreeSet<[u8; 32]> = shown.iter().flatten().flatten().map(|(_, salt)| *salt).collect();
    assert_eq!(salts.len(), 2 * TABLES as usize, "every deal has a salt of its own");
    for tables in &shown {
        assert!(tables.iter().all(|of| of[0].0 == tables[0][0].0), "the walls of a board are equal");
    }
    assert_ne!(shown[0][0][0].0, shown[1][0][0].0, "boards differ");
    hall.commit();
    hall.put_all(Some(2));
    hall.event.watch(10);
    hall.put_all(Some(20));
    // Two of three tables finish: nothing of the board is shown, and their heads are fixed.
    (0..2).for_each(|table| hall.put(0, table, None));
    let ran = hall.event.watch(20);
    assert!(String::from_utf8(ran.out).unwrap().starts_with("opened 0, closed 0, 6 games in progress"));
    assert!(fs::read_dir(format!("{}/games", hall.event.site)).is_err(), "no log is published");
    let early = hall.reveal(25, 0);
    assert!(early.exit == Exit::Findings && early.err.contains("BOARD in"), "{early:?}");
    hall.put_all(None);
    let ran = hall.event.watch(30);
    assert!(String::from_utf8(ran.out).unwrap().starts_with("opened 0, closed 6, 0 games in progress"));
    assert_eq!(hall.event.publish(40, &["--end"]).exit, Exit::Findings, "a board is not shown");
    for board in 0..2 {
        let ran = hall.reveal(40, board);
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    }
    assert_eq!(hall.event.publish(50, &["--end"]).exit, Exit::Clean);
    let (kinds, report) = hall.event.audit(&[]);
    assert_eq!(kinds, set(&[]), "{report}");
    assert_eq!(
        report["boards"],
        serde_json::json!([
            {"board_id": report["boards"][0]["board_id"], "name": report["boards"][0]["name"], "tables": 3, "revealed": true},
            {"board_id": report["boards"][1]["board_id"], "name": report["boards"][1]["name"], "tables": 3, "revealed": true},
        ])
    );
}

/// Checks that a table with the cards of another board, or with a changed card or salt, is found when the board is shown.
#[test]
fn swapped_and_changed_cards_are_found() {
    let mut hall = Duplicate::new("boards-swapped", 2);
    // The operator deals a table of board 0 from board 1: the ids change places, the logs do not.
    let (first, second) = (hall.games[0][2].clone(), hall.games[1][2].clone());
    (hall.games[0][2], hall.games[1][2]) = (second, first);
    hall.commit();
    hall.put_all(Some(2));
    hall.event.watch(10);
    hall.put_all(None);
    hall.event.watch(20);
    assert_eq!(hall.kinds(), set(&[]), "nobody can know yet");
    (0..2).for_each(|board| assert_eq!(hall.reveal(30, board).exit, Exit::Clean));
    let (kinds, report) = hall.event.audit(&[]);
    assert_eq!(kinds, set(&["BOARD"]), "{report}");
    assert_eq!(report["faults"].as_array().unwrap().len(), 2);
    assert!(
        report.to_string().contains("the wall of round 1 attempt 1 is not that of its board"),
        "{report}"
    );
}

/// Checks leaks: a log that is published while another table plays its board, a secret that is shown too early, another
/// secret, a board whose game had begun, and a board that is never shown.
#[test]
fn leaks_are_found() {
    let hall = Duplicate::new("boards-leaked", 1);
    hall.commit();
    hall.put_all(Some(2));
    hall.event.watch(10);
    hall.put(0, 0, None);
    let log = hall.event.tables.join("b0t0.clog");
    let refused = hall.event.publish(20, &[log.to_str().unwrap()]);
    assert!(refused.exit == Exit::Findings && refused.err.contains("BOARD"), "{refused:?}");
    assert_eq!(hall.event.publish(20, &[log.to_str().unwrap(), "--anyway"]).exit, Exit::Clean);
    assert_eq!(hall.kinds(), set(&["BOARD"]));
    // Another secret than the one that was committed to.
    let hall = Duplicate::new("boards-other", 1);
    hall.commit();
    hall.put_all(None);
    hall.event.watch(10);
    let other = hall.event.place.join("other.key").to_str().unwrap().to_owned();
    let text = fs::read_to_string(&hall.boards[0]).unwrap();
    let (before, secret) = text.trim_end().rsplit_once(' ').unwrap();
    let turned: String = secret.chars().rev().collect();
    fs::copy(&hall.boards[0], &other).unwrap();
    fs::write(&other, format!("{before} {turned}\n")).unwrap();
    let refused = hall.event.publish(20, &["--reveal", &other]);
    assert!(refused.err.contains("not the one that the board was committed to"), "{refused:?}");
    // A board that is committed to when a table has begun.
    let hall = Duplicate::new("boards-late", 1);
    hall.put_all(Some(2));
    hall.event.watch(10);
    let list = hall.event.place.join("list");
    fs::write(&list, format!("{} table\n", hall.games[0][0].1)).unwrap();
    let args = ["--board", &hall.boards[0], "--tables", list.to_str().unwrap()];
    let refused = hall.event.publish(20, &args);
    assert!(refused.err.contains("had begun before the board"), "{refused:?}");
}

/// Checks that a file of a board is a secret, and that what is no such file is refused with its name.
#[test]
fn files_of_boards_are_secrets() {
    let hall = Duplicate::new("boards-files", 1);
    let file = &hall.boards[0];
    let again = command(&["keygen", "0", "--board", "-o", file], b"");
    assert!(again.exit == Exit::Failure && again.err.contains("exists already"), "{again:?}");
    let seeded = command(&["simulate", "--board", file, "--out", "nowhere"], b"");
    assert!(seeded.err.contains("--mode explicit"), "{seeded:?}");
    let text = fs::read_to_string(file).unwrap();
    for bad in ["", "canasta-board/2 0 0 0", &text[..text.len() - 3], &text.replace(' ', "  ")] {
        fs::write(file, bad).unwrap();
        let ran = hall.reveal(0, 0);
        assert!(ran.exit == Exit::Failure && ran.err.contains("keygen --board"), "{bad:?}: {ran:?}");
    }
}
