//! Build script: writes tables of the engine as constants, from text that people edit: violations from the heads of their
//! pages, their causes and repairs; knobs, their words and contradictions, in German too; what games say of themselves; and
//! presets. A line that does not have the form fails the build and is named.

mod block;
mod causes;
mod explanation;
mod forbidden;
mod german;
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
        let (forbidden, reasons) = forbidden::write(&knobs)?;
        write("forbidden.rs", forbidden);
        let (enums, words) = words::write()?;
        write("knob_words.rs", enums);
        write("knob_texts.rs", german::write(&knobs, &words, &reasons)?);
        write("explanation.rs", explanation::write(&knobs)?);
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
