//! The grammar of templates: from a text to its pieces.
//!
//! Both readers use it: [`fits`](super::fits()) while the crate is compiled, and the renderer.

/// A piece of a template.
pub(super) enum Piece<'a> {
    /// Text without braces.
    Text(&'a str),
    /// A fact, by its name.
    Fact(&'a str),
    /// The name of a number, and the arms.
    Plural(&'a str, &'a str),
    /// The name of a word, and the arms.
    Select(&'a str, &'a str),
}

/// Returns the first piece of `text` and the text after the piece; `None` if the text is empty.
///
/// # Panics
/// If a brace has no partner.
pub(super) const fn next_piece(text: &str) -> Option<(Piece<'_>, &str)> {
    if text.is_empty() {
        return None;
    }
    if text.as_bytes()[0] != b'{' {
        let (text, rest) = text.split_at(position(text, b'{'));
        return Some((Piece::Text(text), rest));
    }
    let (inside, rest) = braced(text);
    let (name, choice) = inside.split_at(position(inside, b','));
    if let Some(arms) = strip(choice, ", plural, ") {
        return Some((Piece::Plural(name, arms), rest));
    }
    if let Some(arms) = strip(choice, ", select, ") {
        return Some((Piece::Select(name, arms), rest));
    }
    Some((Piece::Fact(inside), rest))
}

/// Returns the key and the template of the first arm, and the arms after it; `None` if there is no arm.
///
/// # Panics
/// If a brace has no partner, or if a key has no template.
pub(super) const fn next_arm(arms: &str) -> Option<(&str, &str, &str)> {
    if arms.is_empty() {
        return None;
    }
    let (key, rest) = arms.split_at(position(arms, b' '));
    let Some(template) = strip(rest, " ") else { panic!("an arm is `key {{template}}`") };
    let (template, rest) = braced(template);
    let rest = match strip(rest, " ") {
        Some(rest) => rest,
        None => rest,
    };
    Some((key, template, rest))
}

/// Returns the text in the braces with which `text` begins, and the text after them.
const fn braced(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    assert!(!bytes.is_empty() && bytes[0] == b'{', "a brace opens");
    let (mut at, mut open) = (1, 1);
    while open > 0 {
        assert!(at < bytes.len(), "a brace closes");
        match bytes[at] {
            b'{' => open += 1,
            b'}' => open -= 1,
            _ => {}
        }
        at += 1;
    }
    (text.split_at(at - 1).0.split_at(1).1, text.split_at(at).1)
}

/// Returns the position of the first `byte`, or the length of the text.
const fn position(text: &str, byte: u8) -> usize {
    let mut at = 0;
    while at < text.len() && text.as_bytes()[at] != byte {
        at += 1;
    }
    at
}

const fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    if text.len() < prefix.len() {
        return None;
    }
    let (head, rest) = text.as_bytes().split_at(prefix.len());
    if equal(head, prefix.as_bytes()) { Some(text.split_at(text.len() - rest.len()).1) } else { None }
}

/// Whether two texts are equal; `==` is not constant.
pub(super) const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}
