//! A walk over the bytes of an answer by the descriptor of its message: no answer of RecordService holds a state.

use canasta_proto::DESCRIPTORS;
use prost::Message;
use prost_types::field_descriptor_proto::Type;
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet, MethodDescriptorProto};

/// Fields that are empty wherever they occur.
const STATES: [&str; 2] = ["state", "earlier_state"];

/// Asserts that an answer holds no state, and no frames except in the pieces of a log. Returns the number of fields that
/// were looked at.
pub fn no_state(name: &str, answer: &impl Message) -> usize {
    let set = FileDescriptorSet::decode(DESCRIPTORS).expect("descriptors");
    let bytes = answer.encode_to_vec();
    let walked = walk(&set, message(&set, &format!(".canasta.v1.{name}")), &bytes, name);
    walked.unwrap_or_else(|| panic!("{name} is encoded as its descriptor says"))
}

/// Returns the descriptors of the methods of RecordService.
pub fn methods(set: &FileDescriptorSet) -> impl Iterator<Item = &MethodDescriptorProto> {
    let services = set.file.iter().flat_map(|file| &file.service);
    services.filter(|service| service.name() == "RecordService").flat_map(|service| &service.method)
}

/// Returns the descriptor of a message.
pub fn message<'a>(set: &'a FileDescriptorSet, path: &str) -> &'a DescriptorProto {
    fn find<'a>(list: &'a [DescriptorProto], path: &str) -> Option<&'a DescriptorProto> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let found = list.iter().find(|message| message.name() == first)?;
        rest.map_or(Some(found), |rest| find(&found.nested_type, rest))
    }
    let path = path.strip_prefix(".canasta.v1.").expect("our own message");
    let mut files = set.file.iter();
    files.find_map(|file| find(&file.message_type, path)).unwrap_or_else(|| panic!("{path} is described"))
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn walk(set: &FileDescriptorSet, of: &DescriptorProto, mut bytes: &[u8], path: &str) -> Option<usize> {
    let mut seen = 0;
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let length = match key & 7 {
            0 => {
                varint(&mut bytes)?;
                0
            }
            1 => 8,
            2 => varint(&mut bytes)? as usize,
            5 => 4,
            _ => return None,
        };
        let (content, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        seen += 1;
        let field = of.field.iter().find(|field| field.number() as u64 == key >> 3)?;
        let path = format!("{path}.{}", field.name());
        check(field, content, &path);
        if field.r#type() == Type::Message {
            seen += walk(set, message(set, field.type_name()), content, &path)?;
        }
    }
    Some(seen)
}

fn check(field: &FieldDescriptorProto, content: &[u8], path: &str) {
    let is_bytes = field.r#type() == Type::Bytes;
    let is_state = STATES.contains(&field.name()) || field.name() == "frames";
    assert!(
        !is_bytes || !is_state || content.is_empty() || path == "GetLogResponse.frames",
        "{path} has {} bytes",
        content.len()
    );
}
