//! `keygen`: a new key to sign checkpoints with.

use crate::io::{Exit, Io};
use crate::note::Signer;
use anyhow::Context;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The arguments of `keygen`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The key's name, for example your tournament's domain; 1 to 64 bytes without blanks and plus signs
    #[arg(value_name = "NAME")]
    name: String,
    /// The file of the private key; never written over
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

const EXAMPLES: &str = "\
The private key goes to FILE, which only you can read; the public key is printed: publish it, auditors give it to
audit --key. Whoever has FILE can sign in your name.

Example:
  canasta-replay keygen open-2026.example -o table.key > table.pub";

/// Makes a key.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).ok().context("the system gave no random bytes")?;
    let signer = Signer::new(&args.name, &secret)?;
    write_private(&args.out, &signer.to_text()).with_context(|| args.out.display().to_string())?;
    writeln!(io.out, "{}", signer.verifier())?;
    Ok(Exit::Clean)
}

/// Makes a file that only its owner can read.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            std::io::Error::other("exists already; a private key is never written over")
        }
        _ => error,
    })?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// Reads a private key from a file that nobody else may read.
///
/// # Errors
/// If it cannot be read, others can read it, or it holds no key.
pub fn read_private(path: &Path) -> anyhow::Result<Signer> {
    let name = || path.display().to_string();
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(path).with_context(name)?);
        anyhow::ensure!(mode & 0o077 == 0, "{}: others can use this key: chmod 600 it first", name());
    }
    Signer::parse(&std::fs::read_to_string(path).with_context(name)?).with_context(name)
}
