//! `stats` compared with a second count, from the text form of the same logs.

use crate::common::{Rng, command, directory, short};
use canasta_engine::action::{Action, As, Authority, Effect, EffectKind, Group, MeldKind, Onto, Ruling};
use canasta_engine::card::Rank;
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_replay::Exit;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Plays games of a preset in a directory.
fn games(name: &str, preset: &str, games: usize) -> PathBuf {
    let place = directory(&format!("stats-{name}"));
    let (out, count) = (place.to_str().expect("text"), games.to_string());
    command(&["simulate", "--ruleset", preset, "--seed", "7", "--games", &count, "--out", out], b"");
    place
}

fn stats(place: &Path, exit: Exit) -> Value {
    let ran = command(&["stats", place.to_str().expect("text"), "--format", "json"], b"");
    assert_eq!(ran.exit, exit, "{}", ran.err);
    serde_json::from_slice(&ran.out).expect("JSON")
}

/// Returns the lines of a log's text form.
fn lines(log: &Path) -> Vec<Value> {
    let ran = command(&["export", log.to_str().expect("text")], b"");
    let text = String::from_utf8(ran.out).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn logs(place: &Path) -> Vec<Vec<Value>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| lines(path)).collect()
}

/// Returns the statistics of values as a spread has them: count, sum, minimum, lower median, maximum.
fn spread(mut values: Vec<i64>) -> [i64; 5] {
    values.sort_unstable();
    let last = values.len() - 1;
    [values.len() as i64, values.iter().sum(), values[0], values[last / 2], values[last]]
}

fn told(value: &Value) -> [i64; 5] {
    ["count", "sum", "least", "median", "most"]
        .map(|key| value[key].as_i64().unwrap_or_else(|| panic!("{key}: {value}")))
}

fn events(line: &Value) -> impl Iterator<Item = &Value> {
    line["events"].as_array().into_iter().flatten()
}

