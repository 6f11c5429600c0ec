//! The page of a game: small, closed and equal to the audit; nothing from a log becomes markup or is revealed
//! too early.

mod common;

use base64ct::{Base64, Encoding};
use canasta_engine::action::{Action, As, Authority, Effect, EffectKind, Ruling, TakePile};
use canasta_engine::card::Card;
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::log::record::{Author, Player, Remark};
use canasta_engine::log::{Reader, Record};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_replay::Exit;
use common::{Rng, command, directory, frames, short};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

const HOSTILE: &str = "</script><b onclick=\"x\">'&";
const HEBREW: &str = "\u{5d3}\u{5d5}\u{5d3} {0} 7h";

/// Writes the page of a log, and returns it with the exit code.
fn page(log: &[u8]) -> (String, Exit) {
    let ran = command(&["report", "-"], log);
    (String::from_utf8(ran.out).expect("a page is text"), ran.exit)
}

/// Returns the data that the page's script reads, with the row of each record.
fn data(page: &str) -> Value {
    let packed = Base64::decode_vec(between(page, "id=\"data\">", "</script>")).expect("base 64");
    let json = miniz_oxide::inflate::decompress_to_vec(&packed).expect("deflated");
    let mut data: Value = serde_json::from_slice(&json).expect("JSON");
    let kinds = data["kinds"].as_array().expect("kinds");
    let kind = |kind: &Value| kinds[kind.as_u64().expect("a number") as usize].clone();
    data["rows"] = data["rows"].as_array().expect("rows").iter().map(kind).collect();
    data
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let from = text.find(start).unwrap_or_else(|| panic!("{start}")) + start.len();
    &text[from..from + text[from..].find(end).unwrap_or_else(|| panic!("{end}"))]
}

/// Returns a game with everything that a page can show: refusals, a dispute, rulings, notes, names that look
/// like markup.
fn eventful() -> Vec<u8> {
    let rules = short("classic-4p", 1_500);
    let secret = simulate::game_secret(11, 4);
    let names = [HOSTILE, HEBREW, "Zo\u{eb} with a name as long as a name may be, sixty-four of it", "As"];
    let created = Game::create(NewGame {
        players: names.map(|name| Player { name: name.into(), key: None }).into(),
        started_at_ms: Some(1_769_860_800_000),
        ..NewGame::new(rules, simulate::game_id(&secret), NewDeal::Seeded(secret))
    })
    .expect("a game");
    let (mut state, mut log) = (created.game, created.frames);
    let mut rng = Rng(3);
    for turn in 0.. {
        if matches!(state.table.phase(), Phase::GameOver | Phase::Setup) {
            return log;
        }
        if turn % 23 == 5 {
            log.extend(refused(&mut state));
        }
        if turn == 60 && state.table.phase() == Phase::Play {
            log.extend(official(&mut state));
        }
        let steps = legal::steps(&state.table);
        let action = &steps.actions[rng.below(steps.actions.len())];
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        let stamp = Stamp { elapsed_ms: Some(1_500), signature: None };
        log.extend(state.act(actor, action, stamp).expect("a step is legal").frames);
    }
    unreachable!("games end")
}

/// Appends an action that is never legal: the whole pile for nothing.
fn refused(state: &mut Game) -> Vec<u8> {
    let Some(seat) = state.table.to_act() else { return Vec::new() };
    let (take, discard) =
        (Action::TakePile(TakePile::default()), Action::Discard(Card::parse("3h").expect("a card")));
    let tries = [take, discard].into_iter();
    let stamp = Stamp { elapsed_ms: None, signature: None };
    let mut frames = Vec::new();
    for action in tries {
        if let Err(rejection) = state.check(As::Seat(seat), &action) {
            frames.extend(state.refuse(As::Seat(seat), &action, &rejection, stamp).expect("a refusal"));
        }
    }
    frames
}

