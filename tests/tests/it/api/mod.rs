//! The pages of the gRPC interface, compared with its descriptor: docs/reference/API_REFERENCE.md and
//! docs/reference/openapi.json have the words of the proto files, and docs/API.md names every method and reason, and nothing that does not exist.
//!
//! `UPDATE_DOCS=1 cargo test -p canasta-tests --test it api::` writes both references.

mod openapi;
mod reference;

use canasta_proto::DESCRIPTORS;
use prost::Message;
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Returns the files of `canasta.v1`, by name.
fn files() -> &'static [FileDescriptorProto] {
    static FILES: OnceLock<Vec<FileDescriptorProto>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut set = FileDescriptorSet::decode(DESCRIPTORS).expect("a descriptor");
        set.file.retain(|file| file.package() == "canasta.v1");
        set.file.sort_by(|a, b| a.name().cmp(b.name()));
        set.file
    })
}

fn page(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "docs", name].iter().collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(page(name)).unwrap_or_else(|error| panic!("docs/{name}: {error}"))
}

#[test]
fn the_references_are_the_descriptor() {
    let pages = [
        ("reference/API_REFERENCE.md", reference::page(files())),
        ("reference/openapi.json", openapi::document(files())),
    ];
    for (name, expected) in pages {
        if std::env::var("UPDATE_DOCS").is_ok() {
            fs::write(page(name), &expected).expect("the page can be written");
        }
        let found = read(name);
        for (number, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
            assert_eq!(expected, found, "docs/{name} line {}: UPDATE_DOCS=1 writes it", number + 1);
        }
        assert_eq!(expected.lines().count(), found.lines().count(), "docs/{name}");
    }
}

/// Every name of the interface, each as a client would write it.
#[derive(Default)]
struct Names {
    methods: BTreeSet<String>,
    types: BTreeSet<String>,
    fields: BTreeSet<String>,
    values: BTreeSet<String>,
    reasons: BTreeSet<String>,
}

impl Names {
    fn of(files: &[FileDescriptorProto]) -> Self {
        let mut names = Self::default();
        for file in files {
            for service in &file.service {
                names.types.insert(service.name().into());
                names.methods.extend(service.method.iter().map(|method| method.name().to_owned()));
            }
            file.message_type.iter().for_each(|message| names.message(message));
            file.enum_type.iter().for_each(|values| names.values(values));
        }
        names
    }

    fn message(&mut self, message: &DescriptorProto) {
        self.types.insert(message.name().into());
        self.fields.extend(message.field.iter().map(|field| field.name().to_owned()));
        self.fields.extend(message.oneof_decl.iter().map(|oneof| oneof.name().to_owned()));
        message.nested_type.iter().for_each(|nested| self.message(nested));
        message.enum_type.iter().for_each(|values| self.values(values));
    }

    fn values(&mut self, values: &EnumDescriptorProto) {
        self.types.insert(values.name().into());
        self.values.extend(values.value.iter().map(|value| value.name().to_owned()));
        if values.name() == "ErrorReason" {
            let named = values.value.iter().filter(|value| value.number() != 0);
            self.reasons.extend(named.map(|value| value.name().replacen("ERROR_REASON_", "", 1)));
        }
    }
}

/// Words of the pages that do not belong to the interface but to gRPC, to the program or to other formats.
const OTHER_TYPES: &[&str] =
    &["ErrorInfo", "BadRequest", "RetryInfo", "QuotaFailure", "PreconditionFailure", "Health", "ParseDict"];
const OTHER_FIELDS: &[&str] =
    &["reason", "metadata", "domain", "field_violations", "retry_delay", "json_format"];
const CODES: &[&str] = &[
    "OK",
    "CANCELLED",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
    "UNIMPLEMENTED",
];
const OTHER_WORDS: &[&str] = &["SETUP_*", "NOT_SERVING", "SERVING", "NO_SIDE_EFFECTS", "UPDATE_DOCS"];

/// Returns the words in backticks of a page, outside its blocks of code.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    let prose = page.lines().filter(|line| !line.starts_with("    "));
    prose.flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Returns the statuses that the table of errors gives a reason, in rows `| STATUS | `REASON` | ...`.
fn statuses<'a>(page: &'a str, reason: &str) -> Vec<&'a str> {
    let row = |line: &'a str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let (status, named) = (cells.next()?, cells.next()?);
        (named == format!("`{reason}`") && CODES.contains(&status)).then_some(status)
    };
    page.lines().filter_map(row).collect()
}

#[test]
fn the_page_names_every_method_and_reason() {
    let (names, page) = (Names::of(files()), read("API.md"));
    for method in &names.methods {
        assert!(page.lines().any(|line| line.starts_with(&format!("| `{method}` |"))), "{method} has no row");
    }
    for reason in &names.reasons {
        let statuses = statuses(&page, reason);
        assert_eq!(statuses.len(), 1, "{reason} has a row of its own");
        let status = statuses[0];
        // The comment in the proto file begins with the same status: `ABORTED: the expected ...`.
        let said = reference::comment_of_reason(files(), reason);
        assert!(
            said.starts_with(&format!("{status}: ")),
            "{reason}: {status} on the page, in the file {said}"
        );
    }
}

#[test]
fn the_pages_name_nothing_that_is_not_there() {
    let names = Names::of(files());
    let codes: BTreeSet<&str> = canasta_engine::violations::ALL.iter().map(|entry| entry.name).collect();
    for name in ["API.md", "start/QUICKSTART.md"] {
        let text = read(name);
        for word in quoted(&text) {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '*';
            if word.is_empty() || !word.chars().all(plain) {
                continue;
            }
            let first = word.chars().next().unwrap_or_default();
            let has_lower = word.chars().any(|c| c.is_ascii_lowercase());
            let known = match (first.is_ascii_uppercase(), has_lower) {
                (true, true) if word.len() > 2 => {
                    names.types.contains(word) || names.methods.contains(word) || OTHER_TYPES.contains(&word)
                }
                (true, false) if word.contains('_') => {
                    names.values.contains(word)
                        || names.reasons.contains(word)
                        || codes.contains(word)
                        || CODES.contains(&word)
                        || OTHER_WORDS.contains(&word)
                }
                (false, true) if word.contains('_') => {
                    names.fields.contains(word)
                        || names.reasons.contains(word)
                        || OTHER_FIELDS.contains(&word)
                        || metadata(&text).contains(word)
                }
                _ => true,
            };
            assert!(known, "docs/{name}: `{word}` is nothing of the interface");
        }
        for call in text.lines().filter_map(|line| line.trim_start().strip_prefix("call ")) {
            let method = call.split([' ', '\'']).next().unwrap_or_default();
            assert!(names.methods.contains(method), "docs/{name}: call {method}");
        }
    }
}

/// Returns the keys of ErrorInfo's metadata that the page names.
fn metadata(page: &str) -> BTreeSet<&str> {
    let keys = ["current_n", "current_seq", "current_head", "record", "offset"];
    keys.into_iter().filter(|key| page.contains(key)).collect()
}
