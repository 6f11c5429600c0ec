//! The limits of a connection, met by a client that keeps none of them.

use crate::support;
use crate::support::Server;
use crate::support::wire::{
    CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PING, RST_STREAM, SETTINGS, Wire, call,
    literal, message,
};

/// Error codes of HTTP/2 (RFC 9113, section 7).
const NO_ERROR: u32 = 0;
const REFUSED_STREAM: u32 = 7;
const ENHANCE_YOUR_CALM: u32 = 11;

/// A GetRule request with `rule_id`: field 1, its length, its text.
const RULE: &[u8] = b"\x0a\x06CL-050";

#[tokio::test]
async fn a_client_that_does_not_answer_a_ping_is_closed() {
    let server = Server::start(&["--keepalive-ms", "100", "--keepalive-timeout-ms", "1500"]).await;
    let mut wire = Wire::connect(server.address).await;
    for _ in 0..3 {
        let ping = wire.until(PING).await;
        wire.send(PING, support::wire::ACK, 0, &ping.payload).await;
    }
    wire.until(PING).await;
    wire.end().await;
}

/// Checks that there is no grace period, which would cut active requests.
#[tokio::test]
async fn an_old_connection_is_told_to_go_and_what_runs_is_answered() {
    let server = Server::start(&["--max-age-ms", "1000", "--deadline-ms", "60000"]).await;
    let mut wire = Wire::connect(server.address).await;
    wire.call(1, "GetRule").await;
    assert_eq!(wire.until(GOAWAY).await.code(), NO_ERROR);
    wire.send(DATA, END_STREAM, 1, &message(RULE)).await;
    let answer = wire.until(DATA).await;
    assert!(answer.stream == 1 && answer.payload.len() > 100, "{answer:?}");
    assert_eq!(wire.end().await.unwrap_or(NO_ERROR), NO_ERROR);
}

/// Checks that 64 streams may be open. They do not count as active requests, of which there may be 32.
#[tokio::test]
async fn the_65th_stream_of_a_connection_is_refused() {
    let server = Server::start(&[]).await;
    let mut wire = Wire::connect(server.address).await;
    for number in 0..64 {
        wire.call(1 + 2 * number, "Play").await;
        assert_eq!(wire.until(HEADERS).await.stream, 1 + 2 * number, "its head");
    }
    wire.call(129, "Play").await;
    let refused = wire.until(RST_STREAM).await;
    assert_eq!((refused.stream, refused.code()), (129, REFUSED_STREAM));
}

/// Checks that a request whose answer is unread still counts as active: 32 connections then hold half of the places,
/// with any number of streams.
#[tokio::test]
async fn a_connection_with_32_untaken_answers_gets_no_more() {
    let server = Server::start(&[]).await;
    let mut wire = Wire::connect(server.address).await;
    // SETTINGS_INITIAL_WINDOW_SIZE is 4: the client takes only the head of each answer.
    wire.send(SETTINGS, 0, 0, &[0, 4, 0, 0, 0, 0]).await;
    for number in 0..33 {
        wire.call(1 + 2 * number, "GetRule").await;
        wire.send(DATA, END_STREAM, 1 + 2 * number, &message(RULE)).await;
        let head = wire.until(HEADERS).await;
        // A refusal has no message.
        assert_eq!(head.flags & END_STREAM != 0, number == 32, "{number}");
    }
}

#[tokio::test]
async fn a_head_of_more_than_16_kib_is_refused_and_the_connection_goes_on() {
    let server = Server::start(&[]).await;
    let mut wire = Wire::connect(server.address).await;
    let head = [call("GetRule"), literal("x-long", &"y".repeat(17_000))].concat();
    let (first, rest) = head.split_at(16_000);
    wire.send(HEADERS, END_STREAM, 1, first).await;
    wire.send(CONTINUATION, END_HEADERS, 1, rest).await;
    let refused = wire.until(HEADERS).await;
    // `:status` is the name 8 of the static table (RFC 7541, appendix A); 431 has no entry of its own.
    assert!(refused.stream == 1 && refused.flags & END_STREAM != 0 && refused.payload[0] & 0x0f == 8);
    wire.call(3, "GetRule").await;
    wire.send(DATA, END_STREAM, 3, &message(RULE)).await;
    assert_eq!(wire.until(DATA).await.stream, 3);
}

