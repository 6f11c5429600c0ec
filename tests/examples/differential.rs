//! Compares the engines of two revisions, position by position: `tests/interop/differential.sh` builds and runs both.
//!
//!     differential write POSITIONS SHARD SHARDS      plays games, and writes a line per position
//!     differential compare                           reads these lines, and says where this engine differs
//!
//! The games have every preset and random house rules, with bots and with random players at the table. The lines name
//! the actions, so a list of steps that differs changes no later position. This file must compile with both revisions.

use canasta_engine::action::{Action, As};
use canasta_engine::bot::suggest;
use canasta_engine::game::Game;
use canasta_engine::legal::{Steps, steps_into};
use canasta_engine::log::digest;
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rules::{KNOBS, PresetId, RuleSet, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::token::encode;
use canasta_engine::view::view;
use canasta_tests::games::{Policy, Rng, actor, new_game};
use canasta_tests::pairs::Values;
use canasta_tests::probes::probe;
use sha2::{Digest, Sha256};
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// The columns of a line, before the action. The first three are of the position, the last three of the position after
/// the action.
const FIELDS: [&str; 7] = ["steps", "order", "truncated", "refusals", "events", "state", "token"];
const STEPS: usize = 0;
const ORDER: usize = 1;
const TRUNCATED: usize = 2;

/// Number of sets of house rules.
const HOUSES: u32 = 200;
/// Maximum number of rounds of a game, and of positions.
const ROUNDS: u16 = 3;
const POSITIONS: usize = 1_000;
/// Number of actions of a game after which nobody takes cards back any longer.
const AIMLESS: usize = 500;
/// Number of random actions that are proposed in each position.
const PROPOSED: usize = 20;
/// Number of cards of a large hand.
const LARGE: u16 = 16;
/// Number of differences that are printed.
const PRINTED: usize = 20;

type Fields = [String; FIELDS.len()];

/// Returns eight digits that stand for a text.
fn short(text: impl AsRef<[u8]>) -> String {
    Sha256::digest(text).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

fn text(game: &Game, action: &Action) -> String {
    let proposal = Proposal { actor: None, action: action.clone() };
    proposal.to_text(game.table.set()).expect("an action of a player can be written")
}

/// Returns the text of a step. Of a batch that leaves one card at most, under rules with sequences, it says what stays:
/// there are many such batches, and each engine lists one.
fn step_text(game: &Game, step: &Action) -> String {
    let Action::Meld(groups) = step else { return text(game, step) };
    let mut stays = *game.table.hand(game.table.turn_seat());
    groups.iter().flat_map(|group| &group.cards).for_each(|&card| _ = stays.remove(card));
    match stays.len() {
        0 | 1 if game.table.set().sequences && groups.len() > 1 => format!("lay all but {stays:?}"),
        _ => text(game, step),
    }
}

/// Judges random actions, the same ones in both engines, and returns the digits of all answers.
fn refusals(game: &Game, mut rng: Rng) -> String {
    let mut answers = String::new();
    for _ in 0..PROPOSED {
        let other = As::Seat(Seat(rng.below(usize::from(game.table.set().seats)) as u8));
        let by = if rng.chance(10) { other } else { actor(game) };
        let action = probe(game, by, &mut rng);
        match game.check(by, &action) {
            Ok(_) => answers += "legal",
            Err(rejection) => answers += &format!("{rejection:?}"),
        }
    }
    short(answers)
}

/// Executes an action and returns the line of the position; the rejection if the action is refused.
fn observe(game: &mut Game, steps: &Steps, action: &Action, rng: Rng) -> Result<Fields, String> {
    let mut listed: Vec<String> = steps.actions.iter().map(|step| step_text(game, step)).collect();
    let order = short(listed.join(";"));
    listed.sort_unstable();
    let refusals = refusals(game, rng);
    let events = game.play(actor(game), action).map_err(|rejection| rejection.to_string())?;
    let events: String = events.iter().map(|event| format!("{event:?}")).collect();
    Ok([
        short(listed.join(";")),
        order,
        u8::from(steps.truncated).to_string(),
        refusals,
        short(events),
        short(digest::full(&game.table)),
        short(encode(game)),
    ])
}

/// Goes on to the next position in which somebody must act. Returns whether there is one.
fn go_on(game: &mut Game) -> bool {
    loop {
        match game.table.phase() {
            Phase::GameOver => return false,
            Phase::Setup if game.table.round_number() > ROUNDS => return false,
            Phase::Setup => game.register_due(),
            Phase::RoundOver => drop(scoring::book(&mut game.table)),
            _ => return true,
        }
    }
}

/// Returns the preset and the changed knobs of a game: presets first, then house rules.
fn rules_of(game: u32, values: &Values) -> (PresetId, Vec<String>) {
    let presets: Vec<PresetId> = PresetId::all().collect();
    let number = game % (presets.len() as u32 + HOUSES);
    if let Some(preset) = presets.get(number as usize) {
        return (*preset, Vec::new());
    }
    let mut rng = Rng(u64::from(number));
    loop {
        let base = presets[rng.below(presets.len())];
        let mut set = base.rule_set();
        for _ in 0..1 + rng.below(6) {
            let knob = rng.below(KNOBS.len());
            values.set(&mut set, knob, rng.below(values.0[knob].len()));
        }
        if !number.is_multiple_of(3) {
            set.hand_size = LARGE as u8 + rng.below(16) as u8;
        }
        let (own, base_set) = (&set, base.rule_set());
        let changed = KNOBS.iter().filter(|knob| knob.value(own) != knob.value(&base_set));
        let knobs: Vec<String> = changed.map(|knob| format!("{}={}", knob.name, knob.value(own))).collect();
        if !knobs.is_empty() && house(base, &knobs).is_ok() {
            return (base, knobs);
        }
    }
}

fn house(base: PresetId, knobs: &[String]) -> Result<Arc<Rules>, String> {
    let mut set: RuleSet = base.rule_set();
    if knobs.is_empty() {
        return Rules::preset(base.name()).map(Arc::new).ok_or_else(|| "the preset is not played".into());
    }
    for knob in knobs {
        let (name, value) = knob.split_once('=').ok_or("a knob and its value")?;
        set.change(name, value).map_err(|error| format!("{error:?}"))?;
    }
    Rules::house(base, set, Some("differential")).map(Arc::new).map_err(|error| error.to_string())
}

/// The number of positions of each kind that were written.
#[derive(Default)]
struct Reached {
    all: usize,
    large: usize,
    frozen: usize,
    asked: usize,
    stockless: usize,
    truncated: usize,
}

impl Reached {
    fn add(&mut self, game: &Game, steps: &Steps) {
        let table = &game.table;
        let seat = table.to_act();
        self.all += 1;
        self.large += usize::from(seat.is_some_and(|seat| table.hand(seat).len() >= LARGE));
        let is_frozen = |seat: Seat| !table.frozen(table.side_of(seat)).is_empty();
        self.frozen += usize::from(seat.is_some_and(is_frozen));
        self.asked += usize::from(table.phase() == Phase::Asked);
        self.stockless += usize::from(table.stock_len() == 0 && table.phase() != Phase::Deal);
        self.truncated += usize::from(steps.truncated);
    }
}

/// Plays a game and writes its lines.
fn write_game(
    number: u32,
    values: &Values,
    out: &mut impl Write,
    reached: &mut Reached,
) -> std::io::Result<()> {
    let (base, knobs) = rules_of(number, values);
    let Ok(rules) = house(base, &knobs) else { return Ok(()) };
    writeln!(out, "= {number} {} {}", base.name(), knobs.join(" "))?;
    let (mut game, mut rng) = (new_game(&rules, 1, number), Rng(u64::from(number) << 32));
    let is_bots = rng.chance(33);
    let players: Vec<Option<Policy>> = game
        .table
        .seats()
        .map(|_| Policy::ALL.get(rng.below(Policy::ALL.len() + 1)).copied().filter(|_| !is_bots))
        .collect();
    let mut steps = Steps::default();
    for position in 0..POSITIONS {
        if !go_on(&mut game) {
            break;
        }
        steps_into(&game.table, &mut steps);
        reached.add(&game, &steps);
        let mut choice = steps.clone();
        if position > AIMLESS {
            choice.leave_out_ways_back();
        }
        let player = game.table.to_act().map_or(Some(Policy::Random), |seat| players[seat.index()]);
        let action = match player {
            Some(policy) => policy.choose(&game, &choice.actions, &mut rng).clone(),
            None => suggest(&view(&game.table, actor(&game)), &choice.actions, rng.bits()),
        };
        let line = text(&game, &action);
        let fields = observe(&mut game, &steps, &action, Rng(position as u64)).expect("a step is legal");
        writeln!(out, "{} {line}", fields.join(" "))?;
    }
    Ok(())
}

fn write(positions: usize, shard: u32, shards: u32) -> std::io::Result<()> {
    let (values, mut reached) = (Values::of_engine(), Reached::default());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut number = shard;
    while reached.all < positions {
        write_game(number, &values, &mut out, &mut reached)?;
        number += shards;
    }
    let Reached { all, large, frozen, asked, stockless, truncated } = reached;
    eprintln!(
        "{all} positions: {large} with {LARGE} or more cards in hand, {frozen} with a frozen pile, {asked} with an open \
         question, {stockless} without stock, {truncated} with a truncated list"
    );
    out.flush()
}

/// A comparison: the game that is followed now, and the counts so far.
#[derive(Default)]
struct Comparison {
    rules: String,
    game: Option<Game>,
    position: usize,
    positions: usize,
    /// The number of positions that differ by field, the last by refused rule sets and actions.
    differ: [usize; FIELDS.len() + 1],
    /// The number of positions whose lists differ, and of which one was truncated.
    cut: usize,
    printed: usize,
}

impl Comparison {
    fn begin(&mut self, header: &str) {
        let mut words = header.split_whitespace();
        let (number, base) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let knobs: Vec<String> = words.map(str::to_owned).collect();
        (self.rules, self.position) = (header.to_owned(), 0);
        let base = PresetId::from_name(base).ok_or_else(|| "the preset is unknown".to_owned());
        self.game = match base.and_then(|base| house(base, &knobs)) {
            Ok(rules) => number.parse().ok().map(|number| new_game(&rules, 1, number)),
            Err(error) => {
                self.print(FIELDS.len(), &error, "");
                None
            }
        };
    }

    fn print(&mut self, field: usize, what: &str, position: &str) {
        self.differ[field] += 1;
        if self.printed < PRINTED {
            println!("game {}, position {}: {what} {position}", self.rules, self.position);
            self.printed += 1;
        }
    }

    /// Compares one position and executes its action. The rest of the game is left out once the games differ.
    fn position(&mut self, line: &str) {
        let Some(mut game) = self.game.take() else { return };
        let mut words = line.splitn(FIELDS.len() + 1, ' ');
        let theirs: Vec<&str> = words.by_ref().take(FIELDS.len()).collect();
        let is_on = go_on(&mut game);
        let parsed = Proposal::parse(words.next().unwrap_or_default(), game.table.set());
        let place = Position::of(&game.table).to_string();
        let (mut steps, rng) = (Steps::default(), Rng(self.position as u64));
        steps_into(&game.table, &mut steps);
        let observed = match parsed {
            Ok(proposal) if is_on => observe(&mut game, &steps, &proposal.action, rng),
            Ok(_) => Err("the game is over".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        self.positions += 1;
        let own = match observed {
            Ok(own) => own,
            Err(error) => return self.print(FIELDS.len(), &format!("{error}: {line}"), &place),
        };
        let is_cut = own[TRUNCATED] == "1" || theirs[TRUNCATED] == "1";
        let differ: Vec<usize> = (0..FIELDS.len()).filter(|&field| own[field] != theirs[field]).collect();
        let is_excused = |field: usize| is_cut && [STEPS, ORDER, TRUNCATED].contains(&field);
        self.cut += usize::from(differ.iter().any(|&field| is_excused(field)));
        for &field in differ.iter().filter(|&&field| !is_excused(field)) {
            self.print(field, FIELDS[field], &format!("{place} | {line}"));
        }
        self.position += 1;
        self.game = Some(game).filter(|_| differ.iter().all(|&field| field <= TRUNCATED + 1));
    }
}

fn compare() -> std::io::Result<bool> {
    let mut comparison = Comparison::default();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match line.strip_prefix("= ") {
            Some(header) => comparison.begin(header),
            None => comparison.position(&line),
        }
    }
    let Comparison { positions, differ, cut, .. } = comparison;
    println!("{positions} positions compared; lists differ in {cut} positions where one list was truncated");
    for (name, count) in FIELDS.iter().chain(&["refused"]).zip(differ).filter(|(_, count)| *count > 0) {
        println!("{count} positions differ: {name}");
    }
    Ok(positions > 0 && differ.iter().all(|count| *count == 0))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let is_same = match words[..] {
        ["write", positions, shard, shards] => {
            write(number(positions) as usize, number(shard), number(shards)).map(|()| true)
        }
        ["compare"] => compare(),
        _ => panic!("expected `write POSITIONS SHARD SHARDS` or `compare`"),
    };
    match is_same {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => panic!("{error}"),
    }
}
