//! Packing on a disk that fails: whichever call fails, the archive is the old one, missing, or the whole new
//! one, and no partial file is left.

use crate::common::{directory, logs};
use canasta_replay::files::pack::{ArchiveFiles, NewFile, pack_files};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The failure of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PackFault {
    Eio,
    NoSpace,
    /// A part of the bytes is read or written; the archive gets its name, but the name is not stored.
    Halfway,
}

struct Faulty {
    file: NewFile,
    calls: AtomicUsize,
    fault: Option<(usize, PackFault)>,
}

impl Faulty {
    fn now(&self) -> Option<PackFault> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        self.fault.filter(|(at, _)| *at == call).map(|(_, fault)| fault)
    }
}

fn error(fault: PackFault) -> io::Error {
    match fault {
        PackFault::NoSpace => io::Error::from(ErrorKind::StorageFull),
        PackFault::Eio | PackFault::Halfway => io::Error::other("input/output error"),
    }
}

impl ArchiveFiles for Faulty {
    fn read(&self, log: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self.now() {
            Some(fault) => Err(error(fault)),
            None => self.file.read(log, most),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.now() {
            Some(PackFault::Halfway) => {
                self.file.write(&bytes[..bytes.len() / 2])?;
                Err(error(PackFault::Halfway))
            }
            Some(fault) => Err(error(fault)),
            None => self.file.write(bytes),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        match self.now() {
            Some(PackFault::Halfway) => {
                self.file.finish()?;
                Err(error(PackFault::Halfway))
            }
            Some(fault) => Err(error(fault)),
            None => self.file.finish(),
        }
    }
}

fn pack(
    out: &Path,
    files: &[(String, PathBuf)],
    fault: Option<(usize, PackFault)>,
) -> (anyhow::Result<()>, usize) {
    let file = NewFile::create(out, true).expect("a place for the archive");
    let mut place = Faulty { file, calls: AtomicUsize::new(0), fault };
    let packed = pack_files(&mut place, files);
    (packed, place.calls.into_inner())
}

#[test]
fn whatever_call_fails_an_archive_is_whole_or_not_there() {
    let place = directory("pack-faults");
    let files: Vec<(String, PathBuf)> =
        logs(&place, 3).into_iter().enumerate().map(|(at, log)| (format!("{at}.clog"), log)).collect();
    let wanted = place.join("wanted.carc");
    let (packed, calls) = pack(&wanted, &files, None);
    packed.expect("nothing fails");
    let whole = fs::read(&wanted).expect("an archive");
    // Three logs are read; header, their block and the closing are written; then the name.
    assert_eq!(calls, 7);
    for old in [None, Some(&b"an older archive"[..])] {
        for call in 0..calls {
            for fault in [PackFault::Eio, PackFault::NoSpace, PackFault::Halfway] {
                let folder = place.join("out");
                let _ = fs::remove_dir_all(&folder);
                fs::create_dir(&folder).expect("a directory");
                let out = folder.join("a.carc");
                if let Some(old) = old {
                    fs::write(&out, old).expect("the older archive");
                }
                let (packed, _) = pack(&out, &files, Some((call, fault)));
                let what = format!("call {call}, {fault:?}");
                assert!(packed.is_err(), "{what}");
                let named = call == calls - 1 && fault == PackFault::Halfway;
                let expected = if named { Some(&whole[..]) } else { old };
                assert_eq!(fs::read(&out).ok().as_deref(), expected, "{what}");
                let left = fs::read_dir(&folder).expect("a directory").count();
                assert_eq!(left, usize::from(expected.is_some()), "{what}");
            }
        }
    }
}
