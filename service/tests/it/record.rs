//! The records of the log besides actions: registers, notes, signatures and checkpoints.

use crate::support::game::{
    accepted, action, assert_field, codes, created, dealt, draw, new_game, recorded, rejected, role, seat,
    view,
};
use crate::support::keys::write_private;
use crate::support::{NOON, Server};
use base64ct::{Base64, Encoding};
use canasta_engine::action::Action;
use canasta_engine::action::Ruling;
use canasta_engine::card::Card;
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::{Head, Reader, Record, action_bytes, ruling_message, seat_message};
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_proto::v1::action::{self as proposal, Deal, Kind};
use canasta_proto::v1::{
    ApplyActionRequest, Authority, CreateGameRequest, DealMode, Effect, GetServerInfoRequest, Note, Player,
    Register, Registration, Role, View, Wall, effect,
};
use ed25519_dalek::{Signer, SigningKey};
use sha2::Digest;
use tonic::Code;
use tonic_types::StatusExt;

fn request(state: &[u8], who: Option<canasta_proto::v1::Actor>) -> ApplyActionRequest {
    ApplyActionRequest { state: state.into(), actor: who, ..Default::default() }
}

fn deal() -> Option<canasta_proto::v1::Action> {
    action(Kind::Deal(Deal::default()))
}

fn noted(state: &[u8], who: Option<canasta_proto::v1::Actor>, text: &str) -> ApplyActionRequest {
    ApplyActionRequest { note: Some(Note { text: text.into() }), ..request(state, who) }
}

fn live(log: &[u8]) -> Report {
    let report = audit(log, Expect { live: true, ..Expect::default() });
    assert_eq!(report.findings, []);
    report
}

#[tokio::test]
async fn a_note_is_recorded_and_changes_nothing_else() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let game = created(&mut client, new_game()).await;
    let before = view(&mut client, &game.state, role(Role::Table)).await;
    let mut log = game.frames.clone();
    let mut state = game.state;
    for (n, who) in [(2, seat(1)), (3, role(Role::Table)), (4, role(Role::Director))] {
        let recorded = recorded(&mut client, noted(&state, who, "a short break")).await;
        assert_eq!((recorded.n, recorded.seq), (n, 0));
        log.extend(recorded.frames);
        state = recorded.state;
    }
    assert_eq!(live(&log).remarks, 3);
    let after = view(&mut client, &state, role(Role::Table)).await;
    assert_eq!(View { n: before.n, head: before.head.clone(), ..after }, before);
    for (bad, path) in [
        (noted(&state, seat(0), ""), "note.text"),
        (noted(&state, seat(0), &"x".repeat(4097)), "note.text"),
        (noted(&state, role(Role::Judge), "I saw it"), "actor"),
        (ApplyActionRequest { action: draw(), ..noted(&state, seat(0), "x") }, "action"),
    ] {
        assert_field(&client.apply_action(bad).await.expect_err(path), path);
    }
}

/// Returns a wall in which cards of one kind lie far apart.
fn wall() -> Option<Wall> {
    let rules = Rules::preset("classic-4p").expect("the main game");
    let cards: Vec<Card> = rules.census().iter().collect();
    let mixed = (0..cards.len()).map(|i| cards[i * 35 % cards.len()].to_string()).collect();
    Some(Wall { cards: mixed, salt: vec![3; 32] })
}

#[tokio::test]
async fn the_table_registers_each_deal_where_it_wants_to() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let by_table =
        |game: CreateGameRequest| CreateGameRequest { registration: Registration::ByTable.into(), ..game };
    let explicit = CreateGameRequest {
        deal_mode: DealMode::Explicit.into(),
        secret: vec![],
        wall: wall(),
        dealer: Some(0),
        ..new_game()
    };
    for (game, wall) in [(by_table(new_game()), None), (by_table(explicit), wall())] {
        let game = created(&mut client, game).await;
        assert_eq!(game.n, 0, "the genesis alone");
        let early = ApplyActionRequest { action: deal(), ..request(&game.state, role(Role::Table)) };
        assert_eq!(codes(&rejected(&mut client, early).await), ["SETUP_WRONG_TIME"]);
        let register = Some(Register { wall: wall.clone(), ..Default::default() });
        let by_seat = ApplyActionRequest { register: register.clone(), ..request(&game.state, seat(0)) };
        assert_eq!(codes(&rejected(&mut client, by_seat).await), ["TURN_NOT_YOURS"]);
        let register = ApplyActionRequest { register, ..request(&game.state, role(Role::Table)) };
        let registered = recorded(&mut client, register.clone()).await;
        assert_eq!((registered.n, registered.seq), (1, 0));
        let again = ApplyActionRequest { state: registered.state.clone(), ..register };
        assert_eq!(codes(&rejected(&mut client, again).await), ["SETUP_WRONG_TIME"]);
        let dealing = ApplyActionRequest { action: deal(), ..request(&registered.state, role(Role::Table)) };
        let dealt = accepted(&mut client, dealing).await;
        live(&[game.frames, registered.frames, dealt.frames].concat());
    }
}

