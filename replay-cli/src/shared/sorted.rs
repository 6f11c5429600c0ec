//! Records in sorted order, with a limit to the memory that they take: what exceeds it goes to a temporary file.
//!
//! The file is in the system's directory for temporary files. It has no name there, so that the system removes it
//! however the program ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::iter;

/// Maximum size in bytes of the buffer that reads one sorted part of the file.
const READ_MAX: usize = 1 << 15;
/// Minimum size in bytes of the same buffer.
const READ_MIN: usize = 1 << 8;

/// Takes records in any order, and returns them sorted as bytes.
pub struct RecordSorter {
    /// Maximum memory in bytes.
    limit: usize,
    held: HeldRecords,
    spilled: Option<SpillFile>,
    count: u64,
}

/// The records that are in memory.
#[derive(Default)]
struct HeldRecords {
    bytes: Vec<u8>,
    /// Start and length of each record in `bytes`.
    spans: Vec<(u32, u32)>,
}

/// A temporary file of parts, each of which is sorted.
struct SpillFile {
    file: File,
    /// The end of each part in bytes.
    ends: Vec<u64>,
}

impl RecordSorter {
    /// Returns a sorter that holds at most `limit` bytes in memory, and at least one record.
    pub fn new(limit: usize) -> Self {
        let limit = limit.min(1 << 30);
        Self { limit, held: HeldRecords::default(), spilled: None, count: 0 }
    }

    /// Takes one record, which has at most 2^30 bytes.
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        if self.held.size() + record.len() > self.limit && !self.held.spans.is_empty() {
            self.spill().map_err(of_temporary_file)?;
        }
        self.held.spans.push((self.held.bytes.len() as u32, record.len() as u32));
        self.held.bytes.extend_from_slice(record);
        self.count += 1;
        Ok(())
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the records in order. The sources share the position in the file, hence the exclusive borrow.
    pub fn iter(&mut self) -> io::Result<MergedRecords<'_>> {
        self.held.sort();
        let mut merged = MergedRecords { sources: Vec::new(), next: BinaryHeap::new() };
        merged.add(Box::new(self.held.iter().map(|record| Ok(record.to_vec()))))?;
        if let Some(SpillFile { file, ends }) = &self.spilled {
            let size = (self.limit / ends.len()).clamp(READ_MIN, READ_MAX);
            let mut at = 0;
            for &end in ends {
                let mut part = BufReader::with_capacity(size, FilePart { file, at, end });
                merged.add(Box::new(iter::from_fn(move || next_record(&mut part).transpose())))?;
                at = end;
            }
        }
        Ok(merged)
    }

    /// Moves the records in memory to the file, as one sorted part.
    fn spill(&mut self) -> io::Result<()> {
        self.held.sort();
        let spilled = match &mut self.spilled {
            Some(spilled) => spilled,
            None => self.spilled.insert(SpillFile { file: tempfile::tempfile()?, ends: Vec::new() }),
        };
        let end = spilled.file.seek(SeekFrom::End(0))?;
        let mut out = BufWriter::with_capacity(READ_MAX, &spilled.file);
        for record in self.held.iter() {
            out.write_all(&(record.len() as u32).to_le_bytes())?;
            out.write_all(record)?;
        }
        out.flush()?;
        drop(out);
        let size: u64 = self.held.spans.iter().map(|&(_, length)| 4 + u64::from(length)).sum();
        spilled.ends.push(end + size);
        self.held.bytes.clear();
        self.held.spans.clear();
        Ok(())
    }
}

impl HeldRecords {
    fn size(&self) -> usize {
        self.bytes.len() + size_of_val(&self.spans[..])
    }

    fn sort(&mut self) {
        let Self { bytes, spans } = self;
        // Records that are equal cannot be told apart, so their order does not matter.
        spans.sort_unstable_by(|&a, &b| at(bytes, a).cmp(at(bytes, b)));
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.spans.iter().map(|&span| at(&self.bytes, span))
    }
}

/// Returns the error with the directory in which the temporary file is.
pub fn of_temporary_file(error: io::Error) -> io::Error {
    let directory = std::env::temp_dir();
    io::Error::new(error.kind(), format!("a temporary file in {}: {error}", directory.display()))
}

fn at(bytes: &[u8], (start, length): (u32, u32)) -> &[u8] {
    &bytes[start as usize..][..length as usize]
}

/// An iterator over sorted records, which merges the parts in which they are kept.
pub struct MergedRecords<'a> {
    sources: Vec<RecordSource<'a>>,
    /// The next record of each source, by the number of the source.
    next: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

/// The records of one part, in order.
type RecordSource<'a> = Box<dyn Iterator<Item = io::Result<Vec<u8>>> + Send + 'a>;

struct FilePart<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl<'a> MergedRecords<'a> {
    fn refill(&mut self, number: usize) -> io::Result<()> {
        if let Some(record) = self.sources[number].next().transpose()? {
            self.next.push(Reverse((record, number)));
        }
        Ok(())
    }

    fn add(&mut self, source: RecordSource<'a>) -> io::Result<()> {
        self.sources.push(source);
        self.refill(self.sources.len() - 1)
    }
}

impl Iterator for MergedRecords<'_> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((record, number)) = self.next.pop()?;
        Some(self.refill(number).map(|()| record))
    }
}

/// Reads the next record of a part of the file; `None` at the end of the part.
fn next_record(part: &mut BufReader<FilePart<'_>>) -> io::Result<Option<Vec<u8>>> {
    if part.buffer().is_empty() && part.get_ref().at == part.get_ref().end {
        return Ok(None);
    }
    let mut length = [0; 4];
    part.read_exact(&mut length)?;
    let mut record = vec![0; u32::from_le_bytes(length) as usize];
    part.read_exact(&mut record)?;
    Ok(Some(record))
}

impl Read for FilePart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let size = buffer.len().min(left);
        self.file.seek(SeekFrom::Start(self.at))?;
        let read = self.file.read(&mut buffer[..size])?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn sorted(records: &[Vec<u8>], limit: usize) -> (Vec<Vec<u8>>, bool) {
        let mut sorter = RecordSorter::new(limit);
        records.iter().for_each(|record| sorter.push(record).expect("a temporary file"));
        assert_eq!(sorter.count(), records.len() as u64);
        let read = |sorter: &mut RecordSorter| -> Vec<Vec<u8>> {
            sorter.iter().expect("readable").map(|record| record.expect("readable")).collect()
        };
        let found = read(&mut sorter);
        assert_eq!(found, read(&mut sorter), "the records can be read twice");
        (found, sorter.spilled.is_some())
    }

    proptest! {
        /// Compares every limit with the sort of the standard library.
        #[test]
        fn records_come_sorted(records in vec(vec(0u8..3, 0..700), 0..60), limit in 0usize..9_000) {
            let mut expected = records.clone();
            expected.sort();
            let (found, spilled) = sorted(&records, limit);
            prop_assert_eq!(found, expected);
            let size: usize = records.iter().map(|record| record.len() + 8).sum();
            prop_assert_eq!(spilled, records.len() > 1 && size > limit + 8);
        }
    }

    /// Records that are longer than the limit, or than the buffer of a part, are read whole.
    #[test]
    fn long_records_are_kept() {
        let records: Vec<Vec<u8>> = (0..5).rev().map(|first| vec![first; 100_000]).collect();
        let (found, spilled) = sorted(&records, 10);
        assert!(spilled);
        assert_eq!(found, records.into_iter().rev().collect::<Vec<_>>());
    }
}
