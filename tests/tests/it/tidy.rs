//! The mechanical part of the house style. What does not keep to it yet stands in `tests/tidy.txt`, which may
//! only shrink: a new exception fails, one that grew fails, and one that is gone must leave the list.
//!
//! After work that made exceptions smaller, or moved them to another file, write the list again:
//!
//!     UPDATE_TIDY=1 cargo test -p canasta-tests --test it tidy::
//!
//! which refuses to write a list whose total of any kind is larger than before.

mod claims;
mod links;
mod size;
mod users;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use crate::source::{arguments, mentions, name_of, parse, read, root, rust_files};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Lit, Meta, ReturnType, Signature, Type};

const LIST: &str = "tests/tidy.txt";
const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 70;

/// The kinds of exceptions: the word that begins a line of the list, and what to do about a new one.
const KINDS: &[(&str, &str)] = &[
    ("file", "has more than 400 lines: split it"),
    ("function", "has more than 70 lines: split it"),
    ("allow", "has `allow` or `expect` without `reason = \"...\"`: write the reason"),
    ("verb", "has functions whose doc comment does not begin with a verb (Returns, Checks): rewrite it"),
    (
        "opening",
        "has doc comments that begin with What, Who, How or Where, or with Whether on no `bool`: rewrite it",
    ),
];

/// First words that end in `s` and are no verb in the third person: those that the code had.
const NO_VERBS: &str = "Always As Bands Bits Bodies Bots Bytes Canastas Cards Causes Codes Commands Commitments Events Facts \
    Fields Games Ids Is Its Keys Labels Melds Messages Nanoseconds Naturals Neighbours Officials Opponents Pages Payloads \
    Placeholders Players Points Rulings Seats Seconds Sequences Sides Tables Things This Threes Twos Values Walls Was Wilds Words Yes";

/// First words that no doc comment has.
const NO_OPENINGS: &[&str] = &["What", "Who", "How", "Where"];

/// The excess of each place over the style: lines of a file or function, or number of cases in a file.
type Exceptions = BTreeMap<(&'static str, String), usize>;

/// Collects the exceptions of one file.
struct Finder<'a> {
    file: &'a str,
    /// The type or trait of the functions that are visited now.
    of: String,
    found: &'a mut Exceptions,
}