/// Sends requests without a method. Each is reset, which must end: after 128 resets.
#[tokio::test]
async fn malformed_requests_end_their_connection() {
    let server = Server::start(&[]).await;
    let mut wire = Wire::connect(server.address).await;
    let head = [literal(":scheme", "http"), literal(":path", "/")].concat();
    for number in 0..200 {
        wire.send(HEADERS, END_HEADERS | END_STREAM, 1 + 2 * number, &head).await;
    }
    let mut resets = 0;
    let code = loop {
        let frame = wire.next().await.expect("a word before the end");
        match frame.kind {
            RST_STREAM => resets += 1,
            GOAWAY => break frame.code(),
            _ => {}
        }
    };
    assert!(code == ENHANCE_YOUR_CALM && resets <= 128, "{resets} resets, then {code}");
}

/// Resets all requests of a burst before they are taken up; 20 may be reset.
#[tokio::test]
async fn requests_that_are_taken_back_at_once_end_their_connection() {
    let server = Server::start(&[]).await;
    let mut wire = Wire::connect(server.address).await;
    for number in 0..1000 {
        wire.call(1 + 2 * number, "GetRule").await;
        wire.send(RST_STREAM, 0, 1 + 2 * number, &8u32.to_be_bytes()).await;
    }
    assert_eq!(wire.end().await, Some(ENHANCE_YOUR_CALM));
}

/// Opens one connection more than there may be from one address, and then one from another address. It gets a place at
/// once, and the one that was unused for longest is closed.
#[tokio::test]
async fn there_are_so_many_connections_and_a_peer_without_one_gets_one() {
    let server = Server::start(&["--max-connections", "2"]).await;
    let mut first = Wire::connect_from(server.address, [127, 0, 0, 2]).await;
    let mut second = Wire::connect_from(server.address, [127, 0, 0, 2]).await;
    for wire in [&mut first, &mut second] {
        wire.until(SETTINGS).await;
    }
    let mut third = Wire::connect_from(server.address, [127, 0, 0, 2]).await;
    assert!(third.next().await.is_none(), "closed without a word");
    let mut other = Wire::connect_from(server.address, [127, 0, 0, 3]).await;
    other.until(SETTINGS).await;
    while first.next().await.is_some() {}
    drop(second);
    // The server may not have seen the end of the second one yet.
    while Wire::connect_from(server.address, [127, 0, 0, 2]).await.next().await.is_none() {}
}

/// Checks that the kernel detects a peer that has gone silently, 60 s after the last byte.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_kernel_asks_after_peers_too() {
    let server = Server::start(&[]).await;
    let mut wire = Wire::connect(server.address).await;
    wire.until(SETTINGS).await;
    // Each connection's end is a line of this file (proc_pid_net(5)): local and remote address, state,
    // queues, `timer:when` in hundredths of a second; timer 2 is the keepalive's.
    let hex = |port: u16| format!(":{port:04X}");
    let (here, there) = (hex(server.address.port()), hex(wire.local().port()));
    let of_server = |line: &&str| {
        let mut ends = line.split_whitespace().skip(1);
        ends.next().is_some_and(|end| end.ends_with(&here))
            && ends.next().is_some_and(|end| end.ends_with(&there))
    };
    let when = loop {
        let table = std::fs::read_to_string("/proc/net/tcp").expect("Linux has it");
        let line = table.lines().find(of_server).expect("the server's end");
        match line.split_whitespace().nth(5).and_then(|timer| timer.split_once(':')) {
            Some(("02", when)) => break when.to_owned(),
            // The last bytes that the server sent may not be acknowledged yet, which has a timer of its own.
            Some(("01" | "04", _)) => tokio::task::yield_now().await,
            _ => panic!("{line}"),
        }
    };
    let when = u64::from_str_radix(&when, 16).expect("hundredths of a second");
    assert!((5_000..=6_000).contains(&when), "{when}");
}
