//! The catalogue of violations: the heads of the pages become the codes and their rows.

use std::fmt::Write;
use std::fs;

use crate::block::{self, Fault, TextBlock, camel};

const PAGES: &str = "src/violations/pages";

/// The variants of `FactKind`.
const KINDS: [&str; 10] = ["Int", "Card", "Cards", "Rank", "Seat", "Side", "Meld", "Word", "Words", "Seats"];

const CODE: &str = "/// The reason why an action was refused.
///
/// Numbers and names are permanent, because logs, the API and the documentation contain them. A new
/// code takes the next free number, and the number of a retired code is never reused. The order of
/// the numbers means nothing; the order of precedence is that of [`ALL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u16)]
pub enum Code {";

/// A page: what its head says as Rust, and where a fault of it stands.
struct ViolationPage {
    file: String,
    name: String,
    number: u16,
    place: u16,
    variant: String,
    entry: String,
    text: String,
    /// The checks that the sentences fit the facts.
    checks: String,
}

/// Returns the enum `Code`, the slice `ALL` and the checks of its sentences.
pub fn write() -> Result<String, Fault> {
    println!("cargo::rerun-if-changed={PAGES}");
    let mut pages = Vec::new();
    for file in fs::read_dir(PAGES).expect("the crate has pages") {
        let path = file.expect("the folder can be read").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file = format!("{PAGES}/{name}.md");
        let text = block::read(&file);
        pages.push(read(file, name, &text)?);
    }
    pages.sort_by_key(|page| page.number);
    let wrong = pages.iter().zip(1..).find(|(page, number)| page.number != *number);
    if let Some((page, number)) = wrong {
        // A number too low is given twice; one too high leaves a gap, and so do all above it.
        let page = if page.number < number { page } else { pages.last().expect("a page is wrong") };
        let free = (1..).find(|number| pages.iter().all(|page| page.number != *number)).unwrap_or(0);
        let ViolationPage { file, number: found, .. } = page;
        return Err(format!("{file}:1: expected the next free number, {free}, found {found}"));
    }
    pages.sort_by_key(|page| page.place);
    if let Some(pair) = pages.windows(2).find(|pair| pair[0].place == pair[1].place) {
        let [before, page] = [&pair[0], &pair[1]];
        return Err(format!("{}:2: expected a free place, found that of {}", page.file, before.name));
    }
    let join = |text: fn(&ViolationPage) -> &str| pages.iter().map(text).collect::<String>();
    let (variants, entries) = (join(|page| &page.variant), join(|page| &page.entry));
    let (checks, texts) = (join(|page| &page.checks), join(|page| &page.text));
    Ok(format!(
        "{CODE}\n{variants}}}\n\n/// Every code, in order of precedence.\n\
         pub const ALL: &[CatalogueEntry] = &[\n{entries}];\n\n\
         /// The page of every code, apart from the rows: what judges alone has no use for them.\n\
         static PAGES: &[&str] = &[\n{texts}];\n\n{checks}"
    ))
}

fn read(file: String, name: String, text: &str) -> Result<ViolationPage, Fault> {
    let code = camel(&name);
    let head = TextBlock::all(&file, text).into_iter().next();
    let mut head = head.ok_or_else(|| format!("{file}:1: expected `number: ...`, found no line"))?;
    let (number, place) = (head.number("number: ")?, head.number("place: ")?);
    let summary = head.required("summary: ")?;
    let english = (head.optional("en: ").unwrap_or(summary), head.line());
    let german = (head.required("de: ")?, head.line());
    let mut facts = String::new();
    while let Some(fact) = head.optional("fact: ") {
        facts += &fact_row(fact).ok_or_else(|| {
            head.fault("`fact: NAME KIND` or `fact: NAME KIND unless CASE`, with a variant of `FactKind`")
        })?;
    }
    let (rules, since) = (head.required("rules: ")?, head.required("since: ")?);
    let mut shows = String::new();
    while let Some(shown) = head.optional("irregularity: ") {
        let (id, kinds) = shown.split_once(" by ").unwrap_or((shown, ""));
        let _ = write!(shows, "({id:?}, {kinds:?}), ");
    }
    if shows.is_empty() {
        head.required("irregularity: ")?;
    }
    head.finish()?;
    let body = text.split_once("\n\n").map_or("", |(_, body)| body);
    let mut checks = String::new();
    for ((sentence, line), key) in [(english, "en"), (german, "de")] {
        let _ = writeln!(
            checks,
            "const _: () = assert!(template::fits({sentence:?}, entry(Code::{code}).facts), \
             \"{file}:{line}: expected a template of the facts after `{key}: `\");"
        );
    }
    let entry = format!(
        "CatalogueEntry {{ code: Code::{code}, name: {name:?}, since: {since:?}, summary: {summary:?}, \
         english: {:?}, german: {:?}, facts: &[{facts}], rules: {rules:?}, shows: &[{shows}] }},\n",
        english.0, german.0,
    );
    let text = format!("{:?},\n", format!("# {name}\n\n{body}"));
    let variant = format!("/// `{name}`: {summary}.\n{code} = {number},\n");
    Ok(ViolationPage { file, name, number, place, variant, entry, text, checks })
}

/// Returns a fact, written `NAME KIND` or `NAME KIND unless CASE`.
pub fn fact_row(fact: &str) -> Option<String> {
    let (name, rest) = fact.split_once(' ')?;
    let (kind, absent) = match rest.split_once(" unless ") {
        Some((kind, case)) => (kind, Some(case)),
        None => (rest, None),
    };
    let kind = KINDS.contains(&kind).then_some(kind)?;
    Some(format!("FactRow {{ name: {name:?}, kind: FactKind::{kind}, absent: {absent:?} }}, "))
}
