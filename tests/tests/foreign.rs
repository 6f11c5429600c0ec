//! Games played by an independent implementation of the rulebook: every action legal, events, ends of rounds,
//! score lines, totals, winner and margin as in its record.
//!
//! The records are of an older, reduced form. What is made equal before events are compared, and why:
//!
//! | | the record | the engine | by |
//! | --- | --- | --- | --- |
//! | 1 | `melded` lists the whole meld afterwards | the cards added | interchange form, "Events" |
//! | 2 | `took_pile` ends with the top | the top is in `melded` | clarification 22 |
//! | 3 | `drew` lists the replacements too, without `replaced` | `drew`, then `replaced` | interchange form |
//! | 4 | `melded` has a rank for wild melds and black threes | for sets only | interchange form |
//! | 5 | `asked` and `answered` have the seat only | who is asked, what is answered | interchange form |
//! | 6 | no `froze` | `froze` | interchange form |
//! | 7 | no second `canasta` when the grade changes | again when it changes | clarification 23 |
//! | 8 | `dealt` has hands only | sizes of feet and talons, both none | interchange form |
//! | 9 | no seat where nobody went out | whose action ended the round | clarification 27 |
//! | 10 | events and cards at once in another order | compared without order | examples' README |
//!
//! Score lines are compared by item, each once, not by their order.

use canasta_engine::action::{Action, As, Group, MeldId, MeldKind, Onto, TakePile};
use canasta_engine::apply::apply;
use canasta_engine::card::Card;
use canasta_engine::check::check;
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::event::{Event, Grade};
use canasta_engine::invariant;
use canasta_engine::notation::Position;
use canasta_engine::rules::Rules;
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::state::{DealSource, Origin, Phase, Registration, State};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

const GAMES: &[(&str, usize, usize)] = &[
    // Preset, then the lines `round_end` and `action` of the record (grep -c).
    ("classic-4p", 8, 676),
    ("classic-2p", 4, 369),
    ("classic-6p-3x2", 8, 899),
    ("classic-6p-2x3", 9, 699),
    ("miller-6p-2x3", 5, 550),
];

fn card(value: &Value) -> Card {
    Card::parse(value.as_str().expect("a card is a string")).expect("a card")
}

fn cards<C: FromIterator<Card>>(value: &Value) -> C {
    value.as_array().expect("cards").iter().map(card).collect()
}

fn seat(value: &Value) -> Seat {
    Seat(value.as_u64().expect("a seat") as u8)
}

fn onto(value: &Value) -> Onto {
    match value.as_str() {
        Some("auto") => Onto::Auto,
        Some("new") => Onto::New,
        _ => Onto::Meld { side: None, id: MeldId(value.as_u64().expect("a meld") as u8) },
    }
}

fn group(value: &Value) -> Group {
    let kinds = [MeldKind::Set, MeldKind::Wild, MeldKind::Sequence, MeldKind::BlackThrees];
    let kind = kinds.into_iter().find(|kind| value["kind"] == kind.name()).expect("a kind");
    Group { kind, onto: onto(&value["onto"]), top: false, cards: cards(&value["cards"]) }
}

fn action(value: &Value) -> Action {
    let groups = |value: &Value| value.as_array().expect("groups").iter().map(group).collect();
    match value["type"].as_str().expect("a type") {
        "deal" => Action::Deal(Box::default()),
        "draw_stock" => Action::DrawStock,
        "take_pile" => Action::TakePile(TakePile {
            with: cards(&value["with"]),
            onto: onto(&value["onto"]),
            also: groups(&value["also"]),
        }),
        "meld" => Action::Meld(groups(&value["groups"])),
        "discard" => Action::Discard(card(&value["card"])),
        "ask" => Action::Ask { about: canasta_engine::action::About::GoOut, to: Some(seat(&value["to"])) },
        "answer" => Action::Answer { yes: value["yes"].as_bool().expect("yes or no") },
        "end_round" => Action::EndRound,
        other => panic!("an action of another family: {other}"),
    }
}

fn text(cards: impl IntoIterator<Item = Card>) -> Vec<String> {
    let mut texts: Vec<String> = cards.into_iter().map(|card| card.to_string()).collect();
    texts.sort();
    texts
}

