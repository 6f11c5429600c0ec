//! The director's assistant over the whole table of laws, and over legal play: no answer is assumed in silence, nobody is
//! fined for what the rules allow, and no record is offered that the game would refuse.

use crate::common::{command, directory};
use canasta_engine::action::{Action, As, Group, MeldKind, Onto};
use canasta_engine::card::{Card, Class, Rank};
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::irregularity::{self, Irregularity, QuestionAnswer};
use canasta_engine::legal;
use canasta_engine::notation::Position;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::table::{Phase, Table};
use canasta_engine::violations::template::Language;
use canasta_replay::Exit;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

fn rule(args: &[&str]) -> Value {
    let ran = command(&[&["rule"], args, &["--format", "json"]].concat(), b"");
    serde_json::from_slice(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}: {}", ran.err))
}

fn text(args: &[&str]) -> String {
    String::from_utf8(command(&[&["rule"], args].concat(), b"").out).expect("text")
}

/// Asks every question of every irregularity with each of its answers: the text and the JSON say what each other answer
/// would change, also where it keeps the law.
#[test]
fn every_answer_says_what_the_others_would_change() {
    let mut asked = BTreeSet::new();
    for row in irregularity::all().filter(|row| row.questions().next().is_some()) {
        for case in row.cases() {
            let found = rule(&["--what", case.words]);
            if found["irregularity"]["id"] != row.id {
                continue;
            }
            asked.insert(row.id);
            for question in row.questions() {
                let words = row.is_answered_by(case.words, question.key);
                let of = |value: &Value| value["questions"].as_array().expect("questions").clone();
                let value =
                    of(&found).into_iter().find(|value| value["key"] == question.key).expect("a question");
                assert_eq!(value["assumed"], !words, "{} {}", row.id, question.key);
                for answer in question.answers.iter().map(QuestionAnswer::key) {
                    let given = format!("{}={answer}", question.key);
                    let line = text(&["--what", case.words, "--answer", &given]);
                    let line = line
                        .lines()
                        .find(|line| line.contains(question.text.of(Language::English)))
                        .expect("the question");
                    assert!(line.starts_with("answered "), "{line}");
                    others(&row, case.words, question.key, answer, line);
                }
                let line = text(&["--what", case.words]);
                let line = line
                    .lines()
                    .find(|line| line.contains(question.text.of(Language::English)))
                    .expect("the question");
                assert_eq!(line.starts_with("assumed "), !words, "{line}");
            }
        }
    }
    let with_questions = irregularity::all().filter(|row| row.questions().next().is_some());
    assert_eq!(asked, with_questions.map(|row| row.id).collect());
}

/// Checks the line of a question: each other answer stands there with its law, and with more where the law stays.
fn others(row: &Irregularity, words: &str, key: &str, answer: &str, line: &str) {
    let answers = row.answers(&[(key, answer)], words);
    let now = row.remedy(&answers);
    for question in row.questions().filter(|question| question.key == key) {
        for other in question.answers.iter().map(QuestionAnswer::key).filter(|other| *other != answer) {
            let then = row.remedy(&row.answers(&[(key, other)], words));
            let wanted = match (then == now, then.law == now.law) {
                (true, _) => "changes nothing",
                (false, true) => then.next.of(Language::English),
                (false, false) => then.law,
            };
            let part = line.split(&format!("--answer {key}={other}: ")).nth(1).expect("the other answer");
            assert!(part.contains(wanted), "{wanted} {part}");
        }
    }
}

/// Checks that wherever the number of cards is wrong, words say whether there are too many, or it is asked.
#[test]
fn too_many_or_too_few_cards_is_read_or_asked() {
    for (words, law) in [
        ("dealer gave me twelve cards and we noticed on the third turn", "IR-007"),
        ("the dealer dealt ten cards to me, noticed in the third turn", "IR-006"),
        ("the dealer dealt too many cards to me, noticed in the third turn", "IR-007"),
        ("the dealer dealt too few cards to me, noticed in the third turn", "IR-006"),
        ("a hand was found to have an extra card", "IR-007"),
    ] {
        assert_eq!(rule(&["--seat", "N", "--what", words])["law"]["id"], law, "{words}");
    }
    for row in ["dealt-wrong", "hand-short", "hand-long"] {
        let row = irregularity::irregularity(row).expect("a row");
        for (count, law) in [("few", "IR-006"), ("many", "IR-007")] {
            let answers = row.answers(&[("turn", "yes"), ("count", count)], "");
            assert_eq!(row.remedy(&answers).law, law, "{}", row.id);
        }
    }
    for preset in PRESETS {
        let size = Rules::preset(preset).expect("a preset").set().hand_size;
        for (count, law) in [(size - 1, "IR-006"), (size + 1, "IR-007")] {
            let words = format!("the dealer dealt {count} cards to everybody, noticed in the third turn");
            let found = rule(&[&format!("{preset}; drew"), "--what", &words, "--law", "IR-006"]);
            let found = if found["answers"]["count"].is_null() { continue } else { found };
            let wanted = if law == "IR-007" { "many" } else { "few" };
            assert_eq!(found["answers"]["count"], wanted, "{words}");
        }
    }
}

