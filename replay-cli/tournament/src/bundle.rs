//! The proof of one game in one block of data: the log, its entry in a tournament's tree, and what was signed over both.
//!
//! The block is JSON with one spelling, and stands in a page that checks it. docs/TOURNAMENT.md describes both.

use crate::audit::{TournamentReport, check_proof};
use crate::beacon::BeaconChain;
use crate::cosign::WitnessKey;
use crate::fault::{FaultKind, SiteFault};
use crate::games;
use crate::log_file::LogNote;
use crate::note::{NoteVerifier, Opened};
use crate::policy::WitnessPolicy;
use anyhow::{Context, ensure};
use canasta_engine::log::Head;
use canasta_engine::log::audit::{Auditor, Expect, Report};
use serde::{Deserialize, Serialize};

/// The name and version of the format.
const FORMAT: &str = "canasta-proof/1";
/// Maximum size of a page or a block, in bytes.
pub const BYTES_MAX: u64 = 64 << 20;
/// Maximum number of keys of each kind, and of chains.
const KEYS_MAX: usize = 64;
/// The beginning of the block in a page.
const OPENS: &str = "<script type=\"application/json\" id=\"proof\">";
/// The end of the block in a page. The block itself has no `<`.
const CLOSES: &str = "</script>";
/// The parts of a proof, in faults.
const LOG: &str = "the log";
const TREE: &str = "the proof";
const NOTE: &str = "the note";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofBundle {
    format: String,
    #[serde(with = "base64ed")]
    pub log: Vec<u8>,
    /// The proof that the log is in a tree, with a signed checkpoint and its cosignatures (C2SP tlog-proof).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// The signed checkpoint over a record of the log that stood beside the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The public keys that have signed the checkpoint or the note.
    pub keys: Vec<String>,
    /// The public keys of witnesses.
    pub witnesses: Vec<String>,
    /// The chains of the beacons in the log, each as drand's `/info`.
    pub beacons: Vec<String>,
    /// The head of the full log, if the log is from a link and has no signatures: then the proof is of the result alone.
    #[serde(skip)]
    pub full_head: Option<Head>,
}

/// The keys and chains with which a proof is checked.
#[derive(Default)]
pub struct BundleKeys {
    /// The keys that have signed the checkpoint, or the note where there is no tree.
    pub keys: Vec<NoteVerifier>,
    pub witnesses: Vec<WitnessKey>,
    pub chains: Vec<BeaconChain>,
}

/// The result of checking a proof.
pub struct BundleReport {
    pub log: Report,
    /// The proof that the log is in a tree, if there is one, and all faults except the log's findings.
    pub tree: TournamentReport,
    /// Names of the keys that have signed the note, and the number of the record that it signs.
    pub note_signed_by: Vec<(String, u64)>,
}

impl BundleReport {
    /// Whether there is no fault and no finding.
    pub fn holds(&self) -> bool {
        self.tree.faults.is_empty() && self.log.findings.is_empty()
    }
}

impl ProofBundle {
    /// Returns the proof of a log that nothing vouches for yet.
    pub fn new(log: Vec<u8>) -> Self {
        let none = Vec::new;
        Self {
            format: FORMAT.into(),
            log,
            tree: None,
            note: None,
            keys: none(),
            witnesses: none(),
            beacons: none(),
            full_head: None,
        }
    }