/// The engine's events in the record's form.
fn reduced(events: &[Event], after: &State, top: Option<Card>) -> Vec<Value> {
    let replaced = |event: &Event| match event {
        Event::Replaced { card, .. } => Some(*card),
        _ => None,
    };
    let drawing = matches!(events.first(), Some(Event::Drew { .. }));
    let mut values: Vec<Value> = Vec::new();
    for event in events {
        values.push(match event {
            Event::Dealt { hands, foot_sizes, talon_sizes } => {
                assert!(foot_sizes.is_empty() && talon_sizes.is_empty());
                let hand = |hand: &canasta_engine::action::CardList| -> Vec<String> {
                    hand.iter().map(|card| card.to_string()).collect()
                };
                json!({"type": "dealt", "hands": hands.iter().map(hand).collect::<Vec<_>>()})
            }
            Event::Upcard { card, covered } => {
                json!({"type": "upcard", "card": card.to_string(), "covered": covered})
            }
            Event::Drew { seat, cards } => {
                let all = cards.iter().copied().chain(events.iter().filter_map(replaced));
                json!({"type": "drew", "seat": seat.0, "cards": text(all)})
            }
            Event::Replaced { .. } if drawing => continue,
            Event::Replaced { seat, card } => {
                json!({"type": "replaced", "seat": seat.0, "card": card.to_string()})
            }
            Event::ThreeLaid { seat, card } => {
                json!({"type": "three_laid", "seat": seat.0, "card": card.to_string()})
            }
            Event::Melded { side, meld, kind, rank, .. } => {
                let whole = after.meld(*side, *meld).expect("a melded meld is there").cards;
                let rank = rank.map(|rank| rank.letter().to_string());
                json!({"type": "melded", "side": side.0, "meld": meld.0, "kind": kind.name(), "rank": rank,
                       "cards": text(whole.iter())})
            }
            Event::Canasta { side, meld, grade } => {
                let grades = [(Grade::Natural, "natural"), (Grade::Mixed, "mixed"), (Grade::Wild, "wild")];
                let grade = grades.iter().find(|(g, _)| g == grade).expect("a grade of Classic").1;
                json!({"type": "canasta", "side": side.0, "meld": meld.0, "grade": grade})
            }
            Event::TookPile { seat, cards } => {
                json!({"type": "took_pile", "seat": seat.0, "cards": text(cards.iter().copied().chain(top))})
            }
            Event::Discarded { seat, card, face_down } => {
                json!({"type": "discarded", "seat": seat.0, "card": card.to_string(), "face_down": face_down})
            }
            Event::Froze { .. } => continue,
            Event::Asked { seat, .. } => json!({"type": "asked", "seat": seat.0}),
            Event::Answered { seat, .. } => json!({"type": "answered", "seat": seat.0}),
            Event::WentOut { seat, concealed } => {
                json!({"type": "went_out", "seat": seat.0, "concealed": concealed})
            }
            Event::StockExhausted => json!({"type": "stock_exhausted"}),
            Event::Scored => json!({"type": "scored"}),
            other => panic!("an event of another family: {other:?}"),
        });
    }
    values
}

/// The record's events, cards that lie together in one order.
fn recorded(events: &Value) -> Vec<Value> {
    let mut events = events.as_array().expect("events").clone();
    for event in &mut events {
        if event["type"] == "melded" && event["kind"] != "set" {
            event["rank"] = Value::Null;
        }
        if let Some(list) = event.get_mut("cards").and_then(Value::as_array_mut) {
            list.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
        }
    }
    events
}

/// Events without order: sorted by their text with sorted keys.
fn unordered(events: &[Value]) -> Vec<String> {
    let key = |event: &Value| {
        let mut fields: Vec<String> =
            event.as_object().expect("an event").iter().map(|(k, v)| format!("{k}={v}")).collect();
        fields.sort();
        fields.join(" ")
    };
    let mut texts: Vec<String> = events.iter().map(key).collect();
    texts.sort();
    texts
}

/// Canastas that were one before the action and only changed their grade.
fn without_regraded(events: Vec<Value>, before: &State) -> Vec<Value> {
    let was_one = |event: &Value| {
        let (side, id) = (event["side"].as_u64(), event["meld"].as_u64());
        let same = |m: &&canasta_engine::state::Meld| {
            Some(u64::from(m.side.0)) == side && Some(u64::from(m.id.0)) == id
        };
        before.melds().iter().find(same).is_some_and(|m| m.grade(before.set()).is_some())
    };
    events.into_iter().filter(|event| event["type"] != "canasta" || !was_one(event)).collect()
}

struct Replay {
    name: &'static str,
    state: State,
    rounds: usize,
    actions: usize,
}

