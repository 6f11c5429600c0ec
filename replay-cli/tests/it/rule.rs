//! The director's assistant: disputes in one call, questions at a terminal, requests in the form of the interface.

use crate::common::{command, directory};
use canasta_replay::{Cli, Exit, Io, run};
use clap::Parser;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Disputes as they were called out at tables: position or nothing, words, and the law of the rulebook. The first ten
/// are those that an earlier version left alone or answered in part.
const DISPUTES: [(&str, &str, &str); 20] = [
    (
        "classic-4p; to move N; drew; answered yes; hand N Kd 4c 5c; melds NS 7s7c7d7h7s7c7d / KsKhKc",
        "Partner said go out, then he could not",
        "IR-050",
    ),
    (
        "classic-4p; score 1620 980; to move N; hand N 7h X Kd 4c 4d; melds NS 7s7c7d; pile 5h 2c Js 7d",
        "take 7h X",
        "IR-013",
    ),
    (
        "classic-4p; score 1620 980; to move N; drew; hand N Qs Qh Qd Js Jh 2c 4d 5c",
        "meld Qs Qh Qd / Js Jh 2c",
        "IR-021",
    ),
    ("classic-4p; to move N; drew; hand N Kd 4c 5c", "exposed card Kd", "IR-030"),
    ("classic-4p; to move N; drew; hand E 9c 4c 5c", "E: discard 9c", "IR-034"),
    ("classic-4p; drew; hand N 3h 4c", "red three not laid", "IR-041"),
    ("", "score error two rounds later", "IR-070"),
    ("hand-and-foot-4p; drew; hand N 4c 5c", "foot too early", "IR-080"),
    ("classic-4p; to move N; hand N 7h X Kd", "pile taken, then not allowed", "IR-013"),
    ("", "wrong number of cards dealt", "IR-005"),
    ("", "she was allowed to go out but kept her cards and discarded", "IR-053"),
    ("classic-4p; hand N 7h 7d Kd 4c; melds NS 8s8c8d; pile 5h 2c", "take 7h 7d", "IR-013"),
    ("classic-4p; drew; hand N 7h 2c 2d 4c; melds NS 8s8c8d", "meld 7h 2c 2d", "IR-022"),
    ("classic-4p; to move S; hand N 8h 4c; melds NS 8s8c8d", "N: meld 8h onto 0", "IR-024"),
    ("", "West drew before South had discarded", "IR-011"),
    ("", "third round was added up wrong", "IR-070"),
    ("", "picked up the foot and saw its cards", "IR-081"),
    ("classic-4p; hand N Kd 4c", "N: discard Kd", "IR-036"),
    ("classic-4p; to move N; hand N ?? ?? 4c", "South drew a card when it was not his turn", "IR-010"),
    ("", "the wrong player dealt, and half of the round is played already", "IR-003"),
];

/// Ten more: at open tables, of paper records and after the game. Without words the position itself says what happened.
const MORE_DISPUTES: [(&str, &str, &str); 10] = [
    (
        "classic-4p; to move E; drew; hand E ?? ?? ??; melds EW 8s8c8d",
        "a joker slipped out of her hand face up",
        "IR-030",
    ),
    ("classic-4p; drew; hand N 3h ?? ??", "", "IR-041"),
    ("classic-4p; to move N; hand N 12; hand E 11; pile 5h", "", "IR-007"),
    ("classic-4p; to move N; hand N 10; pile 5h", "", "IR-006"),
    ("classic-4p; to move N; drew; answered yes; hand N Kd 4c 5c; melds NS 7s7c7d7h7s7c7d", "", "IR-050"),
    ("classic-4p; to move N; hand N 7h ?? ??; melds NS 7s7d; pile 5h", "", "IR-022"),
    ("", "the score sheet has a canasta that they never made", "IR-070"),
    ("hand-and-foot-4p; drew; hand N 4c 5c", "she drew one card and two are due", "IR-084"),
    ("", "West saw the top card of the stock while the others counted", "IR-033"),
    ("", "the pair at table five arrived forty minutes late", "IR-071"),
];

fn json(args: &[&str]) -> Value {
    let ran = command(&[args, &["--format", "json"]].concat(), b"");
    serde_json::from_slice(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}: {}", ran.err))
}

