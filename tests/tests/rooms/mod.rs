//! The rooms of a crate, which are its top-level modules, and which of them name which; and the same of the
//! modules in a room.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, ImplItem, Item, UseTree};

use crate::source::{arguments, mentions, parse};

/// The room of what stands in the crate's first file itself.
const ROOT: &str = "(crate)";

/// The rooms of a crate with the rooms that each names.
pub struct Rooms(BTreeMap<String, BTreeSet<String>>);

impl Rooms {
    /// Reads the crate whose first file is `file`.
    pub fn of(file: &Path) -> Self {
        let mut reader = Reader::default();
        let folder = file.parent().expect("a file stands in a folder");
        reader.items(parse(file).items, &mut Vec::new(), folder);
        reader.rooms()
    }

    /// Reads the modules in the room `room` of the crate whose first file is `file`. How the room's own first file and its
    /// modules use each other is not read.
    pub fn inside(file: &Path, room: &str) -> Self {
        let folder = file.parent().expect("a file stands in a folder").join(room);
        let mut reader = Reader { level: 1, ..Reader::default() };
        reader.items(parse(&file_of(&folder)).items, &mut vec![room.to_owned()], &folder);
        reader.rooms()
    }

    /// Returns the rooms that `room` names; `None` if the crate does not have it.
    pub fn named_by(&self, room: &str) -> Option<&BTreeSet<String>> {
        self.0.get(room)
    }

    /// Returns the sets of two and more rooms that reach each other.
    pub fn circles(&self) -> Vec<BTreeSet<String>> {
        let reached: BTreeMap<&String, BTreeSet<String>> =
            self.0.keys().map(|room| (room, self.reached(room))).collect();
        let mut circles: Vec<BTreeSet<String>> = Vec::new();
        for (room, there) in &reached {
            let circle: BTreeSet<String> = there
                .iter()
                .filter(|other| reached.get(other).is_some_and(|back| back.contains(*room)))
                .cloned()
                .collect();
            if circle.len() > 1 && !circles.contains(&circle) {
                circles.push(circle);
            }
        }
        circles
    }

    /// Returns the rooms that are reached from `room` by one step or more.
    fn reached(&self, room: &String) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut next = vec![room];
        while let Some(room) = next.pop() {
            for other in self.0.get(room).into_iter().flatten() {
                if reached.insert(other.clone()) {
                    next.push(other);
                }
            }
        }
        reached
    }

    /// Writes the steps between the rooms of a circle.
    pub fn describe(&self, circle: &BTreeSet<String>) -> String {
        let step = |room: &String| {
            let to: Vec<&str> = self.0[room].intersection(circle).map(String::as_str).collect();
            format!("{room} -> {}", to.join(", "))
        };
        circle.iter().map(step).collect::<Vec<_>>().join("; ")
    }
}

/// Collects the rooms of a crate, the names that each uses of the crate's root, and where these come from.
#[derive(Default)]
struct Reader {
    /// Number of modules around those that are read: 0 for a crate's rooms, 1 for the modules in one of them.
    level: usize,
    rooms: BTreeSet<String>,
    /// Rooms by names that the crate's root takes out of them.
    exported: BTreeMap<String, String>,
    /// Pairs of a room and a name of the root that it uses.
    uses: BTreeSet<(String, String)>,
}

