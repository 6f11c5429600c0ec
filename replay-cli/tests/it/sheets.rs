//! Score sheets: printed ones, and those that players sign, in a tournament's tree.

use crate::common::transcripts::{self, golden, items};
use crate::common::{Ran, command, directory, key};
use canasta_engine::rules::{KNOBS, PRESETS, Rules, ThreeTableUnit};
use canasta_engine::scoring::SCORE_ITEMS;
use canasta_engine::text::words;
use canasta_engine::violations::template::Language;
use canasta_replay::Exit;
use canasta_tournament::files::{Directory, SiteFiles};
use canasta_tournament::note::NoteSigner;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn set(kinds: &[&str]) -> BTreeSet<String> {
    kinds.iter().map(|kind| (*kind).to_owned()).collect()
}

/// Returns the kinds of faults of a site, and the report.
fn faults(site: &str, public: &str, more: &[&str]) -> (BTreeSet<String>, Value) {
    let ran =
        command(&[&["audit-tournament", site, "--key", public, "--format", "json"], more].concat(), b"");
    let report: Value = serde_json::from_slice(&ran.out).expect("JSON");
    let kinds = report["faults"].as_array().unwrap().iter().map(|of| of["kind"].as_str().unwrap().to_owned());
    (kinds.collect(), report)
}

