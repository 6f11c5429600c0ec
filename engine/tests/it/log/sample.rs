//! A log that has every record type, short enough to be damaged bit by bit.

use canasta_engine::action::*;
use canasta_engine::card::Card;
use canasta_engine::dealing::Registration;
use canasta_engine::log::Record;
use canasta_engine::log::record::*;
use canasta_engine::seat::{Seat, Side};

/// Parses the cards in `text`, separated by blanks.
pub fn cards<C: FromIterator<Card>>(text: &str) -> C {
    text.split_whitespace().map(|card| Card::parse(card).expect("a card")).collect()
}

/// Returns a group of cards from the hand for a set.
pub fn set(text: &str) -> Group {
    Group { kind: MeldKind::Set, onto: Onto::Auto, top: false, cards: cards(text) }
}

/// Returns the record of an unsigned action without a time.
pub fn action(actor: Option<u8>, action: Action) -> Record {
    Record::Action(Box::new(ActionRecord {
        actor: actor.map(Seat),
        action,
        elapsed_ms: None,
        cards: None,
        signature: None,
        digest: [0xd1; 8],
    }))
}

/// Returns a genesis with two players, of whom one has a key.
pub fn genesis() -> Genesis {
    Genesis {
        game_id: *b"sixteen bytes id",
        rule_set_id: "classic-2p".into(),
        base: "classic-2p".into(),
        rule_set: br#"{"seats":2}"#.to_vec(),
        players: vec![
            Player { name: "Ann".into(), key: None },
            Player { name: "Žofie".into(), key: Some([0x0b; 32]) },
        ],
        mode: DealMode::Committed,
        registration: Registration::Auto,
        commitment: Some([0xc6; 32]),
        engine: "0.1.0".into(),
        started_at_ms: Some(1_769_860_800_000),
        fork_of: None,
        director: None,
        penalties: None,
    }
}

/// Returns a ruling that lets an illegal discard stand.
pub fn ruling() -> Ruling {
    Ruling {
        id: 1,
        by: Authority::Director,
        offender: Some(Seat(1)),
        side: Side(1),
        rule: "IR-012".into(),
        points: -100,
        effect: Effect {
            kind: EffectKind::Stand,
            by: None,
            seat: None,
            cards: CardList::new(),
            until: None,
            side: None,
            award: None,
            to_seq: None,
            action: Some(Box::new(Action::Discard(Card::JOKER))),
            position: Some(vec![0x9a; 80]),
            masked: true,
            points: vec![],
        },
        reason: "shown, not played".into(),
        reverses: None,
        signature: None,
    }
}

/// Returns 21 records, with every record type among them.
pub fn records() -> Vec<Record> {
    let timed = |record: Record, ms| match record {
        Record::Action(mut record) => {
            record.elapsed_ms = Some(ms);
            Record::Action(record)
        }
        other => other,
    };
    let mut signed = ActionRecord {
        actor: Some(Seat(0)),
        action: Action::DrawStock,
        elapsed_ms: Some(0),
        cards: None,
        signature: Some([0x51; 64]),
        digest: [0xd2; 8],
    };
    let plain_signed = Record::Action(Box::new(signed.clone()));
    signed.cards = Some(vec![Some(Card::JOKER), None]);
    let both = Record::Action(Box::new(signed.clone()));
    signed.signature = None;
    let received = Record::Action(Box::new(signed));
    vec![
        Record::Genesis(Box::new(genesis())),
        Record::Register(Box::new(Register {
            round: 1,
            attempt: 1,
            dealer: Some(Seat(1)),
            commitment: Some([0xcd; 32]),
            seats: vec![Some([0xca; 32]), None],
            beacon: Some(Beacon { chain: [0xbe; 32], round: 300, close_ms: 1_769_860_800_000 }),
            signatures: vec![Some([0x51; 64]), None],
        })),
        action(None, Action::Deal(Box::default())),
        action(Some(0), Action::DrawStock),
        timed(action(Some(0), Action::Discard(cards::<Vec<_>>("Ks")[0])), 1830),
        plain_signed,
        received,
        both,
        action(Some(1), Action::Meld([set("4c 4d 4h"), set("9c 9c 2s")].into_iter().collect())),
        action(Some(1), Action::TakePile(TakePile { with: cards("5h 5d"), ..TakePile::default() })),
        Record::Refusal(Box::new(Refusal {
            actor: Some(Seat(1)),
            elapsed_ms: Some(95_000),
            codes: vec!["PILE_FROZEN_NEEDS_PAIR".into()],
            attempt: Attempt::Masked { kind: ActionKind::TakePile, bytes: vec![0x77; 80] },
        })),
        Record::Refusal(Box::new(Refusal {
            actor: None,
            elapsed_ms: None,
            codes: vec!["SETUP_WRONG_TIME".into(), "GAME_OVER".into()],
            attempt: Attempt::Clear(Action::Deal(Box::default())),
        })),
        action(Some(1), Action::Dispute { open: true, reason: "a card was shown".into() }),
        action(None, Action::Ruling(Box::new(ruling()))),
        action(None, Action::Dispute { open: false, reason: String::new() }),
        Record::Remark(Remark::note(Author::Director, Some(5), "play resumes")),
        Record::RoundEnd(Box::new(RoundEnd {
            round: 1,
            attempt: 1,
            reason: EndReason::WentOut,
            reveal: Reveal::Secret([0x5e; 64]),
            scores: vec![
                Score {
                    unit: 0,
                    lines: vec![
                        ScoreLine { item: ScoreItem::MeldedCards, count: None, points: 320 },
                        ScoreLine { item: ScoreItem::NaturalCanastas, count: Some(1), points: 500 },
                    ],
                },
                Score {
                    unit: 1,
                    lines: vec![ScoreLine { item: ScoreItem::HandCards, count: None, points: -45 }],
                },
            ],
            digest: [0xfd; 32],
        })),
        Record::RoundEnd(Box::new(RoundEnd {
            round: 2,
            attempt: 1,
            reason: EndReason::Voided,
            reveal: Reveal::Wall { cards: cards("7h X 7h"), salt: [0x5a; 32] },
            scores: vec![],
            digest: [0xfe; 32],
        })),
        Record::GameEnd(GameEnd { winner: Some(0), secret: Some([0x60; 64]) }),
        action(Some(0), Action::Sign { side: Side(0) }),
        Record::Remark(Remark::checkpoint("canasta-log/1/...\n19\n...\n\n— club AAAA\n")),
    ]
}
