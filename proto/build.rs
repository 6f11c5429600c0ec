//! Compiles the proto files without protoc: protox parses them, tonic-prost-build writes the code.

use std::path::Path;
use std::{env, fs};

use prost::Message;
use prost_types::FileDescriptorSet;

/// The proto files that no other file imports; the compiler finds all other files through their imports.
const ROOTS: [&str; 4] = [
    "canasta/v1/game_service.proto",
    "canasta/v1/audit_service.proto",
    "canasta/v1/record_service.proto",
    "canasta/v1/error.proto",
];

#[allow(
    clippy::disallowed_methods,
    reason = "cargo gives a build script its folder and its features in the environment"
)]
fn main() {
    println!("cargo:rerun-if-changed=canasta");
    let descriptors = protox::compile(ROOTS, ["."]).unwrap_or_else(|error| panic!("{error:?}"));
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let bytes = descriptors.encode_to_vec();
    fs::write(Path::new(&out).join("descriptors.bin"), bytes).expect("OUT_DIR is writable");
    fs::write(Path::new(&out).join("methods.rs"), methods(&descriptors)).expect("OUT_DIR is writable");
    // Maps are ordered, so that equal answers have equal bytes.
    let generator = tonic_prost_build::configure().btree_map(".").codec_path("crate::codec::SparseCodec");
    let has_grpc = env::var("CARGO_FEATURE_GRPC").is_ok();
    let generator = generator.build_server(has_grpc).build_client(has_grpc);
    // A view would be three quarters of the size of an answer that mostly has none.
    let generator = generator.boxed(".canasta.v1.Accepted.view").boxed(".canasta.v1.AcceptedActions.view");
    generator.compile_fds(descriptors).expect("OUT_DIR is writable");
}

/// Returns the rows of the methods: path, and whether the requests and the answers are streams.
fn methods(descriptors: &FileDescriptorSet) -> String {
    let services =
        descriptors.file.iter().flat_map(|file| file.service.iter().map(move |one| (file.package(), one)));
    let rows = services.flat_map(|(package, service)| {
        service.method.iter().map(move |method| {
            let path = format!("{package}.{}/{}", service.name(), method.name());
            (path, method.client_streaming(), method.server_streaming())
        })
    });
    format!("&{:?}", rows.collect::<Vec<_>>())
}
