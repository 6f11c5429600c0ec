//! Reading on after a fault, to learn what else a damaged log contains.
//!
//! Nothing that is read after a fault is proven, because the chain is broken. If the lengths of frames are
//! damaged too, the next frame is searched byte by byte. The bytes skipped by this search are counted.

use super::reader::{Frame, Reader, measure, payload};
use alloc::vec::Vec;
use canasta_log::frame::{Chain, next_head};
use canasta_log::record::Record;

/// A reader of the bytes after a fault. The caller feeds bytes, then asks for frames until there are no more.
/// Memory is bounded by the length of one frame plus the bytes fed at once.
#[derive(Debug)]
pub struct Salvager {
    chain: Chain,
    /// Offset of `buffer[at]` in the file.
    offset: u64,
    buffer: Vec<u8>,
    at: usize,
    /// Number of bytes skipped since the last frame; `passed_over` is the number in all.
    skipped: u64,
    passed_over: u64,
}

impl Salvager {
    /// Returns a salvager that begins at the fault that a reader has found, or at the end of its good prefix
    /// if there is no fault. A faulty frame that the reader holds is read again.
    pub fn behind(reader: Reader) -> Self {
        let (chain, offset, buffer) = reader.into_rest();
        Self { chain, offset, buffer, at: 0, skipped: 0, passed_over: 0 }
    }

    /// Adds the next piece of the log.
    pub fn feed(&mut self, piece: &[u8]) {
        self.buffer.drain(..self.at);
        self.at = 0;
        self.buffer.extend_from_slice(piece);
    }

    /// Returns the next frame, and the number of bytes skipped before it. `None` means: feed more bytes; or,
    /// if the pieces fed so far are all (`is_all`), there are no more frames. The number of a frame counts
    /// the frames that were read, and its chain need not hold.
    pub fn next(&mut self, is_all: bool) -> Option<(Frame<'_>, u64)> {
        let size = loop {
            let rest = &self.buffer[self.at..];
            let looking = self.skipped > 0;
            match measure(rest) {
                _ if rest.is_empty() => return None,
                // A frame directly after a whole frame is accepted; a frame that was searched for must hold a
                // record.
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

    /// Returns the number of records, both those before the fault and those read after it.
    pub fn records(&self) -> u64 {
        self.chain.next
    }

    /// Returns the offset and the number of bytes at the end that hold no frame; `None` if there are no such
    /// bytes.
    pub fn left(&self) -> Option<(u64, u64)> {
        (self.skipped > 0).then(|| (self.offset - self.skipped, self.skipped))
    }

    /// Returns the number of bytes that hold no frame.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }
}