fn rank_name(rank: Rank, count: usize) -> String {
    let names = "ace two three four five six seven eight nine ten jack queen king joker";
    let name = names.split(' ').nth(rank.index()).expect("a name");
    let counts = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match (count, rank) {
        (1, Rank::Ace | Rank::Eight) => format!("an {name}"),
        (1, _) => format!("a {name}"),
        (_, Rank::Six) => format!("{} sixes", counts[count]),
        _ => format!("{} {name}s", counts[count]),
    }
}

/// Returns cards in words: three kings and a joker.
fn cards_in_words(cards: &[Card]) -> String {
    let mut ranks: Vec<Rank> = cards.iter().map(|card| card.rank()).collect();
    ranks.sort_by_key(|rank| (Card::all().any(|card| card.rank() == *rank && card.is_wild()), *rank));
    let mut parts: Vec<String> = Vec::new();
    for run in ranks.chunk_by(|one, other| one == other) {
        let black = cards.iter().any(|card| card.class() == Class::BlackThree && card.rank() == run[0]);
        let name = rank_name(run[0], run.len());
        let named = name.replace("three", "black three").replace("black three black", "three black");
        parts.push(if black { named } else { name });
    }
    parts.join(" and ")
}

fn notation(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect()
}

/// Returns ways to say a legal action, or none for what nobody says in a sentence.
fn sentences(action: &Action, table: &Table) -> Vec<String> {
    let one = |groups: &[Group]| match groups {
        [group] if group.kind != MeldKind::Sequence => {
            let cards = cards_in_words(&group.cards);
            match group.onto {
                Onto::Meld { id, .. } => {
                    let meld = table.melds().iter().find(|meld| {
                        Some(meld.side) == table.to_act().map(|seat| table.side_of(seat)) && meld.id == id
                    });
                    let Some(rank) = meld.and_then(|meld| meld.rank) else { return Vec::new() };
                    let onto = rank_name(rank, 2).replace("two ", "");
                    vec![format!("added {cards} to the {onto}"), format!("put {cards} on the meld of {onto}")]
                }
                _ => vec![format!("melded {cards}"), format!("laid down {}", notation(&group.cards))],
            }
        }
        groups if groups.iter().all(|group| group.kind == MeldKind::Set && group.onto == Onto::New) => {
            vec![format!(
                "opened with {}",
                groups.iter().map(|group| cards_in_words(&group.cards)).collect::<Vec<_>>().join(" and ")
            )]
        }
        _ => Vec::new(),
    };
    match action {
        Action::DrawStock if table.set().draw_count == 1 => {
            vec!["drew a card".into(), "took a card from the stock".into(), "drew from the deck".into()]
        }
        Action::DrawStock if table.set().draw_count == 2 => vec!["drew two cards from the stock".into()],
        Action::Discard(card) if card.class() == Class::BlackThree => {
            vec![format!("discarded {card}"), format!("put the {card} on the discard pile")]
        }
        Action::Discard(card) if card.is_wild() => {
            let name = rank_name(card.rank(), 1);
            vec![format!(
                "froze the pile with {}",
                if *card == Card::JOKER { name } else { card.to_string() }
            )]
        }
        Action::Discard(card) => {
            let suit = ["clubs", "diamonds", "hearts", "spades"][usize::from(card.suit().expect("a suit"))];
            let rank = rank_name(card.rank(), 1);
            let rank = rank.split(' ').nth(1).expect("a rank");
            vec![format!("discarded the {rank} of {suit}"), format!("threw the {card} on the pile")]
        }
        Action::Meld(groups) => one(groups),
        Action::TakePile(take) if take.also.is_empty() && take.onto == Onto::New && !take.with.is_empty() => {
            vec![
                format!("took the pile with {}", cards_in_words(&take.with)),
                "picked up the discard pile".into(),
            ]
        }
        Action::Ask { to: None, with: None, .. } => vec!["asked the partner whether he may go out".into()],
        Action::Answer { yes } => vec![format!("answered {}", if *yes { "yes" } else { "no" })],
        _ => Vec::new(),
    }
}

