//! One reader of typed positions: `check`, `conform` and the engine's library read the same text in the same way, and
//! what is left out changes no verdict that does not depend on it.

use crate::common::{Rng, command};
use canasta_engine::action::{Action, As};
use canasta_engine::check::check;
use canasta_engine::deal::simulate;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::{Game, NewDeal, NewGame};
use canasta_engine::legal;
use canasta_engine::log::record::Player;
use canasta_engine::notation::{Names, Position, Proposal};
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::table::{Phase, Setup, Table};
use canasta_engine::violations::ALL;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the verdict of `check` on a text: "yes", "no" with its codes, "depends", or "irregular".
fn checked(position: &str, action: &str) -> String {
    let ran = command(&["check", position, "--action", action, "--format", "json"], b"");
    let Ok(value) = serde_json::from_slice::<Value>(&ran.out) else {
        return format!("no answer: {}", ran.err);
    };
    if value
        .get("irregular")
        .is_some_and(|all| all.as_array().is_some_and(|all| all.iter().any(is_setup_fault)))
    {
        return "irregular".into();
    }
    let codes = value["violations"].as_array().into_iter().flatten().filter_map(|each| each["code"].as_str());
    let codes: Vec<&str> = codes.collect();
    format!("{} {}", value["answer"].as_str().expect("an answer"), codes.join(" ")).trim().into()
}

/// Whether an irregularity is one of the position itself. `conform` judges hands of any size.
fn is_setup_fault(fault: &Value) -> bool {
    !fault["text"].as_str().is_some_and(|text| text.contains("until its side melds"))
}

/// Returns the verdicts of `conform`, in the same words.
fn conformed(questions: &[(String, String)]) -> Vec<String> {
    let line = |(position, action): &(String, String)| {
        json!({ "op": "position", "position": position, "do": [action] }).to_string()
    };
    let lines: Vec<String> = questions.iter().map(line).collect();
    let out =
        String::from_utf8(command(&["conform"], (lines.join("\n") + "\n").as_bytes()).out).expect("text");
    let verdict = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("a line");
        match (value.get("error"), value.get("refused")) {
            (Some(_), _) => "irregular".into(),
            (None, None) => "yes".into(),
            (None, Some(refused)) => {
                let codes = refused.as_array().into_iter().flatten().filter_map(|each| each["code"].as_str());
                format!("no {}", codes.collect::<Vec<_>>().join(" "))
            }
        }
    };
    out.lines().map(verdict).collect()
}

/// Returns the verdict of the engine on a table, in the same words.
fn judged(table: &Table, action: &Action) -> String {
    let by = table.to_act().map_or(As::Table, As::Seat);
    match check(table, by, action) {
        Ok(_) => "yes".into(),
        Err(refused) => {
            format!("no {}", refused.codes().iter().map(|code| code.name()).collect::<Vec<_>>().join(" "))
        }
    }
}

/// Puts the questions to both doors, and returns those that are answered in two ways. Where `check` says that the answer
/// depends on unknown cards, the cards that were filled in are one of the possibilities.
fn differences(questions: &[(String, String)]) -> (usize, Vec<String>) {
    let (mut depends, mut differ) = (0, Vec::new());
    for ((position, action), other) in questions.iter().zip(conformed(questions)) {
        let own = checked(position, action);
        // What cannot be judged at all has no answer.
        let same = own == other || other == "irregular" && own.starts_with("no answer");
        depends += usize::from(own.starts_with("depends"));
        if !same && !own.starts_with("depends") {
            differ.push(format!("{position}\n  {action}: check {own}, conform {other}"));
        }
    }
    (depends, differ)
}

/// Returns the position and the actions of every row of the rules files.
fn rows() -> Vec<(String, Vec<String>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/rules");
    let files =
        std::fs::read_dir(folder).expect("the folder is read").map(|file| file.expect("a file").path());
    let texts = files.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let books = texts.map(|path| std::fs::read_to_string(path).expect("the file is read"));
    let books = books.map(|text| text.parse::<toml::Table>().expect("a book"));
    let row = |case: &toml::Value| {
        let actions = case.get("do")?.as_array()?.iter().filter_map(|text| text.as_str().map(str::to_owned));
        let other = ["wall", "status", "create"].iter().any(|key| case.get(key).is_some());
        Some((case.get("position")?.as_str()?.to_owned(), actions.collect::<Vec<_>>()))
            .filter(|(_, actions)| !other && !actions.is_empty())
    };
    let cases = |book: toml::Table| {
        book["case"].as_array().expect("cases").iter().filter_map(row).collect::<Vec<_>>()
    };
    books.flat_map(cases).collect()
}

