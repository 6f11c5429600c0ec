//! A strict reader that receives the log piece by piece.
//!
//! Memory is constant: the reader holds at most one frame, and no frame if the pieces contain whole frames.

use super::replay::Place;
use alloc::vec::Vec;
use canasta_log::Foreign;
use canasta_log::error::{DecodeError, LogError, LogErrorKind};
use canasta_log::frame::{Chain, HEADER, Head, PAYLOAD_MAX, PREFIX, SUFFIX, crc8, next_head};
use canasta_log::record::Record;

/// One record with verified length check and chain, before its content is decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// The record's number, from 0.
    pub n: u64,
    /// Offset in bytes at which the frame begins in the file.
    pub offset: u64,
    /// The encoded record ([`Record::decode`]).
    pub payload: &'a [u8],
    /// The head of the chain before this record; seat signatures cover this head.
    pub before: Head,
    /// The head of this record.
    pub head: Head,
}

impl Frame<'_> {
    /// Returns the place of the record.
    pub fn place(&self) -> Place {
        Place { n: self.n, offset: self.offset, head: self.head }
    }

    /// Decodes the record in this frame.
    ///
    /// # Errors
    /// If the payload is not a record, if the first record is not genesis, or if genesis is a later record.
    /// The error has the place of this frame.
    pub fn record(&self) -> Result<Record, LogError> {
        let record = match Record::decode(self.payload) {
            Ok(record) if matches!(record, Record::Genesis(_)) != (self.n == 0) => Err(DecodeError::Place),
            other => other,
        };
        let fault =
            |error| LogError { record: self.n, offset: self.offset, kind: LogErrorKind::Record(error) };
        record.map_err(fault)
    }
}