/// Appends a dispute, a ruling with a reason, and a note, all with hostile texts.
fn official(state: &mut Game) -> Vec<u8> {
    let stamp = Stamp { elapsed_ms: None, signature: None };
    let reason = format!("{HOSTILE}\u{202e}reversed\u{2028}{{1}} As");
    let ruling = Ruling {
        id: 0,
        by: Authority::Director,
        offender: Some(Seat(1)),
        side: state.table.side_of(Seat(1)),
        rule: "IR-021".into(),
        points: -100,
        effect: Effect::of(EffectKind::None),
        reason: reason.clone(),
        reverses: None,
        signature: None,
    };
    let actions = [
        Action::Dispute { open: true, reason: reason.clone() },
        Action::Ruling(Box::new(ruling)),
        Action::Dispute { open: false, reason: String::new() },
    ];
    let mut frames = Vec::new();
    for action in &actions {
        frames.extend(state.act(As::Director, action, stamp).expect("an official may").frames);
    }
    frames.extend(state.remark(Remark::note(Author::Director, stamp.elapsed_ms, reason)).expect("a note"));
    frames
}

/// Plays a game of the engine's player.
fn bots(preset: &str, seed: u32) -> Vec<u8> {
    let place = directory(&format!("report-{preset}-{seed}"));
    let (out, seed) = (place.to_str().expect("text"), seed.to_string());
    command(&["simulate", "--ruleset", preset, "--seed", &seed, "--out", out], b"");
    fs::read(place.join("game-000000.clog")).expect("a game")
}

/// Returns the last of `games` games of two random players: hundreds of rounds.
fn long(games: usize) -> Vec<u8> {
    let place = directory(&format!("report-long-{games}"));
    let (out, count) = (place.to_str().expect("text"), games.to_string());
    let random =
        ["simulate", "--ruleset", "manzana-2p", "--bots", "random", "--rounds", "2000", "--seed", "1"];
    command(&[&random[..], &["--games", &count, "--out", out]].concat(), b"");
    fs::read(place.join(format!("game-{:06}.clog", games - 1))).expect("a game")
}

