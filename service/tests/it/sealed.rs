//! Sealed states: equally long, opened only by their keys, and refused with the same answer for every reason.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use canasta_engine::deal::{Commitment, DealId, GameId};
use canasta_engine::seat::Seat;
use canasta_engine::token::{Catalogue, decode};
use canasta_proto::v1::action::{Deal, Kind};
use canasta_proto::v1::{
    self as pb, ApplyActionRequest, CreateGameRequest, GetViewRequest, Role, SuggestActionRequest, View,
};
use canasta_service::seal::Keyring;
use prost::Message;
use tonic::Code;

use crate::support::game::{
    Client, accepted, action, assert_field, created, dealt, draw, new_game, recorded, role, seat, view,
};
use crate::support::keys::write_ring;
use crate::support::{NOON, Server};

/// Maximum length of a sealed token, and of the reply to an ordinary action of Classic, in bytes (design,
/// section 4).
const TOKEN_BUDGET: usize = 340;
const REPLY_BUDGET: usize = 440;

/// Returns the path of a new key file; its lines are those of [`write_ring`].
fn ring(name: &str, lines: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ring-{name}"));
    write_ring(&path, lines);
    path
}

async fn sealing(ring: &Path, audience: &str) -> Server {
    let ring = ring.to_str().expect("a path in UTF-8");
    Server::start(&["--trusted-callers", "--seal-key-file", ring, "--audience", audience]).await
}

/// Returns everything that a caller receives when a state is refused.
async fn refusal(client: &mut Client, state: &[u8]) -> (Code, String, Vec<u8>) {
    let request = GetViewRequest { state: state.into(), actor: role(Role::Table) };
    let status = client.get_view(request).await.expect_err("refused");
    (status.code(), status.message().to_owned(), status.details().to_vec())
}

#[tokio::test]
async fn a_sealed_game_is_the_open_one_behind_tokens_of_one_length() {
    let server = Server::start(&[]).await;
    let sealer = sealing(&ring("game", &["active 1"]), "club").await;
    let (mut open, mut sealed) = (server.client().await, sealer.client().await);
    let first = (created(&mut open, new_game()).await.state, created(&mut sealed, new_game()).await.state);
    let (mut states, length) = (first.clone(), first.1.len());
    assert!(length <= TOKEN_BUDGET, "{length} bytes");
    let expiring = CreateGameRequest { expires_at_ms: Some(NOON + 60_000), ..new_game() };
    assert_eq!((length, created(&mut sealed, expiring).await.state.len()), (325, 325));
    let mut longest = 0;
    for turn in 0..300u64 {
        let seen: View = view(&mut open, &states.0, role(Role::Table)).await;
        let who = seen.to_act.map_or(role(Role::Table), seat);
        let wanted =
            SuggestActionRequest { state: states.0.clone(), actor: who, seed: turn, ..Default::default() };
        let suggested = open.suggest_action(wanted).await.expect("well formed").into_inner().action;
        let Some(suggested) = suggested else { break };
        let request = |state: &[u8]| ApplyActionRequest {
            state: state.into(),
            actor: who,
            action: Some(suggested.clone()),
            want_head: true,
            ..Default::default()
        };
        let plain = accepted(&mut open, request(&states.0)).await;
        let hidden = accepted(&mut sealed, request(&states.1)).await;
        let again = accepted(&mut sealed, request(&states.1)).await;
        assert_eq!(hidden, again, "the same request, the same bytes");
        assert_eq!((&plain.head, &plain.frames), (&hidden.head, &hidden.frames));
        assert_eq!(hidden.state.len(), length, "action {turn}");
        if seen.to_act.is_some() && hidden.round_end.is_none() {
            longest = longest.max(hidden.encoded_len());
        }
        // The token contains nothing of the hidden part: neither the secret nor the stock.
        assert!(!hidden.state.windows(8).any(|bytes| bytes == [2; 8]), "the game's secret is 64 twos");
        states = (plain.state, hidden.state);
    }
    assert!(longest > 0 && longest <= REPLY_BUDGET, "{longest} bytes");
    assert!(decode(&states.1, &Catalogue::new()).is_err(), "it is no open token");
    // Each server accepts only its own states.
    assert_eq!(refusal(&mut open, &states.1).await, refusal(&mut sealed, &states.0).await);
}