impl Replay {
    fn act(&mut self, line: &Value, walls: &[Vec<Card>]) {
        if line["action"]["type"] == "deal" {
            let wall = walls[self.rounds].clone();
            let source = DealSource::Wall { wall, salt: WallSalt([0; 32]) };
            self.state.register();
            let mut setup = canasta_engine::state::Setup::of(&self.state);
            setup.origin.source = source;
            setup.dealer = self.state.dealer();
            self.state = setup.into_state().expect("a registered round is a state");
        }
        let seq = &line["seq"];
        let actor = line.get("seat").map_or(As::Table, |value| As::Seat(seat(value)));
        let action = action(&line["action"]);
        let legal = check(&self.state, actor, &action).unwrap_or_else(|rejection| {
            panic!("{} {seq}: {action:?}: {rejection}\n{}", self.name, Position::of(&self.state))
        });
        let before = self.state.clone();
        let events = apply(&mut self.state, legal);
        invariant::check_all(&self.state).expect("an action leads to a state");
        self.actions += 1;
        let ours = reduced(&events, &self.state, before.pile().last().copied());
        let ours = unordered(&without_regraded(ours, &before));
        let theirs = unordered(&recorded(&line["events"]));
        assert_eq!(ours, theirs, "{} {seq}: events of {action:?}", self.name);
    }

    fn end_round(&mut self, line: &Value) -> Option<scoring::GameResult> {
        let round = &line["round"];
        let over = self.state.round_over().expect("the round is over");
        assert_eq!(line["reason"], over.reason.name(), "round {round}");
        if let Some(value) = line.get("seat") {
            assert_eq!(over.seat, Some(seat(value)), "round {round}");
        }
        assert_eq!(line.get("concealed").is_some_and(|v| v == true), over.concealed, "round {round}");
        assert_eq!(line["dealer"], self.state.dealer().0, "round {round}");
        let (score, result) = scoring::book(&mut self.state);
        assert_eq!(line["start_scores"], json!(score.start_scores), "round {round}");
        for (side, account) in line["sides"].as_array().expect("sides").iter().zip(&score.accounts) {
            let ours: Vec<String> = account
                .lines
                .iter()
                .map(|line| format!("{} {} {:?}", line.item.name(), line.points, line.count.map(u64::from)))
                .collect();
            let theirs = side["lines"].as_array().expect("lines").iter().map(|line| {
                let item = line["item"].as_str().expect("an item");
                format!("{item} {} {:?}", line["points"], line.get("count").and_then(Value::as_u64))
            });
            let (mut ours, mut theirs) = (ours, theirs.collect::<Vec<_>>());
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs, "{} round {round}", self.name);
            assert_eq!(side["total"], account.total, "round {round}");
            assert_eq!(side["cumulative"], account.cumulative, "round {round}");
        }
        self.rounds += 1;
        result
    }
}

fn replay(name: &'static str) -> (usize, usize) {
    let path = format!("{}/data/foreign/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let file = fs::read_to_string(path).expect("the record is there");
    let lines: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_kind = |kind: &'static str| lines.iter().filter(move |line| line["kind"] == kind);

    let head = &lines[0]["ruleset"];
    let rules = Arc::new(Rules::preset(name).expect("a preset that is played"));
    assert_eq!(head["id"], rules.id());
    assert_eq!(head["digest"], rules.digest_text());
    assert_eq!(head["knobs"].to_string().as_bytes(), rules.canonical());

    let walls: Vec<Vec<Card>> = of_kind("round_end").map(|line| cards(&line["wall"])).collect();
    let dealer = seat(&of_kind("register").next().expect("a register")["dealer"]);
    let origin = Origin {
        game_id: GameId([0; 16]),
        registration: Registration::ByTable,
        source: DealSource::Unknown,
        expires_at: None,
    };
    let mut replay = Replay { name, state: State::new(rules, origin, dealer), rounds: 0, actions: 0 };
    let mut result = None;
    for line in &lines[1..] {
        match line["kind"].as_str().expect("a kind") {
            "register" => {
                assert_eq!(replay.state.phase(), Phase::Setup);
                assert_eq!(line["round"], replay.state.round_number());
                assert_eq!(line["dealer"], replay.state.dealer().0);
            }
            "action" => replay.act(line, &walls),
            "round_end" => result = replay.end_round(line),
            "game_end" => {
                let result = result.take().expect("the game is over");
                assert_eq!(line["winner"].as_u64(), result.winner.map(|side| u64::from(side.0)));
                assert_eq!(line["margin"], result.margin);
                let totals: Vec<&Value> =
                    line["sides"].as_array().expect("sides").iter().map(|s| &s["cumulative"]).collect();
                assert_eq!(json!(totals), json!(replay.state.scores()));
                assert_eq!(replay.state.phase(), Phase::GameOver);
            }
            other => panic!("a record of another kind: {other}"),
        }
    }
    (replay.rounds, replay.actions)
}

#[test]
fn games_played_elsewhere_replay() {
    for &(name, rounds, actions) in GAMES {
        assert_eq!(replay(name), (rounds, actions), "{name}");
    }
}
