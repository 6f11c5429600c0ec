//! The text of docs/reference/openapi.json, made from the descriptor: the methods as Connect's JSON has them.

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto, ServiceDescriptorProto,
};
use serde_json::{Map, Value, json};

use super::reference::{Described, MEMBER, SERVICE, all_described, at, comment, index, map_entry, short};

const ABOUT: &str = "The methods of canasta.v1 in Connect's unary protocol with JSON, as docs/play/CURL.md describes it. \
    64-bit numbers are strings, bytes are base64, enum values are names; what has its default value is left out of answers, \
    and unknown names in requests are ignored. A stream of answers is answered with its first message. These methods ask with a \
    stream, and are called with gRPC or gRPC-web: ";

/// The codes of errors with their HTTP statuses, as Connect has them.
const CODES: [(&str, &str); 14] = [
    ("invalid_argument", "400"),
    ("deadline_exceeded", "504"),
    ("not_found", "404"),
    ("already_exists", "409"),
    ("permission_denied", "403"),
    ("resource_exhausted", "429"),
    ("failed_precondition", "400"),
    ("aborted", "409"),
    ("out_of_range", "400"),
    ("unimplemented", "501"),
    ("internal", "500"),
    ("unavailable", "503"),
    ("data_loss", "500"),
    ("unauthenticated", "401"),
];

/// Returns the whole document.
pub fn document(files: &[FileDescriptorProto]) -> String {
    let (mut tags, mut streams) = (Vec::new(), Vec::new());
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for file in files {
        for (number, service) in file.service.iter().enumerate() {
            let path = [SERVICE, index(number)];
            let before = paths.len();
            put_methods(&mut paths, &mut streams, file, &path, service);
            if paths.len() > before {
                tags.push(json!({"name": service.name(), "description": comment(file, &path)}));
            }
        }
        for described in all_described(file) {
            let schema = match described.what {
                Described::Message(message) => message_schema(file, &described.path, message),
                Described::Enum(values) => enum_schema(file, &described.path, values),
            };
            schemas.insert(described.name, schema);
        }
    }
    schemas.insert("connect.error".into(), error());
    let statuses: Vec<_> = CODES.iter().map(|(code, status)| format!("{status} {code}")).collect();
    let failed = format!("No answer. Statuses and codes: {}.", statuses.join(", "));
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "canasta.v1",
            "version": env!("CARGO_PKG_VERSION"),
            "description": format!("{ABOUT}{}.", streams.join(", ")),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:50051"}],
        "security": [{}, {"bearer": []}, {"key": []}],
        "tags": tags,
        "paths": paths,
        "components": {
            "parameters": {"timeout": {
                "name": "connect-timeout-ms",
                "in": "header",
                "description": "Time for the answer, in milliseconds. The server's own limit holds if it is shorter.",
                "schema": {"type": "integer", "minimum": 0, "maximum": 9_999_999_999_u64},
            }},
            "responses": {"error": {"description": failed, "content": content("connect.error")}},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
            "schemas": schemas,
        },
    });
    serde_json::to_string_pretty(&document).expect("JSON") + "\n"
}

fn put_methods(
    paths: &mut Map<String, Value>,
    streams: &mut Vec<String>,
    file: &FileDescriptorProto,
    path: &[i32],
    service: &ServiceDescriptorProto,
) {
    for (number, method) in service.method.iter().enumerate() {
        if method.client_streaming() {
            streams.push(format!("{}/{}", service.name(), method.name()));
            continue;
        }
        let about = comment(file, &at(path, &[MEMBER, index(number)]));
        let answer =
            if method.server_streaming() { "The first message of the stream." } else { "The answer." };
        let operation = json!({
            "operationId": format!("{}_{}", service.name(), method.name()),
            "tags": [service.name()],
            "summary": about.split_inclusive(". ").next().map(str::trim),
            "description": about,
            "parameters": [{"$ref": "#/components/parameters/timeout"}],
            "requestBody": {"required": true, "content": content(short(method.input_type()))},
            "responses": {
                "200": {"description": answer, "content": content(short(method.output_type()))},
                "default": {"$ref": "#/components/responses/error"},
            },
        });
        let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
        paths.insert(path, json!({"post": operation}));
    }
}

fn content(schema: &str) -> Value {
    json!({"application/json": {"schema": reference(schema)}})
}

fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

fn error() -> Value {
    let codes: Vec<_> = CODES.iter().map(|(code, _)| code).collect();
    let detail = json!({
        "type": "object",
        "required": ["type", "value"],
        "properties": {
            "type": {"type": "string", "description": "Name of the message, such as google.rpc.BadRequest."},
            "value": {"type": "string", "contentEncoding": "base64", "description": "The message, without padding."},
            "debug": {"description": "The message as JSON, for people."},
        },
    });
    json!({
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": {"type": "string", "enum": codes},
            "message": {"type": "string"},
            "details": {"type": "array", "items": detail},
        },
    })
}

fn message_schema(file: &FileDescriptorProto, path: &[i32], message: &DescriptorProto) -> Value {
    let mut about = comment(file, path);
    for (number, choice) in message.oneof_decl.iter().enumerate() {
        let of_choice = |field: &&FieldDescriptorProto| {
            field.oneof_index == Some(index(number)) && !field.proto3_optional()
        };
        let fields: Vec<_> = message.field.iter().filter(of_choice).map(|field| field.json_name()).collect();
        if !fields.is_empty() {
            about += &format!(" At most one of `{}` is there ({}).", fields.join("`, `"), choice.name());
        }
    }
    let field = |(number, field): (usize, &FieldDescriptorProto)| {
        let mut schema = field_schema(message, field);
        schema["description"] = comment(file, &at(path, &[MEMBER, index(number)])).into();
        (field.json_name().to_owned(), schema)
    };
    let properties: Map<_, _> = message.field.iter().enumerate().map(field).collect();
    json!({"type": "object", "description": about, "properties": properties})
}

fn field_schema(message: &DescriptorProto, field: &FieldDescriptorProto) -> Value {
    if let Some(entry) = map_entry(message, field) {
        return json!({"type": "object", "additionalProperties": value_schema(&entry.field[1])});
    }
    match field.label() {
        Label::Repeated => json!({"type": "array", "items": value_schema(field)}),
        _ => value_schema(field),
    }
}

fn value_schema(field: &FieldDescriptorProto) -> Value {
    match field.r#type() {
        Type::Message | Type::Enum => reference(short(field.type_name())),
        Type::String => json!({"type": "string"}),
        Type::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
        Type::Bool => json!({"type": "boolean"}),
        Type::Int32 | Type::Sint32 => json!({"type": "integer", "format": "int32"}),
        Type::Uint32 => json!({"type": "integer", "format": "uint32", "minimum": 0}),
        Type::Int64 | Type::Sint64 => json!({"type": "string", "format": "int64"}),
        Type::Uint64 => json!({"type": "string", "format": "uint64"}),
        other => panic!("{}: no schema of {other:?} yet", field.name()),
    }
}

fn enum_schema(file: &FileDescriptorProto, path: &[i32], values: &EnumDescriptorProto) -> Value {
    let mut about = comment(file, path);
    for (number, value) in values.value.iter().enumerate() {
        let said = comment(file, &at(path, &[MEMBER, index(number)]));
        about += &format!("\n\n`{}`: {said}", value.name());
    }
    let names: Vec<_> = values.value.iter().map(|value| value.name()).collect();
    json!({"type": "string", "description": about, "enum": names})
}