/// Returns the lengths of the states of a game: new, with two registers, dealt, and after actions before and after a
/// ruling. The bytes of the secret and of the registers are chosen, and so are the cards.
async fn lengths(client: &mut Client, byte: u8) -> [usize; 5] {
    let request = CreateGameRequest {
        deal_mode: pb::DealMode::Committed.into(),
        registration: pb::Registration::ByTable.into(),
        secret: vec![byte; 64],
        ..new_game()
    };
    let mut state = created(client, request).await.state;
    let mut lengths = [state.len(); 5];
    let value = |seat: u8| [byte ^ seat; 32];
    let commitment = |seat: u8| {
        let id = DealId::new(GameId([1; 16]), 1, 1);
        Commitment::seat(&id, Seat(seat), &value(seat)).0.to_vec()
    };
    let ask =
        |state: &[u8], who| ApplyActionRequest { state: state.into(), actor: who, ..Default::default() };
    let register = pb::Register { commitments: vec![commitment(0), commitment(1)], ..Default::default() };
    let request = ApplyActionRequest { register: Some(register), ..ask(&state, role(Role::Table)) };
    state = recorded(client, request).await.state;
    lengths[1] = state.len();
    let deal = Deal { contributions: vec![value(0).to_vec(), value(1).to_vec()], ..Default::default() };
    let request = ApplyActionRequest { action: action(Kind::Deal(deal)), ..ask(&state, role(Role::Table)) };
    state = accepted(client, request).await.state;
    lengths[2] = state.len();
    for is_ruled in [false, true] {
        if is_ruled {
            let ruling = pb::action::Ruling {
                by: pb::Authority::Director.into(),
                side: Some(0),
                rule: "IR-033".into(),
                points: -100,
                ..Default::default()
            };
            let action = action(Kind::Ruling(Box::new(ruling)));
            let request = ApplyActionRequest { action, ..ask(&state, role(Role::Director)) };
            state = accepted(client, request).await.state;
        }
        let length = state.len();
        lengths[3 + usize::from(is_ruled)] = length;
        for seed in 0..12 {
            let who = view(client, &state, role(Role::Table)).await.to_act.and_then(seat);
            let wanted =
                SuggestActionRequest { state: state.clone(), actor: who, seed, ..Default::default() };
            let action = client.suggest_action(wanted).await.expect("well formed").into_inner().action;
            state = accepted(client, ApplyActionRequest { action, ..ask(&state, who) }).await.state;
            assert_eq!(state.len(), length, "action {seed}, ruled: {is_ruled}");
        }
    }
    lengths
}

/// Seals games that differ in their secrets, cards and actions: the lengths change at the same records.
#[tokio::test]
async fn only_registers_and_rulings_change_the_length_of_a_sealed_state() {
    let server = sealing(&ring("lengths", &["active 1"]), "club").await;
    let mut client = server.client().await;
    let first = lengths(&mut client, 3).await;
    assert_eq!(lengths(&mut client, 0xe8).await, first);
    let [new, registered, dealt, played, ruled] = first;
    assert_eq!(registered, new + 2 * 32, "two seats have registered");
    assert_eq!((dealt, played), (new, new), "the registers are used up");
    assert!(ruled > played, "{ruled}");
}

