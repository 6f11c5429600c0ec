//! The output of the demo.

use std::fmt;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;

use canasta_engine::game::ENGINE_VERSION;
use canasta_engine::log::audit::Report;
use canasta_engine::text::words;
use canasta_engine::violations::template::Language;
use canasta_messages::convert;
use canasta_proto::v1::action::Kind;
use canasta_proto::v1::{Action, Rejected, RoundEnd, View};

use crate::game::{DemoGame, NAMES, RULE_SET};

/// Names of the sides.
const SIDES: [&str; 2] = ["North-South", "East-West"];

pub fn title(address: SocketAddr, game: &DemoGame) {
    let service = env!("CARGO_PKG_VERSION");
    say(format_args!(
        "canasta-service {service} on {address} · engine {ENGINE_VERSION} · rule set {RULE_SET}"
    ));
    say(format_args!("game {}", base16ct::lower::encode_string(&game.view.game_id)));
}

/// Prints that a round has been dealt.
pub fn round(view: &View) {
    let minimums: Vec<_> = view.sides.iter().map(|side| side.minimum().to_string()).collect();
    say(format_args!(
        "round {}  dealer {}   minimums {}",
        view.round,
        name(view.dealer),
        minimums.join(" / ")
    ));
}

/// Prints an action if it changes a side's standing.
pub fn action(seat: u32, action: &Kind, before: &View, after: &View) {
    let opens = |side: &usize| after.sides[*side].opened && !before.sides[*side].opened;
    if let Some(side) = (0..after.sides.len().min(before.sides.len())).find(opens) {
        line(seat, action, &format!("opens for {}", SIDES[side]));
    }
    if matches!(action, Kind::Ask(_) | Kind::Answer(_)) {
        line(seat, action, "");
    }
}

/// Prints a refused rule break.
pub fn refusal(seat: u32, action: &Kind, rejected: &Rejected) {
    for (place, violation) in rejected.violations.iter().enumerate() {
        let rules = rules(&violation.rule_ids);
        let why = format!("{}  {}   [{rules}]", violation.code, violation.message);
        if place == 0 {
            line(seat, action, &format!("refused  {why}"));
        } else {
            say(format_args!("{:49}and      {why}", ""));
        }
        if let Some(repair) = &violation.repair {
            say(format_args!("{:49}instead  {}", "", repair.message));
        }
    }
}

pub fn round_end(end: &RoundEnd) {
    let reason = end.reason().as_str_name().trim_start_matches("ROUND_END_REASON_").to_lowercase();
    let who = end.seat.map(name).unwrap_or_default();
    let concealed = if end.concealed { ", concealed" } else { "" };
    let scores = end.scores.iter().zip(SIDES);
    let scores: Vec<_> =
        scores.map(|(score, side)| format!("{side} {:+} = {}", score.total, score.cumulative)).collect();
    say(format_args!(
        "  round {} ends: {} ({who}{concealed})   {}",
        end.round,
        reason.replace('_', " "),
        scores.join(" · ")
    ));
}

pub fn summary(game: &DemoGame, refused: &[&str]) {
    if let Some(end) = &game.end {
        let totals = end.totals.iter().zip(SIDES).map(|(total, side)| format!("{side} {total}"));
        let totals: Vec<_> = totals.collect();
        say(format_args!(
            "game over after {} rounds: {} (margin {})",
            game.view.round,
            totals.join(" · "),
            end.margin
        ));
    }
    let example = refused.first().unwrap_or(&"TURN_NOT_YOURS");
    say(format_args!(
        "{} actions judged, {} refused on purpose; every reason above is a rule:",
        game.judged,
        refused.len()
    ));
    advise(format_args!("explain {example}"));
}

pub fn audit(path: &Path, game: &DemoGame, report: &Report) {
    say(format_args!(
        "log      {}  {} bytes  head {}…",
        path.display(),
        game.log.len(),
        &base16ct::lower::encode_string(&game.head)[..8]
    ));
    if report.findings.is_empty() {
        say(format_args!("audit    clean: {} records, chain, deal, legality, scores", report.records));
    }
    for finding in &report.findings {
        say(format_args!("audit    record {}: {:?}: {}", finding.record, finding.kind, finding.detail));
    }
    let path = quoted(path);
    advise(format_args!("show {path} --at 57"));
    advise(format_args!("export {path}"));
    say(format_args!("         docs/API.md"));
}

/// Prints a command of `canasta-replay` as it runs in a checkout, where nothing else is built yet.
fn advise(command: fmt::Arguments<'_>) {
    say(format_args!("next     cargo run --release --bin canasta-replay -- {command}"));
}

/// Returns a path as shells read it.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "/._-".contains(one);
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

pub fn serving(address: SocketAddr) {
    say(format_args!("serving  on {address} until a signal"));
}

/// Prints a line. A closed pipe (`| head`) is no reason to stop: the log must still be written.
fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn line(seat: u32, action: &Kind, what: &str) {
    say(format_args!("  {:6} {:40}{what}", name(seat), describe(action)));
}

fn name(seat: u32) -> &'static str {
    NAMES.get(seat as usize).copied().unwrap_or("?")
}

/// Returns the first rules; some codes stand for a whole chapter.
fn rules(ids: &[String]) -> String {
    match ids {
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first} {second} {third} and {} more", rest.len())
        }
        few => few.join(" "),
    }
}

/// Returns an action in the words of the catalogue.
fn describe(action: &Kind) -> String {
    let action = convert::action::read(Some(Action { kind: Some(action.clone()) }));
    action.map_or_else(|_| String::new(), |action| words::action(&action, &words::plain(Language::English)))
}
