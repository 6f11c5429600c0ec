//! The German sentences of refusals, of `german.txt`: a line for each code in the order of the catalogue, templates over the
//! same facts.
//!
//! Words: stock = Talon, pile = Ablagestapel, meld = Meldung, initial meld = Erstmeldung, side = Partei, wild card = wilde
//! Karte, natural = natürliche Karte, going out = Ausmachen, dealer = Geber, foot = Fuß, talon = Zusatzkarten. docs/MESSAGES.md
//! has the glossary.

use super::template::equal;
use super::{ALL, Code};

/// Returns the German sentence of a code.
pub(super) const fn sentence(code: Code) -> &'static str {
    SENTENCES[code.entry().precedence()]
}

/// The sentences in the order of the catalogue. A line without the name of its code fails the build.
const SENTENCES: [&str; Code::COUNT] = {
    let (mut sentences, mut rest, mut at) = ([""; Code::COUNT], include_str!("german.txt"), 0);
    while at < ALL.len() {
        let (name, line) = split_before(rest, b':');
        assert!(equal(name.as_bytes(), ALL[at].name.as_bytes()), "{}", ALL[at].name);
        let (sentence, end) = split_before(line.split_at(": ".len()).1, b'\n');
        (sentences[at], rest) = (sentence, end.split_at(1).1);
        at += 1;
    }
    assert!(rest.is_empty(), "more sentences than codes");
    sentences
};

const fn split_before(text: &str, byte: u8) -> (&str, &str) {
    let mut at = 0;
    while text.as_bytes()[at] != byte {
        at += 1;
    }
    text.split_at(at)
}
