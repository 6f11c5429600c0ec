//! Requests that cannot be decoded: a fault of the caller, with the details of every status.

use crate::support;
use crate::support::Server;
use crate::support::game::{created, new_game};
use crate::support::raw::{Answer, ask};
use canasta_proto::v1::{PlayRequest, PlayResponse};
use prost::Message;
use prost_types::field_descriptor_proto::Type;
use prost_types::{DescriptorProto, FileDescriptorSet};
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Returns the path and the request type of every method.
fn methods(set: &FileDescriptorSet) -> Vec<(String, String)> {
    let services = set.file.iter().flat_map(|file| file.service.iter().map(move |service| (file, service)));
    let own = services.filter(|(_, service)| service.name() != support::OF_RECORDER);
    let methods = own.flat_map(|(file, service)| {
        let path = move |name: &str| format!("/{}.{}/{name}", file.package(), service.name());
        service.method.iter().map(move |method| (path(method.name()), method.input_type().to_owned()))
    });
    methods.collect()
}

fn message<'a>(set: &'a FileDescriptorSet, name: &str) -> Option<&'a DescriptorProto> {
    let mut names = name.strip_prefix(".canasta.v1.")?.split('.');
    let first = names.next()?;
    let root = set.file.iter().flat_map(|file| &file.message_type).find(|message| message.name() == first)?;
    names.try_fold(root, |message, name| message.nested_type.iter().find(|nested| nested.name() == name))
}

/// Returns a message whose first text, nested at most `depth` deep, is not UTF-8, and the name of its field.
fn bad_text(set: &FileDescriptorSet, name: &str, depth: u8) -> Option<(Vec<u8>, String)> {
    let fields = &message(set, name)?.field;
    let wrapped = |tag: i32, inner: &[u8]| {
        let mut bytes = Vec::new();
        prost::encoding::encode_key(tag as u32, prost::encoding::WireType::LengthDelimited, &mut bytes);
        prost::encoding::encode_varint(inner.len() as u64, &mut bytes);
        bytes.extend_from_slice(inner);
        bytes
    };
    if let Some(text) = fields.iter().find(|field| field.r#type() == Type::String) {
        return Some((wrapped(text.number(), &[0xff, 0xfe]), text.name().to_owned()));
    }
    let depth = depth.checked_sub(1)?;
    fields.iter().filter(|field| field.r#type() == Type::Message).find_map(|field| {
        let (inner, name) = bad_text(set, field.type_name(), depth)?;
        Some((wrapped(field.number(), &inner), name))
    })
}

/// Asserts that the answer is INVALID_ARGUMENT with its details. Returns the field that it names.
fn assert_refused(answer: Answer, what: &str) -> String {
    let (code, text, details) = answer.expect_err(what);
    assert_eq!(code, Code::InvalidArgument, "{what}: {text}");
    let details = Status::with_details(code, text, details.into()).get_error_details();
    let info = details.error_info().expect("every status has an ErrorInfo");
    assert_eq!((info.domain.as_str(), info.reason.as_str()), ("canasta.v1", "INVALID_FIELD"), "{what}");
    let faults = &details.bad_request().expect("a BadRequest").field_violations;
    assert_eq!(faults.len(), 1, "{what}");
    assert!(faults[0].description.starts_with("cannot be decoded: "), "{what}: {}", faults[0].description);
    faults[0].field.clone()
}

#[tokio::test]
async fn what_cannot_be_decoded_is_refused_by_every_method_as_the_callers_fault() {
    let server = Server::start(&[]).await;
    let channel = server.channel().await;
    let set = FileDescriptorSet::decode(canasta_proto::DESCRIPTORS).expect("our own descriptors");
    let methods = methods(&set);
    assert_eq!(methods.len(), 22);
    let group = [0xc3, 0x3e].repeat(200);
    for (path, input) in methods {
        let mut damaged = vec![
            ("cut", vec![0x0a, 9, 1]),
            ("no wire type", vec![0x0f]),
            ("no field number", vec![0x02, 0]),
            ("too deep", group.clone()),
        ];
        // One request has no fields, so it ignores every field.
        if !input.ends_with(".GetServerInfoRequest") {
            damaged.push(("wrong wire type", vec![0x09, 0, 0, 0, 0, 0, 0, 0, 0]));
        }
        for (what, bytes) in damaged {
            assert_refused(ask(&channel, &path, vec![bytes]).await, &format!("{path}, {what}"));
        }
        if let Some((bytes, name)) = bad_text(&set, &input, 4) {
            let field = assert_refused(ask(&channel, &path, vec![bytes]).await, &format!("{path}, a text"));
            assert!(
                field.split('.').any(|step| step == name || step == "key" || step == "part"),
                "{path}: {field}, not {name}"
            );
        }
    }
}

#[tokio::test]
async fn a_stream_that_goes_wrong_hands_out_its_state_first() {
    let server = Server::start(&[]).await;
    let state = created(&mut server.client().await, new_game()).await.state;
    let first = PlayRequest { state: state.clone(), ..PlayRequest::default() }.encode_to_vec();
    let channel = server.channel().await;
    let path = "/canasta.v1.GameService/Play";
    assert_refused(ask(&channel, path, vec![first.clone(), vec![0x0f]]).await, "the second message");
    let whole = ask(&channel, path, vec![first]).await.expect("a good stream");
    let last = PlayResponse::decode(&whole[whole.len() - 1][..]).expect("an answer");
    assert!(last.last && last.state == state);
}

#[tokio::test]
async fn what_the_transport_refuses_has_details_too() {
    let server = Server::start(&[]).await;
    let channel = server.channel().await;
    let cases = [
        ("/canasta.v1.GameService/GetRule", vec![0; 256 * 1024 + 1], Code::OutOfRange, "REQUEST_TOO_LARGE"),
        ("/canasta.v1.GameService/Play", vec![0; 256 * 1024 + 1], Code::OutOfRange, "REQUEST_TOO_LARGE"),
        ("/canasta.v1.AuditService/AuditLog", vec![0; 66_000], Code::OutOfRange, "REQUEST_TOO_LARGE"),
        ("/canasta.v1.GameService/Shuffle", vec![], Code::Unimplemented, "UNIMPLEMENTED"),
        ("/canasta.v1.GameService/", vec![], Code::Unimplemented, "UNIMPLEMENTED"),
        ("/canasta.v1.GameService", vec![], Code::Unimplemented, "UNIMPLEMENTED"),
        ("/canasta.v1.AuditService/GetRule", vec![], Code::Unimplemented, "UNIMPLEMENTED"),
        ("/canasta.v2.GameService/GetRule", vec![], Code::Unimplemented, "UNIMPLEMENTED"),
    ];
    for (path, bytes, code, reason) in cases {
        let (found, text, details) = ask(&channel, path, vec![bytes]).await.expect_err(path);
        assert_eq!(found, code, "{path}: {text}");
        assert!(!text.is_empty(), "{path}");
        let details = Status::with_details(code, text, details.into()).get_error_details();
        let info = details.error_info().expect("every status has an ErrorInfo");
        assert_eq!((info.domain.as_str(), info.reason.as_str()), ("canasta.v1", reason), "{path}");
    }
}