fn is(line: &Value, kind: &str) -> bool {
    line["kind"] == kind
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// Returns the points of a card (CL-002): jokers 50, aces and twos 20, king to eight 10, seven to four and
/// black threes 5.
fn points(card: &Value) -> i64 {
    match card.as_str().expect("a card").chars().next() {
        Some('X') => 50,
        Some('A' | '2') => 20,
        Some('4'..='7' | '3') => 5,
        _ => 10,
    }
}

fn freezes(card: &Value) -> bool {
    let card = card.as_str().expect("a card");
    card == "X" || card.starts_with('2') || matches!(card, "3h" | "3d")
}

fn number<T: TryInto<i64>>(value: T) -> i64 {
    value.try_into().unwrap_or_else(|_| panic!("a small number"))
}

/// Compares the sums with everything that scored games declare, for presets of many kinds.
#[test]
fn sums_are_those_of_the_text_form() {
    for preset in
        ["classic-4p", "american-4p", "samba-4p", "wahhi-5p", "hoyle-2p", "hand-and-foot-4p", "classic-3p"]
    {
        let place = games(preset, preset, 6);
        let logs = logs(&place);
        let stats = stats(&place, Exit::Clean);
        let [found] = &list(&stats["rulesets"])[..] else { panic!("one rule set") };
        assert_eq!(
            (stats["logs"].clone(), found["games"].clone(), found["id"].clone()),
            (6.into(), 6.into(), preset.into())
        );
        let per_game = |count: &dyn Fn(&Vec<Value>) -> usize| {
            spread(logs.iter().map(|log| number(count(log))).collect())
        };
        assert_eq!(told(&found["records"]), per_game(&|log| log.len()), "{preset}");
        let actions = |log: &Vec<Value>| log.iter().filter(|line| is(line, "action")).count();
        assert_eq!(told(&found["actions"]), per_game(&actions), "{preset}");
        let all = || logs.iter().flatten();
        let rounds = || all().filter(|line| is(line, "round_end") && !line["sides"].is_null());
        let scored = |log: &Vec<Value>| {
            log.iter().filter(|line| is(line, "round_end") && !line["sides"].is_null()).count()
        };
        assert_eq!(told(&found["rounds"]), per_game(&scored), "{preset}");

        // Scores, wins, margins.
        for (unit, of) in list(&found["units"]).iter().enumerate() {
            let by_round =
                rounds().map(|end| end["sides"][unit]["total"].as_i64().expect("a total")).collect();
            assert_eq!(told(&of["round_scores"]), spread(by_round), "{preset} {unit}");
            let ends = || all().filter(|line| is(line, "game_end"));
            let totals =
                ends().map(|end| end["sides"][unit]["cumulative"].as_i64().expect("a total")).collect();
            assert_eq!(told(&of["totals"]), spread(totals), "{preset} {unit}");
            assert_eq!(of["won"], ends().filter(|end| end["winner"] == unit).count(), "{preset} {unit}");
            let won = ends().filter(|end| !end["winner"].is_null());
            let margins = won.map(|end| end["margin"].as_i64().expect("a margin")).collect();
            assert_eq!(told(&found["margins"]), spread(margins), "{preset}");
        }
        let mut items: BTreeMap<&str, [i64; 2]> = BTreeMap::new();
        for line in rounds().flat_map(|end| list(&end["sides"])).flat_map(|side| list(&side["lines"])) {
            let item = items.entry(line["item"].as_str().expect("a word")).or_default();
            *item = [item[0] + 1, item[1] + line["points"].as_i64().expect("points")];
        }
        assert_eq!(found["items"].as_object().map(|items| items.len()), Some(items.len()), "{preset}");
        for (item, [lines, points]) in items {
            let of = &found["items"][item];
            assert_eq!(
                (of["lines"].as_i64(), of["points"].as_i64()),
                (Some(lines), Some(points)),
                "{preset} {item}"
            );
        }

        // Going out.
        let went_out = || rounds().filter(|end| end["reason"] == "went_out");
        assert_eq!(found["going_out"]["rounds"], went_out().count(), "{preset}");
        assert_eq!(
            found["going_out"]["concealed"],
            went_out().filter(|end| end["concealed"] == true).count(),
            "{preset}"
        );
        for (seat, count) in list(&found["going_out"]["by_seat"]).iter().enumerate() {
            assert_eq!(*count, went_out().filter(|end| end["seat"] == seat).count(), "{preset} {seat}");
        }
        let seats = list(&logs[0][0]["seats"]).len();
        for (place, count) in list(&found["going_out"]["by_place"]).iter().enumerate() {
            let here = |end: &&Value| {
                let [seat, dealer] =
                    ["seat", "dealer"].map(|key| end[key].as_u64().expect("a seat") as usize);
                (seat + seats - dealer - 1) % seats == place
            };
            assert_eq!(*count, went_out().filter(here).count(), "{preset} place {place}");
        }

        // Piles and canastas.
        let takes = all().flat_map(events).filter(|event| event["type"] == "took_pile");
        let sizes = spread(takes.map(|event| number(list(&event["cards"]).len()) + 1).collect());
        let [open, frozen] = ["open", "frozen"].map(|key| told(&found["pile"][key]));
        assert_eq!(
            [open[0] + frozen[0], open[1] + frozen[1], open[4].max(frozen[4])],
            [sizes[0], sizes[1], sizes[4]],
            "{preset}"
        );
        if !preset.contains("3p") && !preset.contains("5p") {
            for grade in ["natural", "mixed", "wild", "sequence"] {
                let item = format!("{grade}_canastas");
                let sides =
                    rounds().flat_map(|end| list(&end["sides"])).flat_map(|side| list(&side["lines"]));
                let count: u64 = sides
                    .filter(|line| line["item"] == item.as_str())
                    .filter_map(|line| line["count"].as_u64())
                    .sum();
                // A bonus of 0 points has no score line, so the sheets do not have its count.
                if count > 0 {
                    assert_eq!(found["canastas"][grade], count, "{preset} {grade}");
                }
            }
        }
    }
}

/// Compares the counts of classic games with those of a reader of the events alone: turns, frozen piles, initial
/// melds by CL-058.
#[test]
fn classic_play_is_counted_as_a_reader_would() {
    let place = games("reader", "classic-4p", 12);
    let stats = stats(&place, Exit::Clean);
    let found = &stats["rulesets"][0];
    let (mut turns, mut takes) = (Vec::new(), [Vec::new(), Vec::new()]);
    let mut initial: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let mut unopened = 0;
    for log in logs(&place) {
        let (mut pile, mut opened, mut begun) = (Vec::new(), [false; 2], 0);
        let mut scores = [0, 0];
        for line in &log {
            let mut laid = [0, 0];
            for event in events(line) {
                match event["type"].as_str().expect("a type") {
                    "dealt" => (pile, opened, begun) = (Vec::new(), [false; 2], 0),
                    "upcard" | "discarded" => pile.push(event["card"].clone()),
                    "drew" => begun += 1,
                    "melded" => {
                        let side = event["side"].as_u64().expect("a side") as usize;
                        laid[side] += list(&event["cards"]).iter().map(points).sum::<i64>();
                    }
                    "took_pile" => {
                        begun += 1;
                        let side = event["seat"].as_u64().expect("a seat") as usize % 2;
                        let frozen = pile.iter().any(freezes) || !opened[side];
                        takes[usize::from(frozen)].push(number(pile.len()));
                        pile.clear();
                    }
                    _ => {}
                }
            }
            for side in 0..2 {
                if laid[side] > 0 && !opened[side] {
                    // CL-058: below 0: 15; to 1,495: 50; to 2,995: 90; from 3,000: 120.
                    let minimum = match scores[side] {
                        ..0 => 15,
                        0..1500 => 50,
                        1500..3000 => 90,
                        _ => 120,
                    };
                    initial.entry(minimum).or_default().push(laid[side]);
                    opened[side] = true;
                }
            }
            if is(line, "round_end") && !line["sides"].is_null() {
                turns.push(begun);
                unopened += opened.iter().filter(|opened| !**opened).count();
                scores = [0, 1].map(|side| line["sides"][side]["cumulative"].as_i64().expect("a total"));
            }
        }
    }
    assert_eq!(told(&found["round_turns"]), spread(turns));
    let [open, frozen] = takes;
    assert_eq!(told(&found["pile"]["open"]), spread(open));
    assert_eq!(told(&found["pile"]["frozen"]), spread(frozen));
    assert_eq!(found["initial"]["unopened"], unopened);
    assert_eq!(found["initial"]["points"].as_object().map(|by| by.len()), Some(initial.len()));
    for (minimum, points) in initial {
        assert_eq!(told(&found["initial"]["points"][minimum.to_string()]), spread(points), "{minimum}");
    }
}

type IsSort = fn(&str) -> bool;

/// Counts the sorts of cards in the hands as dealt, and their distribution: of 108 cards 12 are wild, and hands have
/// 11 cards.
#[test]
fn deals_are_counted_card_by_card() {
    let place = games("deals", "classic-4p", 12);
    let stats = stats(&place, Exit::Clean);
    let fairness = list(&stats["rulesets"][0]["fairness"]).clone();
    let sorts: [(&str, u64, IsSort); 5] = [
        ("wild_cards", 12, |card| card == "X" || card.starts_with('2')),
        ("jokers", 4, |card| card == "X"),
        ("red_threes", 4, |card| matches!(card, "3h" | "3d")),
        ("black_threes", 4, |card| matches!(card, "3s" | "3c")),
        ("aces", 8, |card| card.starts_with('A')),
    ];
    assert_eq!(fairness.len(), sorts.len());
    for ((name, cards, is_sort), found) in sorts.into_iter().zip(&fairness) {
        assert_eq!(found["sort"], name);
        assert_eq!(
            [&found["pack"], &found["cards"], &found["hand"]].map(|n| n.as_u64()),
            [Some(108), Some(cards), Some(11)]
        );
        let (mut by_place, mut hands) = ([0u64; 4], vec![0u64; 12]);
        for log in logs(&place) {
            let mut round = (0, 0);
            for line in &log {
                if is(line, "register") {
                    let [number, dealer] =
                        ["round", "dealer"].map(|key| line[key].as_u64().unwrap_or(0) as usize);
                    round = (number, dealer);
                }
                for dealt in events(line).filter(|event| event["type"] == "dealt") {
                    for place in 0..4 {
                        let hand = list(&dealt["hands"][(round.1 + 1 + place) % 4]);
                        let count =
                            hand.iter().filter(|card| is_sort(card.as_str().expect("a card"))).count();
                        by_place[place] += count as u64;
                        hands[count] += u64::from(place == round.0 % 4);
                    }
                }
            }
        }
        assert_eq!(found["by_place"], Value::from(by_place.to_vec()), "{name}");
        for of in list(&found["hands"]) {
            let cards = of["cards"].as_u64().expect("a count") as usize;
            assert_eq!(of["hands"], hands[cards], "{name} {cards}");
        }
        // 108 over 11, by Python's math.comb; the ways of all counts together are all hands.
        assert_eq!(found["all"], "344985116783580");
        let ways = list(&found["hands"])
            .iter()
            .map(|of| of["ways"].as_str().expect("digits").parse::<u128>().expect("a number"));
        assert_eq!(ways.sum::<u128>(), 344_985_116_783_580, "{name}");
    }
}

/// Returns a game in which two actions are refused every few turns and one ruling is given, with the codes of
/// every refusal, and the points that were missing for initial melds.
fn refused() -> (Vec<u8>, Vec<String>, Vec<i64>) {
    let rules = short("classic-4p", 1_500);
    let secret = simulate::game_secret(5, 4);
    let new = NewGame::new(rules, simulate::game_id(&secret), NewDeal::Seeded(secret));
    let created = Game::create(new).expect("a game");
    let (mut state, mut log) = (created.game, created.frames);
    let (mut codes, mut short_by) = (Vec::new(), Vec::new());
    let stamp = Stamp { elapsed_ms: None, signature: None };
    let (mut rng, mut ruled) = (Rng(3), false);
    for turn in 0.. {
        if matches!(state.table.phase(), Phase::GameOver | Phase::Setup) {
            return (log, codes, short_by);
        }
        if turn > 20 && !ruled && state.table.phase() == Phase::Play {
            ruled = true;
            let ruling = Ruling {
                id: 0,
                by: Authority::Director,
                offender: Some(Seat(1)),
                side: state.table.side_of(Seat(1)),
                rule: "IR-021".into(),
                points: -100,
                effect: Effect::of(EffectKind::None),
                reason: String::new(),
                reverses: None,
                signature: None,
            };
            let ruling = Action::Ruling(Box::new(ruling));
            log.extend(state.act(As::Director, &ruling, stamp).expect("a director may").frames);
        }
        let trio = state.table.to_act().and_then(|seat| {
            let hand = *state.table.hand(seat);
            let rank = Rank::NATURAL.into_iter().find(|&rank| hand.rank_count(rank) >= 3)?;
            let cards = hand.iter().filter(|card| card.rank() == rank).take(3).collect();
            let group = Group { kind: MeldKind::Set, onto: Onto::Auto, top: false, cards };
            Some((seat, Action::Meld([group].into_iter().collect())))
        });
        if let Some((seat, meld)) = trio
            && let Err(rejection) = state.check(As::Seat(seat), &meld)
        {
            codes.extend(rejection.codes().iter().map(|code| code.name().to_owned()));
            let below = rejection.violations.iter().find(|v| v.code.name() == "INITIAL_BELOW_MINIMUM");
            // The sentence that a player reads says the same in words of its own.
            short_by.extend(below.map(|v| {
                let words = v.to_string();
                let numbers: Vec<i64> =
                    words.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
                let [required, count, ..] = numbers[..] else { panic!("{words}") };
                (required - count).abs()
            }));
            log.extend(state.refuse(As::Seat(seat), &meld, &rejection, stamp).expect("a refusal"));
        }
        let steps = legal::steps(&state.table);
        let action = &steps.actions[rng.below(steps.actions.len())];
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        log.extend(state.act(actor, action, stamp).expect("a step is legal").frames);
    }
    unreachable!("games end")
}

/// Refusals are counted by code, each with its rules; logs that do not audit clean, and second logs of a
/// game, are named and left out.
#[test]
fn refusals_are_counted_and_what_does_not_audit_is_left_out() {
    let place = directory("stats-refused");
    let log = place.join("game.clog");
    let (bytes, codes, short_by) = refused();
    fs::write(&log, &bytes).unwrap();
    let found = stats(&place, Exit::Clean);
    let of = &found["rulesets"][0];
    let mut by_code: BTreeMap<&str, u64> = BTreeMap::new();
    codes.iter().for_each(|code| *by_code.entry(code).or_default() += 1);
    assert!(by_code.len() > 1 && short_by.len() > 2, "{by_code:?}");
    assert_eq!(of["refusals"]["codes"], serde_json::to_value(&by_code).unwrap());
    assert_eq!(of["refusals"]["kinds"]["meld"], of["refusals"]["count"]);
    assert_eq!(told(&of["initial"]["short"]), spread(short_by));
    assert_eq!(of["rulings"].to_string(), r#"{"director none IR-021":1}"#);

    // A copy, a torn log and something else are named, and change no sum.
    fs::copy(&log, place.join("x-copy.clog")).unwrap();
    let whole = fs::read(&log).unwrap();
    fs::write(place.join("x-torn.clog"), &whole[..whole.len() / 2]).unwrap();
    fs::write(place.join("x-hello.clog"), b"hello").unwrap();
    let again = stats(&place, Exit::Findings);
    assert_eq!((again["logs"].as_u64(), again["games"].as_u64()), (Some(4), Some(1)));
    assert_eq!(again["rulesets"], found["rulesets"]);
    let reasons: Vec<&str> =
        list(&again["left_out"]).iter().map(|out| out["reason"].as_str().expect("text")).collect();
    assert_eq!(reasons.len(), 3, "{reasons:?}");
    assert_eq!(reasons[0], "its game is counted already");
    assert!(
        reasons[1].starts_with("NOT_A_LOG: record 0, byte 0: this is not a log")
            && reasons[2].starts_with("INCOMPLETE: TORN at record "),
        "{reasons:?}"
    );
    let text = command(&["stats", place.to_str().expect("text")], b"");
    let text = String::from_utf8(text.out).expect("text");
    assert!(text.contains("INITIAL_BELOW_MINIMUM") && text.contains("CL-058"), "{text}");
}

/// Checks that every field of the JSON form stands in docs/judge/STATS.md.
#[test]
fn every_field_is_described() {
    let place = directory("stats-fields");
    fs::write(place.join("game.clog"), refused().0).unwrap();
    fs::write(place.join("hello.clog"), b"hello").unwrap();
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/judge/STATS.md");
    let manual = fs::read_to_string(manual).unwrap();
    let mut fields = std::collections::BTreeSet::new();
    fields_of(&stats(&place, Exit::Findings), &mut fields);
    // What is counted by name has names that other pages list.
    let names = ["items", "ends", "froze", "points", "canastas", "kinds", "codes", "illegal", "rulings"];
    assert!(fields.len() > 50, "{fields:?}");
    for (parent, field) in fields {
        assert!(
            names.contains(&parent.as_str()) || manual.contains(&format!("`{field}`")),
            "{parent}.{field}"
        );
    }
}

fn fields_of(value: &Value, fields: &mut std::collections::BTreeSet<(String, String)>) {
    fn walk(parent: &str, value: &Value, fields: &mut std::collections::BTreeSet<(String, String)>) {
        match value {
            Value::Object(object) => object.iter().for_each(|(key, value)| {
                fields.insert((parent.to_owned(), key.clone()));
                walk(key, value, fields);
            }),
            Value::Array(values) => values.iter().for_each(|value| walk(parent, value, fields)),
            _ => {}
        }
    }
    walk("", value, fields);
}

/// Checks that the output is equal for any number of threads, and that the page loads nothing.
#[test]
fn forms_agree() {
    let place = games("forms", "manzana-2p", 5);
    let path = place.to_str().expect("text");
    let run = |more: &[&str]| command(&[&["stats", path], more].concat(), b"").out;
    assert_eq!(run(&["--threads", "1"]), run(&["--threads", "2"]));
    let html = place.join("page.html");
    run(&["--html", html.to_str().expect("text")]);
    let page = fs::read_to_string(html).unwrap();
    for closed in ["http", "<script", " src=", "style=\""] {
        let allowed = page.matches("http-equiv").count();
        assert_eq!(page.matches(closed).count(), if closed == "http" { allowed } else { 0 }, "{closed}");
    }
    assert!(page.contains("Deals against an honest shuffle") && page.matches("<svg").count() > 4);
}
