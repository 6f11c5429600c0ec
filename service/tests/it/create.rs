//! CreateGame: malformed requests, broken rules of setting up, and repeatable games.

use crate::support;
use crate::support::Server;
use crate::support::game::{assert_field, codes, create, created, new_game};
use canasta_proto::v1::{
    CreateGameRequest, DealMode, GetRuleSetRequest, HouseRules, ListRuleSetsRequest, Player, Wall,
    create_game_response::Outcome, fact::Value,
};
use tonic_types::StatusExt as _;

fn explicit(wall: Option<Wall>) -> CreateGameRequest {
    CreateGameRequest { deal_mode: DealMode::Explicit.into(), secret: vec![], wall, ..new_game() }
}

fn wall(cards: &[&str]) -> Option<Wall> {
    Some(Wall { cards: cards.iter().map(|&card| card.into()).collect(), salt: vec![3; 32] })
}

fn house(name: &str, canonical: &str) -> CreateGameRequest {
    let house_rules =
        Some(HouseRules { name: name.into(), canonical: canonical.into(), ..HouseRules::default() });
    CreateGameRequest { house_rules, ..new_game() }
}

fn player(name: &str) -> Player {
    Player { name: name.into(), public_key: vec![] }
}

#[tokio::test]
async fn each_malformed_request_names_its_field() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let bad_key = Player { name: "North".into(), public_key: vec![1; 31] };
    #[rustfmt::skip]
    let table = [
        (CreateGameRequest { rule_set: String::new(), ..new_game() }, "rule_set"),
        (CreateGameRequest { rule_set: "x".repeat(65), ..new_game() }, "rule_set"),
        (CreateGameRequest { deal_mode: 0, ..new_game() }, "deal_mode"),
        (CreateGameRequest { deal_mode: 4, ..new_game() }, "deal_mode"),
        (CreateGameRequest { game_id: vec![1; 15], ..new_game() }, "game_id"),
        (CreateGameRequest { secret: vec![1; 63], ..new_game() }, "secret"),
        (CreateGameRequest { wall: wall(&[]), ..new_game() }, "wall"),
        (CreateGameRequest { secret: vec![1; 64], ..explicit(wall(&[])) }, "secret"),
        (explicit(None), "wall"),
        (explicit(wall(&["Ks", "1s"])), "wall.cards[1]"),
        (explicit(wall(&["Ks"; 325])), "wall.cards"),
        (explicit(Some(Wall { cards: vec![], salt: vec![] })), "wall.salt"),
        (CreateGameRequest { dealer: Some(6), ..new_game() }, "dealer"),
        (CreateGameRequest { players: vec![player("North"), bad_key], ..new_game() }, "players[1].public_key"),
        (CreateGameRequest { players: vec![player(&"x".repeat(65))], ..new_game() }, "players[0].name"),
        (CreateGameRequest { players: vec![player("x"); 7], ..new_game() }, "players"),
        (CreateGameRequest { players: vec![player("a\u{202e}b"), player("North")], ..new_game() }, "players[0].name"),
        (CreateGameRequest { players: vec![player("x"), player("")], ..new_game() }, "players[1].name"),
        (CreateGameRequest { director_key: vec![1; 31], ..new_game() }, "director_key"),
        (CreateGameRequest { registration: 3, ..new_game() }, "registration"),
        (CreateGameRequest { started_at_ms: Some(i64::MAX), ..new_game() }, "started_at_ms"),
        (house("", ""), "house_rules.canonical"),
        (house("", "{\"seats\":four}"), "house_rules.canonical"),
        (house("", &" ".repeat(8193)), "house_rules.canonical"),
    ];
    for (request, path) in table {
        let status = client.create_game(request).await.expect_err(path);
        assert_field(&status, path);
    }
}

#[tokio::test]
async fn rules_of_setting_up_are_refused_with_their_codes() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let table = [
        (CreateGameRequest { players: vec![player("North"); 3], ..new_game() }, vec!["SETUP_PLAYER_COUNT"]),
        (explicit(wall(&["Ks"])), vec!["SETUP_DECK", "SETUP_DEALER"]),
        (knobs(&[("talon_expires", "7")]), vec!["SETUP_KNOBS"]),
    ];
    for (request, expected) in table {
        let Outcome::Rejected(rejected) = create(&mut client, request).await else { panic!("{expected:?}") };
        let mut found = codes(&rejected);
        found.dedup();
        assert_eq!(found, expected);
        for violation in &rejected.violations {
            assert!(!violation.rule_ids.is_empty() && !violation.message.is_empty(), "{violation:?}");
        }
    }
    // A refusal names its reason.
    let endless = knobs(&[("target", "0")]);
    let Outcome::Rejected(rejected) = create(&mut client, endless).await else { panic!("it never ends") };
    let detail = rejected.violations[0].facts["detail"].value.clone();
    assert_eq!(detail, Some(Value::Word("NO_END".into())));
    // Four hands of 77 cards do not come out of three packs of 54: the pack is whole, and too small.
    let many = knobs(&[("packs", "3"), ("jokers", "6"), ("hand_size", "77")]);
    let Outcome::Rejected(rejected) = create(&mut client, many).await else { panic!("it cannot be dealt") };
    let deck =
        rejected.violations.iter().find(|violation| violation.code == "SETUP_DECK").expect("a small deck");
    assert!(
        deck.message.starts_with("the deal needs 3") && deck.message.ends_with("cards, found 162"),
        "{deck:?}"
    );
}