/// Checks score sheets: signed by a player of each side with the keys of the log, with the totals of the log.
#[test]
fn score_sheets_are_signed_by_both_sides() {
    let place = directory("history-sheets");
    let out = place.join("games").to_str().unwrap().to_owned();
    command(&["simulate", "--bots", "random", "--signed", "--games", "1", "--seed", "3", "--out", &out], b"");
    let log = format!("{out}/game-000000.clog");
    let player = |seat: u8| {
        let secret = canasta_engine::deal::simulate::seat_key(3, canasta_engine::seat::Seat(seat));
        let signer = NoteSigner::new(&format!("player-{seat}.example"), &secret).unwrap();
        let path = place.join(format!("player-{seat}.key"));
        canasta_tournament::key_file::write_new(&path, &signer).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (key, public) = key(&place, "open-2026.example", 1);
    let sheet = place.join("t.sheet").to_str().unwrap().to_owned();
    let (north, east) = (player(0), player(1));
    let sign = |key: &str| command(&["sign", &log, "--key", key, "--sheet", &sheet], b"");
    assert_eq!(sign(&north).exit, Exit::Clean);
    let kinds = |site: &str| faults(site, &public, &[]).0;
    let publish = |site: &str, more: &[&str]| {
        let options = ["publish", &log, "--sheet", &sheet, "--key", &key, "-o", site];
        command(&[&options[..], more].concat(), b"").exit
    };
    let site = |name: &str| place.join(name).to_str().unwrap().to_owned();
    assert_eq!(publish(&site("one"), &[]), Exit::Findings, "an audit would find it for ever");
    assert_eq!(publish(&site("one"), &["--anyway"]), Exit::Clean);
    assert_eq!(kinds(&site("one")), set(&["SHEET"]), "one side alone has signed");
    assert_eq!(sign(&east).exit, Exit::Clean);
    assert_eq!(publish(&site("both"), &[]), Exit::Clean);
    assert_eq!(kinds(&site("both")), set(&[]));
    // Other totals, rightly signed: the log decides, and the sheet is named.
    let text = fs::read_to_string(&sheet).unwrap();
    let totals = text.lines().nth(3).unwrap().to_owned();
    fs::write(&sheet, text.replace(&totals, "5 5")).unwrap();
    assert_eq!(publish(&site("other"), &["--anyway"]), Exit::Clean);
    assert_eq!(kinds(&site("other")), set(&["SHEET"]));
    assert_eq!(sign(&east).exit, Exit::Findings, "other totals are not signed");
    let files = Directory::new(Path::new(&site("both")));
    assert!(files.read("tile/entries/000.p/2", 1 << 20).unwrap().is_some(), "a game and a sheet");
}

/// Key of the vector in docs/TOURNAMENT.md.
const ANNA: &str = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";
/// Key of the seed 32 times 21, by `tests/interop/ed25519.py`.
const BORIS: &str = "884b8857f4eaa1613c61504db34d4beaf346517a0e31de3cddd4d9b4201d9d0b";
/// The signature line by `tests/interop/ed25519.py` over the sheet of the vector.
const SIGNED: &str =
    "jQD98d1Y6lhTvibDxi9/n5Won2URMXIvtfVjh5xow2imQTELlD/HcXgDWSX13BOhGD9whJlChe2pbFIrJVoQgar12wE=";

fn typed() -> String {
    format!(
        "rules classic-4p\ngame 00112233445566778899aabbccddeeff\nseats Anna, Boris, Cyril, Diana\nkey N {ANNA}\n\
         key E {BORIS}\nround 1\nend went_out\nscore NS 1295: melded_cards 655, mixed_canastas (2) 600, going_out 100, hand_cards -60\n\
         score EW -25: hand_cards -25\n"
    )
}

/// Writes a key file with this secret.
fn key_of(place: &Path, name: &str, secret: [u8; 32]) -> String {
    let path = place.join(format!("{name}.key"));
    canasta_tournament::key_file::write_new(&path, &NoteSigner::new(name, &secret).unwrap()).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A typed sheet, and the keys of two players and a stranger.
struct Paper {
    place: PathBuf,
    anna: String,
    boris: String,
    stranger: String,
}

impl Paper {
    fn of(name: &str) -> Self {
        let place = directory(name);
        fs::write(place.join("t7.txt"), typed()).unwrap();
        let anna = key_of(&place, "anna.example", core::array::from_fn(|at| at as u8));
        let boris = key_of(&place, "boris.example", [0x21; 32]);
        let stranger = key_of(&place, "stranger.example", [0x22; 32]);
        Self { place, anna, boris, stranger }
    }

    fn path(&self, name: &str) -> String {
        self.place.join(name).to_str().unwrap().to_owned()
    }

    fn sign(&self, key: &str) -> Ran {
        command(&["sign", &self.path("t7.txt"), "--key", key, "--sheet", &self.path("t7.sheet")], b"")
    }

    fn check(&self, more: &[&str]) -> (Exit, String) {
        let ran = command(&[&["sheet", "--check", &self.path("t7.sheet")], more].concat(), b"");
        (ran.exit, String::from_utf8(ran.out).unwrap())
    }

    fn publish(&self, site: &str, key: &str, more: &[&str]) -> (Exit, String) {
        let ran = command(&[&["publish", "--key", key, "-o", &self.path(site)], more].concat(), b"");
        (ran.exit, ran.err)
    }

    /// Announces the game, publishes the sheet, and ends the tournament.
    fn publish_all(&self, site: &str, key: &str, more: &[&str]) {
        fs::write(self.path("tables"), "00112233445566778899aabbccddeeff table 7\n").unwrap();
        assert_eq!(self.publish(site, key, &["--announce", &self.path("tables")]).0, Exit::Clean);
        let sheet = self.path("t7.sheet");
        let options = [&["--sheet", &sheet, "--end"], more].concat();
        assert_eq!(self.publish(site, key, &options).0, Exit::Clean);
    }
}

/// Signs the sheet of a game that nobody recorded. The signature is the vector of docs/TOURNAMENT.md, which
/// `tests/interop/ed25519.py` made.
#[test]
fn a_sheet_without_a_log_is_signed() {
    let paper = Paper::of("sheets-signed");
    assert_eq!(paper.sign(&paper.anna).exit, Exit::Clean);
    let note = fs::read_to_string(paper.path("t7.sheet")).unwrap();
    assert_eq!(note, format!("canasta-paper/1\n{}\n\u{2014} anna.example {SIGNED}\n", typed()));
    let (exit, text) = paper.check(&[]);
    assert!(exit == Exit::Clean && text.contains("not proven: that both sides agree"), "{text}");
    assert!(text.contains("signed by Anna, with keys that the sheet has"), "{text}");
    let ran = paper.sign(&paper.stranger);
    assert!(ran.exit != Exit::Clean && ran.err.contains("expected a line with this key"), "{}", ran.err);
    // What does not add up is not signed.
    fs::write(paper.path("t7.txt"), typed().replace("(2) 600", "(1) 600")).unwrap();
    let ran = paper.sign(&paper.anna);
    assert!(
        ran.exit == Exit::Findings && ran.err.contains("line 8: mixed_canastas: 1 of 300"),
        "{}",
        ran.err
    );
}

#[test]
fn a_sheet_without_a_log_is_published() {
    let paper = Paper::of("sheets-paper");
    let (key, public) = key(&paper.place, "open-2026.example", 1);
    assert_eq!(paper.sign(&paper.anna).exit, Exit::Clean);
    paper.publish_all("one", &key, &["--anyway"]);
    assert_eq!(faults(&paper.path("one"), &public, &[]).0, set(&["SHEET"]), "one side alone has signed");
    assert_eq!(paper.sign(&paper.boris).exit, Exit::Clean);
    paper.publish_all("both", &key, &[]);
    let both = paper.path("both");
    let (kinds, report) = faults(&both, &public, &["--announced", &paper.path("tables")]);
    assert_eq!(kinds, set(&[]));
    assert_eq!(report["announced"], 1, "the sheet takes the place of the announced game");
    let found = &report["papers"][0];
    assert_eq!(found["verdict"], "SCORES_ONLY");
    assert_eq!(found["signed_by"], serde_json::json!(["Anna", "Boris"]));
    assert_eq!(found["totals"], serde_json::json!([1295, -25]));
    let ran = command(&["audit-tournament", &both, "--key", &public], b"");
    let text = String::from_utf8(ran.out).unwrap();
    assert!(text.contains("SCORES_ONLY · 1 round · points 1,295 -25 · as signed by Anna, Boris"), "{text}");
    assert!(!text.to_lowercase().contains("legal"), "{text}");

    // Where logs are promised, no sheet takes their place.
    let policy = paper.path("no-sheets.toml");
    for (promise, kinds) in [("sheets = false", set(&["SHEET"])), ("sheets = true", set(&[]))] {
        fs::write(&policy, format!("format = \"canasta-policy/1\"\n{promise}\n")).unwrap();
        let (found, report) = faults(&both, &public, &["--policy", &policy]);
        assert_eq!(found, kinds, "{promise}");
        let said = "promises a log of every game, and no sheet in its place";
        assert_eq!(report["faults"].to_string().contains(said), !kinds.is_empty(), "{report}");
    }
    // Only the keys of the register count, if there is one.
    for (name, kinds) in [(BORIS, set(&[])), (&BORIS.replace('5', "6"), set(&["SHEET"]))] {
        let players = format!("[players]\nAnna = [\"{ANNA}\"]\nBoris = [\"{name}\"]\n");
        let policy = paper.path("policy.toml");
        fs::write(&policy, format!("format = \"canasta-policy/1\"\n{players}")).unwrap();
        assert_eq!(faults(&both, &public, &["--policy", &policy]).0, kinds);
        let (_, text) = paper.check(&["--policy", &policy]);
        let both = text.contains("signed by Anna, Boris, with registered keys");
        assert_eq!(both, kinds.is_empty(), "{text}");
    }
}

/// Checks that a changed sheet has no signature that holds, and that a sheet with a wrong bonus is not published.
#[test]
fn a_changed_sheet_is_not_published() {
    let paper = Paper::of("sheets-changed");
    let (key, _) = key(&paper.place, "open-2026.example", 1);
    assert_eq!(paper.sign(&paper.anna).exit, Exit::Clean);
    let note = fs::read_to_string(paper.path("t7.sheet")).unwrap();
    let publish = |note: String| {
        fs::write(paper.path("t7.sheet"), note).unwrap();
        paper.publish("site", &key, &["--sheet", &paper.path("t7.sheet")])
    };
    let (exit, err) = publish(note.replace("melded_cards 655", "melded_cards 660").replace("1295", "1300"));
    assert!(exit != Exit::Clean && err.contains("expected a signature with a key of the sheet"), "{err}");
    let (exit, err) = publish(note.replace("(2) 600", "(1) 600"));
    assert!(exit != Exit::Clean && err.contains("1 of 300 are not 600"), "{err}");
}

/// Returns the worth of each line of a printed sheet, by the item.
fn worths(page: &str) -> BTreeMap<String, String> {
    let row = |part: &str| {
        let (item, rest) = part.split_once("</code>")?;
        let rest = rest.strip_prefix("</td><td class=\"worth\">")?;
        Some((item.to_owned(), rest.split_once("</td>")?.0.to_owned()))
    };
    page.split("<code>").skip(1).filter_map(row).collect()
}

/// Whether `count` of these values add up to `sum`.
fn adds_up(values: &[i64], count: i64, sum: i64) -> bool {
    match values.split_first() {
        _ if count == 0 => sum == 0,
        None => false,
        Some((first, rest)) => (0..=count).any(|n| adds_up(rest, count - n, sum - n * first)),
    }
}

/// Returns the points of a worth: `A7 = 2,500`.
fn points(text: &str) -> i64 {
    let points = text.rsplit(" = ").next().unwrap().replace([',', '.'], "");
    points.parse().unwrap_or_else(|_| panic!("{text}"))
}

/// Checks the sheet to print of every rule set: each line of played games stands on it, with points that its worths give.
#[test]
fn printed_sheets_have_every_line_with_its_worth() {
    for (preset, language) in
        PRESETS.iter().flat_map(|preset| Language::ALL.map(|language| (*preset, language)))
    {
        let rules = Rules::preset(preset).unwrap();
        let set = rules.set();
        let page = command(&["sheet", preset, "--lang", language.tag()], b"").out;
        let page = String::from_utf8(page).unwrap();
        let worths = worths(&page);
        let games = (0..8).map(|game| transcripts::sheet(&golden(preset, game))).collect::<String>();
        let scores = games.lines().filter(|line| line.starts_with("score "));
        for (item, count, sum) in scores.flat_map(|line| items(line).1) {
            let worth = worths.get(&item).unwrap_or_else(|| panic!("{preset}: {item}"));
            let amounts: Vec<i64> = worth.split(" · ").filter(|text| !text.is_empty()).map(points).collect();
            let holds = match item.as_str() {
                "melded_cards" | "hand_cards" | "foot_cards" | "no_canasta" | "adjustments" => {
                    worth.is_empty()
                }
                "threes" => {
                    let of = |count: i64| if count == 0 { Some(&0) } else { amounts.get(count as usize - 1) };
                    let (count, is_split) = (count.unwrap(), set.three_table_unit == ThreeTableUnit::Colour);
                    let mut parts = 0..=if is_split { count } else { 0 };
                    parts.any(|part| Some(sum.abs()) == of(part).zip(of(count - part)).map(|(a, b)| a + b))
                }
                _ => adds_up(&amounts, count.unwrap_or(1), sum),
            };
            assert!(holds, "{preset}: {item} ({count:?}) {sum}, worth {worth}");
        }
        for (item, word) in SCORE_ITEMS {
            let heading = words::score_line(item, None, &words::plain(language));
            let is_there = page.contains(&format!("{heading} <code>{word}</code>"));
            assert_eq!(is_there, worths.contains_key(word), "{preset}: {word}");
        }
        for knob in KNOBS.iter().filter(|knob| knob.group().of(Language::English) == "Scoring") {
            let Ok(value) = knob.value(set).parse::<i64>() else { continue };
            let shown = page.split_once(&format!("data-knob=\"{}\">", knob.name));
            let shown = shown.map_or(0, |(_, rest)| points(rest.split('<').next().unwrap()));
            assert_eq!(shown, value, "{preset} {}", knob.name);
        }
        let rounds =
            if set.rounds > 0 { u32::from(set.rounds) } else { 2 * (12 / u32::from(set.unit_count())) };
        let round = if language == Language::German { "Runde" } else { "round" };
        assert!(page.contains(&format!(">{round} {rounds}</th>")), "{preset}: {rounds}");
        assert!(!page.contains(&format!(">{round} {}</th>", rounds + 1)), "{preset}: {rounds}");
        assert!(!page.contains("<script") && !page.contains("http:"), "{preset}: loads nothing");
    }
}

/// Checks what decides the score of Classic (CL-058, CL-079, CL-096, CL-109) and of house rules on their sheets.
#[test]
fn printed_sheets_say_what_decides_the_score() {
    let file = directory("printed-sheets").join("club.toml").to_str().unwrap().to_owned();
    let house =
        "base = \"classic-4p\"\nname = \"club\"\n[knobs]\nbonus_out = 200\ngo_out_total = 2\ntarget = 3000\n";
    fs::write(&file, house).unwrap();
    let of = |subject: &str, language: &str| {
        String::from_utf8(command(&["sheet", subject, "--lang", language], b"").out).unwrap()
    };
    let (classic, club) = (of("classic-4p", "de"), of(&file, "en"));
    for text in [
        "unter 0 = 15 · unter 1.500 = 50 · unter 3.000 = 90 · sonst = 120",
        "Summe, mit der die Partie endet, in Punkten: <b data-knob=\"target\">5.000",
        "data-knob=\"go_out_total\">1<",
        "<h1>Canasta · classic-4p</h1>",
    ] {
        assert!(classic.contains(text), "{text}");
    }
    for text in [
        "below 0 = 15 · below 1,500 = 50 · below 3,000 = 90 · otherwise = 120",
        "Total that ends the game, in points: <b data-knob=\"target\">3,000",
        "Canastas of any kind needed to go out: <b data-knob=\"go_out_total\">2<",
        "<h1>Canasta · classic-4p+club</h1>",
    ] {
        assert!(club.contains(text), "{text}");
    }
    let out = |page: &str| worths(page)["going_out"].clone();
    assert_eq!((out(&classic).as_str(), out(&club).as_str()), ("100", "200"));
}
