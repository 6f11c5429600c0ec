//! A log and all that follows from it: the content of a page.

use super::html;
use super::watcher::{Happened, SceneWatcher};
use crate::audit::Audited;
use crate::audit::batch::{Demands, LogAudit};
use crate::audit::reserve::Outside;
use crate::io::{Io, Wrong};
use crate::paths;
use crate::record_context::no_game;
use crate::text::{PlayerNames, rules_of};
use crate::verify_deal::proof;
use crate::verify_deal::report::DealReport;
use anyhow::{anyhow, ensure};
use canasta_engine::log::audit::Expect;
use canasta_engine::log::record::Genesis;
use canasta_engine::log::{LogError, Reader, Record};
use canasta_engine::rules::Rules;
use canasta_engine::seat::Unit;
use canasta_tournament::beacon::BeaconChain;
use canasta_tournament::note::NoteVerifier;
use maud::Markup;

/// Maximum number of records that a page shows.
const RECORDS_MAX: usize = 200_000;

/// A game, as its log tells it.
pub struct ReportedGame {
    pub audited: Audited,
    pub genesis: Genesis,
    pub rules: Rules,
    /// The records whose framing, chain and coding are valid, by number.
    pub records: Vec<ReportedRecord>,
    /// The texts of the page, by number.
    pub texts: super::words::Texts,
    /// The proof of the deals.
    pub deals: DealReport,
    pub names: PlayerNames,
}

/// A record and its consequences.
pub struct ReportedRecord {
    pub record: Record,
    pub happened: Happened,
}

impl ReportedGame {
    /// Reads and audits a log.
    ///
    /// # Errors
    /// If the log cannot be read, holds no game that this version plays, or has too many records.
    pub fn read(path: &std::path::Path, keys: &[NoteVerifier], io: &mut Io<'_>) -> anyhow::Result<Self> {
        let (mut reading, mut watcher) = (LogReader::default(), SceneWatcher::default());
        let source = paths::open(path, io)?;
        let outside = Outside { keys, demanded: keys.len(), policy: None };
        let demands = Demands { outside, ..Demands::default() };
        let audit =
            LogAudit { expect: Expect { live: true, ..Expect::default() }, demands, ..LogAudit::default() };
        let audited = audit
            .run(path, source, &mut |piece| reading.take(piece), Some(&mut |step| watcher.watch(step)))
            .map_err(|failure| anyhow!("{}: {}", failure.path, failure.error))?;
        let name = path.display();
        ensure!(reading.records.len() <= RECORDS_MAX, "{name}: a page shows at most {RECORDS_MAX} records");
        let unplayed = || Wrong(format!("{name}: {}", no_game(&audited.report)));
        let genesis = audited.report.genesis.clone().ok_or_else(unplayed)?;
        let rules = rules_of(&genesis).ok_or_else(unplayed)?;
        let chains = vec![BeaconChain::quicknet()];
        let mut verifier = proof::DealVerifier::new(genesis.clone(), rules.clone(), chains);
        reading.records.iter().for_each(|record| verifier.take(record.clone()));
        let deals = verifier.report();
        let names = PlayerNames::of(&genesis).seated(&audited.report.seating, None);
        let (texts, mut found) = watcher.finish();
        let records = (0..).zip(reading.records).map(|(n, record)| {
            let happened = found.remove(&n).unwrap_or_default();
            ReportedRecord { record, happened }
        });
        let records = records.collect();
        Ok(Self { audited, genesis, rules, records, texts, deals, names })
    }

    /// Returns the names of the players of a side or seat.
    pub fn unit(&self, unit: Unit) -> Markup {
        html::rich(&self.placeholders().unit(unit), &self.names)
    }

    /// Returns the placeholders that stand for names in texts.
    pub fn placeholders(&self) -> PlayerNames {
        PlayerNames::placeholders(self.rules.set(), None)
    }

    /// Returns whether the log has the end of the game.
    pub fn is_over(&self) -> bool {
        self.records.iter().any(|told| matches!(told.record, Record::GameEnd(_)))
    }
}

/// A reader of records that runs beside the audit.
#[derive(Default)]
struct LogReader {
    reader: Reader,
    records: Vec<Record>,
    broken: bool,
}

impl LogReader {
    fn take(&mut self, mut piece: &[u8]) {
        while !self.broken && self.records.len() <= RECORDS_MAX {
            match self.next(&mut piece) {
                Ok(Some(record)) => self.records.push(record),
                Ok(None) => return,
                // The audit finds the same fault.
                Err(_) => self.broken = true,
            }
        }
    }

    fn next(&mut self, piece: &mut &[u8]) -> Result<Option<Record>, LogError> {
        self.reader.next(piece)?.map(|frame| frame.record()).transpose()
    }
}
