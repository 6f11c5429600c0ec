//! Compiles the proto files without protoc: protox parses them, tonic-prost-build writes the code.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use prost::Message;

/// What nothing else imports; the rest is found from here.
const ROOTS: [&str; 2] = ["canasta/v1/game_service.proto", "canasta/v1/error.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=canasta");
    let descriptors = protox::compile(ROOTS, ["."])?;
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("descriptors.bin"), descriptors.encode_to_vec())?;
    // Maps are ordered: equal answers are equal bytes.
    tonic_prost_build::configure().btree_map(".").compile_fds(descriptors)?;
    Ok(())
}
