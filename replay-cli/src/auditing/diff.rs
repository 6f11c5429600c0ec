//! `diff`: compares two copies of a log.

pub(crate) mod copy;

use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::json::{branch, present, some};
use crate::shared::paths;
use crate::shared::text::{PlayerNames, count, hex, number, parse_key};
use anyhow::bail;
use canasta_engine::log::{Chain, Record};
use canasta_engine::seat::Seat;
use canasta_tournament::note::NoteVerifier;
use copy::{CopyRecord, LogCopy};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// The arguments of `diff`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The first copy; one of the two may be - for standard input
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second copy
    #[arg(value_name = "B")]
    b: PathBuf,
    /// A public key, as keygen prints it: what it signed of each copy, in the log or in LOG.note, is shown
    /// and proves a fork. May be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    key: Vec<NoteVerifier>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Compares two copies record by record. Either they are equal, or one continues where the other ends, or \
they fork: two records follow the same head, or one game begins in two ways, which an honest writer never produces. \
A branch (what-if --play -o) is named as one. A fork is proven if a \
key has signed a checkpoint after the fork in each copy, or if a player has signed both records.

Exit codes: 0 the copies are equal; 1 they differ, or one is damaged; 2 one could not be read.

Examples:
  canasta-replay diff ours.clog theirs.clog
  canasta-replay diff ours.clog theirs.clog --key \"$(cat referee.pub)\"";

#[derive(PartialEq, Eq, Debug)]
enum CopyRelation {
    Same,
    /// One copy has more records than the other.
    Extends {
        longer: usize,
        more: u64,
    },
    /// The copies differ from a record on.
    Fork,
    /// A copy is damaged, so that nothing can be said about what follows.
    Damaged,
}

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (a, b, keys) = (&args.a, &args.b, &args.key);
    let mut copies = match [a, b].map(|path| paths::is_stdin(path)) {
        [true, true] => bail!("standard input can be read only once, found - twice"),
        [true, false] => [LogCopy::of(a, Box::new(&mut io.input), keys)?, LogCopy::open(b, keys)?],
        [false, true] => [LogCopy::open(a, keys)?, LogCopy::of(b, Box::new(&mut io.input), keys)?],
        [false, false] => [LogCopy::open(a, keys)?, LogCopy::open(b, keys)?],
    };
    let mut common = Chain::START;
    let (relation, entries) = loop {
        let entries = [copies[0].next()?, copies[1].next()?];
        if copies.iter().any(|copy| copy.fault.is_some()) {
            break (CopyRelation::Damaged, entries);
        }
        match &entries {
            [None, None] => break (CopyRelation::Same, entries),
            [Some(a), Some(b)] if a == b => common = Chain { next: a.n + 1, head: a.head },
            [Some(_), Some(_)] => {
                // Later checkpoints still count; damage there does not undo the fork.
                for copy in &mut copies {
                    copy.count_rest()?;
                }
                break (CopyRelation::Fork, entries);
            }
            [a, _] => {
                let longer = usize::from(a.is_none());
                let more = 1 + copies[longer].count_rest()?;
                let damaged = copies[longer].fault.is_some();
                break (
                    if damaged { CopyRelation::Damaged } else { CopyRelation::Extends { longer, more } },
                    entries,
                );
            }
        }
    };
    let proofs = match relation {
        CopyRelation::Fork if common.next > 0 => proofs(&copies, common, &entries, &args.key),
        _ => Vec::new(),
    };
    let found = CopyComparison { copies: &copies, keys: &args.key, relation, common, entries, proofs };
    match args.format {
        OutputFormat::Text => write_text(&found, &mut io.out)?,
        OutputFormat::Json => writeln!(io.out, "{}", value(&found))?,
    }
    Ok(Exit::clean_if(found.relation == CopyRelation::Same))
}

/// The result of comparing two copies.
struct CopyComparison<'c> {
    copies: &'c [LogCopy<'c>; 2],
    keys: &'c [NoteVerifier],
    relation: CopyRelation,
    common: Chain,
    /// The first records that differ.
    entries: [Option<CopyRecord>; 2],
    proofs: Vec<ForkProof>,
}

