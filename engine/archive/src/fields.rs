//! Encoding and decoding of numbers, choices and bytes as decisions.

use super::error::Fault;
use super::model::{CodedColumn, Node, join};
use alloc::string::String;
use alloc::vec::Vec;

/// Nodes of this module; those of [`super::action`] are below.
pub(super) const CHOICE: Node = 400;
const LENGTH: Node = 450;
const DIGITS: Node = 451;
const BYTE: Node = 452;

impl CodedColumn<'_> {
    /// Encodes or decodes a number of `width` bits, the highest bit first. Each bit is predicted
    /// from earlier values of the same node and context.
    pub(super) fn choice(&mut self, node: Node, width: u8, context: u32, value: u32) -> u32 {
        let mut path = 1;
        for at in (0..width).rev() {
            let bit = value >> at & 1 == 1;
            let contexts = [join(&[path]), join(&[path, context])];
            path = path << 1 | u32::from(self.bit(CHOICE + node, &contexts, bit));
        }
        path - (1 << width)
    }

    /// Encodes or decodes a yes or no.
    pub(super) fn flag(&mut self, node: Node, value: bool) -> bool {
        self.bit(CHOICE + node, &[0], value)
    }

    /// Encodes or decodes a number: the number of its binary digits, then the digits below the first. The two
    /// highest of these are predicted.
    pub(super) fn number(&mut self, context: u32, value: u64) -> u64 {
        let length = u64::BITS - value.leading_zeros();
        let mut path = 1;
        for at in (0..7).rev() {
            let contexts = [join(&[path]), join(&[path, context])];
            path = path << 1 | u32::from(self.bit(LENGTH, &contexts, length >> at & 1 == 1));
        }
        let length = (path - 128).min(u64::BITS);
        if length < 2 {
            return u64::from(length);
        }
        let mut number = 1;
        for at in (0..length - 1).rev() {
            let bit = value >> at & 1 == 1;
            let bit = if at + 3 >= length {
                let contexts = [join(&[length, number as u32]), join(&[length, number as u32, context])];
                self.bit(DIGITS, &contexts, bit)
            } else {
                self.even(bit)
            };
            number = number << 1 | u64::from(bit);
        }
        number
    }

    /// Encodes or decodes a number or none.
    pub(super) fn maybe(&mut self, context: u32, value: Option<u64>) -> Option<u64> {
        let given = self.bit(DIGITS + 60, &[0, join(&[context])], value.is_some());
        given.then(|| self.number(context, value.unwrap_or(0)))
    }

    /// Encodes or decodes at most `max` bytes of text, with their count. `kind` distinguishes fields from
    /// each other.
    pub(super) fn text(&mut self, kind: u32, value: &[u8], max: usize) -> Result<Vec<u8>, Fault> {
        let length = self.number(kind, value.len() as u64);
        if length > max as u64 {
            return Err(Fault::Malformed);
        }
        let mut out = Vec::new();
        let mut last = 0u32;
        for at in 0..length as usize {
            self.work.check()?;
            let byte = value.get(at).copied().unwrap_or(0);
            let place = (at as u32).min(24);
            let contexts = [
                join(&[kind]),
                join(&[kind, place]),
                join(&[last & 0xff]),
                join(&[last & 0xffff]),
                join(&[last & 0xff_ffff]),
                join(&[last]),
            ];
            let byte = self.byte(&contexts, byte);
            last = last << 8 | u32::from(byte);
            out.push(byte);
        }
        Ok(out)
    }

    /// Encodes or decodes UTF-8, as [`CodedColumn::text`] does bytes.
    pub(super) fn string(&mut self, kind: u32, value: &str, max: usize) -> Result<String, Fault> {
        String::from_utf8(self.text(kind, value.as_bytes(), max)?).map_err(|_| Fault::Malformed)
    }

    fn byte(&mut self, contexts: &[u32; 6], byte: u8) -> u8 {
        let mut path = 1;
        for at in (0..8).rev() {
            let of = contexts.map(|context| join(&[context, path]));
            path = path << 1 | u32::from(self.bit(BYTE, &of, byte >> at & 1 == 1));
        }
        path as u8
    }
}

/// Bytes that cannot be predicted and are stored as they are: ids, secrets, signatures.
pub(super) enum Plain<'a> {
    Write(Vec<u8>),
    Read(&'a [u8]),
}

impl Plain<'_> {
    /// Writes `value`, or reads `length` bytes.
    pub(super) fn slice(&mut self, value: &[u8], length: usize) -> Result<Vec<u8>, Fault> {
        match self {
            Self::Write(out) => {
                out.extend_from_slice(value);
                Ok(Vec::new())
            }
            Self::Read(bytes) => {
                let (value, rest) = bytes.split_at_checked(length).ok_or(Fault::Malformed)?;
                *bytes = rest;
                Ok(value.to_vec())
            }
        }
    }

    /// Writes or reads `N` bytes. A reader ignores `value`.
    pub(super) fn bytes<const N: usize>(&mut self, value: &[u8; N]) -> Result<[u8; N], Fault> {
        match self {
            Self::Write(out) => {
                out.extend_from_slice(value);
                Ok(*value)
            }
            Self::Read(bytes) => {
                let (value, rest) = bytes.split_first_chunk::<N>().ok_or(Fault::Malformed)?;
                *bytes = rest;
                Ok(*value)
            }
        }
    }
}
