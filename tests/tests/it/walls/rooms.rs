//! The rooms of a crate and of each of its modules, which are the modules directly in it, and which of them name which.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Item, UseTree};

use crate::source::{Tests, attributes, is_test, parse};

/// The room of what stands in the crate's first file itself.
const ROOT: &str = "(crate)";

/// The names of a path from the crate's root on.
type Route = Vec<String>;

/// The rooms of a crate or module with the rooms that each names.
pub struct Rooms(BTreeMap<String, BTreeSet<String>>);

impl Rooms {
    /// Returns the rooms that `room` names; `None` if there is no such room.
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

/// A module: its own modules, and where the names come from that it has.
#[derive(Default)]
struct Module {
    rooms: BTreeSet<String>,
    /// The names of its own items.
    items: BTreeSet<String>,
    /// Paths by the names that `use` gives them.
    names: BTreeMap<String, Route>,
    /// The modules of which `use` takes all names.
    globs: Vec<Route>,
}

/// The modules of a crate, and the paths that each uses.
#[derive(Default)]
pub struct Modules {
    modules: BTreeMap<Route, Module>,
    uses: BTreeSet<(Route, Route)>,
}

impl Modules {
    /// Reads the crate whose first file is `file`.
    pub fn of(file: &Path) -> Self {
        let folder = file.parent().expect("a file stands in a folder");
        let mut modules = Self::default();
        modules.items(parse(file).items, &mut Vec::new(), folder);
        modules
    }

    /// Returns the rooms of the crate, whose path is empty, and of each module in which there are rooms, by path.
    pub fn floors(&self) -> impl Iterator<Item = (String, Rooms)> {
        let floors = self.modules.iter().filter(|(_, module)| !module.rooms.is_empty());
        floors.map(|(floor, module)| (floor.join("::"), self.rooms(floor, module)))
    }

    /// Reads the items of the module `path`, whose files stand in `folder`.
    fn items(&mut self, items: Vec<Item>, path: &mut Route, folder: &Path) {
        let items: Vec<Item> = items.into_iter().filter(|item| !is_test(attributes(item))).collect();
        // The names come first, because an item may stand above the `use` that it needs.
        let mut module = Module::default();
        for item in &items {
            match item {
                Item::Mod(inner) => _ = module.rooms.insert(inner.ident.to_string()),
                Item::Use(_) => {}
                item => module.items.extend(name(item)),
            }
        }
        for item in &items {
            if let Item::Use(item) = item {
                module.take(&item.tree, path, None);
            }
        }
        self.modules.insert(path.clone(), module);
        for item in items {
            match item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let inside = folder.join(&name);
                    path.push(name);
                    match module.content {
                        Some((_, items)) => self.items(items, path, &inside),
                        None => self.items(parse(&file_of(&inside)).items, path, &inside),
                    }
                    path.pop();
                }
                // What the crate's first file takes out of its rooms, it exports.
                Item::Use(_) if path.is_empty() => {}
                item => {
                    let mut item = item;
                    Tests.visit_item_mut(&mut item);
                    self.tokens(item.into_token_stream(), path);
                }
            }
        }
    }

    /// Notes the paths that the code of the module `path` names.
    fn tokens(&mut self, tokens: TokenStream, path: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let start = match &tokens[at] {
                TokenTree::Ident(ident) => self.modules[path].start(&ident.to_string(), path),
                TokenTree::Group(group) => {
                    self.tokens(group.stream(), path);
                    None
                }
                _ => None,
            };
            at += 1;
            if let Some(start) = start {
                at = self.path(&tokens, at, start, path);
            }
        }
    }

    /// Follows a path that has come to `route`; returns where it ends.
    fn path(&mut self, tokens: &[TokenTree], mut at: usize, mut route: Route, path: &[String]) -> usize {
        let is_colon =
            |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
        let first = at;
        while is_colon(at) {
            at += 1;
        }
        // A single colon is none of a path.
        if at == first + 1 {
            at = first;
        }
        match tokens.get(at) {
            Some(TokenTree::Ident(ident)) if at > first => {
                let ident = ident.to_string();
                match ident.as_str() {
                    "super" => _ = route.pop(),
                    "self" => {}
                    _ => route.push(ident),
                }
                self.path(tokens, at + 1, route, path)
            }
            Some(TokenTree::Group(group)) if at > first && group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_comma =
                    |token: &TokenTree| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
                for branch in inner.split(is_comma).filter(|branch| !branch.is_empty()) {
                    // As if the branch stood behind the colons.
                    let colons = [&tokens[at - 2..at], branch].concat();
                    self.path(&colons, 0, route.clone(), path);
                }
                at + 1
            }
            _ => {
                self.uses.insert((path.to_vec(), route));
                at
            }
        }
    }

    fn rooms(&self, floor: &Route, module: &Module) -> Rooms {
        let mut steps: BTreeMap<String, BTreeSet<String>> =
            module.rooms.iter().map(|room| (room.clone(), BTreeSet::new())).collect();
        // A module and the rooms in it always reach each other; only the crate's first file counts as a room of its own.
        let own = floor.is_empty().then(|| ROOT.to_owned());
        for (from, to) in &self.uses {
            let (Some(from), Some(to)) = (from.strip_prefix(&floor[..]), to.strip_prefix(&floor[..])) else {
                continue;
            };
            let Some(from) = from.first().or(own.as_ref()) else { continue };
            let room = to.first().and_then(|name| self.room_of(floor, module, name));
            let Some(to) = room.or_else(|| own.clone().filter(|_| !to.is_empty())) else { continue };
            if to != *from && (from != ROOT || to != ROOT) {
                steps.entry(from.clone()).or_default().insert(to);
            }
        }
        Rooms(steps)
    }

    /// Returns the room of a module that `name` is, or from which the module takes it.
    fn room_of(&self, floor: &Route, module: &Module, name: &String) -> Option<String> {
        if module.rooms.contains(name) {
            return Some(name.clone());
        }
        let of_room = |route: &&Route| route.len() > floor.len() && route.starts_with(floor);
        let has = |route: &&Route| self.modules.get(*route).is_some_and(|from| from.items.contains(name));
        let named = module.names.get(name).filter(of_room);
        let route = named.or_else(|| module.globs.iter().filter(of_room).find(has))?;
        route.get(floor.len()).filter(|first| module.rooms.contains(*first)).cloned()
    }
}