impl CopyComparison<'_> {
    /// Returns the id and the differing parts of two first records of one game; `None` if they are of two games, or one
    /// is that of a branch.
    fn beginnings(&self) -> Option<(&[u8; 16], Vec<&'static str>)> {
        let [a, b] = self.copies.each_ref().map(|copy| copy.genesis.as_ref());
        let (a, b) = (a?, b?);
        let parts = [
            ("rule-set names", (&a.rule_set_id, &a.base) != (&b.rule_set_id, &b.base)),
            ("players", a.players != b.players),
            ("deals", (a.mode, a.registration, a.commitment) != (b.mode, b.registration, b.commitment)),
            ("time", a.started_at_ms != b.started_at_ms),
            ("versions", (&a.engine, a.penalties) != (&b.engine, b.penalties)),
            ("director", a.director != b.director),
        ];
        let parts = parts.into_iter().filter_map(|(part, differs)| differs.then_some(part)).collect();
        ((a.game_id, &a.rule_set, a.fork_of) == (b.game_id, &b.rule_set, b.fork_of))
            .then_some((&a.game_id, parts))
    }
}

/// The reason why nobody can deny a fork.
enum ForkProof {
    /// Each copy has a checkpoint over a record at or after the fork: index of the key and number of the
    /// record.
    Checkpoints([(usize, u64); 2]),
    Player(String),
}

