//! Archives: every packed log comes back byte for byte, and all damage is named.

mod common;

use canasta_engine::archive::{
    ARCHIVE_HEADER, ArchiveEntry, ArchiveError, ArchiveErrorKind, FOOTER, Fault, Footer, UnpackBounds,
    closing, is_entry_name, log_digest, pack, unpack,
};
use canasta_engine::log::HEADER;
use canasta_engine::rules::{PresetId, Rules};
use canasta_replay::Exit;
use common::{Extras, Rng, command, directory, frames, play, play_explicit, short};
use std::fs;
use std::sync::Arc;

/// Packs and unpacks a log, and returns the length of its body.
fn round_trip(log: &[u8]) -> usize {
    let packed = pack(log);
    assert_eq!(unpack(&packed.body, &packed.bounds(log)).as_deref(), Ok(log));
    assert!(packed.body.len() <= log.len() + 1, "nothing grows by more than a byte");
    packed.body.len()
}

/// Returns the preset with games of one round, if possible: random players never reach a target.
fn round(preset: &str, rules: Arc<Rules>) -> Arc<Rules> {
    let base = PresetId::from_name(preset).expect("a preset");
    let mut set = base.rule_set();
    (set.rounds, set.target) = (1, 0);
    Rules::house(base, set, Some("round")).map_or(rules, Arc::new)
}

/// Packs games of every playable preset, with refusals, notes, times and signatures, and with given walls.
#[test]
fn every_rule_set_comes_back() {
    let mut played = 0;
    for preset in PresetId::all().map(PresetId::name) {
        let Some(rules) = Rules::preset(preset).map(Arc::new) else { continue };
        let rules = round(preset, rules);
        let log = play(&rules, 1, Extras::None);
        let packed = pack(&log);
        // Work is bounded, with room to spare: a third of what is allowed is enough for every log here.
        let bounds = packed.bounds(&log);
        let third = UnpackBounds { work: bounds.work / 3, ..bounds };
        assert_eq!(packed.body[0], 1, "{preset}: in columns, not stored as it is");
        assert_eq!(unpack(&packed.body, &third).as_ref(), Ok(&log), "{preset}");
        // DESIGN: at most 0.85 bytes per action. Random players take any step, so their steps cannot be predicted.
        let (play_bytes, actions) = (packed.content.play as f64, packed.content.actions as f64);
        assert!(play_bytes / actions < 0.85, "{preset}: {play_bytes} bytes for {actions} actions");
        round_trip(&play(&rules, 2, Extras::All));
        if !rules.set().draws_cards() {
            round_trip(&play_explicit(&rules, 3));
        }
        played += 1;
    }
    assert!(played > 10, "{played} presets are played");
}

/// Packs logs with any cut and any changed byte: the rest is no longer a log, and still comes back.
#[test]
fn damaged_logs_come_back() {
    let log = play(&short("classic-2p", 300), 4, Extras::All);
    let mut random = Rng(9);
    for _ in 0..20 {
        round_trip(&log[..random.below(log.len())]);
        let mut changed = log.clone();
        changed[random.below(log.len())] ^= 1 << random.below(8);
        round_trip(&changed);
    }
    for cut in [0, 1, 8, 9, 10] {
        round_trip(&log[..cut]);
    }
}

/// Logs whose chain is valid, but whose records do not follow from each other: one record is left out, or two
/// are exchanged.
#[test]
fn logs_that_break_the_rules_come_back() {
    let log = play(&short("classic-4p", 300), 5, Extras::All);
    let starts = frames(&log);
    let payloads: Vec<&[u8]> = starts.windows(2).map(|pair| &log[pair[0] + 3..pair[1] - 8]).collect();
    let chained = |payloads: &[&[u8]]| {
        let mut chain = canasta_engine::log::Chain::START;
        let mut out = HEADER.to_vec();
        payloads.iter().for_each(|payload| chain.append(payload, &mut out));
        out
    };
    assert_eq!(chained(&payloads), log);
    let mut random = Rng(11);
    for _ in 0..12 {
        let mut fewer = payloads.clone();
        fewer.remove(random.below(payloads.len()));
        round_trip(&chained(&fewer));
        let mut swapped = payloads.clone();
        let (a, b) = (random.below(payloads.len()), random.below(payloads.len()));
        swapped.swap(a, b);
        round_trip(&chained(&swapped));
        let mut changed = payloads.clone();
        let at = random.below(payloads.len());
        let mut payload = changed[at].to_vec();
        let byte = random.below(payload.len());
        payload[byte] ^= 1 << random.below(8);
        changed[at] = &payload;
        round_trip(&chained(&changed));
    }
}

/// Files that are not logs: text and noise are stored unchanged.
#[test]
fn any_bytes_come_back() {
    let mut random = Rng(3);
    let noise: Vec<u8> = (0..5000).map(|_| random.below(256) as u8).collect();
    assert_eq!(round_trip(&noise), noise.len() + 1);
    assert!(round_trip(&b"to be or not to be, ".repeat(100)) < 200);
    round_trip(&[&HEADER[..], &noise].concat());
}

