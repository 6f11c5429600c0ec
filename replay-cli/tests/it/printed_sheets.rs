//! Printed sheets as house rules: every file of docs/play/sheets is valid and stands in docs/play/SHEETS.md, its facts
//! are those of the sheet, and whole games of it are audited clean.

use crate::common::{command, directory};
use canasta_replay::Exit;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn sheets() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/play/sheets")
}

/// Returns the path of each file by its name without the extension.
fn files() -> BTreeMap<String, String> {
    let paths = fs::read_dir(sheets()).expect("a folder").map(|entry| entry.expect("a file").path());
    paths
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().into(), path.to_str().unwrap().into()))
        .collect()
}

/// Runs a command that must succeed, and returns its JSON.
fn json_of(args: &[&str]) -> Value {
    let ran = command(&[args, &["--format", "json"]].concat(), b"");
    assert_eq!(ran.exit, Exit::Clean, "{args:?}: {ran:?}");
    serde_json::from_slice(&ran.out).expect("JSON")
}

#[test]
fn every_file_is_valid_and_stands_in_the_list() {
    let list = fs::read_to_string(sheets().with_file_name("SHEETS.md")).expect("the list");
    let mut digests = BTreeSet::new();
    for (name, path) in files() {
        assert!(list.contains(&format!("[{name}](sheets/{name}.toml)")), "SHEETS.md does not name {name}");
        let report = json_of(&["rules", "validate", &path]);
        let set = &report["rule_sets"][0];
        assert_eq!((&set["played"], &set["faults"]), (&json!(true), &json!([])), "{name}");
        assert!(
            digests.insert(set["digest"].as_str().expect("a digest").to_owned()),
            "{name} has the rules of another file"
        );
        assert!(fs::read_to_string(&path).unwrap().contains(&format!("name = \"{name}\"")), "{name}");
    }
    assert!(digests.len() >= 18, "{} rule sets", digests.len());
}

/// Counts sheets by their addresses: those that can be played, each with its file, and those that cannot.
#[test]
fn the_page_counts_its_sheets() {
    let list = fs::read_to_string(sheets().with_file_name("SHEETS.md")).expect("the list");
    let part = |title: &str| {
        let rest = list.split(&format!("\n## {title}\n")).nth(1).expect("a heading");
        rest.split("\n## ").next().unwrap_or_default()
    };
    let (played, others) = (part("Sheets that can be played"), part("Sheets that cannot be said"));
    let [played_count, all] =
        [played.to_owned(), format!("{played}{others}")].map(|of| of.matches("`http").count());
    let says = |words: &str| assert!(list.contains(words), "{words}");
    says(&format!("\n{all} sheets of rules as clubs, publishers and families print them"));
    says(&format!(": {played_count} of them can be played."));
    let lacks_file = |item: &&str| !item.contains("](sheets/");
    assert_eq!(played.split("\n- ").skip(1).find(lacks_file), None, "it names no file");
    assert!(!others.contains("](sheets/"), "a file can be played");
}