fn proofs(
    copies: &[LogCopy<'_>; 2],
    common: Chain,
    entries: &[Option<CopyRecord>; 2],
    keys: &[NoteVerifier],
) -> Vec<ForkProof> {
    let beyond = |copy: &LogCopy<'_>, key: usize| copy.signed[key].filter(|&n| n >= common.next);
    let any = |copy: &LogCopy<'_>| (0..keys.len()).find_map(|key| Some((key, beyond(copy, key)?)));
    // The strongest proof is one key that signed both copies.
    let by_one = (0..keys.len())
        .find_map(|key| Some([(key, beyond(&copies[0], key)?), (key, beyond(&copies[1], key)?)]));
    let checkpoints = by_one.or_else(|| Some([any(&copies[0])?, any(&copies[1])?]));
    let signer = |at: usize| copies[at].signer(entries[at].as_ref()?);
    let player = signer(0).filter(|&player| signer(1) == Some(player)).and_then(|player| {
        let names = copies[0].names()?;
        Some(names.seat(Seat(player as u8)))
    });
    checkpoints.map(ForkProof::Checkpoints).into_iter().chain(player.map(ForkProof::Player)).collect()
}

fn write_text(found: &CopyComparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let CopyComparison { copies, relation, common, entries, .. } = found;
    let name = |at: usize| copies[at].path.display();
    match relation {
        CopyRelation::Same => writeln!(out, "the same: {}", count(common.next as i64, "record"))?,
        CopyRelation::Extends { longer, more } => {
            writeln!(
                out,
                "{} goes on where {} ends: {} more",
                name(*longer),
                name(1 - longer),
                number(*more)
            )?;
        }
        CopyRelation::Fork if common.next == 0 => match found.beginnings() {
            None => writeln!(out, "logs of two games: record 0 differs")?,
            Some((id, parts)) => {
                writeln!(
                    out,
                    "a fork: game {} begins in two ways, with {} that differ",
                    hex(id),
                    parts.join(", ")
                )?;
            }
        },
        CopyRelation::Fork => writeln!(out, "a fork: two records {} follow one head", common.next)?,
        CopyRelation::Damaged => writeln!(out, "damaged: nothing is compared from there on")?,
    }
    if common.next > 0 {
        writeln!(out, "  in common: records 0 to {}, head {}", common.next - 1, hex(&common.head))?;
    }
    for at in 0..2 {
        if let Some(fork) = copies[at].genesis.as_ref().and_then(|genesis| genesis.fork_of) {
            writeln!(out, "  {}: {fork}", name(at))?;
        }
        if let (CopyRelation::Fork, Some(entry)) = (relation, &entries[at]) {
            let what = what(entry, copies[at].names().as_ref());
            writeln!(out, "  {} (byte {}): {what}", name(at), number(entry.offset))?;
        }
        if let Some(fault) = &copies[at].fault {
            writeln!(out, "  {}: {}", name(at), fault.to_string().escape_debug())?;
        }
        for (key, signed) in found.keys.iter().zip(&copies[at].signed) {
            if let Some(n) = signed {
                writeln!(out, "  {}: {} signed record {}", name(at), key.name(), number(*n))?;
            }
        }
    }
    for proof in &found.proofs {
        writeln!(out, "  proven: {}", words(proof, found))?;
    }
    if *relation == CopyRelation::Fork && common.next > 0 && found.proofs.is_empty() {
        writeln!(
            out,
            "  not proven: signed checkpoints over records from {} on, one in each copy, would prove it (--key)",
            common.next
        )?;
    }
    Ok(())
}

fn words(proof: &ForkProof, found: &CopyComparison<'_>) -> String {
    match proof {
        ForkProof::Checkpoints([a, b]) => {
            let signed = |at: usize, &(key, n): &(usize, u64)| {
                let (key, path) = (found.keys[key].name(), found.copies[at].path.display());
                format!("{key} signed record {} of {path}", number(n))
            };
            format!("{} and {}", signed(0, a), signed(1, b))
        }
        ForkProof::Player(name) => {
            format!("player {} signed both records {}", name.escape_debug(), found.common.next)
        }
    }
}

/// Returns a short description of a record.
fn what(entry: &CopyRecord, names: Option<&PlayerNames>) -> String {
    let actor = |seat: Option<Seat>| match (seat, names) {
        (Some(seat), Some(names)) => names.seat(seat),
        (Some(seat), None) => format!("seat {seat}"),
        (None, _) => "the table".into(),
    };
    match (Record::decode(&entry.payload), names) {
        (Ok(Record::Genesis(genesis)), _) => format!("game {}", hex(&genesis.game_id)),
        (Ok(Record::Register(register)), _) => {
            format!("register of round {} attempt {}", register.round, register.attempt)
        }
        (Ok(Record::Action(record)), Some(names)) => {
            names.acted(record.action.actor(record.actor), &record.action)
        }
        (Ok(Record::Action(record)), None) => format!("{} {}", actor(record.actor), record.action.kind()),
        (Ok(Record::RoundEnd(end)), _) => format!("end of round {}", end.round),
        (Ok(Record::GameEnd(_)), _) => "end of the game".into(),
        (Ok(Record::Refusal(refusal)), _) => format!("a refusal of {}", actor(refusal.actor)),
        (Ok(record), _) => format!("a {}", record.name()),
        (Err(error), _) => format!("no record: {error}"),
    }
}

fn value(found: &CopyComparison<'_>) -> Value {
    let (relation, common) = (&found.relation, &found.common);
    let word = match relation {
        CopyRelation::Same => "same",
        CopyRelation::Extends { .. } => "extends",
        CopyRelation::Fork if common.next == 0 && found.beginnings().is_none() => "two_games",
        CopyRelation::Fork => "fork",
        CopyRelation::Damaged => "damaged",
    };
    let copy = |at: usize| {
        let copy = &found.copies[at];
        let fork_of = copy.genesis.as_ref().and_then(|genesis| genesis.fork_of);
        let fault = copy.fault.as_ref().map(
            |fault| json!({"record": fault.record, "offset": fault.offset, "detail": fault.to_string()}),
        );
        let differs = found.entries[at].as_ref().filter(|_| *relation == CopyRelation::Fork).map(|entry| {
            let is = what(entry, copy.names().as_ref());
            json!({"n": entry.n, "offset": entry.offset, "head": hex(&entry.head), "is": is})
        });
        let signed = found.keys.iter().zip(&copy.signed);
        let signed = signed.filter_map(|(key, n)| Some(json!({"key": key.name(), "record": (*n)?})));
        present(json!({
            "path": copy.path.display().to_string(),
            "branch_of": fork_of.as_ref().map(branch),
            "fault": fault,
            "record": differs,
            "signed": some(signed.collect::<Vec<_>>()),
        }))
    };
    let (longer, more) = match relation {
        CopyRelation::Extends { longer, more } => (Some(longer), Some(more)),
        _ => (None, None),
    };
    let is_proven = *relation == CopyRelation::Fork && common.next > 0;
    let proofs = is_proven.then(|| found.proofs.iter().map(|proof| words(proof, found)).collect::<Vec<_>>());
    present(json!({
        "format": "canasta-diff/1",
        "relation": word,
        "common_records": common.next,
        "common_head": hex(&common.head),
        "copies": [copy(0), copy(1)],
        "longer": longer,
        "more_records": more,
        "proofs": proofs,
    }))
}
