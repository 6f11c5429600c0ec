//! Archives: every packed log comes back byte for byte, and all damage is named.

use crate::common::{Extras, Rng, command, directory, frames, play, play_explicit, short};
use canasta_engine::archive::{
    ARCHIVE_HEADER, ArchiveBlock, ArchiveError, ArchiveErrorKind, BLOCK_LOGS, FOOTER, Fault, Footer, LogSize,
    closing, has_room, is_entry_name, pack, unpack, work_of,
};
use canasta_engine::log::HEADER;
use canasta_engine::rules::{PresetId, Rules};
use canasta_replay::Exit;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Packs and unpacks a log, alone and behind another log, and returns the length of its block.
fn round_trip(log: &[u8]) -> usize {
    let both = pack(&[OTHER, log]);
    assert_eq!(unpack(&both.body, &both.sizes), Ok(vec![OTHER.to_vec(), log.to_vec()]));
    let packed = pack(&[log]);
    assert_eq!(unpack(&packed.body, &packed.sizes), Ok(vec![log.to_vec()]));
    assert!(packed.body.len() <= log.len() + 1, "nothing grows by more than a byte");
    packed.body.len()
}

/// A log that what comes behind it cannot learn much from.
const OTHER: &[u8] = b"no log, but a text before one";

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
        let packed = pack(&[&log]);
        // Work is bounded, with room to spare: a third of what is allowed is enough for every log here.
        assert!(3 * packed.content.work < work_of(packed.body.len(), &packed.sizes), "{preset}");
        assert_eq!(packed.body[0], 1, "{preset}: in columns, not stored as it is");
        assert_eq!(unpack(&packed.body, &packed.sizes), Ok(vec![log]), "{preset}");
        // DESIGN: at most 0.85 bytes per action. Random players take any step, so their steps cannot be predicted.
        let (play_bytes, actions) = (packed.content.play as f64, f64::from(packed.sizes[0].actions));
        assert!(play_bytes / actions < 0.85, "{preset}: {play_bytes} bytes for {actions} actions");
        round_trip(&play(&rules, 2, Extras::All));
        if !rules.set().draws_cards() {
            round_trip(&play_explicit(&rules, 3));
        }
        played += 1;
    }
    assert!(played > 10, "{played} presets are played");
}

/// Packs every kept log: golden logs of every rule set, and damaged ones.
#[test]
fn every_kept_file_comes_back() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/logs");
    let (mut files, mut directories) = (Vec::new(), vec![data.clone()]);
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { directories.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let read_file = |path: &PathBuf| {
        let name = path.strip_prefix(&data).expect("below").to_str().expect("text").to_owned();
        (name, fs::read(path).expect("a file"))
    };
    let mut files: Vec<(String, Vec<u8>)> = files.iter().map(read_file).collect();
    files.sort();
    assert!(files.iter().filter(|(name, _)| name.ends_with(".clog")).count() > 60, "{} files", files.len());
    let logs: Vec<(&str, &[u8])> = files.iter().map(|(name, log)| (&**name, &**log)).collect();
    let whole = archive(&logs);
    let names: Vec<String> = blocks(&whole)
        .expect("an archive")
        .into_iter()
        .flat_map(|block| block.entries)
        .map(|entry| entry.name)
        .collect();
    assert!(names.iter().eq(files.iter().map(|(name, _)| name)));
    assert!(read(&whole).expect("an archive").iter().eq(files.iter().map(|(_, log)| log)));
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

/// Checks that any block gives an error, or some logs of the requested lengths, but never a panic.
#[test]
fn hostile_blocks_are_refused() {
    let log = play(&short("classic-4p", 300), 6, Extras::All);
    let packed = pack(&[OTHER, &log]);
    let (block, sizes) = (packed.body, packed.sizes);
    let mut random = Rng(17);
    let mut refused = 0;
    for _ in 0..100 {
        let mut bad = block.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bad.len());
            bad[at] = random.below(256) as u8;
        }
        match unpack(&bad, &sizes) {
            Ok(others) => assert_eq!(others[1].len(), log.len()),
            Err(_) => refused += 1,
        }
        let noise: Vec<u8> = std::iter::once(1).chain((0..200).map(|_| random.below(256) as u8)).collect();
        let _ = unpack(&noise, &sizes);
    }
    assert!(refused > 60, "{refused}");
    assert_eq!(unpack(&[], &[]), Err(Fault::Malformed));
    assert_eq!(unpack(&[7], &[]), Err(Fault::Method { found: 7 }));
    // Nothing is unpacked beyond the declared sizes, and nothing less.
    let with = |change: fn(&mut LogSize)| {
        let mut sizes = sizes.clone();
        change(&mut sizes[1]);
        unpack(&block, &sizes)
    };
    let length = log.len() as u64;
    assert_eq!(with(|size| size.length -= 1), Err(Fault::TooLong { expected: length - 1 }));
    assert!(with(|size| size.length += 1).is_err());
    let changes: [fn(&mut LogSize); 4] = [
        |size| size.records -= 1,
        |size| size.records += 1,
        |size| size.actions -= 1,
        |size| size.actions += 1,
    ];
    assert!(changes.iter().all(|&change| matches!(with(change), Err(Fault::Count { .. }))));
    // A log less, and a log more.
    assert!(unpack(&block, &sizes[..1]).is_err());
    assert!(unpack(&block, &[&sizes[..], &sizes[1..]].concat()).is_err());
}