#[tokio::test]
async fn equal_requests_give_equal_games() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let first = created(&mut client, new_game()).await;
    let second = created(&mut client, new_game()).await;
    assert_eq!((first.n, first.seq, first.head.len()), (1, 0, 32));
    assert_eq!(first.game_id, [1; 16]);
    assert_eq!((&first.head, &first.frames), (&second.head, &second.frames));
    assert_eq!(first.state, second.state);
}

/// Checks that absent values are drawn; the generator of the tests fills with sevens.
#[tokio::test]
async fn what_is_not_given_is_drawn() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let bare = CreateGameRequest { game_id: vec![], secret: vec![], ..new_game() };
    let sevens = CreateGameRequest { game_id: vec![7; 16], secret: vec![7; 64], ..new_game() };
    let drawn = created(&mut client, bare).await;
    assert_eq!(drawn.game_id, [7; 16]);
    assert_eq!(drawn.frames, created(&mut client, sevens).await.frames);
}

#[tokio::test]
async fn house_rules_are_played() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let request = GetRuleSetRequest { id: "classic-4p".into(), ..Default::default() };
    let shown = client.get_rule_set(request).await.expect("shown").into_inner();
    let canonical =
        shown.rule_set.expect("a rule set").canonical.replace("\"target\":5000", "\"target\":3000");
    let game = created(&mut client, house("short", &canonical)).await;
    let view =
        support::game::view(&mut client, &game.state, support::game::role(canasta_proto::v1::Role::Table))
            .await;
    assert_eq!(view.rule_set, "classic-4p+short");
}

fn knobs(changed: &[(&str, &str)]) -> CreateGameRequest {
    let knobs = changed.iter().map(|(knob, value)| ((*knob).into(), (*value).into())).collect();
    let house_rules = Some(HouseRules { name: "club".into(), knobs, ..HouseRules::default() });
    CreateGameRequest { house_rules, ..new_game() }
}

#[tokio::test]
async fn knobs_that_differ_are_enough() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let game = created(&mut client, knobs(&[("target", "3000"), ("one_card_pile", "\"forbid\"")])).await;
    let table = support::game::role(canasta_proto::v1::Role::Table);
    let view = support::game::view(&mut client, &game.state, table).await;
    assert_eq!(view.rule_set, "classic-4p+club");

    // The answer names every knob that cannot be read, in one order.
    let odd = knobs(&[("take_layof", "\"never\""), ("max_wilds", "\"three\""), ("target", "3000")]);
    let status = client.create_game(odd).await.expect_err("no such knob");
    let details = status.get_error_details();
    let fields: Vec<&str> = details
        .bad_request()
        .expect("fields")
        .field_violations
        .iter()
        .map(|violation| violation.field.as_str())
        .collect();
    assert_eq!(fields, ["house_rules.knobs[\"max_wilds\"]", "house_rules.knobs[\"take_layof\"]"]);

    // Knobs that contradict each other: a refusal with the combination's name (model 5.4, 1 and 11).
    let Outcome::Rejected(rejected) =
        create(&mut client, knobs(&[("take_layoff", "\"incomplete\""), ("target", "0")])).await
    else {
        panic!("contradictions")
    };
    let details: Vec<_> = rejected.violations.iter().map(|v| v.facts["detail"].value.clone()).collect();
    let word = |name: &str| Some(Value::Word(name.into()));
    assert_eq!(details, [word("COLLISION_UNSET"), word("NO_END")]);
}

fn varied(base: &str, variations: &[&str], changed: &[(&str, &str)]) -> CreateGameRequest {
    let house_rules = knobs(changed)
        .house_rules
        .map(|house| HouseRules { variations: variations.iter().map(|id| (*id).into()).collect(), ..house });
    CreateGameRequest { rule_set: base.into(), house_rules, ..new_game() }
}

