//! Imports any text as the record of another program. Nothing panics; a log that results audits without a finding,
//! can be exported as lines, and comes back from these lines.
#![no_main]

use canasta_replay::{Cli, Exit, Io, run};
use clap::Parser;
use libfuzzer_sys::fuzz_target;

/// Runs a command. Returns its exit code (`None` for an error) and its output.
fn command(arguments: &[&str], input: &[u8]) -> (Option<Exit>, Vec<u8>) {
    let cli = Cli::try_parse_from(["canasta-replay"].iter().chain(arguments)).expect("arguments");
    let mut out = Vec::new();
    let mut io = Io::new(input, &mut out, std::io::sink(), false);
    let exit = run(&cli.command, &mut io).ok();
    drop(io);
    (exit, out)
}

fuzz_target!(|bytes: &[u8]| {
    let (exit, log) = command(&["import", "--fill", "-", "-o", "-"], bytes);
    if exit == Some(Exit::Clean) {
        assert_eq!(command(&["audit", "--live", "-"], &log).0, Some(Exit::Clean));
        let (exported, lines) = command(&["export", "-"], &log);
        assert_eq!(exported, Some(Exit::Clean));
        assert_eq!(command(&["import", "-", "-o", "-"], &lines).1, log);
    }
});