/// Returns an archive of some logs, in memory.
fn archive(logs: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = ARCHIVE_HEADER.to_vec();
    let mut blocks = Vec::new();
    let mut rest = logs;
    while !rest.is_empty() {
        let mut bytes = 0;
        let room = rest.iter().enumerate().take_while(|(at, (_, log))| {
            let has_room = has_room(*at, bytes, log.len() as u64);
            bytes += log.len() as u64;
            has_room
        });
        let count = room.count();
        let (block, after) = rest.split_at(count);
        let (names, logs): (Vec<_>, Vec<&[u8]>) =
            block.iter().map(|(name, log)| ((*name).to_owned(), *log)).unzip();
        let packed = pack(&logs);
        blocks.push(ArchiveBlock::new(out.len() as u64, names, &logs, &packed));
        out.extend(&packed.body);
        rest = after;
    }
    out.extend(closing(&blocks));
    out
}

/// Reads the blocks of an archive in memory.
fn blocks(archive: &[u8]) -> Result<Vec<ArchiveBlock>, ArchiveError> {
    let (header, footer) = (archive.first_chunk().unwrap(), archive.last_chunk::<FOOTER>().unwrap());
    let footer = Footer::read(header, footer, archive.len() as u64)?;
    let start = footer.offset as usize;
    footer.blocks(&archive[start..start + footer.index as usize])
}

/// Reads the logs of a block of an archive in memory.
fn read_block(archive: &[u8], block: &ArchiveBlock) -> Result<Vec<Vec<u8>>, ArchiveError> {
    block.unpack(&archive[block.offset as usize..][..block.packed as usize], false)
}

/// Reads every log of an archive in memory.
fn read(archive: &[u8]) -> Result<Vec<Vec<u8>>, ArchiveError> {
    let logs: Result<Vec<_>, _> = blocks(archive)?.iter().map(|block| read_block(archive, block)).collect();
    logs.map(|logs| logs.concat())
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
    for names in [["a", "a"], ["b", "a"], ["../a", "b"], ["/", "a"]] {
        let logs = names.map(|name| (name, &b""[..]));
        assert_eq!(read(&archive(&logs)).unwrap_err().kind, ArchiveErrorKind::Index, "{names:?}");
    }
}

