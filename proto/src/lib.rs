//! The gRPC interface `canasta.v1`, generated from `canasta/v1/*.proto`, which document every field. The feature
//! `grpc`, on by default, adds servers and clients to the messages.

#![deny(missing_docs)]

#[cfg(feature = "grpc")]
mod codec;

/// Messages, enums, the server trait and the client of `canasta.v1`.
#[allow(missing_docs, unused_qualifications, clippy::all, reason = "generated code")]
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/canasta.v1.rs"));
}

/// The compiled proto files (an encoded `FileDescriptorSet`), for server reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The methods of all services in the order of the proto files: path (`canasta.v1.GameService/Play`), and whether the requests
/// and the answers are streams.
pub const METHODS: &[(&str, bool, bool)] = include!(concat!(env!("OUT_DIR"), "/methods.rs"));
