//! Signatures of seats under their contributions, and the origin of deals. What a seat signs stands in docs/DEALING.md.

use crate::support::{chained, comes_back, records};
use canasta_engine::action::{Action, As, Deal};
use canasta_engine::deal::{Commitment, DealId, GameId, simulate};
use canasta_engine::dealing::Registration;
use canasta_engine::game::{Game, NewDeal, NewGame, RegisterEntry, Stamp};
use canasta_engine::legal;
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::contribution_message;
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::record::{Beacon, Player, Record};
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use ed25519_dalek::{Signer as _, SigningKey};
use std::sync::Arc;

const SEATS: u8 = 4;

fn key(seat: u8) -> SigningKey {
    SigningKey::from_bytes(&[0x30 + seat; 32])
}

/// Returns the message of docs/DEALING.md, joined here from its parts.
fn message(before: &[u8; 32], round: u32, attempt: u32, seat: u8, commitment: &[u8; 32]) -> Vec<u8> {
    let numbers = [round.to_be_bytes(), attempt.to_be_bytes()].concat();
    [&b"canasta-contribution/1\0"[..], before, &numbers, &[seat], commitment].concat()
}

/// The seats that contribute to a deal, those of them that sign, and whether a beacon does.
#[derive(Clone, Copy)]
struct Entries<'a> {
    seats: &'a [u8],
    signing: &'a [u8],
    beacon: bool,
}

const ALL: Entries<'_> = Entries { seats: &[0, 1, 2, 3], signing: &[0, 1, 2, 3], beacon: false };

