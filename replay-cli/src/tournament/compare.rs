//! `compare`: says of two checkpoints of one tournament whether they are equal, one begins the other, or they fork.

use crate::shared::io::{Exit, Io};
use crate::shared::text::{entries, parse_key};
use anyhow::{Context, bail};
use canasta_tournament::compare::{Compared, TreeRelation};
use canasta_tournament::note::{NoteVerifier, Opened};
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `compare`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A checkpoint, a proof (*.tlog-proof) or a published directory
    #[arg(value_name = "A")]
    first: PathBuf,
    /// Another
    #[arg(value_name = "B")]
    second: PathBuf,
    /// The public key of the tournament: it must have signed both. May be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<NoteVerifier>,
}

const EXAMPLES: &str = "\
Two checkpoints of the same size are equal, or they are a fork at once. Whether one of another size begins the \
other, only a published directory can show: give the larger one as a directory. Two signed checkpoints that fork are \
proof against the operator.

Exit codes: 0 equal, or one begins the other; 1 a fork, another tournament, or a missing signature; 2 a file could \
not be read, or the sizes differ and the larger one is no directory.

Examples:
  canasta-replay compare my.checkpoint yours.checkpoint
  canasta-replay compare my-table.tlog-proof site --key \"$(cat event.pub)\"";

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (first, second) = (Compared::read(&args.first)?, Compared::read(&args.second)?);
    let mut exit = Exit::Clean;
    for (compared, path) in [(&first, &args.first), (&second, &args.second)] {
        for key in args.key.iter().filter(|key| key.open(&compared.note) != Opened::Signed) {
            writeln!(io.out, "not signed by {}: {}", key.name(), path.display())?;
            exit = Exit::Findings;
        }
    }
    let (here, there) = (&first.checkpoint, &second.checkpoint);
    let (fewer, more) = (here.size.min(there.size), here.size.max(there.size));
    let relation = first.relation(&second).context("a site does not hold: audit-tournament says more")?;
    if matches!(relation, TreeRelation::OtherTree | TreeRelation::Fork) {
        exit = Exit::Findings;
    }
    let said = match relation {
        TreeRelation::OtherTree => format!("other tournaments: {} and {}", here.origin, there.origin),
        TreeRelation::Equal => format!("equal: {}", entries(here.size)),
        TreeRelation::Prefix => format!("prefix: {} begin {}", entries(fewer), entries(more)),
        TreeRelation::Fork => {
            format!("FORK: {} and {}, and no tree has both", entries(here.size), entries(there.size))
        }
        TreeRelation::Unknown => bail!(
            "{} and {}: only the published directory of the larger tree shows whether it begins with the other",
            entries(here.size),
            entries(there.size)
        ),
    };
    writeln!(io.out, "{said}")?;
    Ok(exit)
}
