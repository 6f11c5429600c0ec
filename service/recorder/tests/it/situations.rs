//! Situations: each is what its name says, its sentence is that of the documentation, and it is created once.

use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::*;
use canasta_recorder::situations;

use crate::support::game::*;
use crate::support::server::{Client, Recorder};

fn request(name: &str, id: u8) -> CreateSituationRequest {
    CreateSituationRequest { request_id: vec![id; 16], name: name.into(), creator: seat(0) }
}

/// Whether a game is in the situation for the seat `at`, which `can` do actions of these kinds.
fn is_so(name: &str, at: u32, shown: &GetGameResponse, can: &[String]) -> bool {
    let view = shown.view.as_ref().expect("a view");
    let acts = |phase| view.phase() == phase && view.to_act == Some(at);
    let side = view.seats[at as usize].side as usize;
    let frozen = |cause: FreezeCause| acts(Phase::Start) && view.sides[side].frozen.contains(&cause.into());
    let may = |kind: &str| can.iter().any(|can| can == kind);
    match name {
        "first-turn" => frozen(FreezeCause::NotOpened),
        "initial-meld-due" | "batch-refused" => acts(Phase::Play) && !view.sides[side].opened,
        "frozen-by-wild" => frozen(FreezeCause::Wild) && may("TakePile"),
        "frozen-by-red-three" => frozen(FreezeCause::RedThree) && may("TakePile"),
        "frozen-always" => frozen(FreezeCause::Always),
        "question-open" => acts(Phase::Asked) && can == ["Answer", "Answer"],
        "last-cards" => {
            acts(Phase::Play) && view.seats[at as usize].hand.len() == 2 && can == ["Discard", "Discard"]
        }
        "stock-exhausted" => acts(Phase::Start) && view.stock == 0 && may("EndRound"),
        "talon-offered" => view.talon_offered == Some(at) && may("TakeTalon"),
        "foot-taken-up" => {
            let foot = |seat: u32| view.seats[(seat % 4) as usize].foot_size;
            acts(Phase::Play) && foot(at) == 0 && foot(at + 1) == 13
        }
        "special-hand" => may("SpecialHand"),
        "take-back-offered" => {
            let offer = shown.offer.as_ref().expect("an offer");
            offer.by != Some(at) && offer.waits_for == [side as u32]
        }
        "flag-about-to-fall" => {
            let clock = shown.clock.as_ref().expect("a clock");
            clock.running == Some(at) && clock.turn_left_ms.is_some_and(|left| (1..=15_000).contains(&left))
        }
        "ruling-stands" => view.seats[at as usize].penalty_cards == ["Kd"],
        "round-ended" => view.last_round.is_some() && view.sides.iter().any(|side| side.score != Some(0)),
        "game-over" => view.phase() == Phase::GameOver,
        _ => panic!("{name} is not known here"),
    }
}

/// Returns the kinds of the actions that a seat can do.
async fn can(client: &mut Client, game: &[u8], at: u32) -> Vec<String> {
    let listed = client.list_actions(game, seat(at)).await.expect("a list").actions;
    let kind = |action: &Action| format!("{:?}", action.kind.as_ref().expect("a kind"));
    listed.iter().map(|action| kind(action).split('(').next().expect("a word").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_situation_is_what_its_name_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    for (id, situation) in (1..).zip(situations::all()) {
        let (name, at) = (situation.name, u32::from(situation.seat.0));
        let made = client.service.create_situation(request(name, id)).await.expect(name).into_inner();
        assert_eq!(made.seat, Some(at), "{name}");
        let shown = client.get_game(&made.game_id, seat(at)).await.expect("a game");
        let can = can(&mut client, &made.game_id, at).await;
        assert!(is_so(name, at, &shown, &can), "{name}: {can:?} {shown:#?}");
        let again = client.service.create_situation(request(name, id)).await.expect(name).into_inner();
        assert_eq!(again, made, "{name}");
        // Its holder plays on, by a link.
        let link = made.host_link.expect("a link");
        assert!(recorder.holder(&link).await.get_game(&made.game_id, seat(0)).await.is_ok());
        let log = log(&mut client, &made.game_id, role(Role::Director)).await;
        let is_over = shown.view.expect("a view").phase() == Phase::GameOver;
        let verdict = audited(&log, !is_over);
        assert!(
            matches!(verdict, Verdict::Clean | Verdict::Ruled | Verdict::Conditional),
            "{name}: {verdict:?}"
        );
        let text = String::from_utf8_lossy(&log).into_owned();
        assert!(text.contains(&format!("situation {name}: this game does not count")), "{name}");
    }
    let list = ListGamesRequest { actor: role(Role::Table), page_size: 100, ..Default::default() };
    let listed = client.list_games(list).await.expect("a list").games;
    assert!(listed.iter().all(|game| game.label.starts_with("situation:")));
    let status = client.create(CreateRequest { label: "situation:mine".into(), ..new_game(90) }).await;
    assert_eq!(reason(&status.expect_err("the label is not free")), "INVALID_FIELD");
    let status = client.service.create_situation(request("no-such", 91)).await.expect_err("it is unknown");
    assert!(status.message().contains("question-open"), "{}", status.message());
}

/// Compares the table of the documentation with the situations.
#[test]
fn the_documentation_lists_the_situations() {
    let page = std::fs::read_to_string("../../docs/play/SITUATIONS.md").expect("the page");
    let rows: Vec<String> = situations::all()
        .map(|situation| {
            let (preset, variations) = &situation.rules;
            let rules = std::iter::once(preset.name()).chain(variations.iter().map(String::as_str));
            let rules = rules.collect::<Vec<_>>().join(", ");
            format!("| `{}` | {rules} | {} | {} |", situation.name, situation.seat, situation.says)
        })
        .collect();
    let found: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(found, rows, "the page should have these rows:\n{}", rows.join("\n"));
}
