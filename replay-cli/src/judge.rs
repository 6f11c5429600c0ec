//! `judge`: what a log's positions say to actions that somebody might have tried.

use crate::interchange::Proposal;
use crate::io::{Exit, Io};
use crate::paths;
use anyhow::{Context, bail};
use canasta_engine::action::As;
use canasta_engine::check::check;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::replay::{Step, What};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;

/// The longest line that is read.
const LINE_MAX: u64 = 64 * 1024;

/// The arguments of `judge`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log
    #[arg(value_name = "LOG")]
    log: PathBuf,
}

const EXAMPLES: &str = "\
Reads one proposal a line from standard input, in the words of docs/INTERCHANGE.md:
  {\"seq\":57,\"seat\":2,\"action\":{\"type\":\"discard\",\"card\":\"7h\"}}
and answers one line each, in the same order: whether seat 2 could have done that just before action 57, and if not,
the codes of all rules broken, in order. Another implementation of the rules can be held against this one so.

Examples:
  canasta-replay judge game.clog < proposals.jsonl > verdicts.jsonl";

/// The answer to a proposal, once its position has come by.
type Answers = Vec<Option<Vec<&'static str>>>;

/// Judges every proposal.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let proposals = read(&mut io.input)?;
    let answers = judge(&args.log, &proposals)?;
    let mut exit = Exit::Clean;
    for (proposal, answer) in proposals.iter().zip(answers) {
        let seq = proposal.seq;
        match answer {
            Some(codes) => {
                let legal = codes.is_empty();
                writeln!(io.out, "{}", serde_json::json!({"seq": seq, "legal": legal, "codes": codes}))?;
            }
            None => {
                exit = Exit::Findings;
                writeln!(
                    io.out,
                    "{}",
                    serde_json::json!({"seq": seq, "error": "the log shows no such position"})
                )?;
            }
        }
    }
    Ok(exit)
}

fn read(input: &mut dyn Read) -> anyhow::Result<Vec<Proposal>> {
    let mut input = BufReader::new(input);
    let (mut proposals, mut line) = (Vec::new(), String::new());
    for number in 1.. {
        line.clear();
        if input.by_ref().take(LINE_MAX).read_line(&mut line).with_context(|| format!("line {number}"))? == 0
        {
            break;
        }
        if line.len() as u64 == LINE_MAX {
            bail!("line {number}: expected at most {LINE_MAX} bytes");
        }
        match Proposal::read(line.trim_end()) {
            Ok(proposal) => proposals.push(proposal),
            Err(reason) => bail!("line {number}: {reason}"),
        }
    }
    Ok(proposals)
}

fn judge(log: &PathBuf, proposals: &[Proposal]) -> anyhow::Result<Answers> {
    let mut due: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (i, proposal) in proposals.iter().enumerate() {
        due.entry(proposal.seq).or_default().push(i);
    }
    let mut answers: Answers = vec![None; proposals.len()];
    let mut auditor = Auditor::new(Expect { live: true, ..Expect::default() });
    let mut watch = |step: &Step<'_>| {
        // The position after an action is the one before the next; a booked round is the one before a deal.
        if !matches!(step.what, What::Acted(_)) {
            return;
        }
        for i in due.remove(&(step.state.link().seq + 1)).unwrap_or_default() {
            let Proposal { actor, action, .. } = &proposals[i];
            let unsure = |seat| step.known.is_some_and(|known| !known.open(seat).is_empty());
            if matches!(actor, As::Seat(seat) if unsure(*seat)) {
                continue;
            }
            let refused = check(step.state, *actor, action).err();
            let codes = refused.map_or(Vec::new(), |r| r.violations.iter().map(|v| v.code.name()).collect());
            answers[i] = Some(codes);
        }
    };
    let name = || log.display().to_string();
    let file = File::open(log).with_context(name)?;
    paths::feed(file, |piece| auditor.feed_watched(piece, &mut watch)).with_context(name)?;
    Ok(answers)
}
