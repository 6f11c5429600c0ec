//! Clients that go on sending after their request is refused: no harm to other streams of the connection.

use crate::support;
use crate::support::Server;
use crate::support::game::{created, new_game};
use crate::support::wire::{
    DATA, END_HEADERS, END_STREAM, HEADERS, RST_STREAM, WINDOW_UPDATE, Wire, call, call_path, message,
};
use canasta_proto::v1::{PlayRequest, PlayResponse};
use prost::Message;

/// Number of refused requests of each kind: some more than the connection would survive as errors (128), and more
/// than the transport remembers after a reset (50).
const REFUSED: u32 = 600;
/// RFC 9113, section 7.
const NO_ERROR: u32 = 0;

/// Reads until the answer on this stream has ended. Returns its messages.
async fn answered(wire: &mut Wire, stream: u32) -> Vec<u8> {
    let mut data = Vec::new();
    loop {
        let frame = wire.next().await.expect("the connection lives");
        assert_ne!(frame.kind, support::wire::GOAWAY, "after stream {stream}: {frame:?}");
        if frame.stream == stream {
            assert_ne!(frame.kind, RST_STREAM, "stream {stream}: {frame:?}");
            if frame.kind == DATA {
                data.extend(&frame.payload);
            }
            if frame.flags & END_STREAM != 0 && matches!(frame.kind, DATA | HEADERS) {
                return data;
            }
        }
    }
}

/// Connects, opens a Play stream (number 1) and waits for its first answer. Returns the state too.
async fn playing(server: &Server) -> (Wire, Vec<u8>) {
    let state = created(&mut server.client().await, new_game()).await.state;
    let mut wire = Wire::connect(server.address).await;
    wire.send(WINDOW_UPDATE, 0, 0, &(1_u32 << 30).to_be_bytes()).await;
    wire.call(1, "Play").await;
    let first = PlayRequest { state: state.clone(), ..PlayRequest::default() };
    wire.send(DATA, 0, 1, &message(&first.encode_to_vec())).await;
    assert_eq!(wire.until(DATA).await.stream, 1);
    (wire, state)
}

#[tokio::test]
async fn refused_uploads_leave_the_other_streams_alone() {
    let server = Server::start(&[]).await;
    let (mut wire, state) = playing(&server).await;
    let piece = message(&[0x12, 4, 1, 2, 3, 4]);
    let mut stream = 1;
    for _ in 0..REFUSED {
        stream += 2;
        wire.send(HEADERS, END_HEADERS, stream, &call_path("/canasta.v1.AuditService/AuditLog")).await;
        // The question comes first: this log is refused at once.
        wire.send(DATA, 0, stream, &piece).await;
        answered(&mut wire, stream).await;
        for _ in 0..20 {
            wire.send(DATA, 0, stream, &piece).await;
        }
        wire.send(DATA, END_STREAM, stream, &[]).await;
    }
    let first = message(&PlayRequest { state: state.clone(), ..PlayRequest::default() }.encode_to_vec());
    for _ in 0..REFUSED {
        stream += 2;
        wire.call(stream, "Play").await;
        // A second state is refused, and 50 more messages are on their way.
        wire.send(DATA, 0, stream, &first.repeat(2)).await;
        for _ in 0..50 {
            wire.send(DATA, 0, stream, &first).await;
        }
        answered(&mut wire, stream).await;
        wire.send(DATA, END_STREAM, stream, &[]).await;
    }
    // The stream that was idle all the time is played on, and ends with its state.
    let ask = PlayRequest { want_state: true, ..PlayRequest::default() };
    wire.send(DATA, END_STREAM, 1, &message(&ask.encode_to_vec())).await;
    let answers = answered(&mut wire, 1).await;
    let answer = PlayResponse::decode(&answers[5..][..answers[4] as usize + 256 * answers[3] as usize]);
    assert_eq!(answer.expect("an answer").state, state);
}

/// Checks that a client that neither ends its request nor sends anything is reset, without an error, once the rest
/// of its request was waited for.
#[tokio::test]
async fn what_is_left_of_a_request_is_not_waited_for_without_end() {
    let server = Server::start(&[]).await;
    let mut wire = Wire::connect(server.address).await;
    wire.send(HEADERS, END_HEADERS, 1, &call("NoSuchMethod")).await;
    answered(&mut wire, 1).await;
    let reset = wire.until(RST_STREAM).await;
    assert_eq!((reset.stream, reset.code()), (1, NO_ERROR));
}
