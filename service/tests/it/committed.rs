//! Committed deals through the service: registers and contributions of seats and of a beacon, accepted and
//! refused.

use crate::support::Server;
use crate::support::game::{
    Client, accepted, action, assert_field, codes, created, new_game, recorded, rejected, role, seat, view,
};
use canasta_engine::deal::{Commitment, DealId, GameId, GameSecret};
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::record::{Record, Reveal};
use canasta_engine::log::{Reader, contribution_message};
use canasta_engine::seat::Seat;
use canasta_engine::token::{Catalogue, decode};
use canasta_proto::v1::action::{Deal, Kind};
use canasta_proto::v1::{
    Action, ApplyActionRequest, Beacon, CheckActionRequest, CreateGameRequest, DealMode, Phase, Player,
    Register, Registration, Role, SuggestActionRequest, check_action_response,
};
use ed25519_dalek::{Signer as _, SigningKey};

fn committed() -> CreateGameRequest {
    CreateGameRequest {
        deal_mode: DealMode::Committed.into(),
        registration: Registration::ByTable.into(),
        ..new_game()
    }
}

fn request(state: &[u8]) -> ApplyActionRequest {
    ApplyActionRequest { state: state.to_vec(), actor: role(Role::Table), ..Default::default() }
}

fn registering(state: &[u8], register: Register) -> ApplyActionRequest {
    ApplyActionRequest { register: Some(register), ..request(state) }
}

fn dealing(state: &[u8], contributions: Vec<Vec<u8>>, signature: &[u8]) -> ApplyActionRequest {
    ApplyActionRequest { action: deal(contributions, signature), ..request(state) }
}

fn deal(contributions: Vec<Vec<u8>>, signature: &[u8]) -> Option<Action> {
    action(Kind::Deal(Deal { contributions, signature: signature.to_vec(), ..Default::default() }))
}

/// Returns V_k of the tests, and C_k for an attempt of round 1 of the game 01..01.
fn value(seat: u8) -> Vec<u8> {
    vec![0x40 + seat; 32]
}

fn commitment(attempt: u32, seat: u8) -> Vec<u8> {
    let id = DealId::new(GameId([1; 16]), 1, attempt);
    Commitment::seat(&id, Seat(seat), &[0x40 + seat; 32]).0.to_vec()
}

fn beacon() -> Option<Beacon> {
    Some(Beacon { chain: vec![8; 32], round: 123, close_ms: 1_767_225_600_000 })
}

fn live(log: &[u8]) -> Report {
    let report = audit(log, Expect { live: true, ..Expect::default() });
    assert_eq!(report.findings, []);
    report
}

fn records(mut log: &[u8]) -> Vec<Record> {
    let mut reader = Reader::new();
    std::iter::from_fn(|| {
        reader.next(&mut log).expect("a log").map(|frame| frame.record().expect("a record"))
    })
    .collect()
}

#[tokio::test]
async fn seats_register_and_contribute_to_the_deal() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let game = created(&mut client, committed()).await;
    assert_eq!((game.n, game.seq), (0, 0));
    let register = Register {
        commitments: vec![commitment(1, 0), vec![], commitment(1, 2)],
        beacon: beacon(),
        ..Register::default()
    };
    let registered = recorded(&mut client, registering(&game.state, register)).await;
    assert_eq!((registered.n, registered.seq), (1, 0));
    let deal = dealing(&registered.state, vec![value(0), vec![], value(2)], &[5; 48]);
    let dealt = accepted(&mut client, deal).await;
    assert_eq!((dealt.n, dealt.seq), (2, 1));
    let log = [game.frames, registered.frames, dealt.frames].concat();
    live(&log);
    let [_, Record::Register(register), Record::Action(deal)] = &records(&log)[..] else {
        panic!("three records")
    };
    assert_eq!(register.seats.len(), 4);
    assert_eq!(register.beacon.map(|beacon| beacon.round), Some(123));
    assert!(matches!(&deal.action, canasta_engine::action::Action::Deal(deal) if deal.signature.is_some()));
}

