//! ListKnobs and GetRuleSet with house rules: all that a front end needs for a form of house rules.

use canasta_proto::v1::*;
use std::collections::BTreeSet;

use crate::support::Server;
use crate::support::game::{Client, assert_field, create, created, new_game};

async fn knobs(client: &mut Client, language: &str) -> Vec<Knob> {
    let (mut found, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = ListKnobsRequest { language_code: language.into(), page_size: 50, page_token };
        let page = client.list_knobs(request).await.expect("a page").into_inner();
        found.extend(page.knobs);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return found;
        }
    }
}

fn with(knob: &str, value: &str) -> HouseRules {
    HouseRules { name: "club".into(), knobs: [(knob.into(), value.into())].into(), ..HouseRules::default() }
}

async fn shown(client: &mut Client, house: HouseRules) -> Result<GetRuleSetResponse, tonic::Status> {
    let request = GetRuleSetRequest { id: "classic-4p".into(), house_rules: Some(house) };
    Ok(client.get_rule_set(request).await?.into_inner())
}

/// Tries all that the list says of each knob: every word, both ends of a range, the default and the values of all rule
/// sets are read; what lies outside is refused by the knob's name.
#[tokio::test]
async fn what_the_list_says_can_be_sent() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let list = knobs(&mut client, "").await;
    let names: BTreeSet<&str> = list.iter().map(|knob| knob.name.as_str()).collect();
    assert!(names.len() == list.len() && list.len() > 100, "{} knobs", list.len());
    for knob in &list {
        let words = || knob.words.iter().map(|word| word.value.clone());
        let (good, bad): (Vec<String>, Vec<String>) = match knob.form() {
            KnobForm::Switch => (vec!["true".into(), "false".into()], vec!["\"yes\"".into()]),
            KnobForm::Word => (words().collect(), vec!["\"no such word\"".into(), "1".into()]),
            KnobForm::Words => {
                (vec![format!("[{}]", words().collect::<Vec<_>>().join(","))], vec!["true".into()])
            }
            KnobForm::Number => {
                let ends = [knob.minimum(), knob.maximum()].map(|number| number.to_string());
                (ends.into(), vec!["\"3\"".into(), "3.5".into()])
            }
            KnobForm::Numbers => (vec![], vec!["3".into()]),
            KnobForm::ByRank => (vec!["{}".into()], vec!["[]".into()]),
            KnobForm::Bands | KnobForm::CardPoints => (vec![], vec!["0".into()]),
            KnobForm::Unspecified => panic!("{} has no form", knob.name),
        };
        let own = knob.uses.iter().map(|one| one.value.clone()).chain([knob.default_value.clone()]);
        for value in good.into_iter().chain(own) {
            let answer = shown(&mut client, with(&knob.name, &value)).await;
            let answer = answer.unwrap_or_else(|status| panic!("{} = {value}: {status:?}", knob.name));
            // Whether a game can be played with it is the same answer as that of CreateGame.
            let game = CreateGameRequest { house_rules: Some(with(&knob.name, &value)), ..new_game() };
            let rejected = match create(&mut client, game).await {
                create_game_response::Outcome::Rejected(rejected) => Some(rejected),
                create_game_response::Outcome::Created(_) => None,
            };
            match (answer.rejected, rejected) {
                (Some(of_rules), of_game) => assert_eq!(Some(of_rules), of_game),
                // A game may still lack what the rules ask of its request, such as the first dealer.
                (None, of_game) => {
                    let mut codes = of_game.iter().flat_map(|rejected| &rejected.violations);
                    assert!(answer.rule_set.is_some() && codes.all(|one| one.code != "SETUP_KNOBS"));
                }
            }
        }
        for value in bad {
            let refused = shown(&mut client, with(&knob.name, &value)).await.expect_err(&value);
            assert_field(&refused, &format!("house_rules.knobs[{:?}]", knob.name));
        }
        let rule_sets: usize = knob.uses.iter().map(|one| one.rule_sets.len()).sum();
        assert_eq!(rule_sets, 22, "{}: each preset has one value", knob.name);
        for conflict in &knob.conflicts {
            assert!(conflict.knobs.contains(&knob.name), "{conflict:?}");
            assert!(conflict.knobs.iter().all(|name| names.contains(name.as_str())), "{conflict:?}");
        }
    }
}

