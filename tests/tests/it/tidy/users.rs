//! Public items of the crates without a user: no product source names them outside their own declaration.
//!
//! The scan knows identifiers, not items. An item that shares its name with anything that is used is taken for used.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, ImplItem, Signature, TraitItem, UseTree, Visibility};

use crate::source::{each_token, name_of, parse, read, root, rust_files, without_tests};

/// Public items without a user that stay, each with the reason. May only shrink.
const KEPT: &[(&str, &str)] = &[
    ("check_all", "all invariants, by which tests judge the tables of every game"),
    ("dealer_block", "a number of the test vectors of a deal, for other implementations"),
    ("decode_into", "a token read into memory that is used again, which benches measure"),
    ("is_truncated", "the answer of `codes_into` to the question whether steps may be missing"),
    ("legal_step", "the proof of a step of `codes_into`, which benches measure"),
    ("of_dearest_question", "the cost of a search, whose bounds tests hold"),
    ("pack_files", "archives on files that fail, which tests bring"),
    ("serialize", "derives of serde call it by the name of its module"),
    ("train", "the prior of archives is made anew by a test (UPDATE_PRIOR)"),
];

/// Tables whose rows the build makes into Rust: they name types.
const TABLES: &[&str] = &["engine/rules/src/rules/knobs.txt"];

/// The names in some sources.
#[derive(Default)]
struct Names {
    /// The files that declare a public item of a name.
    declared: BTreeMap<String, Vec<String>>,
    /// The number of places where a name stands, except those where it is declared or only re-exported.
    uses: BTreeMap<String, isize>,
    /// The functions of types, which are named behind a dot or two colons only, and all other items.
    methods: BTreeSet<String>,
    items: BTreeSet<String>,
    /// The number of places where a name stands behind a dot or two colons, except in its own function.
    called: BTreeMap<String, isize>,
    file: String,
}

impl Names {
    fn read(&mut self, file: String, source: &syn::File) {
        self.file = file;
        self.count(source.to_token_stream(), 1);
        self.visit_file(source);
    }