/// Checks that a variation stands for the knobs that it names: requests that differ only in that give equal games,
/// byte for byte.
#[tokio::test]
async fn variations_are_the_knobs_that_they_name() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let request = GetRuleSetRequest { id: "classic-4p".into(), ..Default::default() };
    let shown = client.get_rule_set(request).await.expect("shown").into_inner().rule_set.expect("a rule set");
    let ids = ["CV-008", "CV-001"];
    let set = |id: &str| shown.variations.iter().find(|one| one.id == id).expect(id).knobs.clone();
    let equal: Vec<(String, String)> = ids.iter().flat_map(|id| set(id)).collect();
    let equal: Vec<(&str, &str)> =
        equal.iter().map(|(knob, value)| (knob.as_str(), value.as_str())).collect();
    let named = created(&mut client, varied("classic-4p", &ids, &[])).await;
    assert_eq!(named.frames, created(&mut client, knobs(&equal)).await.frames);
    // In any order, and with knobs beside.
    let backwards = varied("classic-4p", &["CV-001", "CV-008"], &[("target", "3000")]);
    let with_target: Vec<(&str, &str)> = equal.iter().copied().chain([("target", "3000")]).collect();
    assert_eq!(
        created(&mut client, backwards).await.frames,
        created(&mut client, knobs(&with_target)).await.frames
    );
}

#[tokio::test]
async fn variations_that_cannot_be_had_are_refused_by_name() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for request in [varied("classic-4p", &["CV-099"], &[]), varied("classic-4p", &["MV-004"], &[])] {
        let status = client.create_game(request).await.expect_err("no such variation");
        assert_field(&status, "house_rules.variations");
    }
    type Refused =
        (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)], &'static str);
    let table: [Refused; 4] = [
        ("american-4p", &["MV-006", "MV-009-none"], &[], "VARIATIONS_DIFFER"),
        ("american-4p", &["MV-004"], &[("pile_unopened", "\"closed\"")], "VARIATION_AND_KNOB"),
        ("classic-4p", &["CV-001"], &[], "VARIATION_NEEDS"),
        ("classic-4p", &["CV-001", "CV-006", "CV-008"], &[], "VARIATIONS_EXCLUDE"),
    ];
    for (base, variations, knobs, detail) in table {
        let request = varied(base, variations, knobs);
        let Outcome::Rejected(rejected) = create(&mut client, request).await else { panic!("{detail}") };
        assert_eq!(codes(&rejected), ["SETUP_KNOBS"], "{detail}");
        let violation = &rejected.violations[0];
        assert_eq!(violation.facts["detail"].value, Some(Value::Word(detail.into())));
        assert!(variations.iter().any(|id| violation.message.contains(id)), "{}", violation.message);
    }
    // A contradiction of knobs says which variations would remove it (SND-4).
    let alone = knobs(&[("take_layoff", "\"incomplete\"")]);
    let Outcome::Rejected(rejected) = create(&mut client, alone).await else { panic!("a collision") };
    for id in ["CV-002", "CV-006", "CV-007", "CV-008", "CV-009"] {
        let repair = rejected.violations[0].repair.as_ref().expect("a remedy");
        assert!(repair.name == "change_rules" && repair.message.contains(id), "{}", repair.message);
    }
}

/// Checks that CreateGame requires a dealer where ListRuleSets says so, and that the refusal says what to give
/// (FRT-1, FRT-42).
#[tokio::test]
async fn rule_sets_say_whether_they_need_a_dealer() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let listed =
        client.list_rule_sets(ListRuleSetsRequest::default()).await.expect("listed").into_inner().rule_sets;
    assert_eq!(listed.len(), 22);
    for set in listed {
        assert!(!set.title.is_empty() && set.description.ends_with('.') && set.packs > 0, "{set:?}");
        assert!(set.target > 0 || set.rounds > 0, "{set:?}");
        let asked = CreateGameRequest { rule_set: set.id.clone(), players: vec![], ..new_game() };
        match create(&mut client, asked.clone()).await {
            Outcome::Created(_) => assert!(!set.dealer_required, "{}", set.id),
            Outcome::Rejected(rejected) => {
                assert!(set.dealer_required, "{}: {rejected:?}", set.id);
                let (violation, last) = (&rejected.violations[0], set.seats - 1);
                assert_eq!((&violation.code[..], &violation.field[..]), ("SETUP_DEALER", "dealer"));
                let message =
                    format!("this rule set leaves the first dealer to the table: give `dealer`, 0 to {last}");
                assert_eq!(violation.message, message);
                let repair = violation.repair.as_ref().map(|repair| repair.message.clone());
                assert_eq!(repair, Some(format!("choose the dealer: give `dealer`, 0 to {last}")));
                created(&mut client, CreateGameRequest { dealer: Some(last), ..asked }).await;
            }
        }
    }
}
