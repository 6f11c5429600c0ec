//! Appending to a disk that fails. Whichever call fails, and whatever part of the unsynced bytes a crash
//! leaves, no acknowledged record is lost, and the log has no record that was not sent.

use canasta_engine::log::{Chain, HEAD_START, HEADER, Reader, Record};
use canasta_replay::files::append::{AppendError, Disk, append};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};

/// The failure of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DiskFault {
    Eio,
    NoSpace,
    Interrupted,
    /// Only a part of the bytes is written; other calls fail with EIO.
    Short,
}

#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Cut(usize),
}

impl Change {
    /// Applies the change; of a write, only its first `most` bytes.
    fn make(&self, image: &mut Vec<u8>, most: usize) {
        match self {
            Self::Write(at, bytes) => {
                let bytes = &bytes[..most.min(bytes.len())];
                image.resize(image.len().max(at + bytes.len()), 0);
                image[*at..at + bytes.len()].copy_from_slice(bytes);
            }
            Self::Cut(length) => image.truncate(*length),
        }
    }
}

/// A disk: its synced bytes, and the changes since.
#[derive(Default)]
struct FaultyDisk {
    safe: Vec<u8>,
    pending: Vec<Change>,
    kept: Vec<u8>,
    calls: usize,
    fault: Option<(usize, DiskFault)>,
    /// Number of bytes that have been acknowledged.
    promised: usize,
    /// The images that a crash at any moment could have left, each with the number of bytes acknowledged
    /// until then.
    crashes: BTreeSet<(usize, Vec<u8>)>,
}

impl FaultyDisk {
    fn of(image: Vec<u8>) -> Self {
        Self { safe: image, ..Self::default() }
    }

    fn image(&self) -> Vec<u8> {
        let mut image = self.safe.clone();
        self.pending.iter().for_each(|change| change.make(&mut image, usize::MAX));
        image
    }

    /// Returns every image that a crash could leave now: the pending changes up to one of them, of which any
    /// part is written.
    fn images_after_a_crash(&self) -> Vec<Vec<u8>> {
        let (mut images, mut image) = (vec![self.safe.clone()], self.safe.clone());
        for change in &self.pending {
            if let Change::Write(_, bytes) = change {
                for most in 1..bytes.len() {
                    let mut torn = image.clone();
                    change.make(&mut torn, most);
                    images.push(torn);
                }
            }
            change.make(&mut image, usize::MAX);
            images.push(image.clone());
        }
        images
    }

    fn call(&mut self) -> Result<Option<DiskFault>, io::Error> {
        self.calls += 1;
        let images = self.images_after_a_crash();
        self.crashes.extend(images.into_iter().map(|image| (self.promised, image)));
        let fault = self.fault.filter(|&(call, _)| call == self.calls).map(|(_, fault)| fault);
        match fault {
            Some(DiskFault::Eio) => Err(io::Error::other("I/O error")),
            Some(DiskFault::NoSpace) => Err(ErrorKind::StorageFull.into()),
            Some(DiskFault::Interrupted) => Err(ErrorKind::Interrupted.into()),
            other => Ok(other),
        }
    }

    fn call_whole(&mut self) -> io::Result<()> {
        match self.call()? {
            None => Ok(()),
            Some(_) => Err(io::Error::other("I/O error")),
        }
    }
}

