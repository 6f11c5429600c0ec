//! Each malformed input is refused at its own path, and well-formed actions survive the way there and back.

use canasta_engine::action::{
    About, Action, Authority, Effect, EffectKind, Group, MeldId, MeldKind, Onto, Ruling, SpecialHand,
    TakePile,
};
use canasta_engine::card::Card;
use canasta_engine::seat::{Seat, Side};
use canasta_messages::convert::{action, action_out, identity};
use canasta_proto::v1::action::Kind;
use canasta_proto::v1::{self as pb, action as pa, effect as pe};

fn cards(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.into()).collect()
}

fn engine_cards(texts: &[&str]) -> canasta_engine::action::CardList {
    texts.iter().map(|text| Card::parse(text).expect("a card")).collect()
}

fn set(cards: Vec<String>) -> pb::Group {
    pb::Group { kind: pb::MeldKind::Set.into(), onto: None, top: false, cards }
}

fn meld(groups: Vec<pb::Group>) -> Kind {
    Kind::Meld(pa::Meld { groups })
}

fn on_meld(side: Option<u32>, id: Option<u32>) -> Option<pb::Onto> {
    Some(pb::Onto { r#where: Some(pb::onto::Where::Meld(pb::MeldRef { side, id })) })
}

fn take(cards: Vec<String>, onto: Option<pb::Onto>, also: Vec<pb::Group>) -> Kind {
    Kind::TakePile(pa::TakePile { cards, onto, also })
}

fn way(groups: &[pb::Group], discard: &str) -> pa::NamedWay {
    pa::NamedWay { groups: groups.to_vec(), discard: discard.into() }
}

fn ask(about: i32, way: pa::NamedWay) -> Kind {
    Kind::Ask(pa::Ask { about, to: None, way: Some(way) })
}

fn adjust(points: Vec<i32>) -> Kind {
    with_effect(pe::Kind::Adjust(pe::Adjust { points }))
}

/// Returns a ruling without a fault.
fn ruling() -> pa::Ruling {
    pa::Ruling {
        id: Some(1),
        by: pb::Authority::Jury.into(),
        side: Some(0),
        rule: "IR-012".into(),
        ..pa::Ruling::default()
    }
}

fn with_effect(kind: pe::Kind) -> Kind {
    let effect = Some(Box::new(pb::Effect { kind: Some(kind) }));
    Kind::Ruling(Box::new(pa::Ruling { effect, ..ruling() }))
}

fn stand(action: Kind, position: Vec<u8>) -> Kind {
    let action = Some(Box::new(pb::Action { kind: Some(action) }));
    with_effect(pe::Kind::Stand(Box::new(pe::Stand { action, position })))
}

/// Refuses malformed actions. Each row has the path of the fault and a part of its text.
#[test]
fn each_malformed_action_names_its_field() {
    let bad_place = Some(pb::Onto { r#where: Some(pb::onto::Where::Place(9)) });
    let stand_ruling = stand(Kind::Ruling(Box::new(ruling())), vec![1]);
    #[rustfmt::skip]
    let table = [
        (Kind::DrawCards(pa::DrawCards { picks: vec![pb::CardList { cards: cards(&["Ks", "ks"]) }] }), "action.draw_cards.picks[0].cards[1]", "\"ks\" is not a card"),
        (Kind::Discard(pa::Discard { card: "1z".into() }), "action.discard.card", "\"1z\" is not a card (rank AKQJT98765432 + suit shdc, or X)"),
        (Kind::Discard(pa::Discard { card: String::new() }), "action.discard.card", "is required"),
        (Kind::LayThrees(pa::LayThrees { cards: cards(&["3h", "10h"]) }), "action.lay_threes.cards[1]", "\"10h\" is not a card"),
        (meld(vec![set(cards(&["Ks"])), set(cards(&["Qs", "??"]))]), "action.meld.groups[1].cards[1]", "\"??\" is not a card"),
        (meld(vec![pb::Group { kind: 0, ..set(vec![]) }]), "action.meld.groups[0].kind", "is required"),
        (meld(vec![pb::Group { kind: 5, ..set(vec![]) }]), "action.meld.groups[0].kind", "5 is not a value"),
        (meld(vec![set(vec![]); 65]), "action.meld.groups", "65 entries, at most 64"),
        (meld(vec![set(cards(&["Ks"; 163])); 2]), "action.meld.groups", "326 cards in all, at most 324"),
        (meld(vec![pb::Group { onto: bad_place, ..set(vec![]) }]), "action.meld.groups[0].onto.place", "9 is not a value"),
        (meld(vec![pb::Group { onto: on_meld(Some(6), Some(0)), ..set(vec![]) }]), "action.meld.groups[0].onto.meld.side", "6 is not a side"),
        (take(cards(&["Ks"; 325]), None, vec![]), "action.take_pile.cards", "325 entries, at most 324"),
        (take(cards(&["", "Ks"]), None, vec![]), "action.take_pile.cards[0]", "is required"),
        (take(vec![], on_meld(None, None), vec![]), "action.take_pile.onto.meld.id", "is required"),
        (take(vec![], on_meld(None, Some(128)), vec![]), "action.take_pile.onto.meld.id", "128 is not a meld's id"),
        (take(vec![], None, vec![set(cards(&["Xs"]))]), "action.take_pile.also[0].cards[0]", "\"Xs\" is not a card"),
        (Kind::MergeMelds(pa::MergeMelds { kept: None, merged: Some(1) }), "action.merge_melds.kept", "is required"),
        (Kind::MergeMelds(pa::MergeMelds { kept: Some(1), merged: Some(500) }), "action.merge_melds.merged", "500 is not a meld's id"),
        (Kind::UndoMeld(pa::UndoMeld { meld: None, cards: vec![] }), "action.undo_meld.meld", "is required"),
        (Kind::UndoMeld(pa::UndoMeld { meld: Some(0), cards: cards(&["K"]) }), "action.undo_meld.cards[0]", "\"K\" is not a card"),
        (Kind::Ask(pa::Ask { about: 0, to: None, way: None }), "action.ask.about", "is required"),
        (Kind::Ask(pa::Ask { about: 1, to: Some(6), way: None }), "action.ask.to", "6 is not a seat"),
        (ask(2, pa::NamedWay::default()), "action.ask.way", "only a question about going out"),
        (ask(1, way(&[], "1s")), "action.ask.way.discard", "1s"),
        (ask(1, way(&vec![pb::Group::default(); 65], "")), "action.ask.way.groups", "65"),
        (Kind::Answer(pa::Answer { yes: None }), "action.answer.yes", "is required"),
        (Kind::SpecialHand(pa::ShowSpecialHand { hand: -1 }), "action.special_hand.hand", "-1 is not a value"),
        (Kind::CallReveal(pa::CallReveal { seat: None }), "action.call_reveal.seat", "is required"),
        (Kind::Dispute(pa::Dispute { open: None, reason: String::new() }), "action.dispute.open", "is required"),
        (Kind::Dispute(pa::Dispute { open: Some(true), reason: "x".repeat(1025) }), "action.dispute.reason", "1025 bytes, at most 1024"),
        (Kind::Sign(pa::Sign { side: Some(7) }), "action.sign.side", "7 is not a side"),
        (Kind::Ruling(Box::new(pa::Ruling { by: 4, ..ruling() })), "action.ruling.by", "automatic"),
        (Kind::Ruling(Box::new(pa::Ruling { signature: vec![1; 63], ..ruling() })), "action.ruling.signature", "63 bytes"),
        (adjust(vec![5; 7]), "action.ruling.effect.adjust.points", "7"),
        (adjust(vec![0, 1_000_001]), "action.ruling.effect.adjust.points[1]", "1000001 points, at most 1000000"),
        (Kind::Ruling(Box::new(pa::Ruling { side: None, ..ruling() })), "action.ruling.side", "is required"),
        (Kind::Ruling(Box::new(pa::Ruling { rule: "x".repeat(33), ..ruling() })), "action.ruling.rule", "33 bytes, at most 32"),
        (Kind::Ruling(Box::new(pa::Ruling { effect: Some(Box::default()), ..ruling() })), "action.ruling.effect", "is required"),
        (with_effect(pe::Kind::PenaltyCards(pe::PenaltyCards { seat: Some(0), cards: cards(&["0s"]) })), "action.ruling.effect.penalty_cards.cards[0]", "\"0s\" is not a card"),
        (with_effect(pe::Kind::ForfeitPile(pe::ForfeitPile { seat: Some(0), until: 65_536 })), "action.ruling.effect.forfeit_pile.until", "at most"),
        (with_effect(pe::Kind::RevokeTalon(pe::RevokeTalon { side: None })), "action.ruling.effect.revoke_talon.side", "is required"),
        (stand(Kind::Discard(pa::Discard { card: "zz".into() }), vec![1]), "action.ruling.effect.stand.action.discard.card", "\"zz\" is not a card"),
        (stand(Kind::Pass(pa::Pass {}), vec![]), "action.ruling.effect.stand.position", "is required"),
        (stand(Kind::Pass(pa::Pass {}), vec![0; 8193]), "action.ruling.effect.stand.position", "8193 bytes"),
        (stand_ruling, "action.ruling.effect.stand.action", "cannot be allowed to stand"),
    ];
    for (kind, path, problem) in table {
        let faults = action::read(Some(pb::Action { kind: Some(kind) })).expect_err(path);
        let [fault] = faults.as_slice() else { panic!("{path}: {faults:?}") };
        assert_eq!(fault.path, path);
        assert!(fault.problem.contains(problem), "{path}: {}", fault.problem);
    }
    let most = meld(vec![set(cards(&["Ks"])); 64]);
    assert!(action::read(Some(pb::Action { kind: Some(most) })).is_ok(), "64 groups are allowed");
    for absent in [None, Some(pb::Action { kind: None })] {
        let faults = action::read(absent).expect_err("absent");
        assert_eq!(faults.as_slice()[0].path, "action");
        for part in ["is required", "of a kind that this server does not know", "SuggestAction"] {
            assert!(faults.as_slice()[0].problem.contains(part), "{part}: {faults:?}");
        }
    }
}

#[test]
fn each_malformed_identity_names_its_field() {
    let who = |who| Some(pb::Actor { who: Some(who) });
    let table = [
        (None, "actor", "is required"),
        (Some(pb::Actor { who: None }), "actor", "is required"),
        (who(pb::actor::Who::Seat(6)), "actor.seat", "6 is not a seat (0 to 5)"),
        (who(pb::actor::Who::Role(0)), "actor.role", "is required"),
        (who(pb::actor::Who::Role(5)), "actor.role", "5 is not a value of this enum"),
    ];
    for (message, path, problem) in table {
        let faults = identity::read(message).expect_err(path);
        let [fault] = faults.as_slice() else { panic!("{path}: {faults:?}") };
        assert_eq!((fault.path.as_str(), fault.problem.as_str()), (path, problem));
    }
}

#[test]
fn every_kind_of_action_survives_the_way_there_and_back() {
    let effect = |kind| Effect {
        kind,
        by: None,
        seat: None,
        cards: engine_cards(&[]),
        until: None,
        side: None,
        award: None,
        to_seq: None,
        action: None,
        position: None,
        masked: false,
        points: vec![],
    };
    let ruling = |effect| {
        Action::Ruling(Box::new(Ruling {
            id: 3,
            by: Authority::Director,
            offender: Some(Seat(2)),
            side: Side(1),
            rule: "IR-012".into(),
            points: -100,
            effect,
            reason: "late".into(),
            reverses: Some(1),
            signature: Some([7; 64]),
        }))
    };
    let group = Group {
        kind: MeldKind::Set,
        onto: Onto::Meld { side: Some(Side(1)), id: MeldId(4) },
        top: true,
        cards: engine_cards(&["Ks", "2c", "X"]),
    };
    let take = TakePile {
        with: engine_cards(&["7h", "7d"]),
        onto: Onto::New,
        also: [group.clone()].into_iter().collect(),
    };
    let black =
        Group { kind: MeldKind::BlackThrees, onto: Onto::Auto, top: false, cards: engine_cards(&["3s"]) };
    let actions = [
        Action::Deal(Box::default()),
        Action::DrawCards(vec![engine_cards(&["Ks"]), engine_cards(&[])]),
        Action::DrawStock,
        Action::TakePile(take),
        Action::TakeTop,
        Action::RestorePile,
        Action::LayThrees(engine_cards(&["3h"])),
        Action::TakeTalon,
        Action::Meld([group, black].into_iter().collect()),
        Action::MergeMelds { a: MeldId(0), b: MeldId(127) },
        Action::UndoMeld { meld: MeldId(0), cards: engine_cards(&["Ks"]) },
        Action::Ask { about: About::Courtesy, to: Some(Seat(0)), with: None },
        Action::Answer { yes: false },
        Action::SpecialHand(SpecialHand::Pairs),
        Action::Discard(Card::JOKER),
        Action::Pass,
        Action::EndRound,
        Action::CallReveal { of: Seat(0) },
        ruling(effect(EffectKind::None)),
        ruling(Effect { by: Some(30), ..effect(EffectKind::RaiseMinimum) }),
        ruling(Effect {
            seat: Some(Seat(0)),
            cards: engine_cards(&["X"]),
            ..effect(EffectKind::PenaltyCards)
        }),
        ruling(Effect { seat: Some(Seat(0)), until: Some(0), ..effect(EffectKind::ForfeitPile) }),
        ruling(Effect {
            action: Some(Box::new(Action::Pass)),
            position: Some(vec![1]),
            ..effect(EffectKind::Stand)
        }),
        ruling(Effect { to_seq: Some(9), ..effect(EffectKind::Restore) }),
        ruling(Effect { side: Some(Side(0)), award: Some(500), ..effect(EffectKind::Forfeit) }),
        Action::Dispute { open: false, reason: "settled".into() },
        Action::Sign { side: Side(0) },
    ];
    for action in actions {
        assert_eq!(action::read(Some(action_out::write(&action))), Ok(action));
    }
}
