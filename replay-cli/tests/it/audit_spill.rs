//! An audit of many logs: its output and its memory do not depend on the number of logs that fit into memory.

use crate::common::{Extras, command, directory, play, short};
use allocation_counter::measure;
use canasta_replay::{Cli, Exit, Io, run};
use clap::Parser;
use std::path::Path;
use std::{fs, io};

/// Writes logs of games that end after a few points, in two directories. Some of the logs are of one game, and some are
/// cut off or no logs.
fn write(place: &Path, games: u32) {
    let rules = short("classic-4p", 5);
    for game in 0..games {
        let log = play(&rules, game, Extras::None);
        let folder = place.join(if game % 3 == 0 { "b" } else { "b c" });
        fs::create_dir_all(&folder).unwrap();
        let put = |name: String, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
        put(format!("game-{game}.clog"), &log);
        match game % 8 {
            0 => put(format!("again-{game}.clog"), &log),
            1 => put(format!("cut-{game}.clog"), &log[..log.len() / 2]),
            2 => put(format!("none-{game}.clog"), b"no log"),
            _ => {}
        }
    }
}

/// Audits with little memory and with much, with one thread and with several.
#[test]
fn the_output_does_not_depend_on_memory_or_threads() {
    let place = directory("audit-spill");
    write(&place, 60);
    let (missing, logs) = (place.join("missing.clog"), place.to_str().unwrap());
    for format in ["text", "json", "jsonl"] {
        for table in ["--standings", "--live"] {
            let audit = |buffer: &str, threads: &str| {
                let options = ["--format", format, table, "--buffer", buffer, "--threads", threads];
                let paths = [logs, missing.to_str().unwrap()];
                let ran = command(&[&["audit"][..], &options, &paths].concat(), b"");
                assert!(ran.out.len() > 1000, "{ran:?}");
                (ran.exit, ran.out, ran.err)
            };
            let expected = audit("4096", "1");
            for (buffer, threads) in [("1", "1"), ("1", "4"), ("4096", "4")] {
                assert!(audit(buffer, threads) == expected, "{format} {table} {buffer} {threads}");
            }
        }
    }
}

/// Compares the peak of memory for 900 logs with that for 100: it grows by 40 bytes per log at most, once each list has
/// filled the 64 KiB that it may take.
#[test]
fn memory_does_not_grow_with_the_number_of_logs() {
    let place = directory("audit-memory");
    let rules = short("classic-4p", 5);
    let log = play(&rules, 1, Extras::None);
    for (name, count) in [("few", 100), ("many", 900)] {
        let folder = place.join(name);
        fs::create_dir_all(&folder).unwrap();
        for game in 0..count {
            let log = if game % 10 == 0 { play(&rules, game, Extras::None) } else { log.clone() };
            fs::write(folder.join(format!("a-name-of-a-log-{game}.clog")), log).unwrap();
        }
    }
    for format in ["text", "json", "jsonl"] {
        let peak = |name: &str| {
            let logs = place.join(name);
            // One thread, because the counts are those of this thread.
            let options = ["--format", format, "--buffer", "64", "--threads", "1", "--standings"];
            let arguments = [&["canasta-replay", "audit"][..], &options, &[logs.to_str().unwrap()]].concat();
            let cli = Cli::try_parse_from(arguments).expect("arguments");
            let mut io = Io::new(io::empty(), io::sink(), io::sink(), false);
            let mut exit = None;
            let held = measure(|| exit = Some(run(&cli.command, &mut io).expect("logs that can be read")));
            assert_eq!(exit, Some(Exit::Clean));
            held.bytes_max
        };
        let (few, many) = (peak("few"), peak("many"));
        println!("{format}: {few} bytes for 100 logs, {many} bytes for 900");
        // Each of the six lists may have been filled only by the second run.
        assert!(many < few + 800 * 40 + 6 * (64 << 10), "{format}: {few} bytes, then {many}");
        assert!(many < 2 << 20, "{format}: {many} bytes");
    }
}
