//! A host without a server gives the answers of the service.

use canasta_messages::fault::RequestFault;
use canasta_messages::local::LocalHost;
use canasta_messages::{answers, local};
use canasta_proto::v1::*;
use prost::Message;

use crate::support::Server;
use crate::support::game::{new_game, role, seat};

/// Answers a method of GameService without a server.
fn call(host: &LocalHost, name: &str, request: &[u8]) -> Result<Vec<u8>, RequestFault> {
    if ["GetRule", "GetCatalogue", "ListKnobs", "ExplainRuleSet"].contains(&name) {
        return answers::call_texts(name, request);
    }
    local::call(host, &format!("canasta.v1.GameService/{name}"), request)
}

/// Plays with the first legal action of each position, which both hosts are asked for.
#[tokio::test]
async fn both_hosts_give_one_answer() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let local = LocalHost::default();
    macro_rules! both {
        ($name:literal, $method:ident, $request:expr, $answer:ty) => {{
            let request = $request;
            let answer = client.$method(request.clone()).await.expect("well formed").into_inner();
            let bytes = call(&local, $name, &request.encode_to_vec()).expect("well formed");
            assert_eq!(<$answer>::decode(&bytes[..]).expect("an answer"), answer, "{}", $name);
            answer
        }};
    }
    both!("ListRuleSets", list_rule_sets, ListRuleSetsRequest::default(), ListRuleSetsResponse);
    both!("GetCatalogue", get_catalogue, GetCatalogueRequest::default(), GetCatalogueResponse);
    let samba = GetRuleSetRequest { id: "samba-4p".into(), house_rules: None };
    both!("GetRuleSet", get_rule_set, samba, GetRuleSetResponse);
    both!("ListKnobs", list_knobs, ListKnobsRequest::default(), ListKnobsResponse);
    let hoyle = ExplainRuleSetRequest { id: "hoyle-2p".into(), ..Default::default() };
    both!("ExplainRuleSet", explain_rule_set, hoyle, ExplainRuleSetResponse);
    let key = Some(get_rule_request::Key::RuleId("CL-061".into()));
    both!("GetRule", get_rule, GetRuleRequest { key, ..Default::default() }, GetRuleResponse);
    let created = both!("CreateGame", create_game, new_game(), CreateGameResponse);
    let Some(create_game_response::Outcome::Created(Created { mut state, .. })) = created.outcome else {
        panic!("a new game");
    };
    let (mut asked, mut turns) = (role(Role::Table), 0);
    for step in 0..40 {
        let list = ListLegalActionsRequest { state: state.clone(), actor: asked, ..Default::default() };
        let actions = both!("ListLegalActions", list_legal_actions, list, ListLegalActionsResponse).actions;
        let action = actions.first().cloned();
        let check = CheckActionRequest {
            state: state.clone(),
            actor: asked,
            action: action.clone(),
            ..Default::default()
        };
        both!("CheckAction", check_action, check, CheckActionResponse);
        let suggest =
            SuggestActionRequest { state: state.clone(), actor: asked, seed: step, ..Default::default() };
        both!("SuggestAction", suggest_action, suggest, SuggestActionResponse);
        let apply = ApplyActionRequest {
            state: state.clone(),
            actor: asked,
            action,
            want_events: true,
            ..Default::default()
        };
        let applied = both!("ApplyAction", apply_action, apply, ApplyActionResponse);
        let Some(apply_action_response::Outcome::Accepted(accepted)) = applied.outcome else {
            panic!("a legal action");
        };
        state = accepted.state;
        let view = GetViewRequest { state: state.clone(), actor: role(Role::Judge) };
        let view = both!("GetView", get_view, view, GetViewResponse).view.expect("a view");
        asked = view.to_act.map_or(asked, seat);
        turns += u32::from(view.to_act.is_some());
    }
    assert!(turns > 30, "{turns} turns of seats");
}

#[test]
fn a_local_host_refuses_what_only_servers_do() {
    let local = LocalHost::default();
    let refused = |method: &str, request: Vec<u8>| call(&local, method, &request).expect_err("refused");
    assert!(matches!(refused("GetServerInfo", Vec::new()), RequestFault::Unimplemented(_)));
    let undecodable = refused("GetView", vec![0xff]);
    assert!(undecodable.message().starts_with("request: cannot be decoded"), "{}", undecodable.message());
    let drawn = CreateGameRequest { secret: Vec::new(), ..new_game() };
    assert!(refused("CreateGame", drawn.encode_to_vec()).message().starts_with("secret: "));
    let other = GetViewRequest { state: b"no state".to_vec(), actor: seat(0) };
    assert_eq!(refused("GetView", other.encode_to_vec()), RequestFault::Token);
}

/// Checks that a position comes back with every card, and says what is wrong with it; so does a link.
#[test]
fn positions_and_links_need_no_server() {
    let host = LocalHost::default();
    let call = |method: &str, request: &[u8]| local::call(&host, &format!("local/{method}"), request);
    let state = call("StateOf", b"classic-4p; to move N; drew; hand N Kd 4c").expect("a position");
    let text = String::from_utf8(call("NotationOf", &state).expect("a state")).expect("text");
    assert!(text.starts_with("classic-4p; to move N; drew; hand N Kd 4c; hand E "), "{text}");
    assert_eq!(call("StateOf", text.as_bytes()), Ok(state));
    let wrong = call("StateOf", b"classic-4p; hand N 9x").expect_err("9x is no card");
    assert_eq!(
        wrong.message(),
        "position: byte 19: expected a card such as Ks or Th, or X for a joker, found 9x"
    );
    assert_eq!(call("Unpack", &[1, 5]).expect_err("no game").message(), "link: no game is in this link");
    let log = include_bytes!("../../../tests/data/logs/v2/classic-4p/game-000000.clog");
    let link = call("Pack", log).expect("a log");
    assert_eq!(call("Unpack", &link), Ok([&[0], &log[..]].concat()));
}