/// Returns the position after these actions; `None` if one of them is refused.
fn played(position: &str, actions: &[String]) -> Option<String> {
    let table = Position::parse(position).ok()?.setup().into_table().ok()?;
    let mut game = Game::of(
        table,
        Dealing::new(simulate::game_id(&simulate::game_secret(1, 1)), DealSource::Unknown, false),
    );
    for text in actions {
        let proposal = Proposal::parse(text, game.table.set()).ok()?;
        let by = proposal.actor.or_else(|| game.table.to_act().map(As::Seat)).unwrap_or(As::Table);
        game.play(by, &proposal.action).ok()?;
    }
    Some(Position::of(&game.table).to_string())
}

/// Checks every row of the rules files and every example of the pages of codes, through both doors. Of a row with several actions
/// the last is asked about, in the position before it.
#[test]
fn rows_and_examples_have_one_verdict() {
    let mut questions = Vec::new();
    for (position, actions) in rows() {
        let (last, before) = actions.split_last().expect("a row with an action");
        let text = if before.is_empty() { Some(position) } else { played(&position, before) };
        questions.extend(text.map(|text| (text, last.clone())));
    }
    let examples = ALL.iter().filter_map(|entry| entry.example());
    let played = examples.filter(|example| Position::parse(example.position).is_ok());
    questions.extend(played.map(|example| (example.position.into(), example.action.into())));
    // A deal is no question of a position: `conform` knows its cards.
    questions.retain(|(_, action)| !["deal", "draw_cards"].iter().any(|word| action.contains(word)));
    questions.retain(|(position, _)| position.len() <= 8192);
    let (depends, differ) = differences(&questions);
    assert!(questions.len() > 1_200 && depends < questions.len() / 50, "{} {depends}", questions.len());
    assert!(differ.is_empty(), "{} of {}:\n{}", differ.len(), questions.len(), differ.join("\n"));
}

/// Calls `visit` with tables of random games of a rule set: some on the way, and more near the end of a stock.
fn tables(preset: &str, games: u32, mut visit: impl FnMut(&Table, &mut Rng)) {
    let rules = Arc::new(Rules::preset(preset).expect("a rule set that is played"));
    for game in 0..games {
        let mut rng = Rng(u64::from(game) + 11);
        let secret = simulate::game_secret(7, game);
        let (id, seats) = (simulate::game_id(&secret), rules.set().seats);
        let players = (0..seats).map(|seat| Player { name: format!("player {seat}"), key: None }).collect();
        let new = NewGame { players, ..NewGame::new(rules.clone(), id, NewDeal::Seeded(secret)) };
        let mut state = Game::create(new).expect("a game").game;
        for step in 0..400 {
            let steps = legal::steps(&state.table).actions;
            let Some(action) = steps.get(rng.below(steps.len().max(1))).cloned() else { break };
            let is_on =
                matches!(state.table.phase(), Phase::Start | Phase::Play | Phase::Asked | Phase::Taking);
            let ends = state.table.stock_len() < 5 && step % 2 == 0;
            if is_on && (step % 43 == 0 || ends) {
                visit(&state.table, &mut rng);
            }
            state.play(legal::actor(&state.table), &action).expect("a step is legal");
        }
    }
}

/// Returns actions to ask about: some that are legal, and some that seldom are.
fn actions(table: &Table, rng: &mut Rng) -> Vec<Action> {
    let steps = legal::steps(table).actions;
    let some = (0..3).filter_map(|_| steps.get(rng.below(steps.len().max(1))).cloned());
    some.chain([Action::DrawStock, Action::EndRound, Action::Pass]).collect()
}

fn line(action: &Action, table: &Table) -> String {
    let proposal = Proposal { actor: None, action: action.clone() };
    proposal.to_text(table.set()).expect("an action that has a text")
}

/// Returns the number of cards that lie in each zone.
fn sizes(setup: &Setup) -> Vec<usize> {
    let zones = setup.hands.iter().chain(&setup.feet).chain(&setup.laid).map(|cards| cards.len().into());
    zones.chain([setup.stock.len(), setup.pile.len()]).collect()
}

