//! `arena`: plays players against each other on duplicate deals, and compares them. docs/play/PLAYERS.md has the protocol.

mod chair;
mod comparison;
mod decision;
mod game;
pub mod player;
#[cfg(test)]
mod tests;

use crate::rulesets::house::RuleSetFile;
use crate::shared::io::{Exit, Io, OutputFormat, progress_bar};
use crate::shared::parallel;
use crate::shared::table::TextTable;
use crate::shared::text::{count, hex};
use anyhow::{Context, bail, ensure};
use canasta_engine::rules::Rules;
use canasta_engine::seat::{Seat, Unit};
use canasta_engine::table::Table;
use chair::Chair;
use comparison::{Comparison, Measured, ratings};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The arguments of `arena`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Two players or more: level:1 to level:6 (the bot), random, or the command line of a program, which is split at blanks
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// The rule set: a preset that `rules list` shows as played, or a file of house rules (*.toml)
    #[arg(long, value_name = "ID|FILE", default_value = "classic-4p")]
    ruleset: String,
    /// Number of deals per pair of players
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    deals: u32,
    /// Seed of all deals and random players; equal seeds give equal deals
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Play whole games, and not only the first scored round of each deal
    #[arg(long)]
    whole: bool,
    /// File of results, one JSON line per deal and pair of players; deals whose lines it has are not played again
    #[arg(long, value_name = "RESULTS.jsonl")]
    out: Option<PathBuf>,
    /// Maximum time for an answer of a program, in milliseconds
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    move_ms: u64,
    /// Number of deals played at once; 0 means one per processor. Does not change the results
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Format of the comparison
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Each deal is played with each player on each side (with more than two sides, the first player of a pair sits once on each \
place), so that lucky cards help both. With three players or more every pair meets. A program gets a question per line and \
answers each with a line (docs/play/PLAYERS.md); it runs once per seat, so that it sees no partner's cards. A program that \
crashes, is late or answers wrongly ends the arena with exit code 2; deals that are finished stay in the file of results.

Examples:
  canasta-replay arena level:3 level:2 --deals 1000 --seed 7
  canasta-replay arena 'python3 greedy.py' random --ruleset samba-4p
  canasta-replay arena ./mine level:3 level:4 --whole --deals 200 --out results.jsonl";

/// The players, and what they play.
struct Contest<'a> {
    args: &'a Args,
    rules: Arc<Rules>,
    /// The pairs of players, as indices. Game number `n` is deal `n / pairs` between pair `n % pairs`.
    pairs: Vec<[usize; 2]>,
}

/// The chairs of each pair of players and seating: no process plays a deal twice.
type Tables = BTreeMap<(usize, u8), Vec<Chair>>;
/// For each unit that the first player of a pair had, the points of all units.
type DealPoints = Vec<Vec<i64>>;

/// Plays all deals that are missing, and prints the comparison.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let rules = Arc::new(RuleSetFile::find(&args.ruleset, io)?.playable()?);
    let players = args.players.len();
    let pairs = (0..players).flat_map(|first| (first + 1..players).map(move |second| [first, second]));
    let contest = Contest { args, rules, pairs: pairs.collect() };
    let mut compared: Vec<_> = contest.pairs.iter().map(|&pair| (pair, Comparison::default())).collect();
    let pairs = compared.len();
    let (wanted, mut done) = (args.deals as usize * pairs, 0);
    let mut add = |number: usize, points: &DealPoints| compared[number % pairs].1.add(points);
    let mut file = None;
    if let Some(path) = &args.out {
        let (opened, found) = contest.resume(path).with_context(|| path.display().to_string())?;
        found.iter().take(wanted).enumerate().for_each(|(number, points)| add(number, points));
        (file, done) = (Some(opened), found.len());
    }
    let (pool, tables) = (parallel::pool(args.threads)?, Mutex::default());
    let (bar, is_stopped) =
        (progress_bar(wanted as u64, "{pos} of {len} deals", io.progress), AtomicBool::new(false));
    while done < wanted {
        bar.set_position(done as u64);
        let one = |number| {
            let is_on = !is_stopped.load(Ordering::Relaxed);
            let stop = |_: &anyhow::Error| is_stopped.store(true, Ordering::Relaxed);
            is_on.then(|| contest.play(number, &tables).inspect_err(stop)).transpose()
        };
        // Results are written in order, so threads wait for each other after some deals each.
        let numbers = done..wanted.min(done + 8 * pool.current_num_threads());
        let played: Vec<_> = pool.install(|| numbers.clone().into_par_iter().map(one).collect());
        for (number, points) in numbers.zip(played) {
            // Behind a deal that is missing nothing is written: its error comes later.
            if let Some(points) = points?.filter(|_| number == done) {
                if let Some(file) = &mut file {
                    writeln!(file, "{}{}}}", contest.head(number), json!(points))?;
                }
                add(number, &points);
                done += 1;
            }
        }
    }
    bar.finish_and_clear();
    match args.format {
        OutputFormat::Json => io.write_value(&contest.document(&compared))?,
        OutputFormat::Text => contest.write(&compared, &mut io.out)?,
    }
    Ok(Exit::Clean)
}

