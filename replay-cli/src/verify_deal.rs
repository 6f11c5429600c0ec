//! `verify-deal`: shows step by step that the deals of a log were fixed before anybody could know them.

use crate::cli::Format;
use crate::io::{Exit, Io};
use crate::paths;
use crate::text::{Names, hex, list, number, rules_of};
use anyhow::{Context as _, bail};
use canasta_engine::action::{Action, Deal};
use canasta_engine::card::{Card, Cards};
use canasta_engine::deal::{
    self, Commitment, Context, Contribution, DealId, GameId, GameSecret, RoundSecret, WallSalt, beacon_value,
};
use canasta_engine::log::record::{DealMode, GameEnd, Genesis, Register, Reveal, RoundEnd};
use canasta_engine::log::{LogError, Reader, Record};
use canasta_engine::rules::Rules;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `verify-deal`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Print the walls too, first card dealt first
    #[arg(long)]
    walls: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
For every deal: what was committed to before the first card, what was revealed afterwards, and the wall that follows
from it. Input width is what went into a wall, in bits; where it is at least what the orders of the pack need, every
order can come up. docs/DEALING.md says how to compute the same in any language.

Exit codes: 0 all that is revealed holds, 1 something does not, 2 the log could not be read.

Example:
  canasta-replay verify-deal table-0417.clog";

/// What became of one step.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    Holds(String),
    Fails(String),
    /// It could not be checked, and why.
    Open(String),
}

/// One step of the proof.
struct Step {
    what: &'static str,
    outcome: Outcome,
}

/// The steps of one deal.
struct Proof {
    title: String,
    steps: Vec<Step>,
    wall: Vec<Card>,
}

/// A deal under way.
struct Open {
    register: Register,
    id: DealId,
    deal: Option<Deal>,
}

/// Reads a log and checks what it reveals.
struct Verifier {
    genesis: Genesis,
    rules: Rules,
    names: Names,
    open: Option<Open>,
    /// Round, attempt and secret of every reveal, to be held against the game's.
    revealed: Vec<(u32, u32, RoundSecret)>,
    deals: Vec<Proof>,
    game: Vec<Step>,
}

/// Verifies and reports.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = || args.log.display().to_string();
    let (mut reader, mut verifier, mut fault) = (Reader::new(), None, None);
    let file = paths::open(&args.log, io)?;
    paths::feed(file, |mut piece| {
        while fault.is_none() {
            match next(&mut reader, &mut piece) {
                Ok(None) => break,
                Ok(Some(record)) => take(&mut verifier, record),
                Err(error) => fault = Some(error),
            }
        }
        fault.is_none()
    })
    .with_context(name)?;
    let fault = fault.or_else(|| reader.finish().err());
    let Some(verifier) = verifier else {
        match fault {
            Some(error) => {
                writeln!(io.err, "canasta-replay: {}: {error}", name())?;
                return Ok(Exit::Findings);
            }
            None => bail!("{}: a log without records", name()),
        }
    };
    let Ok(mut verifier) = verifier else { bail!("{}: its rule set is not played by this version", name()) };
    verifier.close();
    match args.format {
        Format::Text => verifier.write(args.walls, &mut io.out)?,
        Format::Json => writeln!(io.out, "{}", verifier.value(args.walls))?,
    }
    if let Some(error) = &fault {
        writeln!(io.err, "canasta-replay: {}: {error}; what comes before it was verified", name())?;
    }
    Ok(if fault.is_some() || verifier.fails() { Exit::Findings } else { Exit::Clean })
}

fn next(reader: &mut Reader, piece: &mut &[u8]) -> Result<Option<Record>, LogError> {
    reader.next(piece)?.map(|frame| frame.record()).transpose()
}

/// A log is opened by its genesis; without rules that are played nothing can be said.
type Opened = Option<Result<Verifier, ()>>;

