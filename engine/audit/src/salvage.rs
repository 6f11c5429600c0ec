//! Reading on behind a fault, for those who want to know what else a damaged log holds.
//!
//! Nothing that is read so is proven: the chain is broken, and where the frames' lengths are damaged too, the next
//! frame is looked for byte by byte. What is passed over on the way is counted.

use super::reader::{Frame, Reader, measure, payload};
use alloc::vec::Vec;
use canasta_log::frame::{Chain, next_head};
use canasta_log::record::Record;

/// Reads what follows a fault. It is fed, then asked for frames until there are none; memory is bounded by a frame
/// and what it is fed at once.
#[derive(Debug)]
pub struct Salvager {
    chain: Chain,
    /// Where in the file `buffer[at]` stands.
    offset: u64,
    buffer: Vec<u8>,
    at: usize,
    /// Bytes passed over since the last frame, and in all.
    skipped: u64,
    passed_over: u64,
}

impl Salvager {
    /// Goes on behind the fault that a reader has found, if there is one. A faulty frame that the reader holds is still
    /// there.
    pub fn behind(reader: Reader) -> Self {
        let (chain, offset, buffer) = reader.into_rest();
        Self { chain, offset, buffer, at: 0, skipped: 0, passed_over: 0 }
    }

    /// Takes the next piece of the log.
    pub fn feed(&mut self, piece: &[u8]) {
        self.buffer.drain(..self.at);
        self.at = 0;
        self.buffer.extend_from_slice(piece);
    }

    /// The next frame, and the bytes that were passed over to find it; `None` until more is fed, or where nothing
    /// more `is_all`. Its number is its place among those read; its chain need not hold.
    pub fn next(&mut self, is_all: bool) -> Option<(Frame<'_>, u64)> {
        let size = loop {
            let rest = &self.buffer[self.at..];
            let looking = self.skipped > 0;
            match measure(rest) {
                _ if rest.is_empty() => return None,
                // The frame that follows a whole one is believed; one that was looked for must hold a record.
                Ok(Some(size))
                    if rest.len() >= size && (!looking || Record::decode(payload(&rest[..size])).is_ok()) =>
                {
                    break size;
                }
                Ok(Some(size)) if rest.len() >= size => {}
                Ok(_) if !is_all => return None,
                _ => {}
            }
            self.at += 1;
            self.offset += 1;
            self.skipped += 1;
            self.passed_over += 1;
        };
        let frame = &self.buffer[self.at..self.at + size];
        let Chain { next: n, head: before } = self.chain;
        let head = next_head(&before, n, payload(frame));
        let found = Frame { n, offset: self.offset, payload: payload(frame), before, head };
        self.chain = Chain { next: n + 1, head };
        self.offset += size as u64;
        self.at += size;
        Some((found, core::mem::take(&mut self.skipped)))
    }

    /// How many records there are, those before the fault and those read behind it.
    pub fn records(&self) -> u64 {
        self.chain.next
    }

    /// Where the bytes at the end begin that hold no frame, and how many they are.
    pub fn left(&self) -> Option<(u64, u64)> {
        (self.skipped > 0).then(|| (self.offset - self.skipped, self.skipped))
    }

    /// How many bytes hold no frame.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }
}
