//! The demo: the first command that a newcomer runs.

use std::path::Path;
use std::process::Command;

fn demo(seed: &str, log: &Path) -> String {
    // Cargo tells where programs are, not examples; `cargo test` builds both.
    let example = Path::new(env!("CARGO_BIN_EXE_canasta-service")).with_file_name("examples").join("demo");
    let mut demo = Command::new(example);
    // A server's settings in the environment do not change the demo.
    demo.args(["--seed", seed, "--log"]).arg(log).env("CANASTA_IDENTITIES_FILE", "nowhere.toml");
    let output = demo.output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the demo prints text")
}

#[test]
fn the_demo_ends_audited_clean_and_is_repeatable() {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo.clog");
    let (first, frames) = (demo("7", &log), std::fs::read(&log).expect("a log"));
    let (second, again) = (demo("7", &log), std::fs::read(&log).expect("a log"));
    // The first line names the port.
    let rest = |text: &str| text.split_once('\n').expect("many lines").1.to_owned();
    assert_eq!(rest(&first), rest(&second));
    assert_eq!(frames, again);
    assert!(first.contains("game over after ") && first.contains("audit    clean: "), "{first}");
    let refused = first.lines().filter(|line| line.contains(" refused  ")).count();
    assert!(refused >= 6, "{refused} codes refused:\n{first}");
    // A newcomer has built nothing else: what is advised must run as printed. `.ci/run` runs it.
    let advised: Vec<_> = first.lines().filter(|line| line.contains("canasta-replay")).collect();
    assert_eq!(advised.len(), 3, "{first}");
    for line in advised {
        assert!(line.starts_with("next     cargo run --release --bin canasta-replay -- "), "{line}");
    }
}
