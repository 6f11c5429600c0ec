//! `witness`: cosigns checkpoints of tournaments that only grow.

use crate::shared::io::{Exit, Io};
use crate::shared::text::{entries, parse_key};
use crate::tournament::http::{self, TEXT};
use anyhow::{Context, ensure};
use canasta_tournament::checkpoint::check_origin;
use canasta_tournament::files::Directory;
use canasta_tournament::key_file;
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::site;
use canasta_tournament::witness::{REQUEST_MAX, WatchedTree, Witness, WitnessReply, WitnessRequest};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `witness`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The published directory of a tournament: cosign its checkpoint, and print the signature line
    #[arg(value_name = "SITE", required_unless_present = "listen", conflicts_with = "listen")]
    site: Option<PathBuf>,
    /// Answer requests on this address, as C2SP tlog-witness describes
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// The last checkpoint that was cosigned of each tournament; the file is created if it does not exist. Never lose it,
    /// and never restore an old copy
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The file of the private key, as keygen --witness writes it
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The public key of a tournament that is watched. May be given several times
    #[arg(long, value_name = "KEY", required = true, value_parser = parse_key)]
    log: Vec<NoteVerifier>,
    /// The name of the tournament [default: the name of its key]
    #[arg(long, value_name = "NAME")]
    origin: Option<String>,
}

const EXAMPLES: &str = "\
A witness signs a checkpoint only if its tree goes on from the last one that it signed. So an operator who shows \
two trees needs the witness's help. The signature has the time at which it was made. Directors, clubs and players \
can be witnesses; the policy of a tournament names their keys and how many must sign.

Exit codes: 0 cosigned; 1 not cosigned; 2 a file could not be read or written, or the address cannot be used.

Examples:
  canasta-replay witness site --state seen.json --key witness.key --log \"$(cat event.pub)\" >> site/checkpoint
  canasta-replay witness --listen 127.0.0.1:8123 --state seen.json --key witness.key --log \"$(cat event.pub)\"";

/// Cosigns one checkpoint, or those of all requests.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    ensure!(args.origin.is_none() || args.log.len() == 1, "--origin needs exactly one --log");
    let tree = |key: &NoteVerifier| {
        let origin = args.origin.clone().unwrap_or_else(|| key.name().to_owned());
        check_origin(&origin).with_context(|| format!("--origin {origin:?}"))?;
        Ok(WatchedTree { origin, key: key.clone() })
    };
    let trees = args.log.iter().map(tree).collect::<anyhow::Result<_>>()?;
    let mut witness = Witness::open(key_file::read(&args.key)?, trees, &args.state)?;
    match (&args.site, &args.listen) {
        (_, Some(address)) => listen(address, witness, io),
        (site, None) => cosign_site(site.as_deref().context("expected SITE or --listen")?, &mut witness, io),
    }
}

/// Cosigns the checkpoint of a site, if all its tiles and leaves are there.
fn cosign_site(root: &Path, witness: &mut Witness, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let files = Directory::new(root);
    let mut faults = Vec::new();
    let site = site::load(&files, &mut faults).with_context(|| root.display().to_string())?;
    for fault in &faults {
        write!(io.err, "{}", crate::tournament::audit_tournament::fault_text(fault))?;
    }
    let Some(site) = site.filter(|_| faults.is_empty()) else { return Ok(Exit::Findings) };
    let (origin, size) = (&site.checkpoint.origin, site.checkpoint.size);
    let seen = witness.seen(origin);
    let old = seen.min(size);
    let request = WitnessRequest { old, proof: site.tree.consistency(old, size), note: site.note.clone() };
    let now = seconds((io.clock.now_ms)());
    let refused = match witness.add_checkpoint(request.to_text().as_bytes(), now) {
        WitnessReply::Cosigned(line) => {
            write!(io.out, "{line}")?;
            return Ok(Exit::Clean);
        }
        WitnessReply::Conflict(seen) if seen > size => {
            format!("ROLLED_BACK: {} were cosigned, the site has {size}", entries(seen))
        }
        WitnessReply::Conflict(_) | WitnessReply::Inconsistent => {
            format!("FORKED: the site does not go on from the {} that were cosigned", entries(seen))
        }
        WitnessReply::Unknown => format!("no --log is called {origin}"),
        WitnessReply::Unsigned => "the checkpoint is not signed by --log".into(),
        WitnessReply::Bad(what) => what.into(),
        WitnessReply::Failed(error) => anyhow::bail!(error),
    };
    io.finding(format_args!("not cosigned: {refused}"))
}

/// Answers requests until a signal ends the program.
fn listen(address: &str, mut witness: Witness, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let Io { out, clock, .. } = io;
    let listening = |at| {
        writeln!(out, "listening on {at}")?;
        out.flush()
    };
    http::serve(address, REQUEST_MAX, listening, |path, method, body| match (path, method) {
        ("/add-checkpoint", "POST") => to_http(witness.add_checkpoint(body, seconds((clock.now_ms)()))),
        ("/add-checkpoint", _) => (405, TEXT, "expected POST\n".into()),
        _ => (404, TEXT, "expected /add-checkpoint\n".into()),
    })?;
    Ok(Exit::Clean)
}

fn seconds(ms: i64) -> u64 {
    u64::try_from(ms / 1_000).unwrap_or(0)
}

/// Returns the status, type and content that the protocol has for a reply.
fn to_http(reply: WitnessReply) -> http::Reply {
    match reply {
        WitnessReply::Cosigned(line) => (200, TEXT, line),
        WitnessReply::Bad(what) => (400, TEXT, format!("{what}\n")),
        WitnessReply::Unknown => (404, TEXT, "this origin is not watched\n".into()),
        WitnessReply::Unsigned => (403, TEXT, "no signature by a key of this origin\n".into()),
        WitnessReply::Conflict(size) => (409, "text/x.tlog.size", format!("{size}\n")),
        WitnessReply::Inconsistent => {
            (422, TEXT, "the proof does not lead from the last checkpoint\n".into())
        }
        WitnessReply::Failed(_) => (500, TEXT, "the state could not be stored\n".into()),
    }
}
