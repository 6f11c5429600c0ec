//! The walls of the house: which crate may use which, which modules of a crate may not reach each other in a circle,
//! and what docs/ARCHITECTURE.md says the code does not have. The page decides; the code is held to it.

mod rooms;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::source::{arguments, each_token, mentions, name_of, parse, read, root, rust_files, without_tests};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use rooms::Modules;
use serde_json::Value;
use syn::visit::{self, Visit};

/// The files of the engine in which names of presets, and the words that such names begin with, may stand. The page names
/// each of them.
const PRESET_NAMES: &[&str] = &["rulebook/mod.rs"];

/// The circles between the modules of one module that are left: crate, module, and the modules in the circle. May only
/// shrink.
const CIRCLES: &[&str] = &[
    "canasta-audit audit: round transcribed",
    "canasta-recorder journal::nats: connection hints self_test servers trust",
    "canasta-recorder play: gate judge",
    "canasta-replay step: app draw rows",
    "canasta-rules way_out: classes find prospects search",
    "canasta-messages convert: action ruling",
    "canasta-messages convert: action_out ruling_out",
    "canasta-serve identity: jwt link",
    "canasta-serve telemetry: complaints log",
];

/// A crate of the workspace, as cargo describes it.
struct Package {
    name: String,
    folder: PathBuf,
    /// The first files of its library and programs.
    roots: Vec<PathBuf>,
    /// The crates that it uses: those that its code needs, and those that only its tests need.
    uses: BTreeSet<String>,
    tests_use: BTreeSet<String>,
}

/// Returns the crates of the workspace.
fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata are JSON");
    list(&metadata["packages"]).iter().map(package).collect()
}

fn package(package: &Value) -> Package {
    let used = |wanted: &[&str]| {
        let uses = list(&package["dependencies"]).iter();
        let uses = uses.filter(|of| wanted.contains(&of["kind"].as_str().unwrap_or("normal")));
        uses.map(|of| text(&of["name"])).collect()
    };
    let is_root = |target: &&Value| list(&target["kind"]).iter().any(|kind| kind == "lib" || kind == "bin");
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    Package {
        name: text(&package["name"]),
        folder: manifest.parent().expect("a manifest stands in a folder").to_owned(),
        roots: list(&package["targets"])
            .iter()
            .filter(is_root)
            .map(|of| text(&of["src_path"]).into())
            .collect(),
        uses: used(&["normal", "build"]),
        tests_use: used(&["dev"]),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

/// A row of the page's table of crates.
struct Row {
    folder: String,
    /// The row's words on what the crate is.
    is: String,
    ours: BTreeSet<String>,
    /// Foreign crates; none where the page grants any.
    foreign: Option<BTreeSet<String>>,
    tests: BTreeSet<String>,
}

/// Returns the page's table of crates, by name.
fn table(page: &str) -> BTreeMap<String, Row> {
    let start = page.find("| crate | folder |").expect("the page has a table of crates");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, folder, is, ours, foreign, tests] = cells[..] else { panic!("six cells: {line}") };
        let row = Row {
            folder: quoted(folder).into_iter().collect(),
            is: is.to_owned(),
            ours: quoted(ours),
            foreign: (foreign != "any").then(|| quoted(foreign)),
            tests: quoted(tests),
        };
        (quoted(name).into_iter().collect(), row)
    };
    page[start..].lines().skip(2).take_while(|line| line.starts_with('|')).map(row).collect()
}

/// Returns what stands between backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn page() -> String {
    read(&root().join("docs/ARCHITECTURE.md"))
}

/// Returns the sources of the crates below `engine/`, without benches, examples and tests, by path.
fn engine() -> Vec<(String, syn::File)> {
    let ours = |path: &PathBuf| {
        let name = name_of(path);
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains("/src/") && !name.contains("/tests/") && !file.contains("tests")
    };
    let files = rust_files(&root().join("engine")).into_iter().filter(ours);
    files.map(|path| (name_of(&path), without_tests(parse(&path)))).collect()
}

/// Calls `each` with every token of the file that is no part of a doc comment.
fn code_tokens(file: &syn::File, each: &mut impl FnMut(&TokenTree)) {
    struct Docless;
    impl syn::visit_mut::VisitMut for Docless {
        fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
            attributes.retain(|attribute| !attribute.path().is_ident("doc"));
        }
    }
    let mut file = file.clone();
    syn::visit_mut::visit_file_mut(&mut Docless, &mut file);
    each_token(file.into_token_stream(), each);
}