#[tokio::test]
async fn a_seat_that_does_not_reveal_voids_the_deal_and_the_round_is_registered_again() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let game = created(&mut client, committed()).await;
    let register = |attempt| Register {
        commitments: vec![commitment(attempt, 0), commitment(attempt, 1)],
        ..Register::default()
    };
    let registered = recorded(&mut client, registering(&game.state, register(1))).await;
    let void = accepted(&mut client, dealing(&registered.state, vec![value(0)], &[])).await;
    assert_eq!((void.n, void.seq, void.events.len()), (3, 1, 0));
    let mut log = [game.frames, registered.frames, void.frames].concat();
    assert_eq!(live(&log).voided, 1);
    let Some(Record::RoundEnd(end)) = records(&log).pop() else { panic!("a round end") };
    assert_eq!(end.reveal, Reveal::Secret(GameSecret([2; 64]).round(1, 1).0));

    let early = rejected(&mut client, dealing(&void.state, vec![], &[])).await;
    assert_eq!(codes(&early), ["SETUP_WRONG_TIME"]);
    // The commitments of the first attempt belong to another deal.
    let registered = recorded(&mut client, registering(&void.state, register(1))).await;
    let bad = client.apply_action(dealing(&registered.state, vec![value(0), value(1)], &[])).await;
    assert_field(&bad.expect_err("another deal's"), "action.deal.contributions[0]");
    let registered = recorded(&mut client, registering(&void.state, register(2))).await;
    let dealt = accepted(&mut client, dealing(&registered.state, vec![value(0), value(1)], &[])).await;
    log.extend([registered.frames, dealt.frames].concat());
    assert_eq!(live(&log).voided, 1);
}

/// Checks that signatures under contributions are verified before they are recorded: one wrong signature would spoil the
/// whole log.
#[tokio::test]
async fn a_contribution_is_signed_with_the_key_of_its_seat() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let key = |seat: u8| SigningKey::from_bytes(&[0x60 + seat; 32]);
    let names = ["North", "East", "South", "West"];
    let player = |(seat, name): (u8, &str)| Player {
        name: name.into(),
        public_key: if seat == 3 { vec![] } else { key(seat).verifying_key().to_bytes().into() },
    };
    let players = (0..).zip(names).map(player).collect();
    let game = created(&mut client, CreateGameRequest { players, ..committed() }).await;
    let state = decode(&game.state, &Catalogue::new()).expect("an open token");
    let signature = |by: u8, seat: u8| {
        let made: [u8; 32] = commitment(1, seat).try_into().expect("a commitment");
        let message = contribution_message(&state.link.head, 1, 1, Seat(seat), &made);
        key(by).sign(&message).to_bytes().to_vec()
    };
    let register = |signatures: Vec<Vec<u8>>| Register {
        commitments: (0..4).map(|seat| commitment(1, seat)).collect(),
        signatures,
        ..Register::default()
    };
    let wrong = vec![signature(0, 0), signature(2, 1)];
    for (signatures, field) in [
        (wrong, "register.signatures[1]"),
        (vec![vec![], vec![], vec![], signature(3, 3)], "register.signatures[3]"),
    ] {
        let refused = client.apply_action(registering(&game.state, register(signatures))).await;
        assert_field(&refused.expect_err("not the seat's signature"), field);
    }
    let signed = (0..3).map(|seat| signature(seat, seat)).collect();
    let registered = recorded(&mut client, registering(&game.state, register(signed))).await;
    let deal = dealing(&registered.state, (0..4).map(value).collect(), &[]);
    let dealt = accepted(&mut client, deal).await;
    let report = live(&[game.frames, registered.frames, dealt.frames].concat());
    assert_eq!(report.unverified, 0);
}

#[tokio::test]
async fn what_does_not_go_with_the_deal_is_named() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let fresh = created(&mut client, committed()).await.state;
    let seeded = CreateGameRequest { deal_mode: DealMode::Seeded.into(), ..committed() };
    let seeded = created(&mut client, seeded).await.state;
    let commits = Register { commitments: vec![commitment(1, 0)], ..Register::default() };
    let short = |bytes: usize| Register { commitments: vec![vec![], vec![1; bytes]], ..Register::default() };
    let with = |beacon: Beacon| Register { beacon: Some(beacon), ..Register::default() };
    let good = beacon().expect("a beacon");
    let wall = Register { wall: Some(Default::default()), ..Register::default() };
    #[rustfmt::skip]
    let table = [
        (registering(&fresh, short(31)), "register.commitments[1]"),
        (registering(&fresh, Register { commitments: vec![vec![]; 5], ..Register::default() }), "register.commitments"),
        (registering(&fresh, Register { commitments: vec![vec![]; 7], ..Register::default() }), "register.commitments"),
        (registering(&fresh, with(Beacon { chain: vec![], ..good.clone() })), "register.beacon.chain"),
        (registering(&fresh, with(Beacon { close_ms: i64::MAX, ..good.clone() })), "register.beacon.close_ms"),
        (registering(&fresh, wall), "register.wall.salt"),
        (registering(&fresh, Register { dealer: Some(6), ..Register::default() }), "register.dealer"),
        (registering(&seeded, commits.clone()), "register.commitments"),
        (registering(&seeded, with(good)), "register.beacon"),
    ];
    for (request, path) in table {
        assert_field(&client.apply_action(request).await.expect_err(path), path);
    }

    let state = recorded(&mut client, registering(&fresh, commits)).await.state;
    #[rustfmt::skip]
    let table = [
        (vec![value(1)], vec![], "action.deal.contributions[0]"),
        (vec![value(0), value(1)], vec![], "action.deal.contributions[1]"),
        (vec![vec![1; 31]], vec![], "action.deal.contributions[0]"),
        (vec![vec![]; 7], vec![], "action.deal.contributions"),
        (vec![value(0)], vec![1; 48], "action.deal.signature"),
        (vec![value(0)], vec![1; 97], "action.deal.signature"),
    ];
    for (contributions, signature, path) in table {
        let asked =
            ApplyActionRequest { record_refusal: true, ..dealing(&state, contributions.clone(), &signature) };
        assert_field(&client.apply_action(asked).await.expect_err(path), path);
        let check = CheckActionRequest {
            state: state.clone(),
            actor: role(Role::Table),
            action: deal(contributions, &signature),
            ..Default::default()
        };
        assert_field(&client.check_action(check).await.expect_err(path), path);
    }
    assert!(is_legal(&mut client, &state, vec![value(0)], &[]).await);
    // A seat may also keep its value back: that voids the deal.
    assert!(is_legal(&mut client, &state, vec![], &[]).await);
}