/// Checks that a block ends after 64 logs, or before 4 MiB are exceeded, and that a damaged block takes no other along.
#[test]
fn blocks_are_filled_and_stand_alone() {
    let (small, large) = (b"a small log".to_vec(), vec![7; 3 << 20]);
    let names: Vec<String> = (0..140).map(|number| format!("{number:03}.clog")).collect();
    let log = |number: usize| if (100..104).contains(&number) { &large[..] } else { &small[..] };
    let logs: Vec<(&str, &[u8])> = names.iter().enumerate().map(|(at, name)| (&**name, log(at))).collect();
    let whole = archive(&logs);
    let of_whole = blocks(&whole).expect("an archive");
    // 64 small logs; 36 of them and a large one; large ones alone, the last with the 36 small logs behind it.
    let lengths: Vec<usize> = of_whole.iter().map(|block| block.entries.len()).collect();
    assert_eq!(lengths, [BLOCK_LOGS, 37, 1, 1, 37]);
    assert_eq!(read(&whole).map(|logs| logs.len()), Ok(140));
    let mut damaged = whole.clone();
    damaged[of_whole[1].offset as usize + 3] ^= 1;
    let of_damaged = blocks(&damaged).expect("the index is whole");
    for (at, block) in of_damaged.iter().enumerate() {
        let logs = read_block(&damaged, block);
        if at == 1 {
            let error = ArchiveError { offset: block.offset, kind: ArchiveErrorKind::BlockCheck };
            assert_eq!(logs, Err(error));
        } else {
            assert_eq!(logs, read_block(&whole, &of_whole[at]));
        }
    }
}

/// Checks that an archive of version 1 is refused as such, by its first bytes alone: the rest is not read.
#[test]
fn version_1_is_not_damage() {
    let old = include_bytes!("../data/archive-1.carc");
    let error = ArchiveError { offset: 8, kind: ArchiveErrorKind::UnsupportedVersion { found: 1 } };
    assert_eq!(read(old), Err(error));
    let mut damaged = old.to_vec();
    damaged[20..].fill(0);
    assert_eq!(read(&damaged), Err(error));
    assert!(error.to_string().contains("UNSUPPORTED_VERSION"), "{error}");
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

/// Checks that the program unpacks what it packed, one game as well as all games, and lists the digest of the block.
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
    let digest = base16ct::lower::encode_string(&Sha256::digest([log, other.clone()].concat()));
    assert_eq!(list["logs"][0]["block"]["sha256"], digest);
    assert_eq!(list["logs"][0]["block"]["logs"], 2);
    assert_eq!(list["logs"][1]["bytes"], other.len());
}

/// Returns an archive of two blocks of a byte each, whose logs declare 64 MiB and this many bytes.
fn declaring(length: u32) -> Vec<u8> {
    let (mut out, packed) = (ARCHIVE_HEADER.to_vec(), pack(&[b"x"]));
    let blocks = [("a", 1 << 26), ("b", length)].map(|(name, length)| {
        let mut block = ArchiveBlock::new(out.len() as u64, vec![name.into()], &[b"x"], &packed);
        block.entries[0].size.length = length;
        out.extend(&packed.body);
        block
    });
    out.extend(closing(&blocks));
    out
}

#[test]
fn an_archive_that_declares_too_much_is_unpacked_with_trust_only() {
    let place = directory("archive-declared");
    let (file, out) = (place.join("a.carc"), place.join("out"));
    let (path, out_path) = (file.to_str().unwrap(), out.to_str().unwrap());
    let most = 1_024 * declaring(200_000).len() as u32;
    assert_eq!(declaring(most + 1).len() as u32 * 1_024, most);
    let said = |length: u32, more: &[&str]| {
        fs::write(&file, declaring(length)).unwrap();
        let ran = command(&[&["unpack", path], more, &["-o", out_path]].concat(), b"");
        assert_eq!((ran.exit, out.exists()), (Exit::Findings, false), "{ran:?}");
        String::from_utf8(ran.out).unwrap()
    };
    let refused = said(most + 1, &[]);
    assert!(refused.contains("nothing was unpacked (--trust unpacks it)"), "{refused}");
    // Whatever is unpacked is found to be shorter.
    for (length, more) in [(most, &[][..]), (most + 1, &["--trust"]), (most + 1, &["b"])] {
        let tried = said(length, more);
        assert!(tried.contains("a.carc: b: ") && tried.contains("\n0 of "), "{tried}");
    }
}