#[test]
fn disputes_are_answered_in_one_call() {
    for (position, words, law) in DISPUTES.into_iter().chain(MORE_DISPUTES) {
        let subject: &[&str] = if position.is_empty() { &[] } else { &[position] };
        let said: &[&str] = if words.is_empty() { &[] } else { &["--what", words] };
        let seat = if position.contains("hand E ??") { "E" } else { "N" };
        let found = json(&[&["rule"], subject, said, &["--seat", seat]].concat());
        // Words may leave open which of a few it is.
        let is_among = |rows: &Vec<Value>| rows.iter().any(|row| row["law"] == law);
        let is_candidate = found["candidates"].as_array().is_some_and(is_among);
        assert!(found["law"]["id"] == law || is_candidate, "{words}: {found}");
    }
}

/// Disputes in English and German, each written down before it was typed: half of them are of legal play, or of nothing.
const IN_TWO_LANGUAGES: &str = include_str!("../../../tests/data/irregularities/disputes.txt");

#[test]
fn disputes_are_understood_in_two_languages_and_legal_play_is_not_fined() {
    let (mut said, mut wrong) = (0, Vec::new());
    for line in IN_TWO_LANGUAGES.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [wanted, position, english, german] = fields[..] else { panic!("{line}") };
        let subject: &[&str] = if position == "-" { &[] } else { &[position] };
        for words in [english, german] {
            let found = json(&[&["rule"], subject, &["--what", words]].concat());
            let candidates = found["candidates"].as_array().cloned().unwrap_or_default();
            let is_among = candidates.iter().any(|row| row["law"] == wanted);
            let is_right = match wanted.split_once(' ') {
                Some(("legal", law)) => {
                    found["rule_ids"].as_array().is_some_and(|ids| ids.iter().any(|id| id == law))
                }
                _ if wanted == "nothing" => found["irregularity"].is_null() && candidates.is_empty(),
                _ => found["law"]["id"] == wanted || is_among,
            };
            let is_fined = !wanted.starts_with("IR-") && found["law"].is_object();
            assert!(!is_fined, "{wanted}: {words}: {found}");
            if !is_right {
                wrong.push(words);
            }
            said += 1;
        }
    }
    // Of thirty disputes one may be misunderstood in each language.
    assert!(said == 60 && wrong.len() <= 2, "{wrong:?}");
}

/// Checks who offends where the words name two: whoever did what is irregular.
#[test]
fn the_offender_is_who_did_it() {
    let players = "classic-4p; players Ann/Bob/Cleo/Dee; to move Ann; drew";
    for (words, seat) in [
        ("Cleo said no, and Ann went out anyway", "NS N"),
        ("Cleo hat nein gesagt, und Ann hat trotzdem ausgemacht", "NS N"),
        ("Ann is still thinking about her discard, and Bob drew already", "EW E"),
        ("Ann überlegt noch, was sie abwirft, da hat Bob schon gezogen", "EW E"),
        ("Bob drew before Ann had discarded", "EW E"),
    ] {
        let found = json(&["rule", players, "--what", words]);
        let ruling = found["ruling"]["notation"].as_str().unwrap_or_else(|| panic!("{words}: {found}"));
        assert!(ruling.contains(&format!(" {seat} ")), "{words}: {ruling}");
    }
}

/// Checks words of other scripts and languages at the beginning of which no card can be cut off.
#[test]
fn words_that_begin_with_any_letter_are_read() {
    for words in ["über ölige Äpfel", "Ärger 🃏🃏 zwei", "ß7 Ö", "\u{e9}"] {
        let found = json(&["rule", "classic-4p; to move N; drew", "--what", words]);
        assert!(found["irregularity"].is_null(), "{words}: {found}");
    }
}

/// Checks rulings against positions: what the rulebook says of each effect (IR-109, IR-110, IR-108).
#[test]
fn the_position_after_a_ruling_has_its_effect() {
    let after = |position: &str, rest: &[&str]| json(&[&["rule", position], rest].concat());
    let opened = after("classic-4p; to move N; drew; hand N Qs Qh Qd 4d 5c", &["--law", "IR-021"]);
    assert_eq!(opened["ruling"]["notation"], "ruling IR-021 -100 NS N effect raise_minimum 10");
    let position = opened["position"].as_str().expect("a position");
    assert!(position.ends_with("ruling 1 NS -100 by N minimum 10; adjusted NS -100"), "{position}");
    // 30 points for three queens are below 60.
    let judged = command(&["check", position, "--action", "meld Qs Qh Qd"], b"");
    assert!(String::from_utf8_lossy(&judged.out).contains("needs 60 points, 30 laid"));
    let shown = after("classic-4p; to move N; drew; hand N Kd 4c 5c", &["--what", "exposed the Kd"]);
    assert_eq!(shown["possible"]["actions"], serde_json::json!(["discard Kd"]));
    let slow = after("classic-4p; to move N; hand N 7h 7d 4c; pile 5h 7s", &["--law", "IR-011"]);
    assert_eq!(slow["possible"]["actions"], serde_json::json!(["draw"]));
}