async fn is_legal(client: &mut Client, state: &[u8], contributions: Vec<Vec<u8>>, signature: &[u8]) -> bool {
    let request = CheckActionRequest {
        state: state.to_vec(),
        actor: role(Role::Table),
        action: deal(contributions, signature),
        ..Default::default()
    };
    let answer = client.check_action(request).await.expect("well formed").into_inner();
    matches!(answer.outcome, Some(check_action_response::Outcome::Legal(_)))
}

#[tokio::test]
async fn with_automatic_registers_the_service_draws_the_secret_and_nobody_contributes() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let automatic = CreateGameRequest { registration: 0, secret: vec![], ..committed() };
    let game = created(&mut client, automatic.clone()).await;
    assert_eq!(game.n, 1, "genesis and register");
    // The generator of the tests fills with sevens.
    let sevens = created(&mut client, CreateGameRequest { secret: vec![7; 64], ..automatic }).await;
    assert_eq!(game.frames, sevens.frames);
    let dealt = accepted(&mut client, dealing(&game.state, vec![], &[])).await;
    live(&[game.frames, dealt.frames].concat());
}

/// Plays a whole game to which the seats contribute; the finished log proves their contributions.
#[tokio::test]
async fn a_whole_committed_game_registers_contributes_and_reveals_round_by_round() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let game = created(&mut client, committed()).await;
    let (mut state, mut log, mut rounds) = (game.state, game.frames, 0);
    for turn in 0.. {
        let seen = view(&mut client, &state, role(Role::Table)).await;
        match seen.phase() {
            Phase::GameOver => break,
            Phase::Setup => {
                rounds += 1;
                let id = DealId::new(GameId([1; 16]), rounds, 1);
                let commitments =
                    (0..4).map(|seat| Commitment::seat(&id, Seat(seat), &[0x40 + seat; 32]).0.to_vec());
                let register = Register { commitments: commitments.collect(), ..Register::default() };
                let registered = recorded(&mut client, registering(&state, register)).await;
                (state, _) = (registered.state, log.extend(registered.frames));
            }
            Phase::Deal => {
                let dealt = accepted(&mut client, dealing(&state, (0..4).map(value).collect(), &[])).await;
                (state, _) = (dealt.state, log.extend(dealt.frames));
            }
            _ => {
                let who = seat(seen.to_act.expect("somebody is to act"));
                let asked = SuggestActionRequest {
                    state: state.clone(),
                    actor: who,
                    seed: turn,
                    ..Default::default()
                };
                let action = client.suggest_action(asked).await.expect("well formed").into_inner().action;
                let asked = ApplyActionRequest { actor: who, action, ..request(&state) };
                let played = accepted(&mut client, asked).await;
                (state, _) = (played.state, log.extend(played.frames));
            }
        }
    }
    let report = audit(&log, Expect::default());
    assert_eq!(
        report.findings,
        [],
        "the reveals open every commitment, and the cards follow from all of them"
    );
    assert!(rounds > 1 && report.rounds == rounds, "{rounds} rounds, {} proven", report.rounds);
    // The cards depend on one seat's value, which the log's own record holds: another value is found.
    let at = log.windows(32).position(|bytes| bytes == [0x40; 32]).expect("a contribution is in the log");
    log[at] ^= 1;
    assert_ne!(audit(&log, Expect::default()).findings, []);
}