fn take(verifier: &mut Opened, record: Record) {
    match (verifier, record) {
        (verifier @ None, Record::Genesis(genesis)) => {
            let names = Names::of(&genesis);
            *verifier = Some(rules_of(&genesis).ok_or(()).map(|rules| Verifier {
                genesis: *genesis,
                rules,
                names,
                open: None,
                revealed: Vec::new(),
                deals: Vec::new(),
                game: Vec::new(),
            }));
        }
        (Some(Ok(verifier)), record) => verifier.take(record),
        _ => {}
    }
}

impl Verifier {
    fn take(&mut self, record: Record) {
        match record {
            Record::Register(register) => {
                let id = DealId::new(self.game_id(), register.round, register.attempt);
                self.open = Some(Open { register: *register, id, deal: None });
            }
            Record::Action(record) => {
                if let (Some(open), Action::Deal(deal)) = (&mut self.open, record.action) {
                    open.deal = Some(*deal);
                }
            }
            Record::RoundEnd(end) => {
                if let Some(open) = self.open.take() {
                    let proof = self.prove(&open, &end);
                    self.deals.push(proof);
                }
            }
            Record::GameEnd(end) => self.game_end(&end),
            _ => {}
        }
    }

    fn game_id(&self) -> GameId {
        GameId(self.genesis.game_id)
    }

    fn prove(&mut self, open: &Open, end: &RoundEnd) -> Proof {
        let Register { round, attempt, .. } = open.register;
        let voided =
            if end.scores.is_empty() && round > 0 && end.reason.name() == "voided" { ", voided" } else { "" };
        let mut proof = Proof {
            title: format!("round {round} attempt {attempt}{voided}"),
            steps: Vec::new(),
            wall: Vec::new(),
        };
        match &end.reveal {
            Reveal::Secret(secret) => self.prove_secret(open, &RoundSecret(*secret), &mut proof),
            Reveal::Wall { cards, salt } => self.prove_wall(open, cards, &WallSalt(*salt), &mut proof),
            Reveal::None => {
                let why = "a transcribed deal has nothing to reveal".to_owned();
                proof.steps.push(Step { what: "wall", outcome: Outcome::Open(why) });
            }
        }
        proof
    }

    fn prove_secret(&mut self, open: &Open, secret: &RoundSecret, proof: &mut Proof) {
        let Register { round, attempt, commitment, .. } = open.register;
        let made = Commitment::dealer(&open.id, secret);
        proof.steps.push(committed("secret", commitment, made));
        self.revealed.push((round, attempt, secret.clone()));
        let context = match self.context(open, made, proof) {
            Ok(context) => context,
            Err(error) => {
                return proof.steps.push(Step { what: "contributions", outcome: Outcome::Fails(error) });
            }
        };
        let set = self.rules.set();
        match deal::wall(secret, &context, set.packs, set.jokers) {
            Ok(wall) => {
                let needed = orders_bits(&self.rules.census());
                let bits = context.input_bits();
                let every =
                    if f64::from(bits) >= needed { "every order can come up" } else { "not every order can" };
                let text = format!("{bits} bits in, {needed:.1} needed: {every}");
                proof.steps.push(Step { what: "width", outcome: Outcome::Holds(text) });
                self.found_wall(wall, proof);
            }
            Err(error) => proof.steps.push(Step { what: "wall", outcome: Outcome::Fails(error.to_string()) }),
        }
    }

