//! The public part of a log: what `rule` needs of it besides the table.

use canasta_engine::log::record::{ActionRecord, Genesis};
use canasta_engine::log::{LogError, Reader, Record};

/// Maximum number of actions after the record that are followed.
pub const LATER_MAX: usize = 512;

/// Everything of a log that needs no cards.
#[derive(Default)]
pub struct PublicRecords {
    pub reader: Reader,
    pub genesis: Option<Genesis>,
    pub record: Option<Record>,
    pub step: u64,
    pub last: Option<u64>,
    pub is_over: bool,
    pub later: Vec<ActionRecord>,
    pub fault: Option<LogError>,
}

impl PublicRecords {
    /// Reads a piece of the log; `at` is the number of the record. Returns `false` where reading ends.
    pub fn take(&mut self, mut piece: &[u8], at: u64) -> bool {
        loop {
            let record = match self.reader.next(&mut piece) {
                Ok(None) => return true,
                Ok(Some(frame)) => {
                    self.last = Some(frame.n);
                    frame.record()
                }
                Err(error) => Err(error),
            };
            match record {
                Ok(record) => self.record(record, at),
                Err(error) => {
                    self.fault = Some(error);
                    return false;
                }
            }
        }
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
