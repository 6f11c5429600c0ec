//! Audits that are given the rule sets of other logs: they find what an audit finds that prepares its own.

use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame};
use canasta_engine::log::audit::{Auditor, Expect, PreparedRules, Report};
use canasta_engine::log::record::Genesis;
use canasta_engine::log::{Chain, HEADER, Reader, Record};
use canasta_engine::rules::{PresetId, Rules};
use std::sync::Arc;

/// Returns the first record of a game of this many rounds.
fn genesis(rounds: u8) -> Box<Genesis> {
    let base = PresetId::from_name("classic-4p").expect("a preset");
    let mut set = base.rule_set();
    (set.target, set.rounds) = (0, rounds);
    let rules = Rules::house(base, set, Some("house")).expect("a number of rounds is playable");
    let secret = simulate::game_secret(11, 0);
    let new = NewGame::new(Arc::new(rules), simulate::game_id(&secret), NewDeal::Seeded(secret));
    let log = Game::create(new).expect("a game").frames;
    let (mut reader, mut rest) = (Reader::new(), &log[..]);
    let frame = reader.next(&mut rest).expect("a log").expect("a record");
    match frame.record() {
        Ok(Record::Genesis(genesis)) => genesis,
        other => panic!("expected genesis, found {other:?}"),
    }
}

/// Audits a log that ends behind this record. Returns the report, and the rules of the log.
fn audit(genesis: &Genesis, prepared: &PreparedRules) -> (Report, Option<Arc<Rules>>) {
    let mut log = HEADER.to_vec();
    let payload = Record::Genesis(Box::new(genesis.clone())).encode().expect("a record");
    { Chain::START }.append(&payload, &mut log);
    let live = Expect { live: true, ..Expect::default() };
    let mut auditor = Auditor::new(live).with_rules(prepared.clone());
    auditor.feed(&log);
    let rules = auditor.rules().cloned();
    (auditor.finish(), rules)
}

#[test]
fn a_rule_set_is_prepared_once_for_many_logs() {
    let (first, second) = (genesis(1), genesis(2));
    let mut prepared = PreparedRules::default();
    let (alone, rules) = audit(&first, &prepared);
    let rules = rules.expect("the game can be played");
    prepared.add(&rules);
    let (again, same) = audit(&first, &prepared);
    assert!(same.is_some_and(|same| Arc::ptr_eq(&same, &rules)));
    assert_eq!(format!("{again:?}"), format!("{alone:?}"));
    // The same base and name with other knobs.
    assert_eq!((&second.base, &second.rule_set_id), (&first.base, &first.rule_set_id));
    let (_, other) = audit(&second, &prepared);
    assert_eq!(other.map(|rules| rules.set().rounds), Some(2));
    // 16 other rule sets take the place of the first.
    for rounds in 3..19 {
        assert!(audit(&first, &prepared).1.is_some_and(|same| Arc::ptr_eq(&same, &rules)), "{rounds}");
        prepared.add(&audit(&genesis(rounds), &prepared).1.expect("the game can be played"));
    }
    let (_, anew) = audit(&first, &prepared);
    assert!(!Arc::ptr_eq(&anew.expect("the game can be played"), &rules));
}

#[test]
fn a_genesis_that_contradicts_known_rules_is_found() {
    let (good, mut prepared) = (genesis(1), PreparedRules::default());
    prepared.add(&audit(&good, &prepared).1.expect("the game can be played"));
    let changes: [fn(&mut Genesis); 5] = [
        |genesis| _ = genesis.players.pop(),
        |genesis| genesis.penalties = Some(99),
        |genesis| genesis.base = "samba-4p".into(),
        |genesis| genesis.rule_set_id = "classic-4p".into(),
        |genesis| genesis.rule_set.truncate(9),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        let (report, rules) = audit(&bad, &prepared);
        let (alone, _) = audit(&bad, &PreparedRules::default());
        assert!(!alone.findings.is_empty() && rules.is_none(), "change {number}");
        assert_eq!(format!("{report:?}"), format!("{alone:?}"), "change {number}");
    }
}
