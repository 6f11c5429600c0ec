//! Golden logs, and their games as a scorer writes them down at a table.

use super::command;
use canasta_engine::rules::{LaidThrees, RuleSet};
use serde_json::Value;
use std::path::Path;

/// Returns the path of a golden log.
pub fn golden(preset: &str, game: u32) -> String {
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/logs/v2");
    logs.join(preset).join(format!("game-{game:06}.clog")).to_str().unwrap().to_owned()
}

fn exported(log: &str, form: &str) -> String {
    String::from_utf8(command(&["export", log, "--format", form], b"").out).unwrap()
}

/// Returns the cards as a scorer writes them: those that lie open, and `??` for others.
fn hidden(cards: &str, set: &RuleSet) -> Vec<String> {
    let is_open = |card: &str| {
        matches!(card, "3h" | "3d") || set.laid_threes == LaidThrees::Both && matches!(card, "3c" | "3s")
    };
    let apart = cards.replace('X', "Xx").replace(' ', "");
    let chars: Vec<char> = apart.chars().collect();
    let pairs = chars.chunks(2).map(|card| card.iter().collect::<String>());
    pairs.map(|card| if is_open(&card) { card } else { "??".to_owned() }).collect()
}

/// Returns the text of a game as a scorer writes it: no hands, and of what came to a hand only what was laid at once.
pub fn transcript(log: &str, set: &RuleSet) -> String {
    let lines = exported(log, "jsonl");
    let actions = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut actions = actions.filter(|line| line["kind"] == "action");
    let mut written = String::new();
    for line in exported(log, "notation").lines() {
        written += &match line.split_once(": ") {
            _ if line == "cards seeded" => "cards transcribed".to_owned(),
            _ if line.starts_with("winner ") => line.split(' ').take(2).collect::<Vec<_>>().join(" "),
            _ if line.starts_with("deal ") => {
                actions.next();
                dealt(line, set)
            }
            _ if line.starts_with("draw_cards") => drawn_for_seats(&actions.next().unwrap()),
            Some((seat, done)) if !seat.contains(' ') => {
                let done = done.split(", ").map(|done| as_seen(done, &actions.next().unwrap(), set));
                format!("{seat}: {}", done.collect::<Vec<_>>().join(", "))
            }
            _ => line.to_owned(),
        };
        written.push('\n');
    }
    written
}

fn dealt(line: &str, set: &RuleSet) -> String {
    let (line, gets) = line.split_once(" gets ").unwrap_or((line, ""));
    let hand = |word: &str| match word.split_once('=') {
        Some((seat, cards)) => format!("{seat}={}", hidden(cards, set).concat()),
        None => word.to_owned(),
    };
    let line: Vec<String> = line.split(' ').map(hand).collect();
    let gets = if gets.is_empty() { String::new() } else { format!(" gets {}", hidden(gets, set).join(" ")) };
    line.join(" ") + &gets
}

fn drawn_for_seats(action: &Value) -> String {
    let events = action["events"].as_array().unwrap();
    let picks = events.iter().find_map(|event| event["picks"].as_array()).unwrap();
    let of_seat =
        |cards: &Value| cards.as_array().unwrap().iter().map(|card| card.as_str().unwrap()).collect();
    format!("draw_cards {}", picks.iter().map(of_seat).collect::<Vec<String>>().join(" "))
}

fn as_seen(done: &str, action: &Value, set: &RuleSet) -> String {
    let (plain, cards) = match done.strip_prefix("draw ") {
        Some(cards) => ("draw", cards),
        None => done.split_once(" gets ").unwrap_or((done, "")),
    };
    let mut received = hidden(cards, set);
    let mut foot = None;
    for event in action["events"].as_array().unwrap() {
        match event["type"].as_str() {
            Some("replaced") if plain.starts_with("lay_threes") => {
                received.extend(hidden(event["card"].as_str().unwrap(), set));
            }
            Some("took_foot") => foot = event["seat"].as_u64(),
            Some("three_laid") if foot.is_some() && event["seat"].as_u64() == foot => {
                received.push(event["card"].as_str().unwrap().to_owned());
            }
            _ => {}
        }
    }
    match received.iter().all(|card| card == "??") {
        true => plain.to_owned(),
        false if plain == "draw" => format!("draw {}", received.join(" ")),
        false => format!("{plain} gets {}", received.join(" ")),
    }
}

/// A score line as text: item, count, points.
pub type Item = (String, Option<i64>, i64);

/// Returns whose score a line has, and its items.
pub fn items(line: &str) -> (String, Vec<Item>) {
    let (head, lines) = line.split_once(':').unwrap();
    let item = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = (words.len() == 3).then(|| words[1].trim_matches(['(', ')']).parse().unwrap());
        (words[0].to_owned(), count, words.last().unwrap().parse().unwrap())
    };
    let lines = lines.split(',').filter(|text| !text.trim().is_empty());
    (head.split(' ').nth(1).unwrap().to_owned(), lines.map(item).collect())
}

/// Returns the score sheet of a log: rounds, ends, scores and the winner.
pub fn sheet(log: &str) -> String {
    let text = exported(log, "notation");
    let is_kept = |line: &&str| {
        ["rules ", "seats ", "round ", "end ", "score "].iter().any(|word| line.starts_with(word))
    };
    text.lines().filter(is_kept).collect::<Vec<_>>().join("\n") + "\n"
}