impl Reader {
    /// Reads the items of the module `path`, whose files stand in `folder`.
    fn items(&mut self, items: Vec<Item>, path: &mut Vec<String>, folder: &Path) {
        for item in items {
            if is_test(attributes(&item)) {
                continue;
            }
            match item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let inside = folder.join(&name);
                    if path.len() == self.level {
                        self.rooms.insert(name.clone());
                    }
                    path.push(name);
                    match module.content {
                        Some((_, items)) => self.items(items, path, &inside),
                        None => self.items(parse(&file_of(&inside)).items, path, &inside),
                    }
                    path.pop();
                }
                Item::Use(item) if path.len() == self.level => self.export(&item.tree, None),
                item => {
                    let mut item = item;
                    Tests.visit_item_mut(&mut item);
                    self.tokens(item.into_token_stream(), path);
                }
            }
        }
    }

    /// Notes the names that the crate's root takes from rooms.
    fn export(&mut self, tree: &UseTree, room: Option<&str>) {
        match tree {
            UseTree::Path(path) if path.ident == "crate" || path.ident == "self" => {
                self.export(&path.tree, room);
            }
            UseTree::Path(path) => self.export(&path.tree, Some(room.unwrap_or(&path.ident.to_string()))),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.export(tree, room)),
            UseTree::Name(name) => self.exported_as(&name.ident.to_string(), room),
            UseTree::Rename(rename) => self.exported_as(&rename.rename.to_string(), room),
            UseTree::Glob(_) => {}
        }
    }

    fn exported_as(&mut self, name: &str, room: Option<&str>) {
        if let Some(room) = room {
            self.exported.insert(name.to_owned(), room.to_owned());
        }
    }

    /// Finds `crate::name`, and `super::name` where that is the crate's root, in code of the module `path`.
    fn tokens(&mut self, tokens: TokenStream, path: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let start = match &tokens[at] {
                TokenTree::Ident(ident) if ident == "crate" => Some(0),
                TokenTree::Ident(ident) if ident == "super" => path.len().checked_sub(1),
                // In the first file a room's name alone is a path.
                TokenTree::Ident(ident) if path.len() == self.level => {
                    self.name(&ident.to_string(), path);
                    None
                }
                TokenTree::Group(group) => {
                    self.tokens(group.stream(), path);
                    None
                }
                _ => None,
            };
            at += 1;
            if let Some(depth) = start {
                at = self.path(&tokens, at, depth, path);
            }
        }
    }

    /// Follows a path that has come to the module at `depth`; returns where it ends.
    fn path(&mut self, tokens: &[TokenTree], mut at: usize, depth: usize, path: &[String]) -> usize {
        let is_colon =
            |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
        while is_colon(at) {
            at += 1;
        }
        match tokens.get(at) {
            Some(TokenTree::Ident(ident)) if ident == "super" && depth > 0 => {
                self.path(tokens, at + 1, depth - 1, path)
            }
            Some(TokenTree::Ident(ident)) if depth < self.level => {
                if *ident == path[depth] {
                    self.path(tokens, at + 1, depth + 1, path)
                } else {
                    at + 1
                }
            }
            Some(TokenTree::Ident(ident)) if depth == self.level => {
                self.name(&ident.to_string(), path);
                at + 1
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_comma =
                    |token: &TokenTree| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
                for branch in inner.split(is_comma) {
                    self.path(branch, 0, depth, path);
                }
                at + 1
            }
            _ => at,
        }
    }

    fn name(&mut self, name: &str, path: &[String]) {
        let room = path.get(self.level).map_or(ROOT, String::as_str);
        if self.level > 0 && room == ROOT {
            return;
        }
        self.uses.insert((room.to_owned(), name.to_owned()));
    }

    fn rooms(self) -> Rooms {
        let mut steps: BTreeMap<String, BTreeSet<String>> =
            self.rooms.iter().map(|room| (room.clone(), BTreeSet::new())).collect();
        for (room, name) in self.uses {
            let to = match self.exported.get(&name) {
                _ if self.rooms.contains(&name) => &name,
                Some(to) => to,
                None if room != ROOT => ROOT,
                None => continue,
            };
            if *to != room {
                steps.entry(room).or_default().insert(to.to_owned());
            }
        }
        Rooms(steps)
    }
}

/// Returns the file of the module whose own modules stand in `folder`.
fn file_of(folder: &Path) -> PathBuf {
    let beside = folder.with_extension("rs");
    if beside.exists() { beside } else { folder.join("mod.rs") }
}

/// Removes what is compiled for tests only.
struct Tests;

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
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let arguments = arguments(attribute);
        attribute.path().is_ident("cfg") && mentions(arguments.clone(), "test") && !mentions(arguments, "not")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
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

#[test]
fn circles_are_found() {
    let circles = |source: &str, around: &[&str]| {
        let mut reader = Reader { level: around.len(), ..Reader::default() };
        let mut around = around.iter().map(|&name| name.to_owned()).collect();
        reader.items(syn::parse_str::<syn::File>(source).expect("Rust").items, &mut around, Path::new(""));
        let found = reader.rooms().circles().into_iter();
        found.map(|circle| circle.into_iter().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
    };
    let a = "mod a { use crate::{b::X, c}; } mod c {}";
    for (b, expected) in [
        ("mod b { fn f(x: crate::c::X) {} }", ""),
        ("mod b { fn f(x: crate::a::X) {} }", "a b"),
        ("mod b { use super::a; }", "a b"),
        ("mod b { mod d { use super::super::{a::X, e}; } } mod e {}", "a b"),
        ("mod b { mod d { use super::a; } }", ""),
        ("mod b { fn f() { assert!(crate::a::x()) } }", "a b"),
        ("mod b { #[arg(default = crate::a::x())] struct X; }", "a b"),
        ("mod b { use crate::X; } pub use a::X;", "a b"),
        ("mod b { use crate::X; } struct X(a::Y);", "(crate) a b"),
        ("mod b { #[cfg(test)] mod tests { use crate::a; } }", ""),
        ("mod b { impl X { #[cfg(test)] fn x() { crate::a::x() } } }", ""),
        ("mod b { #[cfg(not(test))] use crate::a; }", "a b"),
    ] {
        assert_eq!(circles(&format!("{a} {b}"), &[]), expected, "{b}");
    }
    let a = "mod a { use super::b; } use a::X;";
    for (b, expected) in [
        ("mod b { use crate::room::a; }", "a b"),
        ("mod b { use crate::{c::a, room::{a, c}}; }", "a b"),
        ("mod b { mod d { use super::super::a; } }", "a b"),
        ("mod b { use super::X; }", "a b"),
        ("mod b { use crate::a; }", ""),
        ("mod b { use crate::other::a; use super::super::a; }", ""),
        ("mod b {} fn f() { a::x(); b::x() }", ""),
    ] {
        assert_eq!(circles(&format!("{a} {b}"), &["room"]), expected, "{b}");
    }
}