impl Contest<'_> {
    /// Returns the line of a result as far as its points.
    fn head(&self, number: usize) -> String {
        let Args { seed, whole, .. } = self.args;
        let (pair, deal) = (number % self.pairs.len(), number / self.pairs.len());
        let players = self.pairs[pair].map(|player| &self.args.players[player]);
        let ruleset = hex(&self.rules.set().digest());
        let key = json!({"players": players, "ruleset": ruleset, "seed": seed, "deal": deal, "whole": whole});
        format!("{},\"points\":", key.to_string().trim_end_matches('}'))
    }

    /// Opens a file of results, which is made if it does not exist, and returns the results that it has. A last line without an
    /// end, which a crash has torn, is cut off.
    fn resume(&self, path: &Path) -> anyhow::Result<(File, Vec<DealPoints>)> {
        let mut file = File::options().read(true).append(true).create(true).open(path)?;
        ensure!(file.try_lock().is_ok(), "another program writes this file");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
        let units = usize::from(self.rules.set().unit_count());
        let mut found: Vec<DealPoints> = Vec::new();
        for line in String::from_utf8_lossy(&bytes).lines() {
            let head = self.head(found.len());
            let points = line.strip_prefix(&head).and_then(|rest| rest.strip_suffix('}'));
            let points = points.and_then(|points| serde_json::from_str::<DealPoints>(points).ok());
            match points.filter(|of| of.len() == units && of.iter().all(|each| each.len() == units)) {
                Some(points) => found.push(points),
                None => {
                    bail!("line {}: expected {head}..., found {line}; name another file", found.len() + 1)
                }
            }
        }
        file.set_len(bytes.len() as u64)?;
        Ok((file, found))
    }

    /// Plays a deal once with each seating, on tables of which each is used by one thread at a time.
    fn play(&self, number: usize, tables: &Mutex<Vec<Tables>>) -> anyhow::Result<DealPoints> {
        let pool = || tables.lock().unwrap_or_else(PoisonError::into_inner);
        let mut own = pool().pop().unwrap_or_default();
        let (pair, deal) = (number % self.pairs.len(), (number / self.pairs.len()) as u32);
        let one = |unit| {
            let chairs = self.chairs(&mut own, pair, unit)?;
            game::play(&self.rules, (self.args.seed, deal), self.args.whole, chairs)
        };
        let points = (0..self.rules.set().unit_count()).map(one).collect::<anyhow::Result<_>>();
        let points = points.with_context(|| format!("deal {deal}"))?;
        pool().push(own);
        Ok(points)
    }

    /// Returns the chairs of a seating: the first player of the pair has this unit, the second one all others.
    fn chairs<'t>(&self, tables: &'t mut Tables, pair: usize, unit: u8) -> anyhow::Result<&'t mut [Chair]> {
        let table = Table::new(self.rules.clone(), Seat(0));
        let chair = |seat| {
            let player = self.pairs[pair][usize::from(table.unit_of(seat) != Unit(unit))];
            Chair::new(&self.args.players[player], Duration::from_millis(self.args.move_ms))
        };
        let chairs = tables.entry((pair, unit)).or_default();
        if chairs.is_empty() {
            *chairs = table.seats().map(chair).collect::<Result<_, _>>()?;
        }
        Ok(chairs)
    }

    /// Returns the comparison for programs.
    fn document(&self, compared: &[([usize; 2], Comparison)]) -> Value {
        let Args { players, seed, deals, whole, .. } = self.args;
        let pair = |(pair, of): &([usize; 2], Comparison)| {
            json!({
                "players": pair.map(|player| &players[player]),
                "points": of.points.mean().document(),
                "won": of.won.mean().document(),
                "rating_difference": of.rating().document(),
            })
        };
        let rated = players.iter().zip(ratings(players.len(), compared));
        json!({
            "format": "canasta-arena/1",
            "ruleset": self.rules.id(),
            "digest": hex(&self.rules.set().digest()),
            "seed": seed,
            "deals": deals,
            "whole": whole,
            "pairs": compared.iter().map(pair).collect::<Value>(),
            "ratings": rated.map(|(player, of)| json!({"player": player, "rating": of.document()})).collect::<Value>(),
        })
    }

    fn write(&self, compared: &[([usize; 2], Comparison)], out: &mut dyn Write) -> std::io::Result<()> {
        let Args { players, seed, deals, whole, .. } = self.args;
        let (game, games) = if *whole { ("game", "whole games") } else { ("round", "first rounds") };
        writeln!(out, "{} · seed {seed} · {}, {games}\n", self.rules.id(), count(*deals, "deal"))?;
        let signed = |of: Measured| format!("{:+.0} ± {:.0}", of.value, of.error);
        let mut table =
            TextTable::new(["players", &format!("points a {game}"), "won %", "rating difference"]);
        for ([first, second], of) in compared {
            let Measured { value, error } = of.won.mean();
            let won = format!("{:.1} ± {:.1}", 100.0 * value, 100.0 * error);
            let names = format!("{} v. {}", players[*first], players[*second]);
            table.row([names, signed(of.points.mean()), won, signed(of.rating())]);
        }
        table.write("", out)?;
        let mut table = TextTable::new(["player", "rating"]);
        let rated = players.iter().zip(ratings(players.len(), compared));
        rated.for_each(|(player, of)| table.row([player.clone(), signed(of)]));
        writeln!(out)?;
        table.write("", out)
    }
}
