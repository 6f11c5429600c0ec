//! `verify-proof`: checks the proof of one game from its block of data alone.

use crate::auditing::audit::one_log::{Demands, LogAudit};
use crate::pages::link::proof_of;
use crate::pages::report::verifier_digest;
use crate::shared::io::{Exit, Io, OutputFormat, Wrong};
use crate::shared::json::present;
use crate::shared::output::OutputFile;
use crate::shared::paths;
use crate::shared::text::{count, entries, hex, list, number, parse_key, players};
use crate::tournament::audit_tournament::time_text;
use canasta_engine::log::audit::Expect;
use canasta_tournament::bundle::{BYTES_MAX, BundleReport, ProofBundle};
use canasta_tournament::cosign::WitnessKey;
use canasta_tournament::fault::{FaultKind, SiteFault};
use canasta_tournament::note::NoteVerifier;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `verify-proof`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The page that prove has written, or its block of data, or - for standard input; or a link with a proof
    #[arg(value_name = "FILE|LINK")]
    file: PathBuf,
    /// A public key, as keygen prints it, obtained from elsewhere than the file: it must have signed the checkpoint of
    /// the tree or the note. Without it, the keys of the file are taken. May be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<NoteVerifier>,
    /// The public key of a witness, as keygen --witness prints it, that must have cosigned the checkpoint. Without it,
    /// the keys of the file are taken. May be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_witness)]
    witness: Vec<WitnessKey>,
    /// Write the log of the proof to this file
    #[arg(short, long, value_name = "LOG")]
    output: Option<PathBuf>,
    /// Overwrite LOG if it exists; a file that is read is never written over
    #[arg(long, requires = "output")]
    force: bool,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Only the block of data of the page is read; the page's own script and texts are not. Of a link, the log and the proof \
are read: the log of a signed game has no signatures there, and its proof is of the result alone. The log is audited, its entry is \
followed to the signed checkpoint of the tree, and signatures, cosignatures and beacons are verified.

Exit codes: 0 the proof holds; 1 it does not, or the file is no proof; 2 a file could not be read or written.

Examples:
  canasta-replay verify-proof game.proof.html --key \"$(cat event.pub)\"
  canasta-replay verify-proof 'https://club.example/#g=...&p=...' --key \"$(cat event.pub)\"
  canasta-replay verify-proof game.proof.html -o game.clog && canasta-replay report game.clog -o game.html";

/// The name and version of the format for programs.
const FORMAT: &str = "canasta-verify-proof/1";

fn parse_witness(text: &str) -> Result<WitnessKey, String> {
    WitnessKey::parse(text).map_err(|error| format!("{error:#}"))
}

struct VerifiedProof {
    report: BundleReport,
    /// The facts that are not proven although nothing is wrong.
    left: Vec<String>,
}

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let linked = args.file.to_str().map(proof_of).transpose()?.flatten();
    let name = if linked.is_some() { "the link".into() } else { args.file.display().to_string() };
    let output =
        args.output.as_ref().map(|log| OutputFile::new(log, args.force, [&args.file])).transpose()?;
    let wrong = |error: anyhow::Error| Wrong(format!("{name}: {error:#}"));
    let bundle = if let Some(bundle) = linked {
        bundle
    } else {
        let bytes = paths::read(&args.file, BYTES_MAX, &mut io.input)?;
        let text = String::from_utf8(bytes).map_err(|_| Wrong(format!("{name}: not UTF-8 text")))?;
        ProofBundle::find(&text).map_err(wrong)?
    };
    let proof = verify(&bundle, args).map_err(wrong)?;
    if let Some(output) = output {
        output.write(&bundle.log, &mut io.out)?;
    }
    match args.format {
        OutputFormat::Text => write_text(&proof, &name, &mut io.out)?,
        OutputFormat::Json => io.write_value(&to_value(&proof))?,
    }
    Ok(Exit::clean_if(proof.report.holds()))
}

