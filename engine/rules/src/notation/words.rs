//! Parts of texts besides cards, in games and rulings: roles, quoted texts, hashes, clock times.

use crate::action::As;
use crate::hex::hex;
use crate::notation::span::{Read, Span};
use crate::rules::BIDIRECTIONAL;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// The roles by name.
pub const ROLES: [(&str, As); 4] =
    [("table", As::Table), ("judge", As::Judge), ("director", As::Director), ("spectator", As::Spectator)];

/// The first words of all actions.
#[rustfmt::skip]
pub const VERBS: [&str; 22] = [
    "draw", "take", "meld", "discard", "ask", "answer", "pass", "end_round", "end", "deal",
    "draw_cards", "lay_threes", "take_top", "restore_pile", "take_talon", "merge_melds",
    "undo_meld", "special_hand", "call_reveal", "dispute", "ruling", "sign",
];

/// Returns the name of a role; an empty one for a seat.
pub fn role_name(role: As) -> &'static str {
    ROLES.iter().find(|(_, actor)| *actor == role).map_or("", |(name, _)| name)
}

/// Appends the text in quotes. Characters that are invisible, or that change the direction of the line, are
/// escaped.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{2028}' | '\u{2029}' => escape(c, out),
            c if c.is_control() || BIDIRECTIONAL.contains(&c) => escape(c, out),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn escape(c: char, out: &mut String) {
    write!(out, "\\u{{{:x}}}", u32::from(c)).expect("a string takes all text");
}

/// Parses the quoted text at the beginning of the span. Returns the text and the rest of the span.
pub fn unquote(span: Span<'_>) -> Read<(String, Span<'_>)> {
    const EXPECTED: &str = "a text in quotes";
    let span = span.trim();
    let mut chars = span.text.char_indices();
    if chars.next().is_none_or(|(_, c)| c != '"') {
        return Err(span.error(EXPECTED));
    }
    let mut text = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((text, span.part(at + 1, span.text.len()).trim())),
            '\\' => {
                let unknown = || span.part(at, span.text.len()).error(r#"\", \\, \n, \r, \t or \u{...}"#);
                let (_, c) = chars.next().ok_or_else(unknown)?;
                text.push(match c {
                    '"' | '\\' => c,
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'u' => {
                        let rest = &span.text[at + 2..];
                        let digits = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                        let digits = digits.map(|(digits, _)| digits).filter(|digits| digits.len() <= 6);
                        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                        let c = number.and_then(char::from_u32).ok_or_else(unknown)?;
                        chars.by_ref().take_while(|(_, c)| *c != '}').for_each(drop);
                        c
                    }
                    _ => return Err(unknown()),
                });
            }
            c => text.push(c),
        }
    }
    Err(span.error("a text in quotes that ends on its line"))
}

/// Returns the characters of a text that are outside quotes, with their byte offsets.
pub fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quoted, mut escaped) = (false, false);
    text.char_indices().filter(move |&(_, c)| {
        let was = quoted;
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        !was && c != '"'
    })
}

impl<'a> Span<'a> {
    /// Splits the span at commas outside quotes. Returns the parts, trimmed.
    pub fn list(self) -> Vec<Self> {
        let commas = outside(self.text).filter(|(_, c)| *c == ',').map(|(at, _)| at);
        let ends: Vec<usize> = commas.chain([self.text.len()]).collect();
        let starts = core::iter::once(0).chain(ends.iter().map(|end| end + 1));
        starts.zip(&ends).map(|(from, &to)| self.part(from, to).trim()).collect()
    }

    /// Returns the words that are outside quotes.
    pub fn plain_words(self) -> Vec<Self> {
        let mut words: Vec<(usize, usize)> = Vec::new();
        for (at, c) in outside(self.text).filter(|(_, c)| !c.is_whitespace()) {
            let to = at + c.len_utf8();
            match words.last_mut() {
                Some((_, end)) if *end == at => *end = to,
                _ => words.push((at, to)),
            }
        }
        words.iter().map(|&(from, to)| self.part(from, to)).collect()
    }

    /// Parses exactly `N` bytes in hexadecimal.
    pub fn hex<const N: usize>(self) -> Read<[u8; N]> {
        let bytes = self.hex_bytes()?;
        bytes.try_into().map_err(|_| self.error(expected_hex(N)))
    }

    /// Parses bytes in hexadecimal, at least one.
    pub fn hex_bytes(self) -> Read<Vec<u8>> {
        let digit = |c: u8| (c as char).to_digit(16).map(|digit| digit as u8);
        let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
        let bytes: Option<Vec<u8>> = self.text.as_bytes().chunks(2).map(pair).collect();
        bytes.filter(|bytes| !bytes.is_empty()).ok_or_else(|| self.error("bytes in hexadecimal"))
    }

    /// Parses a time since the start, such as `1:02:03.450`, `2:03` or `7`. Returns milliseconds.
    pub fn clock(self) -> Read<u64> {
        let time = || {
            let (whole, fraction) = self.text.split_once('.').unwrap_or((self.text, ""));
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            if fraction.len() > 3 || !digits(fraction) {
                return None;
            }
            let mut seconds = 0u64;
            let parts: Vec<&str> = whole.split(':').collect();
            for part in parts.iter().filter(|_| parts.len() <= 3) {
                let number = part.parse::<u64>().ok().filter(|_| digits(part))?;
                seconds = seconds.checked_mul(60)?.checked_add(number)?;
            }
            let ms = alloc::format!("{fraction:0<3}").parse::<u64>().ok()?;
            (parts.len() <= 3).then_some(())?;
            seconds.checked_mul(1000)?.checked_add(ms)
        };
        time().ok_or_else(|| self.error("a time since the start such as 0:01:30 or 1:30.5"))
    }
}

fn expected_hex(bytes: usize) -> &'static str {
    match bytes {
        8 => "16 hexadecimal digits",
        16 => "32 hexadecimal digits",
        32 => "64 hexadecimal digits",
        _ => "128 hexadecimal digits",
    }
}

/// Appends a word and bytes in hexadecimal.
pub fn put_hex(word: &str, bytes: &[u8], out: &mut String) {
    write!(out, " {word} {}", hex(bytes)).expect("a string takes all text");
}

/// Appends the time since the start, which is given in milliseconds.
pub fn put_clock(ms: u64, out: &mut String) {
    let (seconds, rest) = (ms / 1000, ms % 1000);
    let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
    write!(out, " @{hours}:{minutes:02}:{seconds:02}").expect("a string takes all text");
    if rest > 0 {
        write!(out, ".{rest:03}").expect("a string takes all text");
    }
}