/// Checks that the position itself names the irregularity, its seat or side and its law, also beside words about it.
#[test]
fn an_irregular_position_says_what_happened() {
    let of = |position: &str, rest: &[&str]| json(&[&["rule", position], rest].concat());
    let long = of("classic-4p; to move N; hand N 11; hand E 12; pile 5h", &[]);
    assert_eq!(long["ruling"]["notation"], "ruling IR-007 -100 EW E");
    let meld = of("classic-4p; to move N; hand N 7h 7h; melds EW 7s7d; pile 5h", &[]);
    assert_eq!(meld["ruling"]["notation"], "ruling IR-022 -100 EW", "{meld}");
    assert_eq!(meld["irregular"][0]["rule_ids"], serde_json::json!(["CL-023"]));
    // The words fit, and choose the law for the end of the round.
    let ended =
        of("classic-4p; drew; hand N 3h 4c", &["--what", "red three found in the hand, the round is over"]);
    assert_eq!(ended["law"]["id"], "IR-040");
    // What cannot go out plays on: the answer binds no longer (IR-050).
    let cannot = "classic-4p; to move N; drew; answered yes; hand N Kd 4c 5c; melds NS 7s7c7d7h7s7c7d";
    let cannot = of(cannot, &[]);
    let position = cannot["position"].as_str().expect("a position");
    assert!(!position.contains("answered"), "{position}");
    assert_eq!(cannot["possible"]["actions"].as_array().map(Vec::len), Some(3), "{cannot}");
}

/// Returns a paper record in which only part of the cards is known, as a log, with these lines behind its deal.
fn paper(place: &Path, lines: &str) -> String {
    let head = "rules classic-4p\nseats Ann, Ben, Cleo, Dan\ncards transcribed\n\nround 1 dealer Dan\n";
    let deal = "deal hands Ann=KsKhKdQsQh2c4d5d7h9cJd Ben=11 Cleo=11 Dan=11 upcards 9d\n";
    let log = place.join("paper.clog");
    let log = log.to_str().expect("text");
    let ran = command(&["import", "-", "-o", log, "--force"], format!("{head}{deal}{lines}").as_bytes());
    assert_eq!((ran.exit, ran.err.as_str()), (Exit::Clean, ""));
    log.to_owned()
}

/// Rules in a round that is not revealed: the position has `??` for what nobody has shown, seats go by name, and a card
/// that is exposed is known from then on.
#[test]
fn rounds_that_are_not_revealed_have_a_position_to_go_on_from() {
    let log = paper(
        &directory("rule-open"),
        "Ann: draw 6h, meld KsKhKd / QsQh2c, discard 4d\nBen: draw, discard 8c\n",
    );
    let last = json(&["log", &log])["records"].as_array().expect("records").len() as u64 - 1;
    let at = last.to_string();
    let shown = json(&["rule", &log, "--at", &at, "--what", "Ben exposed the Qd", "--cards", "Qd"]);
    assert_eq!(
        shown["ruling"]["notation"],
        "ruling IR-030 0 EW E effect penalty_cards E Qd reason \"Ben exposed the Qd\""
    );
    let position = shown["position"].as_str().unwrap_or_else(|| panic!("{shown}"));
    assert!(position.contains("hand E Qd ??") && position.contains("penalty E Qd"), "{position}");
    let named = json(&["rule", &log, "--at", &at, "--law", "IR-030", "--effect", "penalty_cards Ann Jd"]);
    assert_eq!(named["ruling"]["notation"], "ruling IR-030 0 EW E effect penalty_cards N Jd");
    // An action by the name of the player, whose turn it is not.
    let asked = json(&["rule", &log, "--at", &at, "--what", "Ann: meld Jd9c7h"]);
    assert_eq!(asked["law"]["id"], "IR-024", "{asked}");
}

