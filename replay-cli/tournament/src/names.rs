//! Names that look alike: whoever reads a table of results cannot tell them apart, and they may be one player.

use std::collections::{BTreeMap, BTreeSet};
use unicode_security::confusable_detection::skeleton;

/// Returns the pairs of different names that look alike, in the order of the second ones. Each name stands in at most one
/// pair as the second: with the first name that looks like it.
///
/// Names look alike if they differ only in upper and lower case, in blanks, in characters that are not seen, in how an
/// accent is composed, or in letters of several scripts with the same shape (UTS 39).
pub fn alike<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<(&'a str, &'a str)> {
    let (mut seen, mut pairs, mut forms) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
    for name in names.into_iter().filter(|name| seen.insert(*name)) {
        let of_name = forms_of(name);
        pairs.extend(of_name.iter().find_map(|form| forms.get(form)).map(|first| (*first, name)));
        for form in of_name {
            forms.entry(form).or_insert(name);
        }
    }
    pairs
}

/// Returns two forms of a name: names look alike if they share either. Some letters have the shape of another one in upper
/// case only, others in lower case only.
fn forms_of(name: &str) -> [String; 2] {
    let bare: String = name.chars().filter(|letter| !letter.is_whitespace()).collect();
    let shape = |name: &str| skeleton(name).filter(|letter| !letter.is_control()).collect::<String>();
    [shape(&bare.to_lowercase()), shape(&shape(&bare).to_lowercase())]
}

#[cfg(test)]
mod tests;
