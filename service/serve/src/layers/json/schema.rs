//! The methods and messages of `canasta.v1` by their descriptor, and their form in JSON.

use std::sync::LazyLock;

use bytes::{BufMut, Bytes, BytesMut};
use canasta_messages::fault::{FieldFault, RequestFault};
use prost::Message;
use prost_reflect::{
    DescriptorPool, DeserializeOptions, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor,
    MethodDescriptor,
};
use prost_types::FileDescriptorSet;
use serde_json::Value;

use crate::OrFault;

/// Length of the head of a message in gRPC: a flag of compression, and the message's length.
pub const HEAD: usize = 5;

/// The options of reading: names of fields and enum values that a newer client knows are ignored, as Connect's own servers do.
const READING: DeserializeOptions = DeserializeOptions::new().deny_unknown_fields(false);

static METHODS: LazyLock<DescriptorPool> = LazyLock::new(|| pool(canasta_proto::DESCRIPTORS));
static DETAILS: LazyLock<DescriptorPool> = LazyLock::new(|| pool(tonic_types::pb::FILE_DESCRIPTOR_SET));

/// Returns what descriptors describe, without their comments, which are most of their bytes.
fn pool(descriptors: &[u8]) -> DescriptorPool {
    let mut files = FileDescriptorSet::decode(descriptors).expect("compiled in");
    files.file.iter_mut().for_each(|file| file.source_code_info = None);
    DescriptorPool::from_file_descriptor_set(files).expect("compiled in")
}

/// Returns the method of a path.
///
/// # Errors
/// If there is none, or if it asks with a stream.
pub fn method(path: &str) -> OrFault<MethodDescriptor> {
    let (service, name) = path.strip_prefix('/').and_then(|path| path.split_once('/')).unwrap_or_default();
    let service = METHODS.get_service_by_name(service);
    let method = service.and_then(|service| service.methods().find(|method| method.name() == name));
    let method =
        method.ok_or_else(|| RequestFault::Unimplemented("this server has no such method".into()))?;
    if method.is_client_streaming() {
        let problem = format!("{name} asks with a stream of messages: call it with gRPC or gRPC-web");
        return Err(RequestFault::Unimplemented(problem));
    }
    Ok(method)
}

/// Returns the message of gRPC, with its head, that is written as this JSON.
///
/// # Errors
/// If it is not JSON, or not that of this message. The fault names the field.
pub fn message(of: &MessageDescriptor, json: &[u8]) -> OrFault<Bytes> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut reader, &mut track);
    let read = DynamicMessage::deserialize_with_options(of.clone(), tracked, &READING);
    let read = read.and_then(|message| reader.end().map(|()| message));
    let message = read.map_err(|error| {
        let path = track.path().to_string();
        // A place that is no field yet is written as `?`, and the whole as `.`.
        let path = path.trim_end_matches(['?', '.']);
        let path = if path.is_empty() { "request" } else { path }.to_owned();
        RequestFault::Fields(FieldFault { path, problem: format!("cannot be decoded: {error}") }.into())
    })?;
    let length = message.encoded_len();
    let mut framed = BytesMut::with_capacity(HEAD + length);
    framed.put_u8(0);
    framed.put_u32(u32::try_from(length).map_err(|_| RequestFault::Internal)?);
    message.encode(&mut framed).map_err(|_| RequestFault::Internal)?;
    Ok(framed.freeze())
}

/// Returns the first message of gRPC in these bytes, without its head; `None` if they do not hold all of it.
pub fn first(data: &[u8]) -> Option<&[u8]> {
    let (head, rest) = data.split_first_chunk::<HEAD>()?;
    let length = u32::from_be_bytes(*head.last_chunk()?);
    rest.get(..length as usize)
}

/// Returns the JSON of a message; `None` if it does not have this form.
pub fn json(of: MessageDescriptor, message: &[u8]) -> Option<Vec<u8>> {
    serde_json::to_vec(&value(of, message)?).ok()
}

/// Returns the JSON of a message of `google.rpc`; `None` if it is unknown.
pub fn detail(name: &str, message: &[u8]) -> Option<Value> {
    value(DETAILS.get_message_by_name(name)?, message)
}

fn value(of: MessageDescriptor, message: &[u8]) -> Option<Value> {
    let message = DynamicMessage::decode(of.clone(), message).ok()?;
    let mut value = serde_json::to_value(message).ok()?;
    order(&of, &mut value);
    Some(value)
}

/// Puts the entries of all maps in order: the library has them at random, and equal answers have equal bytes.
fn order(of: &MessageDescriptor, value: &mut Value) {
    let Value::Object(fields) = value else { return };
    for (name, value) in fields {
        let Some(field) = of.get_field_by_json_name(name) else { continue };
        match (message_in(&field), value) {
            (inner, Value::Object(entries)) if field.is_map() => {
                entries.sort_keys();
                let inner = inner.map(|entry| entry.map_entry_value_field());
                let Some(inner) = inner.as_ref().and_then(message_in) else { continue };
                entries.values_mut().for_each(|value| order(&inner, value));
            }
            (Some(inner), Value::Array(values)) => values.iter_mut().for_each(|value| order(&inner, value)),
            (Some(inner), value) => order(&inner, value),
            (None, _) => {}
        }
    }
}

fn message_in(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    match field.kind() {
        Kind::Message(message) => Some(message),
        _ => None,
    }
}