/// Lets an initial meld below the minimum stand: the ruling names the action and the position after it, in which the hands
/// that nobody has shown stay unknown. A typed position that does not name every card says less.
#[test]
fn an_action_that_stands_is_ruled_with_its_position() {
    let log =
        paper(&directory("rule-stands"), "Ann: draw 6h, tries meld KsKhKd because INITIAL_BELOW_MINIMUM\n");
    let last = json(&["log", &log])["records"].as_array().expect("records").len() as u64 - 1;
    let stands = json(&["rule", &log, "--at", &last.to_string(), "--law", "IR-023"]);
    let notation = stands["ruling"]["notation"].as_str().expect("a ruling");
    assert!(
        notation.starts_with("ruling IR-023 0 NS N effect stand \"meld Ks Kh Kd\" position \""),
        "{notation}"
    );
    let after = stands["position"].as_str().expect("a position");
    for part in ["melds NS KsKhKd", "hand N Qs Qh Jd 9c 7h 6h 5d 4d 2c", "hand E 11", "hand W 11"] {
        assert!(after.contains(part) && notation.contains(part), "{part}: {stands}");
    }
    let typed = "classic-4p; to move N; drew; hand N Ks Kh Kd 4d 5c; pile 9d";
    let typed = json(&["rule", typed, "--what", "meld KsKhKd", "--law", "IR-023"]);
    assert_eq!(typed["ruling"]["notation"], "ruling IR-023 0 NS N");
}

