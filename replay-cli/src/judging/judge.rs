//! `judge`: judges proposed actions in the positions of a log.

use crate::judging::record_context::warn;
use crate::shared::io::{Exit, Io};
use crate::shared::paths::{self, LIVE};
use anyhow::Context;
use canasta_engine::action::{Action, As};
use canasta_engine::log::LogError;
use canasta_engine::log::audit::Auditor;
use canasta_engine::log::replay::{Step, What};
use canasta_engine::nodes::Nodes;
use canasta_engine::table::Phase;
use canasta_engine::text::interchange::TriedAction;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Maximum length of a line, in bytes.
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
Reads one proposal per line from standard input, in the format of docs/formats/INTERCHANGE.md:

  {\"seq\":57,\"seat\":2,\"action\":{\"type\":\"discard\",\"card\":\"7h\"}}

Answers each proposal with one line, in the same order: whether seat 2 could have done this just before \
action 57, and if not, the codes of all broken rules. Another implementation of the rules can thus be \
compared with this one. The answer to a line that is not a proposal is its number and an error.

Exit codes: 0 every proposal was judged; 1 a line or the log could not be read, or the log has no such \
position; 2 a file could not be opened.

Example:
  canasta-replay judge game.clog < proposals.jsonl > verdicts.jsonl";

/// A line of the input: a proposal, or the reason why the line is not a proposal.
type Question = Result<TriedAction, String>;
/// The answers by index of the proposal; `None` until the position of the proposal was reached.
type Answers = Vec<Option<Vec<&'static str>>>;

/// Judges every proposal.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    paths::named_file(&args.log, "standard input has the proposals")?;
    let questions = read(&mut io.input)?;
    let (answers, fault) = judge(&args.log, &questions)?;
    let mut exit = Exit::Clean;
    for ((line, question), answer) in (1..).zip(&questions).zip(answers) {
        let value = match (question, answer) {
            (Ok(TriedAction { seq, .. }), Some(codes)) => {
                json!({"seq": seq, "legal": codes.is_empty(), "codes": codes})
            }
            (Ok(TriedAction { seq, .. }), None) => {
                exit = Exit::Findings;
                json!({"seq": seq, "error": "the log shows no such position"})
            }
            (Err(reason), _) => {
                exit = Exit::Findings;
                json!({"line": line, "error": reason})
            }
        };
        io.write_value(&value)?;
    }
    Ok(exit.max(warn(&args.log, fault.as_ref(), io)?))
}

fn read(input: &mut dyn Read) -> anyhow::Result<Vec<Question>> {
    let mut input = BufReader::new(input);
    let mut questions = Vec::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line).context("standard input")? == 0 {
            return Ok(questions);
        }
        questions.push(if line.len() as u64 == LINE_MAX && !line.ends_with(b"\n") {
            input.skip_until(b'\n').context("standard input")?;
            Err(format!("expected a line of less than {LINE_MAX} bytes"))
        } else {
            let text = std::str::from_utf8(&line).map_err(|_| "expected UTF-8 text".to_owned());
            text.and_then(|text| TriedAction::read(text.trim_end()))
        });
    }
}

/// Returns the answers, and the fault that ends the log, if any.
fn judge(log: &Path, questions: &[Question]) -> anyhow::Result<(Answers, Option<LogError>)> {
    let mut due: BTreeMap<u64, Vec<(usize, &TriedAction)>> = BTreeMap::new();
    for (i, question) in questions.iter().enumerate() {
        if let Ok(proposal) = question {
            due.entry(proposal.seq).or_default().push((i, proposal));
        }
    }
    let mut answers: Answers = vec![None; questions.len()];
    let mut auditor = Auditor::new(LIVE);
    let mut watch = |step: &Step<'_>| {
        // The position after an action is the position before the next action.
        if !matches!(step.what, What::Acted(_)) {
            return;
        }
        for (i, TriedAction { actor, action, .. }) in due.remove(&(step.table.step() + 1)).unwrap_or_default()
        {
            let unsure = |seat| step.known.is_some_and(|known| !known.open(seat).is_empty());
            // What is registered for the deal of a later round comes after the last action, and no step shows it.
            let unregistered = step.table.phase() == Phase::RoundOver && matches!(action, Action::Deal(_));
            if unregistered || matches!(actor, As::Seat(seat) if unsure(*seat)) {
                continue;
            }
            let refused = step.dealing.check(step.table, None, *actor, action, &Nodes::default()).err();
            let codes = refused.map_or(Vec::new(), |r| r.violations.iter().map(|v| v.code.name()).collect());
            answers[i] = Some(codes);
        }
    };
    let name = || log.display().to_string();
    let file = File::open(log).with_context(name)?;
    paths::feed(file, |piece| {
        auditor.feed_watched(piece, &mut watch);
        !auditor.is_broken()
    })
    .with_context(name)?;
    Ok((answers, auditor.fault()))
}
