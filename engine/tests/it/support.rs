//! Logs as their records, and what games at random need.

use canasta_engine::log::{Chain, HEADER, Reader, Record};
use canasta_engine::text::{from_text, to_text};
use canasta_engine::token::Catalogue;
use std::sync::LazyLock;

pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::new);

/// A generator of numbers that look random and are the same in every run.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// Returns all records of a log.
pub fn records(mut log: &[u8]) -> Vec<Record> {
    let mut reader = Reader::new();
    let next = || reader.next(&mut log).expect("a log").map(|frame| frame.record().expect("a record"));
    std::iter::from_fn(next).collect()
}

/// Returns the records as a log with a new chain.
pub fn chained<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<u8> {
    let (mut log, mut chain) = (HEADER.to_vec(), Chain::START);
    for record in records {
        chain.append(&record.encode().expect("a record"), &mut log);
    }
    log
}

/// Checks that the log as text gives the same records again. Returns the text.
pub fn comes_back(log: &[u8]) -> String {
    let records = records(log);
    let text = to_text(&records).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(from_text(&text).as_ref(), Ok(&records), "{text}");
    text
}