/// Plays a game with random steps, and hands out every table.
fn positions(rules: &Arc<Rules>, take: &mut dyn FnMut(&Table)) {
    let secret = simulate::game_secret(7, 1);
    let new = NewGame::new(rules.clone(), simulate::game_id(&secret), NewDeal::Seeded(secret));
    let mut game = Game::create(new).expect("a game").game;
    let mut rng = crate::common::Rng(1);
    for _ in 0..90 {
        let steps = legal::steps(&game.table);
        if steps.actions.is_empty() {
            return;
        }
        take(&game.table);
        let action = &steps.actions[rng.below(steps.actions.len())];
        let actor = game.table.to_act().map_or(As::Table, As::Seat);
        game.act(actor, action, Stamp::default()).expect("a step is legal");
    }
}

/// Plays games of every preset, and puts legal steps into words: none of them is fined, and none gets a record.
#[test]
fn legal_play_in_words_is_never_fined() {
    let mut said = 0;
    for preset in PRESETS {
        let rules = Arc::new(Rules::preset(preset).expect("a preset"));
        let mut told = BTreeSet::new();
        positions(&rules, &mut |table| {
            if !matches!(table.phase(), Phase::Start | Phase::Play | Phase::Asked) {
                return;
            }
            let position = Position::of(table).to_string();
            let steps = legal::steps(table).actions;
            let kinds = steps.iter().filter(|step| told.insert((step.kind().name(), steps.len() % 3)));
            for step in kinds.take(2) {
                for sentence in sentences(step, table) {
                    let found = rule(&[&position, "--what", &sentence]);
                    assert_eq!(found["legal"], true, "{sentence}: {step:?}\n{position}\n{found}");
                    assert!(found["rule_ids"].as_array().is_some_and(|rules| !rules.is_empty()), "{found}");
                    assert!(found["ruling"].is_null(), "{found}");
                    said += 1;
                }
            }
        });
    }
    assert!(said > 250, "{said}");
}

#[test]
fn what_is_wrong_is_never_taken_for_legal_play() {
    let positions = [
        "classic-4p; to move N; drew; hand N 4c 5c 6c 3s Kd Kh Ks 2c X; melds NS 7s7c7dX; pile 9d",
        "classic-4p; to move N; hand N 9c 9h 5c 6c Kd; melds NS 7s7c7d7h7s7c7d; pile 4h 9d",
        "hand-and-foot-4p; to move N; drew; hand N 4c 5c 6c Kd Kh Ks 2c",
    ];
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/rules/src/irregularity/heard/o.txt");
    let said = fs::read_to_string(file).expect("sentences");
    let said = said.lines().filter_map(|line| line.split_once(" | "));
    let cases: Vec<&str> = irregularity::all().flat_map(|row| row.cases()).map(|case| case.words).collect();
    let all: Vec<&str> = cases.into_iter().chain(said.map(|(_, words)| words).step_by(3)).collect();
    assert!(all.len() > 120);
    for (at, words) in all.iter().enumerate() {
        let found = rule(&[positions[at % 3], "--what", words]);
        assert!(found["legal"] != true, "{words}: {found}");
    }
    for words in [
        "a black three was discarded out of turn",
        "a black three was discarded by East",
        "discarded a black three out of turn",
        "discarded two kings",
        "did not discard a king",
        "East discarded a black three",
        "added a king to the sevens",
        "drew a card",
        "discarded a king before drawing",
        "discarded the three of hearts",
    ] {
        assert!(rule(&[positions[0], "--what", words])["legal"] != true, "{words}");
    }
}

#[test]
fn legal_acts_are_said_with_their_law() {
    let position = "classic-4p; to move N; drew; hand N 4c 5c 6c 3s; melds NS 7s7c7dX; pile 9d";
    let found = rule(&[position, "--what", "discarded a black three"]);
    assert_eq!((&found["legal"], &found["actions"]), (&json!(true), &json!(["discard 3s"])));
    assert!(found["rule_ids"].as_array().is_some_and(|ids| ids.contains(&json!("CL-073"))), "{found}");
    let said = text(&[position, "--what", "North discarded the black three"]);
    assert!(said.starts_with("LEGAL: discard 3s") && !said.contains("record"), "{said}");
    for words in [
        "a black three was discarded",
        "North played the three of spades",
        "added a joker to his partner's sevens",
        "extended the sevens with a joker",
        "melded three kings and discarded a four",
        "froze the pile with a deuce",
    ] {
        let position = "classic-4p; to move N; drew; hand N 4c 4d 5c 6c 3s Kd Kh Ks 2c X 9s 9h; melds NS 7s7c7dX; pile 9d";
        assert_eq!(rule(&[position, "--what", words])["legal"], true, "{words}");
    }
    let start = "classic-4p; to move N; hand N 4c 4d 5c 7h 7d; melds NS KsKcKdX; pile 9d 7c";
    for words in
        ["took the pile with a pair of sevens", "the pile was taken with two sevens", "drew from the stock"]
    {
        assert_eq!(rule(&[start, "--what", words])["legal"], true, "{words}");
    }
    let out = "classic-4p; to move N; drew; hand N 4c Kh; melds NS 7s7c7d7h7s7c7d / KsKcKd";
    for words in
        ["went out", "added a king to the kings and went out", "asked his partner for permission to go out"]
    {
        assert_eq!(rule(&[out, "--what", words])["legal"], true, "{words}");
    }
    // Two of the cards are not known: either may be the three.
    let open = "classic-4p; to move N; drew; hand N 4c 5c ?? ??; melds NS 7s7c7dX; pile 9d";
    assert_eq!(rule(&[open, "--what", "discarded a black three"])["legal"], true);
}