/// Checks that what a seat sees of a position, with the number of cards in the stock as `show` prints it, reads back: each zone has its
/// cards, and every action is judged as in the whole position. So does the text without that number.
#[test]
fn what_a_seat_sees_reads_back_with_the_count_of_the_stock() {
    let (mut asked, mut unlaid, mut differ) = (0, BTreeSet::new(), Vec::new());
    for preset in PRESETS.iter().filter(|preset| Rules::preset(preset).is_some()) {
        tables(preset, 2, |table, rng| {
            let Some(seat) = table.to_act() else { return };
            let seen = Position::seen_by(table, As::Seat(seat)).to_string();
            let counted = match table.stock_len() {
                0 => seen.clone(),
                count => format!("{seen}; stock {count}"),
            };
            let laid: u16 = table.seats().map(|seat| u16::from(table.laid(seat).red_threes())).sum();
            unlaid.insert(u16::from(table.rules().census().red_threes()) - laid);
            for text in [seen, counted] {
                let position = Position::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                let setup = position.setup();
                if sizes(&setup) != sizes(&Setup::of(table)) {
                    differ.push(format!("{text}\n  {:?}, not {:?}", sizes(&setup), sizes(&Setup::of(table))));
                    continue;
                }
                for action in actions(table, rng) {
                    let (whole, own) = (judged(table, &action), checked(&text, &line(&action, table)));
                    asked += 1;
                    if own != whole && !(own.starts_with("depends") && table.has_rulings()) {
                        differ.push(format!("{text}\n  {}: {own}, not {whole}", line(&action, table)));
                    }
                }
            }
        });
    }
    assert!(differ.is_empty(), "{} of {asked}:\n{}", differ.len(), differ[..differ.len().min(8)].join("\n"));
    assert!(asked > 1_500 && (0..=4).all(|count| unlaid.contains(&count)), "{asked} {unlaid:?}");
}

/// The beginnings of sections that say what a seat need not know, or what has a default.
const LEFT_OUT: &[&str] =
    &["hand", "foot", "stock", "laid", "talon", "pile", "upcards", "dealer", "score", "has"];

/// Checks positions of games with sections left out at random: both doors give one verdict.
#[test]
fn sections_may_be_left_out() {
    let mut questions = Vec::new();
    for preset in PRESETS.iter().filter(|preset| Rules::preset(preset).is_some()) {
        tables(preset, 1, |table, rng| {
            let whole = Position::of(table).to_string();
            let Some(seat) = table.to_act() else { return };
            let own = format!("hand {} ", Names::of(table.set()).seat_name(seat));
            let mut kept = |section: &&str| {
                let section = section.trim();
                section.starts_with(&own)
                    || !LEFT_OUT.iter().any(|name| section.starts_with(name))
                    || rng.below(10) < 6
            };
            let sections: Vec<&str> =
                whole.split(';').filter(|section| kept(section)).map(str::trim).collect();
            let text = sections.join("; ");
            let actions = actions(table, rng);
            questions.extend(actions.iter().map(|action| (text.clone(), line(action, table))));
        });
    }
    let (_, differ) = differences(&questions);
    assert!(questions.len() > 700, "{}", questions.len());
    assert!(
        differ.is_empty(),
        "{} of {}:\n{}",
        differ.len(),
        questions.len(),
        differ[..differ.len().min(8)].join("\n")
    );
}

/// Returns what `check` writes for people.
fn said(position: &str, action: &str) -> String {
    let ran = command(&["check", position, "--action", action], b"");
    String::from_utf8(ran.out).expect("text") + &ran.err
}

