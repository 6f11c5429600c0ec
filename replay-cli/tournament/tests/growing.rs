//! Reading on in logs that grow.

use canasta_engine::log::HEADER;
use canasta_tournament::growing::GrowingLog;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

fn game(number: u8) -> Vec<u8> {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/logs/v2/classic-4p");
    std::fs::read(format!("{logs}/game-00000{number}.clog")).expect("a golden log")
}

/// Writes over a file in place, as a copy does. The file claims to have been written at this second.
fn write(path: &Path, bytes: &[u8], second: u64) {
    let mut file = File::create(path).expect("our file");
    file.write_all(bytes).expect("room");
    file.set_modified(UNIX_EPOCH + Duration::from_secs(second)).expect("a time");
}

/// Grows a log by every kind of step, and checks after each that reading on finds what reading anew finds.
#[test]
fn reading_on_finds_what_reading_anew_finds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.clog");
    let (log, other) = (game(0), game(1));
    let steps: [(&str, Vec<u8>); 9] = [
        ("half a header", log[..4].to_vec()),
        ("a torn record", log[..HEADER.len() + 20].to_vec()),
        ("some records", log[..2_000].to_vec()),
        ("more, torn elsewhere", log[..2_007].to_vec()),
        ("a shorter copy", log[..1_500].to_vec()),
        ("another game of the same length", other[..1_500].to_vec()),
        ("a longer log of the first game", log[..4_000].to_vec()),
        ("damage", [&log[..4_000], &[7; 90]].concat()),
        ("all of it", log.clone()),
    ];
    let mut kept: Option<GrowingLog> = None;
    for (second, (what, bytes)) in (1..).zip(steps) {
        write(&path, &bytes, second);
        kept = kept.take().map_or_else(|| GrowingLog::read(&path), GrowingLog::again).expect("a log");
        let anew = GrowingLog::read(&path).expect("a log");
        let found = |log: &Option<GrowingLog>| {
            let found = log.as_ref();
            found.map(|log| (log.records(), log.head(), log.length, log.has_ended, log.fault.clone()))
        };
        assert_eq!(found(&kept), found(&anew), "{what}");
    }
    let log = kept.expect("the whole log");
    assert!(log.has_ended && log.fault.is_none());
    assert_eq!(log.lacks(&[(log.records() - 1, log.head()), (1, log.head())]), Some(1));
}

#[test]
fn of_a_log_that_grows_only_what_is_new_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.clog");
    let log = game(0);
    write(&path, &log[..2_000], 1);
    let kept = GrowingLog::read(&path).expect("a log").expect("its first record");
    let records = kept.records();
    // What has been read is not looked at again, so its damage is not seen.
    write(&path, &[&[7; 1_000], &log[1_000..2_000]].concat(), 1);
    let kept = kept.again().expect("not opened").expect("as it was");
    assert_eq!((kept.records(), &kept.fault), (records, &None));
    write(&path, &[&[7; 1_000], &log[1_000..]].concat(), 2);
    let kept = kept.again().expect("a log").expect("longer");
    assert!(kept.has_ended && kept.records() > records && kept.fault.is_none());
}
