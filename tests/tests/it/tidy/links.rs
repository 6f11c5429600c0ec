//! Links between pages lead to pages and headings that exist, and so do the pages of docs that code, help and settings name.
//! The index of docs has every page, that of the decisions has each of them, and CONTRIBUTING.md names files that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use canasta_engine::log::record::RemarkKind;
use canasta_engine::violations::ALL;

use crate::source::{files, name_of, read, root};

/// The index of the decisions.
const DECISIONS: &str = "docs/internals/decisions/README.md";

/// Returns the page without blocks of code.
fn prose(page: &str) -> String {
    let mut is_code = false;
    let mut lines = page.lines().filter(|line| {
        let fence = line.starts_with("```");
        is_code ^= fence;
        !is_code && !fence && !line.starts_with("    ")
    });
    lines.by_ref().collect::<Vec<_>>().join("\n")
}

/// Returns the targets of a page's links.
fn links(page: &str) -> Vec<String> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.contains(' ')).map(str::to_owned).collect()
}

/// Returns the anchors of a page: those of its headings, as GitHub makes them, and those that it writes itself.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let headings = headings.map(|line| line.trim_start_matches('#').trim());
    let kept = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
    };
    let written = page.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    headings.map(|heading| heading.chars().filter_map(kept).collect()).chain(written).collect()
}

/// Checks that a file is there, and the heading that is named behind `#` if the file is a page.
fn is_there(to: &Path, heading: &str) -> bool {
    let is_page = to.extension().is_some_and(|end| end == "md");
    to.exists() && (!is_page || heading.is_empty() || anchors(&read(to)).contains(heading))
}

#[test]
fn links_lead_to_pages_and_headings() {
    let mut broken = Vec::new();
    for path in files(root(), &["md"]) {
        for link in links(&prose(&read(&path))) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let to = if file.is_empty() { path.clone() } else { path.parent().expect("a folder").join(file) };
            if !is_there(&to, heading) {
                broken.push(format!("{}: {link}", name_of(&path)));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere: {broken:#?}");
}

/// Returns the pages of docs that a text names by their address, with the headings behind `#`.
fn addresses(text: &str) -> Vec<&str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-./#".contains(letter);
    let ends = text.split("docs/").skip(1).map(|rest| rest.split(|letter| !is_part(letter)).next());
    ends.flatten().map(|end| end.trim_end_matches('.')).filter(|end| end.contains(".md")).collect()
}

#[test]
fn pages_that_code_and_settings_name_exist() {
    let kinds = ["js", "json", "md", "proto", "py", "rs", "sh", "toml", "ts", "txt", "yaml"];
    let (mut checked, mut broken) = (0, Vec::new());
    for path in files(root(), &kinds) {
        for address in addresses(&read(&path)) {
            let (file, heading) = address.split_once('#').unwrap_or((address, ""));
            checked += 1;
            if !is_there(&root().join("docs").join(file), heading) {
                broken.push(format!("{}: docs/{address}", name_of(&path)));
            }
        }
    }
    assert!(broken.is_empty(), "pages that do not exist: {broken:#?}");
    assert!(checked > 200, "{checked} addresses");
}

/// Returns the pages that a page links in its folder and below.
fn linked(index: &str) -> Vec<PathBuf> {
    let index = root().join(index);
    links(&read(&index)).iter().map(|link| index.with_file_name(link)).collect()
}

#[test]
fn an_index_has_every_page() {
    let indexes = ["docs/README.md", "docs/RULEBOOK.md", DECISIONS];
    let indexed: BTreeSet<PathBuf> = indexes.into_iter().flat_map(linked).collect();
    let pages = files(&root().join("docs"), &["md"]);
    let missing = pages.iter().filter(|page| !indexed.contains(*page)).map(|page| name_of(page));
    assert_eq!(missing.collect::<Vec<_>>(), ["docs/README.md"], "{indexes:?} name all pages but the first");
}

#[test]
fn a_decision_says_why_and_what_it_costs() {
    let pages = files(root().join(DECISIONS).parent().expect("a folder"), &["md"]);
    let decisions: Vec<_> = pages.iter().filter(|page| !page.ends_with("README.md")).collect();
    assert!(decisions.len() > 10, "{} decisions", decisions.len());
    let linked = linked(DECISIONS);
    for page in decisions {
        let (name, text) = (name_of(page), read(page));
        let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, ["Context", "Decision", "What was rejected, and why", "Cost"], "{name}");
        assert!(text.lines().count() <= 60, "{name}: more than 60 lines");
        assert!(linked.contains(page), "{DECISIONS} does not name {name}");
    }
}

/// Returns the paths of `a/{b,c}.rs`: `a/b.rs` and `a/c.rs`.
fn spread(path: &str) -> Vec<String> {
    match path.split_once('{').and_then(|(start, rest)| Some((start, rest.split_once('}')?))) {
        Some((start, (names, end))) => names.split(',').map(|name| format!("{start}{name}{end}")).collect(),
        None => vec![path.to_owned()],
    }
}

#[test]
fn files_that_contributing_names_exist() {
    let page = prose(&read(&root().join("CONTRIBUTING.md")));
    let words = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| word.contains('/') && !word.contains([' ', '*', ':']));
    let mut checked = 0;
    for path in words.flat_map(spread) {
        // Names in capitals, such as PRESET, stand for others.
        let is_pattern = Path::new(&path).iter().any(|part| {
            let stem = part.to_string_lossy();
            let stem = stem.split('.').next().unwrap_or_default();
            !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_uppercase())
        });
        if !is_pattern {
            assert!(root().join(&path).exists(), "CONTRIBUTING.md names {path}, which does not exist");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} paths");
}

