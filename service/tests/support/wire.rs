//! HTTP/2 by hand, for saying what no library would say: frames, and header blocks without compression (RFC 9113,
//! RFC 7541).

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const GOAWAY: u8 = 7;
pub const CONTINUATION: u8 = 9;
pub const END_STREAM: u8 = 1;
pub const ACK: u8 = 1;
pub const END_HEADERS: u8 = 4;

/// Far above what any answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection that has said its preface.
pub struct Wire(TcpStream);

#[derive(Debug)]
pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

impl Frame {
    /// The error code at the end of RST_STREAM, or behind the last stream of GOAWAY.
    pub fn code(&self) -> u32 {
        let at = if self.kind == GOAWAY { 4 } else { 0 };
        u32::from_be_bytes(self.payload[at..at + 4].try_into().expect("four bytes"))
    }
}

impl Wire {
    pub async fn connect(server: SocketAddr) -> Self {
        Self::connect_from(server, [127, 0, 0, 1]).await
    }

    /// From this loopback address.
    pub async fn connect_from(server: SocketAddr, from: [u8; 4]) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((from, 0).into()).expect("a loopback address");
        let mut wire = Self(socket.connect(server).await.expect("it listens"));
        wire.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
        wire.send(SETTINGS, 0, 0, &[]).await;
        wire
    }

    /// Our end of the connection.
    pub fn local(&self) -> SocketAddr {
        self.0.local_addr().expect("connected")
    }

    async fn write(&mut self, bytes: &[u8]) {
        // Whoever was closed finds out when it reads.
        let _ = self.0.write_all(bytes).await;
    }

    pub async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let length = u32::try_from(payload.len()).expect("a frame").to_be_bytes();
        let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
        self.write(&[&head, payload].concat()).await;
    }

    /// The head of a call that may say more.
    pub async fn call(&mut self, stream: u32, method: &str) {
        self.send(HEADERS, END_HEADERS, stream, &call(method)).await;
    }

    /// The next frame; `None` once the server has closed.
    pub async fn next(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        let read = timeout(PATIENCE, self.0.read_exact(&mut head)).await;
        read.expect("something happens in time").ok()?;
        let [_, _, _, kind, flags, ..] = head;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let stream = u32::from_be_bytes(head[5..].try_into().expect("four bytes"));
        let mut payload = vec![0; length as usize];
        self.0.read_exact(&mut payload).await.ok()?;
        Some(Frame { kind, flags, stream, payload })
    }

    /// The next frame of this kind that is no acknowledgement, which pings are answered for meanwhile.
    pub async fn until(&mut self, kind: u8) -> Frame {
        loop {
            let frame = self.next().await.expect("more before the end");
            let is_ack = matches!(frame.kind, SETTINGS | PING) && frame.flags & ACK != 0;
            if frame.kind == kind && !is_ack {
                return frame;
            }
            if frame.kind == PING && !is_ack {
                self.send(PING, ACK, 0, &frame.payload).await;
            }
        }
    }

    /// Reads what is left until the server closes; the code of its GOAWAY, if it said one.
    pub async fn end(mut self) -> Option<u32> {
        let mut code = None;
        while let Some(frame) = self.next().await {
            if frame.kind == GOAWAY {
                code = Some(frame.code());
            }
        }
        code
    }
}

/// The header block of a call.
pub fn call(method: &str) -> Vec<u8> {
    let path = format!("/canasta.v1.GameService/{method}");
    let fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", &path),
        (":authority", "canasta"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ];
    fields.into_iter().flat_map(|(name, value)| literal(name, value)).collect()
}

/// A field as it is, kept in no table.
pub fn literal(name: &str, value: &str) -> Vec<u8> {
    let text = |text: &str| {
        let mut out = Vec::new();
        match u8::try_from(text.len()) {
            Ok(length) if length < 127 => out.push(length),
            _ => {
                let mut left = text.len() - 127;
                out.push(127);
                while left >= 128 {
                    out.push((left & 127) as u8 | 128);
                    left >>= 7;
                }
                out.push(left as u8);
            }
        }
        out.extend(text.as_bytes());
        out
    };
    [vec![0], text(name), text(value)].concat()
}

/// A gRPC message.
pub fn message(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a message").to_be_bytes();
    [&[0][..], &length, payload].concat()
}