/// Checks everything in a proof with the keys of the arguments, or its own.
fn verify(bundle: &ProofBundle, args: &Args) -> anyhow::Result<VerifiedProof> {
    let mut keys = bundle.keys()?;
    let mut left = Vec::new();
    if args.key.is_empty() {
        left.push(match keys.keys.is_empty() {
            true => "who vouches for the log: the proof has no key".to_owned(),
            false => "whose keys these are: they stand in the proof; compare them with --key".to_owned(),
        });
    } else {
        keys.keys.clone_from(&args.key);
    }
    if !args.witness.is_empty() {
        keys.witnesses.clone_from(&args.witness);
    }
    let mut report = bundle.check(&keys);
    for key in &args.witness {
        if report.tree.cosigned_by.iter().all(|(name, _)| name != key.name()) {
            let detail = format!("{} has not cosigned the checkpoint", key.name());
            report.tree.faults.push(SiteFault::new(FaultKind::Witness, "the proof", detail));
        }
    }
    if bundle.tree.is_none() {
        left.push("that the game was published: the proof has no entry of a tree".to_owned());
    }
    // The audit knows what a log leaves unproven, and verifies beacons. Signatures are checked above.
    let note = bundle.log_note().and_then(|note| note.over).filter(|_| !report.note_signed_by.is_empty());
    let whole = note.filter(|(n, _)| n + 1 == report.log.records).map(|(_, head)| head);
    let published = report.tree.proven.as_ref().filter(|_| !report.tree.signed_by.is_empty());
    let head = published.map(|(_, entry)| entry.head).or(whole).filter(|_| bundle.full_head.is_none());
    left.extend(bundle.full_head.map(|head| {
        format!(
            "the moves: the proof is of the full log with the head {}, which has the signatures",
            hex(&head)
        )
    }));
    // This command takes no policy, and --key names keys of the tree: `names_players` stays unset.
    let demands = Demands { beacons: Some(&keys.chains), ..Demands::default() };
    let audit = LogAudit {
        expect: Expect { head, record: note, ..Expect::default() },
        demands,
        ..LogAudit::default()
    };
    let audited = audit.run(Path::new(paths::STDIN), &bundle.log[..], &mut |_| {}, None);
    let audited = audited.map_err(|failure| anyhow::anyhow!(failure.error))?;
    left.extend(audited.reservations);
    Ok(VerifiedProof { report: BundleReport { log: audited.report, ..report }, left })
}

fn write_text(proof: &VerifiedProof, name: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let report = &proof.report;
    let verdict = if report.holds() { "HOLDS" } else { "DOES NOT HOLD" };
    writeln!(out, "{}   {verdict}", name.escape_debug())?;
    if let Some(genesis) = &report.log.genesis {
        let (id, rules) = (hex(&genesis.game_id), genesis.rule_set_id.escape_debug());
        writeln!(out, "  game {id} · {rules} · {}", players(genesis).escape_debug())?;
    }
    let (records, rounds) = (count(report.log.records as i64, "record"), count(report.log.rounds, "round"));
    let totals = list(report.log.totals.iter().map(|&total| number(total)));
    writeln!(out, "  log: {records} · {rounds} · points {totals} · {}", report.log.verdict.name())?;
    if let (Some(checkpoint), Some((index, _))) = (&report.tree.checkpoint, &report.tree.proven) {
        let (size, origin) = (entries(checkpoint.size), checkpoint.origin.escape_debug());
        writeln!(out, "  tree: entry {index} of {size} of {origin}, root {}", hex(&checkpoint.root))?;
    }
    for name in &report.tree.signed_by {
        writeln!(out, "  tree signed by {name}")?;
    }
    for (name, n) in &report.note_signed_by {
        writeln!(out, "  record {n} signed by {name}")?;
    }
    for (name, time) in &report.tree.cosigned_by {
        writeln!(out, "  tree cosigned by {name} at {}", time_text(*time))?;
    }
    for finding in &report.log.findings {
        let (kind, record) = (finding.kind.name(), finding.record);
        writeln!(out, "  {kind} at record {record}: {}", finding.detail.escape_debug())?;
    }
    for fault in &report.tree.faults {
        writeln!(out, "  {}", fault.to_string().escape_debug())?;
    }
    for left in &proof.left {
        writeln!(out, "  not proven: {}", left.escape_debug())?;
    }
    writeln!(out, "  verifier of this version's pages: {}", verifier_digest())
}

fn to_value(proof: &VerifiedProof) -> Value {
    let report = &proof.report;
    let note_signed = report.note_signed_by.iter().map(|(name, n)| json!({"name": name, "record": n}));
    let cosigned = report.tree.cosigned_by.iter().map(|(name, time)| json!({"name": name, "time": time}));
    let tree = report.tree.checkpoint.as_ref().zip(report.tree.proven.as_ref());
    present(json!({
        "format": FORMAT,
        "holds": report.holds(),
        "records": report.log.records,
        "head": hex(&report.log.head),
        "verdict": report.log.verdict.name(),
        "findings": report.log.findings.len(),
        "tree_signed_by": report.tree.signed_by,
        "note_signed_by": note_signed.collect::<Value>(),
        "cosigned_by": cosigned.collect::<Value>(),
        "beacons": report.log.origins.beacons,
        "faults": report.tree.faults.iter().map(ToString::to_string).collect::<Value>(),
        "not_proven": proof.left,
        "verifier": verifier_digest(),
        "origin": tree.map(|(checkpoint, _)| &checkpoint.origin),
        "size": tree.map(|(checkpoint, _)| checkpoint.size),
        "root": tree.map(|(checkpoint, _)| hex(&checkpoint.root)),
        "index": tree.map(|(_, (index, _))| index),
        "entry": tree.map(|(_, (_, entry))| entry),
    }))
}