fn presets() -> Vec<String> {
    let ran = command(&["rules", "list"], b"");
    let text = String::from_utf8(ran.out).expect("text");
    text.lines().skip(1).filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Checks that the page of every preset is one file under a megabyte that loads nothing, with a policy that names its
/// own style and script.
#[test]
fn a_page_of_any_preset_is_small_and_closed() {
    let presets = presets();
    assert!(presets.len() > 20, "{presets:?}");
    for preset in presets {
        let (page, exit) = page(&bots(&preset, 1));
        assert_eq!(exit, Exit::Clean, "{preset}");
        assert!(page.len() < 1_000_000, "{preset}: {} bytes", page.len());
        is_closed(&page);
    }
}

fn is_closed(page: &str) {
    let policy = between(page, "Content-Security-Policy\" content=\"", "\"");
    let script = between(page, "<script type=\"module\">", "</script>");
    let style = between(page, "<style>", "</style>");
    for part in [script, style] {
        let hash = Base64::encode_string(&Sha256::digest(part));
        assert!(policy.contains(&format!("'sha256-{hash}'")), "{policy}");
    }
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    // The only addresses are the names of kinds of elements.
    let after =
        |at: usize| page[at..].starts_with("http-equiv") || page[at..].starts_with("http://www.w3.org/");
    assert!(page.match_indices("http").all(|(at, _)| after(at)), "something is loaded");
    for kind in 0..=52 {
        assert_eq!(page.matches(&format!("<symbol id=\"c{kind}\"")).count(), 1, "the face of card {kind}");
    }
    assert!(!page.contains(" src=") && !page.contains("url(\"") && !page.contains("@import"));
    assert!(!page.contains(" style=\""), "the policy would refuse it");
}

/// Parses the score sheets as XML: lines add up to the round, rounds add up to the total, and the last total equals
/// the audit's.
#[test]
fn score_sheets_are_those_of_the_audit() {
    for preset in ["classic-4p", "american-4p", "hand-and-foot-4p", "classic-3p", "samba-4p", "wahhi-5p"] {
        let log = bots(preset, 2);
        let audit = command(&["audit", "-", "--format", "json"], &log);
        let audit: Value = serde_json::from_slice(&audit.out).expect("JSON");
        let (page, _) = page(&log);
        let sheets = format!(
            "<x>{}</table></x>",
            between(&page, "<div class=\"sheets units", "</table></div>").split_once('>').expect("a class").1
        );
        let document = roxmltree::Document::parse(&sheets).expect("sheets are well-formed");
        let mut totals: Vec<i64> = Vec::new();
        for table in document.descendants().filter(|node| node.has_tag_name("table")) {
            let items: Vec<Vec<i64>> = rows(table, "tbody");
            let feet = rows(table, "tfoot");
            let [round, before, after] = &feet[..] else { panic!("three sums") };
            let units = round.len();
            let sums: Vec<i64> = (0..units).map(|unit| items.iter().map(|row| row[unit]).sum()).collect();
            assert_eq!(&sums, round, "{preset}: lines");
            totals.resize(units, 0);
            assert_eq!(&totals, before, "{preset}: brought forward");
            totals.iter_mut().zip(round).for_each(|(total, points)| *total += points);
            assert_eq!(&totals, after, "{preset}: totals");
        }
        let audited: Vec<i64> =
            audit["logs"][0]["totals"].as_array().expect("totals").iter().filter_map(Value::as_i64).collect();
        assert_eq!(totals, audited, "{preset}");
        let rounds = document.descendants().filter(|node| node.has_tag_name("table")).count() as u64;
        assert_eq!(audit["logs"][0]["rounds"], rounds, "{preset}");
    }
}

/// Returns the numbers of each row, 0 for an empty cell, without a count before a number ("2 for").
fn rows(table: roxmltree::Node<'_, '_>, part: &str) -> Vec<Vec<i64>> {
    let part = table.children().find(|node| node.has_tag_name(part)).expect("a part of a table");
    let number = |cell: roxmltree::Node<'_, '_>| {
        let text: String =
            cell.children().filter(|node| node.is_text()).filter_map(|node| node.text()).collect();
        text.trim().replace(',', "").parse().unwrap_or(0)
    };
    let cells =
        |row: roxmltree::Node<'_, '_>| row.children().filter(|n| n.has_tag_name("td")).map(number).collect();
    part.children().filter(|node| node.has_tag_name("tr")).map(cells).collect()
}

/// Writes the page of the longest of a thousand games, the ninth of these: 1,276 rounds. Its page is small, and its
/// totals round by round add up to those of the audit.
#[test]
fn a_game_of_a_thousand_rounds_is_small_and_adds_up() {
    let log = long(9);
    let audit = command(&["audit", "-", "--format", "json"], &log);
    let audit: Value = serde_json::from_slice(&audit.out).expect("JSON");
    let (page, exit) = page(&log);
    assert_eq!(exit, Exit::Clean);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    is_closed(&page);
    assert_eq!(
        data(&page)["rows"].as_array().map(Vec::len),
        audit["logs"][0]["records"].as_u64().map(|n| n as usize)
    );
    let table = page.split("<table class=\"totals\">").nth(1).expect("a table of totals");
    let rows = table[..table.find("</table>").expect("an end")].split("<tr>").skip(2);
    let mut totals = [0; 2];
    let mut rounds = 0;
    for row in rows {
        let cells = row.split("<span class=\"gain\">").skip(1).map(|cell| {
            let (gain, after) = cell.split_once("</span> ").expect("a gain and a total");
            let number = |text: &str| text.replace([',', '+'], "").parse::<i64>().expect("a number");
            (number(gain), number(&after[..after.find('<').expect("an end")]))
        });
        for ((gain, after), total) in cells.zip(&mut totals) {
            *total += gain;
            assert_eq!(*total, after, "{row}");
        }
        rounds += 1;
    }
    assert_eq!(audit["logs"][0]["totals"], serde_json::json!(totals));
    assert_eq!(audit["logs"][0]["rounds"], rounds);
}

/// Names, notes and reasons stay text everywhere, and every rule that is named has its text.
#[test]
fn what_is_hostile_stays_text_and_every_rule_is_there() {
    let (page, exit) = page(&eventful());
    assert_eq!(exit, Exit::Clean);
    is_closed(&page);
    assert!(!page.contains("<b onclick"), "markup from a name");
    assert!(page.contains("&lt;/script&gt;&lt;b onclick=&quot;x&quot;&gt;'&amp;"));
    assert!(!page.contains(['\u{202e}', '\u{2028}']), "what turns text around is spelled out");
    assert_eq!(data(&page)["players"][0], HOSTILE);
    let body = &page[..page.find("<footer>").expect("a footer")];
    let named: Vec<&str> =
        body.split("class=\"rule\" href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(named.contains(&"rule-IR-021"), "{named:?}");
    for rule in &named {
        assert!(page.contains(&format!("id=\"{rule}\"")), "{rule}");
    }
    let refused = body.matches("<li class=\"refused\">").count();
    let rows = data(&page)["rows"].as_array().expect("rows").iter().filter(|row| row[0] == "x").count();
    assert!(refused > 3 && refused == rows, "{refused} of {rows}");
    assert_eq!(body.matches("<li class=\"ruling\">").count(), 3);
}

/// Checks that the page of a log that is cut inside a round has no position of that round, no card that was drawn and
/// no refused action, and that the page is the same whatever the hidden cards are.
#[test]
fn a_game_in_progress_tells_nothing_hidden() {
    let log = eventful();
    let starts = frames(&log);
    let ends = round_ends(&log);
    let first = ends[0];
    for cut in [first / 2, first - 1, first + 20.min(ends[1] - first - 1)] {
        let (page, exit) = page(&log[..starts[cut + 1]]);
        assert_eq!(exit, Exit::Clean);
        assert!(page.contains("In progress") && !page.contains("class=\"winner\""));
        let data = data(&page);
        let rows = data["rows"].as_array().expect("rows");
        let register = rows.iter().rposition(|row| row[0] == "r").expect("a register");
        for row in &rows[register + 1..] {
            assert!(row[0].as_str().is_some_and(|what| "uxn".contains(&what[..1])), "{row}");
            assert!(row[3].is_null() || row[3] == 0, "a position: {row}");
            assert!(row[4]["g"].is_null() && row[4]["p"].is_null() && row[4]["j"].is_null(), "{row}");
        }
        // The page has of the open round only what the log itself has in clear.
        assert_eq!(rows.len(), cut + 1);
    }
}

fn round_ends(log: &[u8]) -> Vec<usize> {
    let (mut reader, mut input, mut ends) = (Reader::new(), log, Vec::new());
    while let Some(frame) = reader.next(&mut input).expect("an intact log") {
        if let Ok(Record::RoundEnd(_)) = frame.record() {
            ends.push(frame.n as usize);
        }
    }
    ends
}

/// Checks that a log with findings has a page too, with an exit code that says so, and that a file that is not a log
/// has none.
#[test]
fn findings_are_shown_and_what_is_no_log_is_said() {
    let mut log = eventful();
    let at = frames(&log)[40];
    log[at + 5] ^= 1;
    let (page, exit) = page(&log);
    assert_eq!(exit, Exit::Findings);
    assert!(page.contains("Altered") && page.contains("CORRUPT"));
    let ran = command(&["report", "-"], b"hello");
    assert_eq!((ran.exit, ran.out.len()), (Exit::Findings, 0));
    assert!(ran.err.contains("this is not a log: it is text"), "{}", ran.err);
}

/// Writes the pages that tests/interop/report.sh opens in a browser, and their logs.
#[test]
fn pages_for_a_browser() {
    let place = directory("report");
    let put = |name: &str, log: &[u8]| {
        let path = |ending: &str| -> PathBuf { place.join(format!("{name}.{ending}")) };
        fs::write(path("clog"), log).unwrap();
        let text = |path: &Path| path.to_str().expect("text").to_owned();
        let (clog, html) = (text(&path("clog")), text(&path("html")));
        command(&["report", &clog, "-o", &html], b"");
        assert!(path("html").is_file());
    };
    let log = eventful();
    put("eventful", &log);
    put("in-progress", &log[..frames(&log)[round_ends(&log)[0] + 30]]);
    for preset in ["hand-and-foot-6p", "american-4p", "classic-3p", "hoyle-2p"] {
        put(preset, &bots(preset, 5));
    }
    put("long", &long(1));
}
