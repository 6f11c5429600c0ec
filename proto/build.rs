//! Compiles the proto files without protoc: protox parses them, tonic-prost-build writes the code.

use std::path::Path;
use std::{env, fs};

use prost::Message;

/// What nothing else imports; the rest is found from here.
const ROOTS: [&str; 3] =
    ["canasta/v1/game_service.proto", "canasta/v1/audit_service.proto", "canasta/v1/error.proto"];

// Cargo tells a build script its folder by a variable.
#[allow(clippy::disallowed_methods)]
fn main() {
    println!("cargo:rerun-if-changed=canasta");
    let descriptors = protox::compile(ROOTS, ["."]).unwrap_or_else(|error| panic!("{error:?}"));
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let bytes = descriptors.encode_to_vec();
    fs::write(Path::new(&out).join("descriptors.bin"), bytes).expect("OUT_DIR is writable");
    // Maps are ordered: equal answers are equal bytes.
    let generator = tonic_prost_build::configure().btree_map(".");
    generator.compile_fds(descriptors).expect("OUT_DIR is writable");
}
