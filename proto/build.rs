//! Compiles the proto files without protoc: protox parses them, tonic-prost-build writes the code.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use prost::Message;

const SERVICE: &str = "canasta/v1/game_service.proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=canasta");
    let descriptors = protox::compile([SERVICE], ["."])?;
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("descriptors.bin"), descriptors.encode_to_vec())?;
    // Maps are ordered: equal answers are equal bytes.
    tonic_prost_build::configure().btree_map(".").compile_fds(descriptors)?;
    Ok(())
}