#[test]
fn crates_use_what_the_page_says() {
    let mut table = table(&page());
    let packages = packages();
    let ours: BTreeSet<&String> = packages.iter().map(|package| &package.name).collect();
    let split = |used: &BTreeSet<String>| -> (BTreeSet<String>, BTreeSet<String>) {
        used.iter().cloned().partition(|name| ours.contains(name))
    };
    for package in &packages {
        let name = &package.name;
        let row =
            table.remove(name).unwrap_or_else(|| panic!("docs/ARCHITECTURE.md has no row for `{name}`"));
        assert_eq!(name_of(&package.folder), row.folder, "the folder of {name}");
        let (of_ours, foreign) = split(&package.uses);
        assert_eq!(of_ours, row.ours, "crates of the workspace that {name} uses");
        if let Some(granted) = row.foreign {
            assert_eq!(foreign, granted, "foreign crates that {name} uses");
        }
        // What the code uses, its tests may use; the page names what only tests use.
        let tests = split(&package.tests_use).0.difference(&of_ours).cloned().collect();
        assert_eq!(row.tests, tests, "crates of the workspace that only the tests of {name} use");
    }
    assert!(table.is_empty(), "docs/ARCHITECTURE.md: no such crates: {:?}", table.keys());
}

#[test]
fn crates_without_std_are_those_that_the_page_names() {
    let table = table(&page());
    for package in packages() {
        let Some(library) = package.roots.iter().find(|path| path.ends_with("lib.rs")) else { continue };
        let is = parse(library).attrs.iter().any(|attribute| attribute.path().is_ident("no_std"));
        let says = table.get(&package.name).is_some_and(|row| row.is.contains("`no_std`"));
        assert_eq!(is, says, "{}: `#![no_std]` in the code and in docs/ARCHITECTURE.md", package.name);
    }
}

#[test]
fn the_auditor_knows_neither_service_nor_messages() {
    for package in packages().iter().filter(|package| package.folder.starts_with(root().join("replay-cli"))) {
        for forbidden in ["canasta-service", "canasta-proto", "tonic", "prost"] {
            assert!(!package.uses.contains(forbidden), "{} uses {forbidden}", package.name);
        }
    }
}

/// Servers serve whatever they answer: of the engine they name who acts, which game, and how notes are signed.
#[test]
fn what_is_around_a_server_knows_no_card() {
    let known = ["action::As", "deal::GameId", "hex::", "log::checkpoint::", "seat::"];
    for path in rust_files(&root().join("service/serve/src")) {
        for named in read(&path).split("canasta_engine::").skip(1) {
            let is_known = known.iter().any(|known| named.starts_with(known));
            assert!(
                is_known,
                "{}: canasta_engine::{}",
                name_of(&path),
                named.lines().next().unwrap_or(named)
            );
        }
    }
}

#[test]
fn one_file_names_bincode() {
    let names = |path: &PathBuf| mentions(parse(path).into_token_stream(), "bincode");
    let files = rust_files(root()).into_iter().filter(|path| read(path).contains("bincode")).filter(names);
    assert_eq!(files.map(|path| name_of(&path)).collect::<Vec<_>>(), ["engine/log/src/codec.rs"]);
}

#[test]
fn no_rooms_reach_each_other_in_a_circle() {
    let mut circles = BTreeSet::new();
    let mut paths = String::new();
    for package in packages() {
        for file in &package.roots {
            for (floor, rooms) in Modules::of(file).floors() {
                for circle in rooms.circles() {
                    paths += &format!("{} {floor}: {}\n", package.name, rooms.describe(&circle));
                    let place = if floor.is_empty() { String::new() } else { format!(" {floor}") };
                    let names: Vec<String> = circle.into_iter().collect();
                    circles.insert(format!("{}{place}: {}", package.name, names.join(" ")));
                }
            }
        }
    }
    let known = CIRCLES.iter().map(|known| (*known).to_owned()).collect();
    assert_eq!(circles, known, "modules in a circle, found and known\n{paths}");
}

#[test]
fn folders_of_the_referees_tool_use_what_the_page_says() {
    let page = page();
    let start = page.find("| folder | for |").expect("the page has a table of folders");
    let rows = page[start..].lines().skip(2).take_while(|line| line.starts_with('|'));
    let source = root().join("replay-cli/src");
    let modules = Modules::of(&source.join("lib.rs"));
    let rooms = modules.floors().find_map(|(floor, rooms)| floor.is_empty().then_some(rooms));
    let rooms = rooms.expect("the crate has rooms");
    let mut folders: BTreeSet<PathBuf> = fs::read_dir(&source)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    for line in rows {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [folder, _, _, uses] = cells[..] else { panic!("four cells: {line}") };
        let folder = folder.trim_matches('`');
        assert!(folders.remove(&source.join(folder)), "docs/ARCHITECTURE.md: no such folder: {folder}");
        assert_eq!(rooms.named_by(folder), Some(&quoted(uses)), "folders that {folder} uses");
    }
    assert!(folders.is_empty(), "docs/ARCHITECTURE.md does not name {folders:?}");
}

/// Checks that everything is tested with the oldest compiler that the crates promise to build with.
#[test]
fn the_toolchain_is_the_oldest_that_is_supported() {
    let named = |file: &str, key: &str| {
        let text = read(&root().join(file));
        let line = text.lines().find_map(|line| line.strip_prefix(key).map(str::to_owned));
        line.unwrap_or_else(|| panic!("{file} has no {key}")).trim_matches('"').to_owned()
    };
    let (oldest, tested) =
        (named("Cargo.toml", "rust-version = "), named("rust-toolchain.toml", "channel = "));
    assert_eq!(tested, format!("{oldest}.0"));
}

