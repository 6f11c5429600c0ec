//! Events with their files, logs and score sheets.
#![allow(dead_code, reason = "each test takes what it needs")]

use crate::common::command;
use canasta_replay::Exit;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The players of eight pairs.
pub const PLAYERS: [[&str; 2]; 8] = [
    ["Anna", "Boris"],
    ["Cyril", "Diana"],
    ["Emil", "Frida"],
    ["Greta", "Hans"],
    ["Ida", "Jan"],
    ["Kai", "Lea"],
    ["Mia", "Nils"],
    ["Olga", "Paul"],
];

/// Returns the beginning of the file of an event of pairs.
pub fn head(scoring: &str, pairs: usize) -> String {
    let mut text = format!(
        "format = 'canasta-event/1'\nname = 'Open 2026'\nkind = 'pairs'\nrule_set = 'classic-4p'\n[scoring]\n{scoring}\n"
    );
    for (number, players) in (1..).zip(&PLAYERS[..pairs]) {
        text += &format!("[[entries]]\nnumber = {number}\nplayers = {players:?}\n");
        if number == 7 {
            text += "from = 2\n";
        }
    }
    text
}

pub fn write(place: &Path, name: &str, text: &str) -> String {
    let path = place.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Writes a sheet with a total of each side for each round.
pub fn sheet(place: &Path, name: &str, head: &str, seats: &str, rounds: &[[i64; 2]]) -> String {
    let mut text = format!("rules classic-4p\n{head}seats {seats}\n");
    for (number, [north, east]) in (1..).zip(rounds) {
        text += &format!("round {number}\nend went_out\nscore NS {north}\nscore EW {east}\n");
    }
    write(place, name, &text)
}

pub fn text(args: &[&str]) -> String {
    let ran = command(args, b"");
    String::from_utf8(ran.out).unwrap() + &ran.err
}

pub fn table(args: &[&str]) -> (Exit, Value) {
    let ran = command(&[&["event", "table"], args, &["--format", "json"]].concat(), b"");
    let table = serde_json::from_slice(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    (ran.exit, table)
}

/// Returns rank, number, games, won, drawn, lost, match points, points, difference and best game of each line.
pub fn lines(table: &Value) -> Vec<[i64; 10]> {
    const FIELDS: [&str; 10] =
        ["rank", "number", "games", "won", "drawn", "lost", "match_points", "points", "difference", "best"];
    let lines = table["standings"].as_array().unwrap().iter();
    lines.map(|line| FIELDS.map(|field| line[field].as_i64().unwrap_or(-1))).collect()
}

/// Writes the log of a game between two pairs with a given id, and returns its path. The game of the seed ends with 4,230 to
/// 5,300 (an audit says so), and has two rounds before the third begins.
pub fn log(place: &Path, id: &str, seats: &str, rounds: Option<u32>) -> PathBuf {
    let games = place.join("simulated");
    let mut args =
        vec!["simulate", "--mode", "explicit", "--bots", "random", "--seed", "4", "--force", "--out"];
    args.push(games.to_str().unwrap());
    assert_eq!(command(&args, b"").exit, Exit::Clean);
    let game = games.join("game-000000.clog");
    let text = text(&["export", "--format", "notation", game.to_str().unwrap()]);
    let lines = text
        .lines()
        .take_while(|line| rounds.is_none_or(|rounds| !line.starts_with(&format!("round {} ", rounds + 1))));
    let lines = lines.map(|line| match line.split(' ').next() {
        Some("game") => format!("game {id}\n"),
        Some("seats") => format!("seats {seats}\n"),
        _ => format!("{line}\n"),
    });
    let out = place.join(format!("logs/{id}.clog"));
    fs::create_dir_all(out.parent().unwrap()).unwrap();
    let typed: String = lines.collect();
    let ran = command(&["import", "-", "-o", out.to_str().unwrap(), "--force"], typed.as_bytes());
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    out
}

/// Returns the id that `event ids` prints for a table.
pub fn id(file: &str, title: &str) -> String {
    let ids = text(&["event", "ids", file]);
    let line = ids.lines().find(|line| line[33..].starts_with(title)).expect("a game");
    line[..32].to_owned()
}
