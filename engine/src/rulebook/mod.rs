//! The rulebook: every rule by its id.
//!
//! The texts stand in one data file a book (`classic.txt`, whose head describes the form) and are found
//! there at run time, without a table and without allocation. Books still to come: Modern American,
//! Hoyle, Hand and Foot, Samba and the rest; [`rule`] knows nothing of their ids yet.

/// The Classic book.
const CLASSIC: &str = include_str!("classic.txt");

/// The text the Classic book was drawn from; [`Rule::lines`] counts its lines from 1.
pub const CLASSIC_SOURCE: &str = "000_aa1d427fb1570a18.txt";

/// One rule, reading or clarification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule<'a> {
    /// Its id, for example `CL-050`. Never reused.
    pub id: &'a str,
    /// The heading it stands under.
    pub section: &'a str,
    /// What holds.
    pub text: &'a str,
    /// Lines of the source, for example `9-12 69`; empty where it has none.
    pub lines: &'a str,
    /// The question a reading (`AMB`) or a clarification (`CLAR`) answers; none for a rule.
    pub question: Option<&'a str>,
    /// For a reading, who decided and why.
    pub decision: Option<Decision<'a>>,
}

/// Who decided a reading, and why so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision<'a> {
    /// `text` = the source's text decides, `us` = the source is silent; or both.
    pub by: &'a str,
    /// The reason, with lines of the source.
    pub why: &'a str,
}

/// The rule with this id, if its book is here.
pub fn rule(id: &str) -> Option<Rule<'static>> {
    lines().find(|(_, line)| line.split_once(" | ").is_some_and(|(found, _)| found == id)).map(parse)
}

/// Every rule in the order of the books.
pub fn all() -> impl Iterator<Item = Rule<'static>> {
    lines().map(parse)
}

/// The lines that hold rules, each with its section.
fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut section = "";
    CLASSIC.lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        if let Some(heading) = line.strip_prefix("= ") {
            section = heading;
            return None;
        }
        Some((section, line))
    })
}

/// Takes a line of a data file apart.
///
/// # Panics
/// On a line with other fields than the file's head describes: a fault of ours that the tests find.
fn parse((section, line): (&'static str, &'static str)) -> Rule<'static> {
    let mut fields = line.split(" | ");
    let mut next = || fields.next().expect("a rule has all its fields");
    let id = next();
    let (lines, by, question, text, why) = match id.split_once('-') {
        Some(("AMB", _)) => {
            let lines = next().trim_start_matches('-');
            let by = next();
            (lines, Some(by), Some(next()), next(), Some(next()))
        }
        Some(("CLAR", _)) => ("", None, Some(next()), next(), None),
        _ => (next(), None, None, next(), None),
    };
    assert!(fields.next().is_none(), "a rule has no further fields: {line}");
    let decision = by.zip(why).map(|(by, why)| Decision { by, why });
    Rule { id, section, text, lines, question, decision }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of the rulebook's own table of contents.
    #[test]
    fn every_rule_of_the_classic_book_is_here() {
        let count = |book: &str| all().filter(|rule| rule.id.split_once('-').unwrap().0 == book).count();
        let books = ["CL", "CV", "P2", "P3", "P6", "ML", "AMB", "CLAR"];
        assert_eq!(books.map(count), [110, 16, 7, 16, 11, 6, 58, 28]);
        assert_eq!(all().count(), 252);
    }

    #[test]
    fn ids_are_unique_and_found() {
        for (place, rule_here) in all().enumerate() {
            assert_eq!(rule(rule_here.id), Some(rule_here));
            assert!(all().skip(place + 1).all(|other| other.id != rule_here.id), "{} twice", rule_here.id);
        }
        assert_eq!(rule("CL-111"), None);
        assert_eq!(rule("MA-001"), None);
        assert_eq!(rule(""), None);
        assert_eq!(rule("CL-05"), None);
    }

    #[test]
    fn fields_are_filled_and_lines_are_lines() {
        for rule in all() {
            assert!(!rule.section.is_empty() && rule.text.len() >= 3, "{}", rule.id);
            assert_eq!(rule.text.trim(), rule.text, "{}", rule.id);
            for number in rule.lines.split([' ', '-']).filter(|number| !number.is_empty()) {
                assert!((1..=285).contains(&number.parse::<u16>().unwrap()), "{} line {number}", rule.id);
            }
            let reading = rule.id.starts_with("AMB-");
            assert_eq!(rule.decision.is_some(), reading, "{}", rule.id);
            assert_eq!(rule.question.is_some(), reading || rule.id.starts_with("CLAR-"), "{}", rule.id);
            let decided = rule.decision.is_none_or(|d| ["text", "us", "text, us"].contains(&d.by));
            assert!(decided, "{}", rule.id);
        }
    }
}