impl Disk for FaultyDisk {
    fn read(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.call_whole()?;
        let image = self.image();
        let rest = image.get(at as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> io::Result<usize> {
        let count = match self.call()? {
            None => bytes.len(),
            Some(_) => bytes.len() / 2,
        };
        self.pending.push(Change::Write(at as usize, bytes[..count].to_vec()));
        Ok(count)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.call_whole()?;
        self.pending.push(Change::Cut(length as usize));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.call_whole()?;
        self.safe = self.image();
        self.pending.clear();
        Ok(())
    }

    fn keep(&mut self, tail: &[u8]) -> io::Result<()> {
        self.call_whole()?;
        self.kept.extend_from_slice(tail);
        Ok(())
    }
}

/// Returns the log of a game in pieces, as the service's replies bring them: header and genesis first.
fn pieces() -> Vec<Vec<u8>> {
    let log = include_bytes!("../data/short.clog");
    let (mut reader, mut rest, mut ends) = (Reader::new(), &log[..], vec![]);
    while let Some(frame) = reader.next(&mut rest).expect("a whole log") {
        ends.push(frame.offset as usize + frame.payload.len() + 11);
    }
    // The first two records are one piece, then one and two in turn.
    let mut pieces = vec![log[..ends[1]].to_vec()];
    let (mut at, mut step) = (1, 1);
    while at + step < ends.len().min(14) {
        pieces.push(log[ends[at]..ends[at + step]].to_vec());
        (at, step) = (at + step, 3 - step);
    }
    pieces
}

fn chain_of(image: &[u8]) -> Chain {
    let (mut reader, mut rest) = (Reader::new(), image);
    while reader.next(&mut rest).expect("no damage").is_some() {}
    if image.is_empty() { Chain::START } else { reader.finish().expect("whole records") }
}

/// Sends all pieces, a failed piece twice. Returns whether all pieces were acknowledged.
fn send(disk: &mut FaultyDisk, pieces: &[Vec<u8>]) -> bool {
    pieces.iter().all(|piece| {
        // A writer that heard nothing sends the same again, and asks for repairs.
        let done = append(disk, piece, None, false).or_else(|_| append(disk, piece, None, true)).is_ok();
        disk.promised += if done { piece.len() } else { 0 };
        done
    })
}

#[test]
fn no_acknowledged_record_is_lost_whatever_fails() {
    let pieces = pieces();
    assert!(pieces.len() >= 8);
    let whole: Vec<u8> = pieces.concat();
    let mut clean = FaultyDisk::default();
    assert!(send(&mut clean, &pieces));
    assert_eq!(clean.safe, whole);
    let (mut crashes, mut torn) = (0, 0);
    for fault in [DiskFault::Eio, DiskFault::NoSpace, DiskFault::Interrupted, DiskFault::Short] {
        for call in 1..=clean.calls {
            let mut disk = FaultyDisk { fault: Some((call, fault)), ..FaultyDisk::default() };
            assert!(send(&mut disk, &pieces), "one fault is survived");
            for (promised, image) in &disk.crashes {
                crashes += 1;
                assert!(image.len() >= *promised, "{fault:?} at call {call}: an acknowledged record is lost");
                assert!(whole.starts_with(image), "{fault:?} at call {call}: a byte that was not sent");
                let mut after = FaultyDisk::of(image.clone());
                let kept = append(&mut after, &[], None, true).expect("repaired");
                torn += usize::from(after.safe.len() < image.len());
                assert!(after.safe.len() >= *promised && image.starts_with(&after.safe));
                assert_eq!([&after.safe[..], &after.kept].concat(), *image, "what was cut is kept");
                assert_eq!(chain_of(&after.safe), kept);
            }
        }
    }
    assert!(crashes > 10_000 && torn > 10_000, "{crashes} crashes, {torn} torn");
}

#[test]
fn frames_that_do_not_follow_are_refused() {
    let pieces = pieces();
    let mut disk = FaultyDisk::of(pieces[..3].concat());
    let before = disk.safe.clone();
    let wrong = append(&mut disk, &pieces[4], None, false);
    assert!(matches!(wrong, Err(AppendError::Follow { .. })), "{wrong:?}");
    let half = append(&mut disk, &pieces[3][..7], None, false);
    assert!(matches!(half, Err(AppendError::Frames(_))), "{half:?}");
    let head = append(&mut disk, &pieces[3], Some(HEAD_START), false);
    assert!(matches!(head, Err(AppendError::Head { .. })), "{head:?}");
    assert_eq!(disk.image(), before);
    assert!(append(&mut disk, &pieces[3], Some(chain_of(&before).head), false).is_ok());
    let empty = append(&mut FaultyDisk::default(), &pieces[1], None, false);
    assert!(matches!(empty, Err(AppendError::Follow { .. })), "{empty:?}");
}

/// Frames that fork from the log, frames after a gap and damaged frames have different errors, whether or not
/// the log has the frames before them.
#[test]
fn a_fork_a_gap_and_damage_are_told_apart() {
    let pieces = pieces();
    let before = pieces[..4].concat();
    let (mut chain, mut forked) = (chain_of(&pieces[..3].concat()), pieces[2].clone());
    chain.append(&[9, 0xff, 0, 1, b'x'], &mut forked);
    let mut broken = pieces[2..5].concat();
    let at = pieces[2].len() + 5;
    broken[at] ^= 1;
    let mut broken_behind = pieces[3..6].concat();
    let at = pieces[3].len() + pieces[4].len() / 2;
    broken_behind[at] ^= 1;
    let other_game = [&HEADER[..], &pieces[1]].concat();
    let cases: [(&[u8], &str); 5] = [
        (&forked, "from record"),
        (&pieces[5], "the first is neither record"),
        (&broken, "frames to append: record"),
        (&broken_behind, "frames to append: record"),
        (&other_game, "frames to append: record 0"),
    ];
    for (frames, said) in cases {
        let mut disk = FaultyDisk::of(before.clone());
        let error = append(&mut disk, frames, None, false).expect_err(said).to_string();
        assert!(error.contains(said), "{said}: {error}");
        assert_eq!(error.contains("do not follow"), !said.starts_with("frames to append"), "{error}");
        assert_eq!(disk.image(), before);
    }
}

/// Sends a log again after a crash. The crash may cut the log at any byte, and a writer that got no answer may send
/// from any record on, even the whole log: missing frames are added once, and frames that would leave a gap are
/// refused and change nothing.
#[test]
fn a_batch_is_sent_again_from_any_overlap_over_any_cut() {
    let pieces = pieces();
    let whole = pieces.concat();
    let mut ends = vec![HEADER.len()];
    let (mut reader, mut rest) = (Reader::new(), &whole[..]);
    while let Some(frame) = reader.next(&mut rest).expect("whole records") {
        ends.push(frame.offset as usize + frame.payload.len() + 11);
    }
    // The next call depends only on the repaired log: all overlaps are tried on each repaired log.
    let mut repaired_logs = BTreeSet::new();
    for cut in 0..=whole.len() {
        let mut repaired = FaultyDisk::of(whole[..cut].to_vec());
        let is_whole = cut == 0 || ends.contains(&cut);
        let torn = append(&mut repaired, &[], None, false);
        assert_eq!(matches!(torn, Err(AppendError::Torn(_))), !is_whole, "{cut}: {torn:?}");
        append(&mut repaired, &[], None, true).expect("repaired");
        assert_eq!([&repaired.safe[..], &repaired.kept].concat(), whole[..cut], "what was cut is kept");
        repaired_logs.insert(repaired.safe);
    }
    assert_eq!(repaired_logs.len(), 1 + ends.len(), "no byte, the header, and every record");
    let (mut refused, mut added, mut known) = (0, 0, 0);
    for log in repaired_logs {
        let cut = log.len();
        for (first, &end) in
            (0..ends.len()).flat_map(|first| ends[first..].iter().map(move |end| (first, end)))
        {
            // Sends from the header on (0), or from the record that begins at byte ends[first - 1].
            let start = if first == 0 { 0 } else { ends[first - 1] };
            let mut disk = FaultyDisk::of(log.clone());
            let sent = append(&mut disk, &whole[start..end], None, false);
            if start > log.len() || (start < end && log.is_empty() && first > 0) {
                assert!(matches!(sent, Err(AppendError::Follow { .. })), "{cut}: {start}..{end}: {sent:?}");
                assert_eq!(disk.image(), log);
                refused += 1;
                continue;
            }
            assert_eq!(sent.expect("stored").head, chain_of(&disk.safe).head, "{cut}: {start}..{end}");
            assert_eq!(disk.safe, whole[..log.len().max(end)], "{cut}: {start}..{end}");
            if end > log.len() { added += 1 } else { known += 1 }
        }
    }
    assert!(refused > 100 && added > 100 && known > 100, "{refused} {added} {known}");
}

/// Checks that the head that a batch was made for stays valid when the batch is sent again, and that another head is
/// refused.
#[test]
fn the_expected_head_of_a_batch_holds_when_it_is_sent_again() {
    let pieces = pieces();
    let made_for = chain_of(&pieces[..3].concat()).head;
    let batch = pieces[3..6].concat();
    for stored in 3..=6 {
        let mut disk = FaultyDisk::of(pieces[..stored].concat());
        append(&mut disk, &batch, Some(made_for), false).expect("sent again");
        assert_eq!(disk.safe, pieces[..6].concat());
        let earlier = chain_of(&pieces[..2].concat()).head;
        let refused = append(&mut disk, &batch, Some(earlier), false);
        assert!(matches!(refused, Err(AppendError::Head { .. })), "{refused:?}");
    }
}

#[test]
fn the_same_frames_again_are_not_written_twice() {
    let pieces = pieces();
    let mut disk = FaultyDisk::of(pieces[..3].concat());
    let once = append(&mut disk, &pieces[3], None, false).expect("appended");
    let again = append(&mut disk, &pieces[3], None, false).expect("appended already");
    assert_eq!(once, again);
    assert_eq!(disk.safe, pieces[..4].concat());
}

#[test]
fn damage_is_not_repaired() {
    let mut image = pieces()[..4].concat();
    let at = image.len() / 2;
    image[at] ^= 1;
    let mut disk = FaultyDisk::of(image.clone());
    let refused = append(&mut disk, &[], None, true);
    assert!(matches!(refused, Err(AppendError::Log(_))), "{refused:?}");
    assert_eq!(disk.image(), image);
    // A payload that is no record may have a right frame.
    let mut chain = Chain::START;
    let mut bad = HEADER.to_vec();
    chain.append(&[0xff], &mut bad);
    assert!(Record::decode(&[0xff]).is_err());
    let refused = append(&mut FaultyDisk::default(), &bad, None, false);
    assert!(matches!(refused, Err(AppendError::Frames(_))), "{refused:?}");
}