/// Judges positions as a director types them: the stock as a table counts it (CL-092, CL-093), melds that their numbers decide, and
/// what is tested later (HN-015, HN-027).
#[test]
fn typed_positions_are_judged_as_at_a_table() {
    let ended = "hand N 4c 5c; stock 0; melds NS 7s7c7d; pile 9d";
    let wilds = "to move N; drew; hand N 2s 4c 5c 6c; melds NS 2s2h2d / KsKhKd";
    let counted = "to move N; hand N 4c 5c 6c; hand E 9; hand S 8; hand W 10; melds NS 7s7c7d; melds EW KsKhKd; \
                   pile 9d Qc 8h 5s";
    for (position, action, expected) in [
        (format!("classic-4p; {ended}"), "draw", "no STOCK_EMPTY"),
        (format!("classic-4p; {ended}"), "end_round", "yes"),
        (format!("samba-4p; {ended}"), "draw", "no STOCK_EMPTY"),
        ("hoyle-2p; hand 0 4c 5c; stock 0; melds 0 7s7c7d; pile 9d".into(), "end_round", "yes"),
        // With all red threes unlaid, with one, and with none.
        (format!("classic-4p; {counted}; stock 68"), "draw", "yes"),
        (format!("classic-4p; {counted}; laid E 3h3h3d; stock 65"), "draw", "yes"),
        (format!("classic-4p; {counted}; laid E 3h3h3d3d; stock 64"), "draw", "yes"),
        (format!("classic-4p; {counted}; stock 69"), "draw", "irregular"),
        (format!("classic-4p; {counted}; stock 60"), "draw", "irregular"),
        ("classic-4p; hand N 4c 5c 6c; stock 3h; melds NS 7s7c7d; pile 9d".into(), "draw", "yes"),
        ("samba-4p; hand N 4c 5c 6c; stock 8d 3d; melds NS 7s7c7d; pile 9d".into(), "draw", "yes"),
        ("classic-4p; hand N 4c 5c 6c; melds NS 7s7c7d; pile 6d 3d".into(), "draw", "irregular"),
        (format!("hand-and-foot-4p; {wilds}"), "meld 2s onto 0", "yes"),
        (format!("american-4p; {wilds}"), "meld 2s onto 0", "yes"),
        (format!("american-4p; {wilds}"), "meld 4c onto 0", "no MELD_KIND_MISMATCH"),
        ("samba-4p; drew; hand N Jh 4c 5c; melds NS 8h9hTh".into(), "meld Jh onto 0", "yes"),
        ("hoyle-2p; drew; hand 0 9s9h2c2dX4c5c; melds 0 QsQhQd".into(), "meld 9s9h2c2dX", "yes"),
        // As paper has cards: the joker by its names, ranks without suits.
        ("classic-4p; drew; hand N Joker 4c 5c".into(), "discard *", "yes"),
        ("classic-4p; drew; hand N KKK 4 4; melds NS AAA; pile 27".into(), "meld KsKhKd", "yes"),
        ("classic-4p; drew; hand N KsKhKd 4c 4d; melds NS AAA".into(), "meld KKK", "yes"),
        (
            "classic-4p; drew; hand N KsKhKd 4c 4d; melds NS AAA".into(),
            "discard 9",
            "no TURN_CARD_NOT_IN_HAND",
        ),
    ] {
        assert_eq!(checked(&position, action), expected, "{position}\n{action}");
    }
}

/// Checks sentences that a reader can use.
#[test]
fn sentences_say_what_is_wrong() {
    for (position, action, part) in [
        ("hoyle-2p; drew; hand 0 9s9h2c2dX4c5c; melds 0 QsQhQd", "meld 9s9h2c2dX", "refused then"),
        ("hoyle-2p; drew; hand 0 9s9h2c2dX4c5c; melds 0 QsQhQd", "meld 9s9h2c2dX", "HN-027"),
        ("hoyle-2p; drew; hand 0 9s9h2c2dX?? ??; melds 0 QsQhQd", "meld 9s9h2c2dX", "refused then"),
        (
            "classic-4p; hand N 4c; hand E 11; hand S 11; hand W 11; stock 74; pile 9d",
            "draw",
            "one is too many",
        ),
        ("classic-4p; hand N 4c; hand E 11; hand S 11; hand W 11; stock 60; pile 9d", "draw", "are missing"),
        ("classic-4p; drew; hand N Jonker 4c 5c", "discard 4c", "X for a joker"),
        ("samba-4p; drew; hand N K 4c 5c", "discard 4c", "suits make sequences"),
        ("classic-4p take_layoff=incomplete; to move N; hand N 4c 5c", "draw", "choose CV-002"),
        ("classic-4p wild_ratio=fewer; hand N 4c 5c", "draw", "not_above_naturals"),
        ("samba-4p; hand N Jh 4c 5c; melds NS 8h9hTh; pile Qh", "take Jh onto 0", "goes onto the sequence"),
        ("classic-4p", "draw", "LEGAL, whatever the cards are"),
        ("classic-4p; drew; hand N 4c 5c; melds EW 7s7c7d", "meld 4c onto EW:0", "belongs to"),
    ] {
        let text = said(position, action);
        assert!(text.contains(part), "{position}\n{action}\n{text}");
        assert!(!text.contains("the sequence the") && !text.contains("such meld"), "{text}");
    }
}