/// Compares both languages: the same knobs and words, with texts of their own.
#[tokio::test]
async fn knobs_are_explained_in_german_too() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (english, german) = (knobs(&mut client, "en-GB").await, knobs(&mut client, "de").await);
    for (one, other) in english.iter().zip(&german) {
        assert_eq!((&one.name, &one.uses, one.words.len()), (&other.name, &other.uses, other.words.len()));
        assert_ne!((&one.meaning, &one.group), (&other.meaning, &other.group));
        for (word, german) in one.words.iter().zip(&other.words) {
            assert_eq!(word.value, german.value);
            let has_text = [&word.meaning, &german.meaning].map(|text| text.ends_with('.'));
            // Ranks, true and false need no words.
            assert!(has_text == [true; 2] || word.meaning.is_empty(), "{}: {word:?} {german:?}", one.name);
        }
    }
    let wild = german.iter().find(|knob| knob.name == "wild_ratio").expect("a knob");
    assert_eq!(wild.words[1].value, "\"not_above_naturals\"");
    assert_eq!(wild.words[1].meaning, "Höchstens so viele wilde Karten wie natürliche.");
    assert_eq!(wild.uses[1].rule_sets.first().map(String::as_str), Some("hoyle-2p"));
    let french = ListKnobsRequest { language_code: "fr".into(), ..Default::default() };
    assert_field(&client.list_knobs(french).await.expect_err("no French"), "language_code");
}

#[tokio::test]
async fn house_rules_are_shown_as_they_are_played() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let house = HouseRules { variations: vec!["CV-011".into()], ..with("target", "3000") };
    let answer = shown(&mut client, house.clone()).await.expect("shown");
    let set = answer.rule_set.expect("it can be played");
    let summary = set.summary.expect("a summary");
    assert_eq!((&summary.id[..], summary.target), ("classic-4p+club", 3000));
    let canonical = HouseRules { canonical: set.canonical, name: "club".into(), ..HouseRules::default() };
    let [named, spelled] =
        [house, canonical].map(|house| CreateGameRequest { house_rules: Some(house), ..new_game() });
    assert_eq!(created(&mut client, named).await.frames, created(&mut client, spelled).await.frames);
    let refused = shown(&mut client, with("target", "0")).await.expect("an answer");
    let rejected = refused.rejected.expect("no end");
    assert_eq!((rejected.violations[0].code.as_str(), refused.rule_set), ("SETUP_KNOBS", None));
    let odd = shown(&mut client, with("wild_ratio", "\"fewer\"")).await.expect_err("no such word");
    assert!(odd.message().contains("\"not_above_naturals\""), "{odd:?}");
}

/// Asks for a game's own rules in sentences, by the preset's id or by the canonical form that its log has.
#[tokio::test]
async fn a_game_says_how_it_goes() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let shown = shown(&mut client, with("target", "3000")).await.expect("shown").rule_set.expect("playable");
    let request = |canonical: &str, language: &str| ExplainRuleSetRequest {
        id: "classic-4p+club".into(),
        canonical: canonical.into(),
        language_code: language.into(),
    };
    let said = |answer: ExplainRuleSetResponse| -> Vec<ExplanationSentence> {
        answer.sections.into_iter().flat_map(|section| section.sentences).collect()
    };
    let english = client.explain_rule_set(request(&shown.canonical, "")).await.expect("said").into_inner();
    let end =
        said(english).into_iter().find(|one| one.text.contains("3,000 points")).expect("the house's end");
    assert_eq!(end.rule_ids, ["CL-109"]);
    let german = client.explain_rule_set(request("", "de-AT")).await.expect("said").into_inner();
    assert_eq!((&german.sections[0].name[..], &german.sections[0].title[..]), ("goal", "Ziel"));
    assert!(said(german).iter().any(|one| one.text.contains("5.000 Punkte")));
    let contradicting = shown.canonical.replace("\"target\":3000", "\"target\":0");
    for (wrong, field) in [
        (request("{}", ""), "canonical"),
        (request(&contradicting, ""), "canonical"),
        (request("", "fr"), "language_code"),
        (ExplainRuleSetRequest::default(), "id"),
    ] {
        assert_field(&client.explain_rule_set(wrong).await.expect_err("refused"), field);
    }
}