impl Module {
    /// Notes the names that a `use` gives in the module `path`. `route`: where the path has come to.
    fn take(&mut self, tree: &UseTree, path: &[String], route: Option<Route>) {
        let start = |name: &str| match &route {
            Some(route) if name == "super" => Some(route[..route.len().saturating_sub(1)].to_vec()),
            Some(route) => Some([&route[..], &[name.to_owned()]].concat()),
            None if self.rooms.contains(name) => Some([path, &[name.to_owned()]].concat()),
            None => self.start(name, path),
        };
        match tree {
            UseTree::Path(of) => {
                if let Some(route) = start(&of.ident.to_string()) {
                    self.take(&of.tree, path, Some(route));
                }
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.take(tree, path, route.clone()));
            }
            UseTree::Name(of) if of.ident == "self" => {
                if let Some((route, name)) =
                    route.and_then(|route| Some((route.clone(), route.last()?.clone())))
                {
                    self.names.insert(name, route);
                }
            }
            UseTree::Name(of) => {
                let name = of.ident.to_string();
                if let Some(route) = start(&name) {
                    self.names.insert(name, route);
                }
            }
            UseTree::Rename(of) => {
                if let Some(route) = start(&of.ident.to_string()) {
                    self.names.insert(of.rename.to_string(), route);
                }
            }
            UseTree::Glob(_) => self.globs.extend(route),
        }
    }

    /// Returns the path that a name at the beginning of a path stands for.
    fn start(&self, name: &str, path: &[String]) -> Option<Route> {
        match name {
            "crate" => Some(Vec::new()),
            "super" => path.split_last().map(|(_, above)| above.to_vec()),
            "self" => Some(path.to_vec()),
            // In the crate's first file a room's name alone is a path.
            name if path.is_empty() && self.rooms.contains(name) => Some(vec![name.to_owned()]),
            name => self.names.get(name).cloned(),
        }
    }
}

/// Returns the name of an item, if it has one.
fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Returns the file of the module whose own modules stand in `folder`.
fn file_of(folder: &Path) -> PathBuf {
    let beside = folder.with_extension("rs");
    if beside.exists() { beside } else { folder.join("mod.rs") }
}

#[test]
fn circles_are_found() {
    let circles = |source: &str| {
        let mut modules = Modules::default();
        let items = syn::parse_str::<syn::File>(source).expect("Rust").items;
        modules.items(items, &mut Vec::new(), Path::new(""));
        let join = |circle: BTreeSet<String>| circle.into_iter().collect::<Vec<_>>().join(" ");
        let of_floor = |(path, rooms): (String, Rooms)| {
            rooms.circles().into_iter().map(move |circle| format!("{path}: {}", join(circle)))
        };
        let found: Vec<String> = modules.floors().flat_map(of_floor).collect();
        found.join(", ")
    };
    let a = "mod a { use crate::{b::X, c}; } mod c {}";
    for (b, expected) in [
        ("mod b { fn f(x: crate::c::X) {} }", ""),
        ("mod b { fn f(x: crate::a::X) {} }", ": a b"),
        ("mod b { use super::a; }", ": a b"),
        ("mod b { mod d { use super::super::{a::X, e}; } } mod e {}", ": a b"),
        ("mod b { mod d { use super::a; } }", ""),
        ("mod b { fn f() { assert!(crate::a::x()) } }", ": a b"),
        ("mod b { #[arg(default = crate::a::x())] struct X; }", ": a b"),
        ("mod b { use crate::X; } pub use a::X;", ": a b"),
        ("mod b { use crate::X; } struct X(a::Y);", ": (crate) a b"),
        ("mod b { #[cfg(test)] mod tests { use crate::a; } }", ""),
        ("mod b { impl X { #[cfg(test)] fn x() { crate::a::x() } } }", ""),
        ("mod b { #[cfg(not(test))] use crate::a; }", ": a b"),
        ("mod b { use crate::X; } pub use a::*;", ""),
        ("mod b { use crate::E; } mod d { use crate::b; pub struct E; } pub use d::*;", ": b d"),
        ("mod b { mod d { use super::e; } mod e { use super::d; } }", "b: d e"),
        ("mod b { mod d { use crate::b::{E, self}; } mod e { use super::d::X; } use e::E; }", "b: d e"),
        ("mod b { mod d { use super::e; } mod e { use crate::b; fn f() { b::d::x() } } }", "b: d e"),
        ("mod b { mod d { use super::e; } mod e { fn f() { super::g() } } fn g() { d::x() } }", ""),
        ("mod b { mod d { use super::E; } pub use e::*; mod e { use super::d; pub struct E; } }", "b: d e"),
        ("mod b { mod c { mod d { use super::super::e; } } mod e { use crate::b::c; } }", "b: c e"),
    ] {
        assert_eq!(circles(&format!("{a} {b}")), expected, "{b}");
    }
}
