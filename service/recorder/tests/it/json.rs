//! Streams of answers as `curl` asks for them: in JSON, with their first message.

use std::time::Duration;

use base64ct::{Base64, Encoding};
use canasta_proto::v1::*;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::game::*;
use crate::support::server::Recorder;

/// Calls a method of RecordService. Returns the status of HTTP, and the JSON of the answer.
async fn call(recorder: &Recorder, method: &str, request: &Value) -> (u16, Value) {
    let (body, address) = (request.to_string(), recorder.address);
    let head = format!(
        "POST /canasta.v1.RecordService/{method} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all((head + &body).as_bytes()).await.expect("it reads");
    let mut answer = String::new();
    let reading = stream.read_to_string(&mut answer);
    let _ = tokio::time::timeout(Duration::from_secs(20), reading).await.expect("it answers in time");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}")))
}

/// Reads a log of more than one piece, piece by piece, and watches for the next entry.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_is_answered_with_its_first_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    for id in 0..20 {
        let mut request = act(&game, 100 + id, role(Role::Director), None);
        request.proposals[0].record = remark("x".repeat(4_000));
        acted(&mut client, request).await;
    }
    let whole = log(&mut client, &game, role(Role::Director)).await;
    let asked = |from_n: u64| json!({"gameId": Base64::encode_string(&game), "actor": {"role": "ROLE_DIRECTOR"}, "fromN": from_n.to_string()});
    let (mut read, mut next, mut pieces) = (Vec::new(), 0, 0);
    let mut is_last = false;
    while !is_last {
        let (status, piece) = call(&recorder, "GetLog", &asked(next)).await;
        assert_eq!(status, 200, "{piece}");
        read.extend(Base64::decode_vec(piece["frames"].as_str().expect("frames")).expect("bytes"));
        next = piece["n"].as_str().and_then(|n| n.parse::<u64>().ok()).expect("the last record") + 1;
        is_last = piece["last"] == true;
        pieces += 1;
    }
    assert_eq!((pieces, read), (2, whole));
    let (status, fault) = call(&recorder, "GetLog", &asked(next)).await;
    assert_eq!((status, &fault["code"]), (400, &json!("invalid_argument")), "nothing is there yet");
    let request = asked(next);
    let watching = call(&recorder, "Watch", &request);
    let acting = async {
        let mut request = act(&game, 200, role(Role::Director), None);
        request.proposals[0].record = remark("behind the watcher");
        acted(&mut client, request).await.log_end.expect("the end").n
    };
    let ((status, message), n) = tokio::join!(watching, acting);
    assert_eq!((status, message["logEnd"]["n"].clone()), (200, json!(n.to_string())), "{message}");
    recorder.stop().await;
}