    /// What the wall depends on besides the secret.
    fn context(&self, open: &Open, dealer: Commitment, proof: &mut Proof) -> Result<Context, String> {
        let (digest, cards) = (self.rules.digest_text(), self.rules.deck_size());
        if self.genesis.mode != DealMode::Committed {
            return Context::seeded(&open.id, &digest, cards, dealer).map_err(|error| error.to_string());
        }
        let given = open.deal.clone().unwrap_or_default();
        let seats: Vec<Contribution> = (0..usize::from(self.rules.set().seats))
            .map(|seat| Contribution {
                commitment: open.register.seats.get(seat).copied().flatten().map(Commitment),
                value: given.contributions.get(seat).copied().flatten(),
            })
            .collect();
        for (seat, contribution) in self.names.seats().zip(&seats) {
            let outcome = match contribution {
                Contribution { commitment: None, .. } => continue,
                Contribution { value: None, .. } => {
                    Outcome::Open(format!("{} revealed nothing", self.names.seat(seat)))
                }
                Contribution { value: Some(_), .. } => {
                    Outcome::Holds(format!("{} revealed what was registered", self.names.seat(seat)))
                }
            };
            proof.steps.push(Step { what: "seat", outcome });
        }
        let beacon = given.signature.as_deref().map(beacon_value);
        if let Some(beacon) = &open.register.beacon {
            let what = format!("round {} of chain {}", beacon.round, hex(&beacon.chain));
            let outcome = match given.signature {
                Some(_) => Outcome::Open(format!(
                    "{what}: whether the signature is the beacon's is not checked here"
                )),
                None => Outcome::Fails(format!("{what}: registered, and no signature given")),
            };
            proof.steps.push(Step { what: "beacon", outcome });
        }
        Context::committed(&open.id, &digest, cards, dealer, &seats, beacon.as_ref())
            .map_err(|error| error.to_string())
    }

    fn prove_wall(&self, open: &Open, wall: &[Card], salt: &WallSalt, proof: &mut Proof) {
        match Commitment::wall(&open.id, salt, wall) {
            Ok(made) => proof.steps.push(committed("wall and salt", open.register.commitment, made)),
            Err(error) => {
                proof.steps.push(Step { what: "wall and salt", outcome: Outcome::Fails(error.to_string()) });
            }
        }
        self.found_wall(wall.to_vec(), proof);
    }

    fn found_wall(&self, wall: Vec<Card>, proof: &mut Proof) {
        let census = wall.iter().copied().collect::<Cards>() == self.rules.census();
        let first = list(wall.iter().take(8));
        let outcome = if census {
            Outcome::Holds(format!("{} cards, the whole pack, beginning {first}", wall.len()))
        } else {
            Outcome::Fails(format!("{} cards, not the pack of {}", wall.len(), self.rules.id()))
        };
        proof.steps.push(Step { what: "wall", outcome });
        proof.wall = wall;
    }

    fn game_end(&mut self, end: &GameEnd) {
        let Some(secret) = end.secret.map(GameSecret) else { return };
        let made = Commitment::game(self.game_id(), &secret);
        self.game.push(committed("game secret", self.genesis.commitment, made));
        let follows =
            |&(round, attempt, ref found): &(u32, u32, RoundSecret)| secret.round(round, attempt) == *found;
        let outcome = match self.revealed.iter().find(|reveal| !follows(reveal)) {
            None => Outcome::Holds(format!("all {} secrets follow from the game's", self.revealed.len())),
            Some((round, attempt, _)) => Outcome::Fails(format!(
                "that of round {round} attempt {attempt} does not follow from the game's"
            )),
        };
        self.game.push(Step { what: "round secrets", outcome });
    }

