//! A guess at the kind of a file that is not a log.

use crate::frame::HEADER;
use core::fmt;

/// The kind of a file that does not begin as a log does, by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign {
    /// A file of no bytes.
    Empty,
    /// A part of a log's header, and nothing else.
    CutHeader,
    /// A log's header in which bytes were changed.
    DamagedHeader,
    /// Compressed with gzip.
    Gzip,
    /// Compressed in another way, or another kind of archive.
    Compressed,
    /// An archive of logs.
    Archive,
    /// JSON, as the interchange form is.
    Json,
    /// A game in notation.
    Notation,
    /// Other text.
    Text,
    /// Anything else.
    Unknown,
}

/// The first bytes of files of known kinds.
const BEGINNINGS: [(&[u8], Foreign); 8] = [
    (&[0x1f, 0x8b], Foreign::Gzip),
    (&[0x28, 0xb5, 0x2f, 0xfd], Foreign::Compressed),
    (&[0xfd, b'7', b'z', b'X', b'Z'], Foreign::Compressed),
    (b"BZh", Foreign::Compressed),
    (b"PK\x03\x04", Foreign::Compressed),
    (b"\x89CARC", Foreign::Archive),
    (b"{", Foreign::Json),
    (b"canasta-g", Foreign::Notation),
];

impl Foreign {
    /// Guesses the kind from the first bytes of a file: as many as a header has, or all if the file is
    /// shorter.
    pub fn of(start: &[u8]) -> Self {
        if start.is_empty() {
            return Self::Empty;
        }
        if HEADER.starts_with(start) {
            return Self::CutHeader;
        }
        let text = start.trim_ascii_start();
        let begins =
            |(beginning, _): &&(&[u8], Self)| start.starts_with(beginning) || text.starts_with(beginning);
        if let Some((_, found)) = BEGINNINGS.iter().find(begins) {
            return *found;
        }
        // The header is made so that text transfers damage it; one flipped bit leaves four of these five
        // bytes.
        let equal = start.iter().zip(&HEADER).take(5).filter(|(found, expected)| found == expected).count();
        if equal >= 4 {
            return Self::DamagedHeader;
        }
        // The bytes may end within a character.
        let is_text = core::str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true);
        let is_plain = start.iter().all(|byte| *byte >= b' ' || byte.is_ascii_whitespace());
        if is_text && is_plain { Self::Text } else { Self::Unknown }
    }

    /// Returns the kind in words, with the command that reads such files.
    fn words(self) -> &'static str {
        match self {
            Self::Empty => "the file is empty",
            Self::CutHeader => "the file ends within the nine bytes that begin a log",
            Self::DamagedHeader => {
                "the bytes that begin a log are damaged, expected 89 43 4c 4f 47 0d 0a 1a 02"
            }
            Self::Gzip => "it is gzip data (gzip -dc FILE | canasta-replay audit - reads what is in it)",
            Self::Compressed => "it is compressed (decompress it first)",
            Self::Archive => "it is an archive of logs (canasta-replay unpack takes them out)",
            Self::Json => "it is JSON (canasta-replay import makes a log of canasta-jsonl/1)",
            Self::Notation => "it is a game in notation (canasta-replay import makes a log of it)",
            Self::Text => "it is text (canasta-replay import makes a log of a game in notation)",
            Self::Unknown => "the first bytes are not 89 43 4c 4f 47 0d 0a 1a 02",
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        use Foreign::*;
        let cases: [(&[u8], Foreign); 16] = [
            (b"", Empty),
            (&HEADER[..1], CutHeader),
            (&HEADER[..8], CutHeader),
            (b"\x89CLOG\n\x1a\x01\x00", DamagedHeader),
            (b"\x09CLOG\r\n\x1a", DamagedHeader),
            (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00", Gzip),
            (b"BZh91AY&S", Compressed),
            (b"\x89CARC\r\n\x1a\x01", Archive),
            (b"{\"kind\":\"", Json),
            (b"\n {\"kind\"", Json),
            (b"canasta-g", Notation),
            (b"classic-4", Text),
            (b"\xc5\xbdi\xc5\xbekov\xc5", Text),
            (b"hi\n", Text),
            (b"\x89PNG\r\n\x1a\n\x00", Unknown),
            (b"\xff\xfe\x00\x01", Unknown),
        ];
        for (start, expected) in cases {
            assert_eq!(Foreign::of(start), expected, "{start:?}");
        }
    }
}