/// Answers at a terminal: what happened, which irregularity, its question.
#[test]
fn a_terminal_asks_what_is_missing() {
    let cli = Cli::try_parse_from(["canasta-replay", "rule"]).expect("arguments");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = Io::new(&b"it takes time\n9\n\nyes\n"[..], &mut out, &mut err, false);
    io.terminal = true;
    let exit = run(&cli.command, &mut io).expect("an answer");
    drop(io);
    let text = String::from_utf8(out).expect("text");
    assert_eq!(exit, Exit::Clean);
    for part in ["What happened?", "expected a number from 1 to", "two warnings before? (no, yes)", "IR-072"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let mut io = Io::new(&b""[..], Vec::new(), Vec::new(), false);
    io.terminal = true;
    assert!(
        run(&cli.command, &mut io).expect_err("nothing was said").to_string().contains("nothing was said")
    );
}

/// Checks that German words are answered in German, unless another language is asked for, with the ruling of English ones.
#[test]
fn german_words_are_answered_in_german() {
    let said = |args: &[&str]| String::from_utf8(command(args, b"").out).expect("text");
    let position = "classic-4p; to move N; drew; hand N Kd 4c ??";
    let rule =
        ["rule", position, "--what", "Ost hat außer der Reihe abgeworfen, der Nächste hat schon gezogen"];
    let german = said(&rule);
    for line in [
        "Vorfall       ein Abwurf außer der Reihe  (aus ",
        "Regel         IR-034  Ein Abwurf außer der Reihe kommt auf die Hand zurück",
        "entscheidet   die Turnierleitung (director), die Jury (jury), beide Parteien gemeinsam (table) (IR-100)",
        "beantwortet   Hat der nächste Spieler daraufhin gehandelt? ja (--answer acted=nein: IR-034, ",
        "weiter        der Abwurf gilt als Zug seines Spielers",
        "Eintrag       ruling house:IR-034 0 EW E reason \"Ost hat ",
    ] {
        assert!(german.lines().any(|found| found.starts_with(line)), "{line}: {german}");
    }
    let english = said(&[&rule[..], &["--lang", "en"]].concat());
    assert!(english.starts_with("irregularity  a discard out of turn  (from "), "{english}");
    let value = json(&rule);
    assert_eq!(value["irregularity"]["name"], "a discard out of turn");
    assert_eq!(value["translations"]["de"]["irregularity"], "ein Abwurf außer der Reihe");
    assert_eq!(value["questions"][0]["otherwise"][0]["translations"]["de"]["answer"], "nein");
    let given = json(&["rule", "--law", "IR-022", "--answer", "drawn=ja", "--seat", "N"]);
    assert_eq!(given["answers"]["drawn"], "yes");
    assert!(
        said(&["rule", "--what", "Was gibt es heute zu essen"]).starts_with("nichts Regelwidriges passt zu ")
    );
    assert!(
        said(&["rule", "--law", "IR-022", "--lang", "de"])
            .starts_with("Vorfall       eine unerlaubte Meldung\n")
    );
    let found = said(&["rules", "search", "Fuß zu früh aufgenommen", "--most", "1"]);
    assert!(found.contains("ein Fuß wurde aufgenommen, bevor die Hand ausgespielt war"), "{found}");
}

/// Answers at a terminal in German: from the first sentence on, the questions are German too.
#[test]
fn a_terminal_goes_on_in_the_language_of_the_first_answer() {
    let cli = Cli::try_parse_from(["canasta-replay", "rule"]).expect("arguments");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io =
        Io::new("West spielt immer zu langsam\nvielleicht\nja\n".as_bytes(), &mut out, &mut err, false);
    io.choose_language(None);
    io.terminal = true;
    run(&cli.command, &mut io).expect("an answer");
    drop(io);
    let text = String::from_utf8(out).expect("text");
    for part in [
        "Gab es vorher zwei Verwarnungen? (nein, ja) [nein] erwartet ist eins von nein, ja",
        "beantwortet   Gab es vorher zwei Verwarnungen? ja (--answer warned=nein: IR-072, eine Verwarnung (warning), ",
        "weiter        die Partei verliert das Spiel",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Checks at a terminal of 60 columns a position that lacks cards: the call may be about something else, sentences are
/// wrapped between words, and what is copied is not.
#[test]
fn a_narrow_terminal_wraps_sentences_and_asks_what_the_call_is_about() {
    let position = "classic-4p; players Ann/Bob/Cleo/Dee; to move Ann; drew; hand Ann Kd 4c ?? ??";
    let said = |answers: &'static [u8]| {
        let cli = Cli::try_parse_from(["canasta-replay", "rule", position]).expect("arguments");
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut io = Io::new(answers, &mut out, &mut err, false);
        (io.terminal, io.width) = (true, Some(60));
        run(&cli.command, &mut io).expect("an answer");
        drop(io);
        String::from_utf8(out).expect("text")
    };
    let looked = said(b"Ann looked through the pile\n\n");
    assert!(looked.contains("law           IR-014"), "{looked}");
    let none = said(b"\n");
    assert!(
        none.contains("nothing: what is irregular in the position") && none.contains("law           IR-006")
    );
    for line in none.lines().skip(1) {
        let copied = line.starts_with("position ") || line.starts_with("record ");
        assert!(copied || line.chars().count() <= 60, "{line}");
    }
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let law = canasta_engine::rulebook::rule("IR-006").expect("a rule").text;
    assert!(words(&none).contains(law), "{none}");
}

/// Checks every name of every request against the messages that the interface publishes.
#[test]
fn requests_have_the_names_of_the_interface() {
    let proto = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proto/canasta/v1");
    let files = ["action.proto", "identity.proto", "game_service.proto"];
    let text = files.map(|file| fs::read_to_string(proto.join(file)).expect(file)).concat();
    let has = |name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    for (law, effect) in [
        ("IR-050", "none"),
        ("IR-074", "warning"),
        ("IR-021", "raise_minimum 10"),
        ("IR-030", "penalty_cards N Kd 4c"),
        ("IR-011", "forfeit_pile N 1"),
        ("IR-005", "redeal"),
        ("IR-013", "restore 14"),
        ("IR-060", "revoke_talon NS"),
        ("IR-070", "adjust 100 -50"),
        ("IR-071", "forfeit NS 2000"),
        ("IR-033", "stop_clock"),
    ] {
        let found = json(&["rule", "--law", law, "--seat", "N", "--effect", effect]);
        let request = &found["ruling"]["request"];
        let kind = request["action"]["ruling"]["effect"].as_object().and_then(|effect| effect.keys().next());
        assert_eq!(kind.is_none(), effect == "none", "{found}");
        each_name(request, &mut |name| assert!(has(&snake(name)), "{law}: {name}"));
        assert!(has(request["actor"]["role"].as_str().expect("a role")));
        assert!(has(request["action"]["ruling"]["by"].as_str().expect("an authority")));
    }
}

fn each_name(value: &Value, take: &mut impl FnMut(&str)) {
    for (name, value) in value.as_object().into_iter().flatten() {
        take(name);
        each_name(value, take);
    }
}

/// Returns the name of a field as proto files have it.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
