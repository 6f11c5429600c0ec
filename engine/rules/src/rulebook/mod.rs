//! The rulebook: every rule by its id.
//!
//! There is one data file of texts per book (`classic.txt`; its head describes the form). A rule is found
//! there at run time, without a table and without allocation.

pub mod penalties;

/// A book: its file in this folder, its title, the text from which it was drawn, and its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Book {
    /// The file's name without `.txt`. The book's page in the documents has the same name.
    pub name: &'static str,
    /// The title of the book.
    pub title: &'static str,
    /// The text from which the book was drawn, described in words: the text itself is not part of this
    /// repository. [`Rule::lines`] counts its lines from 1. Empty if the book has several sources:
    /// [`Book::sources`] lists them.
    pub source: &'static str,
    text: &'static str,
}

const GENERAL: &str =
    "a general article on Canasta: Classic, its variations, Modern American, two to six players";
const WAHHI: &str = "the WAHHI rules of Classic Canasta";
const SHORT: &str = "a short article on Classic Canasta for four players";
const TWO_GAMES: &str = "a page of two texts: Classic Canasta with a scored example, and Hand and Foot";
const SITE: &str = "the rules page of canasta.net, followed by an encyclopedia's article on Canasta";

/// Every book, in the order in which they are shown.
pub const BOOKS: &[Book] = &[
    Book { name: "classic", title: "Classic Canasta", source: GENERAL, text: include_str!("classic.txt") },
    Book {
        name: "american",
        title: "Modern American Canasta",
        source: GENERAL,
        text: include_str!("american.txt"),
    },
    Book { name: "wahhi", title: "WAHHI", source: WAHHI, text: include_str!("wahhi.txt") },
    Book { name: "s3", title: "Classic, a short description", source: SHORT, text: include_str!("s3.txt") },
    Book {
        name: "gr",
        title: "Classic, a description with a scored example",
        source: TWO_GAMES,
        text: include_str!("gr.txt"),
    },
    Book { name: "samba", title: "Samba, Bolivia, Manzana", source: "", text: include_str!("samba.txt") },
    Book {
        name: "hand-and-foot",
        title: "Hand and Foot",
        source: TWO_GAMES,
        text: include_str!("hand-and-foot.txt"),
    },
    Book { name: "hoyle", title: "canasta.net, two players", source: SITE, text: include_str!("hoyle.txt") },
    Book { name: "facts", title: "Facts in an encyclopedia", source: SITE, text: include_str!("facts.txt") },
    Book {
        name: "irregularities",
        title: "Irregularities and rulings",
        source: "",
        text: include_str!("irregularities.txt"),
    },
    Book {
        name: "organised-play",
        title: "Organised play",
        source: "",
        text: include_str!("organised-play.txt"),
    },
];

/// One rule, reading or clarification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule<'a> {
    /// The book of the rule.
    pub book: &'static Book,
    /// The id of the rule, for example `CL-050`. Never reused.
    pub id: &'a str,
    /// The heading of the rule's section.
    pub section: &'a str,
    /// The rule itself.
    pub text: &'a str,
    /// Lines of the source, for example `9-12 69`, or keys of several sources, `S1 S3`; empty without a
    /// source.
    pub lines: &'a str,
    /// The question that a reading (`AMB`) or a clarification (`CLAR`) answers; `None` for a rule.
    pub question: Option<&'a str>,
    /// The decision behind a reading; `None` otherwise.
    pub decision: Option<Decision<'a>>,
}

/// The decision behind a reading: its authority and its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision<'a> {
    /// The authority: `text` if the source's text decides, `us` if the source is silent, or both.
    pub by: &'a str,
    /// The reason, with lines of the source.
    pub why: &'a str,
}

/// Returns the rule with this id; `None` if no book has it.
pub fn rule(id: &str) -> Option<Rule<'static>> {
    BOOKS.iter().find_map(|book| {
        let is_it = |line: &str| line.split_once(" | ").is_some_and(|(found, _)| found == id);
        book.lines().find(|(_, line)| is_it(line)).map(|line| parse(book, line))
    })
}

/// Returns every rule, in the order of the books.
pub fn all() -> impl Iterator<Item = Rule<'static>> {
    BOOKS.iter().flat_map(Book::rules)
}

/// One of several texts that a book was drawn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceText {
    /// The key by which rules cite the text, for example `S1`.
    pub key: &'static str,
    /// The name of the text, mostly an address.
    pub name: &'static str,
    /// A note on how much of the text could be read.
    pub read: &'static str,
}

impl Book {
    /// Returns the texts that rules cite by a key, in the order of keys.
    pub fn sources(&self) -> impl Iterator<Item = SourceText> + use<> {
        self.text.lines().filter_map(|line| {
            let (key, rest) = line.strip_prefix('[')?.split_once("] ")?;
            let (name, read) = rest.split_once(" | ")?;
            Some(SourceText { key, name, read })
        })
    }

    /// Returns every rule of the book, in its order.
    pub fn rules(&'static self) -> impl Iterator<Item = Rule<'static>> {
        self.lines().map(move |line| parse(self, line))
    }

    /// Returns the lines that hold rules, each with its section.
    fn lines(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let mut section = "";
        self.text.lines().filter(|line| !line.starts_with(['#', '['])).filter_map(move |line| {
            if let Some(heading) = line.strip_prefix("= ") {
                section = heading;
                return None;
            }
            Some((section, line))
        })
    }
}

/// Whether an id belongs to a reading: a question whose answer somebody decided.
fn is_reading(id: &str) -> bool {
    let book = id.rsplit_once('-').map_or(id, |(book, _)| book);
    book.starts_with("AMB") || ["AC", "SAD", "BOD", "MZD"].contains(&book)
}

/// Splits a line of a data file into the fields of a rule.
///
/// # Panics
/// If the fields are not those that the file's head describes. This would be our own fault, and the tests
/// would find it.
fn parse(book: &'static Book, (section, line): (&'static str, &'static str)) -> Rule<'static> {
    let mut fields = line.split(" | ");
    let mut next = || fields.next().expect("a rule has all its fields");
    let id = next();
    let (lines, by, question, text, why) = match id.split_once('-') {
        _ if is_reading(id) => {
            let lines = next().trim_start_matches('-');
            let by = next();
            (lines, Some(by), Some(next()), next(), Some(next()))
        }
        Some(("CLAR", _)) => ("", None, Some(next()), next(), None),
        _ => (next().trim_start_matches('-'), None, None, next(), None),
    };
    assert!(fields.next().is_none(), "a rule has no further fields: {line}");
    let decision = by.zip(why).map(|(by, why)| Decision { by, why });
    Rule { book, id, section, text, lines, question, decision }
}

#[cfg(test)]
mod tests;