/// Checks that a ruling that is offered as ready is taken by the game: over every law, for a finished game and for a paper
/// record with unknown hands.
#[test]
fn a_record_that_is_offered_is_taken() {
    let place = directory("rule-ready");
    let out = place.to_str().expect("text");
    command(&["simulate", "--games", "1", "--seed", "5", "--out", out], b"");
    let over = place.join("game-000000.clog");
    let paper = place.join("paper.clog");
    let lines = "rules classic-4p\nseats Ann, Ben, Cleo, Dan\ncards transcribed\n\nround 1 dealer Dan\n\
        deal hands Ann=KsKhKdQsQh2c4d5d7h9cJd Ben=11 Cleo=11 Dan=11 upcards 9d\n\
        Ann: draw 6h, meld KsKhKd / QsQh2c, discard 4d\nBen: draw, discard 8c\n";
    command(&["import", "-", "-o", paper.to_str().expect("text")], lines.as_bytes());
    let (mut ready, mut refused) = (0, 0);
    for log in [&over, &paper] {
        for sanction in irregularity::sanctions() {
            let shows_cards = sanction.penalty.effects().any(|effect| effect == "penalty_cards");
            for cards in if shows_cards { &["Kh", "Jd"][..] } else { &["Jd"] } {
                let cards = *cards;
                let name = log.to_str().expect("text");
                let seat = if cards == "Jd" { "0" } else { "1" };
                let args = [name, "--law", sanction.law, "--seat", seat, "--cards", cards];
                if command(&[&["rule"], &args[..]].concat(), b"").exit == Exit::Failure {
                    continue;
                }
                let found = rule(&args);
                let said = text(&args);
                let missing =
                    found["ruling"]["missing"].as_array().is_some_and(|missing| !missing.is_empty());
                let is_ready =
                    !missing && found["ruling"]["refused"].is_null() && found["violations"].is_null();
                assert_eq!(said.contains("\nrecord        ruling"), is_ready || missing, "{args:?}: {said}");
                let copy = place.join("copy.clog");
                fs::copy(log, &copy).expect("a copy");
                let copied = [&[copy.to_str().expect("text")], &args[1..], &["--append"]].concat();
                let ran = command(&[&["rule"], &copied[..]].concat(), b"");
                assert_eq!(ran.exit == Exit::Clean, is_ready, "{args:?}: {} {found}", ran.err);
                if is_ready { ready += 1 } else { refused += 1 }
            }
        }
    }
    assert!(ready > 60 && refused > 0, "{ready} {refused}");
}

#[test]
fn others_have_their_law_and_a_log_alone_is_taken_at_its_end() {
    let others = rule(&["--what", "opened with 70 points and took the cards back"])["others"].clone();
    assert!(
        others.as_array().is_some_and(|others| others.iter().all(|other| other["law"].is_string())),
        "{others}"
    );
    let place = directory("rule-end");
    command(&["simulate", "--games", "1", "--seed", "5", "--out", place.to_str().expect("text")], b"");
    let log = place.join("game-000000.clog");
    let log = log.to_str().expect("text");
    assert_eq!(rule(&[log, "--what", "a player insulted an opponent", "--seat", "0"])["law"]["id"], "IR-074");
    fs::write(place.join("junk"), "junk").expect("a file");
    for args in [&["rule", "--at", "1"][..], &["rule"], &["show"], &["log"], &["position"]] {
        let junk = place.join("junk");
        let ran = command(&[args, &[junk.to_str().expect("text")]].concat(), b"");
        let said = "record 0, byte 0: this is not a log: it is text";
        assert!(ran.exit == Exit::Findings && ran.err.contains(said), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(&format!("junk: {said}")), "{args:?}: {}", ran.err);
    }
    for (args, exit) in [
        (&["--grep", "no such words"][..], Exit::Findings),
        (&["--round", "99"], Exit::Failure),
        (&["--round", "1"], Exit::Clean),
    ] {
        let ran = command(&[&["log", log], args].concat(), b"");
        assert_eq!(ran.exit, exit, "{}", ran.err);
        assert_eq!(ran.err.contains("round 99: expected 0 to "), exit == Exit::Failure, "{}", ran.err);
    }
}
