//! The gRPC interface `canasta.v1`, generated from `canasta/v1/*.proto`, which document every field.

mod codec;

/// Messages, enums, the server trait and the client of `canasta.v1`.
#[allow(missing_docs, unused_qualifications, clippy::all, reason = "generated code")]
pub mod v1 {
    tonic::include_proto!("canasta.v1");
}

/// The compiled proto files (an encoded `FileDescriptorSet`), for server reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
