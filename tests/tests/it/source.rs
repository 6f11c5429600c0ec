//! The workspace's own source files, parsed.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, ImplItem, Item, Meta};

/// Folders that hold no source of the workspace.
const SKIPPED: &[&str] = &["target", "node_modules", "venv", "corpus", "artifacts"];

/// Returns the folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests stand in a folder of the workspace")
}

/// Returns the Rust files below `folder`, sorted by path.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    files(folder, &["rs"])
}

/// Returns the files below `folder` whose names have one of these extensions, sorted by path.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            if path.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                folders.push(path);
            } else if extensions.contains(&extension.as_ref()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Reads a text file.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Parses a Rust file.
pub fn parse(path: &Path) -> syn::File {
    syn::parse_file(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the path as it is written from the workspace's folder, with `/` between names.
pub fn name_of(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// Returns the tokens between an attribute's brackets, without its name.
pub fn arguments(attribute: &Attribute) -> TokenStream {
    match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// Calls `each` with every token, those inside brackets included, in the order of the text.
pub fn each_token(tokens: TokenStream, each: &mut impl FnMut(&TokenTree)) {
    for token in tokens {
        each(&token);
        if let TokenTree::Group(group) = &token {
            each_token(group.stream(), each);
        }
    }
}

/// Returns true if one of the tokens is the identifier `word`.
pub fn mentions(tokens: TokenStream, word: &str) -> bool {
    let mut found = false;
    each_token(tokens, &mut |token| found |= matches!(token, TokenTree::Ident(ident) if ident == word));
    found
}

/// Removes what is compiled for tests only.
pub struct Tests;

impl VisitMut for Tests {
    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| !is_test(attributes(item)));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain(|item| !matches!(item, ImplItem::Fn(function) if is_test(&function.attrs)));
        visit_mut::visit_item_impl_mut(self, item);
    }
}

/// Returns the file without what is compiled for tests only.
pub fn without_tests(mut file: syn::File) -> syn::File {
    file.items.retain(|item| !is_test(attributes(item)));
    Tests.visit_file_mut(&mut file);
    file
}

/// Returns true if the attributes restrict an item to tests.
pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let arguments = arguments(attribute);
        attribute.path().is_ident("cfg") && mentions(arguments.clone(), "test") && !mentions(arguments, "not")
    })
}

/// Returns the attributes of an item.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