#[test]
fn nothing_is_unsafe() {
    for package in packages() {
        let manifest: toml::Table = read(&package.folder.join("Cargo.toml")).parse().expect("TOML");
        let inherits =
            manifest.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool);
        assert_eq!(inherits, Some(true), "{}: the workspace's lints forbid `unsafe`", package.name);
    }
    let workspace: toml::Table = read(&root().join("Cargo.toml")).parse().expect("TOML");
    assert_eq!(workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
}

#[test]
fn the_engine_has_no_float_clock_or_random_order() {
    let forbidden = ["f32", "f64", "HashMap", "HashSet", "RandomState", "Instant", "SystemTime"];
    let mut found = Vec::new();
    for (name, file) in engine() {
        code_tokens(&file, &mut |token| match token {
            TokenTree::Ident(ident) if forbidden.iter().any(|word| ident == word) => {
                found.push(format!("{name}: {ident}"));
            }
            TokenTree::Literal(literal) if is_float(literal) => found.push(format!("{name}: {literal}")),
            _ => {}
        });
    }
    assert!(found.is_empty(), "{found:#?}");
}

fn is_float(literal: &proc_macro2::Literal) -> bool {
    matches!(syn::parse2(TokenTree::from(literal.clone()).into()), Ok(syn::Lit::Float(_)))
}

#[test]
fn what_is_serialised_has_no_usize() {
    #[derive(Default)]
    struct Sizes {
        found: Vec<String>,
        serialised: usize,
    }
    impl Sizes {
        fn item(&mut self, attributes: &[syn::Attribute], name: &syn::Ident, item: TokenStream) {
            let derives =
                attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).map(arguments);
            if derives
                .into_iter()
                .any(|derived| mentions(derived.clone(), "Serialize") || mentions(derived, "Deserialize"))
            {
                self.serialised += 1;
                if mentions(item.clone(), "usize") || mentions(item, "isize") {
                    self.found.push(name.to_string());
                }
            }
        }
    }
    impl<'ast> Visit<'ast> for Sizes {
        fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
            self.item(&item.attrs, &item.ident, item.fields.to_token_stream());
        }
        fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
            self.item(&item.attrs, &item.ident, item.variants.to_token_stream());
        }
        // The fields of records are of types that are a `Number`.
        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            if item.trait_.as_ref().is_some_and(|(path, _)| path.is_ident("Number")) {
                self.serialised += 1;
                if mentions(item.self_ty.to_token_stream(), "usize") {
                    self.found.push("Number".into());
                }
            }
        }
    }
    let mut sizes = Sizes::default();
    for (_, file) in engine() {
        visit::visit_file(&mut sizes, &file);
    }
    assert!(sizes.serialised > 0, "something is serialised");
    assert!(sizes.found.is_empty(), "`usize` in {:?}", sizes.found);
}

/// Returns true if `words` are the name of a preset, or the first of the words that the name is made of.
fn begins(name: &str, words: &str) -> bool {
    // Shorter words, such as "hand", have other meanings too.
    words.len() > 4 && name.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[test]
fn names_of_presets_stand_in_their_table_only() {
    let presets: Value =
        serde_json::from_str(&read(&root().join("tests/data/rules/presets.json"))).expect("JSON");
    let names: Vec<&String> = presets.as_object().expect("presets by name").keys().collect();
    assert!(names.len() >= 22);
    let page = page();
    let mut allowed: BTreeSet<&str> = PRESET_NAMES.iter().copied().collect();
    let mut found = Vec::new();
    for (file, syntax) in engine() {
        let mut literals = Vec::new();
        code_tokens(&syntax, &mut |token| {
            if let TokenTree::Literal(literal) = token
                && let Ok(syn::Lit::Str(text)) = syn::parse2(TokenTree::from(literal.clone()).into())
                && names.iter().any(|name| begins(name, &text.value()))
            {
                literals.push(text.value());
            }
        });
        if let Some(place) = PRESET_NAMES.iter().find(|place| file.ends_with(*place)) {
            assert!(page.contains(place), "docs/ARCHITECTURE.md does not name {place}");
            if !literals.is_empty() {
                allowed.remove(place);
            }
        } else if !literals.is_empty() {
            found.push(format!("{file}: {literals:?}"));
        }
    }
    assert!(found.is_empty(), "names of presets: {found:#?}");
    assert!(allowed.is_empty(), "no name of a preset is left there, delete from PRESET_NAMES: {allowed:?}");
}

#[test]
fn files_that_the_page_names_exist() {
    let files: Vec<String> = rust_files(root()).iter().map(|path| name_of(path)).collect();
    for name in quoted(&page()).iter().filter(|name| name.ends_with(".rs") && !name.contains(['*', ' '])) {
        let ends = |file: &String| Path::new(file).ends_with(name);
        assert!(files.iter().any(ends), "docs/ARCHITECTURE.md names {name}, which does not exist");
    }
}