/// Plays a committed game to its end; deal number `i` has the entries `entries[i % len]`.
fn play(entries: &[Entries<'_>]) -> Vec<u8> {
    let base = PresetId::from_name("classic-4p").expect("a preset");
    let mut set = base.rule_set();
    set.target = 4_000;
    let rules = Rules::house(base, set, Some("short")).expect("rules");
    let secret = simulate::game_secret(31, 1);
    let player =
        |seat| Player { name: format!("Player {seat}"), key: Some(key(seat).verifying_key().to_bytes()) };
    let id = simulate::game_id(&secret);
    let new = NewGame::new(Arc::new(rules), id, NewDeal::Committed(secret));
    let players = (0..SEATS).map(player).collect();
    let created = Game::create(NewGame { registration: Registration::ByTable, players, ..new });
    let created = created.expect("a game");
    let (mut game, mut log, mut deals, mut random) = (created.game, created.frames, 0, 1u64);
    while game.table.phase() != Phase::GameOver {
        if game.table.phase() == Phase::Setup {
            let of = entries[deals % entries.len()];
            log.extend(register_and_deal(&mut game, of));
            deals += 1;
            continue;
        }
        let steps = legal::steps(&game.table);
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let action = &steps.actions[(random >> 33) as usize % steps.actions.len()];
        let actor = game.table.to_act().map_or(As::Table, As::Seat);
        log.extend(game.act(actor, action, Stamp::default()).expect("a listed step").frames);
    }
    log
}

fn register_and_deal(game: &mut Game, of: Entries<'_>) -> Vec<u8> {
    let (round, attempt) = (u32::from(game.table.round_number()), u32::from(game.table.attempt()));
    let id = game.dealing.deal_id(&game.table);
    let none = || vec![None; usize::from(SEATS)];
    let (mut seats, mut signatures, mut contributions) = (none(), vec![None; 4], none());
    for &seat in of.seats {
        let value = [round as u8 * 16 + seat; 32];
        let commitment = Commitment::seat(&id, Seat(seat), &value).0;
        seats[usize::from(seat)] = Some(commitment);
        contributions[usize::from(seat)] = Some(value);
        if of.signing.contains(&seat) {
            let message = message(&game.link.head, round, attempt, seat, &commitment);
            signatures[usize::from(seat)] = Some(key(seat).sign(&message).to_bytes());
        }
    }
    let beacon = of.beacon.then_some(Beacon { chain: [9; 32], round: 77, close_ms: 1_767_225_600_000 });
    let entry = RegisterEntry { seats, beacon, signatures, ..RegisterEntry::default() };
    let mut frames = game.register(As::Table, entry).expect("a register is due");
    let signature = of.beacon.then(|| vec![0x5a; 48]);
    let deal = Action::Deal(Box::new(Deal { contributions, signature, ..Deal::default() }));
    frames.extend(game.act(As::Table, &deal, Stamp::default()).expect("a deal").frames);
    frames
}

fn signature_findings(report: &Report) -> Vec<(u64, Option<Seat>)> {
    let signatures = report.findings.iter().filter(|finding| finding.kind == FindingKind::Signature);
    signatures.map(|finding| (finding.record, finding.seat)).collect()
}

/// Compares the message and the signature with the vector of docs/DEALING.md, which another program (Python's
/// `cryptography`) computed.
#[test]
fn the_vector_of_the_page_holds() {
    let bytes = |hex: &str| base16(hex);
    let before = bytes("675e8c559255d62e7550ba7ac161edbfeb42154a9cc0dc7a3faa2fdc6a56f70e");
    let commitment = bytes("0474615a31f07aa6aacb6df00ded043a8fdabe4479c1e6cf74b5ad754e512db3");
    let before: [u8; 32] = before.try_into().expect("a head");
    let commitment: [u8; 32] = commitment.try_into().expect("a commitment");
    let id = GameId(std::array::from_fn(|at| at as u8));
    assert_eq!(Commitment::seat(&DealId::new(id, 1, 1), Seat(1), &[0x20; 32]).0, commitment);
    let message = contribution_message(&before, 1, 1, Seat(1), &commitment);
    let key = SigningKey::from_bytes(&std::array::from_fn(|at| at as u8));
    let signature = "ebb298a45216b92ea63be3c753fb31a27048c70211903012d65079f68cae1c72\
        bcf1823459bbb3df303758702b8886a9c8e9a694ca981f957e70f25206b62002";
    assert_eq!(key.sign(&message).to_bytes()[..], bytes(signature)[..]);
    assert_eq!(message, self::message(&before, 1, 1, 1, &commitment));
}

fn base16(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("hex");
    (0..text.len()).step_by(2).map(digit).collect()
}

#[test]
fn signed_contributions_are_verified_and_counted() {
    let log = play(&[ALL]);
    let report = audit(&log, Expect::default());
    assert_eq!((&report.findings[..], report.unverified), (&[][..], 0));
    let deals = report.rounds;
    let origins = &report.origins;
    assert_eq!((origins.deals, origins.alone, origins.complete), (deals, 0, deals));
    assert_eq!((origins.values, origins.signed), (4 * deals, 4 * deals));
    comes_back(&log);
}

#[test]
fn the_origin_of_each_deal_is_counted() {
    let part = Entries { seats: &[0, 2], signing: &[2], beacon: false };
    let nobody = Entries { seats: &[], signing: &[], beacon: false };
    let beacon = Entries { beacon: true, ..nobody };
    let log = play(&[part, nobody, beacon]);
    let report = audit(&log, Expect::default());
    assert_eq!(report.findings, []);
    let of = |nth: u32| (report.rounds + 2 - nth) / 3;
    assert!(report.rounds >= 3, "every kind of deal is played: {} rounds", report.rounds);
    let origins = &report.origins;
    assert_eq!((origins.deals, origins.alone, origins.complete), (report.rounds, of(1), 0));
    assert_eq!((origins.values, origins.signed), (2 * of(0), of(0)));
    assert_eq!((origins.beacons, origins.by_beacon, &origins.chains[..]), (of(2), of(2), &[[9; 32]][..]));
}

/// Checks that a signature covers the head before the register (and so all commitments of the dealer), round, attempt, seat and
/// C_k, and it is made with the seat's own key.
#[test]
fn a_signature_under_another_contribution_is_found() {
    let log = play(&[ALL]);
    let sound = records(&log);
    let Record::Register(first) = &sound[1] else { panic!("a register") };
    // The signature of another seat; of another game, whose genesis differs in its time alone; none of the seat's key.
    let mut swapped = first.clone();
    swapped.signatures.swap(0, 1);
    let mut other_key = first.clone();
    let Record::Genesis(genesis) = &sound[0] else { panic!("a genesis") };
    let mut other_genesis = genesis.clone();
    other_genesis.started_at_ms = Some(1);
    other_key.signatures[3] = Some([0x51; 64]);
    let with = |n: usize, record: Record| {
        let mut records = sound.clone();
        records[n] = record;
        audit(&chained(&records), Expect::default())
    };
    let seats = |seats: &[u8]| seats.iter().map(|&seat| (1, Some(Seat(seat)))).collect::<Vec<_>>();
    assert_eq!(signature_findings(&with(1, Record::Register(swapped)))[..2], seats(&[0, 1]));
    assert_eq!(signature_findings(&with(1, Record::Register(other_key)))[..1], seats(&[3]));
    let moved = with(0, Record::Genesis(other_genesis));
    assert_eq!(signature_findings(&moved)[..4], seats(&[0, 1, 2, 3]));
    assert_eq!(moved.origins.signed, 0, "every later head is another too");
    // A player without a key cannot have signed.
    let mut keyless = genesis.clone();
    keyless.players[2].key = None;
    assert!(signature_findings(&with(0, Record::Genesis(keyless))).contains(&(1, Some(Seat(2)))));
}

/// Checks that the last record that decides anything is the last action: the ends of round and game follow from it.
#[test]
fn the_last_deciding_record_is_the_last_action() {
    let log = play(&[ALL]);
    let sound = records(&log);
    let report = audit(&log, Expect::default());
    assert!(matches!(sound[report.decided as usize], Record::Action(_)));
    assert_eq!(report.decided + 3, report.records, "a round end and a game end follow");
    let begun = audit(&chained(&sound[..2]), Expect { live: true, ..Expect::default() });
    assert_eq!(begun.decided, 1, "a register decides");
}