    /// Says what is not revealed yet.
    fn close(&mut self) {
        let is_secret = matches!(self.genesis.mode, DealMode::Seeded | DealMode::Committed);
        if is_secret && self.game.is_empty() {
            let why = "the game has not ended: its secret is not revealed yet".to_owned();
            self.game.push(Step { what: "game secret", outcome: Outcome::Open(why) });
        }
        if let Some(open) = self.open.take() {
            let Register { round, attempt, .. } = open.register;
            let why = "the round has not ended: nothing is revealed yet".to_owned();
            self.deals.push(Proof {
                title: format!("round {round} attempt {attempt}"),
                steps: vec![Step { what: "secret", outcome: Outcome::Open(why) }],
                wall: Vec::new(),
            });
        }
    }

    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.game.iter().chain(self.deals.iter().flat_map(|proof| &proof.steps))
    }

    fn fails(&self) -> bool {
        self.steps().any(|step| matches!(step.outcome, Outcome::Fails(_)))
    }

    fn write(&self, walls: bool, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "game {} · {} · {}", hex(&self.genesis.game_id), self.rules.id(), self.mode())?;
        write_steps(&self.game, out)?;
        for proof in &self.deals {
            writeln!(out, "\n{}", proof.title)?;
            write_steps(&proof.steps, out)?;
            if walls && !proof.wall.is_empty() {
                writeln!(out, "  cards         {}", list(&proof.wall))?;
            }
        }
        let of = |is: fn(&Outcome) -> bool| self.steps().filter(|step| is(&step.outcome)).count() as i64;
        let fails = of(|outcome| matches!(outcome, Outcome::Fails(_)));
        let open = of(|outcome| matches!(outcome, Outcome::Open(_)));
        let holds = of(|outcome| matches!(outcome, Outcome::Holds(_)));
        writeln!(out, "\n{} hold · {} fail · {} not checked", number(holds), number(fails), number(open))
    }

    fn mode(&self) -> &'static str {
        match self.genesis.mode {
            DealMode::Seeded => "seeded: whoever has the secret could know every deal",
            DealMode::Committed => "committed",
            DealMode::Explicit => "explicit walls",
            DealMode::Transcribed => "transcribed: nothing to prove",
        }
    }

    fn value(&self, walls: bool) -> Value {
        let steps = |steps: &[Step]| -> Value { steps.iter().map(step_value).collect() };
        let deal = |proof: &Proof| {
            let mut value = json!({ "deal": proof.title, "steps": steps(&proof.steps) });
            if walls && !proof.wall.is_empty() {
                value["wall"] = proof.wall.iter().map(ToString::to_string).collect();
            }
            value
        };
        json!({
            "format": "canasta-deal-proof/1",
            "game_id": hex(&self.genesis.game_id),
            "ruleset": self.rules.id(),
            "holds": !self.fails(),
            "game": steps(&self.game),
            "deals": self.deals.iter().map(deal).collect::<Vec<_>>(),
        })
    }
}

/// Whether what was revealed is what was committed to.
fn committed(what: &'static str, registered: Option<[u8; 32]>, made: Commitment) -> Step {
    let outcome = match registered {
        Some(registered) if registered == made.0 => {
            Outcome::Holds(format!("is what {} commits to", hex(&made.0)))
        }
        Some(registered) => {
            Outcome::Fails(format!("commits to {}, registered is {}", hex(&made.0), hex(&registered)))
        }
        None => Outcome::Fails("nothing was committed to".into()),
    };
    Step { what, outcome }
}

fn write_steps(steps: &[Step], out: &mut dyn Write) -> std::io::Result<()> {
    for step in steps {
        let (mark, text) = match &step.outcome {
            Outcome::Holds(text) => ("", text),
            Outcome::Fails(text) => ("FAILS: ", text),
            Outcome::Open(text) => ("not checked: ", text),
        };
        writeln!(out, "  {:13} {mark}{text}", step.what)?;
    }
    Ok(())
}

fn step_value(step: &Step) -> Value {
    let (outcome, detail) = match &step.outcome {
        Outcome::Holds(detail) => ("holds", detail),
        Outcome::Fails(detail) => ("fails", detail),
        Outcome::Open(detail) => ("not_checked", detail),
    };
    json!({ "step": step.what, "outcome": outcome, "detail": detail })
}

/// The logarithm to base 2 of the number of orders of these cards, of which equal ones cannot be told apart.
fn orders_bits(census: &Cards) -> f64 {
    let log2_factorial = |n: u16| (2..=n).map(|i| f64::from(i).log2()).sum::<f64>();
    let copies: f64 = census.kinds().map(|(_, count)| log2_factorial(count.into())).sum();
    log2_factorial(census.len()) - copies
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the dealing scheme's own text: 108, 162 and 324 cards.
    #[test]
    fn orders_need_the_published_bits() {
        for (preset, bits) in [("classic-4p", 521.84), ("classic-6p-3x2", 816.43)] {
            let rules = Rules::preset(preset).expect("a preset that is played");
            assert!((orders_bits(&rules.census()) - bits).abs() < 0.01, "{preset}");
        }
    }
}