#[tokio::test]
async fn whatever_is_wrong_the_caller_learns_the_same() {
    let server = sealing(&ring("wrong", &["active 1", "revoked 2"]), "club").await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let request = GetViewRequest { state: state.clone(), actor: seat(to_act) };
    client.get_view(request).await.expect("a good state");
    let expected = refusal(&mut client, b"no state").await;
    assert_eq!(
        (expected.0, expected.1.as_str()),
        (Code::InvalidArgument, "state: not a state of this service")
    );

    for bit in 0..state.len() * 8 {
        let mut bent = state.clone();
        bent[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(refusal(&mut client, &bent).await, expected, "bit {bit}");
    }
    for length in 1..state.len() {
        assert_eq!(refusal(&mut client, &state[..length]).await, expected, "cut at {length}");
    }
    assert_eq!(refusal(&mut client, &[&state[..], &[0]].concat()).await, expected, "longer");

    // The beginning of one token before the end of another: of another record, and of another game.
    let drawn = ApplyActionRequest {
        state: state.clone(),
        actor: seat(to_act),
        action: draw(),
        ..Default::default()
    };
    let later = accepted(&mut client, drawn).await.state;
    let mut other = new_game();
    other.game_id = vec![9; 16];
    let other = created(&mut client, other).await.state;
    for (one, another) in [(&state, &later), (&later, &state), (&state, &other), (&other, &state)] {
        for at in [6, 8, 24, 56, state.len() - 16] {
            let spliced = [&one[..at], &another[at..]].concat();
            if spliced != **one && spliced != **another {
                assert_eq!(refusal(&mut client, &spliced).await, expected, "spliced at {at}");
            }
        }
    }

    // Tokens of another audience, of an unknown key, of a revoked key, and an expired one.
    for (ring_of, audience) in [
        (ring("elsewhere", &["active 1"]), "another club"),
        (ring("unknown", &["active 2"]), "club"),
        (ring("revoked", &["active 2"]), "club"),
    ] {
        let elsewhere = sealing(&ring_of, audience).await;
        let state = created(&mut elsewhere.client().await, new_game()).await.state;
        assert_eq!(refusal(&mut client, &state).await, expected, "{}", ring_of.display());
    }
    let mut short = new_game();
    short.expires_at_ms = Some(NOON + 1);
    let state = created(&mut client, short.clone()).await.state;
    client.get_view(GetViewRequest { state, actor: seat(0) }).await.expect("not over yet");
    let open = Server::start(&[]).await;
    let mut over = created(&mut open.client().await, short).await.state;
    // The expiry follows magic, version, preset, flags, game id, head and secret.
    over[116..124].copy_from_slice(&NOON.to_le_bytes());
    let over = decode(&over, &Catalogue::new()).expect("a state that is over");
    let own = Keyring::read(&ring("own", &["active 1"]), "club").expect("a ring");
    assert_eq!(refusal(&mut client, &own.seal(&over)).await, expected, "its time is over");
}

#[tokio::test]
async fn keys_are_changed_while_games_go_on() {
    let (old, both, new) = (
        ring("old", &["active 1", "open-only 2"]),
        ring("both", &["open-only 1", "active 2"]),
        ring("new", &["active 2", "revoked 1"]),
    );
    let deal = |state: Vec<u8>| ApplyActionRequest {
        state,
        actor: role(Role::Table),
        action: action(Kind::Deal(Deal::default())),
        ..Default::default()
    };
    let (before, during, after) =
        (sealing(&old, "club").await, sealing(&both, "club").await, sealing(&new, "club").await);
    let first = created(&mut before.client().await, new_game()).await.state;
    let mut client = during.client().await;
    let second = accepted(&mut client, deal(first.clone())).await.state;
    assert_ne!(first[2..6], second[2..6], "sealed with the key that is active now");
    // A server that still has the old file opens it too.
    view(&mut before.client().await, &second, role(Role::Table)).await;
    let mut client = after.client().await;
    view(&mut client, &second, role(Role::Table)).await;
    assert_eq!(refusal(&mut client, &first).await, refusal(&mut client, b"no state").await);
}

/// Checks that a `request_id` makes a retry safe: the game is the same on every server, while the key is there and
/// whichever key seals, and no other request gets its id or its cards.
#[tokio::test]
async fn a_retry_creates_the_same_game_on_every_server() {
    let rings = [
        ring("retry-old", &["active 1"]),
        ring("retry-both", &["open-only 1", "active 2"]),
        ring("retry-new", &["active 2"]),
    ];
    let request = |id: u8| CreateGameRequest {
        game_id: vec![],
        secret: vec![],
        request_id: vec![id; 16],
        started_at_ms: Some(NOON),
        ..new_game()
    };
    let mut games = Vec::new();
    for ring in &rings {
        let mut client = sealing(ring, "club").await.client().await;
        let game = created(&mut client, request(5)).await;
        let again = created(&mut client, request(5)).await;
        assert_eq!(again, game, "byte for byte");
        games.push(game);
    }
    let log = |game: &pb::Created| (game.game_id.clone(), game.head.clone(), game.frames.clone());
    assert_eq!(log(&games[0]), log(&games[1]), "another key seals");
    assert_ne!(games[0].game_id, games[2].game_id, "the key has left the ring");
    // The commitment of the first register differs with the secret, and the head with both.
    let mut client = sealing(&rings[0], "club").await.client().await;
    let watched = CreateGameRequest { observers: role(Role::Table).into_iter().collect(), ..request(5) };
    assert_eq!(log(&created(&mut client, watched).await), log(&games[0]), "a retry may ask for observers");
    for other in [
        request(6),
        CreateGameRequest { started_at_ms: None, ..request(5) },
        CreateGameRequest { rule_set: "samba-4p".into(), ..request(5) },
    ] {
        assert_ne!(created(&mut client, other).await.game_id, games[0].game_id);
    }
    let mut elsewhere = sealing(&rings[0], "other").await.client().await;
    assert_ne!(created(&mut elsewhere, request(5)).await.game_id, games[0].game_id, "another audience");
    for (bad, client) in [
        (CreateGameRequest { request_id: vec![5; 15], ..request(5) }, &mut client),
        (request(5), &mut Server::start(&[]).await.client().await),
    ] {
        assert_field(&client.create_game(bad).await.expect_err("refused"), "request_id");
    }
}

#[test]
fn key_files_are_made_and_guarded() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seal-keys");
    let _ = fs::remove_file(&place);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_canasta-service"));
        let output = command.args(arguments).output().expect("the program runs");
        let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        (output.status.code(), said)
    };
    let file = place.to_str().expect("a path in UTF-8");
    for word in ["active", "open-only"] {
        let (code, said) = run(&["keygen", file]);
        assert_eq!(code, Some(0), "{said}");
        assert!(
            said.starts_with(&format!("{word} SEAL+KEY+")) && said.trim().len() < 40,
            "no key is shown: {said}"
        );
    }
    assert_eq!(fs::metadata(&place).expect("made").permissions().mode() & 0o777, 0o600);
    Keyring::read(&place, "").expect("a ring");
    let listen = ["--listen", "127.0.0.1:0", "--seal-key-file", file];
    let (code, said) = run(&listen);
    assert!(code == Some(64) && said.contains("--trusted-callers"), "{code:?} {said}");
    fs::set_permissions(&place, fs::Permissions::from_mode(0o640)).expect("our file");
    let (code, said) = run(&[&listen[..], &["--trusted-callers"]].concat());
    assert!(code == Some(64) && said.contains("other users can read the file"), "{code:?} {said}");
    let (code, said) = run(&["keygen", file]);
    assert!(code == Some(2) && said.contains("other users can read the file"), "{code:?} {said}");
}
