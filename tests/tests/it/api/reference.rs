//! The text of docs/reference/API_REFERENCE.md, made from the descriptor.

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, ServiceDescriptorProto,
};
use std::fmt::Write;

const HEAD: &str = "\
# Every message and field of `canasta.v1`

What the proto files in [`proto/canasta/v1`](../../proto/canasta/v1) say, written by a test. [API.md](../API.md) says how the
pieces go together. A field is absent where its description says *unset* (with *optional*, absent is told apart from
the type's zero) or *empty*; every number has its range, every text and list its greatest length there.
";

/// Numbers of the fields of descriptor.proto that lead to a comment.
const MESSAGE: i32 = 4;
const ENUM: i32 = 5;
pub const SERVICE: i32 = 6;
const NESTED: i32 = 3;
const NESTED_ENUM: i32 = 4;
pub const MEMBER: i32 = 2;

/// Returns the comment before the item at this path, as one paragraph.
pub fn comment(file: &FileDescriptorProto, path: &[i32]) -> String {
    let info = file.source_code_info.as_ref().expect("comments are in the descriptor");
    let at = info.location.iter().find(|location| location.path == path);
    let text = at.map(|location| location.leading_comments()).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Escapes a text as a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

pub fn at(path: &[i32], more: &[i32]) -> Vec<i32> {
    [path, more].concat()
}

pub fn index(number: usize) -> i32 {
    i32::try_from(number).expect("few of them")
}

/// A message or an enum.
pub enum Described<'a> {
    Message(&'a DescriptorProto),
    Enum(&'a EnumDescriptorProto),
}

/// A message or an enum with its place in a file.
pub struct Placed<'a> {
    /// Its name, after those of the messages that it stands in (`Fact.Seats`).
    pub name: String,
    /// The path to its comment.
    pub path: Vec<i32>,
    pub what: Described<'a>,
}

/// Returns the messages of a file, each before those that stand in it, and the enums. Entries of maps are left out.
pub fn all_described(file: &FileDescriptorProto) -> Vec<Placed<'_>> {
    let mut found = Vec::new();
    put_described(&mut found, ("", &[]), (MESSAGE, &file.message_type), (ENUM, &file.enum_type));
    found
}

fn put_described<'a>(
    found: &mut Vec<Placed<'a>>,
    (outer, path): (&str, &[i32]),
    (message_field, messages): (i32, &'a [DescriptorProto]),
    (enum_field, enums): (i32, &'a [EnumDescriptorProto]),
) {
    for (number, message) in messages.iter().enumerate() {
        if message.options.as_ref().is_some_and(|options| options.map_entry()) {
            continue;
        }
        let (name, path) = (format!("{outer}{}", message.name()), at(path, &[message_field, index(number)]));
        let inner = format!("{name}.");
        found.push(Placed { name, path: path.clone(), what: Described::Message(message) });
        put_described(
            found,
            (&inner, &path),
            (NESTED, &message.nested_type),
            (NESTED_ENUM, &message.enum_type),
        );
    }
    for (number, values) in enums.iter().enumerate() {
        let (name, path) = (format!("{outer}{}", values.name()), at(path, &[enum_field, index(number)]));
        found.push(Placed { name, path, what: Described::Enum(values) });
    }
}

/// Returns the whole page.
pub fn page(files: &[FileDescriptorProto]) -> String {
    let mut out = String::from(HEAD);
    for file in files {
        for (number, service) in file.service.iter().enumerate() {
            put_service(&mut out, file, &[SERVICE, index(number)], service);
        }
    }
    for file in files {
        let name = file.name().rsplit('/').next().unwrap_or_default();
        _ = writeln!(out, "\n## {name}");
        for described in all_described(file) {
            match described.what {
                Described::Message(message) => put_message(&mut out, file, &described, message),
                Described::Enum(values) => put_enum(&mut out, file, &described.path, values),
            }
        }
    }
    out
}

fn put_service(out: &mut String, file: &FileDescriptorProto, path: &[i32], service: &ServiceDescriptorProto) {
    _ = writeln!(out, "\n## {}\n\n{}\n", service.name(), comment(file, path));
    _ = writeln!(out, "| method | asks | answers | |\n| --- | --- | --- | --- |");
    for (number, method) in service.method.iter().enumerate() {
        let side =
            |streams, name: &str| format!("{}`{}`", if streams { "stream of " } else { "" }, short(name));
        let asks = side(method.client_streaming(), method.input_type());
        let answers = side(method.server_streaming(), method.output_type());
        let about = comment(file, &at(path, &[MEMBER, index(number)]));
        _ = writeln!(out, "| `{}` | {asks} | {answers} | {} |", method.name(), cell(&about));
    }
}

pub fn short(name: &str) -> &str {
    name.trim_start_matches(".canasta.v1.")
}

fn put_message(
    out: &mut String,
    file: &FileDescriptorProto,
    Placed { name, path, .. }: &Placed<'_>,
    message: &DescriptorProto,
) {
    _ = writeln!(out, "\n### {name}\n\n{}", comment(file, path));
    if !message.field.is_empty() {
        _ = writeln!(out, "\n| field | type | |\n| --- | --- | --- |");
    }
    for (number, field) in message.field.iter().enumerate() {
        let about = comment(file, &at(path, &[MEMBER, index(number)]));
        let kind = kind(message, field);
        _ = writeln!(out, "| `{}` = {} | {kind} | {} |", field.name(), field.number(), cell(&about));
    }
}

fn put_enum(out: &mut String, file: &FileDescriptorProto, path: &[i32], values: &EnumDescriptorProto) {
    _ = writeln!(out, "\n### {}\n\n{}\n", values.name(), comment(file, path));
    _ = writeln!(out, "| value | |\n| --- | --- |");
    for (number, value) in values.value.iter().enumerate() {
        let about = comment(file, &at(path, &[MEMBER, index(number)]));
        _ = writeln!(out, "| `{}` = {} | {} |", value.name(), value.number(), cell(&about));
    }
}

/// Returns the type of a field, with its multiplicity.
fn kind(message: &DescriptorProto, field: &FieldDescriptorProto) -> String {
    let named = match field.r#type() {
        Type::Message | Type::Enum => format!("`{}`", short(field.type_name())),
        other => other.as_str_name().trim_start_matches("TYPE_").to_lowercase(),
    };
    if let Some(entry) = map_entry(message, field) {
        let part = |number: usize| kind(entry, &entry.field[number]);
        return format!("map of {} to {}", part(0), part(1));
    }
    if field.label() == Label::Repeated {
        return format!("list of {named}");
    }
    match field.oneof_index {
        Some(_) if field.proto3_optional() => format!("optional {named}"),
        Some(number) => {
            let oneof = usize::try_from(number).ok().and_then(|number| message.oneof_decl.get(number));
            format!("{named}, one of `{}`", oneof.map(|oneof| oneof.name()).unwrap_or_default())
        }
        None => named,
    }
}

pub fn map_entry<'a>(
    message: &'a DescriptorProto,
    field: &FieldDescriptorProto,
) -> Option<&'a DescriptorProto> {
    let name = field.type_name().rsplit('.').next()?;
    let nested = message.nested_type.iter().find(|nested| nested.name() == name)?;
    nested.options.as_ref()?.map_entry().then_some(nested)
}

/// Returns the comment of a reason in error.proto.
pub fn comment_of_reason(files: &[FileDescriptorProto], reason: &str) -> String {
    let found = files.iter().find_map(|file| {
        let values = file.enum_type.iter().position(|values| values.name() == "ErrorReason")?;
        let name = format!("ERROR_REASON_{reason}");
        let value = file.enum_type[values].value.iter().position(|value| value.name() == name)?;
        Some(comment(file, &[ENUM, index(values), MEMBER, index(value)]))
    });
    found.unwrap_or_default()
}
