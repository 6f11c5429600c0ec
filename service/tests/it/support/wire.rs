//! HTTP/2 by hand, for frames and uncompressed header blocks that no library would send (RFC 9113, RFC 7541).

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
pub const WINDOW_UPDATE: u8 = 8;
pub const CONTINUATION: u8 = 9;
pub const END_STREAM: u8 = 1;
pub const ACK: u8 = 1;
pub const END_HEADERS: u8 = 4;

/// Maximum time to wait, far longer than any answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection that has sent its preface.
pub struct Wire(TcpStream);

#[derive(Debug)]
pub struct WireFrame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

impl WireFrame {
    /// Returns the error code at the end of RST_STREAM, or after the last stream of GOAWAY.
    pub fn code(&self) -> u32 {
        let at = if self.kind == GOAWAY { 4 } else { 0 };
        u32::from_be_bytes(self.payload[at..at + 4].try_into().expect("four bytes"))
    }
}

impl Wire {
    pub async fn connect(server: SocketAddr) -> Self {
        Self::connect_from(server, [127, 0, 0, 1]).await
    }

    /// Connects from this loopback address.
    pub async fn connect_from(server: SocketAddr, from: [u8; 4]) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((from, 0).into()).expect("a loopback address");
        // Small frames must not wait for acknowledgements of earlier ones.
        socket.set_nodelay(true).expect("a socket");
        let mut wire = Self(socket.connect(server).await.expect("it listens"));
        wire.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
        wire.send(SETTINGS, 0, 0, &[]).await;
        wire
    }

    /// Returns the address of our end of the connection.
    pub fn local(&self) -> SocketAddr {
        self.0.local_addr().expect("connected")
    }

    async fn write(&mut self, bytes: &[u8]) {
        // A closed connection is found out when it is read.
        let _ = self.0.write_all(bytes).await;
    }

    pub async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let length = u32::try_from(payload.len()).expect("a frame").to_be_bytes();
        let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
        self.write(&[&head, payload].concat()).await;
    }

    /// Sends the head of a call without ending it.
    pub async fn call(&mut self, stream: u32, method: &str) {
        self.send(HEADERS, END_HEADERS, stream, &call(method)).await;
    }

    /// Returns the next frame; `None` once the server has closed the connection.
    pub async fn next(&mut self) -> Option<WireFrame> {
        let mut head = [0; 9];
        let read = timeout(PATIENCE, self.0.read_exact(&mut head)).await;
        read.expect("something happens in time").ok()?;
        let [_, _, _, kind, flags, ..] = head;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let stream = u32::from_be_bytes(head[5..].try_into().expect("four bytes"));
        let mut payload = vec![0; length as usize];
        self.0.read_exact(&mut payload).await.ok()?;
        Some(WireFrame { kind, flags, stream, payload })
    }

    /// Returns the next frame of this kind that is not an acknowledgement, and answers pings meanwhile.
    pub async fn until(&mut self, kind: u8) -> WireFrame {
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

    /// Reads until the server closes the connection. Returns the code of its GOAWAY; `None` if it sent none.
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

/// Returns the header block of a call of GameService.
pub fn call(method: &str) -> Vec<u8> {
    call_path(&format!("/canasta.v1.GameService/{method}"))
}

/// Returns the header block of a call.
pub fn call_path(path: &str) -> Vec<u8> {
    let fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "canasta"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ];
    fields.into_iter().flat_map(|(name, value)| literal(name, value)).collect()
}

/// Returns a literal header field without indexing.
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

/// Returns a gRPC message.
pub fn message(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a message").to_be_bytes();
    [&[0][..], &length, payload].concat()
}
