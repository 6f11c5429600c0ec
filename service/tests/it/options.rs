//! Options: the places where selected cards may go, as a front end for drag and drop asks for them.

use crate::support::Server;
use crate::support::game::{Client, accepted, action, assert_field, assert_fields, codes, draw, role, seat};
use canasta_engine::deal::GameId;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::notation::Position;
use canasta_engine::token;
use canasta_proto::v1::action::{Kind, Meld, TakePile};
use canasta_proto::v1::play_option::Verdict;
use canasta_proto::v1::{
    Action, ApplyActionRequest, Destination, Group, InitialPoints, MeldKind, OptionsRequest, OptionsResponse,
    PlayOption, Role,
};

/// A hand of seat 0 that has drawn. Card values (CL-060): K and Q 10, the two 20. The side has 0 points, so its initial
/// meld needs 50 (CL-058).
const HAND: &str = "classic-4p; score 0 0; to move N; drew; hand N Ks Kh Kd Qs Qh 2c 9s 7c 5h 4d 6s";

fn state(position: &str) -> Vec<u8> {
    let table = Position::parse(position).expect("a position").setup().into_table().expect("a table");
    token::encode(&Game::of(table, Dealing::new(GameId([1; 16]), DealSource::Unknown, false)))
}

fn selected(state: &[u8], cards: &[&str], chosen: Option<Action>) -> OptionsRequest {
    let cards = cards.iter().map(|&card| card.into()).collect();
    OptionsRequest { state: state.into(), actor: seat(0), cards, chosen }
}

async fn ask(client: &mut Client, request: OptionsRequest) -> OptionsResponse {
    let answer = client.options(request).await.expect("well formed").into_inner();
    assert!(places(&answer).is_sorted_by_key(|(destination, meld)| (*destination as i32, *meld)));
    answer
}

/// Returns the codes of a verdict, none if the action is legal.
fn refusals(option: &PlayOption) -> Vec<&str> {
    match option.verdict.as_ref().expect("a verdict") {
        Verdict::Legal(_) => Vec::new(),
        Verdict::Rejected(rejected) => codes(rejected),
    }
}

fn places(answer: &OptionsResponse) -> Vec<(Destination, Option<u32>)> {
    answer.options.iter().map(|option| (option.destination(), option.meld)).collect()
}

fn at(answer: &OptionsResponse, destination: Destination) -> &PlayOption {
    let mut found = answer.options.iter().filter(|option| option.destination() == destination);
    found.next().expect("this place")
}

/// Compares the rows of the documentation with the numbers of the destinations, by which every answer is sorted ([`ask`]).
#[test]
fn places_are_numbered_in_the_order_of_the_documentation() {
    let page = include_str!("../../../docs/API.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `DESTINATION_"));
    let names: Vec<_> =
        rows.map(|row| format!("DESTINATION_{}", row.split('`').next().expect("a name"))).collect();
    let numbered: Vec<_> = (1..8)
        .filter_map(|number| Destination::try_from(number).ok())
        .map(|place| place.as_str_name())
        .collect();
    assert_eq!(names, numbered);
}

#[tokio::test]
async fn groups_add_up_to_the_initial_meld() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let state = state(HAND);

    // Three kings are 30 of 50.
    let kings = ask(&mut client, selected(&state, &["Ks", "Kh", "Kd"], None)).await;
    assert!(kings.complete);
    assert_eq!(places(&kings), [(Destination::NewSet, None), (Destination::Pile, None)]);
    let first = at(&kings, Destination::NewSet);
    assert_eq!(refusals(first), ["INITIAL_BELOW_MINIMUM"]);
    assert_eq!(first.initial, Some(InitialPoints { found: 30, required: 50 }));
    let pile = at(&kings, Destination::Pile);
    assert_eq!((refusals(pile), pile.initial), (vec!["TURN_ALREADY_DREW"], None));

    // With two queens and the two, they are 70.
    let both = ask(&mut client, selected(&state, &["Qs", "Qh", "2c"], first.action.clone())).await;
    let second = at(&both, Destination::NewSet);
    assert_eq!((refusals(second), second.initial), (vec![], Some(InitialPoints { found: 70, required: 50 })));
    let asked = ApplyActionRequest {
        state,
        actor: seat(0),
        action: second.action.clone(),
        want_view: true,
        ..Default::default()
    };
    let melded = accepted(&mut client, asked).await;
    assert_eq!(melded.view.expect("wanted").sides[0].melds.len(), 2);

    // The side has melded: each own meld is a place, and no minimum is counted.
    let nine = ask(&mut client, selected(&melded.state, &["9s"], None)).await;
    let others = [Destination::NewSet, Destination::Pile, Destination::Discard].map(|place| (place, None));
    let own = [0, 1].map(|id| (Destination::Meld, Some(id)));
    assert_eq!(places(&nine), [&own[..], &others].concat());
    assert!(nine.options.iter().all(|option| option.initial.is_none()));
    assert_eq!(refusals(at(&nine, Destination::Meld)), ["MELD_MIXED_RANKS"]);
    assert_eq!(refusals(at(&nine, Destination::NewSet)), ["MELD_TOO_SMALL", "MELD_TOO_FEW_NATURALS"]);
    assert_eq!(refusals(at(&nine, Destination::Discard)), [""; 0]);
}

