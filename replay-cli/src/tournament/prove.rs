//! `prove`: writes the proof of one game as a page that checks itself in a browser.

use crate::auditing::verify_deal::chain_text;
use crate::pages::report::{page, verifier_digest};
use crate::shared::io::{Exit, Io, Wrong};
use crate::shared::output::OutputFile;
use crate::shared::paths;
use crate::shared::text::parse_key;
use anyhow::Context;
use canasta_engine::log::{Chain, Reader};
use canasta_tournament::bundle::{BYTES_MAX, ProofBundle};
use canasta_tournament::entry::GameEntry;
use canasta_tournament::files::{Directory, SiteFiles, read_bounded, read_text_if_there};
use canasta_tournament::log_file::LogNote;
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::proof::{self, InclusionProof};
use canasta_tournament::site::{self, Leaves};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Maximum size of a log, in bytes: in base64 it fits into a page.
const LOG_MAX: u64 = BYTES_MAX / 2;

/// The arguments of `prove`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log of the game
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The published directory that has the game; without it, the proof beside the log (*.tlog-proof) is taken
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
    /// A public key, as keygen prints it, that has signed the checkpoint of the tree or the note beside the log. May be
    /// given several times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<NoteVerifier>,
    /// The promises of the tournament (TOML, docs/TOURNAMENT.md), of which the keys and the witnesses are taken
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// The JSON of drand's /info about the chain of a beacon in the log. May be given several times
    #[arg(long, value_name = "FILE")]
    beacon_info: Vec<PathBuf>,
    /// The page to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite FILE if it exists; a file that is read is never written over
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
The page is that of `report`, opened at its tab Proof. It has the log, the proof of its entry in the tree, the signed \
checkpoint with its cosignatures, the keys, and the chains of beacons as one block of data; it checks chain, tree and \
signatures, and audits the game. It does not check beacons: verify-proof does.

A page cannot vouch for itself: whoever wrote it could have written another script. It shows the digest of its \
script and engine, which is the same for all pages of this version; check with a program that you have from elsewhere.

Exit codes: 0 written; 1 nothing written: the log has findings, or the proof does not hold; 2 a file could not be \
read or written.

Examples:
  canasta-replay prove my-table.clog --site site --key \"$(cat event.pub)\" -o game.proof.html
  canasta-replay verify-proof game.proof.html --key \"$(cat event.pub)\"";

/// Collects the proof, checks it, and writes the page.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = || args.log.display().to_string();
    paths::named_file(&args.log, "the proof and the note stand beside the log")?;
    let others = args.site.iter().chain(&args.policy).chain(&args.beacon_info);
    let output = OutputFile::new(&args.output, args.force, others.chain([&args.log]))?;
    let mut bundle = ProofBundle::new(read_bounded(&args.log, LOG_MAX)?);
    bundle.note = LogNote::read(&args.log)?.map(|note| note.text);
    let policy = TournamentPolicy::named(args.policy.as_deref())?;
    let keys = crate::auditing::audit::keys(&args.key, policy.as_ref());
    bundle.keys = keys.iter().map(ToString::to_string).collect();
    if let Some(policy) = &policy {
        bundle.witnesses = policy.witnesses.keys.iter().map(ToString::to_string).collect();
    }
    for file in &args.beacon_info {
        bundle.beacons.push(chain_text(file, io)?);
    }
    bundle.tree = match &args.site {
        Some(site) => Some(from_site(site, &bundle.log).with_context(|| site.display().to_string())?),
        None => read_text_if_there(&args.log.with_extension(proof::EXTENSION), proof::BYTES_MAX)?,
    };
    let report = bundle.check(&bundle.keys()?);
    if let Some(finding) = report.log.findings.first() {
        let (kind, record) = (finding.kind.name(), finding.record);
        return Err(Wrong(format!("{}: {kind} at record {record}: nothing is proven of it", name())).into());
    }
    if let Some(fault) = report.tree.faults.first() {
        return Err(Wrong(format!("{}: {fault}", name())).into());
    }
    output.write(page(&report.log, io.language, &bundle.to_element()).as_bytes(), &mut io.out)?;
    if output.is_stdout() {
        return Ok(Exit::Clean);
    }
    let what = match (&report.tree.proven, &report.note_signed_by[..]) {
        (Some((index, _)), _) => format!("entry {index} of the tree"),
        (None, [_, ..]) => "chain and note".into(),
        (None, []) => "the chain alone: nobody vouches for the log".into(),
    };
    writeln!(io.out, "proven: {what} · verifier {}", verifier_digest())?;
    Ok(Exit::Clean)
}

/// Returns the proof of the log's entry in a published tree.
fn from_site(root: &Path, mut log: &[u8]) -> anyhow::Result<String> {
    let mut faults = Vec::new();
    let files = Directory::new(root);
    let site = site::load(&files, &mut faults)?;
    if let Some(fault) = faults.first() {
        return Err(Wrong(fault.to_string()).into());
    }
    let site = site.context("the site has no checkpoint")?;
    // Where the log is broken, its good records are looked for: the audit names the fault.
    let mut reader = Reader::new();
    while let Ok(Some(_)) = reader.next(&mut log) {}
    let Chain { next, head } = reader.chain();
    let is_of_log = |entry: &GameEntry| (entry.records, entry.head) == (next, head);
    let leaves = Leaves { site: &site, files: &|path, most| files.read(path, most), news: &[] };
    let mut found = None;
    for entry in leaves.games() {
        found = Some(entry?).filter(|(_, entry)| is_of_log(entry)).or(found);
    }
    let Some((index, entry)) = found else {
        return Err(Wrong("the tree has no entry of this log as it is".into()).into());
    };
    let path = site.tree.inclusion(index, site.checkpoint.size);
    Ok(InclusionProof { leaf: entry.to_bytes(), index, path, note: site.note.clone() }.to_text())
}
