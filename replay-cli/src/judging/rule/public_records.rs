//! The public part of a log: what `rule` needs of it besides the table.

use crate::shared::paths;
use canasta_engine::log::record::{ActionRecord, Genesis};
use canasta_engine::log::{LogError, Record};
use std::io::{self, Read};

/// Maximum number of actions after the record that are followed.
pub const LATER_MAX: usize = 512;

/// Everything of a log that needs no cards.
#[derive(Default)]
pub struct PublicRecords {
    pub genesis: Option<Genesis>,
    pub record: Option<Record>,
    pub step: u64,
    pub last: Option<u64>,
    pub is_over: bool,
    pub later: Vec<ActionRecord>,
    pub fault: Option<LogError>,
}

impl PublicRecords {
    /// Reads a log; `at` is the number of the record.
    pub fn read(source: impl Read, at: u64) -> io::Result<Self> {
        let mut public = Self::default();
        public.fault = paths::frames(source, &mut |frame| {
            public.last = Some(frame.n);
            public.record(frame.record()?, at);
            Ok(true)
        })?;
        Ok(public)
    }

    fn record(&mut self, record: Record, at: u64) {
        self.is_over |= matches!(record, Record::GameEnd(_));
        match &record {
            Record::Genesis(genesis) => self.genesis = Some((**genesis).clone()),
            Record::Action(_) if self.last < Some(at) => self.step += 1,
            Record::Action(record) if self.last > Some(at) && self.later.len() <= LATER_MAX => {
                self.later.push((**record).clone());
            }
            _ => {}
        }
        if self.last == Some(at) {
            self.record = Some(record);
        }
    }
}
