//! Pages of lists: together they are the whole list, and a token is good for its own list only.

use crate::support::Server;
use crate::support::game::{Client, accepted, assert_field, dealt, draw, role, seat};
use canasta_proto::v1::{
    Action, ListLegalActionsRequest, ListLegalActionsResponse, ListRuleSetsRequest, Role,
    SuggestActionRequest,
};
use tonic::Status;

async fn list(
    client: &mut Client,
    request: ListLegalActionsRequest,
) -> Result<ListLegalActionsResponse, Status> {
    Ok(client.list_legal_actions(request).await?.into_inner())
}

/// Returns a state of Classic in which a seat has drawn, and the seat: every card of its hand can be discarded.
async fn drawn(client: &mut Client) -> (Vec<u8>, u32) {
    let (state, to_act) = dealt(client).await;
    let request = canasta_proto::v1::ApplyActionRequest {
        state,
        actor: seat(to_act),
        action: draw(),
        ..Default::default()
    };
    (accepted(client, request).await.state, to_act)
}

#[tokio::test]
async fn pages_of_legal_actions_are_the_list() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = drawn(&mut client).await;
    let request = ListLegalActionsRequest { state, actor: seat(to_act), ..Default::default() };
    let whole = list(&mut client, request.clone()).await.expect("a list");
    assert!(whole.actions.len() > 7 && whole.complete && whole.next_page_token.is_empty());
    for page_size in [1, 3, whole.actions.len() as i32, 4096, i32::MAX] {
        let (mut actions, mut page_token, mut pages) = (Vec::<Action>::new(), String::new(), 0);
        loop {
            let request = ListLegalActionsRequest { page_size, page_token, ..request.clone() };
            let page = list(&mut client, request).await.expect("a page");
            assert!(page.actions.len() <= page_size as usize && page.complete);
            actions.extend(page.actions);
            (page_token, pages) = (page.next_page_token, pages + 1);
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(actions, whole.actions);
        assert_eq!(pages, whole.actions.len().div_ceil(page_size as usize));
    }
}

#[tokio::test]
async fn a_token_is_good_for_its_own_list() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = drawn(&mut client).await;
    let first = ListLegalActionsRequest { state, actor: seat(to_act), page_size: 2, ..Default::default() };
    let page_token = list(&mut client, first.clone()).await.expect("a page").next_page_token;
    let second = ListLegalActionsRequest { page_token: page_token.clone(), ..first.clone() };
    // Pages may differ in size.
    let wider = ListLegalActionsRequest { page_size: 5, ..second.clone() };
    let wider = list(&mut client, wider).await.expect("a page");
    assert_eq!(wider.actions[..2], list(&mut client, second.clone()).await.expect("a page").actions);

    let suggest = SuggestActionRequest {
        state: first.state.clone(),
        actor: seat(to_act),
        seed: 1,
        ..Default::default()
    };
    let action = client.suggest_action(suggest).await.expect("well formed").into_inner().action;
    let next = canasta_proto::v1::ApplyActionRequest {
        state: first.state.clone(),
        actor: seat(to_act),
        action,
        ..Default::default()
    };
    let later = accepted(&mut client, next).await.state;
    for (bad, path) in [
        (ListLegalActionsRequest { actor: role(Role::Judge), ..second.clone() }, "page_token"),
        (ListLegalActionsRequest { state: later, ..second.clone() }, "page_token"),
        (ListLegalActionsRequest { page_token: "2".into(), ..second.clone() }, "page_token"),
        (ListLegalActionsRequest { page_token: format!("{page_token}A"), ..second.clone() }, "page_token"),
        (ListLegalActionsRequest { page_token: "A".repeat(100_000), ..second.clone() }, "page_token"),
        (ListLegalActionsRequest { page_size: -1, ..first }, "page_size"),
    ] {
        assert_field(&list(&mut client, bad).await.expect_err(path), path);
    }
    let other = ListRuleSetsRequest { page_token, ..Default::default() };
    assert_field(&client.list_rule_sets(other).await.expect_err("another method"), "page_token");
}

#[tokio::test]
async fn pages_of_rule_sets_are_the_list() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let whole = client.list_rule_sets(ListRuleSetsRequest::default()).await.expect("listed").into_inner();
    assert_eq!((whole.rule_sets.len(), &whole.next_page_token[..]), (22, ""));
    let (mut sets, mut page_token) = (Vec::new(), String::new());
    for expected in [10, 10, 2] {
        let request = ListRuleSetsRequest { page_size: 10, page_token };
        let page = client.list_rule_sets(request).await.expect("a page").into_inner();
        assert_eq!(page.rule_sets.len(), expected);
        sets.extend(page.rule_sets);
        page_token = page.next_page_token;
    }
    assert!(page_token.is_empty() && sets == whole.rule_sets);
}
