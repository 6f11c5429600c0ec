//! The promises of a policy against what happened: `audit-tournament` finds each event that breaks one, and no honest one. The
//! policies of docs/TOURNAMENT.md are read from the page.

use crate::common::{command, directory, key, short};
use canasta_engine::action::{Action, As, Authority, Effect, EffectKind, Ruling};
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::hex::hex;
use canasta_engine::log::record::Record;
use canasta_engine::log::{Chain, HEADER, Reader, ruling_message};
use canasta_engine::seat::Side;
use canasta_replay::Exit;
use canasta_tournament::policy::{Contributions, OpenedBefore, Signing, TournamentPolicy};
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Publishes a log, and audits the tree with a policy. Returns the kinds and details of the faults.
fn published(place: &Path, log: &[u8], policy: &str) -> Vec<(String, String)> {
    let path = |name: &str| place.join(name).to_str().unwrap().to_owned();
    fs::write(path("game.clog"), log).unwrap();
    fs::write(path("policy.toml"), format!("format = \"canasta-policy/1\"\n{policy}")).unwrap();
    let _ = fs::remove_dir_all(path("site"));
    let (key, public) = key(place, "open-2026.example", 1);
    // Whoever publishes does so without the policy that everybody has.
    let ran = command(&["publish", &path("game.clog"), "--key", &key, "-o", &path("site")], b"");
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    let (site, policy) = (path("site"), path("policy.toml"));
    let args = ["audit-tournament", &site, "--key", &public, "--policy", &policy, "--format", "json"];
    let report: Value = serde_json::from_slice(&command(&args, b"").out).expect("JSON");
    let text = |fault: &Value, field: &str| fault[field].as_str().unwrap().to_owned();
    let faults = report["faults"].as_array().unwrap().iter();
    faults.map(|fault| (text(fault, "kind"), text(fault, "detail"))).collect()
}

fn only(faults: &[(String, String)], kind: &str, said: &str) {
    assert!(
        matches!(faults, [(found, detail)] if found == kind && detail.contains(said)),
        "{said}: {faults:?}"
    );
}

/// Returns the log without the signature under its last signed action; nothing after it is signed.
fn unsigned_at_the_end(log: &[u8]) -> Vec<u8> {
    let mut records = Vec::new();
    let (mut reader, mut rest) = (Reader::new(), log);
    while let Some(frame) = reader.next(&mut rest).unwrap() {
        records.push(frame.record().unwrap());
    }
    let last = records.iter_mut().rev().find_map(|record| match record {
        Record::Action(action) => action.signature.take(),
        _ => None,
    });
    assert!(last.is_some(), "somebody has signed");
    let (mut log, mut chain) = (HEADER.to_vec(), Chain::START);
    records.iter().for_each(|record| chain.append(&record.encode().unwrap(), &mut log));
    log
}

#[test]
fn an_action_that_nobody_signed_breaks_the_promise_of_signed_actions() {
    let place = directory("promises-actions");
    let out = place.join("games").to_str().unwrap().to_owned();
    command(&["simulate", "--bots", "random", "--signed", "--games", "1", "--seed", "3", "--out", &out], b"");
    let log = fs::read(format!("{out}/game-000000.clog")).unwrap();
    let players = fs::read_to_string(format!("{out}/players.toml")).unwrap();
    let policy = format!("actions = \"signed\"\n{players}");
    assert_eq!(published(&place, &log, &policy), [], "everybody has signed everything");
    let unsigned = unsigned_at_the_end(&log);
    only(&published(&place, &unsigned, &policy), "PROMISE", "signed actions of");
    assert_eq!(published(&place, &unsigned, &players), [], "it was not promised");
}

/// Returns the director's key.
fn director() -> SigningKey {
    SigningKey::from_bytes(&[0x51; 32])
}

