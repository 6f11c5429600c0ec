//! The writer of the strict text of a game.

use super::follow::{Follower, is_for_nobody};
use super::form::NoText;
use super::given::{
    Actor, Given, GivenAction, GivenEnd, GivenRefusal, GivenRegister, TextContext, Tried, names_of,
    reveal_in, takes_up,
};
use super::head;
use super::shown::Shown;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_log::codes::{self, END_REASONS, SCORE_ITEMS};
use canasta_log::record::{Author, Beacon, Record, Remark, Reveal, Score};
use canasta_rules::action::Action;
use canasta_rules::hex::hex;
use canasta_rules::notation::Names;
use canasta_rules::notation::action::write_action;
use canasta_rules::notation::rulings::unit_name;
use canasta_rules::notation::words::{put_clock, put_hex, quote};
use canasta_rules::notation::write_cards;
use canasta_rules::rules::Rules;
use core::fmt::Write as _;

/// Maximum width of a line with several actions of a seat, in bytes; further actions begin a new line.
const WIDTH: usize = 100;

/// Returns the text of these records.
pub(super) fn game(records: &[Record]) -> Result<String, NoText> {
    let fault = |record: usize, reason: String| NoText { record: record as u64, reason };
    let Some(Record::Genesis(genesis)) = records.first() else {
        return Err(fault(0, String::from("a log begins with genesis")));
    };
    let secret = records.iter().find_map(|record| match record {
        Record::GameEnd(end) => end.secret,
        _ => None,
    });
    let mut out = String::new();
    let rules = head::write(genesis, secret.as_ref(), &mut out).map_err(|reason| fault(0, reason))?;
    let givens: Option<Vec<Given>> = records[1..].iter().map(Given::of).collect();
    let givens = givens.ok_or_else(|| fault(1, String::from("a second genesis")))?;
    let restored = givens.iter().filter_map(Given::restores).collect();
    let mut follower = Follower::open(genesis, secret, restored).map_err(|reason| fault(0, reason))?;
    let mut writer = TextWriter { out, ..TextWriter::new(&rules) };
    for (at, (given, record)) in givens.iter().zip(&records[1..]).enumerate() {
        let n = at as u64 + 1;
        let rest = &givens[at + 1..];
        let context = TextContext {
            reveal: &|| reveal_in(rest.iter()),
            later: &|seat| names_of(seat, rest.iter()),
            takes_up: takes_up(rest.iter()),
        };
        let bare = follower.opened(n, given.clone(), record).bare(secret.is_some());
        let mut trial = follower.clone();
        let (said, shown) = match trial.complete(n, &bare, &context) {
            Ok(done) if done.record == *record => {
                follower = trial;
                (bare, done.shown)
            }
            _ => {
                let done = follower.complete(n, given, &context);
                (given.clone(), done.map_err(|reason| fault(n as usize, reason))?.shown)
            }
        };
        writer.record(&said, &shown).map_err(|reason| fault(n as usize, reason))?;
    }
    writer.close();
    if follower.due_at_end().is_some() {
        writer.out.push_str("...\n");
    }
    Ok(writer.out)
}

pub(super) struct TextWriter<'a> {
    pub(super) out: String,
    rules: &'a Rules,
    /// The sum of all times so far, in milliseconds.
    clock: u64,
    /// The line of a seat that its next action may join: the actor, and the offset in `out` at which the line
    /// begins.
    open: Option<(Actor, usize)>,
}

impl<'a> TextWriter<'a> {
    /// Returns a writer at the beginning of a game.
    pub(super) fn new(rules: &'a Rules) -> Self {
        Self { out: String::new(), rules, clock: 0, open: None }
    }
}