/// Checks that any body gives an error, or some log of the requested length, but never a panic.
#[test]
fn hostile_bodies_are_refused() {
    let log = play(&short("classic-4p", 300), 6, Extras::All);
    let packed = pack(&log);
    let of_log = packed.bounds(&log);
    let (body, length) = (packed.body, log.len() as u64);
    let mut random = Rng(17);
    let mut refused = 0;
    for _ in 0..100 {
        let mut bad = body.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bad.len());
            bad[at] = random.below(256) as u8;
        }
        match unpack(&bad, &of_log) {
            Ok(other) => assert_eq!(other.len() as u64, length),
            Err(_) => refused += 1,
        }
        let noise: Vec<u8> = std::iter::once(1).chain((0..200).map(|_| random.below(256) as u8)).collect();
        let _ = unpack(&noise, &of_log);
    }
    assert!(refused > 60, "{refused}");
    let none = UnpackBounds::new(0, 0, 0, 0);
    assert_eq!(unpack(&[], &none), Err(Fault::Malformed));
    assert_eq!(unpack(&[7], &none), Err(Fault::Method { found: 7 }));
    let of = |length| unpack(&body, &UnpackBounds { length, ..of_log });
    assert_eq!(of(length - 1), Err(Fault::TooLong { expected: length - 1 }));
    assert!(of(length + 1).is_err());
    // The index's numbers of records and actions are checked too, and nothing is unpacked beyond them.
    for (records, actions) in [(1, 0), (0, 1)] {
        let fewer =
            UnpackBounds { records: of_log.records - records, actions: of_log.actions - actions, ..of_log };
        assert!(matches!(unpack(&body, &fewer), Err(Fault::Count { .. })));
        let more =
            UnpackBounds { records: of_log.records + records, actions: of_log.actions + actions, ..of_log };
        assert!(matches!(unpack(&body, &more), Err(Fault::Count { .. })));
    }
}

/// Returns an archive of some logs, in memory.
fn archive(logs: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = ARCHIVE_HEADER.to_vec();
    let mut entries = Vec::new();
    for (name, log) in logs {
        let packed = pack(log);
        entries.push(ArchiveEntry::new((*name).to_owned(), out.len() as u64, log, &packed));
        out.extend(&packed.body);
    }
    out.extend(closing(&entries));
    out
}

/// Reads every log of an archive in memory.
fn read(archive: &[u8]) -> Result<Vec<Vec<u8>>, ArchiveError> {
    let (header, footer) = (archive.first_chunk().unwrap(), archive.last_chunk::<FOOTER>().unwrap());
    let footer = Footer::read(header, footer, archive.len() as u64)?;
    let start = footer.offset as usize;
    let entries = footer.entries(&archive[start..start + footer.index as usize])?;
    let body = |entry: &ArchiveEntry| &archive[entry.offset as usize..][..entry.packed as usize];
    entries.iter().map(|entry| entry.unpack(body(entry), &entry.bounds())).collect()
}

/// Checks that every changed bit of an archive, and every cut, is detected.
#[test]
fn every_changed_bit_of_an_archive_is_detected() {
    let log = play(&short("classic-2p", 100), 7, Extras::None);
    let whole = archive(&[("a.clog", &log), ("b/c.clog", b"no log")]);
    assert_eq!(read(&whole), Ok(vec![log, b"no log".to_vec()]));
    for at in 0..whole.len() * 8 {
        let mut changed = whole.clone();
        changed[at / 8] ^= 1 << (at % 8);
        assert!(read(&changed).is_err(), "bit {at}");
    }
    for cut in ARCHIVE_HEADER.len() + FOOTER..whole.len() {
        assert!(read(&whole[..cut]).is_err(), "cut at {cut}");
    }
    assert_eq!(read(&archive(&[])), Ok(Vec::new()));
    assert_eq!(read(&archive(&[("a", b""), ("a", b"")])).unwrap_err().kind, ArchiveErrorKind::Entry);
    assert_eq!(read(&archive(&[("../a", b"")])).unwrap_err().kind, ArchiveErrorKind::Entry);
}

#[test]
fn names_stay_below_the_directory() {
    let long = "x".repeat(256);
    let too_many = "x/".repeat(512) + "x";
    for bad in [
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        ".",
        "..",
        "a/../b",
        "./a",
        "a\\b",
        "a\nb",
        "\u{202e}a",
        &long,
        &too_many,
    ] {
        assert!(!is_entry_name(bad), "{bad:?}");
    }
    for good in ["a", "a.clog", "...", "tables/17/a b.clog", "Žižkov.clog"] {
        assert!(is_entry_name(good), "{good:?}");
    }
}

/// Checks that the program unpacks what it packed, one game as well as all games, and lists the digest of each file.
#[test]
fn the_program_packs_and_unpacks() {
    let place = directory("archive-program");
    let (log, other) =
        (play(&short("samba-4p", 300), 1, Extras::All), play(&short("classic-2p", 300), 2, Extras::None));
    fs::create_dir_all(place.join("tables/b")).unwrap();
    fs::write(place.join("tables/a.clog"), &log).unwrap();
    fs::write(place.join("tables/b/a.clog"), &other).unwrap();
    let path = |name: &str| place.join(name).to_str().unwrap().to_owned();
    let (tables, file, out) = (path("tables"), path("all.carc"), path("out"));
    let ran = command(&["pack", &tables, "-o", &file], b"");
    assert_eq!((ran.exit, &*ran.err), (Exit::Clean, ""));
    let left: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing but the logs and the archive: {left:?}");
    assert_eq!(command(&["unpack", &file, "-o", &out], b"").exit, Exit::Clean);
    assert_eq!(fs::read(place.join("out/a.clog")).unwrap(), log);
    assert_eq!(fs::read(place.join("out/b/a.clog")).unwrap(), other);
    assert_eq!(command(&["unpack", &file, "b/a.clog", "-o", &path("one")], b"").exit, Exit::Clean);
    assert_eq!(fs::read(place.join("one/b/a.clog")).unwrap(), other);
    assert!(!place.join("one/a.clog").exists());
    let list = String::from_utf8(command(&["unpack", &file, "--list", "--format", "json"], b"").out).unwrap();
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let digest = base16ct::lower::encode_string(&log_digest(&log));
    assert_eq!(list["logs"][0]["sha256"], digest);
    assert_eq!(list["logs"][1]["bytes"], other.len());
}
