//! The page of a game and its link: closed, equal to the log, and nothing from a log becomes markup.

use crate::common::{Rng, command, directory, frames, short};
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

/// Returns what an element of the page holds, unpacked.
fn held(page: &str, id: &str) -> Vec<u8> {
    let packed = Base64::decode_vec(between(page, &format!("id=\"{id}\">"), "</script>")).expect("base 64");
    miniz_oxide::inflate::decompress_to_vec(&packed).expect("deflated")
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

fn presets() -> Vec<String> {
    let ran = command(&["rules", "list"], b"");
    let text = String::from_utf8(ran.out).expect("text");
    text.lines().skip(1).filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// Checks that a page is one file that loads nothing, with a policy that names its own style and script, and that it holds the
/// engine and the log.
#[test]
fn a_page_is_closed_and_holds_the_log() {
    for log in [bots("classic-4p", 1), bots("hand-and-foot-6p", 1), eventful()] {
        let (page, exit) = page(&log);
        assert_eq!(exit, Exit::Clean);
        assert!(page.len() < 2_100_000, "{} bytes", page.len());
        assert_eq!(held(&page, "log"), log);
        for module in ["canasta.wasm", "texts.wasm"] {
            let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/wasm/built").join(module);
            assert_eq!(held(&page, module), fs::read(built).expect("a module is built"), "{module}");
        }
        let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
        let script = between(&page, "<script type=\"module\">", "</script>");
        let style = between(&page, "<style>", "</style>");
        for part in [script, style] {
            let hash = Base64::encode_string(&Sha256::digest(part));
            assert!(
                policy.contains(&format!("&#39;sha256-{hash}&#39;"))
                    || policy.contains(&format!("'sha256-{hash}'"))
            );
        }
        assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe-inline"), "{policy}");
        let markup = page.replace(script, "");
        assert!(!markup.contains(" src=") && !markup.contains("<link") && !markup.contains("@import"));
        assert!(!markup.contains(" style=\""), "the policy would refuse it");
    }
}

/// Checks that a damaged log is held whole, also what the audit does not read.
#[test]
fn a_page_holds_a_damaged_log_whole() {
    let mut log = bots("hand-and-foot-6p", 1);
    let after_genesis = frames(&log)[1] + 5;
    log[after_genesis] ^= 1;
    log.extend([7; 1 << 16]);
    let (page, exit) = page(&log);
    assert_eq!(exit, Exit::Findings);
    assert!(held(&page, "log") == log);
}

#[test]
fn a_log_of_more_than_16_mib_is_refused() {
    // What is no log is refused for that, if it is not too long.
    let mut long = vec![7; 16 << 20];
    let ran = command(&["report", "-"], &long);
    assert!(ran.exit == Exit::Findings && !ran.err.contains("16 MiB"), "{}", ran.err);
    long.push(7);
    let ran = command(&["report", "-"], &long);
    assert!(ran.exit == Exit::Failure && ran.out.is_empty(), "{}", ran.err);
    assert!(ran.err.contains("a page holds a log of at most 16 MiB"), "{}", ran.err);
}

/// Checks that names and notes stay text: they stand in the title alone, and in the packed log.
#[test]
fn what_is_hostile_stays_text() {
    let (page, _) = page(&eventful());
    assert!(!page.contains("<b onclick"), "markup from a name");
    assert!(!page.contains(['\u{202e}', '\u{2028}']), "what turns text around is spelled out");
    let outside = Base64::decode_vec(between(&page, "id=\"outside\">", "</script>")).expect("base 64");
    let outside: Value =
        serde_json::from_slice(&miniz_oxide::inflate::decompress_to_vec(&outside).expect("deflated"))
            .expect("JSON");
    assert!(outside["verified"].is_array() && outside["notProven"].is_array(), "{outside}");
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
    assert!(between(&page, "<noscript>", "</noscript>").contains("ALTERED"));
    let ran = command(&["report", "-"], b"hello");
    assert_eq!((ran.exit, ran.out.len()), (Exit::Findings, 0));
    assert!(ran.err.contains("this is not a log: it is text"), "{}", ran.err);
}

/// Checks that the games of every preset are links that give their logs back, byte for byte.
#[test]
fn a_game_of_any_preset_is_a_link() {
    let presets = presets();
    assert!(presets.len() > 20, "{presets:?}");
    for preset in presets {
        let log = bots(&preset, 1);
        let ran = command(&["link", "-", "--page", "https://club.example/", "--round", "1"], &log);
        let link = String::from_utf8(ran.out).expect("text");
        assert_eq!(ran.exit, Exit::Clean, "{preset}: {}", ran.err);
        assert!(link.starts_with("https://club.example/#g=") && link.contains("&at="), "{link}");
        assert!(link.len() < 700, "{preset}: {} characters", link.len());
        assert!(ran.err.contains("lawful and complete"), "{}", ran.err);
        assert_eq!(command(&["link", link.trim_end()], b"").out, log, "{preset}");
    }
}

/// Checks that no byte of a link can be changed without notice, and that what is no link is said.
#[test]
fn a_spoilt_link_is_no_game() {
    let link = String::from_utf8(command(&["link", "-"], &bots("classic-4p", 1)).out).expect("text");
    let at = link.find("#g=").expect("a game") + 3;
    for place in at..link.trim_end().len() {
        let other = if link.as_bytes()[place] == b'A' { "B" } else { "A" };
        let spoilt = [&link[..place], other, &link[place + 1..]].concat();
        let ran = command(&["link", spoilt.trim_end()], b"");
        assert_eq!((ran.exit, ran.out.len()), (Exit::Findings, 0), "character {place}: {}", ran.err);
    }
    for foreign in ["x#g=", "x#g=AQ", "x#g=????", "x#g=AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        assert_eq!(command(&["link", foreign], b"").exit, Exit::Findings, "{foreign}");
    }
}

/// Checks that a signed game travels without its signatures, which the link says, that its log is lawful and complete all the
/// same, and that a game with noise in every round does not fit.
#[test]
fn a_signed_game_travels_bare_and_noise_does_not_fit() {
    let play = |name: &str, more: &[&str]| {
        let place = directory(name);
        let out = place.to_str().expect("text");
        command(&[&["simulate", "--seed", "3", "--out", out][..], more].concat(), b"");
        fs::read(place.join("game-000000.clog")).expect("a game")
    };
    let log = play("link-signed", &["--signed"]);
    let ran = command(&["link", "-"], &log);
    let link = String::from_utf8(ran.out).expect("text");
    let audit = |log: &[u8]| -> Value {
        let ran = command(&["audit", "-", "--format", "json"], log);
        serde_json::from_slice::<Value>(&ran.out).expect("JSON")["logs"][0].clone()
    };
    let full = audit(&log);
    let head = full["head"].as_str().expect("a head");
    assert!(link.len() < 900 && ran.err.contains(head), "{}: {}", link.len(), ran.err);
    let bare = command(&["link", link.trim_end()], b"").out;
    let bare = audit(&bare);
    assert_eq!(
        (&bare["verdict"], &bare["totals"], &bare["records"]),
        (&"CLEAN".into(), &full["totals"], &full["records"])
    );
    assert_ne!(bare["head"], full["head"]);
    let ran = command(&["link", "-"], &play("link-committed", &["--mode", "committed"]));
    assert_eq!((ran.exit, ran.out.len()), (Exit::Findings, 0));
    assert!(ran.err.contains("expected at most 2,000"), "{}", ran.err);
}

/// Writes the pages that a browser opens as files, and their logs.
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
}
