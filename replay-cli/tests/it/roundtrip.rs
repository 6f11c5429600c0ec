//! Export and import: a log that is exported and imported is equal, byte for byte.

use crate::common::{Extras, Ran, command, frames, play, play_explicit, short};
use canasta_engine::rules::{PresetId, Rules, SideChoice};
use canasta_replay::Exit;
use serde_json::Value;
use std::sync::Arc;

fn export(log: &[u8]) -> String {
    let Ran { exit, out, err } = command(&["export", "-"], log);
    assert_eq!((exit, err.as_str()), (Exit::Clean, ""));
    String::from_utf8(out).expect("text")
}

fn import(text: &str, options: &[&str]) -> Ran {
    command(&[&["import", "-", "-o", "-"], options].concat(), text.as_bytes())
}

fn check(log: &[u8], what: &str) -> String {
    let text = export(log);
    let Ran { exit, out, err } = import(&text, &[]);
    assert_eq!((exit, err.as_str()), (Exit::Clean, ""), "{what}");
    assert!(out == log, "{what}: other bytes");
    assert!(import(&text, &["--as-recorded"]).out == log, "{what}: other bytes as recorded");
    text
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn whole_games_come_back() {
    let mut refusals = 0;
    for game in 0..60 {
        let rules = short("classic-4p", if game < 4 { 1500 } else { 5 });
        let extras = if game % 2 == 0 { Extras::All } else { Extras::None };
        let text = check(&play(&rules, game, extras), &format!("game {game}"));
        let lines = lines(&text);
        let actions = || lines.iter().filter(|line| line["kind"] == "action");
        assert!(actions().all(|line| line["events"].is_array()), "game {game}: every round is revealed");
        let kinds = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
        refusals += kinds("refusal");
        assert_eq!(kinds("game_end"), 1);
        let masked = lines.iter().filter(|line| line["kind"] == "refusal" && line["masked"].is_string());
        assert!(masked.into_iter().all(|line| line["action"].is_object()), "opened after the reveal");
    }
    assert!(refusals > 30, "{refusals} refusals");
}

#[test]
fn every_preset_that_is_played_comes_back() {
    for preset in
        ["classic-2p", "classic-3p", "classic-6p-3x2", "classic-6p-2x3", "miller-6p-2x3", "wahhi-6p", "gr-4p"]
    {
        check(&play(&short(preset, 5), 1, Extras::All), preset);
    }
}

/// Checks that the draw has a line without sides and dealer, and says who sits where, and that a clean game audits
/// clean.
#[test]
fn a_draw_for_seats_comes_back() {
    let base = PresetId::from_name("gr-4p").expect("a preset");
    let mut set = base.rule_set();
    (set.target, set.side_choice) = (5, SideChoice::DrawnCards);
    let rules = Arc::new(Rules::house(base, set, Some("drawn")).expect("a draw for seats is playable"));
    let log = play(&rules, 3, Extras::None);
    let lines = lines(&check(&log, "drawn"));
    let of_kind = |kind: &str| lines.iter().find(|line| line["kind"] == kind).expect("a line");
    assert!(lines[0]["seats"][0].get("side").is_none());
    assert!(of_kind("register").get("dealer").is_none());
    let drawn = &of_kind("action")["events"][0];
    assert_eq!((&drawn["type"], drawn["seating"].as_array().map(Vec::len)), (&"drawn".into(), Some(4)));
    let end = of_kind("round_end");
    assert_eq!((&end["round"], &end["reason"]), (&0.into(), &"drawn".into()));
    assert!(end.get("sides").is_none() && end.get("dealer").is_none() && end["secret"].is_string());
    let Ran { exit, out, .. } = command(&["audit", "-"], &log);
    assert_eq!(exit, Exit::Clean, "{}", String::from_utf8_lossy(&out));
}

#[test]
fn explicit_deals_come_back() {
    let rules = short("classic-4p", 100_000);
    for game in 0..5 {
        let text = check(&play_explicit(&rules, game), "explicit");
        let lines = lines(&text);
        let end = lines.iter().find(|line| line["kind"] == "round_end").expect("a round end");
        assert_eq!((end["wall"].as_array().map(Vec::len), end["salt"].is_string()), (Some(108), true));
    }
}

/// Exports a log at many moments of a game; a round that is not revealed has no events.
#[test]
fn live_logs_come_back() {
    let log = play(&short("classic-4p", 1500), 0, Extras::All);
    let frames = frames(&log);
    for &end in frames.iter().step_by(23) {
        let text = if end == 9 { continue } else { check(&log[..end], "live") };
        let lines = lines(&text);
        let revealed = lines.iter().rposition(|line| line["kind"] == "round_end");
        for (place, line) in lines.iter().enumerate().filter(|(_, line)| line["kind"] == "action") {
            assert_eq!(line["events"].is_array(), revealed.is_some_and(|revealed| place < revealed));
        }
    }
}

/// Checks that every derived value that differs is named with its line, and that `--as-recorded` accepts it.
#[test]
fn derived_values_are_compared() {
    let log = play(&short("classic-4p", 5), 0, Extras::None);
    let text = export(&log);
    let line_of = |part: &str| 1 + text.lines().position(|line| line.contains(part)).expect(part);
    let changes = [
        (r#""type":"drew","seat":"#, r#""type":"passed","seat":"#, "cards: unknown key"),
        (r#""type":"upcard","card":""#, r#""type":"upcard","covered":true,"card":""#, "stands twice"),
        (r#""seq":2,"#, r#""seq":3,"#, "seq: expected 2, found 3"),
        (r#""seq":2,"round":1"#, r#""seq":2,"round":2"#, "round: expected 1, found 2"),
        (r#""concealed":false,"dealer""#, r#""dealer""#, "concealed: expected false, found nothing"),
        (r#""start_scores":[0,0]"#, r#""start_scores":[0,5]"#, "start_scores: expected"),
        (r#""wall":["#, r#""wall":["X","#, "wall: expected"),
        (r#""total":"#, r#""total":1"#, "total: expected"),
        (r#""cumulative":"#, r#""cumulative":1"#, "cumulative: expected"),
        (r#""margin":"#, r#""margin":1"#, "margin: expected"),
        (r#"{"type":"scored"}"#, "", "events"),
    ];
    for (from, to, reason) in changes {
        let line = line_of(from);
        let changed = text.replacen(from, to, 1).replacen(",]", "]", 1);
        let Ran { exit, out, err } = import(&changed, &[]);
        assert_eq!((exit, out.len()), (Exit::Findings, 0), "{from}");
        assert!(err.contains(&format!("line {line}: ")) && err.contains(reason), "{from}: {err}");
    }
    for (from, to, _) in &changes[2..] {
        let changed = text.replacen(from, to, 1).replacen(",]", "]", 1);
        assert!(import(&changed, &["--as-recorded"]).out == log, "{from}");
    }
}

/// Checks that there are no events from the first illegal action to the next deal, and that the log still comes back.
#[test]
fn illegal_games_come_back() {
    let rules = short("classic-4p", 1500);
    let text = export(&play(&rules, 2, Extras::None));
    let (place, line) = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains(r#""type":"discard""#))
        .nth(5)
        .expect("a sixth discard");
    let (before, rest) = line.split_once(r#""card":""#).expect("a card");
    // A red three is laid at once, so it is in nobody's hand.
    let (_, after) = rest.split_once('"').expect("a card");
    let illegal = format!("{before}\"card\":\"3h\"{after}");
    let changed: Vec<&str> =
        text.lines().enumerate().map(|(at, old)| if at == place { &illegal } else { old }).collect();
    let log = import(&(changed.join("\n") + "\n"), &["--as-recorded"]).out;
    let audited = command(&["audit", "-"], &log);
    assert_eq!(audited.exit, Exit::Findings);
    assert!(String::from_utf8(audited.out).unwrap().contains(&format!("ILLEGAL at record {place}")));
    let text = check(&log, "illegal");
    let lines = lines(&text);
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line["kind"] == "action") {
        let executed = at < place || line["round"].as_u64() > lines[place]["round"].as_u64();
        assert_eq!(line["events"].is_array(), executed, "line {}", at + 1);
    }
}
