//! `verify-deal` on committed deals: a real round of a public beacon, seats that withhold their values,
//! changed logs.

use crate::common::command;
use base16ct::lower;
use canasta_engine::action::{Action, As, Deal};
use canasta_engine::deal::{Commitment, GameId, GameSecret};
use canasta_engine::dealing::Registration;
use canasta_engine::game::{Game, NewDeal, NewGame, RegisterEntry, Stamp};
use canasta_engine::log::record::{Beacon, Player, Record};
use canasta_engine::log::{Chain, HEADER, Reader};
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_replay::Exit;
use std::fs;
use std::sync::Arc;

/// Round 123 of drand's quicknet, as published; also a test vector of the crate drand-verify 0.6.2.
const QUICKNET: &str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
const ROUND_123: &str =
    "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";
/// Time at which the round was published, in ms since 1970: the start of the chain, 1692803367, plus 122
/// times 3 s.
const PUBLISHED_MS: i64 = 1_692_803_733_000;

/// Returns a log: a first round that the table dealt, then a redeal by the director, so that the secret is
/// revealed.
fn dealt(beacon: Option<Beacon>, signature: Option<Vec<u8>>, revealed: &[u8]) -> Vec<u8> {
    let rules = Arc::new(Rules::preset("classic-4p").expect("a preset"));
    let new = NewGame::new(rules, GameId([4; 16]), NewDeal::Committed(GameSecret([5; 64])));
    let player = |name: &str| Player { name: name.into(), key: None };
    let players = ["North", "East", "South", "West"].map(player).to_vec();
    let created =
        Game::create(NewGame { players, registration: Registration::ByTable, ..new }).expect("a game");
    let (mut state, mut log) = (created.game, created.frames);
    let id = state.dealing.deal_id(&state.table);
    let seats = [0, 2].map(|seat| (seat, Commitment::seat(&id, Seat(seat), &[seat + 1; 32]).0));
    let mut commitments = vec![None; 4];
    seats.iter().for_each(|&(seat, made)| commitments[usize::from(seat)] = Some(made));
    let entry = RegisterEntry { seats: commitments, beacon, ..RegisterEntry::default() };
    log.extend(state.register(As::Table, entry).expect("a register is due"));
    let mut contributions = vec![None; 4];
    revealed.iter().for_each(|&seat| contributions[usize::from(seat)] = Some([seat + 1; 32]));
    let deal = Action::Deal(Box::new(Deal { contributions, signature, ..Deal::default() }));
    log.extend(state.act(As::Table, &deal, Stamp::default()).expect("a deal").frames);
    if state.table.round_over().is_none() {
        let text = "director: ruling IR-004 0 NS effect redeal";
        let ruling =
            canasta_engine::notation::Proposal::parse(text, state.table.set()).expect("a ruling").action;
        log.extend(state.act(As::Director, &ruling, Stamp::default()).expect("a redeal").frames);
    }
    log
}

fn quicknet(close_ms: i64) -> Option<Beacon> {
    let chain = lower::decode_vec(QUICKNET).expect("hex").try_into().expect("32 bytes");
    Some(Beacon { chain, round: 123, close_ms })
}

fn verify(log: &[u8], options: &[&str]) -> (Exit, String) {
    let ran = command(&[&["verify-deal", "-"], options].concat(), log);
    (ran.exit, String::from_utf8(ran.out).expect("text") + &ran.err)
}

#[test]
fn a_published_round_of_a_beacon_is_checked_against_the_chains_key() {
    let before = quicknet(PUBLISHED_MS - 1000);
    let log = dealt(before, Some(lower::decode_vec(ROUND_123).expect("hex")), &[0, 2]);
    let (exit, text) = verify(&log, &[]);
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("beacon        round 123 of quicknet: signed with the chain's key"), "{text}");
    let times = "published 2023-08-23T15:15:33.000Z, contributions closed 2023-08-23T15:15:32.000Z";
    assert!(text.contains(times), "{text}");
    // 512 of the secret, 256 for each of two seats, 256 of the beacon; 108 cards need 521.8.
    assert!(text.contains("1280 bits in, 521.8 needed: every order can come up"), "{text}");
    assert!(text.contains("1 voided: 0 by a seat that kept back its value, 1 by ruling"), "{text}");

    // A seat that keeps back its value is harmless beside a beacon.
    let (exit, text) = verify(&dealt(before, Some(lower::decode_vec(ROUND_123).expect("hex")), &[0]), &[]);
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("South revealed nothing: it counts as empty"), "{text}");
    assert!(text.contains("1024 bits in"), "{text}");
}