/// A reader of one log from beginning to end.
///
/// ```
/// # use canasta_audit::Reader;
/// # use canasta_log::HEADER;
/// # fn handle(_: canasta_audit::Frame<'_>) {}
/// let mut reader = Reader::new();
/// for mut piece in [&HEADER[..4], &HEADER[4..]] {
///     while let Some(frame) = reader.next(&mut piece)? {
///         handle(frame);
///     }
/// }
/// let end = reader.finish()?;
/// assert_eq!(end.next, 0);
/// # Ok::<(), canasta_log::LogError>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    chain: Chain,
    /// Offset in the file at which the current frame (or header) begins.
    offset: u64,
    /// The bytes of the current frame (or header) that have been fed.
    held: Vec<u8>,
    /// Whether `held` is a frame that has been returned to the caller.
    spent: bool,
    in_header: bool,
    failed: Option<LogError>,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// Returns a reader at the beginning of a file.
    pub fn new() -> Self {
        Self { chain: Chain::START, offset: 0, held: Vec::new(), spent: false, in_header: true, failed: None }
    }

    /// Returns a reader that begins after a log's last record; `offset` is that place in the file, in bytes.
    pub fn resume(chain: Chain, offset: u64) -> Self {
        Self { chain, offset, in_header: false, ..Self::new() }
    }

    /// Returns the chain at the end of the good prefix: the number of records that have been read, and the
    /// head of the last.
    pub fn chain(&self) -> Chain {
        self.chain
    }

    /// Returns the length of the good prefix in bytes: the offset at which the next frame begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the chain at the end of the good prefix, its length in bytes, and the bytes after it that the
    /// reader holds.
    pub(crate) fn into_rest(self) -> (Chain, u64, Vec<u8>) {
        let held = if self.spent { Vec::new() } else { self.held };
        (self.chain, self.offset, held)
    }

    /// Returns the fault that was found; an end inside a frame is not known before the end.
    pub fn fault(&self) -> Option<&LogError> {
        self.failed.as_ref()
    }

    /// Returns the next record, taken from the front of `input`; `None` when `input` is used up.
    ///
    /// # Errors
    /// The first fault; never [`LogErrorKind::Torn`], which only the end of the file can show. After an error
    /// every call returns the same error.
    pub fn next<'r, 'i: 'r>(&'r mut self, input: &mut &'i [u8]) -> Result<Option<Frame<'r>>, LogError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if self.spent {
            self.held.clear();
            self.spent = false;
        }
        if self.in_header && !self.read_header(input)? {
            return Ok(None);
        }
        let size = if self.held.is_empty() { self.check(measure(input))? } else { None };
        if let Some(size) = size.filter(|&size| input.len() >= size) {
            let (frame, rest) = input.split_at(size);
            let place = self.advance(verify(self.chain, frame), size)?;
            *input = rest;
            return Ok(Some(Frame { payload: payload(frame), ..place }));
        }
        self.hold(input, PREFIX);
        let Some(size) = self.check(measure(&self.held))? else { return Ok(None) };
        self.hold(input, size);
        if self.held.len() < size {
            return Ok(None);
        }
        self.spent = true;
        let place = self.advance(verify(self.chain, &self.held), size)?;
        Ok(Some(Frame { payload: payload(&self.held), ..place }))
    }

    /// Checks that the log may end here: at the end of a frame, or of the header. Returns the chain at its
    /// end.
    ///
    /// # Errors
    /// [`LogErrorKind::Torn`] inside a frame, [`LogErrorKind::NotALog`] inside the header, or the
    /// fault that was found before.
    pub fn finish(&self) -> Result<Chain, LogError> {
        let present = if self.spent { 0 } else { self.held.len() };
        let kind = match (&self.failed, self.in_header, present) {
            (Some(error), ..) => return Err(error.clone()),
            (None, true, _) => LogErrorKind::NotALog { found: Foreign::of(&self.held) },
            (None, false, 0) => return Ok(self.chain),
            (None, false, _) => {
                let expected = measure(&self.held).ok().flatten().unwrap_or(PREFIX);
                LogErrorKind::Torn { present: present as u32, expected: expected as u32 }
            }
        };
        Err(LogError { record: self.chain.next, offset: self.offset, kind })
    }

    /// Reads the header from `input`. Returns whether the whole header has been read.
    fn read_header(&mut self, input: &mut &[u8]) -> Result<bool, LogError> {
        self.hold(input, HEADER.len());
        // The kind of a file that is not a log is guessed from all nine bytes, so that the result does not
        // depend on the pieces.
        let Some(&[ref signature @ .., version]) = self.held.first_chunk::<{ HEADER.len() }>() else {
            return Ok(false);
        };
        if signature[..] != HEADER[..8] {
            let found = Foreign::of(&self.held);
            return self.check(Err(LogErrorKind::NotALog { found }));
        }
        if version != HEADER[8] {
            return self.check(Err(LogErrorKind::Version { found: version }));
        }
        self.held.clear();
        self.in_header = false;
        self.offset = HEADER.len() as u64;
        Ok(true)
    }

    /// Moves bytes from `input` until `size` bytes are held or `input` is used up.
    fn hold(&mut self, input: &mut &[u8], size: usize) {
        let missing = size.saturating_sub(self.held.len());
        self.held.reserve_exact(missing);
        let (front, rest) = input.split_at(missing.min(input.len()));
        self.held.extend_from_slice(front);
        *input = rest;
    }

    /// Moves the good prefix past a frame of `size` bytes. Returns that frame without its payload.
    fn advance(&mut self, head: Result<Head, LogErrorKind>, size: usize) -> Result<Frame<'static>, LogError> {
        let head = self.check(head)?;
        let Chain { next: n, head: before } = self.chain;
        let place = Frame { n, offset: self.offset, payload: &[], before, head };
        self.chain = Chain { next: n + 1, head };
        self.offset += size as u64;
        Ok(place)
    }

    /// Adds the place to a fault and keeps the error.
    fn check<T>(&mut self, result: Result<T, LogErrorKind>) -> Result<T, LogError> {
        result.map_err(|kind| {
            let error = LogError { record: self.chain.next, offset: self.offset, kind };
            self.failed = Some(error.clone());
            error
        })
    }
}

/// Returns the length in bytes of the frame at the front of `bytes`; `None` if `bytes` has fewer than three
/// bytes.
pub(super) fn measure(bytes: &[u8]) -> Result<Option<usize>, LogErrorKind> {
    let Some(&[high, low, found]) = bytes.first_chunk::<PREFIX>() else { return Ok(None) };
    let length = u16::from_be_bytes([high, low]);
    let expected = crc8([high, low]);
    if found != expected {
        return Err(LogErrorKind::LengthCheck { length, expected, found });
    }
    if length == 0 || usize::from(length) > PAYLOAD_MAX {
        return Err(LogErrorKind::Length { found: length });
    }
    Ok(Some(PREFIX + usize::from(length) + SUFFIX))
}

/// Verifies a whole frame that follows `chain`, and returns its head.
fn verify(chain: Chain, frame: &[u8]) -> Result<Head, LogErrorKind> {
    let head = next_head(&chain.head, chain.next, payload(frame));
    let expected: [u8; SUFFIX] = *head.first_chunk().expect("a head has 32 bytes");
    let found = *frame.last_chunk().expect("a frame ends with 8 bytes of its head");
    if found == expected { Ok(head) } else { Err(LogErrorKind::Chain { expected, found }) }
}

pub(super) fn payload(frame: &[u8]) -> &[u8] {
    &frame[PREFIX..frame.len() - SUFFIX]
}
