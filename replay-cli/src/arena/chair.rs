//! A player on a seat: the bot, a random player, or a program with a process of its own.

use super::decision::SeatDecision;
use crate::shared::io::read_line;
use anyhow::{Context, bail};
use canasta_engine::bot::{Draws, Level};
use canasta_engine::notation::Position;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use serde_json::{Value, json};
use std::io::{self, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The name and version of the protocol, which docs/play/PLAYERS.md describes.
pub const PROTOCOL: &str = "canasta-player/1";
/// Maximum length of an answer, in bytes.
const ANSWER_MAX: u64 = 64 << 10;
/// Maximum number of characters of a wrong answer that an error shows.
const FOUND_MAX: usize = 200;
/// Time in which a program must end after its input has ended.
const GRACE: Duration = Duration::from_secs(1);

/// A player on a seat.
pub struct Chair {
    kind: ChairKind,
    /// The random numbers of the player; the state is the seed of a level.
    random: Draws,
}

enum ChairKind {
    Level(Level),
    Random,
    Program(PlayerProcess),
}

impl Chair {
    /// Returns a player as the command line names it; `wait` is the maximum time for an answer of a program.
    ///
    /// # Errors
    /// If there is no such level, or the program cannot be started or does not speak the protocol.
    pub fn new(player: &str, wait: Duration) -> anyhow::Result<Self> {
        let level = |number: &str| number.parse().ok().and_then(Level::new);
        let kind = match player.strip_prefix("level:") {
            Some(number) => ChairKind::Level(level(number).context("expected level:1 to level:6")?),
            None if player == "random" => ChairKind::Random,
            None => ChairKind::Program(PlayerProcess::start(player, wait)?),
        };
        Ok(Self { kind, random: Draws(0) })
    }

    /// Begins a game on this seat, at a table that has not been dealt.
    pub fn begin(&mut self, table: &Table, seat: Seat, seed: u64) -> anyhow::Result<()> {
        self.random = Draws(seed);
        let ChairKind::Program(process) = &mut self.kind else { return Ok(()) };
        let head = Position::of(table).to_string();
        let ruleset = head.split(';').next();
        let set = table.set();
        process.tell(&json!({
            "op": "game",
            "ruleset": ruleset,
            "seat": seat.0,
            "seats": set.seats,
            "sides": set.side_count,
            "seed": format!("{seed:016x}"),
        }))
    }

    /// Returns the place of the chosen step.
    pub fn choose(&mut self, decision: &SeatDecision<'_>) -> anyhow::Result<usize> {
        let SeatDecision { table, seat, memory, steps, .. } = *decision;
        match &mut self.kind {
            ChairKind::Random => Ok(self.random.below(steps.len())),
            ChairKind::Level(level) => {
                let action = level.choose(table, seat, memory, steps, self.random.0).action;
                Ok(steps.iter().position(|step| *step == action).expect("one of the steps"))
            }
            ChairKind::Program(process) => {
                let question = decision.question(process.wait.as_millis() as u64);
                let expected = format!("`action`, a number from 0 to {}", steps.len() - 1);
                let place = |answer: &Value| usize::try_from(answer["action"].as_u64()?).ok();
                process.ask(&question, &expected, |answer| place(answer).filter(|at| *at < steps.len()))
            }
        }
    }

    /// Ends a game with the points of each unit.
    pub fn end(&mut self, points: &[i64]) -> anyhow::Result<()> {
        let ChairKind::Program(process) = &mut self.kind else { return Ok(()) };
        process.tell(&json!({"op": "end", "points": points}))
    }
}

/// A program that runs. When it is dropped, the input of the program ends, and after a while the program.
struct PlayerProcess {
    program: String,
    child: Child,
    /// `None` when the input has ended.
    questions: Option<Sender<String>>,
    /// The answers; an empty one is the end of the program's output.
    answers: Receiver<io::Result<Vec<u8>>>,
    wait: Duration,
}

impl PlayerProcess {
    fn start(program: &str, wait: Duration) -> anyhow::Result<Self> {
        let mut words = program.split_ascii_whitespace();
        let mut command = Command::new(words.next().context("expected a player, found no word")?);
        let spawned = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.with_context(|| format!("player `{program}`"))?;
        let (mut stdin, stdout) = child.stdin.take().zip(child.stdout.take()).expect("they are pipes");
        let ((questions, to_ask), (answered, answers)) = (channel::<String>(), channel());
        // A program that reads nothing holds up whoever writes to it: only this thread waits for its streams.
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            for question in to_ask {
                let mut line = Vec::new();
                // A program that has ended says so by the end of its output.
                let _ = stdin.write_all(question.as_bytes());
                let read = read_line(&mut stdout, ANSWER_MAX, &mut line).map(|_| line);
                let _ = answered.send(read);
            }
            drop(stdin);
            let _ = io::copy(&mut stdout, &mut io::sink());
        });
        let questions = Some(questions);
        let mut process = Self { program: program.to_owned(), child, questions, answers, wait };
        let hello = json!({"op": "hello", "protocol": PROTOCOL});
        let expected = format!("\"protocol\":{PROTOCOL:?}");
        process.ask(&hello, &expected, |answer| (answer["protocol"] == PROTOCOL).then_some(()))?;
        Ok(process)
    }

    /// Asks a question whose answer says nothing.
    fn tell(&mut self, question: &Value) -> anyhow::Result<()> {
        self.ask(question, "an object without `error`", |answer| answer.get("error").is_none().then_some(()))
    }

    /// Asks a question, and reads the answer, which is `expected`. An error names the program, the question and what was found.
    fn ask<T>(
        &mut self,
        question: &Value,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> anyhow::Result<T> {
        // The answer to what cannot be sent is the end.
        let _ = self.questions.as_ref().map(|questions| questions.send(format!("{question}\n")));
        let (expected, found) = match self.answers.recv_timeout(self.wait) {
            Ok(Ok(line)) if !line.is_empty() => {
                let answer = serde_json::from_slice(&line).ok().filter(Value::is_object);
                if let Some(read) = answer.and_then(|answer| read(&answer)) {
                    return Ok(read);
                }
                let found = String::from_utf8_lossy(&line);
                (expected.to_owned(), found.trim_end().chars().take(FOUND_MAX).collect())
            }
            Ok(Err(error)) => ("an answer".to_owned(), format!("another one: {error}")),
            Err(RecvTimeoutError::Timeout) => {
                (format!("an answer within {} ms", self.wait.as_millis()), "none".to_owned())
            }
            _ => ("an answer".to_owned(), "the end of the program's output".to_owned()),
        };
        bail!("player `{}`: expected {expected}, found {found}\n  question: {question}", self.program)
    }
}

impl Drop for PlayerProcess {
    fn drop(&mut self) {
        self.questions = None;
        // The thread ends with the output of the program.
        while self.answers.recv_timeout(GRACE).is_ok() {}
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
