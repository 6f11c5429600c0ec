//! A log and all that follows from it: the content of a page.

use super::watcher::{RecordScene, SceneWatcher};
use crate::auditing::audit::Audited;
use crate::auditing::audit::one_log::{Demands, LogAudit};
use crate::auditing::audit::outside::Outside;
use crate::auditing::verify_deal::proof;
use crate::auditing::verify_deal::report::DealReport;
use crate::judging::record_context::no_game;
use crate::shared::html;
use crate::shared::io::{Io, Wrong};
use crate::shared::paths;
use crate::shared::text::{PlayerNames, rules_of};
use anyhow::{anyhow, ensure};
use canasta_engine::event::Event;
use canasta_engine::log::Record;
use canasta_engine::log::audit::Expect;
use canasta_engine::log::outcome::{Collector, Outcome};
use canasta_engine::log::record::Genesis;
use canasta_engine::rules::{RuleSet, Rules};
use canasta_engine::seat::Unit;
use canasta_engine::violations::template::Language;
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
    /// The language of sentences about the game.
    pub language: Language,
}

/// A record and its consequences.
pub struct ReportedRecord {
    /// The outcome of the record; empty if some of the cards only stand for unknown cards.
    pub outcome: Outcome,
    pub scene: RecordScene,
}

impl ReportedGame {
    /// Reads and audits a log.
    ///
    /// # Errors
    /// If the log cannot be read, holds no game that this version plays, or has too many records.
    pub fn read(path: &std::path::Path, keys: &[NoteVerifier], io: &mut Io<'_>) -> anyhow::Result<Self> {
        let (mut records, mut scenes) = (Vec::new(), SceneWatcher::default());
        let mut take = |outcome: Outcome| {
            if records.len() <= RECORDS_MAX {
                let outcome = shown(outcome);
                let scene = scenes.next(&outcome);
                let outcome = Outcome { before: None, after: None, ..outcome };
                records.push(ReportedRecord { outcome, scene });
            }
        };
        let mut collector = Collector::new(u64::MAX, |n| n <= RECORDS_MAX as u64);
        let source = paths::open(path, &mut io.input)?;
        let outside = Outside { keys, demanded: keys.len(), policy: None, names_players: true };
        let demands = Demands { outside, ..Demands::default() };
        let audit =
            LogAudit { expect: Expect { live: true, ..Expect::default() }, demands, ..LogAudit::default() };
        let audited = audit
            .run(path, source, &mut |_| (), Some(&mut collector.watch(&mut take)))
            .map_err(|failure| anyhow!("{}: {}", failure.path, failure.error))?;
        collector.settle(u64::MAX, &mut take);
        let name = path.display();
        ensure!(records.len() <= RECORDS_MAX, "{name}: a page shows at most {RECORDS_MAX} records");
        let unplayed = || Wrong(format!("{name}: {}", no_game(&audited.report)));
        let genesis = audited.report.genesis.clone().ok_or_else(unplayed)?;
        let rules = rules_of(&genesis).ok_or_else(unplayed)?;
        let chains = vec![BeaconChain::quicknet()];
        let mut verifier = proof::DealVerifier::new(genesis.clone(), rules.clone(), chains);
        records.iter().for_each(|told| verifier.read(&told.outcome.record));
        let deals = verifier.report();
        let language = io.language;
        let names = PlayerNames::of(&genesis).seated(&audited.report.seating, None).speaking(language);
        let texts = scenes.finish();
        Ok(Self { audited, genesis, rules, records, texts, deals, names, language })
    }

    /// Returns the names of the players of a side or seat.
    pub fn unit(&self, unit: Unit) -> Markup {
        html::rich(&self.placeholders().unit(unit), &self.names)
    }

    /// Returns the placeholders that stand for names in texts.
    pub fn placeholders(&self) -> PlayerNames {
        PlayerNames::placeholders(self.rules.set(), None).speaking(self.language)
    }

    /// Returns whether the log has the end of the game.
    pub fn is_over(&self) -> bool {
        self.records.iter().any(|told| matches!(told.record(), Record::GameEnd(_)))
    }
}

/// Returns what the page shows of an outcome: cards of a transcript may only stand for unknown cards, so none of them.
fn shown(outcome: Outcome) -> Outcome {
    match outcome.as_known {
        true => Outcome::new(outcome.place, outcome.record, outcome.part),
        false => outcome,
    }
}

impl ReportedRecord {
    /// Returns placeholders for the names of this moment, with the melds on the table after the record.
    pub fn names(&self, set: &RuleSet, language: Language) -> PlayerNames {
        let names = PlayerNames::placeholders(set, self.scene.lone).speaking(language);
        names.with_melds(self.scene.melds.clone())
    }

    pub fn record(&self) -> &Record {
        &self.outcome.record
    }

    /// Whether the record was executed, or refused as declared.
    pub fn is_executed(&self) -> bool {
        let Outcome { events, refused, is_booked, .. } = &self.outcome;
        events.is_some() || refused.is_some() || *is_booked
    }

    /// Returns the events of the record, if it was executed.
    pub fn events(&self) -> &[Event] {
        self.outcome.events.as_deref().unwrap_or_default()
    }
}