impl TextWriter<'_> {
    fn names(&self) -> Names<'static> {
        Names::of(self.rules.set())
    }

    /// Ends the line of a seat's actions.
    pub(super) fn close(&mut self) {
        if self.open.take().is_some() {
            self.out.push('\n');
        }
    }

    pub(super) fn record(&mut self, given: &Given, shown: &Shown) -> Result<(), String> {
        match given {
            Given::Action(given) => {
                let text = self.action(given, shown)?;
                self.put(given.actor, is_for_nobody(&given.action), &text);
            }
            Given::Refusal(given) => {
                let text = self.refusal(given)?;
                let nobody = matches!(&given.tried, Tried::Action(action) if is_for_nobody(action));
                self.put(given.actor, nobody, &text);
            }
            given => {
                self.close();
                match given {
                    Given::Register(register) => self.register(register),
                    Given::RoundEnd(end) => self.round_end(end),
                    Given::GameEnd { winner, secret } => {
                        let name =
                            winner.flatten().map(|unit| unit_name(unit, self.rules.set(), self.names()));
                        self.out.push_str("winner ");
                        self.out.push_str(name.as_deref().unwrap_or("-"));
                        if let Some(secret) = secret {
                            put_hex("secret", secret, &mut self.out);
                        }
                    }
                    Given::Whole(Record::Remark(remark)) => self.remark(remark)?,
                    Given::Action(_) | Given::Refusal(_) | Given::Whole(_) => unreachable!("written above"),
                }
                self.out.push('\n');
            }
        }
        Ok(())
    }

    /// Writes an action to the line of its seat, or to a new line. `nobody`: an action without a seat needs
    /// no `table:`.
    fn put(&mut self, actor: Actor, nobody: bool, text: &str) {
        if let Some((by, from)) = self.open
            && by == actor
            && matches!(by, Actor::Seat(_))
            && self.out.len() - from + text.len() + 2 <= WIDTH
        {
            self.out.push_str(", ");
            self.out.push_str(text);
            return;
        }
        self.close();
        self.open = Some((actor, self.out.len()));
        match actor {
            Actor::Seat(seat) => {
                let name = self.names().seat_name(seat);
                self.out.push_str(&name);
                self.out.push_str(": ");
            }
            Actor::Nobody if !nobody => self.out.push_str("table: "),
            Actor::Nobody | Actor::Unsaid => {}
        }
        self.out.push_str(text);
    }

    fn action(&mut self, given: &GivenAction, shown: &Shown) -> Result<String, String> {
        let mut text = String::new();
        let action = shown.join(&given.action);
        write_action(&action, self.names(), &mut text)
            .ok_or("its effect has not the fields that go with it")?;
        let shown = Some(&shown.received).filter(|received| !received.is_empty());
        if let Some(received) = given.received.as_ref().or(shown) {
            text.push_str(if action == Action::DrawStock { " " } else { " gets " });
            for (i, card) in received.iter().enumerate() {
                text.push_str(if i > 0 { " " } else { "" });
                text.push_str(&card.map_or_else(|| String::from("??"), |card| card.to_string()));
            }
            text.push_str(if received.is_empty() { "-" } else { "" });
        }
        self.clock(given.elapsed_ms, &mut text)?;
        if let Some(digest) = given.digest {
            put_hex("state", &digest, &mut text);
        }
        if let Some(signature) = given.signature {
            put_hex("sig", &signature, &mut text);
        }
        Ok(text)
    }

    fn refusal(&mut self, given: &GivenRefusal) -> Result<String, String> {
        let mut text = String::from("refused ");
        let missing = "its effect has not the fields that go with it";
        match &given.tried {
            Tried::Masked(kind, bytes) => {
                text.push_str(kind.name());
                put_hex("masked", bytes, &mut text);
            }
            Tried::Clear(action) => {
                text.push_str("clear ");
                write_action(action, self.names(), &mut text).ok_or(missing)?;
            }
            Tried::Action(action) => write_action(action, self.names(), &mut text).ok_or(missing)?,
        }
        let codes = given.codes.as_deref().unwrap_or(&[]).join(" ");
        write!(text, " because {codes}").expect("a string takes all text");
        self.clock(given.elapsed_ms, &mut text)?;
        Ok(text)
    }

    fn clock(&mut self, elapsed_ms: Option<u64>, out: &mut String) -> Result<(), String> {
        let Some(elapsed) = elapsed_ms else { return Ok(()) };
        self.clock = self.clock.checked_add(elapsed).ok_or("the times add up to more than 2^64 ms")?;
        put_clock(self.clock, out);
        Ok(())
    }

    fn remark(&mut self, remark: &Remark) -> Result<(), String> {
        let mut text = match remark.by {
            Some(Author::Seat(seat)) => self.names().seat_name(seat) + ": ",
            Some(Author::Table) => "table: ".to_string(),
            Some(Author::Director) => "director: ".to_string(),
            None => String::new(),
        };
        text += remark.kind.form().name;
        text.push(' ');
        quote(&remark.text, &mut text);
        self.clock(remark.elapsed_ms, &mut text)?;
        self.out.push_str(&text);
        Ok(())
    }

    fn register(&mut self, register: &GivenRegister) {
        let mut line = format!("\nround {}", register.round.unwrap_or(0));
        if let Some(dealer) = register.rest.dealer {
            write!(line, " dealer {}", self.names().seat_name(dealer)).expect("a string takes all text");
        }
        if let Some(attempt) = register.attempt {
            write!(line, " attempt {attempt}").expect("a string takes all text");
        }
        if let Some(commitment) = register.rest.commitment {
            put_hex("commitment", &commitment, &mut line);
        }
        for (i, seat) in register.rest.seats.iter().enumerate() {
            line.push_str(if i == 0 { " seats " } else { " " });
            line.push_str(&seat.map_or_else(|| String::from("-"), |hash| hex(&hash)));
        }
        if let Some(Beacon { chain, round, close_ms }) = &register.rest.beacon {
            write!(line, " beacon {} {round} {close_ms}", hex(chain)).expect("a string takes all text");
        }
        for (i, signature) in register.rest.signatures.iter().enumerate() {
            line.push_str(if i == 0 { " signatures " } else { " " });
            line.push_str(&signature.map_or_else(|| String::from("-"), |bytes| hex(&bytes)));
        }
        self.out.push_str(&line);
    }

    fn round_end(&mut self, end: &GivenEnd) {
        let mut line = String::from("end");
        if let Some(reason) = end.reason {
            line.push(' ');
            line.push_str(codes::word(&END_REASONS, reason));
        }
        for (name, number) in [("round", end.round), ("attempt", end.attempt)] {
            if let Some(number) = number {
                write!(line, " {name} {number}").expect("a string takes all text");
            }
        }
        match &end.reveal {
            Some(Reveal::Secret(secret)) => put_hex("secret", secret, &mut line),
            Some(Reveal::Wall { cards, salt }) => {
                line.push_str(" wall ");
                write_cards(&mut line, cards.iter().copied(), " ");
                put_hex("salt", salt, &mut line);
            }
            Some(Reveal::None) | None => {}
        }
        if let Some(digest) = end.digest {
            put_hex("state", &digest, &mut line);
        }
        for score in end.scores.iter().flatten() {
            self.score(score, &mut line);
        }
        if end.scores.as_ref().is_some_and(Vec::is_empty) {
            line.push_str("\nscore -");
        }
        self.out.push_str(&line);
    }

    fn score(&self, score: &Score, out: &mut String) {
        let total = score.total();
        let unit = unit_name(score.unit, self.rules.set(), self.names());
        write!(out, "\nscore {unit} {total}:").expect("a string takes all text");
        for (i, line) in score.lines.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { " " });
            out.push_str(codes::word(&SCORE_ITEMS, line.item));
            if let Some(count) = line.count {
                write!(out, " ({count})").expect("a string takes all text");
            }
            write!(out, " {}", line.points).expect("a string takes all text");
        }
    }
}
