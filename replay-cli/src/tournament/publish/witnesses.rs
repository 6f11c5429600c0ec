//! The witnesses that are asked to cosign a new checkpoint.

use crate::shared::io::in_words;
use crate::tournament::http;
use anyhow::{Context, bail, ensure};
use canasta_tournament::cosign::{Cosigned, WitnessKey};
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::site::Site;
use canasta_tournament::witness::WitnessRequest;
use std::path::PathBuf;
use std::time::Duration;

/// Maximum time that all witnesses together may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum size of the answer of a witness, in bytes.
const ANSWER_MAX: usize = 1 << 14;

/// The arguments of `publish` about witnesses.
#[derive(clap::Args, Debug)]
#[group(id = "witnessing", multiple = true)]
pub struct WitnessArgs {
    /// Ask the witness at this address to cosign every checkpoint; all witnesses together take at most 5 s.
    /// May be given several times
    #[arg(long, value_name = "URL", requires = "policy")]
    witness: Vec<http::HttpAddress>,
    /// The policy of the tournament: its keys of witnesses count, and what breaks its promises is refused
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

/// The addresses of the witnesses to ask for cosignatures, and the public keys whose cosignatures are accepted.
#[derive(Clone)]
pub struct AskedWitnesses {
    addresses: Vec<http::HttpAddress>,
    keys: Vec<WitnessKey>,
}

impl WitnessArgs {
    pub fn policy(&self) -> anyhow::Result<Option<TournamentPolicy>> {
        TournamentPolicy::named(self.policy.as_deref())
    }

    /// Returns the witnesses, with their keys of the policy.
    pub fn open(&self, policy: Option<&TournamentPolicy>) -> AskedWitnesses {
        let keys = policy.iter().flat_map(|policy| policy.witnesses.keys.iter().cloned());
        AskedWitnesses { addresses: self.witness.clone(), keys: keys.collect() }
    }
}

impl AskedWitnesses {
    /// Asks all witnesses at once. Returns the lines of those that signed, and who did not and why.
    pub fn ask(&self, site: &Site, old: u64) -> (Vec<String>, Vec<String>) {
        let (mut lines, mut failures) = (Vec::new(), Vec::new());
        if self.addresses.is_empty() {
            return (lines, failures);
        }
        // A question that takes too long goes on in its thread, with a copy of its own.
        let (own, site) = (self.clone(), site.clone());
        let ask = move |address: &http::HttpAddress| own.ask_one(address, &site, old);
        let asked = http::together(PATIENCE, &self.addresses, ask);
        for (address, answer) in self.addresses.iter().zip(asked) {
            match answer {
                Ok(line) => lines.push(line),
                Err(error) => failures.push(format!("{address}: {}", in_words(&error))),
            }
        }
        (lines, failures)
    }

    /// Asks one witness; once more if it has seen another size than the last one published.
    fn ask_one(&self, address: &http::HttpAddress, site: &Site, old: u64) -> anyhow::Result<String> {
        let (origin, size) = (&site.checkpoint.origin, site.checkpoint.size);
        let answer = self.send(address, site, old)?;
        let answer = match (answer.status, seen(&answer)) {
            (409, Some(seen)) if seen <= size && seen != old => self.send(address, site, seen)?,
            _ => answer,
        };
        match answer.status {
            200 => self.lines(site, &answer.body),
            404 => bail!("it does not watch {origin}"),
            403 => bail!("it knows another key of {origin}"),
            409 => match seen(&answer) {
                Some(seen) if seen > size => bail!("it has seen {seen} entries: the site is older than that"),
                _ => bail!("it has seen another tree of this size: one of the two is a fork"),
            },
            422 => bail!("this tree does not go on from the one that it has seen: one of the two is a fork"),
            status => bail!("it answered with status {status}"),
        }
    }

    fn send(&self, address: &http::HttpAddress, site: &Site, old: u64) -> anyhow::Result<http::HttpAnswer> {
        let proof = site.tree.consistency(old, site.checkpoint.size);
        let request = WitnessRequest { old, proof, note: site.note.clone() };
        // Longer than anybody waits for the answer: the one who asks says that none came.
        let client = http::client(2 * PATIENCE);
        http::post(&client, &format!("{address}/add-checkpoint"), &[], &request.to_text(), ANSWER_MAX)
    }

    /// Returns the lines of an answer that a known key signed under the checkpoint.
    fn lines(&self, site: &Site, body: &[u8]) -> anyhow::Result<String> {
        let text = std::str::from_utf8(body).context("its answer is not text")?;
        let is_known = |line: &&str| {
            let note = format!("{}\n{line}", site.checkpoint.body());
            line.ends_with('\n') && self.keys.iter().any(|key| matches!(key.open(&note), Cosigned::At(_)))
        };
        let known: String = text.split_inclusive('\n').filter(is_known).collect();
        ensure!(!known.is_empty(), "its answer has no signature by a key of the policy");
        Ok(known)
    }
}

/// Returns the size that a witness says it has seen.
fn seen(answer: &http::HttpAnswer) -> Option<u64> {
    std::str::from_utf8(&answer.body).ok()?.strip_suffix('\n')?.parse().ok()
}