#[test]
fn a_forged_or_late_beacon_fails_and_an_unknown_one_is_said_to_be_unchecked() {
    let before = quicknet(PUBLISHED_MS - 1000);
    let mut forged = lower::decode_vec(ROUND_123).expect("hex");
    forged[20] ^= 1;
    let (exit, text) = verify(&dealt(before, Some(forged), &[0, 2]), &[]);
    assert!(exit == Exit::Findings && text.contains("beacon        FAILS: round 123 of quicknet"), "{text}");
    let other = before.map(|beacon| Beacon { round: 124, ..beacon });
    let (exit, text) = verify(&dealt(other, Some(lower::decode_vec(ROUND_123).expect("hex")), &[0, 2]), &[]);
    assert!(exit == Exit::Findings && text.contains("not the chain's signature of round 124"), "{text}");
    let (exit, text) = verify(
        &dealt(quicknet(PUBLISHED_MS), Some(lower::decode_vec(ROUND_123).expect("hex")), &[0, 2]),
        &[],
    );
    assert!(exit == Exit::Findings && text.contains("before contributions closed"), "{text}");
    let unknown = before.map(|beacon| Beacon { chain: [3; 32], ..beacon });
    let (exit, text) = verify(&dealt(unknown, Some(vec![1; 48]), &[0, 2]), &[]);
    assert!(exit == Exit::Clean && text.contains("not checked: round 123 of chain 0303"), "{text}");
}

#[test]
fn a_chain_may_be_told_and_its_hash_is_what_counts() {
    let place = crate::common::directory("beacon-info");
    let write = |name: &str, text: &str| {
        fs::write(place.join(name), text).expect("a file");
        place.join(name).display().to_string()
    };
    // What drand tells of quicknet, and the same with another period: that is another chain.
    let told = r#"{"public_key":"83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a","period":3,"genesis_time":1692803367,"groupHash":"f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e","schemeID":"bls-unchained-g1-rfc9380","metadata":{"beaconID":"mine"}}"#;
    let file = write("mine.json", told);
    let log = dealt(quicknet(PUBLISHED_MS - 1000), Some(lower::decode_vec(ROUND_123).expect("hex")), &[0, 2]);
    let (exit, text) = verify(&log, &["--beacon-info", &file]);
    assert!(exit == Exit::Clean && text.contains("of quicknet"), "{text}");
    for bad in ["", "[]", "{}", &told.replace("bls-unchained", "pedersen-bls-chained")] {
        let file = write("bad.json", bad);
        let (exit, text) = verify(&log, &["--beacon-info", &file]);
        assert!(exit == Exit::Failure && text.contains("bad.json"), "{text}");
    }
}

#[test]
fn a_seat_that_keeps_back_its_value_is_named() {
    let (exit, text) = verify(&dealt(None, None, &[2]), &[]);
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("round 1 attempt 1, voided"), "{text}");
    assert!(text.contains("seat          North kept back what was registered"), "{text}");
    assert!(text.contains("void          no cards were dealt"), "{text}");
    assert!(text.contains("1 voided: 1 by a seat that kept back its value, 0 by ruling"), "{text}");
    let ran = command(&["verify-deal", "-", "--format", "json"], &dealt(None, None, &[2]));
    let value: serde_json::Value = serde_json::from_slice(&ran.out).expect("JSON");
    assert_eq!(value["voided"], serde_json::json!({ "kept_back": 1, "ruled": 0 }));
    assert_eq!(value["holds"], true);
}

#[test]
fn a_contribution_changed_behind_a_new_chain_fails() {
    let log = dealt(None, None, &[0, 2]);
    let (mut reader, mut piece) = (Reader::new(), &log[..]);
    let (mut changed, mut chain) = (HEADER.to_vec(), Chain::START);
    while let Some(frame) = reader.next(&mut piece).expect("a log") {
        let mut record = frame.record().expect("a record");
        if let Record::Action(action) = &mut record
            && let Action::Deal(deal) = &mut action.action
        {
            deal.contributions[2] = Some([9; 32]);
        }
        chain.append(&record.encode().expect("a record"), &mut changed);
    }
    let (exit, text) = verify(&changed, &[]);
    assert!(
        exit == Exit::Findings && text.contains("FAILS: South revealed what was not registered"),
        "{text}"
    );
}