/// Returns the files in `folder` and its folders, without files of tests.
fn product_files(folder: PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(&folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let paths = paths.filter(|path| !["tests", "tests.rs"].iter().any(|name| path.ends_with(name)));
    paths.flat_map(|path| if path.is_dir() { product_files(path) } else { vec![path] }).collect()
}

/// Checks the recipe for a violation: the newest code that is played stands in every place that the recipe lists, and
/// the engine's sources and the rows of tests have it nowhere else. Codes of events have no check, requirements for going out a table.
#[test]
fn a_violation_stands_where_contributing_says() {
    let page = read(&root().join("CONTRIBUTING.md"));
    let (_, recipe) = page.split_once("\n## Add a violation\n").expect("a recipe");
    let (recipe, _) = recipe.split_once("\n## ").expect("a next recipe");
    let apart = ["EVENT_", "GO_OUT_NEEDS_"];
    let played = ALL.iter().filter(|entry| !apart.iter().any(|start| entry.name.starts_with(start)));
    let code = played.max_by_key(|entry| entry.code.number()).expect("codes");
    let steps = recipe.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    let listed = steps.map(|step| step.split('`').nth(1).expect("a step begins with its file"));
    let listed: Vec<String> = listed.map(|path| path.replace("CODE", code.name)).collect();
    assert_eq!(listed.len(), 3, "the recipe's goal: {listed:?}");

    let names = [code.name.to_owned(), format!("Code::{:?}", code.code)];
    let is_named = |path: &PathBuf| {
        name_of(path).contains(code.name)
            || fs::read_to_string(path).is_ok_and(|text| names.iter().any(|name| text.contains(name)))
    };
    let searched = ["engine/rules/src", "tests/data/rules"].map(|folder| product_files(root().join(folder)));
    let places: Vec<String> =
        searched.iter().flatten().filter(|path| is_named(path)).map(|path| name_of(path)).collect();
    // A folder stands for a file in it, and so does a file whose name the developer chooses.
    let starts =
        listed.iter().map(|path| path.split("FAMILY").next().unwrap_or_default()).collect::<Vec<_>>();
    for start in &starts {
        assert!(places.iter().any(|place| place.starts_with(start)), "{} is not in {start}", code.name);
    }
    for place in &places {
        assert!(starts.iter().any(|start| place.starts_with(start)), "CONTRIBUTING.md does not name {place}");
    }
}

/// Returns the files of the recipe with this title, from its numbered steps and from its other places.
fn files_of_recipe(title: &str) -> [Vec<String>; 2] {
    let page = read(&root().join("CONTRIBUTING.md"));
    let (_, recipe) = page.split_once(title).expect("a recipe");
    let (recipe, _) =
        recipe.split_once("\nThe tests in `engine/tests/it/log`").expect("the end of the recipe");
    let (steps, others) = recipe.split_once("\nWhere the default").unwrap_or((recipe, ""));
    let (steps, _) = steps.split_once("\nA record that changes").unwrap_or((steps, ""));
    let files = |text: &str| -> Vec<String> {
        let words = text.split('`').skip(1).step_by(2).filter(|word| word.contains('/'));
        words.flat_map(spread).collect()
    };
    [files(steps), files(others)]
}

/// Returns the files of the product's Rust, with their text.
fn product_texts() -> Vec<(String, String)> {
    let folders = ["engine", "service", "replay-cli"].map(|folder| product_files(root().join(folder)));
    let files = folders.concat().into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let files =
        files.filter(|path| !name_of(path).contains("/benches/") && !name_of(path).contains("/examples/"));
    files.map(|path| (name_of(&path), read(&path))).collect()
}

/// Checks the recipe for a remark: the kinds of remarks are named where the recipe says, or by code about one of them.
#[test]
fn a_remark_stands_where_contributing_says() {
    let [steps, _] = files_of_recipe("\nA remark changes nothing");
    let [_, others] = files_of_recipe("\nA record that changes the game");
    assert_eq!(steps, ["engine/log/src/remark.rs", "proto/canasta/v1/audit_service.proto"]);
    for kind in RemarkKind::ALL {
        let (form, name) = (kind.form(), format!("{kind:?}"));
        let [rust, proto] = [&steps[0], &steps[1]].map(|file| read(&root().join(file)));
        assert!(rust.contains(&format!("Self::{name} =>")), "{name}");
        assert!(proto.contains(&format!("RECORD_KIND_{} =", form.name.to_uppercase())), "{name}");
        for (place, text) in product_texts() {
            let is_named = text.contains(&format!("RemarkKind::{name}"));
            let is_listed =
                [&steps[..], &others, &["engine/log/src/record.rs".into()]].concat().contains(&place);
            assert!(!is_named || is_listed, "CONTRIBUTING.md does not say that {place} names {name}");
        }
    }
}

/// Checks the recipe for a record that changes the game: the end of a round stands in every step, and each file that names
/// all kinds is listed.
#[test]
fn a_record_stands_where_contributing_says() {
    let [steps, others] = files_of_recipe("\nA record that changes the game");
    assert_eq!(steps.len(), 10, "the recipe's goal: {steps:?}");
    for step in &steps {
        let path = root().join(step);
        let files = if path.is_dir() { product_files(path) } else { vec![path] };
        let names = ["RoundEnd", "RECORD_KIND_ROUND_END ="];
        let names_it = |file: &PathBuf| names.iter().any(|name| read(file).contains(name));
        assert!(files.iter().any(names_it), "no end of a round in {step}");
    }
    let kinds = ["Genesis", "Register", "Action", "RoundEnd", "GameEnd", "Refusal"];
    let (mut complete, known) = (0, [steps, others].concat());
    for (place, text) in product_texts() {
        let is_named =
            |kind: &&str| ["Record", "Given"].iter().any(|of| text.contains(&format!("{of}::{kind}(")));
        if kinds.iter().all(is_named) {
            complete += 1;
            assert!(
                known.contains(&place),
                "CONTRIBUTING.md does not name {place}, which names all kinds of records"
            );
        }
    }
    assert!(complete > 4, "{complete} files");
}
