//! The budget of HTTP/2 frames that cost work and bring none (RFC 9113, section 10.5).
//!
//! h2 executes each WINDOW_UPDATE, SETTINGS, PING, PRIORITY, reset and unknown frame, however many come. Here they are counted
//! as they pass: each costs one unit. Answers pay, since a client may acknowledge them: a request that is reset before it is
//! answered pays nothing.
//! A connection whose units are used up is ended with ENHANCE_YOUR_CALM.

use std::time::Duration;

use tokio::time::Instant;

use super::PREFACE;
use crate::outside::timer_now;

/// The units of a new connection, and the most that time alone gives.
const AT_REST: u32 = 256;
/// The most units of a connection: a client may acknowledge many answers at once.
const UNITS_MAX: u32 = 4_096;
const UNIT: Duration = Duration::from_millis(20);
/// Units that the head or the end of an answer gives: a client may announce a window for its stream, and reset it.
const OF_HEADERS: u32 = 2;
/// Units that a message of an answer gives: some clients announce two windows and measure the delay for each.
const OF_DATA: u32 = 4;

/// The frame that ends a connection: GOAWAY with ENHANCE_YOUR_CALM. Its last stream is the highest, since this layer does not
/// know which requests were taken.
pub const GO_AWAY: [u8; 17] = [0, 0, 8, GOAWAY, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0x0b];

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const GOAWAY: u8 = 7;
const END_STREAM: u8 = 1;
/// Length of the head of a frame, in bytes.
const HEAD: usize = 9;

pub struct FrameBudget {
    received: FrameHeads,
    sent: FrameHeads,
    /// Number of bytes received that are the preface of HTTP/2; `None` once another byte was found: HTTP/1.1 has no frames.
    preface: Option<usize>,
    units: u32,
    /// The time up to which [`UNIT`]s were given.
    given: Instant,
}

impl FrameBudget {
    pub fn new() -> Self {
        let (received, sent) = Default::default();
        Self { received, sent, preface: Some(0), units: AT_REST, given: timer_now() }
    }

    /// Counts the frames in the next bytes of the client. Returns whether the connection has units left.
    pub fn receive(&mut self, mut bytes: &[u8]) -> bool {
        while let Some(known) = self.preface.filter(|known| *known < PREFACE.len()) {
            let Some((first, rest)) = bytes.split_first() else { return true };
            self.preface = (PREFACE[known] == *first).then_some(known + 1);
            bytes = rest;
        }
        if self.preface.is_none() {
            return true;
        }
        while let Some(frame) = self.received.next(&mut bytes) {
            let is_paid = match frame.kind {
                HEADERS => true,
                DATA if frame.length > 0 || frame.flags & END_STREAM != 0 => true,
                _ => self.pay(),
            };
            if !is_paid {
                return false;
            }
        }
        true
    }

    /// Counts the frames in the next bytes of the server.
    pub fn send(&mut self, mut bytes: &[u8]) {
        while let Some(frame) = self.sent.next(&mut bytes) {
            match frame.kind {
                HEADERS => self.give(OF_HEADERS),
                DATA if frame.length > 0 => self.give(OF_DATA),
                _ => {}
            }
        }
    }

    /// Whether a frame may follow what the server has sent.
    pub fn may_end(&self) -> bool {
        self.preface.is_some() && self.sent.is_between()
    }

    fn give(&mut self, units: u32) {
        self.units = (self.units + units).min(UNITS_MAX);
    }

    /// Takes one unit, of time if no other is left.
    fn pay(&mut self) -> bool {
        if self.units == 0 {
            let now = timer_now();
            let passed = now.duration_since(self.given).as_millis() / UNIT.as_millis();
            self.given = now;
            self.units = u32::try_from(passed).unwrap_or(AT_REST).min(AT_REST);
        }
        let has_unit = self.units > 0;
        self.units = self.units.saturating_sub(1);
        has_unit
    }
}

struct FrameHead {
    kind: u8,
    flags: u8,
    length: u32,
}

/// Finds the heads of frames in bytes that come in pieces.
#[derive(Default)]
struct FrameHeads {
    head: [u8; HEAD],
    filled: usize,
    /// Number of bytes left of the last frame's payload.
    payload: usize,
}

