//! Build script: writes tables of the engine as constants, from text that people edit: violations from the heads of their
//! pages, their causes and repairs; knobs, their words and contradictions; and presets. A line that does not have the form fails
//! the build and is named.

mod block;
mod causes;
mod forbidden;
mod knobs;
mod presets;
mod repairs;
mod violations;
mod words;

use std::path::Path;
use std::{env, fs};

#[expect(
    clippy::disallowed_methods,
    reason = "cargo gives a build script its folder in an environment variable"
)]
fn main() {
    println!("cargo::rerun-if-changed=build");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let write =
        |file, text: String| fs::write(Path::new(&out).join(file), text).expect("OUT_DIR is writable");
    let tables = || {
        let (table, knobs) = knobs::write()?;
        write("knobs.rs", table);
        write("forbidden.rs", forbidden::write(&knobs)?);
        write("knob_words.rs", words::write()?);
        write("presets.rs", presets::write(&knobs)?);
        write("violations.rs", violations::write()?);
        write("causes.rs", causes::write()?);
        write("repairs.rs", repairs::write()?);
        Ok::<(), block::Fault>(())
    };
    if let Err(fault) = tables() {
        println!("cargo::error={fault}");
    }
}
