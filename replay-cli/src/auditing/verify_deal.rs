//! `verify-deal`: verifies step by step that the deals of a log were fixed before anybody could know them.

use crate::shared::io::{Exit, Io, OutputFormat, Wrong};
use crate::shared::paths;
use crate::shared::text::rules_of;
use anyhow::Context as _;
use canasta_engine::log::Record;
use canasta_tournament::beacon::BeaconChain;
use proof::DealVerifier;
use report::DealReport;
use seats::OwnValue;
use std::io::Read as _;
use std::path::{Path, PathBuf};

pub(crate) mod proof;
pub(crate) mod report;
mod seats;

/// Maximum size of a file about a beacon, in bytes.
const CHAIN_MAX: u64 = 64 * 1024;

/// The arguments of `verify-deal`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Also print the walls, in dealing order
    #[arg(long)]
    walls: bool,
    /// The JSON of drand's /info about the chain of a beacon; quicknet is known without it. May be given
    /// several times
    #[arg(long, value_name = "FILE")]
    beacon_info: Vec<PathBuf>,
    /// A value that you contributed, as the number of your seat (from 0) and 64 hex digits: says whether your values
    /// went into every deal. Once per deal
    #[arg(long, value_name = "SEAT:VALUE", value_parser = OwnValue::parse)]
    mine: Vec<OwnValue>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Shows for every deal what was committed to before the first card, what was contributed and revealed \
afterwards, and the wall that follows. The input width is the number of random bits that went into a \
wall; if it is at least the number of bits that the orders of the pack need, every order is possible. The \
signature of a beacon is verified with the key of its chain, which the hash of the chain in the log \
covers. docs/DEALING.md says how to compute the same in any language.

Exit codes: 0 everything that is revealed holds; 1 something does not hold; 2 the log could not be read.

Example:
  canasta-replay verify-deal table-0417.clog
  canasta-replay verify-deal table-0417.clog --mine 2:51...0c --mine 2:e7...44";

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = || args.log.display().to_string();
    let chains = chains(&args.beacon_info, io)?;
    let mut deals = DealReading::new(chains);
    let source = paths::open(&args.log, &mut io.input)?;
    let fault = paths::frames(source, &mut |frame| {
        deals.read(&frame.record()?);
        Ok(true)
    });
    let fault = fault.with_context(name)?;
    let Some(verifier) = deals.verifier else {
        return match fault {
            Some(error) => io.finding(format_args!("{}: {error}", name())),
            None => Err(Wrong(format!("{}: the log has no record", name())).into()),
        };
    };
    let Ok(verifier) = verifier else {
        return Err(Wrong(format!("{}: this version does not play its rule set", name())).into());
    };
    let report = verifier.report_for(&args.mine);
    match args.format {
        OutputFormat::Text => report.write(args.walls, &mut io.out)?,
        OutputFormat::Json => io.write_value(&report.value(args.walls))?,
    }
    if let Some(error) = &fault {
        io.remark(format_args!("{}: {error}; what comes before it was verified", name()))?;
    }
    Ok(Exit::clean_if(fault.is_none() && !report.fails()))
}

/// Returns the known chains. A file need not be trusted: the hash of the chain covers its content.
fn chains(files: &[PathBuf], io: &mut Io<'_>) -> anyhow::Result<Vec<BeaconChain>> {
    let mut chains = vec![BeaconChain::quicknet()];
    for file in files {
        let text = chain_text(file, io)?;
        chains.push(BeaconChain::read(&text).with_context(|| file.display().to_string())?);
    }
    Ok(chains)
}

/// Reads the information about a chain.
pub(crate) fn chain_text(file: &Path, io: &mut Io<'_>) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = paths::open(file, &mut io.input)?.take(CHAIN_MAX).read_to_string(&mut text);
    read.with_context(|| file.display().to_string())?;
    Ok(text)
}

/// The verifier, once the genesis record has been read; an error if its rules are not played.
type Opened = Option<Result<DealVerifier, ()>>;

/// The deals of a log whose records are read one after the other.
pub(crate) struct DealReading {
    chains: Vec<BeaconChain>,
    verifier: Opened,
}

impl DealReading {
    /// Returns a reading at the beginning of a log.
    pub(crate) fn new(chains: Vec<BeaconChain>) -> Self {
        Self { chains, verifier: None }
    }

    pub(crate) fn read(&mut self, record: &Record) {
        match (&mut self.verifier, record) {
            (verifier @ None, Record::Genesis(genesis)) => {
                let rules = rules_of(genesis).ok_or(());
                let chains = std::mem::take(&mut self.chains);
                *verifier = Some(rules.map(|rules| DealVerifier::new((**genesis).clone(), rules, chains)));
            }
            (Some(Ok(verifier)), record) => verifier.read(record),
            _ => {}
        }
    }

    /// Returns the result of all checks; `None` if the log has no game that is played.
    pub(crate) fn report(self) -> Option<DealReport> {
        self.verifier?.ok().map(DealVerifier::report)
    }
}