impl FrameHeads {
    /// Returns the next head that is complete, and the bytes behind it.
    fn next(&mut self, bytes: &mut &[u8]) -> Option<FrameHead> {
        let skipped = self.payload.min(bytes.len());
        self.payload -= skipped;
        *bytes = &bytes[skipped..];
        let taken = (HEAD - self.filled).min(bytes.len());
        self.head[self.filled..self.filled + taken].copy_from_slice(&bytes[..taken]);
        self.filled += taken;
        *bytes = &bytes[taken..];
        if self.filled < HEAD {
            return None;
        }
        self.filled = 0;
        let [high, middle, low, kind, flags, ..] = self.head;
        let length = u32::from_be_bytes([0, high, middle, low]);
        self.payload = length as usize;
        Some(FrameHead { kind, flags, length })
    }

    fn is_between(&self) -> bool {
        self.filled == 0 && self.payload == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).expect("a short payload").to_be_bytes();
        [&length[1..], &[kind, flags, 0, 0, 0, 1], payload].concat()
    }

    fn begun() -> FrameBudget {
        let mut budget = FrameBudget::new();
        assert!(budget.receive(PREFACE));
        budget
    }

    /// Kinds of RFC 9113, section 6, and one that it does not know.
    #[tokio::test(start_paused = true)]
    async fn useless_frames_end_a_connection_wherever_they_are_split() {
        let useless =
            [(0, 0, 0), (2, 0, 5), (3, 0, 4), (4, 0, 6), (6, 0, 8), (8, 0, 4), (9, 0, 3), (0xbe, 0, 9)];
        for (kind, flags, length) in useless {
            let flood = frame(kind, flags, &vec![7; length]).repeat(AT_REST as usize);
            for piece in [1, 2, 8, 9, 10, 13, flood.len()] {
                let mut budget = begun();
                assert!(flood.chunks(piece).all(|bytes| budget.receive(bytes)), "{kind} {piece}");
                tokio::time::advance(UNIT * 3).await;
                assert!(budget.receive(&frame(kind, flags, &vec![7; length]).repeat(3)), "{kind} {piece}");
                assert!(!budget.receive(&frame(kind, flags, &[])), "{kind} {piece}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn work_pays_for_what_belongs_to_it() {
        let mut budget = begun();
        // An upload in small frames, and requests that end with an empty frame.
        for _ in 0..10_000 {
            assert!(budget.receive(&frame(HEADERS, 4, &[0; 50])) && budget.receive(&frame(DATA, 0, &[0; 7])));
            assert!(budget.receive(&frame(DATA, END_STREAM, &[])));
            budget.send(&frame(HEADERS, 4, &[0; 9]));
            // Each is reset, and a window is announced.
            assert!(budget.receive(&frame(3, 0, &[0; 4])) && budget.receive(&frame(8, 0, &[0; 4])));
        }
        // A download of small messages, of which a batch is acknowledged at once: two windows and a ping for each.
        for _ in 0..1_000 {
            budget.send(&frame(DATA, 0, &[0; 20]).repeat(1_000));
            let acknowledged = [frame(8, 0, &[0; 4]), frame(8, 0, &[0; 4]), frame(6, 0, &[0; 8])].concat();
            assert!(budget.receive(&acknowledged.repeat(1_000)));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn answers_to_useless_frames_pay_nothing() {
        let mut budget = begun();
        let (ping, acknowledged) = (frame(6, 0, &[0; 8]), frame(6, 1, &[0; 8]));
        let answered = (0..=AT_REST).take_while(|_| {
            budget.send(&acknowledged);
            budget.receive(&ping)
        });
        assert_eq!(answered.count(), AT_REST as usize);
        assert!(budget.may_end());
        budget.send(&acknowledged[..12]);
        assert!(!budget.may_end(), "in the middle of a frame");
    }

    #[tokio::test(start_paused = true)]
    async fn http_1_has_no_frames() {
        for head in ["POST / HTTP/1.1\r\n", "PRI * HTTP/1.1\r\n", "GET / HTTP/1.1\r\n"] {
            let mut budget = FrameBudget::new();
            assert!(head.bytes().all(|byte| budget.receive(&[byte])), "{head}");
            assert!(budget.receive(&frame(8, 0, &[]).repeat(10_000)) && !budget.may_end(), "{head}");
        }
    }
}