    /// Adds `weight` for every name in the tokens. In a text, a name that stands behind a brace is one: `{name}`.
    fn count(&mut self, tokens: TokenStream, weight: isize) {
        let mut before = [' '; 2];
        each_token(tokens, &mut |token| match token {
            TokenTree::Ident(ident) => {
                *self.uses.entry(ident.to_string()).or_default() += weight;
                if before[1] == '.' || before == [':', ':'] {
                    *self.called.entry(ident.to_string()).or_default() += weight;
                }
                before = [' '; 2];
            }
            TokenTree::Punct(punct) => before = [before[1], punct.as_char()],
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let braced = text.split('{').skip(1).filter_map(|part| words(part).next());
                braced.for_each(|word| *self.uses.entry(word.to_owned()).or_default() += weight);
            }
            TokenTree::Group(_) => before = [' '; 2],
        });
    }

    /// Counts every word of a text as a name that is used.
    fn use_words(&mut self, text: &str) {
        for word in words(text) {
            *self.uses.entry(word.to_owned()).or_default() += 1;
            *self.called.entry(word.to_owned()).or_default() += 1;
        }
    }

    /// Counts every word of the texts among the tokens.
    fn use_texts(&mut self, tokens: TokenStream) {
        each_token(tokens, &mut |token| {
            if let TokenTree::Literal(literal) = token {
                self.use_words(&literal.to_string());
            }
        });
    }

    /// Notes a declaration.
    fn declare(&mut self, name: &Ident, visibility: &Visibility) {
        self.count(name.to_token_stream(), -1);
        if matches!(visibility, Visibility::Public(_)) {
            self.declared.entry(name.to_string()).or_default().push(self.file.clone());
        }
    }

    /// Notes a function, which does not use itself.
    fn function(&mut self, signature: &Signature, visibility: &Visibility, body: TokenStream) {
        self.declare(&signature.ident, visibility);
        let name = signature.ident.to_string();
        let mut inside = Self::default();
        inside.count(body, 1);
        for (all, own) in [(&mut self.uses, inside.uses), (&mut self.called, inside.called)] {
            *all.entry(name.clone()).or_default() -= own.get(&name).copied().unwrap_or(0);
        }
    }

    /// Notes a function of a type or trait.
    fn method(&mut self, signature: &Signature, visibility: &Visibility, body: TokenStream) {
        self.methods.insert(signature.ident.to_string());
        self.function(signature, visibility, body);
    }

    fn unused(&self) -> BTreeMap<&str, &[String]> {
        let is_unused = |name: &str| {
            let is_method = self.methods.contains(name) && !self.items.contains(name);
            let uses = if is_method { &self.called } else { &self.uses };
            uses.get(name).is_none_or(|uses| *uses <= 0)
        };
        let unused = self.declared.iter().filter(|(name, _)| is_unused(name));
        unused.map(|(name, files)| (name.as_str(), &files[..])).collect()
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        // Serde is given paths as texts.
        if !attribute.path().is_ident("doc") {
            self.use_texts(attribute.meta.to_token_stream());
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        // A `use` that gives another name or takes all names counts as a user: its names stand nowhere else.
        fn is_plain(tree: &UseTree) -> bool {
            match tree {
                UseTree::Path(path) => is_plain(&path.tree),
                UseTree::Group(group) => group.items.iter().all(is_plain),
                UseTree::Name(_) => true,
                UseTree::Rename(_) | UseTree::Glob(_) => false,
            }
        }
        if is_plain(&item.tree) {
            self.count(item.tree.to_token_stream(), -1);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.items.insert(item.sig.ident.to_string());
        self.function(&item.sig, &item.vis, item.block.to_token_stream());
        visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.count(item.self_ty.to_token_stream(), -1);
        for part in &item.items {
            match part {
                ImplItem::Fn(part) => self.method(&part.sig, &part.vis, part.block.to_token_stream()),
                ImplItem::Const(part) => self.declare(&part.ident, &part.vis),
                ImplItem::Type(part) => self.count(part.ident.to_token_stream(), -1),
                _ => {}
            }
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.declare(&item.ident, &item.vis);
        for part in &item.items {
            match part {
                TraitItem::Fn(part) => self.method(&part.sig, &item.vis, part.default.to_token_stream()),
                TraitItem::Const(part) => self.declare(&part.ident, &item.vis),
                _ => {}
            }
        }
        visit::visit_item_trait(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.declare(&item.ident, &item.vis);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.declare(&item.ident, &item.vis);
        visit::visit_item_static(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.declare(&item.ident, &item.vis);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.declare(&item.ident, &item.vis);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.declare(&item.ident, &item.vis);
        visit::visit_item_type(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.count(field.ident.to_token_stream(), -1);
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.count(variant.ident.to_token_stream(), -1);
        visit::visit_variant(self, variant);
    }
}

/// Returns the words of a text that can be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

#[test]
fn public_items_have_users_outside_tests() {
    let is_product = |file: &str| {
        let folders = ["/tests/", "/benches/", "/examples/", "/fuzz/"];
        !file.starts_with("tests/")
            && !folders.iter().any(|folder| file.contains(folder))
            && !file.ends_with("tests.rs")
    };
    let mut names = Names::default();
    for path in rust_files(root()) {
        let file = name_of(&path);
        if is_product(&file) {
            let source = without_tests(parse(&path));
            // The build writes Rust, whose names stand in texts.
            if file.contains("/build/") || file.ends_with("/build.rs") {
                names.use_texts(source.to_token_stream());
            }
            names.read(file, &source);
        }
    }
    TABLES.iter().for_each(|table| names.use_words(&read(&root().join(table))));
    assert!(names.declared.len() > 1000, "the items are found: {}", names.declared.len());
    let mut unused = names.unused();
    let idle: Vec<&str> =
        KEPT.iter().map(|(name, _)| *name).filter(|name| unused.remove(name).is_none()).collect();
    assert!(
        unused.is_empty(),
        "move what only tests use to the tests, and delete what nothing uses: {unused:#?}"
    );
    assert!(idle.is_empty(), "used now, or gone: delete from KEPT {idle:?}");
}

#[test]
fn items_without_users_are_found() {
    let cases = [
        ("pub fn a() {}", "a"),
        ("pub(crate) fn a() {}", ""),
        ("pub fn a() {} fn b() { a() }", ""),
        ("pub fn a() { a() }", "a"),
        ("pub fn a() {} pub use self::a;", "a"),
        ("pub fn a() {} pub use self::a as b;", ""),
        ("pub struct A; impl A { pub fn a(&self) {} }", "A a"),
        ("pub struct A; impl A { fn a(x: A) {} }", ""),
        ("pub trait A { fn a(); } impl A for u8 { fn a() {} }", "a"),
        ("pub const A: u8 = 1; fn b() { format!(\"{A:?}\") }", ""),
        ("pub struct A { a: u8 } pub enum B { A }", "A B"),
        ("mod a { pub fn b() {} } #[serde(with = \"a::b\")] struct C;", ""),
        ("pub fn a() {} #[cfg(test)] mod tests { fn b() { a() } }", "a"),
        ("/// [`a`]\npub fn a() {}", "a"),
        ("struct A; impl A { pub fn a(&self) {} } fn b(a: u8) { c(a) }", "a"),
        ("struct A; impl A { pub fn a(&self) {} } fn b(x: A) { x.a() }", ""),
        ("struct A; impl A { pub fn a() {} } fn b() { c(A::a) }", ""),
        ("struct A; impl A { pub fn a(&self) {} } fn a() {} fn b() { a() }", ""),
    ];
    for (source, expected) in cases {
        let mut names = Names::default();
        names.read("a.rs".to_owned(), &without_tests(syn::parse_file(source).expect("Rust")));
        assert_eq!(names.unused().into_keys().collect::<Vec<_>>().join(" "), expected, "{source}");
    }
}