impl Finder<'_> {
    fn count(&mut self, kind: &'static str) {
        *self.found.entry((kind, self.file.to_owned())).or_default() += 1;
    }

    /// Judges the doc comment of anything but a function.
    fn doc(&mut self, attributes: &[Attribute], of: Option<&Type>) {
        let Some(word) = first_word(attributes) else { return };
        if NO_OPENINGS.contains(&word.as_str()) || word == "Whether" && !of.is_some_and(is_bool) {
            self.count("opening");
        }
    }

    fn function(&mut self, attributes: &[Attribute], signature: &Signature, end: Option<Span>) {
        if let Some(word) = first_word(attributes) {
            let is_bool = matches!(&signature.output, ReturnType::Type(_, of) if is_bool(of));
            if NO_OPENINGS.contains(&word.as_str()) || word == "Whether" && !is_bool {
                self.count("opening");
            } else if word != "Whether" && !is_verb(&word) {
                self.count("verb");
            }
        }
        let Some(end) = end else { return };
        let lines = end.end().line + 1 - signature.span().start().line;
        if lines > FUNCTION_LINES {
            let name = format!("{} {}{}", self.file, self.of, signature.ident);
            let longest = self.found.entry(("function", name)).or_default();
            *longest = lines.max(*longest);
        }
    }

    /// Visits the functions of `of` with its name before theirs.
    fn within(&mut self, of: String, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.of, of + "::");
        visit(self);
        self.of = outer;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let path = attribute.path();
        let arguments = arguments(attribute);
        let allows = path.is_ident("allow")
            || path.is_ident("expect")
            || path.is_ident("cfg_attr")
                && (mentions(arguments.clone(), "allow") || mentions(arguments.clone(), "expect"));
        if allows && !mentions(arguments, "reason") {
            self.count("allow");
        }
    }

    fn visit_file(&mut self, file: &'ast syn::File) {
        self.doc(&file.attrs, None);
        visit::visit_file(self, file);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, Some(item.block.span()));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, Some(item.block.span()));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(&item.attrs, &item.sig, item.default.as_ref().map(Spanned::span));
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name = match &*item.self_ty {
            Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        self.within(name.unwrap_or_default(), |finder| visit::visit_item_impl(finder, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.doc(&item.attrs, None);
        self.within(item.ident.to_string(), |finder| visit::visit_item_trait(finder, item));
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.doc(&item.attrs, None);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.doc(&item.attrs, None);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.doc(&item.attrs, None);
        visit::visit_item_type(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.doc(&item.attrs, None);
        visit::visit_item_mod(self, item);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.doc(&variant.attrs, None);
        visit::visit_variant(self, variant);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.doc(&field.attrs, Some(&field.ty));
        visit::visit_field(self, field);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.doc(&item.attrs, Some(&item.ty));
        visit::visit_item_const(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.doc(&item.attrs, Some(&item.ty));
        visit::visit_impl_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.doc(&item.attrs, Some(&item.ty));
        visit::visit_item_static(self, item);
    }
}

fn is_bool(of: &Type) -> bool {
    matches!(of, Type::Path(path) if path.path.is_ident("bool"))
}

/// Returns true if the word can be a verb in the third person that begins a sentence.
fn is_verb(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.ends_with('s')
        && word.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !NO_VERBS.split(' ').any(|other| other == word)
}

/// Returns the first word of a doc comment, without the marks around it; none without a doc comment.
fn first_word(attributes: &[Attribute]) -> Option<String> {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => text.value().split_whitespace().next().map(str::to_owned),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let word = attributes.iter().find_map(line)?;
    Some(word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned())
}

/// Adds the exceptions of a file's source to `found`.
fn find(file: &str, lines: usize, syntax: &syn::File, found: &mut Exceptions) {
    if lines > FILE_LINES {
        found.insert(("file", file.to_owned()), lines);
    }
    Finder { file, of: String::new(), found }.visit_file(syntax);
}
/// Returns the exceptions of the whole workspace.
fn of_workspace() -> Exceptions {
    let mut found = Exceptions::new();
    for path in rust_files(root()) {
        find(&name_of(&path), read(&path).lines().count(), &parse(&path), &mut found);
    }
    found
}

/// Returns the exceptions that the list names: lines of kind, number and place.
fn listed(list: &str) -> Exceptions {
    let line = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let kind = words.next().and_then(|word| KINDS.iter().find(|(kind, _)| *kind == word));
        let number = words.next().and_then(|word| word.parse().ok());
        match (kind, number, words.next()) {
            (Some((kind, _)), Some(number), Some(place)) => ((*kind, place.to_owned()), number),
            _ => panic!("{LIST}: {line:?} is not a kind, a number and a place"),
        }
    };
    list.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

/// Returns the list's text.
fn written(found: &Exceptions) -> String {
    let mut text =
        "# What does not keep to the house style yet: see tests/tests/it/tidy.rs. May only shrink.\n"
            .to_owned();
    for (kind, _) in KINDS {
        for ((_, place), number) in found.iter().filter(|((of, _), _)| of == kind) {
            let _ = writeln!(text, "{kind} {number} {place}");
        }
    }
    text
}

/// Returns a complaint for each place that exceeds what the list grants, and for each line that grants nothing.
fn compare(found: &Exceptions, listed: &Exceptions) -> Vec<String> {
    let mut complaints = Vec::new();
    for (key @ (kind, place), number) in found {
        let granted = listed.get(key).copied().unwrap_or(0);
        if *number > granted {
            let what = KINDS.iter().find(|(of, _)| of == kind).map_or("", |(_, what)| what);
            complaints.push(format!("{place} {what} (found {number}, the list grants {granted})"));
        }
    }
    for (key @ (kind, place), number) in listed {
        if !found.contains_key(key) {
            complaints.push(format!(
                "{LIST}: delete the line \"{kind} {number} {place}\": it keeps to the style now"
            ));
        }
    }
    complaints
}

/// Returns the sum of the numbers of one kind.
fn total(exceptions: &Exceptions, kind: &str) -> usize {
    exceptions.iter().filter(|((of, _), _)| *of == kind).map(|(_, number)| number).sum()
}

#[test]
fn the_list_of_exceptions_only_shrinks() {
    let path = root().join(LIST);
    let (found, listed) = (of_workspace(), listed(&read(&path)));
    if std::env::var_os("UPDATE_TIDY").is_some() {
        for (kind, _) in KINDS {
            let (now, before) = (total(&found, kind), total(&listed, kind));
            assert!(
                now <= before,
                "\"{kind}\" adds up to {now}, which is more than {before}: {:#?}",
                compare(&found, &listed)
            );
        }
        return fs::write(path, written(&found)).expect("the list can be written");
    }
    let complaints = compare(&found, &listed);
    assert!(
        complaints.is_empty(),
        "\n{}\nAfter a move of files: UPDATE_TIDY=1 (see tests/tests/it/tidy.rs)",
        complaints.join("\n")
    );
}

/// Returns the names of the types that a file declares.
fn types(items: &[Item]) -> Vec<String> {
    let named = |item: &Item| match item {
        Item::Struct(item) => vec![item.ident.to_string()],
        Item::Enum(item) => vec![item.ident.to_string()],
        Item::Trait(item) => vec![item.ident.to_string()],
        Item::Mod(item) => item.content.as_ref().map(|(_, items)| types(items)).unwrap_or_default(),
        _ => Vec::new(),
    };
    items.iter().flat_map(named).collect()
}

/// Checks that no two types of the libraries have the same name. `Args` are the arguments of a command; `wire` has the
/// form of each record in bytes, which is called like the record. Tests, benches and fuzz targets are left out.
#[test]
fn every_type_has_a_name_of_its_own() {
    let is_left_out = |file: &str| {
        let folders = ["/tests/", "/benches/", "/examples/", "/fuzz/"];
        folders.iter().any(|folder| file.contains(folder))
            || file.ends_with("tests.rs")
            || file.ends_with("/wire.rs")
    };
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in rust_files(root()) {
        let file = name_of(&path);
        let declared = if is_left_out(&file) { Vec::new() } else { types(&parse(&path).items) };
        declared.into_iter().filter(|name| name != "Args").for_each(|name| {
            files.entry(name).or_default().push(file.clone());
        });
    }
    assert!(files.len() > 500, "the types are found: {}", files.len());
    files.retain(|_, files| files.len() > 1);
    assert!(files.is_empty(), "several types of one name: {files:#?}");
}

#[test]
fn exceptions_are_found() {
    let cases: &[(&str, &str)] = &[
        ("/// Returns one.\nfn a() {}", ""),
        ("/// The one.\nfn a() {}", "verb"),
        ("/// Cards of one.\nfn a() {}", "verb"),
        ("trait A {\n/// `a` and more.\nfn a();\n}", "verb"),
        ("/// Whether it is one.\nfn a() -> bool {}", ""),
        ("/// Whether it is one.\nfn a() -> u8 {}", "opening"),
        ("struct A {\n/// Whether it is one.\na: bool,\n}", ""),
        ("enum A {\n/// Whether it is one.\nA,\n}", "opening"),
        ("//! What it is.", "opening"),
        ("/// How it is.\nconst A: u8 = 1;", "opening"),
        ("#[allow(dead_code, reason = \"why\")]\nfn a() {}", ""),
        ("#[allow(dead_code)]\nfn a() {}", "allow"),
        ("#[cfg_attr(test, expect(dead_code))]\nfn a() {}", "allow"),
    ];
    for (source, expected) in cases {
        let mut found = Exceptions::new();
        find("a.rs", 1, &syn::parse_file(source).expect("Rust"), &mut found);
        let kinds: Vec<&str> = found.keys().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds.join(" "), *expected, "{source}");
    }
    let mut found = Exceptions::new();
    let long = format!("impl A {{ fn a() {{ {} }} }}", "\n".repeat(FUNCTION_LINES));
    find("a.rs", FILE_LINES + 1, &syn::parse_file(&long).expect("Rust"), &mut found);
    assert_eq!(
        written(&found).lines().skip(1).collect::<Vec<_>>(),
        ["file 401 a.rs", "function 71 a.rs A::a"]
    );
}

#[test]
fn growth_and_leftovers_are_told() {
    let list = listed("# a note\nfile 410 a.rs\nverb 2 b.rs\nallow 1 c.rs\n");
    let found = listed("file 411 a.rs\nverb 1 b.rs\nopening 1 d.rs\n");
    let complaints = compare(&found, &list);
    for (complaint, expected) in complaints.iter().zip([
        "a.rs has more than 400 lines: split it (found 411, the list grants 410)",
        "d.rs has doc comments that begin with What",
        "tests/tidy.txt: delete the line \"allow 1 c.rs\"",
    ]) {
        assert!(complaint.starts_with(expected), "{complaint}");
    }
    assert_eq!(complaints.len(), 3);
}