#[tokio::test]
async fn a_register_has_a_whole_wall_where_it_needs_one_and_none_elsewhere() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let by_table = CreateGameRequest { registration: Registration::ByTable.into(), ..new_game() };
    let seeded = created(&mut client, by_table.clone()).await.state;
    let register = |wall| Some(Register { wall, ..Default::default() });
    let bad = ApplyActionRequest { register: register(wall()), ..request(&seeded, role(Role::Table)) };
    assert_field(&client.apply_action(bad).await.expect_err("a wall"), "register.wall");
    let explicit = CreateGameRequest {
        deal_mode: DealMode::Explicit.into(),
        secret: vec![],
        wall: wall(),
        dealer: Some(0),
        ..by_table
    };
    let explicit = created(&mut client, explicit).await.state;
    let first = ApplyActionRequest { register: register(None), ..request(&explicit, role(Role::Table)) };
    assert_eq!(recorded(&mut client, first).await.n, 1, "the first wall came with the game");
    let mut short = wall().expect("a wall");
    short.cards.pop();
    let short =
        ApplyActionRequest { register: register(Some(short)), ..request(&explicit, role(Role::Table)) };
    assert_eq!(codes(&rejected(&mut client, short).await), ["SETUP_DECK"]);
}

#[tokio::test]
async fn a_signature_must_be_that_of_the_seats_key() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let key = |seat: u8| SigningKey::from_bytes(&[seat + 1; 32]);
    let player = |seat: u8| Player {
        name: format!("Player {seat}"),
        // Seat 0 has no key.
        public_key: if seat == 0 { vec![] } else { key(seat).verifying_key().to_bytes().to_vec() },
    };
    let game = CreateGameRequest { players: (0..4).map(player).collect(), ..new_game() };
    let game = created(&mut client, game).await;
    let dealing =
        ApplyActionRequest { action: deal(), want_head: true, ..request(&game.state, role(Role::Table)) };
    let dealt = accepted(&mut client, dealing).await;
    let to_act = view(&mut client, &dealt.state, role(Role::Table)).await.to_act.expect("somebody is to act");
    assert_ne!(to_act, 0, "of this game: another secret, if that changes");
    let head: [u8; 32] = dealt.head[..].try_into().expect("a head");
    let bytes = action_bytes(&Action::DrawStock).expect("an action");
    let message = seat_message(&head, Seat(to_act as u8), &bytes);
    let signed = |key: SigningKey| key.sign(&message).to_bytes().to_vec();
    let drawing =
        |signature| ApplyActionRequest { action: draw(), signature, ..request(&dealt.state, seat(to_act)) };

    for bad in [signed(key(9)), vec![0; 64], vec![1; 63]] {
        assert_field(&client.apply_action(drawing(bad)).await.expect_err("another key"), "signature");
    }
    let nobodys = ApplyActionRequest { actor: seat(0), ..drawing(signed(key(0))) };
    assert_field(&client.apply_action(nobodys).await.expect_err("no key"), "signature");
    let drawn = accepted(&mut client, drawing(signed(key(to_act as u8)))).await;
    let report = live(&[game.frames, dealt.frames, drawn.frames].concat());
    assert_eq!((report.actions, report.signed_actions), (2, 1));
}

/// Returns the ruling in the last record of a log, and the head before it.
fn last_ruling(mut log: &[u8]) -> (Head, Ruling) {
    let (mut reader, mut last) = (Reader::new(), None);
    while let Some(frame) = reader.next(&mut log).expect("a log") {
        if let Ok(Record::Action(record)) = frame.record()
            && let Action::Ruling(ruling) = record.action
        {
            last = Some((frame.before, *ruling));
        }
    }
    last.expect("a ruling")
}

