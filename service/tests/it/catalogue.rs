//! GetCatalogue: the sentences of messages, which render to what the server itself says.

use crate::support::Server;
use crate::support::game::{Client, assert_field};
use canasta_engine::rules::Rules;
use canasta_engine::violations::template::Language;
use canasta_proto::v1::{
    FactType, GetCatalogueRequest, GetCatalogueResponse, GetRuleRequest, Wording, WordingKind,
    get_rule_request, get_rule_response, rule_match,
};
use tonic::Status;

async fn page(client: &mut Client, request: GetCatalogueRequest) -> Result<GetCatalogueResponse, Status> {
    Ok(client.get_catalogue(request).await?.into_inner())
}

fn in_language(language: &str) -> GetCatalogueRequest {
    GetCatalogueRequest { language_code: language.into(), ..Default::default() }
}

fn wording<'a>(of: &'a GetCatalogueResponse, kind: WordingKind, name: &str) -> &'a Wording {
    let found = of.wordings.iter().find(|wording| wording.kind() == kind && wording.name == name);
    found.unwrap_or_else(|| panic!("no wording {name}"))
}

#[tokio::test]
async fn a_language_is_its_tag_with_or_without_a_region() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let english = page(&mut client, in_language("")).await.expect("English");
    let german = page(&mut client, in_language("de")).await.expect("German");
    assert_eq!((&english.language_code[..], &german.language_code[..]), ("en", "de"));
    assert_eq!((english.digest.len(), german.digest.len()), (32, 32));
    assert_ne!(english.digest, german.digest);
    for (tag, same) in [("en", &english), ("en-GB", &english), ("de-AT", &german), ("DE", &german)] {
        assert_eq!(&page(&mut client, in_language(tag)).await.expect(tag), same);
    }
    for tag in ["fr", "deu", "-de", "x", &"e".repeat(36)] {
        assert_field(&page(&mut client, in_language(tag)).await.expect_err(tag), "language_code");
    }
    let status = page(&mut client, in_language("fr")).await.expect_err("no French");
    assert!(format!("{status:?}").contains(&Language::ALL.map(Language::tag).join(" or ")));
    let melds = wording(&german, WordingKind::Code, "MELD_NOT_OWN_SIDE");
    assert_eq!(melds.template, "{meld} gehört {side}");
    let paths: Vec<_> =
        melds.facts.iter().map(|fact| (&fact.path[..], fact.r#type(), fact.optional)).collect();
    assert_eq!(
        paths,
        [("facts.meld.meld", FactType::Meld, false), ("facts.side.side", FactType::Side, false)]
    );
    let meld = wording(&english, WordingKind::Action, "meld");
    assert_eq!((&meld.facts[0].path[..], meld.facts[0].optional), ("groups.cards", true));
}

#[tokio::test]
async fn pages_of_a_catalogue_are_the_catalogue() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let whole = page(&mut client, in_language("de")).await.expect("German");
    assert!(whole.next_page_token.is_empty());
    let (mut wordings, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = GetCatalogueRequest { page_size: 50, page_token, ..in_language("de") };
        let part = page(&mut client, request).await.expect("a page");
        assert!(part.wordings.len() <= 50 && part.digest == whole.digest);
        wordings.extend(part.wordings);
        page_token = part.next_page_token;
        if page_token.is_empty() {
            break;
        }
        let request = GetCatalogueRequest { page_token: page_token.clone(), ..in_language("en") };
        assert_field(
            &page(&mut client, request).await.expect_err("a token of another language"),
            "page_token",
        );
    }
    assert_eq!(wordings, whole.wordings);
    let request = GetCatalogueRequest { page_size: -1, ..in_language("de") };
    assert_field(&page(&mut client, request).await.expect_err("a size below 0"), "page_size");
}

/// Checks that GetRule tells the types of facts, as the catalogue does.
#[tokio::test]
async fn a_code_has_the_facts_of_its_wording() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let english = page(&mut client, in_language("en")).await.expect("English");
    let key = Some(get_rule_request::Key::Code("INITIAL_BELOW_MINIMUM".into()));
    let answer =
        client.get_rule(GetRuleRequest { key, ..Default::default() }).await.expect("a code").into_inner();
    let Some(get_rule_response::Entry::Code(entry)) = answer.entry else { panic!("{answer:?}") };
    assert_eq!(entry.facts, wording(&english, WordingKind::Code, "INITIAL_BELOW_MINIMUM").facts);
    let names: Vec<_> = entry.facts.iter().map(|fact| &fact.name[..]).collect();
    assert_eq!(names, ["found", "required", "key", "surcharge"]);
}

/// Finds the law about exposed cards (IR-030) by words, and what may be ruled under it.
#[tokio::test]
async fn a_rule_is_found_by_words() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut ask = async |key| {
        let answer = client
            .get_rule(GetRuleRequest { key: Some(key), ..Default::default() })
            .await
            .expect("an answer")
            .into_inner();
        answer.entry.expect("an entry")
    };
    let found = ask(get_rule_request::Key::Words("Exposed card".into())).await;
    let get_rule_response::Entry::Matches(found) = found else { panic!("{found:?}") };
    assert_eq!(found.matches[0].laws, ["IR-030"]);
    assert!(found.matches.len() <= 20, "{found:?}");
    let rule = ask(get_rule_request::Key::RuleId("IR-030".into())).await;
    let get_rule_response::Entry::Rule(rule) = rule else { panic!("{rule:?}") };
    assert_eq!(rule.ruling, "no points; by director, jury, table; effects penalty_cards");
    let code = ask(get_rule_request::Key::Code("INITIAL_BELOW_MINIMUM".into())).await;
    let get_rule_response::Entry::Code(code) = code else { panic!("{code:?}") };
    assert!(code.irregularities[0].contains("IR-021 (0 to 100 points;"), "{code:?}");
    let nothing = ask(get_rule_request::Key::Words("zzz".into())).await;
    let get_rule_response::Entry::Matches(nothing) = nothing else { panic!("{nothing:?}") };
    assert!(nothing.matches.is_empty());
}

/// Asks about a foot in a game that has none, in one that has, and in any.
#[tokio::test]
async fn words_find_what_can_happen_in_the_rule_set() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for (id, is_found) in [("classic-4p", false), ("hand-and-foot-4p", true), ("", true)] {
        let canonical =
            Rules::preset(id).map(|rules| String::from_utf8_lossy(rules.canonical()).into_owned());
        let key = Some(get_rule_request::Key::Words("the foot was taken up too early".into()));
        let request = GetRuleRequest { key, canonical: canonical.unwrap_or_default(), ..Default::default() };
        let answer = client.get_rule(request).await.expect("an answer").into_inner();
        let Some(get_rule_response::Entry::Matches(found)) = answer.entry else { panic!("{answer:?}") };
        let foot = Some(rule_match::Found::Irregularity("foot-early".into()));
        assert_eq!(
            found.matches.first().is_some_and(|first| first.found == foot),
            is_found,
            "{id}: {found:?}"
        );
    }
    let key = Some(get_rule_request::Key::Words("foot".into()));
    let bad = GetRuleRequest { key, canonical: "{".into(), ..Default::default() };
    let status = client.get_rule(bad).await.expect_err("no rule set");
    assert_field(&status, "canonical");
}