#[tokio::test]
async fn the_pile_goes_with_the_selection_and_with_what_was_chosen() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let position = "classic-4p; score 0 0; to move N; pile 8h 9d; hand N 9s 9h Ks Kh Kd 7c 5h 4d 6s Jc 8c";
    let state = state(position);
    let kings = ask(&mut client, selected(&state, &["Ks", "Kh", "Kd"], None)).await;
    // Before the draw nothing is melded; the kings do not go with the nine.
    let melded = at(&kings, Destination::NewSet);
    assert_eq!(refusals(melded), ["TURN_DRAW_FIRST"]);
    assert!(refusals(at(&kings, Destination::Pile)).contains(&"PILE_FROZEN_NEEDS_PAIR"));
    // Three nines are 30 points and three kings 30, with the top: 60 of 50 (AMB-02).
    let both = ask(&mut client, selected(&state, &["9s", "9h"], melded.action.clone())).await;
    let pile = at(&both, Destination::Pile);
    assert_eq!((refusals(pile), pile.initial), (vec![], Some(InitialPoints { found: 60, required: 50 })));
    let taken = ApplyActionRequest {
        state: state.clone(),
        actor: seat(0),
        action: pile.action.clone(),
        ..Default::default()
    };
    accepted(&mut client, taken).await;
    // The take first and then the kings is the same action, and the pile is no place twice.
    let nines = ask(&mut client, selected(&state, &["9s", "9h"], None)).await;
    let alone = at(&nines, Destination::Pile);
    assert_eq!((refusals(alone), alone.initial.expect("counted").found), (vec!["INITIAL_BELOW_MINIMUM"], 30));
    let both = ask(&mut client, selected(&state, &["Ks", "Kh", "Kd"], alone.action.clone())).await;
    assert_eq!(places(&both), [(Destination::NewSet, None)]);
    assert_eq!(both.options[0].action, pile.action);
}

#[tokio::test]
async fn bad_fields_are_named_and_broken_rules_are_answers() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let state = state(HAND);
    let status = client.options(OptionsRequest::default()).await.expect_err("nothing given");
    assert_fields(&status, &["state", "actor"]);
    for who in [Role::Table, Role::Spectator, Role::Judge, Role::Director] {
        let asked = OptionsRequest { actor: role(who), ..selected(&state, &["9s"], None) };
        assert_field(&client.options(asked).await.expect_err("no cards"), "actor");
    }
    let asked = OptionsRequest { actor: seat(4), ..selected(&state, &["9s"], None) };
    assert_field(&client.options(asked).await.expect_err("four seats"), "actor.seat");
    let asked = selected(&state, &["9s", "9x"], draw());
    assert_fields(&client.options(asked).await.expect_err("two faults"), &["cards[1]", "chosen"]);
    let group = |cards: usize| Group {
        kind: MeldKind::Set.into(),
        cards: vec!["9s".into(); cards],
        ..Default::default()
    };
    let melds = |groups: usize| action(Kind::Meld(Meld { groups: vec![group(3); groups] }));
    let asked = selected(&state, &["9s"], melds(64));
    assert_field(&client.options(asked).await.expect_err("no room for one more"), "chosen");
    assert!(client.options(selected(&state, &["9s"], melds(63))).await.is_ok());
    let take = TakePile { cards: vec!["9s".into(); 324], ..Default::default() };
    let asked = selected(&state, &["9s"], action(Kind::TakePile(take)));
    assert_field(&client.options(asked).await.expect_err("325 cards"), "cards");
    let asked = selected(&state, &["9s"; 325], None);
    assert_field(&client.options(asked).await.expect_err("325 cards"), "cards");

    // A card that is not held is refused by rule, as CheckAction does.
    let aces = ask(&mut client, selected(&state, &["As", "Ah", "Ad"], None)).await;
    assert_eq!(refusals(at(&aces, Destination::NewSet)), ["TURN_CARD_NOT_IN_HAND"; 3]);
    // Without a selection the pile alone is a place.
    assert_eq!(places(&ask(&mut client, selected(&state, &[], None)).await), [(Destination::Pile, None)]);
    // A seat that is not to act may ask for itself.
    let other = OptionsRequest { actor: seat(1), ..selected(&state, &["9s"], None) };
    assert_eq!(refusals(at(&ask(&mut client, other).await, Destination::NewSet)), ["TURN_NOT_YOURS"]);
}