    /// Returns the block.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings are JSON").replace('<', "\\u003c")
    }

    /// Returns the block as an element of a page.
    pub fn to_element(&self) -> String {
        format!("{OPENS}{}{CLOSES}", self.to_json())
    }

    /// Parses a block in its one spelling.
    ///
    /// # Errors
    /// The reason why the text is no proof.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let proof: Self = serde_json::from_str(text).context("expected a proof as JSON")?;
        ensure!(proof.format == FORMAT, "expected the format {FORMAT}, found {:?}", proof.format);
        ensure!(proof.to_json() == text, "the JSON is not in its one spelling");
        for (list, what) in
            [(&proof.keys, "keys"), (&proof.witnesses, "witnesses"), (&proof.beacons, "beacons")]
        {
            let (most, found) = (KEYS_MAX, list.len());
            ensure!(found <= most, "{what}: expected at most {most}, found {found}");
        }
        Ok(proof)
    }

    /// Finds the block in a page, or takes the text for the block if it is no page.
    ///
    /// # Errors
    /// The reason why the text has no proof.
    pub fn find(text: &str) -> anyhow::Result<Self> {
        if text.starts_with('{') {
            return Self::parse(text.strip_suffix('\n').unwrap_or(text));
        }
        let mut found = text.split(OPENS).skip(1);
        let block =
            found.next().context("expected a page that `prove` has written: it has no block of data")?;
        ensure!(found.next().is_none(), "the page has two blocks of data");
        Self::parse(block.split_once(CLOSES).context("the block of data has no end")?.0)
    }

    /// Parses the keys and chains in the block.
    ///
    /// # Errors
    /// The first text that is none.
    pub fn keys(&self) -> anyhow::Result<BundleKeys> {
        Ok(BundleKeys {
            keys: self.keys.iter().map(|key| NoteVerifier::parse(key)).collect::<anyhow::Result<_>>()?,
            witnesses: self
                .witnesses
                .iter()
                .map(|key| WitnessKey::parse(key))
                .collect::<anyhow::Result<_>>()?,
            chains: self.beacons.iter().map(|info| BeaconChain::read(info)).collect::<anyhow::Result<_>>()?,
        })
    }

    /// Returns the note that stood beside the log.
    pub fn log_note(&self) -> Option<LogNote> {
        self.note.clone().map(LogNote::parse)
    }

    /// Audits the log, and checks the tree and the note with these keys. Each key must have signed one of the two.
    pub fn check(&self, keys: &BundleKeys) -> BundleReport {
        let note = self.log_note();
        let record = note.as_ref().and_then(|note| note.over);
        let mut auditor = Auditor::new(Expect { record, ..Expect::default() });
        auditor.feed(&self.log);
        let mut log = auditor.finish();
        log.head = self.full_head.unwrap_or(log.head);
        let witnesses = WitnessPolicy { keys: keys.witnesses.clone(), ..WitnessPolicy::default() };
        let tree = self.tree.as_ref().map(|text| check_proof(text, TREE, &[], &witnesses));
        let mut tree = tree.unwrap_or_default();
        if let Some((index, entry)) = &tree.proven {
            let differs = games::against(&log, LOG, entry).faults.into_iter();
            tree.faults.extend(differs.map(|fault| SiteFault { is_audited_log: false, ..fault.at(*index) }));
        }
        if note.as_ref().is_some_and(|note| !note.is_of(log.genesis.as_ref())) {
            tree.faults.push(SiteFault::new(FaultKind::Checkpoint, NOTE, "it is no checkpoint of this game"));
        }
        let mut report = BundleReport { log, tree, note_signed_by: Vec::new() };
        let tree_note = self.tree.as_deref().and_then(|text| text.split_once("\n\n"));
        for key in &keys.keys {
            report.check_signatures(key, tree_note.map(|(_, note)| note), note.as_ref());
        }
        report
    }
}

impl BundleReport {
    fn check_signatures(&mut self, key: &NoteVerifier, tree: Option<&str>, note: Option<&LogNote>) {
        let mut find = |file: &str, detail: String| {
            self.tree.faults.push(SiteFault::new(FaultKind::Signature, file, detail));
        };
        let opened = [(TREE, tree), (NOTE, note.map(|note| note.text.as_str()))]
            .map(|(file, text)| (file, text.map_or(Opened::Unsigned, |text| key.open(text))));
        for (file, _) in opened.iter().filter(|(_, opened)| *opened == Opened::Forged) {
            find(file, format!("the signature by {} does not verify", key.name()));
        }
        if opened.iter().all(|(_, opened)| *opened == Opened::Unsigned) {
            find(TREE, format!("{} has signed nothing in it", key.name()));
        }
        let name = || key.name().to_owned();
        let [(_, of_tree), (_, of_note)] = opened;
        self.tree.signed_by.extend((of_tree == Opened::Signed).then(name));
        let over = note.and_then(|note| note.over).filter(|_| of_note == Opened::Signed);
        self.note_signed_by.extend(over.map(|(n, _)| (name(), n)));
    }
}

mod base64ed {
    use base64ct::{Base64, Encoding};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&Base64::encode_string(bytes))
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<u8>, D::Error> {
        Base64::decode_vec(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}
