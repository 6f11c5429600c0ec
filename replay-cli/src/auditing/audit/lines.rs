//! Files of lines of which each vouches for all lines before it: a cut is told from a change.
//!
//! A line is a SHA-256 in hex, a blank, and text without line feeds. The hash is over the hash of the line before (for
//! the first line: of the name of the format) and the text.

use canasta_engine::hex::{hex, unhex};
use sha2::{Digest, Sha256};
use std::fmt;
use std::io::{self, BufRead, Read};

/// Maximum length of a line in bytes, with its hash and its line feed.
pub const LINE_MAX: usize = 16 << 20;
/// Number of bytes before the text of a line.
const HEAD: usize = 65;

/// The hash of the last line of a file.
#[derive(Clone, Copy)]
pub struct LineChain([u8; 32]);

/// The reason why a file of lines cannot be read to its end.
#[derive(Debug)]
pub enum LineFault {
    /// The last line is cut off.
    Torn,
    /// The line with this number, from 1, is not the line that was written.
    Changed(u64),
    /// The disk fails.
    Disk(io::Error),
}

/// A reader of lines.
pub struct ChainedLines<R> {
    from: R,
    chain: LineChain,
    number: u64,
    /// The end of the last good line in bytes.
    end: u64,
}

impl LineChain {
    /// Returns the chain before the first line.
    pub fn new(format: &str) -> Self {
        Self(Sha256::digest(format).into())
    }

    /// Returns the next line with its line feed, or `None` if the text is too long.
    pub fn line(&mut self, text: &str) -> Option<String> {
        if text.len() + HEAD + 1 > LINE_MAX {
            return None;
        }
        self.0 = self.after(text.as_bytes());
        Some(format!("{} {text}\n", hex(&self.0)))
    }

    fn after(&self, text: &[u8]) -> [u8; 32] {
        Sha256::new().chain_update(self.0).chain_update(text).finalize().into()
    }
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torn => f.write_str("the last line is cut off"),
            Self::Changed(number) => {
                write!(f, "line {number} was changed, or lines were put in or taken out")
            }
            Self::Disk(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LineFault {}

impl From<io::Error> for LineFault {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

impl<R: BufRead> ChainedLines<R> {
    pub fn new(from: R, format: &str) -> Self {
        Self { from, chain: LineChain::new(format), number: 0, end: 0 }
    }

    /// Returns the text of the next line, or `None` behind the last line.
    ///
    /// # Errors
    /// If the next line is not whole or was changed, or the disk fails.
    pub fn next(&mut self) -> Result<Option<String>, LineFault> {
        let mut line = Vec::new();
        self.from.by_ref().take(LINE_MAX as u64).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let length = line.len();
        if line.pop() != Some(b'\n') {
            return Err(if length < LINE_MAX { LineFault::Torn } else { LineFault::Changed(self.number) });
        }
        let text = text_of(line).filter(|(hash, text)| self.chain.after(text.as_bytes()) == *hash);
        let (hash, text) = text.ok_or(LineFault::Changed(self.number))?;
        self.chain = LineChain(hash);
        self.end += length as u64;
        Ok(Some(text))
    }

    /// Returns the chain behind the lines that were read, and their length in bytes.
    pub fn end(&self) -> (LineChain, u64) {
        (self.chain, self.end)
    }
}

/// Splits a line without its line feed into hash and text.
fn text_of(mut line: Vec<u8>) -> Option<([u8; 32], String)> {
    let (hash, blank) = line.get(..HEAD)?.split_at(HEAD - 1);
    let hash = unhex(hash).filter(|_| blank == b" ")?;
    Some((hash, String::from_utf8(line.split_off(HEAD)).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> (Vec<String>, Option<LineFault>) {
        let (mut lines, mut found) = (ChainedLines::new(file, "test/1"), Vec::new());
        loop {
            match lines.next() {
                Ok(Some(text)) => found.push(text),
                Ok(None) => return (found, None),
                Err(fault) => return (found, Some(fault)),
            }
        }
    }

    /// Checks that every cut leaves a beginning of the lines, and that every changed bit is found: at its line, or as a cut of
    /// the last one.
    #[test]
    fn cuts_and_changed_bits_are_told_apart() {
        let texts = ["{\"a\":1}", "", "\u{17e} and more"];
        let mut chain = LineChain::new("test/1");
        let file: String = texts.iter().filter_map(|text| chain.line(text)).collect();
        let file = file.as_bytes();
        assert_eq!(read(file).0, texts);
        for cut in 0..file.len() {
            let (found, fault) = read(&file[..cut]);
            assert_eq!(found, texts[..found.len()]);
            let is_whole = cut == 0 || file[cut - 1] == b'\n';
            assert!(if is_whole { fault.is_none() } else { matches!(fault, Some(LineFault::Torn)) }, "{cut}");
        }
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut other = file.to_vec();
                other[at] ^= 1 << bit;
                let (found, fault) = read(&other);
                let line = file[..at].iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(found, texts[..line], "byte {at} bit {bit}");
                let torn = at == file.len() - 1 && matches!(fault, Some(LineFault::Torn));
                assert!(torn || matches!(fault, Some(LineFault::Changed(n)) if n == line as u64 + 1));
            }
        }
        let (found, fault) = read(&file.repeat(2));
        assert!(found == texts && matches!(fault, Some(LineFault::Changed(4))));
    }
}