#[tokio::test]
async fn a_ruling_is_signed_with_the_key_of_the_director() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let key = SigningKey::from_bytes(&[9; 32]);
    let game = CreateGameRequest { director_key: key.verifying_key().to_bytes().to_vec(), ..new_game() };
    let game = created(&mut client, game).await;
    let dealing = ApplyActionRequest { action: deal(), ..request(&game.state, role(Role::Table)) };
    let dealt = accepted(&mut client, dealing).await;
    let ruling = |signature: Vec<u8>| {
        let effect = effect::Kind::Forfeit(effect::Forfeit { side: Some(0), ..effect::Forfeit::default() });
        let effect = Some(Box::new(Effect { kind: Some(effect) }));
        let (by, rule) = (Authority::Director.into(), "IR-033".into());
        let ruling =
            proposal::Ruling { by, side: Some(0), rule, effect, signature, ..proposal::Ruling::default() };
        let action = action(Kind::Ruling(Box::new(ruling)));
        ApplyActionRequest { action, ..request(&dealt.state, role(Role::Director)) }
    };
    let unsigned = accepted(&mut client, ruling(vec![])).await;
    let (before, asked) = last_ruling(&[&game.frames[..], &dealt.frames, &unsigned.frames].concat());
    let message = ruling_message(&before, &asked).expect("a ruling that a log can hold");
    for (key, expected) in [(key, vec![]), (SigningKey::from_bytes(&[8; 32]), vec![FindingKind::Signature])] {
        let signed = accepted(&mut client, ruling(key.sign(&message).to_bytes().to_vec())).await;
        let log = [&game.frames[..], &dealt.frames, &signed.frames].concat();
        let report = audit(&log, Expect { live: true, ..Expect::default() });
        let found: Vec<_> = report.findings.iter().map(|finding| finding.kind).collect();
        assert_eq!(found, expected, "{:?}", report.findings);
    }
}

#[tokio::test]
async fn a_checkpoint_is_signed_with_the_servers_key_and_refused_without_one() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, _) = dealt(&mut client).await;
    let wanted = ApplyActionRequest { checkpoint: true, ..noted(&state, role(Role::Director), "a break") };
    let status = client.apply_action(wanted.clone()).await.expect_err("no key");
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert_eq!(status.get_details_error_info().expect("an ErrorInfo").reason, "NO_SIGNING_KEY");

    let file = std::env::temp_dir().join(format!("canasta-key-{}", std::process::id()));
    // The hash is not read: the key is the server's own.
    write_private(
        &file,
        "PRIVATE+KEY+example.org/table+00000000+AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB\n",
    );
    let server = Server::start(&["--signing-key-file", file.to_str().expect("a path")]).await;
    let mut client = server.client().await;
    let recorded = recorded(&mut client, wanted).await;
    std::fs::remove_file(file).expect("it was written");
    assert_eq!(recorded.n, 4, "genesis, register, deal, note, checkpoint");
    let text = String::from_utf8_lossy(&recorded.frames);
    assert!(text.contains(&format!("canasta-log/1/{}\n3\n", "01".repeat(16))), "{text}");
    assert!(text.contains("\u{2014} example.org/table "), "{text}");

    // The key that the server names is that of the file, as C2SP's signed notes write it.
    let info = client.get_server_info(GetServerInfoRequest {}).await.expect("open to all").into_inner();
    let public = SigningKey::from_bytes(&[1; 32]).verifying_key();
    let typed = [&[1][..], public.as_bytes()].concat();
    let hash = sha2::Sha256::digest([b"example.org/table\n", &typed[..]].concat());
    let hash: String = hash[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = format!("example.org/table+{hash}+{}", Base64::encode_string(&typed));
    assert_eq!(info.checkpoint_key, expected);
}

#[tokio::test]
async fn an_expired_state_is_none_of_the_services() {
    let server = Server::start(&["--max-lifetime-ms", "1000"]).await;
    let mut client = server.client().await;
    let game = |expires_at_ms| CreateGameRequest { expires_at_ms, ..new_game() };
    for bad in [None, Some(NOON), Some(NOON + 1001)] {
        assert_field(&client.create_game(game(bad)).await.expect_err("refused"), "expires_at_ms");
    }
    let state = created(&mut client, game(Some(NOON + 1000))).await.state;
    view(&mut client, &state, role(Role::Table)).await;
    // The same state with another expiry.
    let at = state.windows(8).position(|bytes| bytes == (NOON + 1000).to_le_bytes()).expect("the expiry");
    let mut expired = state;
    expired[at..at + 8].copy_from_slice(&NOON.to_le_bytes());
    let request = ApplyActionRequest { action: deal(), ..request(&expired, role(Role::Table)) };
    let status = client.apply_action(request).await.expect_err("expired");
    assert_eq!(status.get_details_error_info().expect("an ErrorInfo").reason, "STATE_TOKEN_INVALID");
}