/// Returns the log of a game with a warning of the director, then a forfeit. Rulings by these keys are signed: those of the
/// genesis and of the rulings.
fn ruled(of_genesis: &SigningKey, signs: [bool; 2]) -> Vec<u8> {
    let secret = simulate::game_secret(6, 0);
    let created = Game::create(NewGame {
        director: Some(of_genesis.verifying_key().to_bytes()),
        ..NewGame::new(short("classic-4p", 5), simulate::game_id(&secret), NewDeal::Seeded(secret))
    })
    .expect("a game");
    let (mut game, mut log) = (created.game, created.frames);
    log.extend(game.act(As::Table, &Action::Deal(Box::default()), Stamp::default()).expect("a deal").frames);
    for (kind, signs) in [EffectKind::Warning, EffectKind::Forfeit].into_iter().zip(signs) {
        let effect = Effect { side: (kind == EffectKind::Forfeit).then_some(Side(0)), ..Effect::of(kind) };
        let mut ruling = Ruling {
            id: 0,
            by: Authority::Director,
            offender: None,
            side: Side(0),
            rule: "IR-033".into(),
            points: 0,
            effect,
            reason: "late".into(),
            reverses: None,
            signature: None,
        };
        let message = ruling_message(&game.link.head, &ruling).expect("a ruling that fits");
        ruling.signature = signs.then(|| of_genesis.sign(&message).to_bytes());
        let ruled = game.act(As::Director, &Action::Ruling(Box::new(ruling)), Stamp::default());
        log.extend(ruled.expect("a director may rule").frames);
    }
    log
}

#[test]
fn a_ruling_that_nobody_signed_breaks_the_promise_of_signed_rulings() {
    let place = directory("promises-rulings");
    let keys = format!("[director]\nkeys = [\"{}\"]\n", hex(director().verifying_key().as_bytes()));
    let policy = format!("{keys}rulings = \"signed\"\n");
    assert_eq!(published(&place, &ruled(&director(), [true, true]), &policy), []);
    let unsigned = ruled(&director(), [true, false]);
    only(&published(&place, &unsigned, &policy), "PROMISE", "no signature under the ruling of record");
    assert_eq!(published(&place, &unsigned, &keys), [], "it was not promised");
    let strange = ruled(&SigningKey::from_bytes(&[0x52; 32]), [true, true]);
    only(&published(&place, &strange, &policy), "PROMISE", "a key of the director's");
}

/// Returns the policies of the page, in its order.
fn of_the_page() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/TOURNAMENT.md");
    let page = fs::read_to_string(page).expect("the page");
    let blocks = page.split("```toml\n").skip(1).filter_map(|block| block.split_once("```"));
    blocks.map(|(block, _)| block.to_owned()).filter(|block| block.contains("canasta-policy/1")).collect()
}

/// Reads every policy of the page: one of all promises, that of a club evening, of an open, and of a final. Each promises more than
/// the one before.
#[test]
fn the_policies_of_the_page_are_whole() {
    let read: Vec<TournamentPolicy> = of_the_page()
        .iter()
        .map(|text| TournamentPolicy::parse(text).unwrap_or_else(|error| panic!("{error:?}: {text}")))
        .collect();
    let [_, club, open, finals] = &read[..] else { panic!("{} policies", read.len()) };
    let names: Vec<_> =
        [club, open, finals].iter().map(|policy| policy.tree.origin.as_deref().unwrap()).collect();
    assert_eq!(names, ["club.example", "open-2026.example", "final-2026.example"]);
    for policy in [club, open, finals] {
        let signer = policy.tree.keys[0].name();
        assert_eq!(Some(signer), policy.tree.origin.as_deref(), "the tree is signed under its name");
        assert!(policy.tree.must_open() && policy.tree.close_within.is_some());
    }
    assert_eq!((club.tree.opened_before, club.witnesses.quorum, club.sheets), (None, 0, true));
    assert_eq!(
        (open.deals.contributions, &open.deals.modes[..]),
        (Contributions::Given, &["committed".into()][..])
    );
    for policy in [open, finals] {
        assert_eq!(policy.tree.opened_before, Some(OpenedBefore::Deal));
        assert_eq!((policy.director.rulings, policy.director.keys.len()), (Signing::Signed, 1));
        assert!(policy.tree.heads_every.records.is_some() && policy.tree.heads_every.seconds.is_some());
        assert!(policy.deals.max_voided.is_some() && policy.tree.max_voided_games.is_some());
    }
    let witnesses = |policy: &TournamentPolicy| {
        (policy.witnesses.quorum, policy.witnesses.keys.len(), policy.witnesses.cosigned_within)
    };
    assert_eq!((witnesses(open), witnesses(finals)), ((1, 1, Some(300)), (2, 3, Some(60))));
    assert_eq!((finals.deals.contributions, finals.deals.beacons.len()), (Contributions::Signed, 1));
    assert_eq!((finals.actions, finals.sheets, finals.players.len()), (Signing::Signed, false, 4));
    assert!(finals.tree.voids_after.is_some() && finals.tree.checkpoint_within.is_some());
}