/// Facts that each sheet says itself: knobs with their values. docs/play/SHEETS.md has the addresses of the sheets.
const FACTS: &[(&str, &str)] = &[
    // Uruguay, rummy-games.com
    ("uruguay-rummy-games", "wild_melds = true; bonus_wild = 2000; frozen_always = true; meld_min = 3"),
    // Cuban Canasta, rummy-games.com
    (
        "cuban-rummy-games",
        r#"hand_size = 13; frozen_always = true; target = 7500; three_table = [100,300,500,1000]; three_sign = "one_canasta";
        discard_threes = "black_later"; black_three_table = [5,10,15,100]; meld_max = 7; wild_melds = true;
        bonus_wild_twos = 4000; bonus_wild_jokers = 3000; bonus_wild = 2000; wild_top = "blocked"; bonus_concealed = 0"#,
    ),
    // Canasta, anycard
    (
        "classic-anycard",
        r#"hand_size = 11; max_wilds = 3; min_naturals = 2; bonus_out = 100; three_table = [100,200,300,800];
        meld_check = "at_discard"; initial_exempt = ["concealed_stock"]"#,
    ),
    // Tallying your scores, Card Games For Dummies
    (
        "classic-dummies",
        r#"bonus_wild = 1000; bonus_natural = 500; bonus_mixed = 300; bonus_out = 100; bonus_concealed = 100;
        three_sign = "unmelded_minus""#,
    ),
    // Canasta card game, gamerules.org
    (
        "classic-gamerules",
        r#"hand_size = 11; packs = 2; jokers = 4; start_cover = ["wild","red_three","black_three"]"#,
    ),
    // Additions to ordinary Canasta, spelregler.org
    (
        "classic-spelregler",
        r#"draw_count = 1; go_out_total = 1; max_wilds = 3; min_naturals = 2; one_card_pile = "forbid";
        black_three_meld = "going_out"; last_three = "end_round"; pile_threes_replaced = false"#,
    ),
    ("quick-spelregler", r#"draw_count = 2; go_out_total = 2; start_freezes = ["wild","red_three"]"#),
    // CK 70
    (
        "classic-ck70",
        r#"hand_size = 11; max_wilds = 3; wild_ratio = "not_above_naturals"; target = 5000; initial_count = "with_top";
        initial_bands = [{"below":0,"minimum":15},{"below":1500,"minimum":50},{"below":3000,"minimum":90},
        {"minimum":120}]"#,
    ),
    // Canasta for four and for two, casinospiegel.net
    (
        "classic-casinospiegel",
        r#"hand_size = 11; draw_count = 1; go_out_total = 1; three_sign = "one_canasta"; bonus_out = 100"#,
    ),
    (
        "two-casinospiegel",
        "seats = 2; hand_size = 15; draw_count = 2; go_out_total = 2; go_out_clean = 1; go_out_mixed = 1",
    ),
    // Rules of the game, canasta-spielen.com
    (
        "classic-canasta-spielen",
        r#"packs = 2; three_sign = "one_canasta"; three_table = [100,200,300,800]; pile_threes_replaced = false"#,
    ),
    // Reglamento, Casino de Agricultura
    (
        "classic-agricultura",
        r#"seats = 4; held_three_black = 100; three_sign = "one_canasta"; three_table = [100,200,300,800]"#,
    ),
    // Kanasta, Czech Wikibooks
    ("classic-wikibooks-cs", "target = 10000; bonus_natural = 600; bonus_mixed = 300; bonus_wild = 1000"),
    // Kanasta, zasadygry.pl
    (
        "classic-zasadygry",
        r#"hand_size = 11; initial_bands = [{"minimum":80}]; wild_ratio = "not_above_naturals"; max_wilds = 3"#,
    ),
    // Canasta for two players, rummy-games.com; Two-hand Canasta, United States Playing Card Company
    ("two-rummy-games", r#"hand_size = 15; draw_count = 2; go_out_total = 2; ask = "off""#),
    // Canasta for three players, rummy-games.com
    ("three-rummy-games", r#"seats = 3; side_count = 3; hand_size = 13; side_formation = "fixed""#),
    (
        "cutthroat-rummy-games",
        r#"hand_size = 13; draw_count = 2; go_out_total = 2; target = 7500; initial_key = "melder_score";
        three_unit = "seat"; stock_out = "finish_turn""#,
    ),
    // Cutthroat Canasta, United States Playing Card Company
    (
        "cutthroat-bicycle",
        r#"draw_count = 2; target = 7500; side_formation = "lone_taker"; score_unit = "seat";
        stock_out = "finish_turn""#,
    ),
    // Three players, canasta.ch
    (
        "cutthroat-canasta-ch",
        r#"hand_size = 13; draw_count = 2; go_out_total = 2; target = 7500; three_unit = "seat""#,
    ),
    // Canasta for six players, rummy-games.com
    (
        "six-pairs-rummy-games",
        "side_count = 3; packs = 3; jokers = 6; hand_size = 13; target = 7500; go_out_total = 2;\
         three_table = [100,200,300,400,1000,1200]",
    ),
    (
        "six-teams-rummy-games",
        r#"side_count = 2; target = 10000; go_out_total = 2; initial_bands = [{"below":0,"minimum":15},
        {"below":1500,"minimum":50},{"below":3000,"minimum":90},{"below":7500,"minimum":120},{"minimum":150}]"#,
    ),
    // Modern American Canasta, MeggieSoft Games
    (
        "american-meggiesoft",
        r#"seats = 2; hand_size = 13; talons = [4,3]; start_card = "none"; draw_count = 1; threes_drawn = "auto";
        laid_threes = "both""#,
    ),
    // Samba, United States Playing Card Company; How to play Samba, HowStuffWorks
    (
        "samba-bicycle",
        r#"hand_size = 15; draw_count = 2; max_wilds = 2; bonus_sequence = 1500; bonus_out = 200; bonus_concealed = 0;
        target = 10000; initial_bands = [{"below":0,"minimum":15},{"below":1500,"minimum":50},
        {"below":3000,"minimum":90},{"below":7000,"minimum":120},{"minimum":160}]"#,
    ),
    // Samba, Fournier
    (
        "samba-fournier",
        r#"hand_size = 15; draw_count = 2; target = 10000; start_cover = ["wild","red_three","black_three"]"#,
    ),
    // Samba-Canasta, gamexpla.in
    (
        "samba-gamexpla",
        "packs = 3; hand_size = 15; draw_count = 1; bonus_natural = 700; bonus_mixed = 500; bonus_sequence = 1500",
    ),
    // Bolivia, rummy-games.com and United States Playing Card Company; Bolivian Canasta, 2001
    (
        "bolivia-rummy-games",
        r#"bonus_wild = 2500; bonus_sequence = 1500; held_three_black = 100; go_out_total = 2; go_out_sequence = 1;
        target = 15000; three_sign = "two_canastas"; wild_top = "blocked"; three_table = [100,200,300,400,500,1000]"#,
    ),
    // Bolivia, Betty
    (
        "bolivia-betty",
        r#"target = 15000; bonus_wild = 2500; held_three_black = 100; initial_bands = [{"below":0,"minimum":15},
        {"below":1505,"minimum":50},{"below":3005,"minimum":90},{"below":5005,"minimum":120},{"minimum":150}]"#,
    ),
    // Bolivia, White Knuckle Cards
    (
        "bolivia-white-knuckle",
        "packs = 3; jokers = 6; max_wilds = 0; bonus_wild = 2500; bonus_sequence = 1500",
    ),
    // Canasta, pressemitteilung.ws; La Canasta, savoir.fr
    (
        "classic-pressemitteilung",
        r#"hand_size = 11; target = 5000; bonus_natural = 500; bonus_mixed = 300; three_sign = "unmelded_minus";
        wild_ratio = "below_naturals""#,
    ),
    // Hand and Foot, Kcils360
    (
        "hand-and-foot-kcils360",
        r#"rounds = 4; initial_bands = [50,90,120,150]; draw_count = 2; held_three_red = 500; held_three_black = 300;
        laid_threes = "none"; go_out_clean = 1; go_out_mixed = 1; wild_melds = false"#,
    ),
    // Composite rules, Roger Dem
    (
        "hand-and-foot-composite",
        r#"packs = 4; hand_size = 11; foot_size = 11; draw_count = 2; rounds = 4; laid_threes = "none";
        ask = "required""#,
    ),
    // Triple Play, Cool Old Games
    (
        "triple-play-coololdgames",
        r#"seats = 4; side_count = 2; packs = 6; jokers = 12; hand_size = 15; foot_size = 13; more_feet = [11]; rounds = 4;
        ask = "required""#,
    ),
    // Hand and Foot, GOCC
    (
        "hand-and-foot-gocc",
        r#"packs = 4; hand_size = 11; foot_size = 11; pile_portion = 1; initial_bands = [50,90,120,150];
        canasta_accepts = "naturals""#,
    ),
];

#[test]
fn the_facts_of_a_sheet_are_those_of_its_rule_set() {
    let files = files();
    let told: Vec<&str> = FACTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(told.iter().copied().collect::<BTreeSet<_>>(), files.keys().map(String::as_str).collect());
    for (name, facts) in FACTS {
        let report = json_of(&["rules", "knobs", &files[*name]]);
        let knobs = report["knobs"].as_array().expect("knobs");
        let facts: Vec<(&str, &str)> =
            facts.split(';').map(|fact| fact.trim().split_once(" = ").expect("a fact")).collect();
        assert!(facts.len() >= 3, "{name}: {} facts", facts.len());
        for (knob, value) in facts {
            let found = knobs.iter().find(|one| one["knob"] == knob).expect("a knob");
            assert_eq!(found["value"], serde_json::from_str::<Value>(value).expect("JSON"), "{name}: {knob}");
        }
    }
}

/// Returns a copy of a file with games of eight rounds: random players of American Canasta never reach its target.
fn eight_rounds(place: &Path, path: &str) -> String {
    let copy = place.join("eight-rounds.toml");
    fs::write(&copy, fs::read_to_string(path).unwrap() + "rounds = 8\n").unwrap();
    copy.to_str().unwrap().to_owned()
}

#[test]
fn whole_games_of_every_sheet_are_audited_clean() {
    let place = directory("printed-sheets");
    for (name, path) in files() {
        for bots in ["bot", "random"] {
            let is_endless = bots == "random" && name.starts_with("american-");
            let path = if is_endless { eight_rounds(&place, &path) } else { path.clone() };
            let out = place.join(format!("{name}-{bots}")).to_str().unwrap().to_owned();
            let ran = command(&["simulate", "--ruleset", &path, "--bots", bots, "--out", &out], b"");
            assert_eq!(ran.exit, Exit::Clean, "{name}, {bots}: {ran:?}");
            let report = json_of(&["audit", &out]);
            assert_eq!(report["counts"]["clean"], 1, "{name}, {bots}: {report}");
            assert!(report["logs"][0]["result"].is_object(), "{name}, {bots}: the game is over");
        }
    }
}
